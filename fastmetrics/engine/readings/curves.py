"""Curves of every replicate, read off at the points of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.readings.kinds import COPIED_BYTES, SweepReading, Tile
from fastmetrics.kernels import curves as _curves
from fastmetrics.kernels import resample as _resample

CurveName = Literal["roc", "precision_recall"]
_CODES = {"roc": _curves.RECALL_AT_RATE, "precision_recall": _curves.PRECISION_AT_RECALL}
ROUNDING = 1e-9


@dataclass(frozen=True)
class CurveReading:
    """Recall at false positive rates, or precision at recalls.

    Parameters
    ----------
    sweep : the rows in the order of the scores
    curve : which of the two
    grid : (g,) ascending, in [0, 1]
    """

    sweep: SweepReading
    curve: CurveName
    grid: Floats

    @property
    def columns(self) -> int:
        """Number of grid points."""
        return self.grid.size

    def read(self, tile: Tile) -> Floats:
        """Values (T * lanes, g) of a tile; nan where a replicate lacks a class."""
        sweep = self.sweep
        known = sweep.shared.class_totals(tile)
        totals = known.astype(np.float64)
        if self.curve == "precision_recall" and known.dtype == np.float64:
            # fractional weights add up to a little less than their total in another order, and
            # a recall of 1 would never be reached
            totals *= 1.0 - ROUNDING
        tiles, _, lanes = totals.shape
        values = np.full((tiles, self.columns, lanes), np.nan)
        if sweep.weights is None:
            _curves.sweep_curve(
                tile.weights, sweep.slots, sweep.marks, self._code, self.grid, totals, values
            )
        else:
            self._read_weighted(tile, sweep.weights, totals, values)
        return values.transpose(0, 2, 1).reshape(tiles * lanes, self.columns)

    def _read_weighted(self, tile: Tile, own: Floats, totals: Floats, values: Floats) -> None:
        """Read a few lanes at a time, whose weights are there as a whole."""
        sweep = self.sweep
        lanes = totals.shape[2]
        places = np.arange(own.size, dtype=np.uint32)
        step = max(1, min(lanes, COPIED_BYTES // (8 * own.size)))
        for t in range(len(totals)):
            for first in range(0, lanes, step):
                part = np.ascontiguousarray(tile.weights[t : t + 1, :, first : first + step])
                scaled = np.empty((1, own.size, part.shape[2]))
                _resample.scale_tiles(part, sweep.slots, own, scaled)
                known = np.ascontiguousarray(totals[t : t + 1, :, first : first + step])
                found = np.full((1, self.columns, part.shape[2]), np.nan)
                _curves.sweep_curve(
                    scaled, places, sweep.marks, self._code, self.grid, known, found
                )
                values[t, :, first : first + step] = found[0]

    @property
    def _code(self) -> int:
        return int(_CODES[self.curve])
