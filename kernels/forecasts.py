"""Probabilities of a yes-or-no outcome, or of each of several classes, against what happened.

An array of one entry stands for n equal ones.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel

# rows summed on their own: equal terms are rounded alike, and their errors add up
TURN = 128


@kernel
def squared_errors(outcomes, probabilities, weights):
    """Weighted squared errors of a block, and whether all is fine.

    outcomes (n,) 0 or 1, probabilities (n,) float64 or (1,), weights (n,) or (1,).
    """
    step = np.int64(probabilities.size > 1)
    weight_step = np.int64(weights.size > 1)
    fine = True
    squares = 0.0
    for i in range(outcomes.size):
        p = probabilities[i * step]
        y = outcomes[i]
        fine &= (p >= 0.0) & (p <= 1.0) & ((y == 0) | (y == 1))
        error = p - y
        squares += weights[i * weight_step] * (error * error)
    return squares, fine


@kernel
def outcome_probabilities(outcomes, probabilities, smallest, told):
    """Fill told (n,) with the probability of what happened, within [smallest, 1 - smallest].

    outcomes (n,) 0 or 1, probabilities (n,) float64 or (1,). Returns the number of outcomes 1,
    and whether all is fine.
    """
    step = np.int64(probabilities.size > 1)
    fine = True
    positives = 0
    for i in range(outcomes.size):
        p = probabilities[i * step]
        y = outcomes[i]
        fine &= (p >= 0.0) & (p <= 1.0) & ((y == 0) | (y == 1))
        positives += y == 1
        share = p if y == 1 else 1.0 - p
        told[i] = min(max(share, smallest), 1.0 - smallest)
    return positives, fine


@kernel
def class_squared_errors(outcomes, probabilities, weights):
    """Weighted squared errors of a block, summed over the classes.

    outcomes (n,) the columns that came true, probabilities (n, k) float64 or (1, k), weights (n,)
    or (1,).
    """
    step = np.int64(probabilities.shape[0] > 1)
    weight_step = np.int64(weights.size > 1)
    total = 0.0
    part = 0.0
    for i in range(outcomes.size):
        told = probabilities[i * step]
        squares = 0.0
        for k in range(told.size):
            error = told[k] - np.float64(k == outcomes[i])
            squares += error * error
        part += weights[i * weight_step] * squares
        if i % TURN == TURN - 1:
            total += part
            part = 0.0
    return total + part
