"""Rows in an order found beforehand x weights (n, lanes): what no sum of row terms gives.

Every lane is a replicate; its weights are 0 or more, float64, and a row of weight 0 is not there.
``order`` (n,) lists the rows; a row is read with all of its lanes, so that loops over lanes are
SIMD loops. Rows are added up in blocks, which keeps the rounding small.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel

BLOCK = 256


@kernel
def quantile_places(order, weights, targets, slacks, places):
    """Places (2, lanes) in the order at which the running weight reaches targets (lanes,).

    Where it stops at the target, up to slacks (lanes,), the last row before and the first after,
    else one row twice; -1 in a lane without weight.
    """
    n = order.size
    lanes = weights.shape[1]
    reached = np.zeros(lanes)
    block = np.empty(lanes)
    unfinished = lanes
    for lane in range(lanes):
        places[0, lane] = -1
        places[1, lane] = -1
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        for lane in range(lanes):
            block[lane] = 0.0
        for i in range(start, stop):
            w = weights[order[i]]
            for lane in range(lanes):
                block[lane] += w[lane]
        for lane in range(lanes):
            if places[1, lane] >= 0 or block[lane] == 0.0:
                continue
            started = places[0, lane] >= 0
            if started or reached[lane] + block[lane] >= targets[lane] - slacks[lane]:
                running = reached[lane]
                for i in range(start, stop):
                    w_row = weights[order[i], lane]
                    if w_row == 0.0:
                        continue
                    if started:
                        places[1, lane] = i
                        break
                    running += w_row
                    if running >= targets[lane] - slacks[lane]:
                        started = True
                        places[0, lane] = i
                        if running > targets[lane] + slacks[lane]:
                            places[1, lane] = i
                            break
                unfinished -= places[1, lane] >= 0
            reached[lane] += block[lane]
        if unfinished == 0:
            return
    for lane in range(lanes):
        if places[0, lane] < 0:  # kept from the target by rounding
            last = n - 1
            while last >= 0 and weights[order[last], lane] == 0.0:
                last -= 1
            places[0, lane] = last
        if places[1, lane] < 0:
            places[1, lane] = places[0, lane]


@kernel
def constant_losses(values, weights, level, constants, losses):
    """Weighted pinball losses of values (n,) from the constant of each lane, added to losses."""
    lanes = weights.shape[1]
    block = np.empty(lanes)
    for start in range(0, values.size, BLOCK):
        for lane in range(lanes):
            block[lane] = 0.0
        for i in range(start, min(start + BLOCK, values.size)):
            w = weights[i]
            value = values[i]
            for lane in range(lanes):
                error = value - constants[lane]
                block[lane] += w[lane] * max(level * error, (level - 1.0) * error)
        for lane in range(lanes):
            losses[lane] += block[lane]


@kernel
def bin_lanes(bins, probabilities, outcomes, weights, sums):
    """Weights, and weighted probabilities and outcomes, added to sums (bins, 3, lanes) by bin."""
    for i in range(bins.size):
        w = weights[i]
        total = sums[bins[i]]
        probability = probabilities[i]
        outcome = outcomes[i]
        for lane in range(w.size):
            total[0, lane] += w[lane]
            total[1, lane] += w[lane] * probability
            total[2, lane] += w[lane] * outcome


@kernel
def class_lanes(labels, weights, totals):
    """Weight of labels 0 and 1 (n,), added to totals (2, lanes)."""
    lanes = weights.shape[1]
    block = np.empty((2, lanes))
    for start in range(0, labels.size, BLOCK):
        for lane in range(lanes):
            block[0, lane] = 0.0
            block[1, lane] = 0.0
        for i in range(start, min(start + BLOCK, labels.size)):
            w = weights[i]
            own = block[np.int64(labels[i])]
            for lane in range(lanes):
                own[lane] += w[lane]
        for lane in range(lanes):
            totals[0, lane] += block[0, lane]
            totals[1, lane] += block[1, lane]


@kernel
def _add_rows(order, labels, weights, start, stop, sums):
    """Weight of all rows and of the positives from start to stop, added to sums (2, lanes)."""
    for i in range(start, stop):
        w = weights[order[i]]
        for lane in range(w.size):
            sums[0, lane] += w[lane]
        if labels[i]:
            for lane in range(w.size):
                sums[1, lane] += w[lane]


@kernel
def _close_group(passed, group, left, wanted, found):
    """Add a group to what is passed, (2, lanes) each; returns how many lanes end in it.

    ``left`` is what is wanted in lanes that have not ended, else infinite.
    """
    ended = 0
    for lane in range(left.size):
        if group[0, lane] > 0.0 and passed[0, lane] + group[0, lane] >= left[lane]:
            part = (left[lane] - passed[0, lane]) * group[1, lane] / group[0, lane]
            most = passed[1, lane] + group[1, lane]
            found[lane] = min(passed[1, lane] + part, most, wanted[lane])
            left[lane] = np.inf
            ended += 1
    for k in range(2):
        for lane in range(left.size):
            passed[k, lane] += group[k, lane]
            group[k, lane] = 0.0
    return ended


@kernel
def top_lanes(order, labels, ends, weights, wanted, found):
    """Weight of the positives in the first wanted (lanes,) of all weight, to found (lanes,).

    order (n,) from the highest score down, labels and ends (n,) in that order: ends says whether
    a row is the last of its group of equal scores, of which the share counts that is wanted.
    """
    n = order.size
    lanes = weights.shape[1]
    passed = np.zeros((2, lanes))
    group = np.zeros((2, lanes))
    tried = np.empty((2, lanes))
    left = wanted.copy()
    unfinished = lanes
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        complete = stop
        while complete > start and not ends[complete - 1]:
            complete -= 1
        # most blocks end in no lane: one look at the whole block
        for k in range(2):
            for lane in range(lanes):
                tried[k, lane] = group[k, lane]
        _add_rows(order, labels, weights, start, complete, tried)
        crossing = 0
        for lane in range(lanes):
            crossing += passed[0, lane] + tried[0, lane] >= left[lane]
        if crossing:
            first = start
            for i in range(start, complete):
                if ends[i]:
                    _add_rows(order, labels, weights, first, i + 1, group)
                    unfinished -= _close_group(passed, group, left, wanted, found)
                    first = i + 1
            if unfinished == 0:
                return
        elif complete > start:
            unfinished -= _close_group(passed, tried, left, wanted, found)
            for k in range(2):
                for lane in range(lanes):
                    group[k, lane] = 0.0
        _add_rows(order, labels, weights, complete, stop, group)
    for lane in range(lanes):
        if left[lane] < np.inf:  # kept from it by rounding, or without weight
            found[lane] = min(passed[1, lane], wanted[lane])
