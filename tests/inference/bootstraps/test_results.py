"""Results: numbers, keys, prints, exports, pickles, extension."""

import copy
import json
import math
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from tests import reference
from tests.inference.bootstrap_problems import METRICS, SEVERAL, index_draws, problem


def test_a_result_has_all_its_numbers(single):
    labels, scores = problem()
    values = single.bootstrap_distribution
    assert single.estimate == pytest.approx(reference.auc(labels, scores), abs=1e-12)
    assert values.shape == (1500,)
    assert single.standard_error == pytest.approx(values.std(ddof=1), rel=1e-12)
    assert single.bias == pytest.approx(values.mean() - single.estimate, abs=1e-14)
    assert single.n_undefined == 0
    assert single.method == "bca"
    assert single.seed == 7
    deleted = reference.delete_one(reference.auc, labels, scores)
    assert single.acceleration == pytest.approx(reference.acceleration(deleted), abs=1e-12)
    z0 = reference.bias_correction(values.tolist(), single.estimate)
    assert single.z0 == pytest.approx(z0, abs=1e-12)
    expected = reference.bca_interval(values.tolist(), 0.95, single.estimate, single.acceleration)
    assert tuple(single.confidence_interval) == pytest.approx(expected, abs=1e-12)
    low, high = single.confidence_interval
    assert single.confidence_interval.low == low < single.estimate < high
    assert all(0 < error < 0.02 for error in single.monte_carlo_error)


def test_undefined_replicates_are_counted_and_left_out():
    labels, scores = problem(30)
    labels = (np.arange(30) < 2).astype(int)
    with pytest.warns(UndefinedMetricWarning, match="roc_auc is undefined in .* of 2,000"):
        result = fm.bootstrap(labels, scores, method="percentile", rng=0)
    values = result.bootstrap_distribution
    kept = values[~np.isnan(values)]
    assert result.n_undefined == 2000 - kept.size > 20
    assert result.standard_error == pytest.approx(kept.std(ddof=1))
    assert tuple(result.confidence_interval) == pytest.approx(np.quantile(kept, [0.025, 0.975]))


def test_metrics_of_one_call_share_their_draws(several):
    labels, scores = problem()
    draws = fm.bootstrap(
        labels, scores, SEVERAL, resamples=index_draws(120, 20), method="percentile"
    )
    for k, rows in enumerate(index_draws(120, 20)):
        for name in SEVERAL:
            expected = reference.value(METRICS[name], labels[rows], scores[rows])
            assert draws[name].bootstrap_distribution[k] == pytest.approx(expected, abs=1e-12)
    correlation = np.corrcoef([several[name].bootstrap_distribution for name in SEVERAL])
    assert correlation.min() > 0.3


def test_keys_lead_to_entries(several):
    assert several.keys() == [(name,) for name in SEVERAL]
    assert list(several) == several.keys()
    assert len(several) == 3
    assert several.metrics == tuple(SEVERAL)
    assert several.models == several.slices == ()
    assert several["f1"].keys() == [("f1",)]
    assert several[("f1",)].estimate == several["f1"].estimate
    assert several["f1"].info == several.info
    for key in several:
        assert len(several[key]) == 1


def test_an_unknown_key_lists_the_names(several):
    for key in ("f2", ("f1", "roc_auc"), ("f1", 3), None):
        with pytest.raises(KeyError, match="metrics: 'roc_auc', 'average_precision', 'f1'"):
            several[key]
    with pytest.raises(fm.errors.UnknownNameError, match="no entry 'f2' here"):
        several["f2"]


SCALARS = [
    "estimate",
    "confidence_interval",
    "standard_error",
    "bias",
    "bootstrap_distribution",
    "n_undefined",
    "method",
    "acceleration",
    "z0",
    "monte_carlo_error",
]


@pytest.mark.parametrize("attribute", SCALARS)
def test_one_number_of_several_entries_shows_the_way_out(several, attribute):
    message = f"3 entries (3 metrics): take one, result['roc_auc'].{attribute}, or .to_frame()"
    with pytest.raises(AttributeError, match=re.escape(message)):
        getattr(several, attribute)
    assert not hasattr(several, attribute)
    getattr(several["f1"], attribute)


