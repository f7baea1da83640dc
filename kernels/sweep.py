"""One pass over sorted rows x a tile of weights: AUC, AP, counts at cuts, points of the curve.

Rows come from the highest score down. ``marks`` (n,) say of each row whether it is positive, ends
a group of equal scores, stands alone in its group, and whether the group it ends is long. In tile
t, row r takes its weights from ``weights[t, slots[r]]``; the lane is the last axis. Weights may be
uint8 (resamples), int64 (merged cells) or float64 (sample weights); within 1,024 rows of uint8 the
sums are 32-bit, everything else is int64 or float64. ``state`` (T, quantities, lanes) carries the
sums from block to block; ``zeros`` (lanes,) has the dtype of sums within a chunk.
"""

import numpy as np

from fastmetrics.kernels._arrays import store
from fastmetrics.kernels._jit import kernel

POSITIVE = 1
ENDS = 2
ALONE = 4
LONG = 8
LONG_GROUP = 256
CHUNK = 1024

# what a point request keeps of the curve
KS = 0
AREA_TO_FALSE_POSITIVE_RATE = 1
AREA_FROM_RECALL = 2
RECALL_AT_FALSE_POSITIVE_RATE = 3
PRECISION_AT_RECALL = 4


@kernel
def sweep_discordance(weights, slots, marks, zeros, state):
    """Doubled number of pairs in which the negative scores higher, ties once.

    state (T, 4, lanes): the doubled number, the negatives so far, and the positives and negatives
    of a group still open.
    """
    tiles, _, lanes = weights.shape
    open_positives = zeros.copy()
    open_negatives = zeros.copy()
    p = zeros.copy()
    q = zeros.copy()
    v = zeros.copy()
    for t in range(tiles):
        discordant = state[t, 0]
        passed = state[t, 1]
        for j in range(lanes):
            open_positives[j] = state[t, 2, j]
            open_negatives[j] = state[t, 3, j]
        for start in range(0, marks.size, CHUNK):
            for row in range(start, min(marks.size, start + CHUNK)):
                mark = marks[row]
                w = weights[t, slots[row]]
                if mark & ALONE:
                    if mark & POSITIVE:
                        for j in range(lanes):
                            p[j] += w[j]
                            v[j] += 2 * w[j] * q[j]
                    else:
                        for j in range(lanes):
                            q[j] += w[j]
                    continue
                if mark & POSITIVE:
                    for j in range(lanes):
                        open_positives[j] += w[j]
                else:
                    for j in range(lanes):
                        open_negatives[j] += w[j]
                if mark & ENDS:
                    if mark & LONG:
                        for j in range(lanes):
                            discordant[j] += open_positives[j] * (
                                2 * (passed[j] + q[j]) + open_negatives[j]
                            )
                            passed[j] += open_negatives[j]
                            discordant[j] -= 2 * open_negatives[j] * p[j]
                            open_positives[j] = 0
                            open_negatives[j] = 0
                    else:
                        for j in range(lanes):
                            v[j] += open_positives[j] * (2 * q[j] + open_negatives[j])
                            p[j] += open_positives[j]
                            q[j] += open_negatives[j]
                            open_positives[j] = 0
                            open_negatives[j] = 0
            for j in range(lanes):
                discordant[j] += v[j] + 2 * passed[j] * p[j]
                passed[j] += q[j]
                p[j] = 0
                q[j] = 0
                v[j] = 0
        for j in range(lanes):
            state[t, 2, j] = open_positives[j]
            state[t, 3, j] = open_negatives[j]


