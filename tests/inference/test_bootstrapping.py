"""The bootstrap as its users see it: known numbers, results, keys, prints, warnings and errors."""

import contextlib
import csv
import functools
import json
import math
import pickle
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from tests import reference
from tests.processes import ROOT, run


def problem(n=120, share=0.35, digits=2, seed=0):
    """Labels and scores between 0 and 1."""
    generator = np.random.default_rng(seed)
    labels = (generator.random(n) < share).astype(int)
    return labels, (1 / (1 + np.exp(-generator.normal(size=n) - labels))).round(digits)


def index_draws(n, size):
    """Rows of each replicate, from a fresh generator."""
    generator = np.random.default_rng(0)
    return (generator.integers(0, n, n) for _ in range(size))


# --- the numbers of others, replicate by replicate ---

SKLEARN = {
    "roc_auc": lambda y, s, w: sklearn.metrics.roc_auc_score(y, s, sample_weight=w),
    "average_precision": lambda y, s, w: sklearn.metrics.average_precision_score(
        y, s, sample_weight=w
    ),
    "f1": lambda y, s, w: sklearn.metrics.f1_score(
        y, s >= 0.5, sample_weight=w, zero_division=np.nan
    ),
    "matthews_corrcoef": lambda y, s, w: sklearn.metrics.matthews_corrcoef(
        y, s >= 0.5, sample_weight=w
    ),
}
METRICS = {
    "roc_auc": fm.metric("roc_auc"),
    "average_precision": fm.metric("average_precision"),
    "f1": fm.metric("f1", threshold=0.5),
    "matthews_corrcoef": fm.metric("matthews_corrcoef", threshold=0.5),
}
DATA = {
    "untied": problem(digits=12),
    "tied": problem(digits=1),
    "rare positives": problem(share=0.03, digits=2, seed=2),
    "rare negatives": problem(share=0.97, digits=2, seed=2),
}