def test_a_single_entry_prints_at_a_glance(single):
    low, high = single.confidence_interval
    first, second = single.monte_carlo_error
    assert repr(single).splitlines() == [
        f"roc_auc  {single.estimate:.4f}   95 % CI {low:.4f} to {high:.4f} (bca)   "
        f"SE {single.standard_error:.4f}",
        f"120 rows, {problem()[0].sum()} positive · 1,500 multinomial resamples, seed 7 · "
        f"0 undefined · Monte-Carlo error of limits {first:.4f}, {second:.4f}",
    ]


def test_several_entries_print_a_row_each(several):
    *rows, footer = repr(several).splitlines()
    assert [row.split()[0] for row in rows] == SEVERAL
    assert len({row.index("95 % CI") for row in rows}) == 1
    for row, name in zip(rows, SEVERAL, strict=True):
        assert f"{several[name].estimate:.4f}   95 % CI" in row
    assert " · 0 undefined · Monte-Carlo error of limits up to " in footer


def test_many_entries_print_ten_rows_and_the_way_to_the_rest():
    metrics = {f"f1 at {cut}": fm.metric("f1", threshold=cut / 50) for cut in range(10, 31)}
    lines = repr(fm.bootstrap(*problem(), metrics, n_resamples=50, method="normal")).splitlines()
    assert len(lines) == 12
    assert lines[9].startswith("f1 at 19 ")
    assert lines[10] == "... 21 entries in all: .to_frame() has them"
    del metrics["f1 at 10"]
    lines = repr(fm.bootstrap(*problem(), metrics, n_resamples=50, method="normal")).splitlines()
    assert len(lines) == 21


def test_the_print_tells_how_rows_were_drawn():
    data = problem()
    options = {"n_resamples": 1000, "method": "percentile"}
    printed = {
        "1,000 multinomial resamples, by class, seed 3 ": {"strata": "class", "rng": 3},
        "1,000 poisson resamples, seed 3 ": {"resampling": "poisson", "rng": 3},
        "1,000 multinomial resamples, seed SeedSequence(17, spawn_key=(4,)) ": {
            "rng": np.random.SeedSequence(17, spawn_key=(4,))
        },
        "90 % CI ": {"confidence_level": 0.9},
        "99.9 % CI ": {"confidence_level": 0.999},
        "-inf to 0.": {"alternative": "less"},
    }
    for text, chosen in printed.items():
        assert text in repr(fm.bootstrap(*data, **options, **chosen))
    given_draws = repr(fm.bootstrap(*data, resamples=index_draws(120, 30), method="normal"))
    assert "30 given resamples · 0 undefined" in given_draws


def test_estimates_only_need_no_replicates():
    labels, scores = problem()
    result = fm.bootstrap(labels, scores, SEVERAL, n_resamples=0)
    for name in SEVERAL:
        expected = reference.value(METRICS[name], labels, scores)
        assert result[name].estimate == pytest.approx(expected, abs=1e-12)
        assert np.isnan(result[name].confidence_interval).all()
        assert math.isnan(result[name].standard_error)
        assert result[name].bootstrap_distribution.shape == (0,)
    lines = repr(result).splitlines()
    assert lines[0] == f"roc_auc            {result['roc_auc'].estimate:.4f}"
    assert lines[-1] == f"120 rows, {labels.sum()} positive · no resamples"


COLUMNS = [
    "model",
    "metric",
    "slice",
    "estimate",
    "low",
    "high",
    "standard_error",
    "bias",
    "method",
    "n_undefined",
]


def assert_has_the_rows_of(rows, result):
    assert [row["metric"] for row in rows] == list(result.metrics)
    for row in rows:
        entry = result[row["metric"]]
        assert (row["low"], row["high"]) == tuple(entry.confidence_interval)
        assert row["estimate"] == entry.estimate
        assert row["standard_error"] == entry.standard_error
        assert row["bias"] == entry.bias
        assert row["method"] == entry.method
        assert row["n_undefined"] == entry.n_undefined


