"""Rows of targets and predictions to sums of errors and to moments, weighted.

Rows are added up in blocks, and within a block in lanes, so that LLVM may use vectors; that also
rounds better than one running sum. Columns come as (k, n), one row per output, or as tables (n, k)
whose rows are wide enough for vectors. Targets and predictions are float64 or both float32, and
every difference is float64. An array of one entry stands for n equal ones. Sums are not finite
where an input is not, and nothing else is checked here.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel

BLOCK = 4096
LANES = 32
TABLE_ROWS = 256
SQUARED, ABSOLUTE, PERCENTAGE, PINBALL = range(4)
# what MAPE divides by at least
SMALLEST_TARGET = 2.0**-52


@kernel
def spelled_out(values, n):
    """Values (n,) as they are; one value as a block of equal ones."""
    if values.size == n:
        return values
    block = np.empty(min(n, BLOCK), values.dtype)
    for i in range(block.size):
        block[i] = values[0]
    return block


@kernel
def _error_term(kind, parameter, target, prediction):
    """What a row adds to the sum of errors."""
    error = np.float64(target) - np.float64(prediction)
    if kind == SQUARED:
        return error * error
    if kind == ABSOLUTE:
        return abs(error)
    if kind == PERCENTAGE:
        return abs(error) / max(abs(np.float64(target)), SMALLEST_TARGET)
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
    weights = spelled_out(weights, n)
    weight_step = np.int64(weights.size == n)
    for column in range(y_true.shape[0]):
        target = y_true[column]
        prediction = spelled_out(y_pred[column], n)
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
def table_error_sums(kind, parameter, y_true, y_pred, weights, sums):
    """As ``error_sums``, of tables (n, k)."""
    n, columns = y_true.shape
    step = np.int64(weights.size > 1)
    block = np.empty(columns)
    for start in range(0, n, TABLE_ROWS):
        for column in range(columns):
            block[column] = 0.0
        for i in range(start, min(start + TABLE_ROWS, n)):
            weight = weights[i * step]
            target = y_true[i]
            prediction = y_pred[i]
            for column in range(columns):
                term = _error_term(kind, parameter, target[column], prediction[column])
                block[column] += weight * term
        for column in range(columns):
            sums[column] += block[column]


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
def largest_error(y_true, y_pred):
    """Largest absolute error of rows (n,); nan where an error is not finite."""
    full = y_true.size - y_true.size % LANES
    largest = np.zeros(LANES)
    # 0 as long as all is finite
    excess = np.zeros(LANES)
    for start in range(0, full, LANES):
        for lane in range(LANES):
            error = abs(np.float64(y_true[start + lane]) - np.float64(y_pred[start + lane]))
            largest[lane] = error if error > largest[lane] else largest[lane]
            excess[lane] += error - error
    result = 0.0
    for i in range(full, y_true.size):
        error = abs(np.float64(y_true[i]) - np.float64(y_pred[i]))
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
    total, squares = _block_moments(values, weights, centre, rest, lanes)
    if weight >= known:
        centre, rest = _exact_sum(centre, rest + total / weight)
        total, squares = _block_moments(values, weights, centre, rest, lanes)
    _merge_deviations(total, squares, centre, rest, weight, known, state)


@kernel
def _merge_deviations(total, squares, centre, rest, weight, known, state):
    """Take sums of deviations from centre + rest, and of their squares, into state (3,).

    The centre is the known mean, or, where the weight is no less than the known one, another.
    """
    both = known + weight
    if weight >= known:
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
    ones = spelled_out(np.ones(1), n)
    weights = spelled_out(weights, n)
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
            for i in range(m):
                errors[i] = np.float64(target[i]) - np.float64(prediction[i])
            if weight == 0.0:
                # nothing, unless an entry is not finite
                nothing, _ = _block_moments(errors[:m], row_weights, 0.0, 0.0, lanes)
                state[6] += nothing
                continue
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
def _table_deviations(y_true, y_pred, weights, centres, sums):
    """Deviations of a block (m, k) from centres (4, k), weighted, and their squares: sums (4, k).

    Centres and their rests of the targets, then of the errors; sums in the same order.
    """
    m, columns = y_true.shape
    step = np.int64(weights.size > 1)
    for part in range(4):
        for column in range(columns):
            sums[part, column] = 0.0
    for i in range(m):
        weight = weights[i * step]
        for column in range(columns):
            target = np.float64(y_true[i, column])
            error = target - np.float64(y_pred[i, column])
            deviation = target - centres[0, column] - centres[1, column]
            sums[0, column] += weight * deviation
            sums[1, column] += weight * deviation * deviation
            deviation = error - centres[2, column] - centres[3, column]
            sums[2, column] += weight * deviation
            sums[3, column] += weight * deviation * deviation


@kernel
def add_table_moments(y_true, y_pred, weights, moments):
    """As ``add_moments``, of tables (n, k)."""
    n, columns = y_true.shape
    step = np.int64(weights.size > 1)
    centres = np.empty((4, columns))
    sums = np.empty((4, columns))
    for start in range(0, n, TABLE_ROWS):
        stop = min(start + TABLE_ROWS, n)
        row_weights = weights[start:stop] if step else weights
        weight = 0.0
        first = -1
        for i in range(start, stop):
            if first < 0 and weights[i * step] > 0.0:
                first = i
            weight += weights[i * step]
        if first < 0:
            # nothing, unless an entry is not finite
            for i in range(start, stop):
                for column in range(columns):
                    error = np.float64(y_true[i, column]) - np.float64(y_pred[i, column])
                    moments[column, 6] += 0.0 * error
            continue
        known = moments[0, 0]
        for column in range(columns):
            state = moments[column]
            if known == 0.0:
                state[1] = y_true[first, column]
                state[4] = np.float64(y_true[first, column]) - np.float64(y_pred[first, column])
            for part in range(2):
                centres[2 * part, column] = state[1 + 3 * part]
                centres[2 * part + 1, column] = state[2 + 3 * part]
        target = y_true[start:stop]
        prediction = y_pred[start:stop]
        _table_deviations(target, prediction, row_weights, centres, sums)
        if weight >= known:
            for part in range(0, 4, 2):
                for column in range(columns):
                    shift = centres[part + 1, column] + sums[part, column] / weight
                    centres[part, column], centres[part + 1, column] = _exact_sum(
                        centres[part, column], shift
                    )
            _table_deviations(target, prediction, row_weights, centres, sums)
        for column in range(columns):
            for part in range(2):
                _merge_deviations(
                    sums[2 * part, column],
                    sums[2 * part + 1, column],
                    centres[2 * part, column],
                    centres[2 * part + 1, column],
                    weight,
                    known,
                    moments[column, 1 + 3 * part : 4 + 3 * part],
                )
            moments[column, 0] = known + weight
