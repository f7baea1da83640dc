"""Every metric of the registry on draws from outside: its value on the repeated rows."""

import numpy as np
import pandas as pd
import pytest

import fastmetrics as fm
from tests.engine.reading_problems import data
from tests.law_problems import CLASSES, FITTED, METRICS, families

N = 40
CASES = [
    pytest.param(metric, family, id=f"{metric.label}-{family}")
    for metric in METRICS
    for family in families(metric)
]


def index_draws():
    """Rows of each replicate: of n, of fewer, of one row only, of all rows once."""
    generator = np.random.default_rng(3)
    draws = [generator.integers(0, N, N) for _ in range(6)]
    return [*draws, generator.integers(0, N, 9), np.array([7, 7, 7]), np.arange(N)]


DRAWS = index_draws()
COUNTS = [np.bincount(rows, minlength=N) for rows in DRAWS]


def call(family, truth, predicted, metrics, **options):
    named = {"y_pred": predicted} if family == "classes" else {"y_score": predicted}
    options = {"method": "percentile", **options}
    if not {"n_resamples", "resamples", "counts"} & options.keys():
        options["counts"] = COUNTS
    return fm.bootstrap(truth, metrics=metrics, **named, **options)


def on_copies(metric, family, truth, predicted, rows, weights=None):
    """Value of the metric on copied rows; columns are named, so that a class may be absent."""
    copied = predicted[rows]
    if family == "columns":
        copied = pd.DataFrame(copied, columns=range(CLASSES))
    return metric(truth[rows], copied, None if weights is None else weights[rows])


def assert_same(metric, values, wanted):
    digits = 1e-6 if metric.name in FITTED else 1e-10
    np.testing.assert_allclose(values, wanted, rtol=digits, atol=digits)


pytestmark = pytest.mark.filterwarnings("ignore:.*undefined in")


@pytest.mark.parametrize(("metric", "family"), CASES)
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
def test_a_replicate_is_the_metric_on_copied_rows(metric, family, weighted):
    truth, predicted = data(family, N)
    weights = np.random.default_rng(1).uniform(0.5, 2, N) if weighted else None
    for draws in [{"counts": COUNTS}, {"resamples": DRAWS}][: 1 if weighted else 2]:
        result = call(family, truth, predicted, metric, sample_weight=weights, **draws)
        wanted = [on_copies(metric, family, truth, predicted, rows, weights) for rows in DRAWS]
        assert_same(metric, result.bootstrap_distribution, wanted)
        whole = on_copies(metric, family, truth, predicted, np.arange(N), weights)
        assert_same(metric, result.estimate, whole)


def together(family):
    """Metrics that one call may ask for, under names of their own."""
    found = [metric for metric in METRICS if family in families(metric)]
    if family == "binary":
        found += [metric for metric in METRICS if families(metric) == ["classes"]]
    return {f"metric {k}": metric for k, metric in enumerate(found)}


@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("family", ["binary", "classes", "columns", "values", "lists"])
def test_metrics_of_one_call_are_those_of_separate_calls(family, weighted):
    truth, predicted = data(family, N)
    weights = np.random.default_rng(1).uniform(0.5, 2, N) if weighted else None
    metrics = together(family)
    result = call(family, truth, predicted, metrics, sample_weight=weights)
    assert result.metrics == tuple(metrics)
    for name, metric in metrics.items():
        alone = call(family, truth, predicted, metric, sample_weight=weights)
        values = result[name].bootstrap_distribution
        assert_same(metric, values, alone.bootstrap_distribution)
        assert_same(metric, result[name].estimate, alone.estimate)


@pytest.mark.parametrize("family", ["binary", "classes", "columns", "values", "lists"])
@pytest.mark.parametrize(
    "design", ["rows", "groups", "strata", "groups in strata", "poisson", "bayesian"]
)
def test_drawn_replicates_stay_within_the_bounds_and_around_the_estimate(family, design):
    truth, predicted = data(family, N)
    groups = np.arange(N) % 13
    options = {
        "rows": {},
        "groups": {"groups": groups},
        "strata": {"strata": groups % 3},
        "groups in strata": {"groups": groups, "strata": groups % 3},
        "poisson": {"resampling": "poisson"},
        "bayesian": {"resampling": "bayesian"},
    }[design]
    metrics = together(family)
    result = call(family, truth, predicted, metrics, n_resamples=190, rng=0, **options)
    for name, metric in metrics.items():
        entry = result[name]
        values = entry.bootstrap_distribution
        low, high = metric.bounds
        assert entry.n_undefined < 120
        assert low - 1e-12 <= np.nanmin(values)
        assert np.nanmax(values) <= high + 1e-12
        assert np.nanmin(values) <= entry.estimate <= np.nanmax(values)


def test_scores_that_float64_cannot_tell_apart_keep_their_distances():
    # what is replaced by ranks for sorting must not be for losses and thresholds
    labels, _ = data("binary", N)
    large = (2**60 + np.random.default_rng(0).integers(0, 900, N)).astype(np.uint64)
    fine = np.linspace(0.1, 0.9, N).astype(np.longdouble)
    fine[1] = fine[0] + np.finfo(np.longdouble).eps / 8
    for scores, metrics in (
        (large, ["hinge_loss", fm.metric("accuracy", threshold=2.0**60), "roc_auc"]),
        (large, ["mean_squared_error", "median_absolute_error", "mean"]),
        (fine, ["brier_score", "accuracy", "ece", fm.metric("net_benefit", threshold=0.4)]),
        (fine, ["r2", "mean"]),
    ):
        plain = scores.astype(np.float64)
        for together in (metrics, [metrics[0], metrics[-1]], metrics[:1]):
            found = fm.bootstrap(labels, scores, together, counts=COUNTS, method="percentile")
            wanted = fm.bootstrap(labels, plain, together, counts=COUNTS, method="percentile")
            for name in found.metrics:
                if name == "roc_auc":
                    continue
                np.testing.assert_allclose(
                    found[name].bootstrap_distribution, wanted[name].bootstrap_distribution
                )
                assert found[name].estimate == pytest.approx(wanted[name].estimate)
                value = fm.metric(dict(zip(found.metrics, together))[name])
                if value.input != "label":
                    assert value(labels, scores) == pytest.approx(found[name].estimate)