@kernel
def sweep_precision(weights, slots, marks, zeros, state):
    """Sum over the positives of the precision at their score.

    state (T, 5, lanes) float64: the sum, positives and rows so far, and the positives and rows of
    a group still open.
    """
    tiles, _, lanes = weights.shape
    p = zeros.copy()
    r = zeros.copy()
    for t in range(tiles):
        own = state[t].copy()
        total = own[0]
        positives = own[1]
        rows = own[2]
        open_positives = own[3]
        open_rows = own[4]
        for start in range(0, marks.size, CHUNK):
            for row in range(start, min(marks.size, start + CHUNK)):
                mark = marks[row]
                w = weights[t, slots[row]]
                if mark & ALONE:
                    for j in range(lanes):
                        r[j] += w[j]
                    if mark & POSITIVE:
                        for j in range(lanes):
                            p[j] += w[j]
                        for j in range(lanes):
                            flagged = rows[j] + r[j]
                            precision = (positives[j] + p[j]) / flagged
                            total[j] += w[j] * precision if flagged > 0 else 0.0
                    continue
                for j in range(lanes):
                    open_rows[j] += w[j]
                if mark & POSITIVE:
                    for j in range(lanes):
                        open_positives[j] += w[j]
                if mark & ENDS:
                    for j in range(lanes):
                        positives[j] += open_positives[j]
                        rows[j] += open_rows[j]
                        flagged = rows[j] + r[j]
                        precision = (positives[j] + p[j]) / flagged
                        total[j] += open_positives[j] * precision if flagged > 0 else 0.0
                        open_positives[j] = 0
                        open_rows[j] = 0
            for j in range(lanes):
                positives[j] += p[j]
                rows[j] += r[j]
                p[j] = 0
                r[j] = 0
        for k in range(5):
            for j in range(lanes):
                state[t, k, j] = own[k, j]


@kernel
def sweep_classes(weights, slots, marks, zeros, state):
    """Negatives and positives of the rows added to state (T, 2, lanes)."""
    tiles, _, lanes = weights.shape
    p = zeros.copy()
    q = zeros.copy()
    for t in range(tiles):
        negatives = state[t, 0]
        positives = state[t, 1]
        for start in range(0, marks.size, CHUNK):
            for row in range(start, min(marks.size, start + CHUNK)):
                w = weights[t, slots[row]]
                if marks[row] & POSITIVE:
                    for j in range(lanes):
                        p[j] += w[j]
                else:
                    for j in range(lanes):
                        q[j] += w[j]
            for j in range(lanes):
                positives[j] += p[j]
                negatives[j] += q[j]
                p[j] = 0
                q[j] = 0


@kernel
def _keep_point(code, limit, before, now, totals, kept):
    """Update kept (lanes,) with the step of the curve from before to now, each (2, lanes)."""
    negatives_before = before[0]
    positives_before = before[1]
    negatives = now[0]
    positives = now[1]
    for j in range(kept.size):
        false_rate = negatives[j] / totals[0, j]
        recall = positives[j] / totals[1, j]
        if code == KS:
            kept[j] = max(kept[j], abs(recall - false_rate))
        elif code == RECALL_AT_FALSE_POSITIVE_RATE:
            kept[j] = recall if false_rate <= limit else kept[j]
        elif code == PRECISION_AT_RECALL:
            flagged = positives[j] + negatives[j]
            if recall >= limit and flagged > 0:
                kept[j] = max(kept[j], positives[j] / flagged)
        elif code == AREA_TO_FALSE_POSITIVE_RATE:
            start = negatives_before[j] / totals[0, j]
            low = positives_before[j] / totals[1, j]
            if false_rate > start and start < limit:
                share = min(1.0, (limit - start) / (false_rate - start))
                kept[j] += share * (false_rate - start) * (low + share * (recall - low) / 2)
        else:
            start = positives_before[j] / totals[1, j]
            low = negatives_before[j] / totals[0, j]
            if recall > start and recall > limit:
                share = min(1.0, (recall - limit) / (recall - start))
                mean = false_rate - share * (false_rate - low) / 2
                kept[j] += share * (recall - start) * (1.0 - mean)


@kernel
def sweep_points(weights, slots, marks, requests, totals, state):
    """What each request keeps of the points (false positive rate, recall) at the group ends.

    requests (k, 2) float64: code and limit; totals (T, 2, lanes) float64: negatives and positives
    of all rows; state (T, 4 + k, lanes) float64: negatives and positives at the last point and
    now, then what is kept.
    """
    tiles, _, lanes = weights.shape
    for t in range(tiles):
        before = state[t, :2]
        now = state[t, 2:4]
        for row in range(marks.size):
            mark = marks[row]
            w = weights[t, slots[row]]
            side = now[1] if mark & POSITIVE else now[0]
            for j in range(lanes):
                side[j] += w[j]
            if mark & ENDS:
                for k in range(requests.shape[0]):
                    code = np.int64(requests[k, 0])
                    _keep_point(code, requests[k, 1], before, now, totals[t], state[t, 4 + k])
                store(now[0], before[0])
                store(now[1], before[1])
