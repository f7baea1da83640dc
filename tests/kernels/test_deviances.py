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
    target, prediction = y_true[0], y_pred[0]
    target[n // 2] = 0.0
    for rows in (1, 2):
        found = np.empty((rows, n))
        assert kernels.ratios(target, prediction, 3.0, 1.0, found) == (0.0, min(prediction))
        for quotients, divisor in zip(found, (prediction, 3.0)):
            expected = target / divisor
            expected[n // 2] = 1.0
            assert quotients.tolist() == expected.tolist()


@pytest.mark.parametrize("power", [1, 2, 1.5, 3, -0.5])
@pytest.mark.parametrize("n", SIZES)
def test_deviance_sums(n, power):
    y_true, y_pred, weights = problem(n)
    target, prediction = y_true[0], y_pred[0]
    for constant in (0.0, 2.0):
        if power in (1, 2):
            kind = kernels.POISSON if power == 1 else kernels.GAMMA
            first = np.log(target / prediction)
            second = np.log(target / 2.0) if constant else first
        else:
            kind, first, second = kernels.TWEEDIE, target ** (2 - power), prediction ** (2 - power)
        for row_weights, spelled_out in both_weights(weights):
            found = kernels.deviance_sums(
                kind, float(power), target, prediction, constant, first, second, row_weights
            )
            assert constant or found[1] == 0.0
            means = (prediction, np.full(n, 2.0)) if constant else (prediction,)
            for total, mean in zip(found, means):
                expected = math.fsum(
                    w * reference.deviance(y, p, power)
                    for y, p, w in zip(target, mean, spelled_out)
                )
                assert total == pytest.approx(expected, rel=1e-11)
