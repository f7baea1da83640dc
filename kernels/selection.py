"""Rows near a quantile, so that only they need be sorted."""

import numpy as np

from fastmetrics.kernels._jit import kernel


@kernel
def keep_between(values, weights, low, high, kept, kept_weights):
    """Copy values (n,) from low to high with their weights; how many, weight below, in total.

    weights (n,) or (1,) for all rows; rows of weight 0 are not there. Copying ends where kept is
    full but for one place, counting does not.
    """
    step = np.int64(weights.size > 1)
    place = 0
    count = 0
    below = 0.0
    total = 0.0
    for i in range(values.size):
        value = values[i]
        weight = weights[i * step]
        kept[place] = value
        kept_weights[place] = weight
        inside = np.int64((value >= low) & (value <= high) & (weight > 0.0))
        count += inside
        place += inside * np.int64(place < kept.size - 1)
        below += weight if value < low else 0.0
        total += weight
    return count, below, total
