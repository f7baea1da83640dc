"""Binomial counts follow their law, on both methods and across the change between them."""

import math

import numpy as np
import pytest
from scipy import stats

from fastmetrics.kernels.binomial import (
    REJECTION_MEAN,
    draw_share,
    draw_units,
    log_mass_ratio,
    next_binomial,
    split_draws,
    stirling_tail,
)
from fastmetrics.kernels.random import LANES
from tests.chance import (
    TOO_UNLIKELY,
    chi_square,
    chi_square_of_law,
    lane_states,
    uncorrelated,
)

LAWS = [
    # n, part, whole
    (1, 1, 2),
    (5, 1, 3),
    (3, 2, 3),
    (1000, 1, 10**5),
    (1000, 1, 1000),
    # just below, at and above a mean of 10
    (19, 1, 2),
    (20, 1, 2),
    (21, 1, 2),
    (99, 1, 10),
    (100, 1, 10),
    (101, 1, 10),
    (10**9 - 1, 1, 10**8),
    (10**9, 1, 10**8),
    # above one half the misses are drawn
    (20, 7, 8),
    (50, 3, 4),
    (1000, 999, 1000),
    (10**6, 2, 3),
    # large
    (200, 1, 2),
    (10**6, 5, 10**6),
    (10**6, 123_457, 10**6),
    (10**9, 12_345, 10**8),
    (2 * 10**9, 1, 3),
    (2**31, 2**29, 2**31 + 5),
]


def test_the_change_of_method_is_where_the_cases_above_expect_it():
    assert REJECTION_MEAN == 10.0


@pytest.mark.parametrize(("n", "part", "whole"), LAWS)
def test_one_count_is_binomial(n, part, whole):
    states = lane_states(n + part)
    draws = np.array([next_binomial(states, k % LANES, n, part, whole) for k in range(20_000)])
    assert draws.min() >= 0
    assert draws.max() <= n
    assert chi_square_of_law(draws, stats.binom(n, part / whole)) > TOO_UNLIKELY


@pytest.mark.parametrize(
    ("n", "part", "whole", "expected"),
    [(0, 1, 2, 0), (7, 0, 2, 0), (7, 2, 2, 7), (0, 0, 0, 0), (7, 0, 0, 0)],
)
def test_certain_counts_take_no_random_number(n, part, whole, expected):
    states = lane_states(0)
    before = states.copy()
    assert next_binomial(states, 0, n, part, whole) == expected
    np.testing.assert_array_equal(states, before)


def test_stirling_tail_is_that_of_the_factorial():
    logarithm = 0.0  # of k!, to 16 digits as a sum
    for k in range(3000):
        logarithm = math.fsum([logarithm, math.log(k)]) if k else 0.0
        series = (k + 0.5) * math.log(k + 1) - (k + 1) + math.log(2 * math.pi) / 2
        rounding = 1e-15 + 4e-16 * (1 + logarithm) * math.sqrt(1 + k)
        assert stirling_tail(float(k)) == pytest.approx(logarithm - series, abs=rounding)


@pytest.mark.parametrize("k", [10.0, 11.0, 50.0, 299.0, 300.0, 301.0, 1e4, 1e9])
def test_stirling_tail_is_that_of_the_long_series(k):
    x = k + 1
    terms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
    series = math.fsum(term / x ** (2 * i + 1) for i, term in enumerate(terms))
    assert stirling_tail(k) == pytest.approx(series, abs=1e-14)


@pytest.mark.parametrize(
    ("n", "p"), [(20, 0.5), (100, 0.1), (1000, 0.3), (10**6, 1e-5), (10**6, 0.5), (10**9, 1e-3)]
)
def test_mass_ratio_is_that_of_the_law(n, p):
    mode = math.floor((n + 1) * p)
    quantiles = stats.binom(n, p).ppf([1e-9, 1e-4, 0.1, 0.3, 0.5, 0.8, 0.99, 1 - 1e-7])
    for k in np.unique(quantiles).astype(int).tolist():
        # mass(i + 1) / mass(i) is (n - i) / (i + 1) p / (1 - p)
        steps = np.arange(min(k, mode), max(k, mode), dtype=float)
        expected = math.fsum(np.log((n - steps) / (steps + 1) * (p / (1 - p))))
        expected = expected if k > mode else -expected
        assert log_mass_ratio(float(k), float(n), p) == pytest.approx(expected, abs=2e-12)


SHARES = [(100, 1, 3), (100, 2, 3), (30, 1, 10), (30, 9, 10), (5, 1, 2), (10**6, 1, 7)]


