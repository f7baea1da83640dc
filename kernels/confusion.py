"""Labels to codes, and pairs of codes to counts.

``weights`` are (n,), or (1,): one weight for every row. Counts are in the type of the weights.
Counts of one class stand in the order tp, fp, fn, tn on the last axis.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@kernel
def span(y_true, y_pred):
    """Lowest and highest of the integers of two columns (n,)."""
    low = y_true[0]
    high = low
    for i in range(y_true.size):
        low = min(low, y_true[i], y_pred[i])
        high = max(high, y_true[i], y_pred[i])
    return low, high


@kernel
def mark_present(values, low, present):
    """Set present (R,) at the distance from low of each of the integers (n,)."""
    for i in range(values.size):
        present[np.uint64(np.int64(values[i]) - low)] = True


@kernel
def recode(values, low, table, codes):
    """Integers (n,) to codes (n,) by a table (R,) of their distance from low."""
    for i in range(values.size):
        codes[i] = table[np.uint64(np.int64(values[i]) - low)]


@kernel
def encode_rows(words, known, slots, filled, codes):
    """Number the distinct rows of words (n, w) in the order they appear.

    known (capacity, w) are the rows met before, the first ``filled`` of them in use; slots, a power
    of two in size, is their hash table, -1 where empty. Returns how many are known now, or -1 where
    there is no room.
    """
    n, width = words.shape
    mask = np.uint64(slots.size - 1)
    for i in range(n):
        key = np.uint64(0)
        for j in range(width):
            key = (key ^ np.uint64(words[i, j])) * _MULTIPLIER
            key ^= key >> _HALF
        slot = key & mask
        code = slots[slot]
        while code >= 0:
            same = True
            for j in range(width):
                same &= known[code, j] == words[i, j]
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
            code = slots[slot]
        if code < 0:
            if filled == known.shape[0]:
                return -1
            for j in range(width):
                known[filled, j] = words[i, j]
            code = filled
            slots[slot] = code
            filled += 1
        codes[i] = code
    return filled


@kernel
def _precedes(known, first, second):
    """Whether one row of known (K, w) comes before another, word for word."""
    for j in range(known.shape[1]):
        if known[first, j] != known[second, j]:
            return known[first, j] < known[second, j]
    return False


@kernel
def _sorted_rows(known, filled):
    """Order (filled,) of the first rows of known (K, w), ascending word for word; Shell's sort."""
    order = np.arange(filled)
    gap = filled // 2
    while gap > 0:
        for i in range(gap, filled):
            row = order[i]
            place = i
            while place >= gap and _precedes(known, row, order[place - gap]):
                order[place] = order[place - gap]
                place -= gap
            order[place] = row
        gap = 1 if gap == 2 else gap * 5 // 11
    return order


@kernel
def encode_columns(y_true, y_pred, known, codes):
    """Number the distinct rows of two columns of words (n, w), ascending word for word.

    known (capacity, w) is filled with the distinct rows, codes (2, n) with their numbers. Returns
    how many there are, or -1 where there is no room.
    """
    size = 4
    while size < 2 * known.shape[0]:
        size *= 2
    slots = np.full(size, np.int32(-1))
    met = np.empty(known.shape, known.dtype)
    filled = encode_rows(y_true, met, slots, 0, codes[0])
    if filled >= 0:
        filled = encode_rows(y_pred, met, slots, filled, codes[1])
    if filled < 0:
        return filled
    order = _sorted_rows(met, filled)
    ranks = np.empty(filled, codes.dtype)
    for rank in range(filled):
        ranks[order[rank]] = rank
        for j in range(known.shape[1]):
            known[rank, j] = met[order[rank], j]
    for column in range(2):
        for i in range(codes.shape[1]):
            codes[column, i] = ranks[codes[column, i]]
    return filled


@kernel
def count_equal(y_true, y_pred, weights):
    """Weight of the rows in which two columns (n,) agree, and of all; equal where all agree."""
    step = np.int64(weights.size > 1)
    equal = weights[0] * 0
    total = equal
    for i in range(y_true.size):
        weight = weights[i * step]
        equal += (y_true[i] == y_pred[i]) * weight
        total += weight
    return equal, total


