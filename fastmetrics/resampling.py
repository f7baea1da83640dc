"""Drawn replicates: seeds, totals per class, blocks of replicates over threads.

Conventions
-----------
A block is 256 replicates, four tiles of 64 lanes. Block k draws from streams of its own, keyed by
``spawn_key = root.spawn_key + (tag, purpose, data set, k)``, so that the numbers depend on the
seed alone: not on the number of threads, nor on how many replicates follow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.description import Floats
from fastmetrics.evaluation import sum_units
from fastmetrics.kernels import binomial as _binomial
from fastmetrics.kernels import resample as _resample
from fastmetrics.kernels import units as _unit_kernels
from fastmetrics.kernels.resample import BLOCK as BLOCK_ROWS
from fastmetrics.passes import Pass, class_totals
from fastmetrics.statistics import SweepRequest
from fastmetrics.units import Units

Integers = npt.NDArray[np.int64]
Resampling = Literal["multinomial", "poisson"]

BLOCK_REPLICATES = 256
LANES = 64
# fast "boot" in letters: keeps our streams apart from others spawned off the same root
STREAM_TAG = 0x626F6F74
TOTALS, DRAWS = 0, 1
# a binomial draw costs as much as this many rows of a tile
SMALL_UNIT_ROWS = 48
RATE_SHIFT = 2.5
COMMON_COUNTS = 6
WEIGHTED_ROWS = 1024


@cache
def rate_tables() -> tuple[Integers, npt.NDArray[np.uint16], Floats]:
    """Poisson tables per number of rows: sizes (s,), bounds (s, 6), cumulative tails (s, 64).

    The rate lies ``RATE_SHIFT`` standard deviations of the total below one draw per row, so that
    draws are mostly added, seldom removed. ``floor(65536 p_k)`` of the 65536 values of 16 bits
    stand for each count k below 6; what is left over is decided by the tail.
    """
    sizes = np.unique(np.round(2.0 ** np.arange(5, 13.25, 0.25))).astype(np.int64)
    bounds = np.empty((sizes.size, COMMON_COUNTS), np.uint16)
    tails = np.empty((sizes.size, 64))
    for level, size in enumerate(sizes):
        rate = 1.0 - RATE_SHIFT / math.sqrt(size)
        mass = np.array(
            [math.exp(k * math.log(rate) - rate - math.lgamma(k + 1)) for k in range(64)]
        )
        whole = np.floor(65536 * mass[:COMMON_COUNTS])
        bounds[level] = np.cumsum(whole)
        mass[:COMMON_COUNTS] -= whole / 65536
        tails[level] = np.cumsum(mass) / mass.sum()
        tails[level, -1] = np.inf
    return sizes, bounds, tails


def root_sequence(rng: Any) -> np.random.SeedSequence:
    """Return the seed sequence of an ``rng`` argument: None, int, SeedSequence or Generator."""
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(rng.integers(0, 2**32, size=4, dtype=np.uint32).tolist())
    if rng is None:
        return np.random.SeedSequence()
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool):
        if rng < 0:
            raise ValueError(f"rng={rng}: a seed is 0 or more")
        return np.random.SeedSequence(int(rng))
    raise TypeError(
        f"rng is a {type(rng).__name__}: give None, an int, a SeedSequence or a Generator"
    )


def _stream(
    root: np.random.SeedSequence, purpose: int, data_set: int, block: int
) -> np.random.SeedSequence:
    """Return the seed of one block's stream for one purpose."""
    key = (*root.spawn_key, STREAM_TAG, purpose, data_set, block)
    return np.random.SeedSequence(root.entropy, spawn_key=key, pool_size=root.pool_size)


