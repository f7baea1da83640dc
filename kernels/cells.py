"""Labels and scores to tie cells: per distinct score, how many positives and negatives.

Cells need no argsort: the keys of the two classes are sorted apart and merged.
"""

import numpy as np
from numba import uint64

from fastmetrics.kernels._arrays import store
from fastmetrics.kernels._jit import kernel
from fastmetrics.kernels.sorting import argsort_descending, descending_key, scores_of, sort_keys

FINE = 0
OTHER_LABELS = 1
NOT_FINITE = 2


@kernel
def _class_sizes(labels):
    """Number of rows labelled 1, number labelled 0."""
    positives = 0
    negatives = 0
    for i in range(labels.size):
        positives += labels[i] == 1
        negatives += labels[i] == 0
    return positives, negatives


@kernel
def _split_keys(labels, bits, positive_keys, negative_keys):
    """Keys of each class, one spare place each; False where a score is not finite."""
    width = uint64(8 * bits.itemsize)
    top = uint64(1) << (width - uint64(1))
    infinity = uint64(0x7FF0000000000000) if width == 64 else uint64(0x7F800000)
    finite = True
    p = 0
    q = 0
    for i in range(bits.size):
        word = uint64(bits[i])
        finite &= (word & (top - uint64(1))) < infinity
        key = descending_key(word, top)
        positive_keys[p] = key
        negative_keys[q] = key
        positive = np.int64(labels[i] == 1)
        p += positive
        q += 1 - positive
    return finite


@kernel
def sorted_classes(labels, bits, space):
    """Sorted keys of the positives, of the negatives, and the status.

    space is where the keys go, 2 n + 2 of them, or empty. NumPy's large arrays lie on large pages;
    those that a kernel makes do not, and touching 4 kB at a time costs a quarter of the sort.
    """
    p, q = _class_sizes(labels)
    if space.size < p + q + max(p, q) + 2:
        space = np.empty(p + q + max(p, q) + 2, bits.dtype)
    positive_keys = space[: p + 1]
    negative_keys = space[p + 1 : p + q + 2]
    if p + q != labels.size:
        return positive_keys[:0], negative_keys[:0], OTHER_LABELS
    if not _split_keys(labels, bits, positive_keys, negative_keys):
        return positive_keys[:0], negative_keys[:0], NOT_FINITE
    scratch = space[p + q + 2 :]
    none = np.empty(0, np.uint32)
    ahead = positive_keys[:p]
    behind = negative_keys[:q]
    if sort_keys(ahead, none, scratch[:p], none):
        # the larger class finds the scratch free again
        if p >= q:
            ahead, scratch = scratch[:p], positive_keys
        else:
            store(scratch[:p], ahead)
    if sort_keys(behind, none, scratch[:q], none):
        behind = scratch[:q]
    return ahead, behind, FINE


@kernel
def auc_counts(labels, bits, space):
    """Labels (n,), score bits (n,) and space for keys to 2 U, P, N and the status.

    U counts the pairs in which the positive scores higher, ties as one half; 2 U is exact while
    2 P N < 2**63.
    """
    positive_keys, negative_keys, status = sorted_classes(labels, bits, space)
    p = positive_keys.size
    q = negative_keys.size
    i = 0
    j = 0
    doubled = 0
    while i < p and j < q:
        x = positive_keys[i]
        y = negative_keys[j]
        if x == y:
            end = j
            while end < q and negative_keys[end] == y:
                end += 1
            while i < p and positive_keys[i] == y:
                doubled += (q - j) + (q - end)
                i += 1
            j = end
        else:
            first = np.int64(x < y)
            doubled += first * 2 * (q - j)
            i += first
            j += 1 - first
    return doubled, p, q, status


@kernel
def merge_classes(positive_keys, negative_keys, keys, positives, negatives):
    """Sorted keys of both classes to distinct keys with their counts; returns how many."""
    p = positive_keys.size
    q = negative_keys.size
    i = 0
    j = 0
    cell = 0
    while i < p or j < q:
        if j >= q or (i < p and positive_keys[i] <= negative_keys[j]):
            key = positive_keys[i]
        else:
            key = negative_keys[j]
        first_positive = i
        first_negative = j
        while i < p and positive_keys[i] == key:
            i += 1
        while j < q and negative_keys[j] == key:
            j += 1
        keys[cell] = key
        positives[cell] = i - first_positive
        negatives[cell] = j - first_negative
        cell += 1
    return cell


@kernel
def count_cells(labels, bits, space):
    """Labels (n,), score bits (n,) and space to bits, positives, negatives (U,) and the status.

    One cell per distinct score, from the highest score down.
    """
    positive_keys, negative_keys, status = sorted_classes(labels, bits, space)
    n = positive_keys.size + negative_keys.size
    keys = np.empty(n, bits.dtype)
    positives = np.empty(n, np.int64)
    negatives = np.empty(n, np.int64)
    size = merge_classes(positive_keys, negative_keys, keys, positives, negatives)
    cell_bits = np.empty(size, bits.dtype)
    scores_of(keys[:size], cell_bits)
    return cell_bits, positives[:size].copy(), negatives[:size].copy(), status


