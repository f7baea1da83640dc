"""Sums of unit deviances of rows, against loops over the rows."""

import math

import numpy as np
import pytest

from fastmetrics.kernels import deviances as kernels
from tests import reference_regression as reference
from tests.kernels.test_sums import SIZES, both_weights, problem


@pytest.mark.parametrize("n", SIZES)
def test_lowest_pair(n):
    y_true, y_pred, _ = problem(n)
    assert kernels.lowest_pair(y_true[0], y_pred[0]) == (y_true.min(), y_pred.min())


def test_extremes_pass_over_nan():
    values = np.array([math.nan, 3.0, math.nan])
    assert kernels.lowest_pair(values, -values) == (3.0, -3.0)


@pytest.mark.parametrize("n", SIZES)
def test_ratios(n):
    y_true, y_pred, _ = problem(n)
    target, prediction, found = y_true[0], y_pred[0], np.empty(n)
    target[n // 2] = 0.0
    assert kernels.ratios(target, prediction, 1.0, found) == (0.0, min(prediction))
    expected = target / prediction
    expected[n // 2] = 1.0
    assert found.tolist() == expected.tolist()
    assert kernels.ratios(target, np.array([2.0]), 1.0, found) == (0.0, 2.0)
    assert np.delete(found, n // 2).tolist() == np.delete(target / 2, n // 2).tolist()


@pytest.mark.parametrize("power", [1, 2, 1.5, 3, -0.5])
@pytest.mark.parametrize("n", SIZES)
def test_deviance_sum(n, power):
    y_true, y_pred, weights = problem(n)
    target, prediction = y_true[0], y_pred[0]
    if power in (1, 2):
        kind = kernels.POISSON if power == 1 else kernels.GAMMA
        first = second = np.log(target / prediction)
    else:
        kind, first, second = kernels.TWEEDIE, target ** (2 - power), prediction ** (2 - power)
    for row_weights, spelled_out in both_weights(weights):
        rows = zip(target, prediction, spelled_out)
        expected = math.fsum(w * reference.deviance(y, p, power) for y, p, w in rows)
        found = kernels.deviance_sum(
            kind, float(power), target, prediction, first, second, row_weights
        )
        assert found == pytest.approx(expected, rel=1e-11)


def test_a_constant_mean():
    y_true, _, weights = problem(300)
    target = y_true[0]
    found = kernels.deviance_sum(
        kernels.TWEEDIE, 3.0, target, np.array([2.0]), target**-1.0, np.array([0.5]), weights
    )
    expected = math.fsum(w * reference.deviance(y, 2, 3) for y, w in zip(target, weights))
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("power", [1, 2, 1.5])
def test_single_precision_is_read_as_double(power):
    y_true, y_pred, weights = problem(300)
    narrow = [values[0].astype(np.float32) for values in (y_true, y_pred)]
    sums = []
    for target, prediction in (narrow, [values.astype(np.float64) for values in narrow]):
        quotients = np.empty(300)
        lowest = kernels.ratios(target, prediction, 1.0, quotients)
        assert lowest == kernels.lowest_pair(target, prediction)
        first = second = np.log(quotients)
        kind = {1: kernels.POISSON, 2: kernels.GAMMA}.get(power, kernels.TWEEDIE)
        if kind == kernels.TWEEDIE:
            first = target.astype(np.float64) ** (2 - power)
            second = prediction.astype(np.float64) ** (2 - power)
        sums.append(
            kernels.deviance_sum(kind, float(power), target, prediction, first, second, weights)
        )
    assert sums[0] == sums[1]
