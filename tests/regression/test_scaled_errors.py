"""Percentage and scaled errors: figures by hand, targets of 0, the best constant, seasons."""

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils._param_validation import InvalidParameterError

import fastmetrics as fm
from fastmetrics.regression import scaled_errors
from tests import reference_regression as reference
from tests.regression_data import FORECASTS, HOUSEHOLDS, problems


def test_six_households():
    each = [
        round(fm.mean_absolute_percentage_error([y], [p]), 4) for y, p in zip(HOUSEHOLDS, FORECASTS)
    ]
    assert each == [0.1667, 0.1, 0, 0.2, 0.375, 0.08]
    value = fm.mean_absolute_percentage_error(HOUSEHOLDS, FORECASTS)
    assert (round(6 * value, 4), round(value, 4)) == (0.9217, 0.1536)


def test_the_best_constant_for_six_households():
    assert fm.mape_optimal_constant(HOUSEHOLDS) == 12
    best, median = (
        fm.mean_absolute_percentage_error(HOUSEHOLDS, np.full(6, constant))
        for constant in (12, 17.5)
    )
    assert (f"{best:.4f}", f"{median:.4f}") == ("0.3700", "0.4424")


@given(problems())
@settings(deadline=None, max_examples=40)
def test_no_constant_is_better(problem):
    y_true, _, weights = problem
    constant = fm.mape_optimal_constant(y_true, sample_weight=weights)

    def loss(value):
        forecast = np.full(len(y_true), value)
        return fm.mean_absolute_percentage_error(y_true, forecast, sample_weight=weights)

    best = loss(constant)
    for other in [*y_true, constant * 0.99, constant * 1.01]:
        assert best <= loss(other) * (1 + 1e-12)


def test_the_best_constant_of_negative_targets_mirrors():
    assert fm.mape_optimal_constant(-HOUSEHOLDS) == -12
    assert fm.mape_optimal_constant([2.0, 2.0, 4.0, 4.0, 4.0, 4.0]) == 3  # all between are best
    weights = np.array([0, 1, 0, 1, 0, 1])
    assert fm.mape_optimal_constant(HOUSEHOLDS, sample_weight=weights) == 25


def test_the_best_constant_with_targets_of_0():
    with pytest.warns(UserWarning, match="2 of 4 targets in y_true are 0"):
        assert fm.mape_optimal_constant([0.0, 5.0, 0.0, 2.0]) == 0
    for bad, message in [([1.0, np.nan], "y_true contains NaN"), ([], "y_true has shape")]:
        with pytest.raises(ValueError, match=message):
            fm.mape_optimal_constant(bad)
    with pytest.raises(ValueError, match="1d array"):
        fm.mape_optimal_constant(np.ones((3, 2)))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
def test_targets_of_0(dtype, weighted):
    y_true, y_pred = np.array([0.0, 5.0, -4.0], dtype), np.array([3.0, 4.0, -5.0], dtype)
    options = {"sample_weight": np.ones(3)} if weighted else {}
    with pytest.warns(UserWarning, match="1 of 3 targets in y_true is 0") as caught:
        value = fm.mean_absolute_percentage_error(y_true, y_pred, **options)
    assert value == pytest.approx(3 * 2.0**52 / 3, rel=1e-6)
    assert value == pytest.approx(sklearn.metrics.mean_absolute_percentage_error(y_true, y_pred))
    assert caught[0].filename == __file__
    y_pred[0] = 0
    with pytest.warns(UserWarning, match="1 of 3 targets in y_true is 0"):
        value = fm.mean_absolute_percentage_error(y_true, y_pred, **options)
    assert value == pytest.approx(0.15)


def test_targets_of_0_that_do_not_count():
    weights = np.array([0.0, 1.0, 1.0])
    found = fm.mean_absolute_percentage_error(
        [0.0, 5.0, 4.0], [3.0, 4.0, 5.0], sample_weight=weights
    )
    assert found == pytest.approx((0.2 + 0.25) / 2)
    with pytest.warns(UserWarning, match="3 of 6 targets in y_true are 0"):
        fm.mean_absolute_percentage_error(np.array([[0, 1], [0, 2], [1, 0]]), np.ones((3, 2)))


def test_scaled_error_by_hand():
    # the naive errors of the training series are 2, 1, 3
    assert fm.mean_absolute_scaled_error([6, 4], [5, 5], y_train=[1, 3, 2, 5]) == 1 / 2
    # two rows earlier: 1, 2
    found = fm.mean_absolute_scaled_error([6, 4], [5, 5], y_train=[1, 3, 2, 5], seasonality=2)
    assert found == 1 / 1.5
    # the targets themselves: 2, 1, 3; errors 1, 0, 0, 3
    assert fm.mean_absolute_scaled_error([1, 3, 2, 5], [2, 3, 2, 2]) == 1 / 2


