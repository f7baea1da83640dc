"""Hinge losses of decisions, summed with weights: (n,), or (1,) for one weight for every row."""

import numpy as np

from fastmetrics.kernels._jit import kernel

# the sum of a block is added to the total as one number, which keeps the rounding small
_BLOCK = 1024


@kernel
def sum_binary(positive, decisions, weights):
    """Weighted sum of the losses of labels 0 and 1 (n,), given decisions (n,)."""
    step = np.int64(weights.size > 1)
    total = 0.0
    block = 0.0
    for i in range(positive.size):
        margin = decisions[i] if positive[i] else -decisions[i]
        block += max(1.0 - margin, 0.0) * weights[i * step]
        if i % _BLOCK == _BLOCK - 1:
            total += block
            block = 0.0
    return total + block


@kernel
def sum_multiclass(codes, decisions, weights):
    """Weighted sum of the losses of codes (n,), given decisions (n, K) for each class.

    The margin is the decision for the row's class less the highest of the others.
    """
    n, classes = decisions.shape
    step = np.int64(weights.size > 1)
    total = 0.0
    block = 0.0
    for i in range(n):
        rival = -np.inf
        for k in range(classes):
            if k != codes[i]:
                rival = max(rival, decisions[i, k])
        margin = decisions[i, codes[i]] - rival
        block += max(1.0 - margin, 0.0) * weights[i * step]
        if i % _BLOCK == _BLOCK - 1:
            total += block
            block = 0.0
    return total + block
