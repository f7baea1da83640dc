"""Fills a tile with exact multinomial counts: rows x 64 replicates, uint8.

Rows of one pool (a class, or a class within a stratum) are equally likely. A block's share of the
pool's draws is binomial on integer remainders. Its rows then get independent Poisson counts of a
rate slightly below one, and draws are added, or removed, until the share is met: given its total,
a vector of equal Poisson counts is multinomial, and adding or removing a uniform draw keeps it so.
"""

import numpy as np
from numba import uint8, uint64

from fastmetrics.kernels._jit import inlined, kernel
from fastmetrics.kernels.random import LANES, WIDE, next_uniform, next_word, step_all

BLOCK = 8192
COMMON = 6  # counts below are decided by 16 random bits, the rest by 53
# a count above 16 has probability 1e-15: a draw beyond that height is never the one removed
HEIGHT = 16


@inlined
def _fill(tile, first, last, wide, bounds):
    """Rows [first, last) of the tile (rows, 64): how many of the 6 bounds a uint16 reaches."""
    states = wide.copy()
    words = np.empty(WIDE, np.uint64)
    halves = words.view(np.uint16)
    t0 = bounds[0]
    t1 = bounds[1]
    t2 = bounds[2]
    t3 = bounds[3]
    t4 = bounds[4]
    t5 = bounds[5]
    for row in range(first, last):
        step_all(states, words)
        for j in range(LANES):
            x = halves[j]
            tile[row, j] = (
                uint8(x >= t0)
                + uint8(x >= t1)
                + uint8(x >= t2)
                + uint8(x >= t3)
                + uint8(x >= t4)
                + uint8(x >= t5)
            )
    for k in range(4):
        for i in range(WIDE):
            wide[k, i] = states[k, i]


@inlined
def _resolve(tile, first, last, tail, lanes):
    """Replace every count of 6 by a draw of what 16 bits left undecided; tail is cumulative."""
    for row in range(first, last):
        flags = uint8(0)
        for j in range(LANES):
            count = tile[row, j]
            flags |= count & (count >> uint8(1))
        if flags & uint8(2):
            for j in range(LANES):
                if tile[row, j] == COMMON:
                    x = next_uniform(lanes, j)
                    count = 0
                    while tail[count] <= x:
                        count += 1
                    tile[row, j] = uint8(count)


@inlined
def _add_totals(tile, first, last, totals):
    """Totals (64,) of rows [first, last), counted down from what they hold."""
    partial = np.empty(LANES, np.uint8)
    for start in range(first, last, 8):
        for j in range(LANES):
            partial[j] = 0
        for row in range(start, min(last, start + 8)):
            for j in range(LANES):
                partial[j] += tile[row, j]
        for j in range(LANES):
            totals[j] -= partial[j]


@inlined
def _settle(tile, first, last, missing, lanes):
    """Add missing[j] uniform draws to lane j of rows [first, last), or take away the excess."""
    rows = last - first
    limit = uint64(rows)
    low_bits = uint64(0xFFFFFFFF)
    unfair = (uint64(1) << uint64(32)) % limit
    for j in range(LANES):
        lack = missing[j]
        while lack > 0:
            word = next_word(lanes, j)
            product = (word >> uint64(32)) * limit
            if (product & low_bits) >= unfair:
                tile[first + np.int64(product >> uint64(32)), j] += uint8(1)
                lack -= 1
            product = (word & low_bits) * limit
            if lack > 0 and (product & low_bits) >= unfair:
                tile[first + np.int64(product >> uint64(32)), j] += uint8(1)
                lack -= 1
        while lack < 0:
            word = next_word(lanes, j)
            product = (word >> uint64(32)) * limit
            if (product & low_bits) >= unfair:
                row = first + np.int64(product >> uint64(32))
                if (word & uint64(HEIGHT - 1)) < uint64(tile[row, j]):
                    tile[row, j] -= uint8(1)
                    lack += 1


@inlined
def _clear(tile, first, last):
    """Empty rows [first, last) of the tile."""
    for row in range(first, last):
        for j in range(LANES):
            tile[row, j] = 0


@kernel
def draw_tiles(tiles, pool_rows, shares, tables, wide, lanes):
    """Fill tiles (T, rows, 64): in each, pool k's rows share shares[t, k, j] draws in lane j.

    pool_rows (pools,) rows stand together, pool after pool; shares (T, pools, 64) int64 are used
    up. tables are the sizes, bounds and tails of the Poisson rates to start from.
    """
    sizes, bounds, tails = tables
    for t in range(tiles.shape[0]):
        tile = tiles[t]
        last = np.int64(0)
        for pool in range(pool_rows.size):
            first = last
            last = first + pool_rows[pool]
            missing = shares[t, pool]
            level = -1
            while level + 1 < sizes.size and sizes[level + 1] <= last - first:
                level += 1
            if level < 0:
                _clear(tile, first, last)
            else:
                _fill(tile, first, last, wide, bounds[level])
                _resolve(tile, first, last, tails[level], lanes)
                _add_totals(tile, first, last, missing)
            if last > first:
                _settle(tile, first, last, missing, lanes)


@kernel
def scale_tiles(tiles, slots, row_weights, scaled):
    """Tiles (T, items, lanes) times the weights (rows,) of the rows to scaled (T, rows, lanes)."""
    for t in range(tiles.shape[0]):
        for row in range(slots.size):
            counts = tiles[t, slots[row]]
            weight = row_weights[row]
            products = scaled[t, row]
            for j in range(products.size):
                products[j] = counts[j] * weight


@kernel
def add_rows(tile, units, weights):
    """Counts of rows tile (rows, 64) added to the weights (units, 64) of their units (rows,)."""
    for row in range(units.size):
        sums = weights[units[row]]
        for j in range(LANES):
            sums[j] += tile[row, j]