def test_a_frame_is_pandas_by_default(several):
    frame = several.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == COLUMNS
    assert_has_the_rows_of(frame.to_dict("records"), several)
    assert frame["model"].isna().all()


@pytest.mark.parametrize("polars_argument", ["y_true", "y_score"])
def test_a_frame_is_polars_where_the_inputs_were(polars_argument):
    labels, scores = problem()
    data = {"y_true": labels, "y_score": scores}
    data[polars_argument] = pl.Series(data[polars_argument])
    result = fm.bootstrap(**data, metrics=SEVERAL, n_resamples=1000, rng=0)
    frame = result.to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == COLUMNS
    assert_has_the_rows_of(frame.to_dicts(), result)


def test_a_dictionary_has_everything_but_the_replicates(several):
    content = several.to_dict()
    assert json.loads(json.dumps(content)) == content
    assert content["n_rows"] == 120
    assert content["n_positive"] == problem()[0].sum()
    assert content["n_resamples"] == 1500
    assert content["resampling"] == "multinomial"
    assert content["strata"] is None
    assert content["seed"] == 7
    assert content["confidence_level"] == 0.95
    assert_has_the_rows_of(content["entries"], several)
    for row in content["entries"]:
        assert row["monte_carlo_error"] == list(several[row["metric"]].monte_carlo_error)


def test_a_dictionary_of_given_draws_has_no_seed():
    result = fm.bootstrap(*problem(), resamples=index_draws(120, 30), method="normal")
    content = result.to_dict()
    assert content["seed"] is None
    assert content["resampling"] == "given"
    assert result.seed is None


def test_tables_have_a_row_per_entry(several):
    entry = several["f1"]
    low, high = entry.confidence_interval
    header, line, *rows = several.to_markdown().splitlines()
    assert header == "| metric | estimate | 95 % CI | SE | method |"
    assert line == "| --- | --- | --- | --- | --- |"
    assert rows[2] == (
        f"| f1 | {entry.estimate:.4f} | {low:.4f} to {high:.4f} | {entry.standard_error:.4f} "
        "| bca |"
    )
    lines = several.to_latex().splitlines()
    assert lines[0] == r"\begin{tabular}{lllll}"
    assert lines[2] == r"metric & estimate & 95 \% CI & SE & method \\"
    assert rf"average\_precision & {several['average_precision'].estimate:.3f} & " in lines[5]
    assert lines[-1] == r"\end{tabular}"
    assert f"{entry.estimate:.1f} | " in several.to_markdown(digits=1).splitlines()[4]
    assert f"& {entry.estimate:.5f} &" in several.to_latex(digits=5).splitlines()[6]


def test_names_are_escaped_in_tables():
    result = fm.bootstrap(*problem(), {"a|b_c%": "roc_auc"}, n_resamples=0)
    assert r"| a\|b_c% |" in result.to_markdown()
    assert r"a|b\_c\% &" in result.to_latex()


def test_a_copy_keeps_the_data_too(several):
    again = copy.copy(several)
    assert repr(again) == repr(several)
    assert repr(again.extend(100)) == repr(several.extend(100))


def test_a_pickle_keeps_all_but_the_data(several):
    again = pickle.loads(pickle.dumps(several))
    assert repr(again) == repr(several)
    assert again.to_dict() == several.to_dict()
    for key in several:
        np.testing.assert_array_equal(
            again[key].bootstrap_distribution, several[key].bootstrap_distribution
        )
    assert len(pickle.dumps(fm.bootstrap(*problem(200_000), n_resamples=100, rng=0))) < 20_000
    with pytest.raises(ValueError, match="call bootstrap again with a larger n_resamples"):
        again.extend(10)


def test_parts_and_given_draws_cannot_be_extended(several):
    for result in (
        several["f1"],
        fm.bootstrap(*problem(), resamples=index_draws(120, 30), method="normal"),
    ):
        with pytest.raises(ValueError, match="this result has no data to draw from"):
            result.extend(10)


@pytest.mark.parametrize("n", [0, -1, 1.5])
def test_extending_adds_at_least_one(single, n):
    with pytest.raises(ValueError, match=f"n={n}: give how many replicates to add"):
        single.extend(n)
