"""The share of a loss that is explained, against scikit-learn and the reference."""

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.probability.skill import METRICS
from tests import reference_forecasts
from tests.forecast_data import FAULTY, SCORES, problems

SKILLS = ["d2_log_loss_score", "d2_brier_score"]


def both(name):
    return getattr(fm, name), getattr(sklearn.metrics, name)


def test_worked_example():
    # 0.2222 of always forecasting the base rate, less 0.0253
    assert fm.d2_brier_score(FAULTY, SCORES) == pytest.approx(1 - 0.196875 * 9 / 2, abs=1e-15)


@pytest.mark.parametrize("name", SKILLS)
@given(problem=problems(weighted=True))
@settings(deadline=None, max_examples=60)
def test_agrees_with_scikit_learn(name, problem):
    y_true, y_prob, weights = problem
    ours, theirs = both(name)
    columns = np.column_stack([1 - y_prob, y_prob])
    for probabilities in (y_prob, columns):
        for row_weights in (None, weights):
            value = ours(y_true, probabilities, sample_weight=row_weights)
            expected = theirs(y_true, probabilities, sample_weight=row_weights)
            assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", SKILLS)
def test_several_classes_agree_with_scikit_learn(name):
    generator = np.random.default_rng(0)
    y_true, y_prob = np.arange(40) % 3, generator.dirichlet(np.ones(4), 40)
    indicators = np.eye(4, dtype=int)[y_true]
    ours, theirs = both(name)
    weights = generator.random(40)
    for row_weights in (None, weights):
        value = ours(y_true, y_prob, labels=[0, 1, 2, 3], sample_weight=row_weights)
        expected = theirs(y_true, y_prob, labels=[0, 1, 2, 3], sample_weight=row_weights)
        assert value == pytest.approx(expected, rel=1e-12)
        assert ours(indicators, y_prob, sample_weight=row_weights) == pytest.approx(value)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@given(problem=problems(weighted=True))
@settings(deadline=None, max_examples=60)
def test_described_metrics_agree_with_the_reference(metric, problem):
    y_true, y_prob, weights = problem
    terms = metric.statistic.terms(y_true.astype(float), y_prob)
    assert terms.shape == (len(y_true), metric.statistic.size)
    draws = np.stack([weights, np.ones(len(y_true))])
    values = metric.formula(draws @ terms)
    expected = [reference_forecasts.value(metric, y_true, y_prob, draw) for draw in draws]
    np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("y_true", [[0.0, 0.0], [1.0, 1.0]])
def test_described_metrics_are_nan_for_one_class(metric, y_true):
    terms = metric.statistic.terms(np.array(y_true), np.array([0.2, 0.4]))
    with np.errstate(divide="ignore", invalid="ignore"):
        assert np.isnan(metric.formula(terms.sum(axis=0)))
        assert np.isnan(metric.formula(0.0 * terms.sum(axis=0)))


@pytest.mark.parametrize("name", SKILLS)
@pytest.mark.parametrize("n", [2, 12, 40_000])
def test_the_null_model_has_exactly_no_skill(name, n):
    generator = np.random.default_rng(n)
    y_true = np.append([0, 1], generator.integers(0, 2, n - 2))
    for weights in (np.ones(n), generator.random(n)):
        rate = np.average(y_true, weights=weights)
        value = getattr(fm, name)(y_true, np.full(n, rate), sample_weight=weights)
        assert value == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("name", SKILLS)
def test_a_single_row_has_no_skill(name):
    with pytest.warns(UndefinedMetricWarning, match="not well-defined with less than two samples"):
        assert np.isnan(getattr(fm, name)(np.array([1]), np.array([0.8])))


def test_one_class():
    for y_prob, expected in (([0.5, 0.6], -np.inf), ([1.0, 1.0], np.nan)):
        for probabilities in (y_prob, np.array(y_prob)):
            with pytest.warns(UndefinedMetricWarning, match="the null model is perfect"):
                value = fm.d2_brier_score(np.array([1, 1]), probabilities)
            assert np.array_equal(value, expected, equal_nan=True)
    with pytest.raises(ValueError, match="only one label"):
        fm.d2_log_loss_score([1, 1], [0.5, 0.6])
    value = fm.d2_log_loss_score([1, 1], [0.5, 0.6], labels=[0, 1])
    expected = sklearn.metrics.d2_log_loss_score([1, 1], [0.5, 0.6], labels=[0, 1])
    assert value == pytest.approx(expected)


def test_the_former_name():
    with pytest.warns(FutureWarning, match="`y_pred` was renamed to `y_proba`"):
        value = fm.d2_log_loss_score(FAULTY, y_pred=SCORES)
    assert value == fm.d2_log_loss_score(FAULTY, SCORES)
    with pytest.raises(ValueError, match="Cannot use both"):
        fm.d2_log_loss_score(FAULTY, SCORES, y_pred=SCORES)


def test_a_positive_class_that_does_not_occur_is_refused():
    with pytest.raises(ValueError, match="does not occur"):
        fm.d2_brier_score([0, 1, 0], [0.1, 0.8, 0.3], pos_label=7)
    assert fm.d2_brier_score(["a", "b"], [0.1, 0.8], pos_label="b") == pytest.approx(0.9)


@pytest.mark.parametrize("name", SKILLS)
def test_inputs_are_unchanged(name):
    y_true, y_prob, weights = FAULTY.copy(), SCORES.copy(), np.arange(1.0, 13)
    before = [array.tobytes() for array in (y_true, y_prob, weights)]
    getattr(fm, name)(y_true, y_prob, sample_weight=weights)
    assert [array.tobytes() for array in (y_true, y_prob, weights)] == before