@kernel
def weigh_cells(labels, bits, weights):
    """As ``count_cells`` with weights (n,) float64 summed per class and distinct score.

    A label other than 1 counts as 0.
    """
    n = labels.size
    keys = np.empty(n, bits.dtype)
    order = np.empty(n, np.uint32)
    status = FINE if argsort_descending(bits, keys, order) else NOT_FINITE
    # rows are read in the order of the scores: labels of a byte each stay in the cache
    positive = np.empty(n, np.uint8)
    for i in range(n):
        positive[i] = labels[i] == 1
        if labels[i] != 1 and labels[i] != 0:
            status = OTHER_LABELS
    positives = np.zeros(n, np.float64)
    negatives = np.zeros(n, np.float64)
    size = 0
    for i in range(n):
        if i > 0 and keys[i] != keys[i - 1]:
            size += 1
        keys[size] = keys[i]
        row = order[i]
        if positive[row]:
            positives[size] += weights[row]
        else:
            negatives[size] += weights[row]
    size += n > 0
    cell_bits = np.empty(size, bits.dtype)
    scores_of(keys[:size], cell_bits)
    return cell_bits, positives[:size].copy(), negatives[:size].copy(), status


@kernel
def add_down(positives, negatives, tp, fp):
    """Positives and negatives (U,) per cell to their float64 totals (U,) down to each cell."""
    flagged_positives = 0.0
    flagged_negatives = 0.0
    for cell in range(positives.size):
        flagged_positives += positives[cell]
        flagged_negatives += negatives[cell]
        tp[cell] = flagged_positives
        fp[cell] = flagged_negatives


@kernel
def merge_columns(keys, starts, cut_keys, cut_cells, counts):
    """Sorted columns of keys to counts (n, C) per distinct key, and the cells at each cut.

    A row is flagged at a cut when its key is at most the cut's. Returns how many keys are
    distinct; the counts beyond stay as they are.
    """
    columns = starts.size - 1
    heads = starts.copy()
    cell = 0
    cut = 0
    while True:
        key = keys.dtype.type(0)
        found = False
        for column in range(columns):
            head = heads[column]
            if head < starts[column + 1] and (not found or keys[head] < key):
                key = keys[head]
                found = True
        while cut < cut_keys.size and (not found or cut_keys[cut] < key):
            cut_cells[cut] = cell
            cut += 1
        if not found:
            return cell
        for column in range(columns):
            head = heads[column]
            first = head
            while head < starts[column + 1] and keys[head] == key:
                head += 1
            heads[column] = head
            counts[cell, column] = head - first
        cell += 1


@kernel
def _guide(separators, width):
    """Two tables on the leading bits of a key that lead to a separator near it.

    The first 16 bits choose a part of the second table, which splits them by as many more bits as
    there are separators to tell apart. Returns where the parts start (65537,), how many bits each
    adds (65536,), and the first separator at or above the start of each slot.
    """
    depths = np.zeros(65536, np.uint8)
    held = np.zeros(65536, np.int64)
    coarse = uint64(width - 16)
    for i in range(separators.size):
        held[uint64(separators[i]) >> coarse] += 1
    starts = np.empty(65537, np.int64)
    starts[0] = 0
    for part in range(65536):
        while held[part] > 0 and depths[part] < 16 and (1 << depths[part]) < 2 * held[part]:
            depths[part] += 1
        starts[part + 1] = starts[part] + (1 << depths[part])
    slots = np.empty(starts[65536], np.uint32)
    place = 0
    for part in range(65536):
        depth = uint64(depths[part])
        for slot in range(1 << depths[part]):
            start = (uint64(part) << coarse) | (uint64(slot) << (coarse - depth))
            while place < separators.size and uint64(separators[place]) < start:
                place += 1
            slots[starts[part] + slot] = place
    return starts, depths, slots


@kernel
def _first_at_or_above(separators, key, place):
    """First separator at or above key, which is at place or beyond; galloping, then halving."""
    step = 1
    size = separators.size
    while place + step < size and uint64(separators[place + step]) < key:
        place += step
        step *= 2
    while step > 0:
        if place + step < size and uint64(separators[place + step]) < key:
            place += step
        step //= 2
    if place < size and uint64(separators[place]) < key:
        place += 1
    return place


@kernel
def count_gaps(bits, columns, separators, counts):
    """Rows per column at each separator and in the gaps between: counts (2 D + 1, C).

    separators (D,) are distinct sorted keys. Nothing else is sorted: a row costs a few
    nanoseconds.
    """
    width = 8 * bits.itemsize
    top = uint64(1) << uint64(width - 1)
    coarse = uint64(width - 16)
    starts, depths, slots = _guide(separators, width)
    size = separators.size
    for i in range(bits.size):
        key = descending_key(uint64(bits[i]), top)
        part = key >> coarse
        depth = uint64(depths[part])
        slot = (key >> (coarse - depth)) & ((uint64(1) << depth) - uint64(1))
        place = np.int64(slots[starts[part] + np.int64(slot)])
        if place < size and uint64(separators[place]) < key:
            place = _first_at_or_above(separators, key, place)
        at = place < size and uint64(separators[place]) == key
        counts[2 * place + np.int64(at), columns[i]] += 1
