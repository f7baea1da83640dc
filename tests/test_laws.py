"""Laws that hold for every metric of the registry, on data made up by hypothesis."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from fastmetrics.engine.statistics import SWEPT
from tests import (
    reference,
    reference_classes,
    reference_forecasts,
    reference_lists,
    reference_regression,
)

# options of the metrics that need some; every other metric is taken by its name
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "fbeta": [{"beta": 3}],
    "partial_auc": [{"max_fpr": 0.3}, {"min_tpr": 0.6}],
    "recall_at_false_positive_rate": [{"max_fpr": 0.25}],
    "precision_at_recall": [{"min_recall": 0.5}],
    "precision_at_k": [{"k": 0.25}],
    "recall_at_k": [{"k": 0.25}],
    "lift_at_k": [{"k": 0.25}],
    "net_benefit": [{"threshold": 0.5}],
    "mean_pinball_loss": [{"alpha": 0.3}],
    "d2_pinball_score": [{"alpha": 0.3}],
    "mean_tweedie_deviance": [{"power": 1.5}],
    "d2_tweedie_score": [{"power": 1.5}],
}
# means over rows of lists: their laws are those of sums, and stand with their functions
OF_LISTS = {
    "dcg",
    "ndcg",
    "coverage_error",
    "label_ranking_loss",
    "label_ranking_average_precision",
}
TOP_ROWS = {"precision_at_k", "recall_at_k", "lift_at_k"}
# found by iteration
FITTED = {"calibration_slope", "calibration_intercept"}


def described(name):
    """Return the metrics of a name, decisions at a threshold that scores hit."""
    for options in OPTIONS.get(name, [{}]):
        metric = fm.metric(name, **options)
        cut = metric.input == "label" and metric.statistic.kind == "counts"
        yield fm.metric(metric, threshold=0.5) if cut else metric


METRICS = [
    metric for name in fm.metric_names() if name not in OF_LISTS for metric in described(name)
]
RESAMPLED = [metric for metric in METRICS if metric.statistic.kind in SWEPT]


def family(metric):
    """What the metric is measured on."""
    if metric.statistic.kind == "confusion":
        return "classes"
    return "values" if metric.input == "value" else "binary"


def definition(metric, *data):
    """Value of a described metric by its slow, obvious version."""
    name, options = metric.name, dict(metric.options)
    if name in TOP_ROWS:
        return reference.OF_TOP_ROWS[name](*data, k=options["k"])
    if name == "net_benefit":
        y_true, y_prob, *weight = data
        return reference_lists.net_benefit(y_true, y_prob, options["threshold"], *weight)
    if metric.input == "probability":
        return reference_forecasts.value(metric, *data)
    if metric.input == "value":
        return getattr(reference_regression, name)(*data, **options)
    if metric.statistic.kind == "confusion":
        # a class whose rows all weigh 0 is absent
        counted = [column[data[2] > 0] for column in data] if len(data) > 2 else data
        return reference_classes.OF_MATRIX[name](reference_classes.confusion(*counted))
    return reference.value(metric, *data)


class Problem(NamedTuple):
    """A small problem with ties; its sums of weights are exact."""

    truth: np.ndarray
    predicted: np.ndarray
    weights: np.ndarray  # multiples of 1/4, some of them 0
    seed: int

    @property
    def repeats(self):
        return (4 * self.weights).astype(int)

    @property
    def uneven(self):
        """Weights that are rounded when they are added up."""
        return np.random.default_rng(self.seed).uniform(0.1, 1, self.truth.size)

    def rows(self, rows):
        return Problem(self.truth[rows], self.predicted[rows], self.weights[rows], self.seed)


CELLS = {
    # what is true, and what is predicted
    "binary": (st.integers(0, 1), st.integers(0, 8).map(lambda k: k / 8)),
    "classes": (st.integers(0, 2), st.integers(0, 2)),
    "values": (st.integers(1, 9).map(lambda k: k / 4), st.integers(1, 9).map(lambda k: k / 4)),
}


@st.composite
def problems(draw, kind="binary"):
    row = st.tuples(*CELLS[kind], st.integers(0, 4))
    rows = draw(st.lists(row, min_size=1, max_size=25))
    truth, predicted, repeats = map(np.array, zip(*rows, strict=True))
    return Problem(truth, predicted, repeats / 4, draw(st.integers(0, 2**32)))


class Law(NamedTuple):
    check: Callable
    applies: Callable


LAWS = []


def law(check=None, *, applies=lambda metric: True):
    """Add a law to the list, for the metrics that have it."""
    if check is None:
        return lambda check: law(check, applies=applies)
    LAWS.append(Law(check, applies))
    return check


def ranks(metric):
    return metric.input == "score"


def is_binary(metric):
    return family(metric) == "binary"


def best_value(metric):
    return metric.bounds[1] if metric.greater_is_better else metric.bounds[0]


def has_a_best_prediction(metric):
    """Whether some prediction reaches the best value on any data."""
    reachable = metric.name not in TOP_ROWS and metric.name != "net_benefit"
    return reachable and np.isfinite(best_value(metric))


def loses_a_class(problem):
    """Whether a class occurs in rows without weight only."""
    kept = problem.rows(problem.weights > 0)
    return {*kept.truth, *kept.predicted} < {*problem.truth, *problem.predicted}


def same(metric, value, expected):
    digits = 1e-6 if metric.name in FITTED else 1e-12
    return value == pytest.approx(expected, rel=digits, abs=digits, nan_ok=True)


@law
def agrees_with_the_definition(metric, problem):
    data = problem.truth, problem.predicted
    assert same(metric, metric(*data), definition(metric, *data))


@law
def agrees_with_the_definition_under_weights(metric, problem):
    assume(problem.weights.any())
    data = problem[:3]
    assert same(metric, metric(*data), definition(metric, *data))


@law
def weights_equal_repetition(metric, problem):
    repeats = problem.repeats
    assume(repeats.any())
    assume(family(metric) != "classes" or not loses_a_class(problem))
    repeated = metric(np.repeat(problem.truth, repeats), np.repeat(problem.predicted, repeats))
    assert same(metric, metric(problem.truth, problem.predicted, repeats), repeated)


@law
def a_zero_weight_equals_an_absent_row(metric, problem):
    assume(problem.weights.any())
    assume(family(metric) != "classes" or not loses_a_class(problem))
    kept = problem.rows(problem.weights > 0)
    assert same(metric, metric(*problem[:3]), metric(*kept[:3]))


@law
def scaling_all_weights_changes_nothing(metric, problem):
    assume(problem.weights.any())
    value = metric(*problem[:3])
    for factor in (3, 0.5, 2.0**-40):
        scaled = metric(problem.truth, problem.predicted, factor * problem.weights)
        assert same(metric, scaled, value)


@law
def row_order_changes_nothing(metric, problem):
    order = np.random.default_rng(problem.seed).permutation(problem.truth.size)
    shuffled = problem.rows(order)
    assert same(metric, metric(*shuffled[:2]), metric(*problem[:2]))
    assume(problem.weights.any())
    assert same(metric, metric(*shuffled[:3]), metric(*problem[:3]))


@law
def the_value_lies_within_its_bounds(metric, problem):
    low, high = metric.bounds
    for weight in (None, problem.uneven, *([problem.weights] if problem.weights.any() else [])):
        value = metric(problem.truth, problem.predicted, weight)
        assert np.isnan(value) or low <= value <= high


@law(applies=has_a_best_prediction)
def a_perfect_prediction_is_the_best_value(metric, problem):
    assume(len(np.unique(problem.truth)) > 1)
    for weights in (None, problem.uneven):
        value = metric(problem.truth, problem.truth.astype(float), weights)
        assert value == pytest.approx(best_value(metric), abs=1e-15)
        assert metric.bounds[0] <= value <= metric.bounds[1]


@law
def inputs_are_unchanged(metric, problem):
    assume(problem.weights.any())
    given_arrays = [np.array(part) for part in problem[:3]]
    for array in given_arrays:
        array.flags.writeable = False
    metric(*given_arrays)
    for array, before in zip(given_arrays, problem, strict=False):
        np.testing.assert_array_equal(array, before)


@law(applies=ranks)
def a_strictly_increasing_transform_changes_nothing(metric, problem):
    truth, scores, weights, _ = problem
    assume(weights.any())
    value = metric(truth, scores, weights)
    for transformed in (
        np.exp(3 * scores),
        scores**3 - 5,
        1e300 * (scores - 0.5),
        5e-324 * (8 * scores),
        (scores * 8).astype(np.float32),
    ):
        assert same(metric, metric(truth, transformed, weights), value)


@law(applies=is_binary)
def one_class_alone_follows_the_definition(metric, problem):
    for label in (0, 1):
        data = np.full(problem.truth.size, label), problem.predicted
        assert same(metric, metric(*data), definition(metric, *data))


CASES = [
    pytest.param(law.check, metric, id=f"{law.check.__name__}-{metric.label}")
    for law in LAWS
    for metric in METRICS
    if law.applies(metric)
]


@pytest.mark.parametrize(("check", "metric"), CASES)
def test_law(check, metric):
    @settings(derandomize=True, max_examples=20, deadline=None, database=None)
    @given(problems(family(metric)))
    def holds(problem):
        check(metric, problem)

    holds()


@pytest.mark.parametrize(
    ("name", "of_negatives", "of_positives"),
    [
        ("roc_auc", np.nan, np.nan),
        ("average_precision", np.nan, 1.0),
        ("accuracy", 0.25, 0.75),
        ("recall", np.nan, 0.75),
        ("specificity", 0.25, np.nan),
        ("precision", 0.0, 1.0),
        ("f1", 0.0, 6 / 7),
        ("matthews_corrcoef", np.nan, np.nan),
        ("cohen_kappa", 0.0, 0.0),
    ],
)
def test_one_class_alone_has_these_values(name, of_negatives, of_positives):
    metric = fm.metric(name)
    scores = np.array([0.1, 0.6, 0.6, 0.9])
    values = [metric(np.full(4, label), scores) for label in (0, 1)]
    np.testing.assert_allclose(values, [of_negatives, of_positives], rtol=1e-15)


@pytest.mark.parametrize("metric", RESAMPLED, ids=lambda metric: metric.label)
def test_replicates_follow_the_definition_at_any_number_of_threads(metric):
    generator = np.random.default_rng(5)
    labels = (generator.random(60) < 0.4).astype(int)
    scores = ((labels + generator.normal(size=60)) / 8 + 0.5).clip(0, 1).round(2)
    counts = [np.bincount(generator.integers(0, 60, 60), minlength=60) for _ in range(5)]
    given_draws = fm.bootstrap(labels, scores, metric, counts=counts, method="percentile")
    for value, count in zip(given_draws.bootstrap_distribution, counts, strict=True):
        assert same(metric, value, definition(metric, labels, scores, count))
    runs = [
        fm.bootstrap(
            labels, scores, metric, n_resamples=600, method="percentile", rng=1, n_jobs=n_jobs
        )
        for n_jobs in (1, 3)
    ]
    values = [run.bootstrap_distribution for run in runs]
    np.testing.assert_array_equal(*values)
    assert np.std(values[0]) > 0
    assert runs[0].confidence_interval == runs[1].confidence_interval
    low, high = metric.bounds
    assert low <= np.nanmin(values[0])
    assert np.nanmax(values[0]) <= high


@settings(derandomize=True, max_examples=50, deadline=None, database=None)
@given(st.lists(problems(), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_a_batch_equals_a_loop_of_single_problems(batch, shared_labels, weighted):
    n = min(problem.truth.size for problem in batch)
    labels = np.array([problem.truth[:n] for problem in batch])
    scores = np.array([problem.predicted[:n] for problem in batch])
    weights = np.array([problem.weights[:n] + 0.25 for problem in batch]) if weighted else None
    given_labels = labels[0] if shared_labels else labels
    for name, function in (
        ("roc_auc", fm.batch.roc_auc_score),
        ("average_precision", fm.batch.average_precision_score),
    ):
        metric = fm.metric(name)
        singles = [
            metric(
                labels[0 if shared_labels else k],
                scores[k],
                None if weights is None else weights[k],
            )
            for k in range(len(batch))
        ]
        values = function(given_labels, scores, sample_weight=weights)
        np.testing.assert_allclose(values, singles, rtol=0, atol=1e-13)


def test_every_metric_of_the_registry_is_under_these_laws():
    plain = {metric.name for metric in METRICS} | OF_LISTS | {"fbeta"}
    assert {*fm.metric_names()} <= plain
    for metric in METRICS:
        assert metric.bounds[0] < metric.bounds[1]
        assert metric.source


@pytest.mark.parametrize("name", sorted(OF_LISTS))
def test_metrics_of_lists_can_be_called(name):
    # one row per list, as their functions take it
    y_true, y_score = np.array([[0, 1, 0, 1], [1, 0, 0, 1]]), np.array([[1, 4, 2, 3], [2, 1, 4, 3]])
    function = {
        "dcg": fm.dcg_score,
        "ndcg": fm.ndcg_score,
        "coverage_error": fm.coverage_error,
        "label_ranking_loss": fm.label_ranking_loss,
        "label_ranking_average_precision": fm.label_ranking_average_precision_score,
    }[name]
    assert fm.metric(name)(y_true, y_score) == pytest.approx(function(y_true, y_score), rel=1e-14)


@pytest.mark.parametrize(
    "metric",
    [metric for metric in METRICS if family(metric) == "classes"],
    ids=lambda metric: metric.label,
)
def test_a_class_without_weight_is_no_class(metric):
    truth, predicted = np.array([0, 1, 1, 2]), np.array([0, 1, 0, 2])
    weighted = metric(truth, predicted, np.array([1, 1, 1, 0]))
    assert weighted == pytest.approx(metric(truth[:3], predicted[:3]), rel=1e-14)
