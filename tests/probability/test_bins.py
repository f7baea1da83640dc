"""Edges of bins, and the order statistics they come from, to the last bit as NumPy has them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastmetrics.probability._bins import (
    SORTED_ROWS,
    order_statistics,
    quantile_edges,
    uniform_edges,
)

N_BINS = [1, 2, 3, 7, 10, 100]


def kinds(n):
    """Probabilities spread, skewed, tied, crowded, and at the ends."""
    generator = np.random.default_rng(n)
    yield generator.random(n)
    yield generator.beta(0.3, 30, n)
    yield generator.random(n).round(2)
    yield np.full(n, 0.3)
    yield (generator.random(n) < 0.5).astype(float)
    yield 0.3 + 1e-9 * generator.random(n)
    yield generator.random(n) * (generator.random(n) < 0.01)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.sampled_from(N_BINS))
@settings(deadline=None, max_examples=100)
def test_quantile_edges_are_percentiles(probabilities, n_bins):
    expected = np.percentile(probabilities, np.linspace(0, 1, n_bins + 1) * 100)
    assert quantile_edges(np.array(probabilities), n_bins).tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [SORTED_ROWS, SORTED_ROWS + 1, 50_000])
def test_quantile_edges_of_many_rows(n, dtype):
    for probabilities in kinds(n):
        probabilities = probabilities.astype(dtype)
        for n_bins in N_BINS:
            expected = np.percentile(probabilities, np.linspace(0, 1, n_bins + 1) * 100)
            assert quantile_edges(probabilities, n_bins).tolist() == expected.tolist()


def test_no_edge_is_negative_zero():
    for n in (5, SORTED_ROWS + 1):
        edges = quantile_edges(np.full(n, -0.0), 4)
        assert not np.signbit(edges).any()


@pytest.mark.parametrize("bad", [np.nan, -0.1, 1.1, np.inf])
def test_order_statistics_of_other_numbers_are_nan(bad):
    probabilities = np.full(SORTED_ROWS + 1, 0.5)
    probabilities[7] = bad
    assert np.isnan(order_statistics(probabilities, np.array([0, 5]))).all()


def test_uniform_edges():
    edges, inner = uniform_edges(10)
    assert edges.tolist() == np.linspace(0, 1, 11).tolist()
    assert inner.tolist() == edges[1:-1].tolist()
    assert uniform_edges(1)[1].size == 0
