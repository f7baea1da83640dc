"""Probabilities of a yes-or-no outcome, or of each of several classes, against what happened.

An array of one entry stands for n equal ones.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel

# rows summed on their own: equal terms are rounded alike, and their errors add up
TURN = 128


@kernel
def check_probabilities(entries, width, tolerance):
    """Whether all entries are from 0 to 1, and whether those of each row sum to 1 within a bound.

    entries (n width,) float64 or float32, row by row; rows of one entry need no sum.
    """
    inside = True
    if width == 1:
        for i in range(entries.size):
            inside &= (entries[i] >= 0.0) & (entries[i] <= 1.0)
        return inside, True
    lowest, highest = 1.0, 1.0
    for start in range(0, entries.size, width):
        total = 0.0
        for i in range(start, start + width):
            p = np.float64(entries[i])
            inside &= (p >= 0.0) & (p <= 1.0)
            total += p
        lowest = min(lowest, total)
        highest = max(highest, total)
    return inside, lowest >= 1.0 - tolerance and highest <= 1.0 + tolerance


@kernel
def tell_texts(words, first, outcomes):
    """Fill outcomes (n,) with ``first`` in rows that equal the first one, else with the other.

    words (n w,) are those of each row's text, first is 0 or 1. Returns a row that differs from the
    first: 0 where there is none, n where such rows differ among themselves.
    """
    n = outcomes.size
    width = words.size // n
    other = 0
    for i in range(n):
        same = True
        for j in range(width):
            same &= words[i * width + j] == words[j]
        outcomes[i] = first == same
        if not same:
            if other == 0:
                other = i
            for j in range(width):
                if words[i * width + j] != words[other * width + j]:
                    return n
    return other


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
def column_probabilities(outcomes, probabilities, smallest, told):
    """Fill told (n,) with the probability of what happened, within [smallest, 1 - smallest].

    outcomes (n,) the columns that came true, probabilities (n, k) float64.
    """
    for i in range(outcomes.size):
        told[i] = min(max(probabilities[i, outcomes[i]], smallest), 1.0 - smallest)


@kernel
def add_class_weights(outcomes, weights, classes):
    """Add the weight of each row to its class's; outcomes (n,), weights (n,) or (1,), classes (k,).

    Rows are summed on their own before they are added.
    """
    step = np.int64(weights.size > 1)
    sums = np.zeros(classes.size)
    for i in range(outcomes.size):
        sums[outcomes[i]] += weights[i * step]
    for k in range(classes.size):
        classes[k] += sums[k]


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
