"""Calibration slope and intercept: the reference, and models that are off by a known amount."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.special import expit, logit
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.probability.calibration_line import METRICS
from tests import reference_forecasts
from tests.forecast_data import FAULTY, SCORES, problems, synthetic_scores

FUNCTIONS = [fm.calibration_slope, fm.calibration_intercept]


@given(problem=problems(weighted=True))
@settings(deadline=None, max_examples=40)
def test_agrees_with_the_reference(problem):
    y_true, y_prob, weights = problem
    y_prob = 0.01 + 0.98 * y_prob
    for row_weights in (None, weights):
        expected = reference_forecasts.calibration_intercept(y_true, y_prob, row_weights)
        value = fm.calibration_intercept(y_true, y_prob, sample_weight=row_weights)
        assert value == pytest.approx(expected, rel=1e-8, abs=1e-9)
        expected = reference_forecasts.calibration_slope(y_true, y_prob, row_weights)
        # where classes barely overlap the likelihood is flat
        assume(np.isfinite(expected) and abs(expected) < 20)
        value = fm.calibration_slope(y_true, y_prob, sample_weight=row_weights)
        assert value == pytest.approx(expected, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("slope", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("intercept", [-1.0, 0.0, 0.7])
def test_known_miscalibration(slope, intercept):
    generator = np.random.default_rng(1)
    odds = generator.normal(size=50_000)
    y_true = (generator.random(50_000) < expit(slope * odds + intercept)).astype(int)
    assert fm.calibration_slope(y_true, expit(odds)) == pytest.approx(slope, abs=0.06)
    if slope == 1.0:
        assert fm.calibration_intercept(y_true, expit(odds)) == pytest.approx(intercept, abs=0.04)


def test_synthetic_scores():
    y_true, calibrated, sigmoid = synthetic_scores()
    # the sigmoid of the score leaves the prevalence out: its log-odds are too high by 1/2 + log 9
    shift = logit(sigmoid)[0] - logit(calibrated)[0]
    assert shift == pytest.approx(0.5 + np.log(9))
    intercepts = [fm.calibration_intercept(y_true, p) for p in (calibrated, sigmoid)]
    assert intercepts[0] - intercepts[1] == pytest.approx(shift, rel=1e-9)
    slopes = [fm.calibration_slope(y_true, p) for p in (calibrated, sigmoid)]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-8)
    assert slopes[0] == pytest.approx(1, abs=0.06)


def test_a_recalibrated_model_has_slope_one_and_intercept_zero():
    generator = np.random.default_rng(2)
    odds = generator.normal(size=2000)
    y_true = (generator.random(2000) < expit(0.4 * odds - 1)).astype(int)
    y_prob = fm.PlattScaling().fit(odds, y_true).predict(odds)
    assert fm.calibration_slope(y_true, y_prob) == pytest.approx(1, abs=1e-7)
    assert fm.calibration_intercept(y_true, y_prob) == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_described_metrics(metric):
    weights = np.arange(12.0)
    for row_weights in (weights, np.ones(12)):
        numbers = metric.statistic.measure(FAULTY.astype(float), SCORES, row_weights)
        assert numbers.shape == (metric.statistic.size,)
        expected = reference_forecasts.value(metric, FAULTY, SCORES, row_weights)
        assert metric.formula(numbers) == pytest.approx(expected, rel=1e-7)
    for labels in (np.zeros(12), np.ones(12)):
        assert np.isnan(metric.statistic.measure(labels, SCORES, np.ones(12))).all()
    assert np.isnan(metric.statistic.measure(FAULTY.astype(float), SCORES, np.zeros(12))).all()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_undefined(function):
    with pytest.warns(UndefinedMetricWarning, match="only one class occurs") as caught:
        assert np.isnan(function([1, 1], [0.3, 0.4]))
    assert caught[0].filename == __file__
    weighted_away = [1, 1, 0]
    with pytest.warns(UndefinedMetricWarning, match="only one class occurs"):
        assert np.isnan(function([1, 1, 0], [0.3, 0.4, 0.5], sample_weight=weighted_away))


def test_a_slope_of_separated_classes_is_undefined():
    for y_true, y_prob in (([0, 1], [0.2, 0.8]), ([1, 0], [0.2, 0.8]), ([0, 1, 0], [0.4] * 3)):
        with pytest.warns(UndefinedMetricWarning, match="separates the classes"):
            assert np.isnan(fm.calibration_slope(y_true, y_prob))
        assert np.isfinite(fm.calibration_intercept(y_true, y_prob))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_certain_probabilities_are_moved_with_a_warning(function):
    y_prob = SCORES.copy()
    y_prob[[0, -1]] = 1, 0
    with pytest.warns(UserWarning, match=r"exactly 0 or 1 in 2 rows.* taken as 2.2e-16"):
        value = function(FAULTY, y_prob)
    expected = getattr(reference_forecasts, function.__name__)(FAULTY, y_prob)
    assert value == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_labels_and_bad_input(function):
    weather = np.where(FAULTY, "storm", "calm")
    value = function(FAULTY, SCORES)
    assert function(weather, SCORES, pos_label="storm") == value
    assert function(2 * FAULTY - 1, SCORES) == value
    for y_true, y_prob in (([0, 1], [0.2, 1.2]), ([0, 1], [np.nan, 0.5]), (weather, SCORES)):
        with pytest.raises(ValueError, match="y_prob|y_true"):
            function(y_true, y_prob)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_weights_are_repetitions(function):
    counts = np.array([1, 2, 0, 1, 3, 1, 2, 2, 1, 0, 1, 1])
    repeated = np.repeat(np.arange(12), counts)
    value = function(FAULTY, SCORES, sample_weight=counts)
    assert value == pytest.approx(function(FAULTY[repeated], SCORES[repeated]), rel=1e-7)
    assert function(FAULTY, SCORES, sample_weight=0.1 * counts) == pytest.approx(value, rel=1e-7)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_inputs_are_unchanged(function):
    y_true, y_prob = FAULTY.copy(), SCORES.copy()
    function(y_true, y_prob)
    assert y_true.tolist() == FAULTY.tolist()
    assert y_prob.tolist() == SCORES.tolist()
