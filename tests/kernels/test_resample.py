"""Tiles hold exactly multinomial counts: every total, moment, tail and outcome of tiny samples."""

import math

import numpy as np
import pytest
from scipy import stats

from fastmetrics.engine.draws.sorted_rows import place_rows, rate_tables
from fastmetrics.kernels.binomial import split_draws
from fastmetrics.kernels.random import LANES, next_uniform
from fastmetrics.kernels.resample import (
    BLOCK,
    _fill,
    _resolve,
    add_rows,
    draw_tiles,
    scale_tiles,
)
from tests.chance import (
    TOO_UNLIKELY,
    chi_square,
    chi_square_of_law,
    lane_states,
    mean_is,
    uncorrelated,
    wide_states,
)
from tests.kernels.test_random import xoshiro


def table_of(rate, size=1):
    """Tables of one Poisson rate, used from this many rows on."""
    mass = np.array([math.exp(k * math.log(rate) - rate - math.lgamma(k + 1)) for k in range(64)])
    whole = np.floor(65536 * mass[:6])
    left = mass.copy()
    left[:6] -= whole / 65536
    tail = np.cumsum(left) / left.sum()
    tail[-1] = np.inf
    return np.array([size]), np.cumsum(whole).astype(np.uint16)[None], tail[None]


def draw(pool_rows, totals, tiles, seed, tables=None):
    """Counts (tiles, rows, 64) of pools that each get their total (pools,) in every lane."""
    pool_rows = np.array(pool_rows)
    shares = np.empty((tiles, pool_rows.size, LANES), np.int64)
    shares[:] = np.array(totals)[:, None]
    filled = np.full((tiles, pool_rows.sum(), LANES), 77, np.uint8)
    tables = rate_tables() if tables is None else tables
    draw_tiles(filled, pool_rows, shares, tables, wide_states(seed), lane_states(seed))
    return filled.astype(np.int64)


def outcomes(rows, total):
    """All counts (outcomes, rows) that add up to the total, and their multinomial mass."""
    if rows == 1:
        counts = np.array([[total]])
    else:
        counts = np.concatenate(
            [
                np.insert(outcomes(rows - 1, total - first)[0], 0, first, axis=1)
                for first in range(total + 1)
            ]
        )
    return counts, stats.multinomial(total, np.full(rows, 1 / rows)).pmf(counts)


def p_of_outcomes(replicates, total):
    """P-value of replicates (B, rows) under the multinomial, over every single outcome."""
    rows = replicates.shape[1]
    counts, mass = outcomes(rows, total)
    base = (total + 1) ** np.arange(rows)
    codes, seen = np.unique(replicates @ base, return_counts=True)
    known = counts @ base
    assert np.isin(codes, known).all()
    observed = np.zeros(known.size)
    observed[[np.flatnonzero(known == code)[0] for code in codes]] = seen
    return chi_square(observed, mass)


def as_replicates(tiles):
    """Counts (tiles, rows, 64) to (tiles * 64, rows)."""
    return tiles.transpose(0, 2, 1).reshape(-1, tiles.shape[1])


# without a table rows are drawn directly; a low rate adds, a high one removes
TABLES = {
    "direct": None,
    "adding": table_of(0.3),
    "both": table_of(1.0),
    "removing": table_of(2.5),
    "only tails": table_of(5.0),
}


@pytest.mark.parametrize("way", TABLES)
@pytest.mark.parametrize(("rows", "total"), [(1, 3), (2, 2), (3, 3), (4, 4), (3, 1), (2, 9)])
def test_every_outcome_of_a_tiny_sample_has_its_probability(rows, total, way):
    replicates = as_replicates(draw([rows], [total], 2000, rows + total, TABLES[way]))
    np.testing.assert_array_equal(replicates.sum(axis=1), total)
    if rows > 1:
        assert p_of_outcomes(replicates, total) > TOO_UNLIKELY


@pytest.mark.parametrize("total", [0, 1, 2, 5, 20, 64, 200, 640])
@pytest.mark.parametrize("rows", [31, 32, 64, 500])
def test_totals_are_exactly_what_was_asked(rows, total):
    tiles = draw([rows], [total], 3, rows)
    np.testing.assert_array_equal(tiles.sum(axis=1), total)
    assert tiles.min() >= 0
    assert tiles.max() < 60


