"""Closed delete-one values against really leaving rows out, and the accelerations of BCa."""

import dataclasses

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.engine.evaluation import estimate_units
from fastmetrics.engine.jackknife import delete_one as delete_one_module
from fastmetrics.engine.jackknife.delete_one import delete_one
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.engine.sweeps.units import build_units
from tests import reference

RANKING = ["roc_auc", "gini", "average_precision"]
COUNTS = [name for name in fm.metric_names() if name in reference.OF_COUNTS]
WITHOUT_CLOSED_FORM = [
    fm.metric("ks"),
    fm.metric("partial_auc", max_fpr=0.3),
    fm.metric("recall_at_false_positive_rate", max_fpr=0.2),
    fm.metric("precision_at_recall", min_recall=0.6),
]


def problem(kind):
    """Labels and scores between 0 and 1."""
    generator = np.random.default_rng(0)
    n, share, digits = {
        "distinct": (40, 0.4, 9),
        "ties": (60, 0.4, 1),
        "rare positives": (80, 0.05, 2),
        "rare negatives": (80, 0.95, 2),
        "one positive": (15, 0.0, 1),
        "one negative": (15, 1.0, 1),
        "all tied": (12, 0.5, 0),
    }[kind]
    labels = (generator.random(n) < share).astype(np.uint8)
    if kind.startswith("one"):
        labels[3] = 1 - labels[3]
    scores = 1 / (1 + np.exp(-generator.normal(size=n) - labels))
    return labels, (0 * scores + 0.5 if kind == "all tied" else scores.round(digits))


PROBLEMS = [
    "distinct",
    "ties",
    "rare positives",
    "rare negatives",
    "one positive",
    "one negative",
    "all tied",
]


def with_threshold(metric, threshold=0.5):
    return metric if metric.input == "score" else fm.metric(metric, threshold=threshold)


def closed(metric, labels, scores, weights=None, others=()):
    """Delete-one values of a metric of a call that asks for others too."""
    request = SweepRequest.of(one.statistic for one in (metric, *others))
    units = build_units(labels, scores, weights, request)
    return delete_one(metric, units, request, estimate_units(units, request))


def unstratified(found):
    """The same where the draws keep no class its size."""
    return dataclasses.replace(found, pools=None)


def by_row(found):
    """Values of the rows, class by class in ascending order; nan last."""
    values, pools = np.repeat(found.values, found.rows), np.repeat(found.pools, found.rows)
    return np.concatenate([np.sort(values[pools == label]) for label in (0, 1)])


def left_out(metric, labels, scores, weights=None):
    """The same by deleting each row."""
    values = reference.delete_one(
        lambda *data: reference.value(metric, *data), labels, scores, weights
    )
    return np.concatenate([np.sort(values[labels == label]) for label in (0, 1)])


@pytest.fixture
def no_loop(monkeypatch):
    """Refuse to leave units out one by one."""
    monkeypatch.setattr(delete_one_module, "LARGEST_LOOP", 0)


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("name", RANKING + COUNTS)
def test_closed_values_are_those_of_deleting_a_row(no_loop, name, kind):
    metric = with_threshold(fm.metric(name))
    labels, scores = problem(kind)
    found = closed(metric, labels, scores)
    assert found.exact
    assert found.rows.sum() == labels.size
    np.testing.assert_allclose(by_row(found), left_out(metric, labels, scores), atol=1e-12)


@pytest.mark.parametrize("kind", PROBLEMS)
@pytest.mark.parametrize("name", [name for name in RANKING + COUNTS if name != "average_precision"])
@pytest.mark.parametrize("distinct", [2, 40], ids=["few weights", "many weights"])
def test_closed_values_with_sample_weights(no_loop, distinct, name, kind):
    metric = with_threshold(fm.metric(name))
    labels, scores = problem(kind)
    weights = (1 + np.random.default_rng(1).permutation(labels.size) % distinct) / 4
    found = closed(metric, labels, scores, weights)
    assert found.exact
    np.testing.assert_allclose(by_row(found), left_out(metric, labels, scores, weights), atol=1e-12)


@pytest.mark.parametrize("kind", ["ties", "rare positives"])
def test_a_row_without_weight_leaves_everything_as_it_is(no_loop, kind):
    labels, scores = problem(kind)
    weights = np.arange(labels.size) % 3 / 2
    for name in ("roc_auc", "f1", "matthews_corrcoef"):
        metric = with_threshold(fm.metric(name))
        found = closed(metric, labels, scores, weights)
        expected = left_out(metric, labels, scores, weights)
        np.testing.assert_allclose(by_row(found), expected, atol=1e-12)


@pytest.mark.parametrize("kind", ["distinct", "ties", "rare positives"])
def test_average_precision_with_weights_uses_influence_values(no_loop, kind):
    labels, scores = problem(kind)
    generator = np.random.default_rng(2)
    weights = generator.uniform(0.5, 2, labels.size)
    found = closed(fm.metric("average_precision"), labels, scores, weights)
    assert not found.exact
    estimate = reference.average_precision(labels, scores, weights)
    influence = []
    for row in range(labels.size):
        step = np.zeros(labels.size)
        step[row] = 1e-5
        above = reference.average_precision(labels, scores, weights + step)
        below = reference.average_precision(labels, scores, weights - step)
        influence.append(weights[row] * (above - below) / 2e-5)
    values = estimate - np.array(influence)
    expected = np.concatenate([np.sort(values[labels == label]) for label in (0, 1)])
    np.testing.assert_allclose(by_row(found), expected, atol=1e-8)


