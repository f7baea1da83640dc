"""Weighted sums of row terms, and weights per code, against loops over tiles, rows and lanes."""

import numpy as np
import pytest

from fastmetrics.kernels import terms as kernels
from tests.kernels.test_lists import COMPILED, version

DTYPES = pytest.mark.parametrize(
    "dtype", [np.uint8, np.int64, np.float64], ids=lambda d: d.__name__
)
TILES = pytest.mark.parametrize("shape", [(1, 1, 1), (1, 7, 3), (2, 5, 64), (3, 9, 8)], ids=str)


def tiles(shape, dtype):
    """Weights (T, items, lanes) that are exact in every type."""
    generator = np.random.default_rng(shape)
    weights = generator.poisson(1.0, shape)
    if dtype is np.int64:
        weights *= 10**6
    weights = weights.astype(dtype)
    return weights / 4 if dtype is np.float64 else weights


def rows(items, n):
    """Items (n,) of the rows, several rows to some and none to others."""
    return np.random.default_rng(n).integers(0, items, n).astype(np.uint32)


@COMPILED
@DTYPES
@TILES
@pytest.mark.parametrize("columns", [0, 1, 4])
def test_terms_are_added_up_with_their_weights(shape, dtype, compiled, columns):
    weights, slots = tiles(shape, dtype), rows(shape[1], 12)
    terms = np.random.default_rng(1).integers(-9, 9, (12, columns)) / 8
    sums = np.full((shape[0], columns, shape[2]), 0.5)
    version(kernels.sum_terms, compiled)(weights, slots, terms, sums)
    for t, column, lane in np.ndindex(sums.shape):
        expected = 0.5
        for row, slot in enumerate(slots):
            expected += float(weights[t, slot, lane]) * terms[row, column]
        assert sums[t, column, lane] == expected


@COMPILED
@DTYPES
@TILES
def test_weights_are_added_up_by_code(shape, dtype, compiled):
    weights, slots = tiles(shape, dtype), rows(shape[1], 20)
    generator = np.random.default_rng(2)
    codes, amounts = (
        generator.integers(0, 4, 20).astype(np.uint32),
        generator.integers(0, 9, 20) / 4,
    )
    sums = np.full((shape[0], 5, shape[2]), 0.25)
    version(kernels.sum_codes, compiled)(weights, slots, codes, amounts, sums)
    for t, code, lane in np.ndindex(sums.shape):
        expected = 0.25
        for row, slot in enumerate(slots):
            if codes[row] == code:
                expected += float(weights[t, slot, lane]) * amounts[row]
        assert sums[t, code, lane] == expected


@COMPILED
def test_counts_beyond_the_range_of_a_byte_add_up(compiled):
    weights = np.full((1, 1, 2), 255, np.uint8)
    slots, sums = np.zeros(300, np.uint32), np.zeros((1, 1, 2))
    version(kernels.sum_terms, compiled)(weights, slots, np.full((300, 1), 3.0), sums)
    np.testing.assert_array_equal(sums, 300 * 255 * 3.0)
    sums[:] = 0.0
    codes, amounts = np.zeros(300, np.uint32), np.full(300, 2.0)
    version(kernels.sum_codes, compiled)(weights, slots, codes, amounts, sums)
    np.testing.assert_array_equal(sums, 300 * 255 * 2.0)


@COMPILED
def test_large_counts_are_exact(compiled):
    weights = np.full((1, 2, 1), 2**52, np.int64)
    sums = np.zeros((1, 1, 1))
    slots = np.array([0, 1], np.uint32)
    version(kernels.sum_terms, compiled)(weights, slots, np.array([[1.0], [0.5]]), sums)
    assert sums[0, 0, 0] == 2**52 + 2**51


@COMPILED
def test_a_lane_without_weight_stays_at_nothing(compiled):
    weights = np.zeros((1, 3, 2))
    weights[:, :, 0] = 1.5
    sums = np.zeros((1, 1, 2))
    slots = np.arange(3, dtype=np.uint32)
    version(kernels.sum_terms, compiled)(weights, slots, np.ones((3, 1)), sums)
    assert sums.tolist() == [[[4.5, 0.0]]]


@COMPILED
def test_slices_of_a_tile_are_read_in_place(compiled):
    # a narrow view of a wide tile, and read-only rows
    wide = tiles((1, 6, 64), np.uint8)
    narrow = wide[:, :, 8:16]
    slots, terms = rows(6, 10), np.random.default_rng(0).normal(size=(10, 2))
    for array in (slots, terms):
        array.flags.writeable = False
    found, expected = np.zeros((1, 2, 8)), np.zeros((1, 2, 64))
    version(kernels.sum_terms, compiled)(narrow, slots, terms, found)
    version(kernels.sum_terms, compiled)(wide, slots, terms, expected)
    np.testing.assert_array_equal(found, expected[:, :, 8:16])
