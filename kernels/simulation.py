"""Negatives of simulated data sets, counted between the sorted positives and never drawn.

Going down from the highest score, each cell takes a binomial share of the negatives that are left.
A boundary is given from both sides, by the probability below it and above it, so that neither tail
loses its cells to rounding.
"""

from fastmetrics.kernels._jit import kernel
from fastmetrics.kernels.binomial import next_binomial


@kernel
def next_share(state, lane, n, hit, miss):
    """Hits among n draws, where hit and miss are in the ratio of their probabilities."""
    if n <= 0 or hit <= 0.0:
        return 0
    if miss <= 0.0:
        return n
    count = next_binomial(state, lane, n, min(hit, miss), hit + miss)
    return count if hit <= miss else n - count


@kernel
def _next_cell(state, lane, n, start, end):
    """Draws, of n that lie below start, that lie above end; both are (below, above)."""
    if end[0] >= start[0]:
        return 0
    hit = end[1] - start[1] if end[0] > 0.5 else start[0] - end[0]
    return next_share(state, lane, n, hit, end[0])


@kernel
def _draw_lane(positives, cuts, negatives, states, lane, weights, flagged):
    """One data set of ``draw_cells``."""
    scores, bounds, places = positives
    _, atoms, _, size = bounds.shape
    width = atoms + 1
    here = (1.0, 0.0)
    n = negatives
    cut = 0
    first = 0
    for i in range(size + 1):
        above = n
        while cut < places.shape[1] and places[lane, cut] == i:
            end = (cuts[0, cut], cuts[1, cut])
            n -= _next_cell(states, lane, n, here, end)
            here = (min(here[0], end[0]), max(here[1], end[1]))
            flagged[cut, lane] = negatives - n
            cut += 1
        if i == size:
            weights[width * size, lane] = above
            break
        for j in range(atoms):
            end = (bounds[0, j, lane, i], bounds[1, j, lane, i])
            n -= _next_cell(states, lane, n, here, end)
            here = (min(here[0], end[0]), max(here[1], end[1]))
            # the gap above the positive, then the negatives that tie with it
            weights[width * i + 2 * j, lane] = above - n
            above = n
        weights[width * i + 1, lane] = 0
        if scores[lane, i] != scores[lane, first]:
            first = i
        weights[width * first + 1, lane] += 1


@kernel
def draw_cells(positives, cuts, negatives, states, weights, flagged):
    """Cells of L data sets: weights (rows, L), and the negatives flagged at each cut (T, L).

    positives are their scores (L, P) from the highest down, bounds (2, A, L, P), the probability
    below and above each, and places (L, T), how many reach each cut. A is 1, or 2 where negatives
    may tie: the second bound lies below the tie. cuts (2, T) are the bounds of the thresholds from
    the highest down, states (4, L) generators. Per positive there are rows for the gap above it,
    for itself (the first of equal ones stands for all) and, where A is 2, for its tie; a last row
    holds the gap at the bottom.
    """
    for lane in range(weights.shape[1]):
        _draw_lane(positives, cuts, negatives, states, lane, weights, flagged)