@pytest.mark.filterwarnings("ignore:.*is undefined in")
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("way", ["resamples", "counts"])
@pytest.mark.parametrize("data", DATA)
def test_replicates_are_those_of_scikit_learn_on_copied_rows(data, way, weighted):
    labels, scores = DATA[data]
    n = labels.size
    weights = np.random.default_rng(1).uniform(0.2, 3, n) if weighted else None
    draws = list(index_draws(n, 60))
    given_draws = draws if way == "resamples" else [np.bincount(d, minlength=n) for d in draws]
    result = fm.bootstrap(
        labels,
        scores,
        list(SKLEARN),
        sample_weight=weights,
        method="percentile",
        **{way: iter(given_draws)},
    )
    for name, function in SKLEARN.items():
        values = result[name].bootstrap_distribution
        assert values.shape == (60,)
        for value, rows in zip(values, draws, strict=True):
            y, s, w = labels[rows], scores[rows], None if weights is None else weights[rows]
            # where scikit-learn fills in a value by convention, the definition says what is 0/0
            conventional = len(set(y)) == 1 or (
                name == "matthews_corrcoef" and len(set(s >= 0.5)) == 1
            )
            other = functools.partial(reference.value, METRICS[name]) if conventional else function
            assert value == pytest.approx(other(y, s, w), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("as_array", [True, False])
def test_draws_may_be_an_array_or_a_list(as_array):
    labels, scores = problem()
    draws = np.array(list(index_draws(labels.size, 50)))
    counts = np.array([np.bincount(draw, minlength=labels.size) for draw in draws])
    expected = fm.bootstrap(labels, scores, resamples=iter(draws), method="percentile")
    for options in ({"resamples": draws}, {"counts": counts}):
        given_draws = options if as_array else {key: list(value) for key, value in options.items()}
        result = fm.bootstrap(labels, scores, **given_draws, method="percentile")
        np.testing.assert_array_equal(
            result.bootstrap_distribution, expected.bootstrap_distribution
        )


def test_draws_may_have_any_length():
    labels, scores = problem()
    draws = [np.arange(60), np.arange(120), np.repeat(np.arange(120), 3), np.array([0, 1, 2, 3])]
    result = fm.bootstrap(labels, scores, "accuracy", resamples=draws, method="percentile")
    expected = [np.mean(labels[rows] == (scores[rows] >= 0.5)) for rows in draws]
    np.testing.assert_allclose(result.bootstrap_distribution, expected, rtol=1e-14)


def test_more_given_draws_than_a_tile_are_all_there():
    labels, scores = problem()
    draws = list(index_draws(labels.size, 150))
    result = fm.bootstrap(labels, scores, "accuracy", resamples=draws, method="percentile")
    expected = [np.mean(labels[rows] == (scores[rows] >= 0.5)) for rows in draws]
    np.testing.assert_allclose(result.bootstrap_distribution, expected, rtol=1e-14)


TWELVE_SCORES = [0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10]
TWELVE_LABELS = [1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0]


def test_twelve_units_have_their_known_intervals():
    def result(metric):
        draws = index_draws(12, 2000)
        return fm.bootstrap(
            TWELVE_LABELS, TWELVE_SCORES, metric, resamples=draws, method="percentile"
        )

    area = result("roc_auc")
    assert area.estimate == 0.796875
    assert area.n_undefined == 17
    assert tuple(area.confidence_interval) == pytest.approx((0.4831, 1.0), abs=5e-5)
    accuracy = result("accuracy")
    assert accuracy.n_undefined == 0
    assert tuple(accuracy.confidence_interval) == pytest.approx((0.4167, 0.9167), abs=5e-5)


@pytest.fixture(scope="module")
def screening():
    with (ROOT / "examples" / "data" / "screening.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    scores = {
        name: np.array(columns[name], float) for name in ("logistic_regression", "naive_bayes")
    }
    return np.array(columns["diagnosis"]), scores


@pytest.mark.parametrize(
    ("model", "metric", "low", "high"),
    [
        ("logistic_regression", "roc_auc", 0.967665, 0.999140),
        ("logistic_regression", "average_precision", 0.961846, 0.998611),
        ("naive_bayes", "roc_auc", 0.961320, 0.995007),
        ("naive_bayes", "average_precision", 0.944070, 0.992313),
    ],
)
def test_the_screening_run_has_its_known_intervals(screening, model, metric, low, high):
    diagnosis, scores = screening
    result = fm.bootstrap(
        diagnosis,
        scores[model],
        metric,
        pos_label="malignant",
        resamples=index_draws(143, 2000),
        method="percentile",
    )
    assert tuple(result.confidence_interval) == pytest.approx((low, high), abs=5e-7)


def test_the_screening_run_has_its_known_estimates(screening):
    diagnosis, scores = screening
    result = fm.bootstrap(
        diagnosis,
        scores["logistic_regression"],
        ["roc_auc", "average_precision"],
        pos_label="malignant",
        n_resamples=0,
    )
    assert result["roc_auc"].estimate == pytest.approx(0.9874, abs=5e-5)
    assert result["average_precision"].estimate == pytest.approx(0.9849, abs=5e-5)


# --- results ---

SEVERAL = ["roc_auc", "average_precision", "f1"]


@pytest.fixture(scope="module")
def single():
    return fm.bootstrap(*problem(), n_resamples=1500, rng=7)


@pytest.fixture(scope="module")
def several():
    return fm.bootstrap(*problem(), SEVERAL, n_resamples=1500, rng=7)


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


@pytest.mark.parametrize("n", [0, -1])
def test_extending_adds_at_least_one(single, n):
    with pytest.raises(ValueError, match=f"n={n}: give how many replicates to add"):
        single.extend(n)


# --- metrics ---


def test_metrics_may_be_given_in_many_ways():
    labels, scores = problem()

    def names(metrics):
        return fm.bootstrap(labels, scores, metrics, n_resamples=0).metrics

    assert names("mcc") == ("matthews_corrcoef",)
    assert names(fm.metric("f1")) == ("f1",)
    assert names(("ap", "auc")) == ("average_precision", "roc_auc")
    assert names(metric for metric in ["ks", "gini"]) == ("ks", "gini")
    assert names({"first": "f1", "second": fm.metric("f1", threshold=0.3)}) == ("first", "second")
    assert names(fm.metric("f1", threshold=0.3, name="mine")) == ("mine",)


@pytest.mark.parametrize(
    ("function", "equal"),
    [
        ("roc_auc_score", fm.metric("roc_auc")),
        ("average_precision_score", fm.metric("average_precision")),
        ("gini_score", fm.metric("gini")),
        ("rank_auc", fm.metric("roc_auc")),
        ("pairwise_auc", fm.metric("roc_auc")),
        ("ks_statistic", fm.metric("ks")),
    ],
)
def test_functions_of_ours_are_metrics(function, equal):
    labels, scores = problem()
    options = {"n_resamples": 200, "method": "percentile", "rng": 0}
    found = fm.bootstrap(labels, scores, getattr(fm, function), **options)
    expected = fm.bootstrap(labels, scores, equal, **options)
    assert found.metrics == expected.metrics
    np.testing.assert_array_equal(found.bootstrap_distribution, expected.bootstrap_distribution)


@pytest.mark.parametrize(
    ("function", "options"),
    [
        ("roc_auc_score", {"max_fpr": 0.2}),
        ("precision_at_recall", {"min_recall": 0.5}),
        ("recall_at_false_positive_rate", {"max_fpr": 0.2}),
    ],
)
def test_partials_of_ours_are_metrics(function, options):
    labels, scores = problem()
    function = getattr(fm, function)
    partial = functools.partial(function, **options)
    result = fm.bootstrap(labels, scores, partial, n_resamples=0)
    assert result.estimate == pytest.approx(function(labels, scores, **options), abs=1e-12)


def test_one_metric_at_two_thresholds_is_told_apart():
    labels, scores = problem()
    metrics = ["f1", fm.metric("f1", threshold=0.3), fm.metric("f1", threshold=0.7), "roc_auc"]
    result = fm.bootstrap(labels, scores, metrics, n_resamples=0)
    assert result.metrics == ("f1", "f1[threshold=0.3]", "f1[threshold=0.7]", "roc_auc")
    for name, cut in (("f1", 0.5), ("f1[threshold=0.3]", 0.3), ("f1[threshold=0.7]", 0.7)):
        expected = reference.OF_COUNTS["f1"](*reference.counts(labels, scores, cut))
        assert result[name].estimate == pytest.approx(expected, abs=1e-12)


def test_partial_areas_of_two_limits_are_told_apart():
    metrics = [fm.metric("partial_auc", max_fpr=0.1), fm.metric("partial_auc", min_tpr=0.8)]
    result = fm.bootstrap(*problem(), metrics, n_resamples=0)
    assert result.metrics == ("partial_auc[max_fpr=0.1]", "partial_auc[min_tpr=0.8]")


@pytest.mark.parametrize(
    "metrics",
    [
        ["roc_auc", "f1", "roc_auc"],
        ["auc", "roc_auc"],
        [fm.metric("f1", threshold=0.3)] * 2,
        [fm.metric("f1", name="x"), fm.metric("f2", name="x")],
    ],
)
def test_duplicates_are_refused(metrics):
    with pytest.raises(ValueError, match="metrics holds '.*' twice"):
        fm.bootstrap(*problem(), metrics)


@pytest.mark.parametrize("metrics", [[], (), {}])
def test_no_metric_is_refused(metrics):
    with pytest.raises(ValueError, match="metrics is empty"):
        fm.bootstrap(*problem(), metrics)


def test_an_unknown_metric_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="no metric is called 'rocauc'; did you mean 'roc_auc'"):
        fm.bootstrap(*problem(), "rocauc")