@pytest.mark.parametrize("total", [2, 3, 100])
def test_totals_far_from_the_rows_leave_a_uniform_draw(total):
    # of about 25 Poisson draws all but two or three are removed, or 75 are added
    replicates = as_replicates(draw([40], [total], 2000, total))
    if total < 10:
        pairs = (replicates == 1).sum(axis=1) == total
        apart = np.prod([(40 - k) / 40 for k in range(total)])
        assert mean_is(pairs, apart, apart * (1 - apart)) > TOO_UNLIKELY
    sums = replicates.sum(axis=0)
    assert chi_square(sums, np.full(40, 1 / 40)) > TOO_UNLIKELY
    law = stats.binom(total, 1 / 40)
    for row in (0, 17, 39):
        assert chi_square_of_law(replicates[:, row], law) > TOO_UNLIKELY


def test_pools_lanes_and_tiles_have_totals_of_their_own():
    pool_rows = np.array([50, 0, 3, 200])
    shares = np.random.default_rng(0).integers(0, 150, (4, 4, LANES))
    shares[:, 1] = 0
    asked = shares.copy()
    tiles = np.empty((4, 253, LANES), np.uint8)
    draw_tiles(tiles, pool_rows, shares, rate_tables(), wide_states(1), lane_states(1))
    bounds = np.cumsum([0, *pool_rows])
    for pool in range(4):
        held = tiles[:, bounds[pool] : bounds[pool + 1]].sum(axis=1, dtype=np.int64)
        np.testing.assert_array_equal(held, asked[:, pool])


def test_counts_are_the_bounds_that_16_bits_reach():
    wide = wide_states(4)
    generators = [list(map(int, column)) for column in wide.T]
    _, (bounds,), _ = table_of(1.0)
    tile = np.full((30, LANES), 77, np.uint8)
    _fill(tile, 5, 25, wide, bounds)
    words = np.array([[xoshiro(state) for state in generators] for _ in range(20)], np.uint64)
    halves = words.view(np.uint16)
    np.testing.assert_array_equal(tile[5:25], (halves[:, :, None] >= bounds).sum(axis=2))
    assert np.all(tile[:5] == 77)
    assert np.all(tile[25:] == 77)


def test_what_16_bits_leave_open_is_drawn_from_the_tail():
    tail = np.array([0.1, 0.1, 0.4, 0.5, 0.9, np.inf])
    tile = np.random.default_rng(0).choice(np.array([0, 2, 5, 6], np.uint8), (40, LANES))
    expected, lanes = tile.copy(), lane_states(6)
    replay = lanes.copy()
    _resolve(tile, 0, 40, tail, lanes)
    for row, lane in zip(*np.nonzero(expected == 6), strict=True):
        expected[row, lane] = np.searchsorted(tail, next_uniform(replay, lane), side="right")
    np.testing.assert_array_equal(tile, expected)


def test_tables_hold_the_poisson_law_to_the_last_bit():
    sizes, bounds, tails = rate_tables()
    for size, reached, tail in zip(sizes, bounds.astype(int), tails, strict=True):
        mass = np.diff(reached, prepend=0) / 65536
        left = 1 - mass.sum()
        mass = np.concatenate([mass, np.zeros(58)])
        # the last entry is infinite, so that every uniform ends somewhere
        mass += left * np.diff(np.minimum(tail, 1.0), prepend=0)
        rate = mass @ np.arange(64)
        assert 0.5 < rate < 1.0
        assert np.sqrt(size) * (1 - rate) == pytest.approx(2.5, abs=1e-9)
        np.testing.assert_allclose(mass, stats.poisson(rate).pmf(np.arange(64)), atol=2e-16)


SIZES = [10, 40, 300, 2000, BLOCK]


