"""Bins and slots of probabilities against NumPy's searchsorted, bincount and sort."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastmetrics.kernels.bins import (
    bin_means,
    bin_sums,
    collect_slots,
    count_slots,
    quantiles,
    slot_width,
)
from tests import processes
from tests.kernels import edge_cases

ONE = np.ones(1)


def sums_by_numpy(outcomes, probabilities, weights, edges, bins):
    places = np.searchsorted(edges, probabilities)
    weights = np.broadcast_to(weights, len(outcomes))
    terms = (weights, weights * probabilities, weights * outcomes)
    return np.stack([np.bincount(places, term, minlength=bins) for term in terms], axis=1)


def sums(outcomes, probabilities, weights, edges):
    found = np.zeros((len(edges) + 1, 3))
    assert bin_sums(outcomes, probabilities, weights, edges, found)
    return found


@given(
    st.lists(st.floats(0, 1).map(abs), min_size=1, max_size=40),
    st.lists(st.floats(0, 1).map(abs), max_size=12),
    st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=100)
def test_sums_are_those_of_searchsorted(probabilities, edges, seed):
    generator = np.random.default_rng(seed)
    edges = np.sort(edges)
    probabilities = np.append(probabilities, edges)  # an edge belongs to the bin on its left
    outcomes = generator.integers(0, 2, len(probabilities))
    for weights in (ONE, generator.random(len(probabilities))):
        found = sums(outcomes, probabilities, weights, edges)
        expected = sums_by_numpy(outcomes, probabilities, weights, edges, len(edges) + 1)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("n", [1, 511, 512, 513, 5000])
@pytest.mark.parametrize("bins", [1, 2, 10, 1000])
@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_many_rows_and_bins(n, bins, dtype):
    generator = np.random.default_rng(n)
    outcomes = generator.integers(0, 2, n).astype(dtype)
    edges = np.linspace(0, 1, bins + 1)[1:-1]
    for p in (generator.random(n), generator.beta(0.2, 30, n), generator.random(n).round(1)):
        found = sums(outcomes, p, ONE, edges)
        np.testing.assert_allclose(found, sums_by_numpy(outcomes, p, ONE, edges, bins), rtol=1e-12)


def test_equal_edges_leave_bins_empty():
    found = sums(np.array([0, 1, 1]), np.array([0.3, 0.3, 0.9]), ONE, np.array([0.3, 0.3, 0.3]))
    assert found[:, 0].tolist() == [2, 0, 0, 1]


def test_the_bin_of_an_edge_that_rounding_would_push_up():
    edges = np.linspace(0, 1, 101)
    found = sums(np.array([1]), np.array([0.07]), ONE, edges[1:-1])
    assert np.flatnonzero(found[:, 0]).tolist() == [6]


@pytest.mark.parametrize("bad", [-1e-300, 1 + 2**-52, np.nan, np.inf, -np.inf])
def test_other_numbers_are_noticed(bad):
    found = np.zeros((2, 3))
    assert not bin_sums(np.array([0, 1]), np.array([0.5, bad]), ONE, np.array([0.5]), found)


@pytest.mark.parametrize("bad", [2, -1, 255])
def test_other_outcomes_are_noticed(bad):
    found = np.zeros((2, 3))
    assert not bin_sums(np.array([0, bad]), np.array([0.5, 0.5]), ONE, np.array([0.5]), found)


def test_means_leave_empty_bins_out():
    sums_of_bins = np.array([[2.0, 0.5, 1.0], [0, 0, 0], [4.0, 3.0, 4.0], [0, 0, 0]])
    means = np.empty((2, 4))
    assert bin_means(sums_of_bins, means) == 2
    assert means[:, :2].tolist() == [[0.5, 1.0], [0.25, 0.75]]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_quantiles_lie_between_their_neighbours(dtype):
    values = np.array([[0.0, 0.25, 0.5], [0.5, 0.75, 1.0], [-0.0, 0.75, 0.5]], dtype)
    edges = np.empty(3)
    assert quantiles(values, np.array([0.0, -0.5, 0.25]), edges)
    assert edges.tolist() == [0.0, 0.5, 0.625]
    assert not np.signbit(edges).any()


@pytest.mark.parametrize("values", [[-0.1, 0.5], [0.5, 1.1], [0.5, np.nan], [np.nan, np.nan]])
def test_quantiles_of_other_numbers_are_noticed(values):
    assert not quantiles(np.array([values] * 3), np.zeros(2), np.empty(2))


def test_slots_keep_the_order():
    generator = np.random.default_rng(0)
    p = np.append(generator.beta(0.3, 3, 500), [0.0, -0.0, 1.0])
    lowest, highest = 0, int(p.max().view(np.int64))
    shift = slot_width(lowest, highest, 256)
    counts = np.zeros(((highest - lowest) >> shift) + 1, np.int64)
    assert counts.size <= 256
    count_slots(p, lowest, shift, counts)
    assert counts.sum() == p.size
    through = counts.cumsum()
    for slot in np.flatnonzero(counts):
        wanted = np.zeros(counts.size, np.int64)
        wanted[slot] = 1
        collected = np.empty(counts[slot] + 1)
        assert collect_slots(p, lowest, shift, wanted, collected) == counts[slot]
        ranks = slice(through[slot] - counts[slot], through[slot])
        np.testing.assert_array_equal(np.sort(collected[:-1]), np.sort(p)[ranks])


@pytest.mark.parametrize("variable", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_no_index_leaves_its_array(variable, tmp_path):
    variables = {variable: 1, "NUMBA_CACHE_DIR": tmp_path}
    printed, _ = processes.run("-W", "error", "-m", "tests.kernels.edge_cases", **variables)
    assert json.loads(printed) == json.loads(edge_cases.as_json())