@pytest.mark.parametrize("metric", [1, None, ["f1", 3.0]])
def test_what_is_no_metric_is_refused(metric):
    with pytest.raises(TypeError, match="metric"):
        fm.bootstrap(*problem(), metric)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("partial_auc", "partial_auc takes one limit: max_fpr=0.1 or min_tpr=0.9"),
        (
            "precision_at_recall",
            "precision_at_recall needs its options: metric('precision_at_recall', min_recall=...)",
        ),
        (
            "recall_at_false_positive_rate",
            "metric('recall_at_false_positive_rate', max_fpr=...)",
        ),
    ],
)
def test_a_metric_without_its_option_says_which(name, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*problem(), name)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("roc_auc", {"threshold": 0.5}),
        ("ks", {"max_fpr": 0.5}),
        ("partial_auc", {"max_fpr": 0.0}),
        ("partial_auc", {"max_fpr": 1.1}),
        ("partial_auc", {"min_tpr": 1.0}),
        ("partial_auc", {"max_fpr": 0.1, "min_tpr": 0.1}),
        ("recall_at_false_positive_rate", {"max_fpr": -0.1}),
        ("precision_at_recall", {"min_recall": 1.1}),
    ],
)
def test_options_that_mean_nothing_are_refused(name, options):
    with pytest.raises(ValueError, match="|".join([*options, "threshold"])):
        fm.metric(name, **options)


