"""Rows of targets and predicted means to sums of unit deviances, weighted.

Conventions are those of ``sums``.
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
def ratios(y_true, y_pred, instead, quotients):
    """Targets (n,) by predictions (n,) or (1,) to quotients (n,); the smallest of either.

    A quotient of 0, which has no logarithm, is replaced. nan is passed over for the smallest.
    """
    n = y_true.size
    y_pred = spelled_out(y_pred, n)
    step = np.int64(y_pred.size == n)
    lowest_target = np.inf
    lowest_prediction = np.inf
    for start in range(0, n, BLOCK):
        m = min(BLOCK, n - start)
        target = y_true[start : start + m]
        prediction = y_pred[start * step : start * step + m]
        result = quotients[start : start + m]
        for i in range(m):
            quotient = np.float64(target[i]) / np.float64(prediction[i])
            result[i] = quotient if quotient != 0.0 else instead
        lowest = lowest_pair(target, prediction)
        lowest_target = min(lowest_target, lowest[0])
        lowest_prediction = min(lowest_prediction, lowest[1])
    return lowest_target, lowest_prediction


@kernel
def _deviance_term(kind, power, target, prediction, first, second):
    """Half of a row's unit deviance."""
    target = np.float64(target)
    prediction = np.float64(prediction)
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
def deviance_sum(kind, power, y_true, y_pred, first, second, weights):
    """Weighted sum of the unit deviances of rows (n,).

    POISSON and GAMMA: first is the logarithm of ``ratios``, second is not read. TWEEDIE: first is
    y_true ** (2 - power), second y_pred ** (2 - power). All but y_true and first may be (1,).
    """
    n = y_true.size
    lanes = np.empty(LANES)
    y_pred = spelled_out(y_pred, n)
    second = spelled_out(second, n)
    weights = spelled_out(weights, n)
    prediction_step = np.int64(y_pred.size == n)
    second_step = np.int64(second.size == n)
    weight_step = np.int64(weights.size == n)
    total = 0.0
    for start in range(0, n, BLOCK):
        m = min(BLOCK, n - start)
        total += _block_deviance(
            kind,
            power,
            y_true[start : start + m],
            y_pred[start * prediction_step : start * prediction_step + m],
            first[start : start + m],
            second[start * second_step : start * second_step + m],
            weights[start * weight_step : start * weight_step + m],
            lanes,
        )
    return 2.0 * total
