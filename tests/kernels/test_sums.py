"""Sums of errors, moments and deviances of rows, against loops over the rows."""

import math

import numpy as np
import pytest

from fastmetrics.kernels import sums as kernels
from tests import reference_regression as reference

ONE = np.ones(1)
# around the ends of lanes and blocks
SIZES = [1, 2, 31, 32, 33, 64, 65, 100, kernels.BLOCK, kernels.BLOCK + 1, 2 * kernels.BLOCK + 77]


def problem(n, columns=1):
    """Targets and predictions (columns, n) above 0, and weights (n,), some of them 0."""
    generator = np.random.default_rng(n)
    y_true = generator.gamma(2.0, size=(columns, n)) + 0.1
    y_pred = y_true * generator.gamma(5.0, 0.2, size=(columns, n)) + 0.05
    weights = generator.integers(0, 5, n) / 4
    weights[-1] = 1.0
    return y_true, y_pred, weights


def both_weights(weights):
    """Weights as they are and one for all, each as the kernels and as loops take it."""
    return [(weights, weights), (ONE, np.ones(weights.size))]


TERMS = {
    kernels.SQUARED: lambda y, p: (y - p) ** 2,
    kernels.ABSOLUTE: lambda y, p: abs(y - p),
    kernels.PERCENTAGE: lambda y, p: abs(y - p) / max(abs(y), 2.0**-52),
    kernels.PINBALL: lambda y, p: float(reference.pinball(y, p, 0.3)),
}


@pytest.mark.parametrize("kind", TERMS)
@pytest.mark.parametrize("n", SIZES)
def test_error_sums(n, kind):
    y_true, y_pred, weights = problem(n, columns=2)
    for row_weights, spelled_out in both_weights(weights):
        found = np.array([0.0, 5.0])
        kernels.error_sums(kind, 0.3, y_true, y_pred, row_weights, found)
        for column, before in enumerate((0.0, 5.0)):
            terms = zip(y_true[column].tolist(), y_pred[column].tolist(), spelled_out.tolist())
            expected = before + math.fsum(w * TERMS[kind](y, p) for y, p, w in terms)
            assert found[column] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("n", SIZES)
def test_one_prediction_stands_for_all(n):
    y_true, _, weights = problem(n)
    found, expected = np.zeros(1), np.zeros(1)
    kernels.error_sums(kernels.SQUARED, 0.0, y_true, np.full((1, 1), 1.5), weights, found)
    kernels.error_sums(kernels.SQUARED, 0.0, y_true, np.full((1, n), 1.5), weights, expected)
    assert found == expected


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("n", [1, 40, 100])
@pytest.mark.parametrize("which", [0, 1])
def test_entries_that_are_not_finite_show(which, n, bad):
    for place in {0, n // 2, n - 1}:
        y_true, y_pred, weights = problem(n)
        (y_true, y_pred)[which][0, place] = bad
        for kind in TERMS:
            found = np.zeros(1)
            kernels.error_sums(kind, 0.3, y_true, y_pred, ONE, found)
            assert not np.isfinite(found[0])
        assert not np.isfinite(kernels.largest_error(y_true[0], y_pred[0]))
        moments = np.zeros((1, 7))
        kernels.add_moments(y_true, y_pred, weights, moments)
        assert weights[place] == 0 or not np.isfinite(moments).all()
        assert not np.isfinite(kernels.total_and_lowest((y_true, y_pred)[which][0])[0])


@pytest.mark.parametrize("n", SIZES)
def test_totals_and_extremes(n):
    y_true, y_pred, _ = problem(n)
    target, prediction = y_true[0], y_pred[0]
    total, lowest = kernels.total_and_lowest(target)
    assert total == pytest.approx(math.fsum(target), rel=1e-14)
    assert lowest == min(target)
    assert kernels.lowest_pair(target, prediction) == (min(target), min(prediction))
    assert kernels.largest_error(target, prediction) == np.abs(target - prediction).max()


def test_extremes_pass_over_nan():
    values = np.array([math.nan, 3.0, math.nan])
    assert kernels.lowest_pair(values, -values) == (3.0, -3.0)


def test_zeros_are_counted_where_rows_count():
    y_true = np.array([[0.0, -0.0, 1e-20, 1e-15, 1.0], [0.0, 1.0, 1.0, 1.0, 0.0]])
    assert kernels.count_zeros(y_true, ONE) == 5
    assert kernels.count_zeros(y_true, np.array([0.0, 1.0, 1.0, 1.0, 2.0])) == 3


def moments_by_loop(values, weights):
    pairs = list(zip(values.tolist(), weights.tolist()))
    total = math.fsum(w for _, w in pairs)
    mean = math.fsum(v * w for v, w in pairs) / total
    return mean, math.fsum(w * (v - mean) ** 2 for v, w in pairs)


@pytest.mark.parametrize("n", SIZES)
def test_moments(n):
    y_true, y_pred, weights = problem(n, columns=2)
    for row_weights, spelled_out in both_weights(weights):
        moments = np.zeros((2, 7))
        kernels.add_moments(y_true, y_pred, row_weights, moments)
        for column in range(2):
            target, error = y_true[column], y_true[column] - y_pred[column]
            weight, *found = moments[column]
            assert weight == spelled_out.sum()
            for values, (mean, rest, spread) in zip((target, error), (found[:3], found[3:])):
                expected = moments_by_loop(values, spelled_out)
                assert (mean, spread) == pytest.approx(expected, rel=1e-12, abs=1e-12)
                assert abs(rest) <= np.spacing(abs(mean))


def test_moments_of_parts_merge():
    y_true, y_pred, weights = problem(1000)
    whole, merged = np.zeros((1, 7)), np.zeros((1, 7))
    kernels.add_moments(y_true, y_pred, weights, whole)
    for start, stop in ((0, 3), (3, 500), (500, 500), (500, 1000)):
        part = slice(start, stop)
        kernels.add_moments(y_true[:, part], y_pred[:, part], weights[part], merged)
    assert merged[:, [0, 1, 3, 4, 6]] == pytest.approx(whole[:, [0, 1, 3, 4, 6]], rel=1e-13)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e9 + 0.1, -7e-300])
def test_equal_values_have_a_spread_of_exactly_0(value):
    n = 2 * kernels.BLOCK + 5
    y_true, y_pred = np.full((1, n), value), np.zeros((1, n))
    weights = np.linspace(0, 1, n)
    y_true[0, 0] = 1e6  # of weight 0
    moments = np.zeros((1, 7))
    kernels.add_moments(y_true, y_pred, weights, moments)
    assert moments[0, 1:].tolist() == [value, 0.0, 0.0, value, 0.0, 0.0]


def test_a_far_block_of_small_weight_costs_no_digits():
    # the reference of the first block is 1e8 spreads away from the rest
    y_true, y_pred, weights = problem(3 * kernels.BLOCK)
    y_true[0, : kernels.BLOCK] += 1e8
    weights[: kernels.BLOCK] *= 1e-18
    moments = np.zeros((1, 7))
    kernels.add_moments(y_true, y_pred, weights, moments)
    assert moments[0, [1, 3]] == pytest.approx(moments_by_loop(y_true[0], weights), rel=1e-13)


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
        kind, first, second = kernels.TWEEDIE, target ** (2 - power), prediction ** (1 - power)
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
        kernels.TWEEDIE, 3.0, target, np.array([2.0]), target**-1.0, np.array([0.25]), weights
    )
    expected = math.fsum(w * reference.deviance(y, 2, 3) for y, w in zip(target, weights))
    assert found == pytest.approx(expected, rel=1e-12)