def test_the_threshold_of_the_call_serves_metrics_without_one():
    labels, scores = problem()
    metrics = ["accuracy", fm.metric("recall", threshold=0.8)]
    result = fm.bootstrap(labels, scores, metrics, threshold=0.3, n_resamples=0)
    tp, _, _, tn = reference.counts(labels, scores, 0.3)
    assert result["accuracy"].estimate == pytest.approx((tp + tn) / 120)
    tp, _, fn, _ = reference.counts(labels, scores, 0.8)
    assert result["recall"].estimate == pytest.approx(tp / (tp + fn))


@pytest.mark.parametrize("threshold", [-np.inf, 0.0, 1.0, np.inf, 5])
def test_any_threshold_is_taken(threshold):
    labels, scores = problem()
    result = fm.bootstrap(labels, scores, "accuracy", threshold=threshold, n_resamples=0)
    assert result.estimate == pytest.approx(np.mean((scores >= threshold) == labels))


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7, 1e300])
def test_scores_in_single_precision_are_flagged_alike_everywhere(threshold):
    labels, scores = problem(digits=1)
    scores = scores.astype(np.float32)
    values = []
    for weights in (None, np.full(120, 2.0), 1 + np.arange(120) / 1e9):
        result = fm.bootstrap(
            labels,
            scores,
            "accuracy",
            threshold=threshold,
            sample_weight=weights,
            resamples=[np.arange(120)],
            method="percentile",
        )
        values += [result.estimate, *result.bootstrap_distribution]
    with np.errstate(over="ignore"):
        flagged = scores >= threshold  # as NumPy has it: the threshold in single precision too
    np.testing.assert_allclose(values, np.mean(flagged == labels), rtol=1e-6)


def test_scores_beyond_zero_and_one_have_no_default_cut():
    labels, scores = problem()
    message = "scores reach 4.71, so f1 has no default cut: pass threshold= or y_pred="
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(labels, np.where(scores == scores.max(), 4.71, scores), "f1")
    with pytest.raises(ValueError, match=re.escape("scores reach -0.2, so f1")):
        fm.bootstrap(labels, np.where(scores == scores.min(), -0.2, scores), "f1")
    fm.bootstrap(labels, 10 * scores, "roc_auc", n_resamples=0)
    fm.bootstrap(labels, 10 * scores, "f1", threshold=5, n_resamples=0)


def test_decisions_may_be_given_instead_of_scores():
    labels, scores = problem()
    decisions = scores >= 0.4
    options = {"n_resamples": 300, "rng": 0, "method": "percentile"}
    expected = fm.bootstrap(labels, scores, ["f1", "mcc"], threshold=0.4, **options)
    names = np.array(["healthy", "ill"])
    for y_true, y_pred, pos_label in (
        (labels, decisions, None),
        (labels, decisions.astype(int), None),
        (2 * labels - 1, np.where(decisions, 1, -1), None),
        (names[labels], names[decisions.astype(int)], "ill"),
    ):
        result = fm.bootstrap(
            y_true, None, ["f1", "mcc"], y_pred=y_pred, pos_label=pos_label, **options
        )
        for key in expected:
            np.testing.assert_array_equal(
                result[key].bootstrap_distribution, expected[key].bootstrap_distribution
            )


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.7, 2.0])
def test_a_threshold_says_nothing_to_decisions(threshold):
    labels, scores = problem()
    decisions = (scores >= 0.4).astype(int)
    expected = fm.bootstrap(labels, None, "f1", y_pred=decisions, n_resamples=0).estimate
    found = []
    with contextlib.suppress(ValueError):  # to refuse it is right, too
        options = {"y_pred": decisions, "threshold": threshold, "n_resamples": 0}
        found.append(fm.bootstrap(labels, None, "f1", **options).estimate)
    assert found in ([], [expected])


