"""Rankings within a row: discounted gains, ranks of the relevant labels, the true class's place.

A row is one list of k entries with a score each. A higher score comes first; equal scores are one
group, inside which the entry furthest to the right comes first where an order is needed.
"""

import numpy as np
from numba import uint64

from fastmetrics.kernels._arrays import store
from fastmetrics.kernels._jit import kernel
from fastmetrics.kernels.sorting import descending_key, sort_keys


@kernel
def sort_row(bits, keys, order, scratch, order_scratch):
    """Bits (k,) of scores to sorted keys (k,) and the entries (k,) from the highest score down."""
    top = uint64(1) << uint64(8 * bits.itemsize - 1)
    last = bits.size - 1
    # the sort is stable: loaded from the right, equal scores stay in that order
    for j in range(bits.size):
        keys[j] = descending_key(uint64(bits[last - j]), top)
        order[j] = last - j
    if sort_keys(keys, order, scratch, order_scratch):
        store(scratch, keys)
        store(order_scratch, order)


@kernel
def discount_gains(bits, gains, discount, places, average_ties, totals):
    """Bits (n, k) of scores and gains (n, k) to the sums (n,) of gain times discount (k,).

    The discount is that of a place from the top and counts up to places. The entries of a tie
    share their mean gain, or take their places from the right.
    """
    n, k = bits.shape
    keys = np.empty(k, bits.dtype)
    scratch = np.empty(k, bits.dtype)
    order = np.empty(k, np.uint32)
    order_scratch = np.empty(k, np.uint32)
    for row in range(n):
        sort_row(bits[row], keys, order, scratch, order_scratch)
        total = 0.0
        start = 0
        while start < places:
            first = gains[row, order[start]]
            stop = start + 1
            excess = 0.0
            while average_ties and stop < k and keys[stop] == keys[start]:
                excess += gains[row, order[stop]] - first
                stop += 1
            # equal gains have exactly their own mean, so that no tie spoils a perfect order
            mean = first + excess / (stop - start)
            for place in range(start, min(stop, places)):
                total += mean * discount[place]
            start = stop
        totals[row] = total


@kernel
def rank_labels(bits, relevant, precisions, losses):
    """Bits (n, k) of scores and relevant (n, k) uint8 to precisions (n,) and losses (n,).

    The precision is the mean over the relevant labels of the share of relevant ones among the
    labels that score at least as high; the loss is the share of pairs of a relevant and another
    label in which the relevant one does not score higher. Without such a pair 1 and 0.
    """
    n, k = bits.shape
    keys = np.empty(k, bits.dtype)
    scratch = np.empty(k, bits.dtype)
    order = np.empty(k, np.uint32)
    order_scratch = np.empty(k, np.uint32)
    for row in range(n):
        wanted = 0
        for j in range(k):
            wanted += relevant[row, j] != 0
        precisions[row] = 1.0
        losses[row] = 0.0
        if wanted == 0 or wanted == k:
            continue
        sort_row(bits[row], keys, order, scratch, order_scratch)
        total = 0.0
        wrong = 0
        found = 0
        start = 0
        while start < k:
            new = 0
            stop = start
            while stop < k and keys[stop] == keys[start]:
                new += relevant[row, order[stop]] != 0
                stop += 1
            wrong += (stop - start - new) * (wanted - found)
            found += new
            total += new * (found / stop)
            start = stop
        precisions[row] = total / wanted
        losses[row] = wrong / (wanted * (k - wanted))


@kernel
def cover_labels(scores, relevant, depths):
    """Scores (n, k) and relevant (n, k) uint8 to how many score as high as the lowest relevant."""
    n, k = scores.shape
    for row in range(n):
        lowest = np.inf
        for j in range(k):
            if relevant[row, j] and scores[row, j] < lowest:
                lowest = scores[row, j]
        depth = 0
        for j in range(k):
            depth += scores[row, j] >= lowest
        depths[row] = depth


@kernel
def place_classes(scores, codes, places):
    """Scores (n, k) and the class (n,) of each row to its place (n,), 0 for the first."""
    n, k = scores.shape
    for row in range(n):
        code = codes[row]
        own = scores[row, code]
        place = 0
        for j in range(k):
            place += scores[row, j] > own or (scores[row, j] == own and j > code)
        places[row] = place


@kernel
def sum_depths(scores, labels, weights):
    """Weighted sum of the depths that ``cover_labels`` finds, and whether all is fine.

    labels (n, k) are 0 or 1, scores (n, k) finite, weights (n,) or (1,) for all rows.
    """
    n, k = scores.shape
    step = np.int64(weights.size > 1)
    fine = True
    total = 0.0
    for row in range(n):
        lowest = np.inf
        excess = 0.0
        for j in range(k):
            score = scores[row, j]
            excess += score - score
            fine &= (labels[row, j] == 0) | (labels[row, j] == 1)
            lowest = score if labels[row, j] != 0 and score < lowest else lowest
        fine &= excess == 0.0
        depth = 0
        for j in range(k):
            depth += scores[row, j] >= lowest
        total += depth * weights[row * step]
    return total, fine


@kernel
def sum_hits(scores, codes, places, weights):
    """Weight of the rows whose class is among so many places, and whether all is fine.

    codes (n,) from 0 to k - 1, all of which occur, scores (n, k) finite, weights (n,) or (1,).
    """
    n, k = scores.shape
    step = np.int64(weights.size > 1)
    present = np.zeros(k, np.bool_)
    total = 0.0
    excess = 0.0
    for row in range(n):
        code = codes[row]
        if code < 0 or code >= k:
            return 0.0, False
        present[code] = True
        own = scores[row, code]
        place = 0
        for j in range(k):
            score = scores[row, j]
            excess += score - score
            place += score > own or (score == own and j > code)
        total += weights[row * step] if place < places else 0.0
    fine = excess == 0.0
    for j in range(k):
        fine &= present[j]
    return total, fine
