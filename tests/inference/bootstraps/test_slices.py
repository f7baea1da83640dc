"""Slices on shared draws, and unweighted means over them."""

import json
import pickle
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fastmetrics as fm
from tests import reference
from tests.engine.reading_problems import ASKED, data
from tests.inference.bootstrap_problems import problem

N = 120
SITE = np.random.default_rng(8).permutation(np.arange(N) % 3)
OPTIONS = {"n_resamples": 1200, "rng": 0}


def draws(size=6):
    generator = np.random.default_rng(5)
    return [np.bincount(generator.integers(0, N, N), minlength=N) for _ in range(size)]


def given(*data, **options):
    return fm.bootstrap(*data, **{"method": "percentile", "counts": draws(), **options})


def assert_same(found, wanted):
    assert found.estimate == pytest.approx(wanted.estimate, rel=1e-12, nan_ok=True)
    np.testing.assert_allclose(
        found.bootstrap_distribution, wanted.bootstrap_distribution, rtol=1e-12, atol=1e-14
    )


@pytest.mark.filterwarnings("ignore:.*undefined")
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("family", ASKED)
def test_a_slice_is_the_bootstrap_of_its_rows_on_the_same_draws(family, weighted):
    truth, predicted = data(family, N)
    weights = np.random.default_rng(1).uniform(0.5, 2, N) if weighted else None
    name = "y_pred" if family == "classes" else "y_score"
    result = given(
        truth, metrics=ASKED[family], by=SITE, sample_weight=weights, **{name: predicted}
    )
    assert result.slices == (0, 1, 2)
    whole = given(truth, metrics=ASKED[family], sample_weight=weights, **{name: predicted})
    for metric in whole.metrics:
        assert_same(result[metric], whole[metric])
    for site in range(3):
        rows = site == SITE
        alone = fm.bootstrap(
            truth[rows],
            metrics=ASKED[family],
            counts=[count[rows] for count in draws()],
            sample_weight=None if weights is None else weights[rows],
            method="percentile",
            **{name: predicted[rows]},
        )
        for metric in alone.metrics:
            assert_same(result[metric, site], alone[metric])


def test_a_slice_of_models_is_that_of_each():
    labels, scores = problem(N)
    models = {"a": scores, "b": scores**2, "c": 1 - scores}
    result = given(labels, models, ["roc_auc", "f1"], by=SITE)
    assert len(result) == 3 * 2 * 4
    for name, column in models.items():
        alone = given(labels, column, ["roc_auc", "f1"], by=SITE)
        for metric in ("roc_auc", "f1"):
            assert_same(result[name, metric], alone[metric])
            for site in range(3):
                assert_same(result[name, metric, site], alone[metric, site])


