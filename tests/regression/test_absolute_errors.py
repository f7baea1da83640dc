"""Absolute errors: figures by hand, medians, the largest, descriptions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

import fastmetrics as fm
from fastmetrics.regression import absolute_errors
from tests import reference_regression as reference
from tests.regression_data import FORECASTS, HOUSEHOLDS, problems


def test_six_households():
    assert fm.mean_absolute_error(HOUSEHOLDS, FORECASTS) == 15 / 6 == 2.5
    assert fm.median_absolute_error(HOUSEHOLDS, FORECASTS) == 2
    assert fm.max_error(HOUSEHOLDS, FORECASTS) == 6
    # best anywhere between the two middle values
    for constant in (15, 17.5, 20):
        assert round(fm.mean_absolute_error(HOUSEHOLDS, np.full(6, constant)), 4) == 6.6667
    assert round(fm.mean_absolute_error(HOUSEHOLDS, np.full(6, 12)), 4) == 7.6667


@given(problems())
@settings(deadline=None, max_examples=40)
def test_never_above_the_root_of_the_squares(problem):
    y_true, y_pred, weights = problem
    absolute = fm.mean_absolute_error(y_true, y_pred, sample_weight=weights)
    root = fm.root_mean_squared_error(y_true, y_pred, sample_weight=weights)
    assert absolute <= root * (1 + 1e-14)


def test_weighted_median_by_hand():
    errors = np.array([1.0, 2.0, 4.0, 8.0])
    for weights, expected in [([1, 1, 1, 1], 3), ([3, 1, 1, 1], 1.5), ([1, 1, 5, 1], 4)]:
        weights = np.array(weights)
        found = fm.median_absolute_error(np.zeros(4), errors, sample_weight=weights)
        assert found == expected
        found = fm.median_absolute_error(np.zeros(4), -errors, sample_weight=weights / 10)
        assert found == expected


def test_beyond_the_range():
    for convert in (list, np.array):
        y_true, y_pred = convert([1e308, 0.0, 0.0]), convert([-1e308, 1.0, 1.0])
        with np.errstate(over="ignore"):
            assert fm.max_error(y_true, y_pred) == math.inf
            assert fm.mean_absolute_error(y_true, y_pred) == math.inf
            assert fm.median_absolute_error(y_true, y_pred) == 1


def test_the_largest_of_several_outputs_is_refused():
    with pytest.raises(ValueError, match="Multioutput not supported in max_error"):
        fm.max_error(np.ones((3, 2)), np.ones((3, 2)))


def value_of(metric, y_true, y_pred, weights):
    """Value of a described metric of either kind."""
    if metric.statistic.kind == "sums":
        return metric.formula(weights @ metric.statistic.terms(y_true, y_pred))
    return metric.formula(metric.statistic.measure(y_true, y_pred, weights))


@pytest.mark.parametrize("metric", absolute_errors.METRICS, ids=lambda metric: metric.name)
@given(problem=problems())
@settings(deadline=None, max_examples=40)
def test_descriptions(metric, problem):
    expected = getattr(reference, metric.name)(*problem)
    assert value_of(metric, *problem) == pytest.approx(expected, rel=1e-12)
    assert (metric.input, metric.bounds, metric.greater_is_better) == (
        "value",
        (0, math.inf),
        False,
    )
    assert metric.statistic.additive == (metric.statistic.kind == "sums")
    copies = [array.copy() for array in problem]
    value_of(metric, *problem)
    assert [array.tolist() for array in problem] == [copy.tolist() for copy in copies]


def test_nothing_without_weight():
    for metric in absolute_errors.METRICS[1:]:
        assert np.isnan(value_of(metric, np.ones(3), np.zeros(3), np.zeros(3)))
    assert absolute_errors.METRICS[-1].default_interval == "basic"