def test_influence_values_come_close_to_deleting():
    generator = np.random.default_rng(3)
    labels = (generator.random(200) < 0.1).astype(np.uint8)
    scores = generator.normal(size=200) + labels
    weights = generator.uniform(0.5, 2, 200)
    metric = fm.metric("average_precision")
    found = closed(metric, labels, scores, weights)
    deleted = left_out(metric, labels, scores, weights)
    assert np.corrcoef(by_row(found), deleted)[0, 1] > 0.99
    # the acceleration is 0.101
    assert unstratified(found).acceleration() == pytest.approx(
        reference.acceleration(deleted), abs=0.01
    )


@pytest.mark.parametrize("kind", ["ties", "rare positives"])
@pytest.mark.parametrize("metric", WITHOUT_CLOSED_FORM, ids=lambda metric: metric.label)
def test_other_metrics_leave_out_each_unit(metric, kind):
    labels, scores = problem(kind)
    found = closed(metric, labels, scores)
    np.testing.assert_allclose(by_row(found), left_out(metric, labels, scores), atol=1e-12)


def test_other_metrics_of_many_units_are_refused(no_loop):
    labels, scores = problem("ties")
    with pytest.raises(ValueError, match="ks has no closed jackknife.*pass method='percentile'"):
        closed(fm.metric("ks"), labels, scores)


@pytest.mark.parametrize("name", RANKING + COUNTS)
def test_values_do_not_depend_on_what_else_is_asked(name):
    labels, scores = problem("ties")
    metric = with_threshold(fm.metric(name))
    others = [fm.metric("f1", threshold=cut) for cut in (0.2, 0.7)]
    others += [fm.metric(other) for other in RANKING]
    alone, joint = closed(metric, labels, scores), closed(metric, labels, scores, None, others)
    np.testing.assert_allclose(by_row(joint), by_row(alone), atol=1e-13)


def test_values_of_more_units_than_a_chunk(monkeypatch):
    labels, scores = problem("distinct")
    whole = {name: closed(with_threshold(fm.metric(name)), labels, scores) for name in RANKING}
    monkeypatch.setattr(delete_one_module, "CHUNK_UNITS", 7)
    for name, expected in whole.items():
        found = closed(with_threshold(fm.metric(name)), labels, scores)
        np.testing.assert_array_equal(found.values, expected.values)
        assert found.acceleration() == pytest.approx(expected.acceleration(), rel=1e-12)
        assert unstratified(found).acceleration() == pytest.approx(
            unstratified(expected).acceleration(), rel=1e-12
        )


ACCELERATED = ["roc_auc", "average_precision", "f1", "matthews_corrcoef", "recall"]


@pytest.mark.parametrize("kind", ["distinct", "ties", "rare negatives"])
@pytest.mark.parametrize("name", ACCELERATED)
def test_acceleration_is_the_skewness_of_the_deviations(name, kind):
    labels, scores = problem(kind)
    metric = with_threshold(fm.metric(name))
    values = reference.delete_one(lambda *data: reference.value(metric, *data), labels, scores)
    found = closed(metric, labels, scores)
    assert unstratified(found).acceleration() == pytest.approx(
        reference.acceleration(values), abs=1e-10
    )
    assert found.acceleration() == pytest.approx(
        reference.acceleration_of_strata(values, labels), abs=1e-10
    )


@pytest.mark.parametrize("name", ["recall", "specificity"])
def test_a_metric_of_one_class_deviates_in_its_stratum_only(name):
    labels, scores = problem("ties")
    metric = with_threshold(fm.metric(name))
    own = labels == (1 if name == "recall" else 0)
    values = reference.delete_one(lambda *data: reference.value(metric, *data), labels, scores)
    # a single sample of the rows of that class
    expected = reference.acceleration(values[own])
    assert closed(metric, labels, scores).acceleration() == pytest.approx(expected)


def test_acceleration_is_nan_where_nothing_deviates():
    labels, scores = problem("all tied")
    found = closed(fm.metric("roc_auc"), labels, scores)
    assert np.isnan(found.acceleration())
    assert np.isnan(unstratified(found).acceleration())


@pytest.mark.parametrize("name", ["roc_auc", "average_precision"])
def test_acceleration_is_nan_where_a_value_is_undefined(name):
    labels, scores = problem("one positive")
    found = closed(fm.metric(name), labels, scores)
    assert np.isnan(found.values[found.pools == 1]).all()
    assert np.isfinite(found.values[found.pools == 0]).all()
    assert np.isnan(unstratified(found).acceleration())


def test_rows_of_a_unit_count_as_rows():
    labels, scores = problem("ties")
    found = closed(fm.metric("roc_auc"), labels, scores)
    assert found.rows.max() > 1
    single = dataclasses.replace(
        found,
        values=np.repeat(found.values, found.rows),
        pools=np.repeat(found.pools, found.rows),
        rows=np.ones(labels.size, np.int64),
    )
    assert found.acceleration() == pytest.approx(single.acceleration(), rel=1e-12)
    assert unstratified(found).acceleration() == pytest.approx(
        unstratified(single).acceleration(), rel=1e-12
    )


@pytest.mark.parametrize("strata", [None, "class"])
@pytest.mark.parametrize("name", ["roc_auc", "average_precision", "f1"])
def test_the_bootstrap_reports_this_acceleration(name, strata):
    labels, scores = problem("ties")
    metric = with_threshold(fm.metric(name))
    values = reference.delete_one(lambda *data: reference.value(metric, *data), labels, scores)
    expected = (
        reference.acceleration(values)
        if strata is None
        else reference.acceleration_of_strata(values, labels)
    )
    result = fm.bootstrap(labels, scores, name, strata=strata, method="bca", rng=0)
    assert result.acceleration == pytest.approx(expected, abs=1e-10)
