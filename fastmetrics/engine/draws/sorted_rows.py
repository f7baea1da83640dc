"""Replicates of single rows: drawn tile by tile and swept while they are in cache."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.seeds import Generators
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.engine.sweeps.passes import Pass, class_totals, scaled_pieces
from fastmetrics.engine.sweeps.units import Integers, Labels, Units
from fastmetrics.kernels import binomial as _binomial
from fastmetrics.kernels import resample as _resample
from fastmetrics.kernels import terms as _term_kernels
from fastmetrics.kernels.random import LANES
from fastmetrics.kernels.resample import BLOCK as BLOCK_ROWS

RATE_SHIFT = 2.5
COMMON_COUNTS = 6

Run = Callable[[Integers, Generators], Floats]


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


def prepare_rows(units: Units, request: SweepRequest, terms: Floats | None = None) -> Run:
    """Return what draws rows and sweeps them while they are in cache, block by block.

    terms (n, k) of the rows in order are summed on the way; their sums follow those of the sweeps.
    """
    rows = SortedRows.of(units, np.empty((units.n, 0)) if terms is None else terms)

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
    terms : (n, k) float64 to be summed
    """

    marks: npt.NDArray[np.uint8]
    slots: npt.NDArray[np.uint32]
    pool_rows: Integers
    cuts: Integers
    weights: Floats | None
    terms: Floats

    @classmethod
    def of(cls, units: Units, terms: Floats) -> SortedRows:
        """Expand units to their rows."""
        marks, cuts = units.row_marks
        slots, pool_rows = place_rows(marks & np.uint8(1))
        weights = None if units.weights is None else np.repeat(units.weights, units.rows)
        return cls(marks, slots, pool_rows, cuts, weights, terms)


def place_rows(positive: Labels) -> tuple[npt.NDArray[np.uint32], Integers]:
    """Place (n,) of each sorted row in its block's tile, and rows (blocks, 2) of each class.

    A tile holds the rows of a class together, so that a class is filled in one go.
    """
    slots = np.empty(positive.size, np.uint32)
    pool_rows = np.empty((-(-positive.size // BLOCK_ROWS), 2), np.int64)
    rows_above = np.arange(BLOCK_ROWS, dtype=np.uint32)
    for block, rows in enumerate(pool_rows):
        part = slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS)
        own = positive[part]
        positives = np.cumsum(own, dtype=np.uint32)  # down to each row, which counts itself
        rows[1] = positives[-1]
        rows[0] = own.size - rows[1]
        behind = np.uint32(rows[0]) + (positives - np.uint32(1))
        slots[part] = np.where(own, behind, rows_above[: own.size] - positives)
    return slots, pool_rows


def _sweep_rows(
    rows: SortedRows, request: SweepRequest, draws: Integers, generators: Generators
) -> Floats:
    """Sums (replicates, columns) of tiles with the given draws (replicates, pools)."""
    totals = np.ascontiguousarray(draws.reshape(-1, LANES, 2).transpose(0, 2, 1))
    shape = (len(totals), LANES)
    summed = _TermSums(rows.terms, shape)
    takers: list[_Taker] = [summed] if rows.terms.shape[1] else []
    if rows.weights is None:
        run = Pass(request, rows.cuts, shape, np.uint8, totals.astype(np.float64))
        _feed_blocks(rows, [run, *takers], totals, generators)
        return np.concatenate([run.finish(totals), summed.finish()], axis=1)
    weighed = _WeighedTotals(shape)
    if request.points:
        # points of the curve need the weight of each class first: the draws are made twice
        again = (generators[0].copy(), generators[1].copy())
        _feed_blocks(rows, [weighed], totals.copy(), again)
        run = Pass(request, rows.cuts, shape, np.float64, weighed.totals)
        _feed_blocks(rows, [run, *takers], totals, generators)
    else:
        run = Pass(request, rows.cuts, shape, np.float64)
        _feed_blocks(rows, [run, weighed, *takers], totals, generators)
    return np.concatenate([run.finish(weighed.totals), summed.finish()], axis=1)


class _Taker(Protocol):
    """What is fed with block after block of weights."""

    def feed(
        self, weights: Any, slots: npt.NDArray[np.uint32], marks: npt.NDArray[np.uint8]
    ) -> None:
        """Take the next rows."""


class _TermSums:
    """Adds up terms (n, k) of the rows times their weights."""

    def __init__(self, terms: Floats, shape: tuple[int, int]) -> None:
        self._terms = terms
        self._fed = 0
        self._sums = np.zeros((shape[0], terms.shape[1], shape[1]))

    def feed(
        self, weights: Any, slots: npt.NDArray[np.uint32], marks: npt.NDArray[np.uint8]
    ) -> None:
        """Add the next rows."""
        terms = self._terms[self._fed : self._fed + marks.size]
        _term_kernels.sum_terms(weights, slots, terms, self._sums)
        self._fed += marks.size

    def finish(self) -> Floats:
        """Sums (T * lanes, k)."""
        tiles, columns, lanes = self._sums.shape
        return self._sums.transpose(0, 2, 1).reshape(tiles * lanes, columns)


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
    takers: Sequence[_Taker],
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
            own = rows.weights[start:stop]
            for scaled, places, piece in scaled_pieces(tiles, slots, own):
                for taker in takers:
                    taker.feed(scaled, places, marks[piece])
