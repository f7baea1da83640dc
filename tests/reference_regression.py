"""Slow, obvious versions of what is measured on targets and predictions: loops over rows.

Conventions
-----------
``weight=None`` is a weight of 1 each. 0/0 is nan, as is x/0. Numbers are exact fractions until the
last step wherever no logarithm or power comes in. Nothing here calls fastmetrics or scikit-learn.
"""

import math
from fractions import Fraction

NAN = float("nan")
SMALLEST_TARGET = Fraction(1, 2**52)


def rows(y_true, y_pred, weight=None):
    """Target, prediction and weight of each row that counts, as fractions."""
    weights = [1] * len(y_true) if weight is None else weight
    exact = [
        tuple(Fraction(float(v)) for v in row) for row in zip(y_true, y_pred, weights, strict=True)
    ]
    return [row for row in exact if row[2] > 0]


def mean_of(term, y_true, y_pred, weight=None):
    """Weighted mean of term(target, prediction)."""
    data = rows(y_true, y_pred, weight)
    total = sum(w for _, _, w in data)
    return sum(w * Fraction(term(y, p)) for y, p, w in data) / total if total else None


def _float(value):
    return NAN if value is None else float(value)


def mean(y_true, y_pred, weight=None):
    """Weighted mean of the predictions, whatever is true."""
    return _float(mean_of(lambda _, p: p, y_pred, y_pred, weight))


def mean_squared_error(*data):
    return _float(mean_of(lambda y, p: (y - p) ** 2, *data))


def root_mean_squared_error(*data):
    return math.sqrt(mean_squared_error(*data))


def mean_squared_log_error(*data):
    return _float(mean_of(lambda y, p: (math.log1p(y) - math.log1p(p)) ** 2, *data))


def root_mean_squared_log_error(*data):
    return math.sqrt(mean_squared_log_error(*data))


def mean_absolute_error(*data):
    return _float(mean_of(lambda y, p: abs(y - p), *data))


def mean_absolute_scaled_error(*data, y_train, seasonality):
    """Mean absolute error over that of repeating the value of one season earlier."""
    series = [Fraction(float(v)) for v in y_train]
    steps = [abs(later - first) for first, later in zip(series, series[seasonality:])]
    return mean_absolute_error(*data) / float(sum(steps) / len(steps))


def mean_absolute_percentage_error(*data):
    return _float(mean_of(lambda y, p: abs(y - p) / max(abs(y), SMALLEST_TARGET), *data))


def pinball(y, p, alpha):
    """Cost of a unit above is alpha, of one below 1 - alpha."""
    return Fraction(alpha) * (y - p) if y >= p else (1 - Fraction(alpha)) * (p - y)


def mean_pinball_loss(*data, alpha):
    return _float(mean_of(lambda y, p: pinball(y, p, alpha), *data))


def max_error(*data):
    return float(max((abs(y - p) for y, p, _ in rows(*data)), default=NAN))


def quantile(values, weight, level):
    """Smallest value that, with all below it, has the level's share; the middle on a tie."""
    pairs = sorted((v, w) for v, w in zip(values, weight, strict=True) if w > 0)
    if not pairs:
        return None
    place = Fraction(level) * sum(w for _, w in pairs)
    running = 0
    for k, (value, w) in enumerate(pairs):
        running += w
        if running > place or k + 1 == len(pairs):
            return value
        if running == place and place > 0:
            return (value + pairs[k + 1][0]) / 2
    return None


def median_absolute_error(*data):
    found = rows(*data)
    return _float(quantile([abs(y - p) for y, p, _ in found], [w for *_, w in found], 0.5))


def _share(loss, reference):
    """1 - loss / reference."""
    return float(1 - loss / reference) if reference else NAN


def d2_pinball_score(*data, alpha):
    found = rows(*data)
    best = quantile([y for y, _, _ in found], [w for *_, w in found], alpha)
    loss = sum(w * pinball(y, p, alpha) for y, p, w in found)
    return _share(loss, sum(w * pinball(y, best, alpha) for y, _, w in found))


def d2_absolute_error_score(*data):
    return d2_pinball_score(*data, alpha=0.5)


def _weighted_mean(pairs):
    return sum(v * w for v, w in pairs) / sum(w for _, w in pairs)


def _spread(pairs):
    mean = _weighted_mean(pairs)
    return sum(w * (v - mean) ** 2 for v, w in pairs)


def r2(*data):
    found = rows(*data)
    if not found:
        return NAN
    loss = sum(w * (y - p) ** 2 for y, p, w in found)
    return _share(loss, _spread([(y, w) for y, _, w in found]))


def explained_variance(*data):
    found = rows(*data)
    if not found:
        return NAN
    loss = _spread([(y - p, w) for y, p, w in found])
    return _share(loss, _spread([(y, w) for y, _, w in found]))


def deviance(y, p, power):
    """Unit deviance by its integral definition solved for each power."""
    y, p = float(y), float(p)
    if power == 0:
        return (y - p) ** 2
    if power == 1:
        return 2 * ((y * math.log(y / p) if y else 0) - y + p)
    if power == 2:
        return 2 * (math.log(p / y) + y / p - 1)
    return 2 * (
        max(y, 0) ** (2 - power) / ((1 - power) * (2 - power))
        - y * p ** (1 - power) / (1 - power)
        + p ** (2 - power) / (2 - power)
    )


def mean_tweedie_deviance(*data, power):
    return _float(mean_of(lambda y, p: deviance(y, p, power), *data))


def mean_poisson_deviance(*data):
    return mean_tweedie_deviance(*data, power=1)


def mean_gamma_deviance(*data):
    return mean_tweedie_deviance(*data, power=2)


def d2_tweedie_score(*data, power):
    found = rows(*data)
    mean = float(_weighted_mean([(y, w) for y, _, w in found]))
    loss = sum(float(w) * deviance(y, p, power) for y, p, w in found)
    return _share(loss, sum(float(w) * deviance(y, mean, power) for y, _, w in found))
