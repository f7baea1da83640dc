"""Rows to bins of their probability, and rows to slots of it, from which quantiles are read.

The bits of a float of 0 or more rise with it. Cut into slots they say nearly which bin a
probability is in, however skewed the edges are: one look-up and as many comparisons as the
fullest slot has edges, usually one. No branch depends on the data, and nothing is indexed by a
product that rounding could push past the end.
"""

import numpy as np
from numba import uint64

from fastmetrics.kernels._jit import kernel

SLOTS_PER_BIN = 16
# rows in turn add to their own copy of the sums: two rows of one bin need not wait for each other
COPIES = 4
# rows whose bins are found before they are added up; the first part runs on vectors
ROWS = 512
ONE = 0x3FF0000000000000  # the bits of 1.0


@kernel
def slot_width(lowest, highest, slots):
    """Bits to drop so that lowest to highest fall into fewer than so many slots."""
    shift = 0
    while (highest - lowest) >> shift >= slots:
        shift += 1
    return shift


@kernel
def _guide(edges):
    """Edges (bins - 1,) to what finds the bin of the bits of a probability.

    The lowest and the highest edge's bits, the width of a slot, the number of edges in earlier
    slots (slots + 1,), and the edges, with as many infinite ones as the fullest slot has edges.
    """
    edge_bits = edges.view(np.int64)
    lowest = edge_bits[0] if edges.size > 0 else np.int64(0)
    highest = edge_bits[edges.size - 1] if edges.size > 0 else np.int64(0)
    shift = slot_width(lowest, highest, SLOTS_PER_BIN * (edges.size + 1))
    before = np.zeros(((highest - lowest) >> shift) + 2, np.int64)
    for j in range(edges.size):
        before[((edge_bits[j] - lowest) >> shift) + 1] += 1
    most = 0
    for slot in range(1, before.size):
        most = max(most, before[slot])
        before[slot] += before[slot - 1]
    limits = np.full(edges.size + 1 + most, np.inf)
    for j in range(edges.size):
        limits[j] = edges[j]
    return lowest, highest, shift, before, limits


@kernel
def bin_sums(outcomes, probabilities, weights, edges, sums):
    """Add weight, weighted probability and weighted outcome of each row to its bin's sums.

    outcomes (n,) 0 or 1, probabilities (n,) float64, weights (n,) or (1,) for all rows, edges
    (bins - 1,) between the bins, sums (bins, 3). An edge belongs to the bin on its left. False
    where an outcome or a probability is something else (or -0.0).
    """
    bins = sums.shape[0]
    bits = probabilities.view(np.int64)
    lowest, highest, shift, before, limits = _guide(edges)
    step = uint64(weights.size > 1)
    parts = np.zeros((COPIES * bins, 3))
    places = np.empty(ROWS, np.uint64)
    fine = True
    n = uint64(outcomes.size)
    for start in range(uint64(0), n, uint64(ROWS)):
        rows = min(uint64(ROWS), n - start)
        for i in range(rows):
            word = bits[start + i]
            fine &= (uint64(word) <= uint64(ONE)) & ((outcomes[start + i] >> 1) == 0)
            places[i] = before[uint64((min(max(word, lowest), highest) - lowest) >> shift)]
        for _ in range(limits.size - bins):
            for i in range(rows):
                places[i] += uint64(limits[places[i]] < probabilities[start + i])
        for i in range(rows):
            place = places[i] + uint64(bins) * (i & uint64(COPIES - 1))
            w = weights[(start + i) * step]
            parts[place, 0] += w
            parts[place, 1] += w * probabilities[start + i]
            parts[place, 2] += w * outcomes[start + i]
    for place in range(COPIES * bins):
        for term in range(3):
            sums[place % bins, term] += parts[place, term]
    return fine


@kernel
def bin_means(sums, means):
    """Share of positives and mean probability (2, bins) of sums (bins, 3), empty bins left out.

    Returns how many are held; the columns behind those are not filled.
    """
    held = 0
    for place in range(sums.shape[0]):
        if sums[place, 0] > 0.0:
            means[0, held] = sums[place, 2] / sums[place, 0]
            means[1, held] = sums[place, 1] / sums[place, 0]
            held += 1
    return held


@kernel
def quantiles(values, steps, edges):
    """Fill edges (q,) from values (3, q): those before, after and nearest to each.

    A step (q,) is the share of the gap between the former two from the latter; no edge is -0.0.
    Returns whether all lie from 0 to 1.
    """
    for j in range(edges.size):
        edges[j] = values[2, j] + (values[1, j] - values[0, j]) * steps[j] + 0.0
    return values[0, 0] >= 0.0 and values[1, edges.size - 1] <= 1.0


@kernel
def count_slots(probabilities, lowest, shift, counts):
    """Count the rows in each slot of the bits from lowest on; counts (slots,) are added to."""
    bits = probabilities.view(np.int64)
    for i in range(bits.size):
        counts[(max(bits[i], lowest) - lowest) >> shift] += 1


@kernel
def collect_slots(probabilities, lowest, shift, wanted, collected):
    """Copy the rows in slots with wanted (slots,) 1 to the front of collected; returns how many.

    collected has one place more than there are rows to copy.
    """
    bits = probabilities.view(np.int64)
    count = 0
    for i in range(bits.size):
        collected[count] = probabilities[i]
        count += wanted[(max(bits[i], lowest) - lowest) >> shift]
    return count