# --- options and errors ---


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 95}, "confidence_level=95: give a fraction, 0.95"),
        ({"confidence_level": 99.9}, "confidence_level=99.9: give a fraction, 0.999"),
        ({"confidence_level": 1.0}, "confidence_level=1.0: give a fraction, 0.95"),
        ({"confidence_level": 0}, "confidence_level=0: give a fraction"),
        ({"confidence_level": "0.95"}, "confidence_level=0.95: give a fraction"),
        ({"confidence_level": float("nan")}, "confidence_level=nan: give a fraction"),
        ({"method": "bcaa"}, "method='bcaa': give one of percentile, basic, normal, logit, bca"),
        ({"method": 1}, "method=1: give one of percentile"),
        ({"alternative": "both"}, "alternative='both': give one of two-sided, less, greater"),
        ({"n_resamples": -1}, "n_resamples=-1: give a whole number of 0 or more"),
        ({"n_resamples": 10.5}, "n_resamples=10.5: give a whole number"),
        ({"n_resamples": True}, "n_resamples=True: give a whole number"),
        ({"n_jobs": 0}, "n_jobs=0: give a number of threads, or -1 for all cores"),
        ({"n_jobs": 1.5}, "n_jobs=1.5: give a number of threads"),
        ({"threshold": "0.5"}, "threshold='0.5': give a number"),
        ({"threshold": float("nan")}, "threshold=nan: give a number"),
        ({"resampling": "jackknife"}, "resampling='jackknife': give one of multinomial, poisson"),
        ({"strata": "klass"}, "strata is the string 'klass': give 'class'"),
        (
            {"strata": "class", "resampling": "poisson"},
            "Poisson counts have no fixed total: leave strata= or resampling= out",
        ),
        ({"resamples": [[0]], "counts": [[0]]}, "resamples= and counts= are two ways"),
        ({"resamples": [[0]], "n_resamples": 10}, "resamples= gives the draws: leave n_resamples="),
        ({"resamples": [[0]], "rng": 0}, "resamples= gives the draws: leave rng= out"),
        ({"counts": [[0]], "strata": "class"}, "counts= gives the draws: leave strata= out"),
        ({"counts": [[0]], "resampling": "poisson"}, "counts= gives the draws: leave resampling="),
        ({"resamples": [[0, 120]]}, "resamples[0] names rows outside 0 to 119"),
        ({"resamples": [np.arange(9), [-1]]}, "resamples[1] names rows outside 0 to 119"),
        ({"resamples": [[0.5]]}, "resamples[0] is no vector of integers"),
        ({"resamples": [[[0]]]}, "resamples[0] is no vector of integers"),
        ({"counts": [np.ones(119, int)]}, "counts[0] must hold 120 integers of 0 or more"),
        ({"counts": [np.arange(120) - 1]}, "counts[0] must hold 120 integers of 0 or more"),
        ({"counts": [np.ones(120)]}, "counts[0] is no vector of integers"),
    ],
    ids=str,
)
def test_a_bad_option_is_named(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*problem(), "f1", **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"y_true": np.array(["benign", "malignant"] * 60)},
            "name the positive one, pos_label='malignant'",
        ),
        ({"y_true": np.arange(120) % 3}, "y_true"),
        ({"y_true": np.zeros(119, int)}, "y_true has 119 rows, y_score has 120 rows"),
        ({"y_true": []}, "y_true"),
        ({"y_score": None}, "pass y_score, or y_pred"),
        (
            {"y_score": np.where(np.arange(120) > 87, np.nan, 0.5)},
            "y_score has 32 NaN, first at row 88",
        ),
        (
            {"y_score": np.where(np.arange(120) > 87, np.inf, 0.5)},
            "y_score has 32 infinite entries",
        ),
        ({"y_score": ["0.5"] * 120}, "y_score"),
        ({"sample_weight": np.ones(119)}, "sample_weight has 119 rows"),
        ({"sample_weight": -np.ones(120)}, "sample_weight has 120 negative entries"),
        ({"sample_weight": np.full(120, np.nan)}, "sample_weight has 120 NaN"),
        ({"sample_weight": np.zeros(120)}, "sample_weight is all zeros"),
        ({"pos_label": 7}, "pos_label=7 does not occur in y_true"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_data_are_named(arguments, message):
    labels, scores = problem()
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(**{"y_true": labels, "y_score": scores, **arguments})


def test_bad_decisions_are_named():
    labels, _ = problem()
    with pytest.raises(ValueError, match="roc_auc reads scores: pass y_score, not only y_pred"):
        fm.bootstrap(labels, None, y_pred=labels)
    with pytest.raises(ValueError, match="y_pred holds 2, which y_true does not"):
        fm.bootstrap(labels, None, "f1", y_pred=labels + 1)
    with pytest.raises(ValueError, match="y_pred has 119 rows"):
        fm.bootstrap(labels, None, "f1", y_pred=labels[1:])


@pytest.mark.parametrize(
    "arguments",
    [
        {"groups": np.arange(120)},
        {"by": np.arange(120)},
        {"strata": np.arange(120)},
        {"resampling": "bayesian"},
        {"method": "studentized"},
        {"n_resamples": "auto"},
        {"metrics": lambda y_true, y_score: 0.0},
        {"metrics": max},
        {"y_score": {"first": problem()[1], "second": problem()[1]}},
        {"y_score": np.column_stack([problem()[1]] * 2)},
        {"y_pred": problem()[0], "metrics": ["roc_auc", "f1"]},
    ],
    ids=lambda arguments: ", ".join(arguments),
)
def test_what_is_not_there_yet_says_so(arguments):
    labels, scores = problem()
    with pytest.raises(NotImplementedError, match="not there yet|only yet"):
        fm.bootstrap(**{"y_true": labels, "y_score": scores, **arguments})


def test_results_say_what_is_not_there_yet(single):
    for call in (single.plot, single.compare, lambda: single.mean("slice")):
        with pytest.raises(NotImplementedError, match="not there yet"):
            call()


@pytest.mark.parametrize("method", ["percentile", "basic", "normal", "logit", "bca"])
def test_methods_are_taken_in_any_case(method):
    options = {"n_resamples": 1500, "rng": 1}
    plain = fm.bootstrap(*problem(), method=method, **options)
    shouted = fm.bootstrap(*problem(), method=method.upper(), **options)
    assert plain.method == method
    assert plain.confidence_interval == shouted.confidence_interval


def test_each_metric_has_its_own_method_unless_one_is_named():
    metrics = ["roc_auc", "ks", "f1"]
    result = fm.bootstrap(*problem(), metrics, n_resamples=1500, rng=1)
    assert [result[name].method for name in metrics] == ["bca", "percentile", "bca"]
    result = fm.bootstrap(*problem(), metrics, n_resamples=1500, method="basic", rng=1)
    assert [result[name].method for name in metrics] == ["basic"] * 3


def test_bca_of_a_metric_without_closed_form_leaves_rows_out():
    labels, scores = problem()
    result = fm.bootstrap(labels, scores, "ks", method="bca", n_resamples=1500, rng=1)
    deleted = reference.delete_one(reference.ks, labels, scores)
    assert result.method == "bca"
    assert result.acceleration == pytest.approx(reference.acceleration(deleted), abs=1e-10)


def test_progress_is_shown_only_when_asked_for(capsys):
    options = {"n_resamples": 600, "method": "percentile", "rng": 0}
    quiet = fm.bootstrap(*problem(), **options)
    assert capsys.readouterr() == ("", "")
    shown = fm.bootstrap(*problem(), progress=True, **options)
    output = capsys.readouterr()
    assert "600" in output.err
    assert output.out == ""
    np.testing.assert_array_equal(shown.bootstrap_distribution, quiet.bootstrap_distribution)


# --- warnings ---


def warned(*data, **options):
    """Result and messages of the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fm.bootstrap(*data, **{"rng": 0, **options})
    for warning in caught:
        assert warning.filename == __file__
    return result, [str(warning.message) for warning in caught]


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_only_is_undefined_with_one_warning(label):
    labels = np.full(50, label)
    result, messages = warned(labels, np.linspace(0, 1, 50))
    assert messages == ["roc_auc undefined on these data: nan, no interval"]
    assert math.isnan(result.estimate)
    assert np.isnan(result.confidence_interval).all()
    assert result.n_undefined == 2000


def test_undefined_replicates_are_told_once_with_the_worst_entry():
    labels = (np.arange(30) == 9).astype(int)
    scores = np.linspace(1, 0, 30)
    metrics = ["roc_auc", "average_precision", "accuracy", "specificity"]
    result, messages = warned(labels, scores, metrics=metrics, method="percentile")
    undefined = {name: result[name].n_undefined for name in metrics}
    assert undefined["accuracy"] == undefined["specificity"] == 0
    assert undefined["roc_auc"] == undefined["average_precision"] > 600
    assert messages == [
        f"roc_auc is undefined in {undefined['roc_auc']} of 2,000 replicates, which are left "
        "out; 1 more have over 1 %"
    ]


def test_few_undefined_replicates_are_only_counted():
    labels = np.array([1] * 6 + [0] * 24)
    scores = np.concatenate([np.linspace(0.2, 0.9, 6), np.linspace(0, 0.8, 24)])
    result, messages = warned(labels, scores)
    assert 0 < result.n_undefined < 20
    assert not messages


def test_perfect_separation_is_told():
    labels = np.array([0] * 20 + [1] * 20)
    result, messages = warned(labels, labels.astype(float), metrics=["roc_auc", "f1"])
    assert messages == [
        "roc_auc, f1: every replicate is perfect, the interval has no width; "
        "[1, 1] is not certainty"
    ]
    for key in result:
        assert result[key].confidence_interval == (1.0, 1.0)


def test_the_worst_value_in_every_replicate_is_not_perfect():
    labels, scores = problem()
    _, messages = warned(labels, scores, metrics="false_positive_rate", threshold=-1)
    assert not [message for message in messages if "perfect" in message]


def test_no_false_alarm_at_all_in_any_replicate_is_told():
    labels, scores = problem()
    _, messages = warned(labels, scores, metrics="false_positive_rate", threshold=2)
    assert messages == [
        "false_positive_rate: every replicate is perfect, the interval has no width; "
        "[0, 0] is not certainty"
    ]


def test_replicates_that_are_all_undefined_leave_no_interval():
    result, messages = warned(
        [0, 1], [0.1, 0.9], rng=None, resamples=[[0, 0], [1, 1]], method="percentile"
    )
    assert result.estimate == 1.0
    assert np.isnan(result.confidence_interval).all()
    assert messages == ["roc_auc is undefined in 2 of 2 replicates, which are left out"]


def test_remarks_on_limits_are_told_once():
    labels, scores = problem()
    metrics = ["roc_auc", "average_precision"]
    _, messages = warned(labels, scores, metrics=metrics, n_resamples=20)
    assert messages == [
        "roc_auc, average_precision: a limit lies beyond the first or last replicate: draw more"
    ]


def test_an_undefined_acceleration_is_told():
    # without its only positive the metric is undefined
    labels, scores = np.array([1] + [0] * 49), np.linspace(0.7, 0.2, 50)
    scores[0] = 0.5
    result, messages = warned(labels, scores, method="bca")
    assert "roc_auc: the acceleration is undefined and was taken as 0" in messages
    assert result.acceleration == 0.0


def test_a_quiet_call_warns_of_nothing():
    assert warned(*problem(), metrics=["roc_auc", "f1", "ks"])[1] == []


# --- inputs ---


def test_inputs_of_many_kinds_give_the_same():
    labels, scores = problem()
    weights = 1.0 + np.arange(120) % 3
    names = np.array(["benign", "malignant"])[labels]
    options = {"metrics": ["roc_auc", "f1"], "n_resamples": 200, "rng": 0, "method": "percentile"}
    expected = fm.bootstrap(labels, scores, sample_weight=weights, **options)
    frame = pd.DataFrame({"y": labels, "s": scores, "w": weights}, index=np.arange(120)[::-1])
    read_only = [array.copy() for array in (labels, scores, weights)]
    for array in read_only:
        array.flags.writeable = False
    wide = np.column_stack([scores, scores])
    for y_true, y_score, weight, pos_label in (
        (labels.tolist(), scores.tolist(), weights.tolist(), None),
        (labels.astype(bool), scores, weights.astype(int), None),
        (2 * labels - 1, scores[:, None], weights, None),
        (frame["y"], frame["s"], frame["w"], None),
        (pd.Series(names, dtype="category"), frame["s"], frame["w"], "malignant"),
        (pl.Series(names), pl.Series(scores), pl.Series(weights), "malignant"),
        (names, scores, weights, "malignant"),
        (names.tolist(), wide[:, 0], weights, "malignant"),
        (1 - labels, scores.astype(">f8"), weights, 0),
        (*read_only, None),
    ):
        result = fm.bootstrap(y_true, y_score, sample_weight=weight, pos_label=pos_label, **options)
        for key in expected:
            assert result[key].estimate == expected[key].estimate
            np.testing.assert_array_equal(
                result[key].bootstrap_distribution, expected[key].bootstrap_distribution
            )


def test_a_call_on_plain_arrays_loads_no_heavy_library():
    program = """
import sys
import numpy as np
import fastmetrics as fm
y_true, y_score = np.arange(50) % 3 == 0, np.sin(np.arange(50))
print(fm.bootstrap(y_true, y_score, ["roc_auc", "ks"], n_resamples=1000, rng=0))
heavy = ["sklearn", "scipy.stats", "pandas", "polars", "matplotlib", "dask", "joblib", "tqdm"]
print([name for name in heavy if name in sys.modules])
"""
    printed, _ = run("-c", program)
    assert printed.splitlines()[-1] == "[]"


def test_inputs_are_unchanged():
    labels, scores = problem()
    weights = np.arange(120) % 4 / 2
    draws = [np.arange(120)]
    counts = [np.ones(120, np.int64)]
    given_arrays = [labels, scores, weights, *draws, *counts]
    before = [array.copy() for array in given_arrays]
    options = {"metrics": ["roc_auc", "f1", "ks"], "sample_weight": weights, "method": "percentile"}
    fm.bootstrap(labels, scores, rng=0, n_resamples=100, **options)
    fm.bootstrap(labels, scores, resamples=draws, **options)
    fm.bootstrap(labels, scores, counts=counts, **options)
    for array, expected in zip(given_arrays, before, strict=True):
        np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("group", [1, 100, 300])
def test_weighted_replicates_of_a_perfect_ranking_never_exceed_one(group):
    labels = np.repeat([1, 0], 3 * group)
    scores = np.repeat(np.arange(6.0)[::-1], group)
    weights = np.random.default_rng(0).random(labels.size)
    for method in ("percentile", "normal"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = fm.bootstrap(
                labels,
                scores,
                ["roc_auc", "average_precision", "gini"],
                sample_weight=weights,
                method=method,
                n_resamples=300,
                rng=0,
            )
        for key in result:
            assert np.nanmax(result[key].bootstrap_distribution) <= 1.0
            np.testing.assert_allclose(
                result[key].bootstrap_distribution[~np.isnan(result[key].bootstrap_distribution)],
                1.0,
                rtol=1e-12,
            )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny_samples_work(n):
    labels, scores = np.arange(n) % 2, np.linspace(0.2, 0.8, n)
    result = fm.bootstrap(labels, scores, ["roc_auc", "accuracy"], n_resamples=100, rng=0)
    values = result["accuracy"].bootstrap_distribution
    assert np.isfinite(values).all()
    assert np.isfinite(result["accuracy"].confidence_interval).all()
    assert set((n * values).round(9)) <= set(range(n + 1))
