"""Exact binomial counts on integer remainders, one lane at a time or 64 side by side.

A mean below 10 is drawn by inversion (Kachitvichyanukul & Schmeiser 1988,
doi:10.1145/42372.42381), any other by transformed rejection with squeeze (BTRS, Hormann 1993,
doi:10.1080/00949659308811496). The mass is evaluated by Stirling's series to 1e-14.
"""

import math

import numpy as np
from numba import uint64

from fastmetrics.kernels._jit import inlined, kernel
from fastmetrics.kernels.random import LANES, next_uniform, step_all

REJECTION_MEAN = 10.0
TO_UNIFORM = 1.0 / 9007199254740992.0


@kernel
def stirling_tail(k):
    """What log(k!) exceeds (k + 1/2) log(k + 1) - (k + 1) + log(2 pi) / 2 by; k is whole."""
    x = k + 1.0
    if k < 10.0:
        factorial = 1.0
        for i in range(2, np.int64(k) + 1):
            factorial *= i
        return math.log(factorial) - ((k + 0.5) * math.log(x) - x + 0.9189385332046727)
    square = x * x
    if k > 300.0:
        return (1.0 / 12.0 - 1.0 / (360.0 * square)) / x
    series = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square
    return (1.0 / 12.0 - (1.0 / 360.0 - series / square) / square) / x


@kernel
def log_mass_ratio(k, n, p):
    """Log of the binomial mass at k over the mass at the mode; k and n are whole float64."""
    mode = np.float64(math.floor((n + 1.0) * p))
    step = k - mode
    return (
        (mode + 0.5) * math.log1p(-step / (k + 1.0))
        + (n - mode + 0.5) * math.log1p(step / (n - k + 1.0))
        + step * math.log(p * (n - k + 1.0) / ((1.0 - p) * (k + 1.0)))
        + (stirling_tail(mode) - stirling_tail(k))
        + (stirling_tail(n - mode) - stirling_tail(n - k))
    )


@inlined
def _squeezed(u, v, n, p):
    """The count that u - 1/2 and v stand for, or -1 where the squeeze does not accept it."""
    b = 1.15 + 2.53 * math.sqrt(n * p * (1.0 - p))
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centred = u - 0.5
    inside = 0.5 - abs(centred)
    count = math.floor((2.0 * a / inside + b) * centred + n * p + 0.5)
    return np.float64(count) if (inside >= 0.07) & (v <= 0.92 - 4.2 / b) else -1.0


@kernel
def _tested(u, v, n, p):
    """The count that u - 1/2 and v stand for, or -1 where it is rejected."""
    spread = math.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centred = u - 0.5
    inside = 0.5 - abs(centred)
    count = np.float64(math.floor((2.0 * a / inside + b) * centred + n * p + 0.5))
    if count < 0.0 or count > n:
        return -1.0
    height = math.log(v * (2.83 + 5.1 / b) * spread / (a / (inside * inside) + b))
    return count if height <= log_mass_ratio(count, n, p) else -1.0


@kernel
def _by_rejection(state, lane, n, p):
    """Count for n p >= 10 and p <= 1/2; n is whole float64."""
    while True:
        v = next_uniform(state, lane)
        u = next_uniform(state, lane)
        count = _squeezed(u, v, n, p)
        if count < 0.0:
            count = _tested(u, v, n, p)
        if count >= 0.0:
            return count


@kernel
def _by_inversion(state, lane, n, p):
    """Count for n p < 10 and p <= 1/2; n is whole float64."""
    ratio = p / (1.0 - p)
    none = math.exp(n * math.log1p(-p))
    while True:
        u = next_uniform(state, lane)
        mass = none
        count = 0.0
        while u >= mass and count < n:
            u -= mass
            count += 1.0
            mass *= ratio * (n - count + 1.0) / count
            if mass < 1e-20 and count > n * p:
                break
        # what rounding leaves of the unit interval beyond the last mass is drawn again
        if u < mass:
            return count


@kernel
def next_binomial(state, lane, n, part, whole):
    """Hits among n draws that each fall on part of whole equally likely rows (integers)."""
    if n <= 0 or part <= 0:
        return np.int64(0)
    if part >= whole:
        return np.int64(n)
    rare = min(part, whole - part)
    p = rare / whole
    if n * p < REJECTION_MEAN:
        count = np.int64(_by_inversion(state, lane, float(n), p))
    else:
        count = np.int64(_by_rejection(state, lane, float(n), p))
    return count if rare == part else n - count


@inlined
def draw_share(share, remaining, part, whole, lanes):
    """Each lane's hits (64,) on part of the whole rows left; remaining (64,) counts down."""
    rare = min(part, whole - part)
    p = rare / whole if whole > 0 else 0.0
    fewest = remaining[0]
    for j in range(LANES):
        fewest = min(fewest, remaining[j])
    if rare > 0 and fewest * p >= REJECTION_MEAN:
        words = np.empty(LANES, np.uint64)
        uniforms = np.empty(2 * LANES, np.float64)
        v = uniforms[:LANES]
        u = uniforms[LANES:]
        for drawn in (v, u):
            step_all(lanes, words)
            for j in range(LANES):
                drawn[j] = np.float64(words[j] >> uint64(11)) * TO_UNIFORM
        counts = np.empty(LANES, np.float64)
        for j in range(LANES):
            counts[j] = _squeezed(u[j], v[j], np.float64(remaining[j]), p)
        for j in range(LANES):
            count = counts[j]
            if count < 0.0:
                count = _tested(u[j], v[j], np.float64(remaining[j]), p)
                if count < 0.0:
                    count = _by_rejection(lanes, j, np.float64(remaining[j]), p)
            share[j] = np.int64(count) if rare == part else remaining[j] - np.int64(count)
    else:
        for j in range(LANES):
            share[j] = next_binomial(lanes, j, remaining[j], part, whole)
    for j in range(LANES):
        remaining[j] -= share[j]


@kernel
def split_draws(totals, pool_rows, lanes, shares):
    """Share out each pool's draws over blocks: totals (pools, 64) to shares (blocks, pools, 64).

    pool_rows (blocks, pools) rows; totals are used up.
    """
    left = np.zeros(pool_rows.shape[1], np.int64)
    for block in range(pool_rows.shape[0]):
        for pool in range(left.size):
            left[pool] += pool_rows[block, pool]
    for block in range(pool_rows.shape[0]):
        for pool in range(left.size):
            rows = pool_rows[block, pool]
            draw_share(shares[block, pool], totals[pool], rows, left[pool], lanes)
            left[pool] -= rows


@kernel
def draw_units(weights, units, rows, total, lanes):
    """Share out total (64,) over units (u,) of rows (u,); weights (units, 64) get the counts."""
    left = 0
    for i in range(rows.size):
        left += rows[i]
    for i in range(units.size):
        draw_share(weights[units[i]], total, rows[i], left, lanes)
        left -= rows[i]