WORDS = np.array(["north", "south", "west"])
COLUMNS = {
    "array": SITE,
    "bytes": SITE.astype(np.uint8),
    "text": WORDS[SITE],
    "objects": WORDS.astype(object)[SITE],
    "list": WORDS[SITE].tolist(),
    "pandas": pd.Series(WORDS[SITE], index=np.arange(N)[::-1]),
    "categories": pd.Categorical(WORDS[SITE]),
    "polars": pl.Series(WORDS[SITE]),
    "pyarrow": pa.array(WORDS[SITE]),
    "dates": np.datetime64("2020-01-01") + SITE,
    "mixed": np.array(["north", 7, None.__class__], object)[SITE],
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_of_any_kind_makes_slices(kind):
    labels, scores = problem(N)
    result = given(labels, scores, by=COLUMNS[kind])
    plain = given(labels, scores, by=SITE)
    assert len(result.slices) == 3
    sizes = [int((site == SITE).sum()) for site in range(3)]
    for part in result.slices:
        first = next(row for row in range(N) if _entry(COLUMNS[kind], row) == part)
        assert_same(result[part], plain[int(SITE[first])])
    assert sum(sizes) == N


def _entry(column, row):
    entry = column[row] if isinstance(column, list) else np.asarray(column)[row]
    return entry.tolist() if isinstance(entry, np.generic) else entry


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_several_columns_are_named_in_their_slices(frame):
    labels, scores = problem(N)
    columns = {"site": WORDS[SITE], "old": np.arange(N) % 2 == 0}
    result = given(labels, scores, by=frame(columns))
    assert result.slices == ("site=north", "site=south", "site=west", "old=False", "old=True")
    plain = given(labels, scores, by=SITE)
    assert_same(result["site=west"], plain[2])
    assert_same(result["old=True"], given(labels, scores, by=np.arange(N) % 2)[0])


def test_drawn_slices_share_their_draws_with_the_whole():
    labels, scores = problem(N)
    for design in ({}, {"groups": np.arange(N) % 40}, {"strata": SITE}):
        options = {**OPTIONS, "method": "percentile", **design}
        result = fm.bootstrap(labels, scores, ["accuracy", "mean"], by=SITE, **options)
        whole = result["mean"].bootstrap_distribution
        parts = [result["mean", site].bootstrap_distribution for site in range(3)]
        # what a slice weighs in a replicate is not its share of the rows
        if "strata" in design:
            sizes = np.bincount(SITE) / N
            np.testing.assert_allclose(np.tensordot(sizes, parts, 1), whole, rtol=1e-12)
        else:
            fitted = np.linalg.lstsq(np.transpose(parts), whole, rcond=None)
            assert fitted[1] / whole.size < 0.2 * whole.var()


def test_keys_lead_to_the_slices_and_to_all_rows():
    labels, scores = problem(N)
    result = fm.bootstrap(labels, scores, ["roc_auc", "f1"], by=WORDS[SITE], **OPTIONS)
    assert result.keys()[:3] == [("roc_auc",), ("f1",), ("roc_auc", "north")]
    for key in result:
        assert len(result[key]) == 1
        part = key[1] if len(key) > 1 else None
        rows = np.ones(N, bool) if part is None else WORDS[SITE] == part
        value = fm.metric(key[0])
        value = fm.metric(value, threshold=0.5) if key[0] == "f1" else value
        assert result[key].estimate == pytest.approx(value(labels[rows], scores[rows]))
    assert result["roc_auc"].estimate == pytest.approx(reference.auc(labels, scores))
    assert len(result["north"]) == 2
    assert result["f1", "west"].estimate == result["west", "f1"].estimate
    single = fm.bootstrap(labels, scores, by=SITE, **OPTIONS)
    message = "4 entries (3 slices): take one, result['roc_auc'].estimate, or .to_frame()"
    with pytest.raises(AttributeError, match=re.escape(message)):
        _ = single.estimate
    assert single["roc_auc"].estimate == result["roc_auc"].estimate
    models = fm.bootstrap(labels, {"a": scores, "b": scores}, by=SITE, **OPTIONS)
    assert models["a", "roc_auc"].estimate == result["roc_auc"].estimate
    assert len(models["a"]) == 4
    assert len(models["roc_auc"]) == 8
    with pytest.raises(KeyError, match="slices: 0, 1, 2"):
        models["a", "roc_auc", 7]


def test_tables_name_the_slice_of_each_row():
    labels, scores = problem(N)
    result = fm.bootstrap(labels, scores, ["roc_auc"], by=WORDS[SITE], **OPTIONS)
    frame = result.to_frame()
    assert frame["slice"].isna().tolist() == [True, False, False, False]
    assert frame["slice"].tolist()[1:] == ["north", "south", "west"]
    lines = result.to_markdown().splitlines()
    assert lines[0].startswith("| metric | slice | estimate |")
    assert [line.split(" | ")[1] for line in lines[2:]] == ["all", "north", "south", "west"]
    printed = repr(result).splitlines()
    assert [line[:14].strip() for line in printed[:4]] == [
        "roc_auc",
        "roc_auc north",
        "roc_auc south",
        "roc_auc west",
    ]
    content = result.to_dict()["entries"]
    assert [row["slice"] for row in content] == [None, "north", "south", "west"]
    polars = fm.bootstrap(labels, pl.Series(scores), by=SITE, **OPTIONS).to_frame()
    assert polars["slice"].to_list() == [None, 0, 1, 2]


def test_a_slice_of_one_class_says_so():
    labels, scores = problem(N)
    by = np.where(labels == 1, "ill", np.where(SITE == 0, "well", "mixed"))
    by[labels.nonzero()[0][:20]] = "mixed"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fm.bootstrap(labels, scores, ["roc_auc", "accuracy"], by=by, **OPTIONS)
    messages = [str(warning.message) for warning in caught]
    assert messages == ["roc_auc ill, roc_auc well undefined on these data: nan, no interval"]
    assert np.isnan(result["roc_auc", "well"].estimate)
    assert np.isnan(result["roc_auc", "well"].confidence_interval).all()
    assert result["roc_auc", "well"].n_undefined == OPTIONS["n_resamples"]
    assert np.isfinite(result["accuracy", "ill"].confidence_interval).all()


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("site", "by is the string 'site': pass the column itself"),
        (SITE[1:], f"by has {N - 1} rows, the data {N}"),
        ({"site": SITE[1:]}, f"by['site'] has {N - 1} rows"),
        (np.where(SITE == 1, np.nan, SITE), "by has 40 missing entries"),
        ([None] * N, f"by has {N} missing entries"),
        (np.where(SITE == 1, "roc_auc", "x"), "'roc_auc' names one of the metrics and one of the"),
        (np.stack([SITE, SITE], axis=1), "by should be a 1d array"),
    ],
    ids=str,
)
def test_bad_slices_are_named(by, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*problem(N), by=by, **OPTIONS)


