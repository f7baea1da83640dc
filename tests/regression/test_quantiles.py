"""Weighted quantiles: against the definition in exact fractions, few rows and many."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastmetrics.regression import _quantiles
from fastmetrics.regression._quantiles import quantile
from tests import reference_regression as reference

ONE = np.ones(1)
LEVELS = [0.0, 0.125, 0.25, 0.5, 0.875, 1.0]


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 5)), min_size=1, max_size=20))
@settings(deadline=None)
def test_quantiles_of_few_rows(rows):
    values, weights = (np.array(column, float) for column in zip(*rows))
    weights[0] += 1
    for level in LEVELS:
        expected = float(reference.quantile(values, weights, level))
        assert quantile(values.copy(), weights, level) == expected
        assert quantile(values.copy(), weights / 8, level) == expected
        expected = float(reference.quantile(values, np.ones(len(values)), level))
        assert quantile(values.copy(), ONE, level) == expected


@pytest.mark.parametrize("n", [1, 2, 9, 10, 499, 500, 1001])
def test_a_half_is_the_median(n):
    values = np.random.default_rng(n).normal(size=n)
    assert quantile(values.copy(), ONE, 0.5) == np.median(values)
    assert quantile(values.copy(), np.full(n, 0.1), 0.5) == pytest.approx(np.median(values))


def test_rounding_keeps_no_sum_from_the_level():
    # ten times 0.1 are less than 1, five times are a half
    values = np.arange(10.0)
    for weight in (0.1, 0.7, 1e-20, 3e17):
        assert quantile(values.copy(), np.full(10, weight), 0.5) == 4.5


DATA = {
    "normal": lambda rng, n: rng.normal(size=n),
    "ties": lambda rng, n: rng.integers(0, 5, n).astype(float),
    "sorted": lambda rng, n: np.sort(rng.normal(size=n)),
    "skewed": lambda rng, n: np.exp(5 * rng.normal(size=n)),
    "constant": lambda rng, n: np.full(n, 0.1),
    "a rare high step": lambda rng, n: (np.arange(n) % 20 == 1) + rng.random(n),
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("n", [_quantiles._MANY, 50_001])
def test_many_rows_are_as_few(data, n, monkeypatch):
    rng = np.random.default_rng(1)
    values, weights = DATA[data](rng, n), rng.integers(0, 4, n).astype(float)
    found = [quantile(values.copy(), w, level) for w in (ONE, weights) for level in LEVELS]
    monkeypatch.setattr(_quantiles, "_MANY", n + 1)
    expected = [quantile(values.copy(), w, level) for w in (ONE, weights) for level in LEVELS]
    assert found == expected


def test_a_sample_without_weight_or_beside_the_quantile():
    n = 40_000
    values = np.random.default_rng(2).normal(size=n)
    weights = np.ones(n)
    weights[:: n // _quantiles._SAMPLE] = 0.0
    expected = np.median(values[weights > 0])
    assert quantile(values.copy(), weights, 0.5) == expected
    # the sample sees nothing but large values
    values[:: n // _quantiles._SAMPLE] = 100.0
    expected = np.median(values)
    assert quantile(values.copy(), ONE, 0.5) == expected
    assert quantile(values.copy(), np.ones(n), 0.5) == expected


def test_weighted_values_keep_their_order():
    values = np.array([3.0, 1.0, 2.0])
    quantile(values, np.ones(3), 0.5)
    assert values.tolist() == [3.0, 1.0, 2.0]
