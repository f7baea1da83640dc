"""Laws that hold for every metric of the registry, on data made up by hypothesis."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from tests import reference

# options of the metrics that need some; every other metric is taken by its name
OPTIONS = {
    "fbeta": [{"beta": 3}],
    "partial_auc": [{"max_fpr": 0.3}, {"min_tpr": 0.6}],
    "recall_at_false_positive_rate": [{"max_fpr": 0.25}],
    "precision_at_recall": [{"min_recall": 0.5}],
}


def described(name):
    """Return the metrics of a name, label metrics at a threshold that scores hit."""
    for options in OPTIONS.get(name, [{}]):
        metric = fm.metric(name, **options)
        yield fm.metric(metric, threshold=0.5) if metric.input == "label" else metric


METRICS = [metric for name in fm.metric_names() for metric in described(name)]


class Problem(NamedTuple):
    """A small problem with ties; its sums of weights are exact."""

    labels: np.ndarray
    scores: np.ndarray
    weights: np.ndarray  # multiples of 1/4, some of them 0
    seed: int

    @property
    def repeats(self):
        return (4 * self.weights).astype(int)

    @property
    def has_both_classes(self):
        return len(np.unique(self.labels)) == 2


@st.composite
def problems(draw):
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 1), st.integers(0, 8), st.integers(0, 4)),
            min_size=1,
            max_size=25,
        )
    )
    labels, scores, repeats = map(np.array, zip(*rows, strict=True))
    return Problem(labels, scores / 8, repeats / 4, draw(st.integers(0, 2**32)))


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


def same(value, expected):
    return value == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@law
def agrees_with_the_definition(metric, problem):
    labels, scores, *_ = problem
    assert same(metric(labels, scores), reference.value(metric, labels, scores))


@law
def agrees_with_the_definition_under_weights(metric, problem):
    labels, scores, weights, _ = problem
    assume(weights.any())
    expected = reference.value(metric, labels, scores, weights)
    assert same(metric(labels, scores, weights), expected)


@law
def weights_equal_repetition(metric, problem):
    labels, scores, _, _ = problem
    repeats = problem.repeats
    assume(repeats.any())
    repeated = metric(np.repeat(labels, repeats), np.repeat(scores, repeats))
    assert same(metric(labels, scores, repeats), repeated)


@law
def a_zero_weight_equals_an_absent_row(metric, problem):
    labels, scores, weights, _ = problem
    assume(weights.any())
    kept = weights > 0
    assert same(metric(labels, scores, weights), metric(labels[kept], scores[kept], weights[kept]))


@law
def scaling_all_weights_changes_nothing(metric, problem):
    labels, scores, weights, _ = problem
    assume(weights.any())
    value = metric(labels, scores, weights)
    for factor in (3, 0.5, 2.0**-40):
        assert same(metric(labels, scores, factor * weights), value)


@law
def row_order_changes_nothing(metric, problem):
    labels, scores, weights, seed = problem
    order = np.random.default_rng(seed).permutation(labels.size)
    assert same(metric(labels[order], scores[order]), metric(labels, scores))
    assume(weights.any())
    shuffled = metric(labels[order], scores[order], weights[order])
    assert same(shuffled, metric(labels, scores, weights))


@law
def the_value_lies_within_its_bounds(metric, problem):
    labels, scores, weights, seed = problem
    low, high = metric.bounds
    uneven = np.random.default_rng(seed).random(labels.size)
    for weight in (None, uneven, *([weights] if weights.any() else [])):
        value = metric(labels, scores, weight)
        assert np.isnan(value) or low <= value <= high


@law
def a_perfect_prediction_is_the_best_value(metric, problem):
    assume(problem.has_both_classes)
    best = metric.bounds[1] if metric.greater_is_better else metric.bounds[0]
    uneven = np.random.default_rng(problem.seed).uniform(0.1, 1, problem.labels.size)
    for weights in (None, uneven):
        value = metric(problem.labels, problem.labels.astype(float), weights)
        assert value == pytest.approx(best, abs=1e-15)
        assert value <= metric.bounds[1]


@law
def inputs_are_unchanged(metric, problem):
    given_arrays = [np.array(part) for part in problem[:3]]
    assume(problem.weights.any())
    for array in given_arrays:
        array.flags.writeable = False
    metric(*given_arrays)
    for array, before in zip(given_arrays, problem, strict=False):
        np.testing.assert_array_equal(array, before)


@law(applies=ranks)
def a_strictly_increasing_transform_changes_nothing(metric, problem):
    labels, scores, weights, _ = problem
    assume(weights.any())
    value = metric(labels, scores, weights)
    for transformed in (
        np.exp(3 * scores),
        scores**3 - 5,
        1e300 * (scores - 0.5),
        5e-324 * (8 * scores),
        (scores * 8).astype(np.float32),
    ):
        assert same(metric(labels, transformed, weights), value)


@law
def one_class_alone_follows_the_definition(metric, problem):
    for label in (0, 1):
        labels = np.full(problem.labels.size, label)
        expected = reference.value(metric, labels, problem.scores)
        assert same(metric(labels, problem.scores), expected)


CASES = [
    pytest.param(law.check, metric, id=f"{law.check.__name__}-{metric.label}")
    for law in LAWS
    for metric in METRICS
    if law.applies(metric)
]


@pytest.mark.parametrize(("check", "metric"), CASES)
def test_law(check, metric):
    @settings(derandomize=True, max_examples=20, deadline=None, database=None)
    @given(problems())
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


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.label)
def test_replicates_follow_the_definition_at_any_number_of_threads(metric):
    generator = np.random.default_rng(5)
    labels = (generator.random(60) < 0.4).astype(int)
    scores = ((labels + generator.normal(size=60)) / 8 + 0.5).clip(0, 1).round(2)
    counts = [np.bincount(generator.integers(0, 60, 60), minlength=60) for _ in range(5)]
    given_draws = fm.bootstrap(labels, scores, metric, counts=counts, method="percentile")
    for value, count in zip(given_draws.bootstrap_distribution, counts, strict=True):
        assert same(value, reference.value(metric, labels, scores, count))
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
    n = min(problem.labels.size for problem in batch)
    labels = np.array([problem.labels[:n] for problem in batch])
    scores = np.array([problem.scores[:n] for problem in batch])
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
    assert len({metric.name for metric in METRICS}) == len(fm.metric_names())
    for metric in METRICS:
        assert metric.bounds[0] < metric.bounds[1]
        assert metric.source
