"""The area and the corners of a curve, and curves read off at a grid for many weights.

For the latter, rows, slots, marks and weights are those of the sweeps: from the highest score down,
one curve per lane, a point of the curve at every end of a group of equal scores.
"""

import numpy as np

from fastmetrics.kernels._jit import inlined, kernel
from fastmetrics.kernels.sweep import ENDS, POSITIVE

# a recall reaches a point of the grid that is above it by rounding alone
SLACK = 1.0 + 1e-12
BLOCK = 1024
RECALL_AT_RATE = 0
PRECISION_AT_RECALL = 1


@kernel
def trapezoids(across, up):
    """Area under points (n,) by the trapezoidal rule, and whether a step rises, and falls.

    The sum of a block is added to the total as one number, which keeps the rounding small.
    """
    total = 0.0
    block = 0.0
    rises = False
    falls = False
    for i in range(1, across.size):
        step = across[i] - across[i - 1]
        rises |= not step <= 0.0
        falls |= step < 0.0
        block += step * (up[i] + up[i - 1]) / 2.0
        if i % BLOCK == 0:
            total += block
            block = 0.0
    return total + block, rises, falls


@kernel
def corners(across, up):
    """Numbers of the first and the last of the points (n,), and of those where a step differs.

    That is from the step before it.
    """
    kept = np.empty(across.size, np.int64)
    count = 0
    last = across.size - 1
    for i in range(across.size):
        kept[count] = i
        if i == 0 or i == last:
            count += 1
        else:
            turns = across[i + 1] - across[i] != across[i] - across[i - 1]
            count += np.int64(turns | (up[i + 1] - up[i] != up[i] - up[i - 1]))
    return kept[:count].copy()


@inlined
def _read(weights, slots, marks, curve, grid, totals, values):
    """One tile of ``sweep_curve``."""
    lanes = weights.shape[1]
    before = np.zeros((2, lanes))
    now = np.zeros((2, lanes))
    place = np.zeros(lanes, np.int64)
    for row in range(marks.size):
        w = weights[slots[row]]
        side = now[1] if marks[row] & POSITIVE else now[0]
        for j in range(lanes):
            side[j] += w[j]
        if not marks[row] & ENDS:
            continue
        for j in range(lanes):
            recall = now[1, j] / totals[1, j]
            if curve == RECALL_AT_RATE:
                rate = now[0, j] / totals[0, j]
                if rate > before[0, j]:
                    slope = (recall - before[1, j]) / (rate - before[0, j])
                    while place[j] < grid.size and grid[place[j]] < rate:
                        step = grid[place[j]] - before[0, j]
                        values[place[j], j] = before[1, j] + step * slope
                        place[j] += 1
                before[0, j] = rate
                before[1, j] = recall
            elif recall > before[1, j]:
                precision = now[1, j] / (now[0, j] + now[1, j])
                while place[j] < grid.size and grid[place[j]] <= recall * SLACK:
                    values[place[j], j] = precision
                    place[j] += 1
                before[1, j] = recall
    for j in range(lanes):
        if curve == RECALL_AT_RATE and totals[0, j] > 0 and totals[1, j] > 0:
            while place[j] < grid.size:
                values[place[j], j] = 1.0
                place[j] += 1


@kernel
def sweep_curve(weights, slots, marks, curve, grid, totals, values):
    """Recall at the false positive rates, or precision at the recalls, of an ascending grid (g,).

    Recall is linear between the points of the curve and the highest one where it jumps; precision
    is that of the first point which reaches the recall. totals (T, 2, lanes) float64 are negatives
    and positives; values (T, g, lanes) keep what they hold where a lane lacks a class.
    """
    for t in range(weights.shape[0]):
        _read(weights[t], slots, marks, curve, grid, totals[t], values[t])