@pytest.mark.parametrize("rows", SIZES)
def test_moments_are_multinomial(rows):
    tiles = draw([rows], [rows], max(4, 20_000 // rows), rows)
    counts = as_replicates(tiles)
    law = stats.binom(rows, 1 / rows)
    # rows of equal totals: only what differs between rows can be off, the mean over all is 1
    sums = counts.sum(axis=0)
    assert chi_square(sums, np.full(rows, 1 / rows)) > TOO_UNLIKELY
    # E[(c - 1)^2] is 1 - 1/n; a replicate's mean over its rows is one independent value, whose
    # variance comes from the replicates themselves
    squares = ((counts - 1) ** 2).mean(axis=1)
    assert law.var() == pytest.approx(1 - 1 / rows)
    assert mean_is(squares, 1 - 1 / rows, squares.var(ddof=1)) > TOO_UNLIKELY
    # neighbours, and rows at some distance, have covariance -1/n
    for distance in (1, 2, 3, 7):
        products = ((counts[:, :-distance] - 1) * (counts[:, distance:] - 1)).mean(axis=1)
        assert mean_is(products, -1 / rows, products.var(ddof=1)) > TOO_UNLIKELY


@pytest.mark.parametrize(("rows", "total"), [(10, 10), (300, 300), (300, 200), (BLOCK, BLOCK)])
def test_counts_follow_their_law_up_to_eight_and_beyond(rows, total):
    # the counts of one replicate lean on each other, which makes the statistic smaller, not larger
    tiles = draw([rows], [total], max(4, 40_000 // rows), rows + total)
    law = stats.binom(total, 1 / rows)
    observed = np.bincount(tiles.ravel(), minlength=9)
    beyond = observed[9:].sum()
    masses = law.pmf(np.arange(9))
    assert chi_square([*observed[:9], beyond], [*masses, law.sf(8)]) > TOO_UNLIKELY


def test_tails_follow_their_law():
    # 10 million counts: 100 of 8 and 11 beyond are expected
    tiles = draw([BLOCK], [BLOCK], 20, 3)
    law = stats.poisson(tiles.size * stats.binom(BLOCK, 1 / BLOCK).sf([5, 6, 7, 8]))
    seen = np.array([(tiles > k).sum() for k in (5, 6, 7, 8)])
    assert np.all(law.cdf(seen) > TOO_UNLIKELY)
    assert np.all(law.sf(seen - 1) > TOO_UNLIKELY)


@pytest.mark.parametrize("rows", [20, 200])
def test_lanes_and_tiles_are_uncorrelated(rows):
    tiles = draw([rows], [rows], 600, rows)
    slope = np.linspace(-1, 1, rows)
    for statistic in (
        np.einsum("tij,i->tj", tiles, slope),
        tiles[:, 0].astype(float),
        (tiles == 0).sum(axis=1).astype(float),
    ):
        assert uncorrelated(statistic) > TOO_UNLIKELY
        following = np.column_stack([statistic[:-1].ravel(), statistic[1:].ravel()])
        assert uncorrelated(following) > TOO_UNLIKELY


def draw_blocks(labels, totals, seed):
    """Counts (n, 64) of sorted rows in blocks; each class gets its total in every lane."""
    slots, pool_rows = place_rows(labels)
    wide, lanes = wide_states(seed), lane_states(seed)
    shares = np.empty((len(pool_rows), 2, LANES), np.int64)
    asked = np.empty((2, LANES), np.int64)
    asked[:] = np.array(totals)[:, None]
    split_draws(asked, pool_rows, lanes, shares)
    counts = np.empty((labels.size, LANES), np.uint8)
    for block, start in enumerate(range(0, labels.size, BLOCK)):
        rows = slice(start, start + BLOCK)
        tiles = np.empty((1, int(pool_rows[block].sum()), LANES), np.uint8)
        draw_tiles(tiles, pool_rows[block], shares[block][None], rate_tables(), wide, lanes)
        counts[rows] = tiles[0, slots[rows]]
    return counts


@pytest.mark.parametrize("n", [BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17])
def test_blocks_share_all_draws_of_a_class(n):
    labels = (np.random.default_rng(n).random(n) < 0.3).astype(np.uint8)
    class_rows = np.bincount(labels)
    share_of_first = []
    for seed in range(30):
        counts = draw_blocks(labels, class_rows, seed)
        for label in (0, 1):
            held = counts[labels == label].sum(axis=0, dtype=np.int64)
            np.testing.assert_array_equal(held, class_rows[label])
        share_of_first.append(counts[: BLOCK - 1][labels[: BLOCK - 1] == 1].sum(axis=0))
    inside = labels[: BLOCK - 1].sum()
    law = stats.binom(class_rows[1], inside / class_rows[1])
    if law.var() > 0.5:
        assert chi_square_of_law(np.ravel(share_of_first), law, cells=15) > TOO_UNLIKELY


def test_counts_are_scaled_by_the_weights_of_their_rows():
    generator = np.random.default_rng(0)
    tiles = generator.integers(0, 9, (2, 50, LANES)).astype(np.uint8)
    slots = generator.permutation(50)[:30].astype(np.uint32)
    weights = generator.random(30)
    scaled = np.empty((2, 30, LANES))
    scale_tiles(tiles, slots, weights, scaled)
    np.testing.assert_array_equal(scaled, tiles[:, slots] * weights[:, None])


def test_rows_are_added_to_their_units():
    generator = np.random.default_rng(0)
    tile = generator.integers(0, 9, (50, LANES)).astype(np.uint8)
    units = np.sort(generator.integers(0, 7, 50))
    sums = np.ones((8, LANES), np.int64)
    add_rows(tile, units, sums)
    expected = np.array([1 + tile[units == unit].sum(axis=0, dtype=np.int64) for unit in range(8)])
    np.testing.assert_array_equal(sums, expected)
