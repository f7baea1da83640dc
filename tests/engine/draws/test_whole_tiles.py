"""Whole tiles follow the law of their design, whatever their size, width and order."""

import itertools
from collections import Counter
from math import comb

import numpy as np
import pytest
from scipy import stats

from fastmetrics.engine.draws import whole_tiles
from fastmetrics.engine.draws.designs import Items, cluster_items, merged_items, row_items
from fastmetrics.engine.draws.whole_tiles import BLOCK_REPLICATES, Drawing
from fastmetrics.kernels.resample import BLOCK
from tests.chance import TOO_UNLIKELY, chi_square, chi_square_of_law, mean_is, uncorrelated


def weights_of(items, law="multinomial", size=256, seed=0, lanes=None):
    """Weights (size, m) of the first replicates."""
    drawing = Drawing(items, law, np.random.SeedSequence(seed), lanes=lanes)
    found = []
    for block in range(-(-size // BLOCK_REPLICATES)):
        wanted = min(BLOCK_REPLICATES, size - block * BLOCK_REPLICATES)
        tiles = [
            tile.transpose(0, 2, 1).reshape(-1, items.size).copy()
            for tile in drawing.tiles(block, wanted)
        ]
        found.append(np.concatenate(tiles)[:wanted])
    return np.concatenate(found)


def pools(*sizes):
    """Rows in strata of these sizes."""
    return row_items(sum(sizes), np.repeat(np.arange(len(sizes)), sizes))


def outcomes(n):
    """Probability of every vector of counts of n draws from n."""
    found = Counter(
        tuple(np.bincount(rows, minlength=n).tolist())
        for rows in itertools.product(range(n), repeat=n)
    )
    return {counts: times / n**n for counts, times in found.items()}


def chi_square_of_vectors(drawn, probabilities):
    """P-value of vectors (size, m) under the probability of each; no other may come."""
    seen, times = np.unique(drawn, axis=0, return_counts=True)
    observed = dict(zip(map(tuple, seen.tolist()), times.tolist()))
    assert observed.keys() <= probabilities.keys()
    return chi_square([observed.get(key, 0) for key in probabilities], list(probabilities.values()))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_outcome_of_a_few_rows_has_its_probability(n):
    drawn = weights_of(row_items(n, None), size=60_000)
    assert chi_square_of_vectors(drawn, outcomes(n)) > TOO_UNLIKELY


def test_every_outcome_of_clusters_and_strata_has_its_probability():
    groups, strata = np.array([4, 1, 0, 0, 3, 2, 4]), np.array([1, 0, 1, 1, 0, 1, 1])
    items = cluster_items(groups, strata)
    assert items.pool_sizes.tolist() == [2, 3]
    drawn = weights_of(items, size=60_000)
    expected = {
        (*first, *second): p * q
        for (first, p), (second, q) in itertools.product(outcomes(2).items(), outcomes(3).items())
    }
    assert chi_square_of_vectors(drawn, expected) > TOO_UNLIKELY


def test_every_outcome_of_merged_rows_has_its_probability():
    # units of 1 and 3 rows: the first is drawn Binomial(4, 1/4) times
    drawn = weights_of(merged_items(np.array([1, 0, 1, 1]), None), size=60_000)
    expected = {(k, 4 - k): comb(4, k) * 3 ** (4 - k) / 4**4 for k in range(5)}
    assert chi_square_of_vectors(drawn, expected) > TOO_UNLIKELY


SIZES = pytest.mark.parametrize("n", [10, 31, 32, 40, 150, 700])


@SIZES
def test_every_row_is_drawn_binomially(n):
    drawn = weights_of(row_items(n, None), size=6_000, seed=n)
    assert (drawn.sum(axis=1) == n).all()
    law = stats.binom(n, 1 / n)
    values = [chi_square_of_law(column, law) for column in drawn.T[:60]]
    assert min(values) > TOO_UNLIKELY / len(values)
    # all rows together, though their counts are not quite independent
    assert chi_square_of_law(drawn[:, ::7].ravel(), law) > TOO_UNLIKELY


@SIZES
def test_every_pair_of_rows_is_drawn_jointly(n):
    drawn = weights_of(row_items(n, None), size=6_000, seed=n + 1).astype(float)
    # counts have variance 1 - 1/n and covariance -1/n; the mean of products is known, too
    some = drawn[:, np.unique(np.linspace(0, n - 1, 30).astype(int))]
    covariance = (some - 1).T @ (some - 1) / len(some)
    expected = np.full(covariance.shape, -1 / n) + np.eye(len(covariance))
    products = np.einsum("bi,bj->bij", some - 1, some - 1).std(axis=0)
    z = (covariance - expected) / (products / np.sqrt(len(some)))
    pairs = z[np.triu_indices(len(z), 1)]
    assert np.abs(pairs).max() < stats.norm.isf(TOO_UNLIKELY / pairs.size)
    assert abs(stats.kurtosis(pairs)) < 2
    assert mean_is(pairs, 0.0, 1.0) > TOO_UNLIKELY
    first, last = drawn[:, 0].astype(int), drawn[:, -1].astype(int)
    joint = {
        (i, j): stats.multinomial.pmf([i, j, n - i - j], n, [1 / n, 1 / n, 1 - 2 / n])
        for i, j in itertools.product(range(min(n, 9) + 1), repeat=2)
        if i + j <= n
    }
    rest = 1 - sum(joint.values())
    seen = Counter(zip(first.tolist(), last.tolist()))
    counts = [seen.pop(key, 0) for key in joint]
    p = chi_square([*counts, sum(seen.values())], [*joint.values(), max(rest, 0.0)])
    assert p > TOO_UNLIKELY


@pytest.mark.parametrize("n", [BLOCK, BLOCK + 1, 2 * BLOCK - 3, 3 * BLOCK + 40])
def test_large_tiles_are_drawn_from_all_blocks_alike(n):
    drawn = weights_of(row_items(n, None), size=512)
    assert (drawn.sum(axis=1) == n).all()
    for part in (
        slice(0, BLOCK),
        slice(BLOCK, None),
        slice(n - 5, None),
        slice(BLOCK - 3, BLOCK + 3),
    ):
        size = len(range(*part.indices(n)))
        if 0 < size < n:
            law = stats.binom(n, size / n)
            sums = drawn[:, part].sum(axis=1, dtype=int)
            assert chi_square_of_law(sums, law, cells=15) > TOO_UNLIKELY
    # a few cells of one replicate each: the marginal law of a row
    assert chi_square_of_law(drawn[::9, ::11].ravel(), stats.binom(n, 1 / n)) > TOO_UNLIKELY


STRATA = {
    "few": (1, 2, 3, 50, 100, 33),
    "with empty ones": (4, 0, 40, 0, 0, 7),
    "longer than a block": (2 * BLOCK + 5, 3, BLOCK + 800, 40),
    "many tiny ones": (1, 2, 3, 2) * 3000,
    "blocks that just fit": (BLOCK - 1, 1, BLOCK, 1, BLOCK + 1, BLOCK),
}


@pytest.mark.parametrize("kind", STRATA)
@pytest.mark.parametrize("merged", [False, True], ids=["rows", "merged"])
def test_strata_keep_their_size(kind, merged):
    sizes = np.array(STRATA[kind])
    items = pools(*sizes)
    if merged:
        strata = np.repeat(np.arange(sizes.size), sizes)
        # two units in each stratum of two rows or more
        first = np.concatenate([[True], np.diff(strata) > 0])
        items = merged_items(np.unique(2 * strata + first, return_inverse=True)[1], strata)
    drawn = weights_of(items, size=128)
    starts = np.cumsum(items.pool_sizes) - items.pool_sizes
    filled = items.pool_sizes > 0
    totals = np.add.reduceat(drawn.astype(np.int64), starts[filled], axis=1)
    np.testing.assert_array_equal(totals, np.tile(sizes[filled], (128, 1)))


def test_each_stratum_is_multinomial_and_independent_of_the_others():
    sizes = STRATA["few"]
    drawn = weights_of(pools(*sizes), size=8_000)
    starts = np.cumsum(sizes) - sizes
    assert (drawn[:, 0] == 1).all()
    assert chi_square_of_vectors(drawn[:, 1:3], outcomes(2)) > TOO_UNLIKELY
    assert chi_square_of_vectors(drawn[:, 3:6], outcomes(3)) > TOO_UNLIKELY
    for start, size in zip(starts[3:], sizes[3:]):
        law = stats.binom(size, 1 / size)
        for row in (start, start + size // 2, start + size - 1):
            assert chi_square_of_law(drawn[:, row], law) > TOO_UNLIKELY
        half = drawn[:, start : start + size // 2].sum(axis=1, dtype=int)
        assert chi_square_of_law(half, stats.binom(size, (size // 2) / size)) > TOO_UNLIKELY
    columns = drawn[:, [1, 3, 4, starts[3], starts[4], starts[5]]].astype(float)
    across = np.column_stack([columns[:, 0], columns[:, 1], columns[:, 3:]])
    assert uncorrelated(across) > TOO_UNLIKELY


def test_many_tiny_strata_are_each_multinomial():
    sizes = np.array(STRATA["many tiny ones"])
    drawn = weights_of(pools(*sizes), size=64)
    starts = np.cumsum(sizes) - sizes
    for size in (2, 3):
        mine = starts[sizes == size]
        vectors = np.stack([drawn[:, mine + k] for k in range(size)], axis=-1)
        assert chi_square_of_vectors(vectors.reshape(-1, size), outcomes(size)) > TOO_UNLIKELY
    assert (drawn[:, starts[sizes == 1]] == 1).all()


def test_a_stratum_longer_than_a_block_is_uniform_over_its_rows():
    sizes = STRATA["longer than a block"]
    drawn = weights_of(pools(*sizes), size=512)
    n = sizes[0]
    for first, last in ((0, BLOCK), (BLOCK, 2 * BLOCK), (2 * BLOCK, n), (100, 130)):
        sums = drawn[:, first:last].sum(axis=1, dtype=int)
        assert chi_square_of_law(sums, stats.binom(n, (last - first) / n), cells=15) > TOO_UNLIKELY
    start = sizes[0] + sizes[1]
    sums = drawn[:, start : start + BLOCK].sum(axis=1, dtype=int)
    law = stats.binom(sizes[2], BLOCK / sizes[2])
    assert chi_square_of_law(sums, law, cells=15) > TOO_UNLIKELY


@pytest.mark.parametrize("stratified", [False, True])
def test_merged_items_have_the_law_of_their_rows(stratified):
    # units on both sides of the size up to which rows are drawn one by one
    sizes = np.array([5, 200, 40, 48, 1, 49, 100, 7, 1000])
    unit = np.repeat(np.arange(9), sizes)
    strata = (unit % 2) if stratified else None
    items = merged_items(unit, strata)
    drawn = weights_of(items, size=8_000)
    place = items.places[np.cumsum(sizes) - 1]
    for k, size in enumerate(sizes):
        n = sizes.sum() if strata is None else sizes[k % 2 :: 2].sum()
        law = stats.binom(n, size / n)
        assert chi_square_of_law(drawn[:, place[k]], law) > TOO_UNLIKELY
    # the sums of their rows, drawn row by row
    rows = row_items(unit.size, strata)
    plain = weights_of(rows, size=2_000, seed=1)[:, rows.places]
    summed = np.add.reduceat(plain.astype(int), np.cumsum(sizes) - sizes, axis=1)
    for k in range(9):
        assert stats.ks_2samp(summed[:, k], drawn[:, place[k]]).pvalue > TOO_UNLIKELY
    expected, found = np.cov(summed, rowvar=False), np.cov(drawn[:, place], rowvar=False)
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    np.testing.assert_allclose(found / scale, expected / scale, atol=6 / np.sqrt(2_000))


@pytest.mark.parametrize("kind", ["rows", "many rows", "merged", "clusters"])
def test_poisson_counts_are_independent(kind):
    unit = np.repeat(np.arange(4), [1, 30, 60, 9])
    items, rates, size = {
        "rows": (row_items(40, None), np.ones(40), 10_000),
        "many rows": (row_items(BLOCK + 900, None), np.ones(BLOCK + 900), 256),
        "merged": (merged_items(unit, None), np.array([1, 30, 60, 9]), 10_000),
        "clusters": (cluster_items(unit, None), np.ones(4), 10_000),
    }[kind]
    drawn = weights_of(items, "poisson", size)
    some = np.unique(np.linspace(0, items.size - 1, 12).astype(int))
    for column in some:
        assert chi_square_of_law(drawn[:, column], stats.poisson(rates[column])) > TOO_UNLIKELY
    totals = drawn.sum(axis=1, dtype=int)
    assert chi_square_of_law(totals, stats.poisson(rates.sum()), cells=15) > TOO_UNLIKELY
    assert uncorrelated(drawn[:, some].astype(float)) > TOO_UNLIKELY


@pytest.mark.parametrize("kind", ["rows", "merged", "clusters"])
def test_bayesian_weights_are_those_of_a_dirichlet_law(kind):
    unit = np.repeat(np.arange(5), [1, 3, 6, 9, 1])
    items, shapes = {
        "rows": (row_items(20, None), np.ones(20)),
        "merged": (merged_items(unit, None), np.array([1, 3, 6, 9, 1])),
        "clusters": (cluster_items(unit, None), np.ones(5)),
    }[kind]
    drawn = weights_of(items, "bayesian", 4_000)
    total = shapes.sum()
    for column, shape in zip(drawn.T, shapes):
        assert stats.kstest(column, stats.gamma(shape).cdf).pvalue > TOO_UNLIKELY
    shares = drawn / drawn.sum(axis=1, keepdims=True)
    for column, shape in zip(shares.T, shapes):
        assert stats.kstest(column, stats.beta(shape, total - shape).cdf).pvalue > TOO_UNLIKELY
        variance = shape * (total - shape) / total**2 / (total + 1)
        assert mean_is(column, shape / total, variance) > TOO_UNLIKELY
    mean = shapes / total
    expected = (np.diag(mean) - np.outer(mean, mean)) / (total + 1)
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    np.testing.assert_allclose(np.cov(shares.T) / scale, expected / scale, atol=5 / np.sqrt(4_000))
    assert uncorrelated(drawn) > TOO_UNLIKELY


def test_bayesian_weights_of_a_stratum_add_up_to_its_draws():
    strata = np.repeat([0, 2, 3], [4, 6, 10])
    drawn = weights_of(row_items(20, strata), "bayesian", 3_000)
    for start, size in ((0, 4), (4, 6), (10, 10)):
        own = drawn[:, start : start + size]
        np.testing.assert_allclose(own.sum(axis=1), size, rtol=1e-12)
        law = stats.beta(1, size - 1)
        for column in own.T:
            assert stats.kstest(column / size, law.cdf).pvalue > TOO_UNLIKELY
    merged = merged_items(np.repeat(np.arange(4), [3, 1, 6, 10]), strata)
    totals = np.add.reduceat(weights_of(merged, "bayesian", 64), [0, 2, 3], axis=1)
    np.testing.assert_allclose(totals, np.tile([4.0, 6.0, 10.0], (64, 1)), rtol=1e-12)


LARGE = {
    "rows": row_items(BLOCK + 700, None),
    "strata": pools(BLOCK + 5, 3, 900, 31, 64),
    "tiny strata": pools(*[1, 2, 5] * 1200),
}


@pytest.mark.parametrize("lanes", [8, 16, 32])
@pytest.mark.parametrize("law", ["multinomial", "poisson"])
@pytest.mark.parametrize("kind", LARGE)
def test_narrow_tiles_are_slices_of_wide_ones(kind, law, lanes):
    items = LARGE[kind]
    if law == "poisson" and kind != "rows":
        items = row_items(items.size, None)
    wide = weights_of(items, law, 300)
    np.testing.assert_array_equal(weights_of(items, law, 300, lanes=lanes), wide)
    narrow = Drawing(items, law, np.random.SeedSequence(0), lanes=lanes)
    assert next(narrow.tiles(0, 64)).shape[2] == lanes


def test_very_large_tiles_are_narrow_and_the_same(monkeypatch):
    items = LARGE["strata"]
    wide = weights_of(items, size=128), weights_of(items, "bayesian", 128)
    monkeypatch.setattr(whole_tiles, "WIDE_TILE_BYTES", 64 * items.size - 1)
    monkeypatch.setattr(whole_tiles, "WIDE_BAYESIAN_BYTES", 8 * 64 * items.size - 1)
    for law, expected in zip(("multinomial", "bayesian"), wide):
        shapes = {
            tile.shape[2] for tile in Drawing(items, law, np.random.SeedSequence(0)).tiles(0, 128)
        }
        assert shapes == ({32} if law == "multinomial" else {8})
        np.testing.assert_array_equal(weights_of(items, law, 128), expected)


DRAWN = {
    "rows": (row_items(50, None), "multinomial"),
    "many rows": (LARGE["rows"], "multinomial"),
    "strata": (LARGE["strata"], "multinomial"),
    "poisson": (row_items(50, None), "poisson"),
    "merged": (merged_items(np.arange(300) % 7 % 5, None), "multinomial"),
    "merged poisson": (merged_items(np.arange(300) % 7 % 5, None), "poisson"),
    "merged strata": (merged_items(np.arange(300) % 8, np.arange(300) % 2), "multinomial"),
    "bayesian": (row_items(50, None), "bayesian"),
    "merged bayesian": (merged_items(np.arange(300) % 7 % 5, None), "bayesian"),
}


@pytest.mark.parametrize("kind", DRAWN)
def test_the_first_replicates_are_those_of_a_shorter_run(kind):
    items, law = DRAWN[kind]
    whole = weights_of(items, law, 256)
    for size in (1, 63, 64, 65, 200):
        np.testing.assert_array_equal(weights_of(items, law, size), whole[:size])


@pytest.mark.parametrize("kind", DRAWN)
def test_blocks_seeds_and_data_sets_have_streams_of_their_own(kind):
    items, law = DRAWN[kind]

    def first(seed=0, block=0, data_set=0):
        drawing = Drawing(items, law, np.random.SeedSequence(seed), data_set)
        return next(drawing.tiles(block, 64))[0].copy()

    streams = [first(), first(seed=1), first(block=1), first(data_set=1)]
    np.testing.assert_array_equal(first(), streams[0])
    for one, other in itertools.combinations(streams, 2):
        assert not np.array_equal(one, other)
    if items.size < 100:
        means = 1 if items.rows is None else items.rows[:-1, None]
        flat = np.column_stack([(stream[:-1] - means).ravel() for stream in streams]).astype(float)
        assert uncorrelated(flat) > TOO_UNLIKELY


@pytest.mark.parametrize("law", ["multinomial", "poisson", "bayesian"])
def test_one_item_alone(law):
    drawn = weights_of(row_items(1, None), law, 300)
    assert drawn.shape == (300, 1)
    if law == "multinomial":
        assert (drawn == 1).all()
    elif law == "poisson":
        assert chi_square_of_law(drawn[:, 0], stats.poisson(1)) > TOO_UNLIKELY
    else:
        assert stats.kstest(drawn[:, 0], stats.expon.cdf).pvalue > TOO_UNLIKELY


def test_strata_of_one_row_each_are_always_drawn_once():
    for n in (30, 2 * BLOCK):
        items = Items(np.arange(n, dtype=np.uint32), np.ones(n, np.int64))
        assert (weights_of(items, size=64) == 1).all()
