"""A pass over sorted rows: tiles of weights in, sums out, block by block.

Conventions
-----------
Weights are tiles ``(T, rows, lanes)``; row r of the sorted rows takes its weights from
``weights[:, slots[r]]``. Sums come out as ``(T * lanes, columns)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.statistics import (
    CONCORDANCE_BIT,
    DOUBLED_CONCORDANT,
    NEGATIVES,
    POINTS,
    POSITIVES,
    PRECISION_BIT,
    PRECISION_SUM,
    SweepRequest,
)
from fastmetrics.kernels import resample as _resample
from fastmetrics.kernels import sweep as _kernels

Tiles = npt.NDArray[Any]
# twice the pairs of positives and negatives may not leave int64
LARGEST_EXACT_TOTAL = 2**31
WEIGHTED_ROWS = 1024  # of float64 weights at a time


class Pass:
    """Running sums of one pass; feed the blocks in order, then finish.

    Parameters
    ----------
    request : what to compute
    cuts : (c,) rows flagged at each threshold
    shape : tiles and lanes
    dtype : of the weights: uint8, int64 or float64
    totals : (T, 2, lanes) float64 negatives and positives, needed before points of the curve
    """

    def __init__(
        self,
        request: SweepRequest,
        cuts: npt.NDArray[np.int64],
        shape: tuple[int, int],
        dtype: npt.DTypeLike,
        totals: Floats | None = None,
    ) -> None:
        tiles, lanes = shape
        dtype = np.dtype(dtype)
        sums_dtype = np.float64 if dtype == np.float64 else np.int64
        self._request = request
        self._cuts = cuts
        self._fed = 0
        self._totals = totals
        self._zeros = _zeros(dtype, lanes)
        self._discordance = np.zeros((tiles, 4, lanes), sums_dtype)
        self._precision = np.zeros((tiles, 5, lanes))
        self._points = np.zeros((tiles, 4 + len(request.points), lanes))
        self._limits = np.array(request.points, np.float64).reshape(-1, 2)
        self._classes = np.zeros((tiles, 2, lanes), sums_dtype)
        self._at_cuts = np.zeros((cuts.size, tiles, 2, lanes))

    def feed(
        self, weights: Tiles, slots: npt.NDArray[np.uint32], marks: npt.NDArray[np.uint8]
    ) -> None:
        """Sweep the next rows, whose slots and marks (rows,) are given."""
        if self._request.wanted & CONCORDANCE_BIT:
            _kernels.sweep_discordance(weights, slots, marks, self._zeros, self._discordance)
        if self._request.wanted & PRECISION_BIT:
            _kernels.sweep_precision(weights, slots, marks, self._zeros, self._precision)
        if self._limits.size:
            _kernels.sweep_points(weights, slots, marks, self._limits, self._totals, self._points)
        if self._cuts.size:
            self._count(weights, slots, marks)
        self._fed += marks.size

    def _count(
        self, weights: Tiles, slots: npt.NDArray[np.uint32], marks: npt.NDArray[np.uint8]
    ) -> None:
        """Add up the classes, stopping at the cuts in these rows."""
        done = 0
        for k, cut in enumerate(self._cuts):
            if self._fed < cut <= self._fed + marks.size:
                stop = int(cut) - self._fed
                self._add_classes(weights, slots[done:stop], marks[done:stop])
                self._at_cuts[k] = self._classes
                done = stop
        self._add_classes(weights, slots[done:], marks[done:])

    def _add_classes(
        self, weights: Tiles, slots: npt.NDArray[np.uint32], marks: npt.NDArray[np.uint8]
    ) -> None:
        if marks.size:
            _kernels.sweep_classes(weights, slots, marks, self._zeros, self._classes)

    def finish(self, totals: npt.NDArray[Any]) -> Floats:
        """Sums (T * lanes, columns), given the negatives and positives totals (T, 2, lanes)."""
        negatives = totals[:, 0].ravel()
        positives = totals[:, 1].ravel()
        sums = np.full((negatives.size, self._request.columns), np.nan)
        sums[:, NEGATIVES] = negatives
        sums[:, POSITIVES] = positives
        if self._request.wanted & CONCORDANCE_BIT:
            # totals and discordance are rounded apart where weights are fractional
            concordant = 2 * positives * negatives - self._discordance[:, 0].ravel()
            sums[:, DOUBLED_CONCORDANT] = np.maximum(concordant, 0)
        if self._request.wanted & PRECISION_BIT:
            sums[:, PRECISION_SUM] = self._precision[:, 0].ravel()
        kept = self._limits.shape[0]
        for k in range(kept):
            sums[:, POINTS + k] = self._points[:, 4 + k].ravel()
        for k in range(self._cuts.size):
            sums[:, POINTS + kept + 2 * k] = self._at_cuts[k, :, 1].ravel()
            sums[:, POINTS + kept + 2 * k + 1] = self._at_cuts[k, :, 0].ravel()
        return sums


def _zeros(dtype: np.dtype[Any], lanes: int) -> npt.NDArray[Any]:
    """Sums (lanes,) within a chunk of rows, whose weights are of a type."""
    return np.zeros(lanes, np.uint32 if dtype == np.uint8 else dtype)


def class_totals(
    weights: Tiles, slots: npt.NDArray[np.uint32], marks: npt.NDArray[np.uint8]
) -> npt.NDArray[Any]:
    """Negatives and positives (T, 2, lanes) of all rows, int64 or float64."""
    exact = weights.dtype != np.float64
    totals = np.zeros((len(weights), 2, weights.shape[2]), np.int64 if exact else np.float64)
    zeros = _zeros(weights.dtype, weights.shape[2])
    _kernels.sweep_classes(weights, slots, marks, zeros, totals)
    return totals


def sweep_once(
    weights: Tiles,
    slots: npt.NDArray[np.uint32],
    marks: npt.NDArray[np.uint8],
    request: SweepRequest,
    cuts: npt.NDArray[np.int64],
    totals: npt.NDArray[Any] | None = None,
) -> Floats:
    """Sums (T * lanes, columns) of weights that are there as a whole.

    totals (T, 2, lanes) are the negatives and positives where they are known.
    """
    if totals is None:
        totals = class_totals(weights, slots, marks)
    if weights.dtype == np.int64 and totals.sum(axis=1).max() > LARGEST_EXACT_TOTAL:
        weights = weights.astype(np.float64)
        totals = totals.astype(np.float64)
    run = Pass(request, cuts, (len(weights), weights.shape[2]), weights.dtype, totals.astype(float))
    run.feed(weights, slots, marks)
    return run.finish(totals)


def scaled_pieces(
    tiles: Tiles, slots: npt.NDArray[np.uint32], weights: Floats
) -> Iterator[tuple[Floats, npt.NDArray[np.uint32], slice]]:
    """Yield weights (T, rows, lanes) times those of the rows, in pieces that stay in cache.

    With each piece come the places of its rows in it, and which rows they are.
    """
    size = min(WEIGHTED_ROWS, slots.size)
    scaled = np.empty((len(tiles), size, tiles.shape[2]))
    places = np.arange(size, dtype=np.uint32)
    for start in range(0, slots.size, max(size, 1)):
        piece = slice(start, min(start + size, slots.size))
        _resample.scale_tiles(tiles, slots[piece], weights[piece], scaled)
        yield scaled, places[: piece.stop - start], piece