@kernel
def count_two(y_true, y_pred, high, weights, counts):
    """Columns (n,) of two values, of which high is the second, to counts (2, 2); rows are true.

    Sums instead of a table: three times as fast, where the weights are integers.
    """
    step = np.int64(weights.size > 1)
    tp = weights[0] * 0
    fp = tp
    fn = tp
    tn = tp
    for i in range(y_true.size):
        positive = y_true[i] == high
        flagged = y_pred[i] == high
        weight = weights[i * step]
        tp += (positive & flagged) * weight
        fp += (flagged > positive) * weight
        fn += (positive > flagged) * weight
        tn += (not (positive | flagged)) * weight
    counts[0, 0] = tn
    counts[0, 1] = fp
    counts[1, 0] = fn
    counts[1, 1] = tp


@kernel
def count_pairs(y_true, y_pred, low, weights, counts):
    """Columns (n,) of integers from low on to counts (K, K); rows are true."""
    step = np.int64(weights.size > 1)
    for i in range(y_true.size):
        # unsigned, so that the index is not tested for counting from the end: a third less time
        row = np.uint64(np.int64(y_true[i]) - low)
        column = np.uint64(np.int64(y_pred[i]) - low)
        counts[row, column] += weights[i * step]


@kernel
def _fill_negatives(counts, own, in_all):
    """Set tn of counts (K, 4), given how many rows or cells are a class's; whether all have any.

    Where all are its own there are no true negatives, whatever the fractions round to.
    """
    total = counts[0, 0] * 0
    for k in range(counts.shape[0]):
        total += counts[k, 0] + counts[k, 2]
    complete = True
    for k in range(counts.shape[0]):
        complete &= own[k] > 0
        if own[k] < in_all:
            counts[k, 3] = max(total - counts[k, 0] - counts[k, 1] - counts[k, 2], 0)
    return complete


@kernel
def count_classes(y_true, y_pred, weights, counts):
    """Codes (n,) to the counts (K, 4) of each class; whether each class occurs."""
    step = np.int64(weights.size > 1)
    rows = np.zeros(counts.shape[0], np.int64)
    rows_in_all = 0
    for i in range(y_true.size):
        positive = np.uint64(y_true[i])
        flagged = np.uint64(y_pred[i])
        weight = weights[i * step]
        wrong = np.uint64(positive != flagged)
        counts[positive, wrong + wrong] += weight
        counts[flagged, np.uint64(1)] += np.int64(wrong) * weight
        there = np.int64(weight > 0)
        rows[positive] += there
        rows[flagged] += np.int64(wrong) * there
        rows_in_all += there
    return _fill_negatives(counts, rows, rows_in_all)


@kernel
def one_versus_rest(pairs, counts):
    """Confusion matrix (K, K) to counts (K, 4), which are 0 before; whether each class occurs."""
    classes = pairs.shape[0]
    cells = np.zeros(classes, np.int64)
    cells_in_all = 0
    for i in range(classes):
        for j in range(classes):
            there = np.int64(pairs[i, j] > 0)
            cells_in_all += there
            cells[i] += there
            if i == j:
                counts[i, 0] = pairs[i, i]
            else:
                counts[i, 2] += pairs[i, j]
                counts[j, 1] += pairs[i, j]
                cells[j] += there
    return _fill_negatives(counts, cells, cells_in_all)


@kernel
def one_versus_rest_of_each(pairs, counts):
    """Confusion matrices (B, K, K) to counts (B, K, 4), which are 0 before."""
    for b in range(pairs.shape[0]):
        one_versus_rest(pairs[b], counts[b])


@kernel
def count_flags(y_true, y_pred, weights, samplewise, counts):
    """Flags (n, k) to the counts, which are 0 before, of each label (k, 4) or each row (n, 4)."""
    step = np.int64(weights.size > 1)
    for i in range(y_true.shape[0]):
        weight = weights[i * step]
        for j in range(y_true.shape[1]):
            group = i if samplewise else j
            place = 3 - 2 * np.int64(y_pred[i, j]) - np.int64(y_true[i, j])
            counts[group, place] += weight


@kernel
def count_differences(y_true, y_pred, counts):
    """Number of flags (n, k) of each row (n,) that differ."""
    for i in range(y_true.shape[0]):
        differences = 0
        for j in range(y_true.shape[1]):
            differences += np.int64(y_true[i, j] != y_pred[i, j])
        counts[i] = differences
