"""Laws that hold for every metric of the registry, on data made up by hypothesis."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from tests.law_problems import (
    CLASSES,
    ENTRIES,
    FITTED,
    METRICS,
    TOP_ROWS,
    definition,
    families,
    measured,
    problems,
)

# no prediction reaches their best value on all data
NEVER_PERFECT = TOP_ROWS | {"net_benefit", "hinge_loss", "ndcg", "coverage_error"}


class Law(NamedTuple):
    check: Callable
    applies: Callable


LAWS = []


def law(check=None, *, applies=lambda family, metric: True):
    """Add a law to the list, for the metrics that have it."""
    if check is None:
        return lambda check: law(check, applies=applies)
    LAWS.append(Law(check, applies))
    return check


def ranks(family, metric):
    """Whether only the order of the scores matters."""
    return metric.input == "score" and metric.statistic.data in ("pairs", "lists")


def is_binary(family, metric):
    return family == "binary"


def best_value(metric):
    return metric.bounds[1] if metric.greater_is_better else metric.bounds[0]


def has_a_best_prediction(family, metric):
    """Whether some prediction reaches the best value on any data."""
    return metric.name not in NEVER_PERFECT and np.isfinite(best_value(metric))


def loses_a_class(problem):
    """Whether a class occurs in rows without weight only."""
    kept = problem.rows(problem.weights > 0)
    return {*kept.truth, *kept.predicted} < {*problem.truth, *problem.predicted}


def same(metric, value, expected):
    digits = 1e-6 if metric.name in FITTED else 1e-12
    return value == pytest.approx(expected, rel=digits, abs=digits, nan_ok=True)


@law
def agrees_with_the_definition(family, metric, problem):
    data = problem[:2]
    assert same(metric, measured(family, metric, *data), definition(family, metric, *data))


@law
def agrees_with_the_definition_under_weights(family, metric, problem):
    assume(problem.weights.any())
    data = problem[:3]
    assert same(metric, measured(family, metric, *data), definition(family, metric, *data))


@law
def weights_equal_repetition(family, metric, problem):
    assume(problem.repeats.any())
    assume(family != "classes" or not loses_a_class(problem))
    repeated = measured(family, metric, *problem.repeated())
    weighted = measured(family, metric, *problem[:2], problem.repeats)
    assert same(metric, weighted, repeated)


@law
def a_zero_weight_equals_an_absent_row(family, metric, problem):
    assume(problem.weights.any())
    assume(family != "classes" or not loses_a_class(problem))
    kept = problem.rows(problem.weights > 0)
    weighted = measured(family, metric, *problem[:3])
    assert same(metric, weighted, measured(family, metric, *kept[:3]))


@law
def scaling_all_weights_changes_nothing(family, metric, problem):
    assume(problem.weights.any())
    value = measured(family, metric, *problem[:3])
    for factor in (3, 0.5, 2.0**-40):
        scaled = measured(family, metric, *problem[:2], factor * problem.weights)
        assert same(metric, scaled, value)


@law
def row_order_changes_nothing(family, metric, problem):
    order = np.random.default_rng(problem.seed).permutation(problem.n)
    shuffled = problem.rows(order)
    value = measured(family, metric, *problem[:2])
    assert same(metric, measured(family, metric, *shuffled[:2]), value)
    assume(problem.weights.any())
    value = measured(family, metric, *problem[:3])
    assert same(metric, measured(family, metric, *shuffled[:3]), value)


@law
def the_value_lies_within_its_bounds(family, metric, problem):
    low, high = metric.bounds
    for weight in (None, problem.uneven, *([problem.weights] if problem.weights.any() else [])):
        value = measured(family, metric, *problem[:2], weight)
        assert np.isnan(value) or low <= value <= high


@law(applies=has_a_best_prediction)
def a_perfect_prediction_is_the_best_value(family, metric, problem):
    assume(len(np.unique(problem.truth)) > (2 if metric.name.startswith("roc_auc_ov") else 1))
    for weights in (None, problem.uneven):
        value = measured(family, metric, problem.truth, problem.perfect(family), weights)
        assert value == pytest.approx(best_value(metric), abs=1e-15)
        assert metric.bounds[0] <= value <= metric.bounds[1]


@law
def inputs_are_unchanged(family, metric, problem):
    assume(problem.weights.any())
    given_arrays = [np.array(part) for part in problem[:3]]
    for array in given_arrays:
        array.flags.writeable = False
    measured(family, metric, *given_arrays)
    for array, before in zip(given_arrays, problem, strict=False):
        np.testing.assert_array_equal(array, before)


@law(applies=ranks)
def a_strictly_increasing_transform_changes_nothing(family, metric, problem):
    truth, scores, weights, _ = problem
    assume(weights.any())
    value = measured(family, metric, truth, scores, weights)
    for transformed in (
        np.exp(3 * scores),
        scores**3 - 5,
        1e300 * (scores - 0.5),
        5e-324 * (8 * scores),
        (scores * 8).astype(np.float32),
    ):
        assert same(metric, measured(family, metric, truth, transformed, weights), value)


@law(applies=is_binary)
def one_class_alone_follows_the_definition(family, metric, problem):
    for label in (0, 1):
        data = np.full(problem.n, label), problem.predicted
        assert same(metric, measured(family, metric, *data), definition(family, metric, *data))


CASES = [
    pytest.param(law.check, family, metric, id=f"{law.check.__name__}-{metric.label}-{family}")
    for law in LAWS
    for metric in METRICS
    for family in families(metric)
    if law.applies(family, metric)
]


@pytest.mark.parametrize(("check", "family", "metric"), CASES)
def test_law(check, family, metric):
    @settings(derandomize=True, max_examples=20, deadline=None, database=None)
    @given(problems(family))
    def holds(problem):
        check(family, metric, problem)

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


def resampled_problem(family, generator):
    """Sixty rows of a family that tell something of each other."""
    n = 60
    if family == "binary":
        labels = (generator.random(n) < 0.4).astype(int)
        return labels, ((labels + generator.normal(size=n)) / 8 + 0.5).clip(0, 1).round(2)
    if family == "values":
        return generator.integers(1, 9, n) / 4, generator.integers(1, 9, n) / 4
    if family == "lists":
        return generator.integers(0, 2, (n, ENTRIES)), generator.integers(0, 9, (n, ENTRIES)) / 8
    classes = np.arange(n) % CLASSES
    if family == "classes":
        return classes, np.where(generator.random(n) < 0.5, classes, (classes + 1) % CLASSES)
    return classes, generator.multinomial(8, [1 / CLASSES] * CLASSES, n) / 8


@pytest.mark.parametrize(
    ("family", "metric"),
    [
        pytest.param(family, metric, id=f"{metric.label}-{family}")
        for metric in METRICS
        for family in families(metric)
    ],
)
def test_replicates_follow_the_definition_at_any_number_of_threads(family, metric):
    generator = np.random.default_rng(5)
    truth, predicted = resampled_problem(family, generator)
    counts = [np.bincount(generator.integers(0, 60, 60), minlength=60) for _ in range(5)]
    call = partial(
        fm.bootstrap,
        truth,
        metrics=metric,
        method="percentile",
        **{"y_pred" if family == "classes" else "y_score": predicted},
    )
    for value, count in zip(call(counts=counts).bootstrap_distribution, counts, strict=True):
        assert same(metric, value, definition(family, metric, truth, predicted, count))
    runs = [call(n_resamples=300, rng=1, n_jobs=n_jobs) for n_jobs in (1, 3)]
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
    named = {metric.name for metric in METRICS} | {"fbeta"}
    assert {*fm.metric_names()} <= named
    for metric in METRICS:
        assert families(metric)
        assert metric.bounds[0] < metric.bounds[1]
        assert metric.source


@pytest.mark.parametrize(
    "metric",
    [metric for metric in METRICS if families(metric) == ["classes"]],
    ids=lambda metric: metric.label,
)
def test_a_class_without_weight_is_no_class(metric):
    truth, predicted = np.array([0, 1, 1, 2]), np.array([0, 1, 0, 2])
    weighted = metric(truth, predicted, np.array([1, 1, 1, 0]))
    assert weighted == pytest.approx(metric(truth[:3], predicted[:3]), rel=1e-14)


RANDOM = np.random.default_rng(0)
RANDOM_WEIGHTS = RANDOM.random(40)
WEIGHTED = {
    "labels": (
        (RANDOM.integers(0, 2, 40), RANDOM.integers(0, 2, 40)),
        "matthews_corrcoef cohen_kappa_score class_likelihood_ratios f1_score accuracy_score",
    ),
    "scores": (
        (np.arange(40) % 2, RANDOM.integers(1, 10, 40) / 10),
        "roc_auc_score average_precision_score brier_score_loss d2_brier_score log_loss "
        "expected_calibration_error calibration_slope rank_auc ks_statistic",
    ),
    "values": (
        (RANDOM.random(40) + 1, RANDOM.random(40) + 1),
        "r2_score explained_variance_score d2_tweedie_score d2_absolute_error_score "
        "median_absolute_error root_mean_squared_error",
    ),
}
FUNCTIONS = [(kind, name) for kind, (_, names) in WEIGHTED.items() for name in names.split()]


@pytest.mark.parametrize("exponent", [-900, -600, 400, 900])
@pytest.mark.parametrize(("kind", "name"), FUNCTIONS)
def test_the_unit_of_the_weights_is_no_matter_to_a_function(kind, name, exponent):
    columns, _ = WEIGHTED[kind]
    function, weights = getattr(fm, name), RANDOM_WEIGHTS
    scaled = function(*columns, sample_weight=np.ldexp(weights, exponent))
    np.testing.assert_allclose(scaled, function(*columns, sample_weight=weights), rtol=1e-9)


@pytest.mark.parametrize("exponent", [-900, 900])
def test_the_unit_of_the_weights_is_no_matter_to_sweeps_and_batches(exponent):
    (y_true, y_score), _ = WEIGHTED["scores"]
    units = RANDOM_WEIGHTS, np.ldexp(RANDOM_WEIGHTS, exponent)
    for name in ("matthews_corrcoef", "cohen_kappa", "f1"):
        values = [fm.threshold_sweep(y_true, y_score, sample_weight=w).metric(name) for w in units]
        np.testing.assert_allclose(*values, rtol=1e-9)
    for function in (fm.batch.roc_auc_score, fm.batch.average_precision_score):
        values = [function(y_true, [y_score], sample_weight=w) for w in units]
        np.testing.assert_allclose(*values, rtol=1e-9)


@pytest.mark.parametrize("name", ["cohen_kappa_linear", "matthews_corrcoef", "f1_macro"])
def test_the_unit_of_the_weights_is_no_matter_to_a_metric_of_classes(name):
    columns, _ = WEIGHTED["labels"]
    metric = fm.metric(name)
    values = [metric(*columns, sample_weight=np.ldexp(RANDOM_WEIGHTS, e)) for e in (0, -900, 900)]
    np.testing.assert_allclose(values, values[0], rtol=1e-9)


ALL_ROWS = [*FUNCTIONS, *(("scores", f) for f in ["roc_curve", "precision_recall_curve"])]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("zeros", [1, 20])
@pytest.mark.parametrize(("kind", "name"), ALL_ROWS)
def test_a_row_without_weight_is_looked_at(kind, name, zeros, bad):
    (truth, predicted), _ = WEIGHTED[kind]
    predicted = predicted.astype(float)
    predicted[0] = bad
    weights = np.ones(40)
    weights[:zeros] = 0
    with pytest.raises(ValueError, match="y_(score|prob|pred)"):
        getattr(fm, name)(truth, predicted, sample_weight=weights)
