"""Squared errors: figures by hand, logarithms, roots of several outputs, descriptions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

import fastmetrics as fm
from fastmetrics.regression import squared_errors
from tests import reference_regression as reference
from tests.regression_data import FORECASTS, HOUSEHOLDS, problems

FUNCTIONS = [
    "mean_squared_error",
    "root_mean_squared_error",
    "mean_squared_log_error",
    "root_mean_squared_log_error",
]


def test_six_households():
    assert fm.mean_squared_error(HOUSEHOLDS, FORECASTS) == 57 / 6 == 9.5
    assert round(fm.root_mean_squared_error(HOUSEHOLDS, FORECASTS), 4) == 3.0822
    mean = np.full(6, 110 / 6)
    assert round(fm.mean_squared_error(HOUSEHOLDS, mean), 4) == 56.8889
    for other in (17.5, 18.0, 18.7, 20.0):
        assert fm.mean_squared_error(HOUSEHOLDS, np.full(6, other)) > 56.8889


def regression_line():
    """Targets around a line and their true mean, as a script drew them after scores of ranking."""
    rng = np.random.default_rng(1)
    rng.uniform(size=20_000)
    rng.normal(1, 1, 20_000)
    rng.normal(0, 1, 20_000)
    line = 2 * rng.uniform(0, 1, 500)
    return line + rng.normal(0, 0.3, 500), line


def test_a_line_with_noise():
    data = regression_line()
    printed = f"rmse = {fm.root_mean_squared_error(*data):.4f}  "
    printed += f"mae = {fm.mean_absolute_error(*data):.4f}  r2 = {fm.r2_score(*data):.4f}"
    assert printed == "rmse = 0.2934  mae = 0.2367  r2 = 0.7892"


def test_the_root_of_several_outputs_is_the_mean_of_their_roots():
    y_true, y_pred = np.zeros((2, 2)), np.array([[3.0, 1.0], [5.0, 1.0]])
    roots = [math.sqrt(17), 1.0]
    assert fm.mean_squared_error(y_true, y_pred) == 9
    assert fm.root_mean_squared_error(y_true, y_pred) == pytest.approx(sum(roots) / 2)
    raw = fm.root_mean_squared_error(y_true, y_pred, multioutput="raw_values")
    assert raw.tolist() == pytest.approx(roots)
    weighted = fm.root_mean_squared_error(y_true, y_pred, multioutput=[0.25, 0.75])
    assert weighted == pytest.approx(0.25 * roots[0] + 0.75)


def test_perfect_is_0():
    values = np.array([-0.5, 0.0, 0.1, 7e300])
    for name in FUNCTIONS:
        assert getattr(fm, name)(values, values) == 0
        assert getattr(fm, name)([0.0], [0.0]) == 0


def test_beyond_the_range():
    assert fm.mean_squared_error([1e200], [-1e200]) == math.inf
    assert fm.mean_squared_error(np.array([1e200]), np.array([-1e200])) == math.inf


@pytest.mark.parametrize("data", [([-1.0], [-1.0]), ([1.0, 2, 3], [1.0, -2, 3]), ([0, -3], [0, 1])])
@pytest.mark.parametrize("convert", [list, np.array, lambda v: np.array(v, np.float32)])
def test_logarithms_that_do_not_exist(data, convert):
    y_true, y_pred = map(convert, data)
    name = "y_pred" if min(data[0]) > -1 else "y_true"
    message = "Squared Logarithmic Error cannot be used when targets contain values less than or "
    message += rf"equal to -1. {name} has 1 outside, first at row {len(data[0]) // 2}"
    with pytest.raises(ValueError, match="Mean " + message):
        fm.mean_squared_log_error(y_true, y_pred)
    with pytest.raises(ValueError, match="Root Mean " + message):
        fm.root_mean_squared_log_error(y_true, y_pred)


def test_logarithms_of_several_outputs():
    y_true, y_pred = np.array([[0.5, 1], [1, 2], [7, 6]]), np.array([[0.5, 2], [1, 2.5], [8, 8]])
    raw = fm.mean_squared_log_error(y_true, y_pred, multioutput="raw_values")
    for column in range(2):
        expected = reference.mean_squared_log_error(y_true[:, column], y_pred[:, column])
        assert raw[column] == pytest.approx(expected)
    with pytest.raises(ValueError, match="y_pred has 4 outside, first at row 0"):
        fm.mean_squared_log_error(y_true, y_pred - 3.5)


@pytest.mark.parametrize("metric", squared_errors.METRICS, ids=lambda metric: metric.name)
@given(problem=problems())
@settings(deadline=None, max_examples=40)
def test_descriptions(metric, problem):
    y_true, y_pred, weights = problem
    value = metric.formula(weights @ metric.statistic.terms(y_true, y_pred))
    assert value == pytest.approx(getattr(reference, metric.name)(*problem), rel=1e-9, abs=1e-12)
    assert metric.statistic.terms(y_true, y_pred).shape == (len(y_true), metric.statistic.size)
    assert (metric.input, metric.bounds, metric.greater_is_better) == (
        "value",
        (0, math.inf),
        False,
    )


def test_descriptions_know_their_domain():
    metric = squared_errors.METRICS[2]
    with pytest.raises(ValueError, match="y_pred has 1 outside, first at row 1"):
        metric.statistic.terms(np.array([1.0, 2.0]), np.array([1.0, -1.0]))


def test_a_formula_serves_many_replicates():
    metric = squared_errors.METRICS[1]
    sums = np.array([[2.0, 8.0], [4.0, 4.0], [0.0, 0.0]])
    with np.errstate(invalid="ignore"):
        assert metric.formula(sums).tolist()[:2] == [2.0, 1.0]
        assert np.isnan(metric.formula(sums)[2])
