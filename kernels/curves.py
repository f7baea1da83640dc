"""The points of a curve and the areas under it, and curves read off at a grid for many weights.

A single curve comes from tie cells: positives and negatives (U,) at each distinct score, from the
highest down, or their running totals tp and fp (U,). Of the curves at a grid, rows, slots, marks
and weights are those of the sweeps: from the highest score down, one curve per lane, a point of the
curve at every end of a group of equal scores. Long sums are added up in blocks, each of which goes
to the total as one number, which keeps the rounding small.
"""

import numpy as np

from fastmetrics.kernels._arrays import store
from fastmetrics.kernels._jit import inlined, kernel
from fastmetrics.kernels.cells import (
    add_down,
    count_cells,
    merge_classes,
    sorted_classes,
    weigh_cells,
)
from fastmetrics.kernels.sorting import scores_of
from fastmetrics.kernels.sweep import ENDS, POSITIVE

# a recall reaches a point of the grid that is above it by rounding alone
SLACK = 1.0 + 1e-12
BLOCK = 1024
RECALL_AT_RATE = 0
PRECISION_AT_RECALL = 1


@kernel
def trapezoids(across, up):
    """Area under points (n,) by the trapezoidal rule, and whether a step rises, and falls."""
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
def count_totals(labels, bits, space, tp, fp, cell_bits):
    """Labels (n,), score bits (n,) and space for keys to U and the status.

    Writes tp, fp and the bits of the cells to the first U entries of arrays (n,).
    """
    positive_keys, negative_keys, status = sorted_classes(labels, bits, space)
    # counts and keys first, in place of what becomes of them
    size = merge_classes(positive_keys, negative_keys, cell_bits, tp, fp)
    add_down(tp[:size], fp[:size], tp, fp)
    scores_of(cell_bits[:size], cell_bits)
    return size, status


@kernel
def weigh_totals(labels, bits, weights, tp, fp, cell_bits):
    """As ``count_totals`` with weights (n,)."""
    found, positives, negatives, status = weigh_cells(labels, bits, weights)
    add_down(positives, negatives, tp, fp)
    store(found, cell_bits)
    return found.size, status


@kernel
def roc_points(fp, tp, thresholds, drop, false_rates, true_rates, levels):
    """Totals and thresholds (U,) to both rates and thresholds (U + 1,), from infinity down.

    Rates of a class without weight are nan. drop leaves out the points on a straight line between
    their neighbours. Returns how many points there are.
    """
    last = fp.size - 1
    negatives = fp[last] if fp[last] > 0.0 else np.nan
    positives = tp[last] if tp[last] > 0.0 else np.nan
    false_rates[0] = 0.0 / negatives
    true_rates[0] = 0.0 / positives
    levels[0] = np.inf
    count = 1
    for i in range(fp.size):
        # a point that is left out is written over: a branch would be mistaken at every other one
        false_rates[count] = fp[i] / negatives
        true_rates[count] = tp[i] / positives
        levels[count] = thresholds[i]
        if not drop or i == 0 or i == last:
            count += 1
        else:
            turns = fp[i + 1] - fp[i] != fp[i] - fp[i - 1]
            count += np.int64(turns | (tp[i + 1] - tp[i] != tp[i] - tp[i - 1]))
    return count


@kernel
def precision_recall_points(fp, tp, precision, recall):
    """Totals (U,) to precision and recall (U + 1,) from everything flagged up to nothing.

    Recall is 1 throughout without positives.
    """
    last = tp.size - 1
    for i in range(tp.size):
        precision[last - i] = tp[i] / (tp[i] + fp[i])
        recall[last - i] = tp[i] / tp[last] if tp[last] > 0.0 else 1.0
    precision[tp.size] = 1.0
    recall[tp.size] = 0.0


@kernel
def det_points(fp, tp, thresholds):
    """Totals and thresholds (U,) to false positive and negative rates and thresholds (k,).

    Thresholds rise, from the highest without a miss to the lowest without a false alarm, which is
    infinity where none is finite. Both classes have weight.
    """
    negatives = fp[fp.size - 1]
    positives = tp[tp.size - 1]
    # counted from the point where nothing is flagged
    first = 0
    while not fp[first] > 0.0:
        first += 1
    last = 1
    while tp[last - 1] < positives:
        last += 1
    size = max(last + 1 - first, 0)
    false_rates = np.empty(size)
    miss_rates = np.empty(size)
    levels = np.empty(size)
    for i in range(first, last + 1):
        false_rates[last - i] = fp[i - 1] / negatives if i > 0 else 0.0
        miss_rates[last - i] = (positives - tp[i - 1]) / positives if i > 0 else 1.0
        levels[last - i] = thresholds[i - 1] if i > 0 else np.inf
    return false_rates, miss_rates, levels


@kernel
def area_to_rate(positives, negatives, max_fpr):
    """Area under the ROC curve of cells up to a false positive rate below 1; nan for one class."""
    p = 0.0
    q = 0.0
    for cell in range(positives.size):
        p += positives[cell]
        q += negatives[cell]
    if not (p > 0.0 and q > 0.0):
        return np.nan
    tp = 0.0
    fp = 0.0
    rate = 0.0
    recall = 0.0
    total = 0.0
    block = 0.0
    for cell in range(positives.size):
        start = rate
        low = recall
        tp += positives[cell]
        fp += negatives[cell]
        rate = fp / q
        recall = tp / p
        if rate > max_fpr:
            edge = (recall - low) / (rate - start) * (max_fpr - start) + low
            return total + (block + (max_fpr - start) * (edge + low) / 2.0)
        block += (rate - start) * (recall + low) / 2.0
        if cell % BLOCK == 0:
            total += block
            block = 0.0
    return total + block


@kernel
def precision_sums(positives, negatives, scale):
    """Cells to the sum over the positives of the precision at their score, and to their weight.

    Both are added up in the same way, so that their ratio is at most 1, and 1 where each precision
    is. The scale multiplies both.
    """
    tp = 0.0
    fp = 0.0
    precise = 0.0
    total = 0.0
    precise_block = 0.0
    total_block = 0.0
    for cell in range(positives.size):
        tp += positives[cell]
        fp += negatives[cell]
        precise_block += positives[cell] * scale * (tp / (tp + fp))
        total_block += positives[cell] * scale
        if cell % BLOCK == 0:
            precise += precise_block
            total += total_block
            precise_block = 0.0
            total_block = 0.0
    return precise + precise_block, total + total_block


@kernel
def average_precision(labels, bits, space):
    """Labels (n,), score bits (n,) and space for keys to the average precision and the status.

    Every row counts once. nan without positives.
    """
    _, positives, negatives, status = count_cells(labels, bits, space)
    precise, total = precision_sums(positives, negatives, 1.0)
    return precise / total if total > 0.0 else np.nan, status


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
