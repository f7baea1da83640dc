"""Rows of targets and predictions to sums: errors, moments and deviances, weighted.

Rows are added up in blocks, and within a block in lanes, so that LLVM may use vectors; that also
rounds better than one running sum. Columns come as (k, n), one row per output. An array of
one entry stands for n equal ones. Sums are not finite where an input is not, and nothing else is
checked here.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel

BLOCK = 4096
LANES = 32
SQUARED, ABSOLUTE, PERCENTAGE, PINBALL = range(4)
POISSON, GAMMA, TWEEDIE = range(3)
# what MAPE divides by at least
SMALLEST_TARGET = 2.0**-52


@kernel
def _spelled_out(values, n):
    """Values (n,) as they are; one value as a block of equal ones."""
    if values.size == n:
        return values
    block = np.empty(min(n, BLOCK))
    for i in range(block.size):
        block[i] = values[0]
    return block


@kernel
def _error_term(kind, parameter, target, prediction):
    """What a row adds to the sum of errors."""
    error = target - prediction
    if kind == SQUARED:
        return error * error
    if kind == ABSOLUTE:
        return abs(error)
    if kind == PERCENTAGE:
        return abs(error) / max(abs(target), SMALLEST_TARGET)
    return error * (parameter if error >= 0.0 else parameter - 1.0)


@kernel
def _block_errors(kind, parameter, y_true, y_pred, weights, lanes):
    """Weighted sum of the error terms of a block (m,)."""
    full = y_true.size - y_true.size % LANES
    for lane in range(LANES):
        lanes[lane] = 0.0
    for start in range(0, full, LANES):
        for lane in range(LANES):
            i = start + lane
            lanes[lane] += weights[i] * _error_term(kind, parameter, y_true[i], y_pred[i])
    result = 0.0
    for i in range(full, y_true.size):
        result += weights[i] * _error_term(kind, parameter, y_true[i], y_pred[i])
    for lane in range(LANES):
        result += lanes[lane]
    return result


@kernel
def error_sums(kind, parameter, y_true, y_pred, weights, sums):
    """Add the weighted error terms of each column (k, n) to sums (k,).

    y_pred (k, n) or (k, 1), weights (n,) or (1,). The parameter is the level of PINBALL.
    """
    n = y_true.shape[1]
    lanes = np.empty(LANES)
    weights = _spelled_out(weights, n)
    weight_step = np.int64(weights.size == n)
    for column in range(y_true.shape[0]):
        target = y_true[column]
        prediction = _spelled_out(y_pred[column], n)
        step = np.int64(prediction.size == n)
        for start in range(0, n, BLOCK):
            m = min(BLOCK, n - start)
            first = start * step
            first_weight = start * weight_step
            sums[column] += _block_errors(
                kind,
                parameter,
                target[start : start + m],
                prediction[first : first + m],
                weights[first_weight : first_weight + m],
                lanes,
            )


@kernel
def total_and_lowest(values):
    """Sum and smallest of values (n,); one that is not finite shows in the sum."""
    full = values.size - values.size % LANES
    totals = np.zeros(LANES)
    smallest = np.full(LANES, values[0])
    for start in range(0, full, LANES):
        for lane in range(LANES):
            value = values[start + lane]
            totals[lane] += value
            smallest[lane] = value if value < smallest[lane] else smallest[lane]
    total = 0.0
    lowest = values[0]
    for i in range(full, values.size):
        total += values[i]
        lowest = min(lowest, values[i])
    for lane in range(LANES):
        total += totals[lane]
        lowest = min(lowest, smallest[lane])
    return total, lowest


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
def largest_error(y_true, y_pred):
    """Largest absolute error of rows (n,); nan where an error is not finite."""
    full = y_true.size - y_true.size % LANES
    largest = np.zeros(LANES)
    # 0 as long as all is finite
    excess = np.zeros(LANES)
    for start in range(0, full, LANES):
        for lane in range(LANES):
            error = abs(y_true[start + lane] - y_pred[start + lane])
            largest[lane] = error if error > largest[lane] else largest[lane]
            excess[lane] += error - error
    result = 0.0
    for i in range(full, y_true.size):
        error = abs(y_true[i] - y_pred[i])
        result = error if error > result else result
        excess[0] += error - error
    for lane in range(LANES):
        result = max(result, largest[lane])
        excess[0] += excess[lane]
    return result + excess[0]


@kernel
def count_zeros(y_true, weights):
    """Number of targets (k, n) nearer to 0 than MAPE divides by, rows of weight 0 left out."""
    step = np.int64(weights.size > 1)
    count = 0
    for column in range(y_true.shape[0]):
        target = y_true[column]
        for i in range(target.size):
            count += np.int64((abs(target[i]) < SMALLEST_TARGET) & (weights[i * step] > 0.0))
    return count


@kernel
def _block_moments(values, weights, centre, rest, lanes):
    """Weighted sums of the deviations from centre + rest and of their squares; lanes (2, LANES)."""
    # two rows a turn: that the lanes go back to memory costs more than an addition
    full = values.size - values.size % (2 * LANES)
    totals = lanes[0]
    products = lanes[1]
    for lane in range(LANES):
        totals[lane] = 0.0
        products[lane] = 0.0
    for start in range(0, full, 2 * LANES):
        for lane in range(LANES):
            i = start + lane
            j = i + LANES
            first = values[i] - centre - rest
            second = values[j] - centre - rest
            weighted_first = weights[i] * first
            weighted_second = weights[j] * second
            totals[lane] += weighted_first + weighted_second
            products[lane] += weighted_first * first + weighted_second * second
    total = 0.0
    squares = 0.0
    for i in range(full, values.size):
        deviation = values[i] - centre - rest
        total += weights[i] * deviation
        squares += weights[i] * deviation * deviation
    for lane in range(LANES):
        total += totals[lane]
        squares += products[lane]
    return total, squares


@kernel
def _exact_sum(first, second):
    """Rounded sum and its rounding error (Knuth)."""
    total = first + second
    back = total - first
    return total, (first - (total - back)) + (second - back)


@kernel
def _merge_block(values, weights, weight, known, state, lanes):
    """Take a block (m,) of some weight into state (3,) of the known weight.

    The state is mean, rounding error of the mean, and spread. Deviations are taken from the known
    mean, so that equal values deviate by exactly 0; from the block's own mean where it outweighs
    what is known, so that no digits cancel. Chan, Golub & LeVeque 1983,
    doi:10.1080/00031305.1983.10483115.
    """
    centre = state[0]
    rest = state[1]
    both = known + weight
    total, squares = _block_moments(values, weights, centre, rest, lanes)
    if weight >= known:
        centre, rest = _exact_sum(centre, rest + total / weight)
        total, squares = _block_moments(values, weights, centre, rest, lanes)
        rest += total / weight
        distance = (centre - state[0]) + (rest - state[1])
        change = rest - distance * known / both
    else:
        distance = total / weight
        change = rest + distance * weight / both
    state[0], state[1] = _exact_sum(centre, change)
    state[2] += squares - total * total / weight + distance * distance * known * (weight / both)


@kernel
def add_moments(y_true, y_pred, weights, moments):
    """Take columns (k, n) into moments (k, 7): weight, then of target and of error three each.

    They are the mean, the rounding error of the mean, and the spread, the sum of squared
    deviations from the mean; weights (n,) or (1,).
    """
    n = y_true.shape[1]
    lanes = np.empty((2, LANES))
    errors = np.empty(min(n, BLOCK))
    alike = weights.size < n
    ones = _spelled_out(np.ones(1), n)
    weights = _spelled_out(weights, n)
    step = np.int64(weights.size == n)
    for column in range(y_true.shape[0]):
        state = moments[column]
        for start in range(0, n, BLOCK):
            m = min(BLOCK, n - start)
            target = y_true[column, start : start + m]
            prediction = y_pred[column, start : start + m]
            row_weights = weights[start * step : start * step + m]
            weight = m * row_weights[0]
            if not alike:
                weight, _ = _block_moments(row_weights, ones[:m], 0.0, 0.0, lanes)
            if weight == 0.0:
                continue
            for i in range(m):
                errors[i] = target[i] - prediction[i]
            if state[0] == 0.0:
                # the first reference is a row that counts
                i = 0
                while row_weights[i] == 0.0:
                    i += 1
                state[1] = target[i]
                state[4] = errors[i]
            _merge_block(target, row_weights, weight, state[0], state[1:4], lanes)
            _merge_block(errors[:m], row_weights, weight, state[0], state[4:7], lanes)
            state[0] += weight


@kernel
def ratios(y_true, y_pred, instead, quotients):
    """Targets (n,) by predictions (n,) or (1,) to quotients (n,); the smallest of either.

    A quotient of 0, which has no logarithm, is replaced. nan is passed over for the smallest.
    """
    n = y_true.size
    y_pred = _spelled_out(y_pred, n)
    step = np.int64(y_pred.size == n)
    lowest_target = np.inf
    lowest_prediction = np.inf
    for start in range(0, n, BLOCK):
        m = min(BLOCK, n - start)
        target = y_true[start : start + m]
        prediction = y_pred[start * step : start * step + m]
        result = quotients[start : start + m]
        for i in range(m):
            quotient = target[i] / prediction[i]
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
    return (
        first / ((1.0 - power) * (2.0 - power))
        - target * second / (1.0 - power)
        + prediction * second / (2.0 - power)
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
    y_true ** (2 - power), second y_pred ** (1 - power). All but y_true and first may be (1,).
    """
    n = y_true.size
    lanes = np.empty(LANES)
    y_pred = _spelled_out(y_pred, n)
    second = _spelled_out(second, n)
    weights = _spelled_out(weights, n)
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