def test_scaled_error_has_no_unit():
    generator = np.random.default_rng(0)
    train, y_true, y_pred = generator.normal(size=(3, 50))
    weights = generator.random(50)
    expected = fm.mean_absolute_scaled_error(
        y_true, y_pred, y_train=train, seasonality=7, sample_weight=weights
    )
    scale = np.abs(train[7:] - train[:-7]).mean()
    assert expected == pytest.approx(np.average(np.abs(y_true - y_pred), weights=weights) / scale)
    found = fm.mean_absolute_scaled_error(
        *(1000 * values for values in (y_true, y_pred)),
        y_train=1000 * train,
        seasonality=7,
        sample_weight=weights,
    )
    assert found == pytest.approx(expected)


def test_the_naive_forecast_itself_scores_1():
    series = np.random.default_rng(1).normal(size=40)
    for season in (1, 4):
        y_true, y_pred = series[season:], series[:-season]
        value = fm.mean_absolute_scaled_error(y_true, y_pred, y_train=series, seasonality=season)
        assert value == pytest.approx(1)


def test_scaled_errors_of_several_outputs():
    generator = np.random.default_rng(2)
    train, y_true, y_pred = generator.normal(size=(3, 30, 2)) * [1, 100]
    each = [
        fm.mean_absolute_scaled_error(y_true[:, k], y_pred[:, k], y_train=train[:, k])
        for k in range(2)
    ]
    raw = fm.mean_absolute_scaled_error(y_true, y_pred, y_train=train, multioutput="raw_values")
    assert raw == pytest.approx(each)
    mean = fm.mean_absolute_scaled_error(y_true, y_pred, y_train=train, multioutput=[3, 1])
    assert mean == pytest.approx((3 * each[0] + each[1]) / 4)
    with pytest.raises(ValueError, match="y_train has 1 outputs, y_true 2"):
        fm.mean_absolute_scaled_error(y_true, y_pred, y_train=train[:, 0])


def test_a_series_that_repeats_itself():
    with pytest.warns(UndefinedMetricWarning, match="y_train repeats itself after 2 rows"):
        value = fm.mean_absolute_scaled_error(
            [1.0, 2.0], [1.0, 3.0], y_train=[1, 5, 1, 5], seasonality=2
        )
    assert np.isnan(value)
    with pytest.warns(UndefinedMetricWarning, match="y_true repeats itself after 1 rows"):
        assert np.isnan(fm.mean_absolute_scaled_error([1.0, 1.0], [1.0, 1.0]))


def test_bad_seasons_and_series():
    for season in (0, -1, 1.5, True, "7"):
        with pytest.raises(InvalidParameterError, match="'seasonality' parameter"):
            fm.mean_absolute_scaled_error([1, 2], [1, 2], seasonality=season)
    with pytest.raises(ValueError, match="y_train has 3 rows, no more than one season of 3"):
        fm.mean_absolute_scaled_error([1, 2], [1, 2], y_train=[1, 2, 3], seasonality=3)
    with pytest.raises(ValueError, match="y_true has 1 rows"):
        fm.mean_absolute_scaled_error([1], [2])
    with pytest.raises(ValueError, match="y_train contains NaN: y_train has 1 NaN, first at row 1"):
        fm.mean_absolute_scaled_error([1, 2], [1, 2], y_train=[1, np.nan, 3])


@given(problems())
@settings(deadline=None, max_examples=40)
def test_description(problem):
    (metric,) = scaled_errors.METRICS
    value = metric.formula(problem[2] @ metric.statistic.terms(*problem[:2]))
    expected = reference.mean_absolute_percentage_error(*problem)
    assert value == pytest.approx(expected, rel=1e-12)


def test_description_warns_of_zeros():
    (metric,) = scaled_errors.METRICS
    with pytest.warns(UserWarning, match="1 of 2 targets in y_true is 0"):
        metric.statistic.terms(np.array([0.0, 1.0]), np.array([0.0, 1.0]))


@given(problems())
@settings(deadline=None, max_examples=20)
def test_description_of_a_scaled_error(problem):
    y_true, y_pred, weights = problem
    train = [3.0, 5.0, 4.0, 9.0]
    metric = scaled_errors.describe_scaled_error(y_train=train, seasonality=2)
    value = metric.formula(weights @ metric.statistic.terms(y_true, y_pred))
    expected = fm.mean_absolute_scaled_error(
        y_true, y_pred, y_train=train, seasonality=2, sample_weight=weights
    )
    assert value == pytest.approx(expected)
    assert metric.label == "mean_absolute_scaled_error[seasonality=2]"


def test_description_of_a_scale_of_0_is_undefined():
    metric = scaled_errors.describe_scaled_error(y_train=[1.0, 1.0])
    assert np.isnan(metric.formula(metric.statistic.terms(np.ones(2), np.zeros(2)).sum(axis=0)))
    with pytest.raises(ValueError, match="1d array"):
        scaled_errors.describe_scaled_error(y_train=np.ones((4, 2)))
