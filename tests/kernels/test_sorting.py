"""Keys keep the order of floats, and the sort is a stable sort whatever path it takes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from fastmetrics.kernels.sorting import (
    INSERTION_ROWS,
    argsort_descending,
    keys_of,
    scores_of,
    sort_keys,
)

BITS = {np.float64: np.uint64, np.float32: np.uint32}
FLOATS = pytest.mark.parametrize("dtype", list(BITS))


def keyed(scores):
    """Keys of scores, and whether all are finite."""
    bits = scores.view(BITS[scores.dtype.type])
    keys = np.empty_like(bits)
    return keys, keys_of(bits, keys)


def argsorted(scores):
    bits = scores.view(BITS[scores.dtype.type])
    keys, order = np.empty_like(bits), np.empty(bits.size, np.uint32)
    assert argsort_descending(bits, keys, order)
    return order, keys


def assert_sorts(scores):
    before = scores.copy()
    order, keys = argsorted(scores)
    # a stable sort of the negated scores: equal ones keep the order of their rows
    np.testing.assert_array_equal(order, np.argsort(-scores, kind="stable"))
    np.testing.assert_array_equal(keys, keyed(scores)[0][order])
    np.testing.assert_array_equal(scores, before)


def ladder(dtype):
    """Floats from the lowest to the highest, all different, subnormals and extremes among them."""
    info = np.finfo(dtype)
    steps = [info.smallest_subnormal, 3 * info.smallest_subnormal, info.smallest_normal]
    steps = [*steps, info.eps, 0.5, np.nextafter(dtype(1), dtype(0)), 1.0, 1.0 + info.eps, 7.0]
    above = np.array([*steps, info.max / 2, info.max], dtype)
    return np.concatenate([-above[::-1], [dtype(0)], above]).astype(dtype)


@FLOATS
def test_keys_fall_where_floats_rise(dtype):
    keys, finite = keyed(ladder(dtype))
    assert finite
    assert np.all(keys[1:] < keys[:-1])


@FLOATS
def test_signed_zeros_have_one_key(dtype):
    keys, finite = keyed(np.array([-0.0, 0.0], dtype))
    assert finite
    assert keys[0] == keys[1]


@FLOATS
def test_keys_order_any_bit_pattern(dtype):
    generator = np.random.default_rng(0)
    width = np.dtype(dtype).itemsize
    scores = generator.integers(0, 256, 20_000 * width, dtype=np.uint8).view(dtype)
    scores = scores[np.isfinite(scores)]
    keys, _ = keyed(scores)
    order = np.argsort(keys, kind="stable")
    np.testing.assert_array_equal(order, np.argsort(-scores, kind="stable"))


@FLOATS
@pytest.mark.parametrize("bad", [np.nan, -np.nan, np.inf, -np.inf])
def test_a_score_that_is_not_finite_is_seen(dtype, bad):
    scores = ladder(dtype)
    scores[3] = bad
    assert not keyed(scores)[1]
    bits = scores.view(BITS[dtype])
    assert not argsort_descending(bits, np.empty_like(bits), np.empty(bits.size, np.uint32))


@FLOATS
def test_scores_come_back_from_their_keys(dtype):
    scores = ladder(dtype)
    bits = np.empty(scores.size, BITS[dtype])
    scores_of(keyed(scores)[0], bits)
    np.testing.assert_array_equal(bits, scores.view(BITS[dtype]))


def shapes(n, dtype):
    """Scores that take every path of the sort."""
    generator = np.random.default_rng(n)
    normal = generator.normal(size=n)
    upper = np.int64(0x3FF00000_00000000)
    low_bits = generator.integers(0, 2**31, n)
    yield "distinct", normal
    yield "rounded", normal.round(1)
    yield "two values", (normal > 0) * 1.0
    yield "all equal", np.full(n, 0.25)
    yield "zeros of both signs", np.where(normal > 0, 0.0, -0.0)
    yield "sorted", np.sort(normal)
    yield "reversed", -np.sort(normal)
    yield "many magnitudes", normal * 10.0 ** generator.integers(-30, 30, n)
    if dtype is np.float64:
        # equal upper halves: insertion gives up and all eight bytes are sorted
        yield "one long prefix", (upper + low_bits).view(np.float64)
        # the same after an odd number of passes, when the keys lie in the scratch array
        far = generator.integers(0, 2, n) << 32
        yield "two long prefixes", (upper + far + low_bits).view(np.float64)
        # a few equal prefixes that insertion puts right
        yield "short prefixes", (upper + (np.arange(n) // 4 << 32) + low_bits).view(np.float64)


@FLOATS
@pytest.mark.parametrize("n", [0, 1, 2, 3, 63, 64, 65, 66, 127, 1000, 4097])
def test_argsort_is_a_stable_sort(n, dtype):
    assert INSERTION_ROWS == 64, "the lengths above stand around the change of method"
    for _, scores in shapes(n, dtype):
        assert_sorts(scores.astype(dtype))


@settings(derandomize=True, max_examples=50, deadline=None)
@given(
    npst.arrays(
        np.float64,
        st.integers(0, 150),
        elements=st.floats(allow_nan=False, allow_infinity=False)
        | st.sampled_from([0.0, -0.0, 1.0, 5e-324]),
    )
)
def test_argsort_of_anything_finite_is_a_stable_sort(scores):
    assert_sorts(scores)


@pytest.mark.parametrize("dtype", [np.uint64, np.uint32])
@pytest.mark.parametrize("n", [10, 64, 65, 3000])
def test_keys_sort_without_rows(n, dtype):
    generator = np.random.default_rng(n)
    none = np.empty(0, np.uint32)
    for high in (2, 2**8, 2**9, 2**20, 2**31):
        keys = generator.integers(0, high, n).astype(dtype)
        expected = np.sort(keys)
        scratch = np.empty_like(keys)
        result = scratch if sort_keys(keys, none, scratch, none) else keys
        np.testing.assert_array_equal(result, expected)
