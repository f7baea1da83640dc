"""Sums of errors and moments of rows, against loops over the rows."""

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
    assert kernels.largest_error(target, prediction) == np.abs(target - prediction).max()


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


def tables(n, columns, dtype):
    """Targets and predictions (n, columns) of a type, and weights (n,)."""
    y_true, y_pred, weights = problem(n, columns)
    return [np.ascontiguousarray(values.T, dtype) for values in (y_true, y_pred)], weights


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [1, 2, kernels.TABLE_ROWS, kernels.TABLE_ROWS + 1, 1000])
@pytest.mark.parametrize("columns", [1, 9, 40])
def test_tables_are_columns_side_by_side(columns, n, dtype):
    (y_true, y_pred), weights = tables(n, columns, dtype)
    as_columns = [np.ascontiguousarray(values.T, np.float64) for values in (y_true, y_pred)]
    for row_weights, _ in both_weights(weights):
        for kind in TERMS:
            found, expected = np.full((2, columns), 2.0)
            kernels.table_error_sums(kind, 0.3, y_true, y_pred, row_weights, found)
            kernels.error_sums(kind, 0.3, *as_columns, row_weights, expected)
            np.testing.assert_allclose(found, expected, rtol=1e-13)
        found, expected = np.zeros((2, columns, 7))
        kernels.add_table_moments(y_true, y_pred, row_weights, found)
        kernels.add_moments(*as_columns, row_weights, expected)
        numbers = [0, 1, 3, 4, 6]
        np.testing.assert_allclose(found[:, numbers], expected[:, numbers], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_entries_of_tables_that_are_not_finite_show(bad):
    (y_true, y_pred), weights = tables(300, 9, np.float64)
    y_pred[299, 4] = bad
    sums, moments = np.zeros(9), np.zeros((9, 7))
    kernels.table_error_sums(kernels.SQUARED, 0.0, y_true, y_pred, weights, sums)
    kernels.add_table_moments(y_true, y_pred, weights, moments)
    assert np.isfinite(sums).tolist() == [column != 4 for column in range(9)]
    assert np.isfinite(moments).all(axis=1).tolist() == [column != 4 for column in range(9)]


def test_moments_of_tables_keep_their_digits():
    # the first block has hardly a weight and lies far away; a row before it has none
    n = 4 * kernels.TABLE_ROWS
    (y_true, y_pred), weights = tables(n, 9, np.float64)
    y_true[: kernels.TABLE_ROWS] += 1e8
    weights[: kernels.TABLE_ROWS] *= 1e-18
    y_true[0], weights[0] = 1e30, 0.0
    moments = np.zeros((9, 7))
    kernels.add_table_moments(y_true, y_pred, weights, moments)
    for column in range(9):
        expected = moments_by_loop(y_true[1:, column], weights[1:])
        assert moments[column, [1, 3]] == pytest.approx(expected, rel=1e-12)
    equal = np.full((n, 9), 0.1)
    moments = np.zeros((9, 7))
    kernels.add_table_moments(equal, np.zeros((n, 9)), ONE, moments)
    assert (moments[:, 1:] == [0.1, 0.0, 0.0, 0.1, 0.0, 0.0]).all()


@pytest.mark.parametrize("n", SIZES)
def test_single_precision_is_read_as_double(n):
    y_true, y_pred, weights = problem(n, columns=2)
    narrow = [values.astype(np.float32) for values in (y_true, y_pred)]
    wide = [values.astype(np.float64) for values in narrow]
    for kind in TERMS:
        found, expected = np.zeros(2), np.zeros(2)
        kernels.error_sums(kind, 0.3, *narrow, weights, found)
        kernels.error_sums(kind, 0.3, *wide, weights, expected)
        np.testing.assert_array_equal(found, expected)
    found, expected = np.zeros((2, 7)), np.zeros((2, 7))
    kernels.add_moments(*narrow, weights, found)
    kernels.add_moments(*wide, weights, expected)
    np.testing.assert_array_equal(found, expected)
    rows = [values[0] for values in narrow]
    assert kernels.largest_error(*rows) == kernels.largest_error(*(values[0] for values in wide))
    assert kernels.count_zeros(narrow[0], ONE) == 0