@pytest.mark.parametrize(("n", "part", "whole"), SHARES)
def test_shares_of_all_lanes_are_binomial_and_unrelated(n, part, whole):
    states = lane_states(n)
    drawn = np.empty((500, LANES), np.int64)
    for share in drawn:
        remaining = np.full(LANES, n)
        draw_share(share, remaining, part, whole, states)
        np.testing.assert_array_equal(remaining, n - share)
    law = stats.binom(n, part / whole)
    assert chi_square_of_law(drawn.ravel(), law) > TOO_UNLIKELY
    assert chi_square_of_law(drawn[:, 0], law, cells=10) > TOO_UNLIKELY
    assert chi_square_of_law(drawn[:, -1], law, cells=10) > TOO_UNLIKELY
    assert uncorrelated(drawn) > TOO_UNLIKELY
    # one draw tells nothing of the next
    steps = np.column_stack([drawn[:-1].ravel(), drawn[1:].ravel()])
    assert uncorrelated(steps) > TOO_UNLIKELY


@pytest.mark.parametrize("fewest", [0, 200])
def test_every_lane_has_its_own_number_of_draws(fewest):
    # from 200 on all lanes draw side by side, with a lane at 0 each draws alone
    states = lane_states(7)
    totals = fewest + 10 * np.arange(LANES)
    drawn = np.empty((2000, LANES), np.int64)
    for share in drawn:
        draw_share(share, totals.copy(), 1, 4, states)
    assert np.all(drawn[:, totals == 0] == 0)
    for lane in (1, 5, 20, 63):
        law = stats.binom(totals[lane], 0.25)
        assert chi_square_of_law(drawn[:, lane], law, cells=15) > TOO_UNLIKELY


@pytest.mark.parametrize(("part", "whole", "hits"), [(0, 5, False), (5, 5, True), (0, 0, False)])
def test_a_certain_share_is_all_or_nothing(part, whole, hits):
    states = lane_states(8)
    share, remaining = np.empty(LANES, np.int64), np.arange(LANES)
    draw_share(share, remaining, part, whole, states)
    np.testing.assert_array_equal(share, np.arange(LANES) if hits else 0)
    np.testing.assert_array_equal(share + remaining, np.arange(LANES))


def test_draws_are_split_over_blocks_without_loss():
    states = lane_states(9)
    pool_rows = np.array([[100, 5], [0, 5], [100, 0], [7, 0]])
    totals = np.stack([np.arange(LANES) * 4, 60 - np.arange(LANES) % 60])
    shares = np.empty((4, 2, LANES), np.int64)
    left = totals.copy()
    split_draws(left, pool_rows, states, shares)
    np.testing.assert_array_equal(shares.sum(axis=0), totals)
    assert not left.any()
    assert shares.min() >= 0
    assert not shares[1, 0].any()
    assert not shares[2:, 1].any()


def test_split_draws_are_multinomial():
    states = lane_states(10)
    pool_rows = np.array([[3], [2], [1]])
    outcomes = np.zeros((5, 5), np.int64)
    shares = np.empty((3, 1, LANES), np.int64)
    for _ in range(400):
        split_draws(np.full((1, LANES), 4), pool_rows, states, shares)
        np.add.at(outcomes, (shares[0, 0], shares[1, 0]), 1)
    law = stats.multinomial(4, [3 / 6, 2 / 6, 1 / 6])
    expected = [
        [law.pmf([i, j, 4 - i - j]) if i + j <= 4 else 0.0 for j in range(5)] for i in range(5)
    ]
    possible = np.array(expected) > 0
    assert not outcomes[~possible].any()
    assert chi_square(outcomes[possible], np.array(expected)[possible]) > TOO_UNLIKELY


def test_units_share_all_draws_by_their_rows():
    states = lane_states(11)
    units, rows = np.array([4, 1, 2]), np.array([500, 300, 200])
    sums = np.zeros((5, LANES))
    squares = np.zeros((5, LANES))
    rounds, n = 300, 1000
    for _ in range(rounds):
        weights = np.zeros((5, LANES), np.int64)
        total = np.full(LANES, n)
        draw_units(weights, units, rows, total, states)
        assert np.all(weights.sum(axis=0) == n)
        assert not total.any()
        sums += weights
        squares += weights.astype(float) ** 2
    assert not sums[[0, 3]].any()
    p = np.array([0.0, 0.3, 0.2, 0.0, 0.5])
    size = rounds * LANES
    means = sums.sum(axis=1) / size
    variances = squares.sum(axis=1) / size - means**2
    drawn = [1, 2, 4]
    spread = n * p * (1 - p)
    z = (means[drawn] - n * p[drawn]) / np.sqrt(spread[drawn] / size)
    assert np.abs(z).max() < stats.norm.isf(TOO_UNLIKELY / 6)
    z = (variances[drawn] / spread[drawn] - 1) / math.sqrt(2 / size)
    assert np.abs(z).max() < stats.norm.isf(TOO_UNLIKELY / 6)