def _generators(
    seed: np.random.SeedSequence,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return the states of 16 wide generators and of one generator per lane."""
    words = seed.generate_state(4 * (16 + LANES), np.uint64)
    return words[:64].reshape(4, 16).copy(), words[64:].reshape(4, LANES).copy()


@dataclass(frozen=True)
class Design:
    """How the draws of a replicate are shared out between the classes."""

    resampling: Resampling
    by_class: bool

    def totals(self, class_rows: tuple[int, int], generator: np.random.Generator) -> Integers:
        """Draws (256, 2) of negatives and positives in each replicate of a block."""
        negatives, positives = class_rows
        n = negatives + positives
        if self.resampling == "poisson":
            return generator.poisson(class_rows, (BLOCK_REPLICATES, 2))
        if self.by_class:
            return np.tile(np.array(class_rows), (BLOCK_REPLICATES, 1))
        drawn = generator.binomial(n, positives / n, BLOCK_REPLICATES)
        return np.stack([n - drawn, drawn], axis=1)


def draw_replicates(
    units: Units,
    request: SweepRequest,
    design: Design,
    n_resamples: int,
    root: np.random.SeedSequence,
    *,
    first: int = 0,
    data_set: int = 0,
    n_jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> Floats:
    """Sums (n_resamples - first, columns) of replicates, drawn as units or rows, whichever is less.

    Parameters
    ----------
    units : the data
    request : what each replicate computes
    design : how draws are shared out
    n_resamples : number of replicates
    root : seed
    first : replicates that are there already and are not drawn again
    data_set : number of the data set in a study
    n_jobs : threads
    advance : called with the number of replicates done after each block
    """
    run = (_prepare_units if units.merged else _prepare_rows)(units, request)
    sums = np.full((n_resamples - first, request.columns), np.nan)
    first_block = first // BLOCK_REPLICATES

    def block(place: int) -> None:
        k = first_block + place
        generator = np.random.Generator(np.random.PCG64(_stream(root, TOTALS, data_set, k)))
        totals = design.totals(units.class_rows, generator)
        start = k * BLOCK_REPLICATES
        size = min(BLOCK_REPLICATES, n_resamples - start)
        tiles = -(-size // LANES) * LANES
        drawn = run(totals[:tiles], _generators(_stream(root, DRAWS, data_set, k)))
        skipped = max(first - start, 0)
        sums[start + skipped - first : start + size - first] = drawn[skipped:size]
        if advance is not None:
            advance(size - skipped)

    _run_blocks(block, -(-n_resamples // BLOCK_REPLICATES) - first_block, n_jobs)
    return sums


def _run_blocks(block: Callable[[int], None], blocks: int, n_jobs: int) -> None:
    """Run the blocks, over threads where there are several of both; Ctrl-C drops the rest."""
    if n_jobs == 1 or blocks == 1:
        for k in range(blocks):
            block(k)
        return
    with ThreadPoolExecutor(min(n_jobs, blocks), thread_name_prefix="fastmetrics") as pool:
        futures = [pool.submit(block, k) for k in range(blocks)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            for future in futures:
                future.cancel()
        for future in futures:
            if not future.cancelled():
                future.result()


Generators = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
Run = Callable[[Integers, Generators], Floats]


def _prepare_rows(units: Units, request: SweepRequest) -> Run:
    """Return what draws rows and sweeps them while they are in cache, block by block."""
    rows = SortedRows.of(units)

    def run(draws: Integers, generators: Generators) -> Floats:
        # small data share a call between the tiles, large data go tile by tile
        tiles = len(draws) // LANES if len(rows.pool_rows) == 1 else 1
        step = tiles * LANES
        return np.concatenate(
            [
                _sweep_rows(rows, request, draws[start : start + step], generators)
                for start in range(0, len(draws), step)
            ]
        )

    return run


@dataclass(frozen=True)
class SortedRows:
    """Single rows in order, cut into blocks whose tiles stay in cache.

    Parameters
    ----------
    marks : (n,) uint8 for the sweeps
    slots : (n,) uint32 places in the tile of the row's block
    pool_rows : (blocks, pools) rows of each class in each block
    cuts : (c,) rows flagged at each threshold
    weights : (n,) float64 or None
    """

    marks: npt.NDArray[np.uint8]
    slots: npt.NDArray[np.uint32]
    pool_rows: Integers
    cuts: Integers
    weights: Floats | None

    @classmethod
    def of(cls, units: Units) -> SortedRows:
        """Expand units to their rows."""
        marks, cuts = units.row_marks()
        slots, pool_rows = _unit_kernels.place_rows(marks & np.uint8(1), 2)
        weights = None if units.weights is None else np.repeat(units.weights, units.rows)
        return cls(marks, slots, pool_rows, cuts, weights)


def _sweep_rows(
    rows: SortedRows, request: SweepRequest, draws: Integers, generators: Generators
) -> Floats:
    """Sums (replicates, columns) of tiles with the given draws (replicates, pools)."""
    totals = np.ascontiguousarray(draws.reshape(-1, LANES, 2).transpose(0, 2, 1))
    if rows.weights is None:
        known = totals.astype(np.float64)
        run = Pass(request, rows.cuts, (len(totals), LANES), np.uint8, known)
        _feed_blocks(rows, [run], totals, generators)
        return run.finish(totals)
    dtype = np.float64
    weighed = _WeighedTotals((len(totals), LANES))
    if request.points:
        # points of the curve need the weight of each class first: the draws are made twice
        again = (generators[0].copy(), generators[1].copy())
        _feed_blocks(rows, [weighed], totals.copy(), again)
        run = Pass(request, rows.cuts, (len(totals), LANES), dtype, weighed.totals)
        _feed_blocks(rows, [run], totals, generators)
    else:
        run = Pass(request, rows.cuts, (len(totals), LANES), dtype)
        _feed_blocks(rows, [run, weighed], totals, generators)
    return run.finish(weighed.totals)


class _WeighedTotals:
    """Adds up the weight of each class, (T, 2, lanes)."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.totals = np.zeros((shape[0], 2, shape[1]))

    def feed(
        self, weights: Any, slots: npt.NDArray[np.uint32], marks: npt.NDArray[np.uint8]
    ) -> None:
        """Add the next rows."""
        self.totals += class_totals(weights, slots, marks)


def _feed_blocks(
    rows: SortedRows,
    takers: Sequence[Pass | _WeighedTotals],
    totals: Integers,
    generators: Generators,
) -> None:
    """Draw block after block with totals (T, pools, 64) and hand each to the takers."""
    wide, lanes = generators
    blocks = len(rows.pool_rows)
    shares = totals.copy()[None]
    if blocks > 1:
        shares = np.empty((blocks, *totals.shape[1:]), np.int64)
        _binomial.split_draws(totals[0].copy(), rows.pool_rows, lanes, shares)
        shares = shares[:, None]
    tiles = np.empty((len(totals), min(BLOCK_ROWS, rows.marks.size), LANES), np.uint8)
    for block in range(blocks):
        start = block * BLOCK_ROWS
        stop = min(start + BLOCK_ROWS, rows.marks.size)
        _resample.draw_tiles(
            tiles, rows.pool_rows[block], shares[block], rate_tables(), wide, lanes
        )
        slots, marks = rows.slots[start:stop], rows.marks[start:stop]
        if rows.weights is None:
            for taker in takers:
                taker.feed(tiles, slots, marks)
        else:
            _feed_weighted(tiles, slots, marks, rows.weights[start:stop], takers)


def _feed_weighted(
    tiles: npt.NDArray[np.uint8],
    slots: npt.NDArray[np.uint32],
    marks: npt.NDArray[np.uint8],
    weights: Floats,
    takers: Sequence[Pass | _WeighedTotals],
) -> None:
    """Hand a drawn block to the takers in float64, in pieces that stay in cache."""
    size = min(WEIGHTED_ROWS, marks.size)
    scaled = np.empty((len(tiles), size, LANES))
    places = np.arange(size, dtype=np.uint32)
    for start in range(0, marks.size, size):
        piece = slice(start, min(start + size, marks.size))
        rows = piece.stop - start
        _resample.scale_tiles(tiles, slots[piece], weights[piece], scaled)
        for taker in takers:
            taker.feed(scaled, places[:rows], marks[piece])


def _prepare_units(units: Units, request: SweepRequest) -> Run:
    """Return what draws merged units and sweeps their counts."""
    pools = [_UnitPool.of(units, label) for label in (0, 1)]

    def run(draws: Integers, generators: Generators) -> Floats:
        sums = np.empty((len(draws), request.columns))
        counts = np.empty((units.size, LANES), np.int64)
        for start in range(0, len(draws), LANES):
            counts.fill(0)
            for pool, total in zip(pools, draws[start : start + LANES].T, strict=True):
                pool.draw(counts, total.copy(), generators)
            weights = counts if units.weights is None else counts * units.weights[:, None]
            sums[start : start + LANES] = sum_units(units, request, weights)
        return sums

    return run


@dataclass(frozen=True)
class _UnitPool:
    """Units of one class: those of few rows are drawn row by row, the others by binomials."""

    small: Integers  # the unit of each row
    small_blocks: Integers  # rows of each block of these, (blocks, 1)
    large: Integers
    large_rows: Integers

    @classmethod
    def of(cls, units: Units, label: int) -> _UnitPool:
        """Collect the units of one class."""
        mine = units.labels == label
        few = units.rows <= SMALL_UNIT_ROWS
        small = np.flatnonzero(mine & few)
        large = np.flatnonzero(mine & ~few)
        small_rows = np.repeat(small, units.rows[small])
        starts = np.arange(0, small_rows.size, BLOCK_ROWS)
        blocks = np.minimum(small_rows.size - starts, BLOCK_ROWS)
        return cls(small_rows, blocks[:, None], large, units.rows[large])

    def draw(self, counts: Integers, total: Integers, generators: Generators) -> None:
        """Add total (64,) draws to the counts (units, 64); total is used up."""
        wide, lanes = generators
        sizes = np.array([[self.small.size], [self.large_rows.sum()]])
        parts = total[None].copy()
        share = np.empty((2, 1, LANES), np.int64)
        _binomial.split_draws(parts, sizes, lanes, share)
        if self.small.size:
            shares = np.empty((len(self.small_blocks), 1, LANES), np.int64)
            _binomial.split_draws(share[0], self.small_blocks, lanes, shares)
            tiles = np.empty((1, int(self.small_blocks[0, 0]), LANES), np.uint8)
            for block, rows in enumerate(self.small_blocks):
                _resample.draw_tiles(tiles, rows, shares[block][None], rate_tables(), wide, lanes)
                first = block * BLOCK_ROWS
                _resample.add_rows(tiles[0], self.small[first : first + int(rows[0])], counts)
        if self.large.size:
            _binomial.draw_units(counts, self.large, self.large_rows, share[1, 0], lanes)