def test_the_mean_over_slices_is_that_of_the_joint_replicates():
    labels, scores = problem(N)
    models = {"a": scores, "b": scores**3}
    result = fm.bootstrap(labels, models, ["roc_auc", "mean"], by=SITE, **OPTIONS)
    mean = result.mean("slice")
    assert mean.slices == ()
    assert mean.keys() == [(m, k) for m in ("a", "b") for k in ("roc_auc", "mean")]
    for key in mean:
        parts = [result[(*key, site)] for site in range(3)]
        entry = mean[key]
        assert entry.estimate == pytest.approx(np.mean([part.estimate for part in parts]))
        replicates = np.mean([part.bootstrap_distribution for part in parts], axis=0)
        np.testing.assert_allclose(entry.bootstrap_distribution, replicates, rtol=1e-14)
        assert entry.method == "bca"
    # of all rows
    assert mean["a", "mean"].estimate == pytest.approx(scores.mean(), rel=0.05)


def mean_area(labels, scores, rows):
    kept = np.isin(np.arange(N), rows)
    return np.mean(
        [reference.auc(labels[kept & (s == SITE)], scores[kept & (s == SITE)]) for s in range(3)]
    )


@pytest.mark.parametrize("grouped", [False, True], ids=["rows", "clusters"])
def test_the_acceleration_of_a_mean_is_that_of_the_mean(grouped):
    labels, scores = problem(N)
    groups = np.arange(N) % 25 if grouped else np.arange(N)
    design = {"groups": groups} if grouped else {}
    result = fm.bootstrap(labels, scores, by=SITE, method="bca", **design, **OPTIONS).mean("slice")
    values = [mean_area(labels, scores, np.flatnonzero(groups != g)) for g in np.unique(groups)]
    assert result.acceleration == pytest.approx(reference.acceleration(values), rel=1e-9)


def test_a_mean_of_models_may_be_compared():
    labels, scores = problem(N)
    models = {"a": scores, "b": scores[::-1]}
    result = fm.bootstrap(labels, models, by=SITE, **OPTIONS)
    compared = result.mean("slice").compare()
    joint = [result[name].mean("slice").bootstrap_distribution for name in ("a", "b")]
    np.testing.assert_allclose(compared.bootstrap_distribution, joint[0] - joint[1], atol=1e-14)
    values = [
        mean_area(labels, scores, rows) - mean_area(labels, scores[::-1], rows)
        for rows in (np.delete(np.arange(N), row) for row in range(N))
    ]
    interval = reference.bca_interval(
        compared.bootstrap_distribution.tolist(),
        0.95,
        compared.estimate,
        reference.acceleration(values),
    )
    assert tuple(compared.confidence_interval) == pytest.approx(interval, abs=1e-10)


def test_a_mean_over_no_slices_or_another_axis_is_refused():
    labels, scores = problem(N)
    plain = fm.bootstrap(labels, scores, **OPTIONS)
    with pytest.raises(ValueError, match="there are no slices: pass by= to the bootstrap"):
        plain.mean("slice")
    with pytest.raises(ValueError, match="axis='model': means are taken over 'slice'"):
        plain.mean("model")
    sliced = fm.bootstrap(labels, scores, by=SITE, method="bca", **OPTIONS)
    again = pickle.loads(pickle.dumps(sliced))
    with pytest.raises(ValueError, match="BCa means over slices need the data"):
        again.mean("slice")
    percentile = fm.bootstrap(labels, scores, by=SITE, method="percentile", **OPTIONS)
    kept = pickle.loads(pickle.dumps(percentile)).mean("slice")
    assert kept.confidence_interval == percentile.mean("slice").confidence_interval
    studentized = fm.bootstrap(labels, scores, by=SITE, method="studentized", n_resamples=64, rng=0)
    with pytest.raises(ValueError, match="method='studentized' has no standard error of a mean"):
        studentized.mean("slice")


@pytest.mark.filterwarnings("ignore:.*undefined on these data")
def test_a_mean_with_an_undefined_slice_is_undefined():
    labels, scores = problem(N)
    result = fm.bootstrap(labels, scores, by=np.where(labels == 1, SITE, 3), **OPTIONS)
    mean = result.mean("slice")
    assert np.isnan(mean.estimate)
    assert np.isnan(mean.confidence_interval).all()


def test_dates_are_slices_and_text_where_json_is():
    labels, scores = problem(N)
    days = np.datetime64("2020-01-01") + SITE
    result = fm.bootstrap(labels, {"a": scores, "b": scores**2}, by=days, **OPTIONS)
    first = result.slices[0]
    assert str(first) == "2020-01-01"
    assert result["a", "roc_auc", first].estimate > 0
    for content, rows in (
        (result.to_dict(), "entries"),
        (result.compare().to_dict(), "differences"),
    ):
        names = [row["slice"] for row in json.loads(json.dumps(content))[rows]]
        assert set(names) == {None, "2020-01-01", "2020-01-02", "2020-01-03"}
