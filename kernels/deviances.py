"""Rows of targets and predicted means to sums of unit deviances, weighted.

Conventions are those of ``sums``; targets and predictions are float64. A constant mean that
predictions are compared with is above 0; 0 says that there is none.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel
from fastmetrics.kernels.sums import BLOCK, LANES, spelled_out

POISSON, GAMMA, TWEEDIE = range(3)


@kernel
def lowest_pair(y_true, y_pred):
    """Smallest target and smallest prediction of rows (n,), nan passed over."""
    full = y_true.size - y_true.size % LANES
    targets = np.full(LANES, np.inf)
    predictions = np.full(LANES, np.inf)
    for start in range(0, full, LANES):
        for lane in range(LANES):
            target = y_true[start + lane]
            prediction = y_pred[start + lane]
            targets[lane] = target if target < targets[lane] else targets[lane]
            predictions[lane] = prediction if prediction < predictions[lane] else predictions[lane]
    for i in range(full, y_true.size):
        targets[0] = y_true[i] if y_true[i] < targets[0] else targets[0]
        predictions[0] = y_pred[i] if y_pred[i] < predictions[0] else predictions[0]
    for lane in range(1, LANES):
        targets[0] = min(targets[0], targets[lane])
        predictions[0] = min(predictions[0], predictions[lane])
    return targets[0], predictions[0]


@kernel
def ratios(y_true, y_pred, constant, instead, quotients):
    """Targets (n,) by predictions (n,) to a row of quotients; the smallest of either.

    A second row, where there is one, is for the targets by the constant. A quotient of 0, which
    has no logarithm, is replaced. nan is passed over for the smallest.
    """
    n = y_true.size
    lowest_target = np.inf
    lowest_prediction = np.inf
    for start in range(0, n, BLOCK):
        m = min(BLOCK, n - start)
        target = y_true[start : start + m]
        prediction = y_pred[start : start + m]
        result = quotients[0, start : start + m]
        for i in range(m):
            quotient = target[i] / prediction[i]
            result[i] = quotient if quotient != 0.0 else instead
        if quotients.shape[0] > 1:
            result = quotients[1, start : start + m]
            for i in range(m):
                quotient = target[i] / constant
                result[i] = quotient if quotient != 0.0 else instead
        lowest = lowest_pair(target, prediction)
        lowest_target = min(lowest_target, lowest[0])
        lowest_prediction = min(lowest_prediction, lowest[1])
    return lowest_target, lowest_prediction


@kernel
def _deviance_term(kind, power, target, prediction, first, second):
    """Half of a row's unit deviance."""
    if kind == POISSON:
        return target * first - target + prediction
    if kind == GAMMA:
        return target / prediction - 1.0 - first
    # not the second itself in the last term: an infinite prediction has to show
    slope = second / prediction
    return (
        first / ((1.0 - power) * (2.0 - power))
        - target * slope / (1.0 - power)
        + prediction * slope / (2.0 - power)
    )


@kernel
def _block_deviance(kind, power, y_true, y_pred, first, second, weights, lanes):
    """Weighted sum of half the unit deviances of a block (m,)."""
    full = y_true.size - y_true.size % LANES
    for lane in range(LANES):
        lanes[lane] = 0.0
    for start in range(0, full, LANES):
        for lane in range(LANES):
            i = start + lane
            lanes[lane] += weights[i] * _deviance_term(
                kind, power, y_true[i], y_pred[i], first[i], second[i]
            )
    result = 0.0
    for i in range(full, y_true.size):
        result += weights[i] * _deviance_term(
            kind, power, y_true[i], y_pred[i], first[i], second[i]
        )
    for lane in range(LANES):
        result += lanes[lane]
    return result


@kernel
def deviance_sums(kind, power, y_true, y_pred, constant, first, second, weights):
    """Weighted sums of the unit deviances of rows (n,), from the predictions and a constant.

    POISSON and GAMMA: first and second are the logarithms of the rows of ``ratios``, second is not
    read without a constant. TWEEDIE: first is y_true ** (2 - power), second y_pred ** (2 - power).
    Weights (n,) or (1,). Without a constant the second sum is 0.
    """
    n = y_true.size
    lanes = np.empty(LANES)
    size = min(n, BLOCK) if constant > 0.0 else 0
    constants = np.full(size, constant)
    powers = np.full(size, constant ** (2.0 - power) if size else 0.0)
    weights = spelled_out(weights, n)
    weight_step = np.int64(weights.size == n)
    total = 0.0
    reference = 0.0
    for start in range(0, n, BLOCK):
        m = min(BLOCK, n - start)
        rows = slice(start, start + m)
        target = y_true[rows]
        row_weights = weights[start * weight_step : start * weight_step + m]
        total += _block_deviance(
            kind, power, target, y_pred[rows], first[rows], second[rows], row_weights, lanes
        )
        if constant > 0.0:
            terms = first[rows] if kind == TWEEDIE else second[rows]
            reference += _block_deviance(
                kind, power, target, constants[:m], terms, powers[:m], row_weights, lanes
            )
    return 2.0 * total, 2.0 * reference
