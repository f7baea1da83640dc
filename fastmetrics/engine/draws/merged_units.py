"""Replicates of merged units: drawn as counts of the units, whatever the number of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.seeds import Generators
from fastmetrics.engine.draws.sorted_rows import Run, rate_tables
from fastmetrics.engine.evaluation import sum_units
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.engine.sweeps.units import Integers, Units
from fastmetrics.kernels import binomial as _binomial
from fastmetrics.kernels import resample as _resample
from fastmetrics.kernels.random import LANES
from fastmetrics.kernels.resample import BLOCK as BLOCK_ROWS

# a binomial draw costs as much as this many rows of a tile
SMALL_UNIT_ROWS = 48


def prepare_units(units: Units, request: SweepRequest) -> Run:
    """Return what draws merged units and sweeps their counts."""
    pools = [UnitPool.of(units.rows, np.flatnonzero(units.labels == label)) for label in (0, 1)]

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
class UnitPool:
    """Units of one pool: those of few rows are drawn row by row, the others by binomials."""

    small: Integers  # the unit of each row
    small_blocks: Integers  # rows of each block of these, (blocks, 1)
    large: Integers
    large_rows: Integers

    @classmethod
    def of(cls, rows: Integers, mine: Integers) -> UnitPool:
        """Collect the units mine (u,) of all whose rows (m,) are given."""
        few = rows[mine] <= SMALL_UNIT_ROWS
        small, large = mine[few], mine[~few]
        small_rows = np.repeat(small, rows[small])
        starts = np.arange(0, small_rows.size, BLOCK_ROWS)
        blocks = np.minimum(small_rows.size - starts, BLOCK_ROWS)
        return cls(small_rows, blocks[:, None], large, rows[large])

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
