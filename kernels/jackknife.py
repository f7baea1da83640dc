"""What a row leaves behind when it is left out: per unit, from the highest score down.

Units are (m,) labels uint8, weights float64 (rows, times their sample weight) and ends, which are
set where a group of equal scores is complete.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel


@kernel
def _class_weights(labels, weights, first, stop):
    """Weight of the positives and of the negatives from the first unit up to stop."""
    positives = 0.0
    negatives = 0.0
    for unit in range(first, stop):
        if labels[unit]:
            positives += weights[unit]
        else:
            negatives += weights[unit]
    return positives, negatives


@kernel
def pairs_of_row(labels, weights, ends, pairs):
    """Doubled weight of the concordant pairs of a row of weight 1, to pairs (m,)."""
    first = np.int64(0)  # a literal would be a compilation of its own
    _, negatives = _class_weights(labels, weights, first, labels.size)
    positives_above = 0.0
    negatives_above = 0.0
    for last in range(labels.size):
        if not ends[last]:
            continue
        p, q = _class_weights(labels, weights, first, last + 1)
        for unit in range(first, last + 1):
            if labels[unit]:
                pairs[unit] = 2.0 * (negatives - negatives_above) - q
            else:
                pairs[unit] = 2.0 * positives_above + p
        positives_above += p
        negatives_above += q
        first = last + 1


@kernel
def precision_without_row(labels, rows, ends, sums):
    """Sum of precisions without one row of each unit, to sums (m,); rows (m,) are counts."""
    first = np.int64(0)
    tp, negatives = _class_weights(labels, rows, first, labels.size)
    flagged = tp + negatives
    later = 0.0
    later_negative = 0.0
    last = labels.size - 1
    # from the lowest score up: what the scores below a group lose
    for first in range(labels.size - 1, -1, -1):
        if first > 0 and not ends[first - 1]:
            continue
        p, q = _class_weights(labels, rows, first, last + 1)
        less = max(flagged - 1.0, 1.0)
        own = (p - 1.0) * (tp - 1.0) / less
        later_negative += p * tp / less
        for unit in range(first, last + 1):
            sums[unit] = own + later if labels[unit] else later_negative
        later += p * (tp - 1.0) / less
        tp -= p
        flagged -= p + q
        last = first - 1
    # from the highest score down: the precisions above a group, which stay as they are
    earlier = 0.0
    tp = 0.0
    flagged = 0.0
    first = np.int64(0)
    for last in range(labels.size):
        if not ends[last]:
            continue
        p, q = _class_weights(labels, rows, first, last + 1)
        for unit in range(first, last + 1):
            sums[unit] += earlier
        tp += p
        flagged += p + q
        earlier += p * tp / flagged
        first = last + 1


@kernel
def precision_slopes(labels, weights, ends, slopes):
    """Derivative of the sum of weighted precisions by the weight of a row, to slopes (m,)."""
    first = np.int64(0)
    tp, negatives = _class_weights(labels, weights, first, labels.size)
    flagged = tp + negatives
    gain = 0.0
    loss = 0.0
    last = labels.size - 1
    for first in range(labels.size - 1, -1, -1):
        if first > 0 and not ends[first - 1]:
            continue
        p, q = _class_weights(labels, weights, first, last + 1)
        # what is left of a sum after all its terms went may be a rounding error
        if flagged > 0.0 and tp >= 0.0:
            gain += p * max(flagged - tp, 0.0) / (flagged * flagged)
            loss += p * tp / (flagged * flagged)
            precision = tp / flagged
        else:
            precision = 0.0
        for unit in range(first, last + 1):
            slopes[unit] = precision + gain if labels[unit] else -loss
        tp -= p
        flagged -= p + q
        last = first - 1
