"""Many small problems in one call: AUC and AP of every row of a matrix of scores."""

import numpy as np

from fastmetrics.kernels._jit import kernel
from fastmetrics.kernels.sorting import argsort_descending


@kernel
def rank_problems(bits, labels, weights, areas, precisions):
    """Score bits (B, n), labels (1 or B, n), weights (0, 1 or B, n) to AUC and AP (B,).

    areas or precisions may be empty (0,), which leaves them out. Returns the first problem with a
    score that is not finite, or -1.
    """
    problems, n = bits.shape
    keys = np.empty(n, bits.dtype)
    order = np.empty(n, np.uint32)
    for problem in range(problems):
        if not argsort_descending(bits[problem], keys, order):
            return problem
        label = labels[problem if labels.shape[0] > 1 else 0]
        weight = weights[problem % weights.shape[0]] if weights.shape[0] > 0 else weights[:0, 0]
        _rank_problem(keys, order, label, weight, problem, areas, precisions)
    return -1


@kernel
def _rank_problem(keys, order, label, weight, problem, areas, precisions):
    """Write AUC and AP of one sorted problem."""
    positives = 0.0
    negatives = 0.0
    discordant = 0.0
    precision_sum = 0.0
    group_positives = 0.0
    group_negatives = 0.0
    for i in range(order.size):
        row = order[i]
        w = weight[row] if weight.size > 0 else 1.0
        if label[row]:
            group_positives += w
        else:
            group_negatives += w
        if i + 1 < order.size and keys[i + 1] == keys[i]:
            continue
        discordant += group_positives * (2.0 * negatives + group_negatives)
        positives += group_positives
        negatives += group_negatives
        if positives > 0.0:
            precision_sum += group_positives * positives / (positives + negatives)
        group_positives = 0.0
        group_negatives = 0.0
    pairs = 2.0 * positives * negatives
    if areas.size > 0:
        areas[problem] = max(pairs - discordant, 0.0) / pairs if pairs > 0.0 else np.nan
    if precisions.size > 0:
        precisions[problem] = min(precision_sum / positives, 1.0) if positives > 0.0 else np.nan
