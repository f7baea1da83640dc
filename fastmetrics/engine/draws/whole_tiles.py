"""Whole tiles: the weights of every item in a batch of replicates, drawn before they are read.

Conventions
-----------
A block is 256 replicates with streams of its own, cut into tiles of 64 lanes. A narrower tile, for
large data, is a slice of one of 64 lanes, drawn again for every slice: it costs time, no bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.draws.designs import Items, Law
from fastmetrics.engine.draws.merged_units import UnitPool
from fastmetrics.engine.draws.seeds import DRAWS, TOTALS, Generators, lane_generators, stream
from fastmetrics.engine.draws.sorted_rows import rate_tables
from fastmetrics.engine.sweeps.units import Integers
from fastmetrics.kernels import binomial as _binomial
from fastmetrics.kernels import resample as _resample
from fastmetrics.kernels.random import LANES
from fastmetrics.kernels.resample import BLOCK as BLOCK_ROWS

BLOCK_TILES = 4
BLOCK_REPLICATES = BLOCK_TILES * LANES
# above this size a tile of counts has 32 lanes, which keeps it within 32 bytes an item
WIDE_TILE_BYTES = 2**28
BAYESIAN_LANES = 8
WIDE_BAYESIAN_BYTES = 2**26

Tiles = npt.NDArray[Any]


@dataclass(frozen=True)
class Drawing:
    """Draws the weights of items, block by block.

    Parameters
    ----------
    items : what is drawn
    law : of the weights
    root : seed
    data_set : number of the data set in a study
    lanes : width of a tile; None takes what the size asks for
    """

    items: Items
    law: Law
    root: np.random.SeedSequence
    data_set: int = 0
    lanes: int | None = None

    def tiles(self, block: int, size: int) -> Iterator[Tiles]:
        """Yield tiles (T, m, lanes) that begin with the first size replicates of a block.

        A tile is only good until the next one is asked for.
        """
        needed = -(-size // LANES)
        if self.law == "bayesian":
            return self._exponential(block, needed)
        generators = lane_generators(stream(self.root, DRAWS, self.data_set, block))
        draws = self._draws(block)[:needed]
        if self.items.rows is not None:
            return self._merged(draws, generators)
        if self.items.size <= BLOCK_ROWS:
            return self._small(draws, generators)
        return self._large(draws, generators)

    def _draws(self, block: int) -> Integers:
        """Draws (4, pools, 64) of each pool in the replicates of a block."""
        fixed = self.items.pool_draws
        shape = (BLOCK_TILES, fixed.size, LANES)
        if self.law == "poisson":
            seed = stream(self.root, TOTALS, self.data_set, block)
            generator = np.random.Generator(np.random.PCG64(seed))
            return generator.poisson(fixed[:, None], shape)
        return np.broadcast_to(fixed[:, None], shape)

    @cached_property
    def _segments(self) -> _Segments:
        return _Segments.of(self.items.pool_sizes)

    def _small(self, draws: Integers, generators: Generators) -> Iterator[Tiles]:
        """All tiles at once, where one call of the kernel fills them."""
        wide, lanes = generators
        tiles = np.empty((len(draws), self.items.size, LANES), np.uint8)
        sizes = self.items.pool_sizes
        _resample.draw_tiles(tiles, sizes, draws.copy(), rate_tables(), wide, lanes)
        yield tiles

    def _large(self, draws: Integers, generators: Generators) -> Iterator[Tiles]:
        """Tile after tile, in slices of its lanes where it would be too large."""
        size = self.items.size
        width = self.lanes or (LANES if size * LANES <= WIDE_TILE_BYTES else LANES // 2)
        tile = np.empty((1, size, width), np.uint8)
        for draw in draws:
            for first in range(0, LANES, width):
                last = first + width >= LANES
                states = generators if last else (generators[0].copy(), generators[1].copy())
                self._segments.draw(tile, draw, states, first)
                yield tile

    def _merged(self, draws: Integers, generators: Generators) -> Iterator[Tiles]:
        """Tiles of int64 counts."""
        assigned: Any = self.items.rows
        tile = np.empty((1, self.items.size, LANES), np.int64)
        ends = np.cumsum(self.items.pool_sizes)
        pools = [
            UnitPool.of(assigned, np.arange(end - size, end))
            for end, size in zip(ends, self.items.pool_sizes)
        ]
        for draw in draws:
            tile.fill(0)
            for pool, total in zip(pools, draw):
                pool.draw(tile[0], total.copy(), generators)
            yield tile

    def _exponential(self, block: int, needed: int) -> Iterator[Tiles]:
        """Tiles of float64 weights: Exp(1) an item, Gamma(c) for c merged rows.

        Weights of a stratum are scaled to its number of draws; without strata no metric depends on
        the scale.
        """
        size = self.items.size
        wide = size * LANES * 8 <= WIDE_BAYESIAN_BYTES
        width = LANES if wide else BAYESIAN_LANES
        tile = np.empty((1, size, width))
        children = stream(self.root, DRAWS, self.data_set, block).spawn(
            BLOCK_REPLICATES // BAYESIAN_LANES
        )
        for first in range(0, needed * LANES, width):
            for start in range(0, width, BAYESIAN_LANES):
                seed = children[(first + start) // BAYESIAN_LANES]
                generator = np.random.Generator(np.random.PCG64(seed))
                tile[0, :, start : start + BAYESIAN_LANES] = self._weights(generator)
            yield tile

    def _weights(self, generator: np.random.Generator) -> npt.NDArray[np.float64]:
        """Weights (m, 8) of eight replicates."""
        shape = (self.items.size, BAYESIAN_LANES)
        if self.items.rows is None:
            weights = generator.standard_exponential(shape)
        else:
            weights = generator.standard_gamma(self.items.rows[:, None], shape)
        if self.items.pool_sizes.size > 1:
            starts = np.cumsum(self.items.pool_sizes) - self.items.pool_sizes
            scale = self.items.pool_draws[:, None] / np.add.reduceat(weights, starts)
            weights *= np.repeat(scale, self.items.pool_sizes, axis=0)
        return weights


@dataclass(frozen=True)
class _Segments:
    """Pools cut where they are longer than a block of the kernel, and the blocks they fill.

    Parameters
    ----------
    rows : (s,) items of each segment
    pools : (s,) pool of each segment
    blocks : first and last segment of every call of the kernel
    """

    rows: Integers
    pools: Integers
    blocks: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, pool_sizes: Integers) -> _Segments:
        """Cut the pools."""
        pieces = -(-pool_sizes // BLOCK_ROWS)
        pools = np.repeat(np.arange(pool_sizes.size), pieces)
        rows = np.full(pools.size, BLOCK_ROWS)
        ends = np.cumsum(pieces) - 1
        filled = pieces > 0
        rows[ends[filled]] = (pool_sizes - (pieces - 1) * BLOCK_ROWS)[filled]
        blocks = []
        first, size = 0, 0
        for segment, length in enumerate(rows.tolist()):
            if size + length > BLOCK_ROWS:
                blocks.append((first, segment))
                first, size = segment, 0
            size += length
        blocks.append((first, rows.size))
        return cls(rows, pools, tuple(blocks))

    def draw(self, tile: Tiles, draws: Integers, generators: Generators, first_lane: int) -> None:
        """Fill the tile (1, m, lanes) with the lanes from first_lane on of draws (pools, 64)."""
        wide, lanes = generators
        shares = draws[self.pools]
        cut = np.flatnonzero(np.bincount(self.pools) > 1)
        for pool in cut:
            mine = np.flatnonzero(self.pools == pool)
            share = np.empty((mine.size, 1, LANES), np.int64)
            _binomial.split_draws(draws[pool][None].copy(), self.rows[mine, None], lanes, share)
            shares[mine] = share[:, 0]
        width = tile.shape[2]
        scratch = None if width == LANES else np.empty((1, BLOCK_ROWS, LANES), np.uint8)
        start = 0
        for first, last in self.blocks:
            rows = self.rows[first:last]
            stop = start + int(rows.sum())
            part = tile[:, start:stop] if scratch is None else scratch[:, : stop - start]
            _resample.draw_tiles(part, rows, shares[None, first:last], rate_tables(), wide, lanes)
            if scratch is not None:
                tile[:, start:stop] = part[:, :, first_lane : first_lane + width]
            start = stop
