"""The calibration line: outcomes against the log-odds of their probabilities (Cox).

Conventions
-----------
A calibrated model has slope 1 and intercept 0: a slope below 1 says that its probabilities are too
extreme, an intercept above 0 that they are too low. Probabilities of exactly 0 or 1 have no
log-odds: they are moved by the precision of their type, with a warning. Labels are bools, {0, 1}
or {-1, 1}, others with ``pos_label``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Metric, Statistic, Weighing
from fastmetrics.errors import warn, warn_undefined
from fastmetrics.input.forecasts import SMALLEST, BinaryForecast, read_labelled
from fastmetrics.input.labels import binary_labels
from fastmetrics.probability.recalibration import fit_logistic, separates

# outcomes, log-odds and weights (n,) to a number
Fit = Callable[[NDArray[np.number], Floats, Floats], float]


def calibration_slope(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Calibration slope (Cox).

    The slope of a logistic regression of the outcome on the log-odds of the probabilities.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        1 for a calibrated model; below 1 for probabilities too near 0 and 1 (overfitting), above 1
        for probabilities too near the base rate, negative where they rank the wrong way. nan, with
        a warning, when only one class occurs, the probabilities separate the classes, or all are
        equal.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or labels whose positive class is not named.

    Notes
    -----
    Cost: a few passes, and an array of the size of the probabilities.

    References
    ----------
    Cox (1958), doi:10.1093/biomet/45.3-4.562. Van Calster et al. (2016),
    doi:10.1016/j.jclinepi.2015.12.005.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.calibration_slope([0, 0, 1, 0, 1, 1], [0.01, 0.1, 0.2, 0.8, 0.9, 0.99]), 4)
    0.5148
    """
    forecast = _with_log_odds(y_true, y_prob, sample_weight, pos_label)
    value = float(slope_of(forecast.outcomes, forecast.probabilities, _row_weights(forecast))[0])
    if np.isnan(value):
        warn_undefined(
            "calibration_slope is undefined: only one class occurs in y_true, or y_prob separates "
            "the classes, or all of y_prob are equal"
        )
    return value


def calibration_intercept(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Calibration intercept, or calibration in the large.

    The a for which the probabilities of log-odds ``a + log-odds of y_prob`` have the mean of the
    outcomes: a logistic regression with the slope fixed at 1.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        0 for a model that is calibrated on average; above 0 where its probabilities are too low,
        below 0 where they are too high. nan, with a warning, when only one class occurs.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or labels whose positive class is not named.

    Notes
    -----
    Not the intercept of the regression with a free slope, which ``calibration_slope`` fits and
    which has no meaning of its own. Cost: about ten passes, and an array of the size of the
    probabilities.

    References
    ----------
    Cox (1958), doi:10.1093/biomet/45.3-4.562. Van Calster et al. (2016),
    doi:10.1016/j.jclinepi.2015.12.005.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.calibration_intercept([0, 0, 1, 0, 1, 1], [0.01, 0.1, 0.2, 0.3, 0.6, 0.7]), 4)
    1.1363
    """
    forecast = _with_log_odds(y_true, y_prob, sample_weight, pos_label)
    value = float(
        intercept_of(forecast.outcomes, forecast.probabilities, _row_weights(forecast))[0]
    )
    if np.isnan(value):
        warn_undefined("calibration_intercept is undefined: only one class occurs in y_true")
    return value


def _with_log_odds(
    y_true: ArrayLike, y_prob: ArrayLike, sample_weight: ArrayLike | None, pos_label: object
) -> BinaryForecast:
    """Labels and probabilities; a warning of those that have no log-odds."""
    forecast = read_labelled(y_true, y_prob, binary_labels, pos_label, sample_weight)
    certain = (forecast.probabilities == 0) | (forecast.probabilities == 1)
    if certain.any():
        smallest = SMALLEST[forecast.probabilities.dtype]
        warn(
            f"y_prob is exactly 0 or 1 in {certain.sum():,} rows, which has no log-odds: it is "
            f"taken as {smallest:.2g} and 1 - {smallest:.2g}"
        )
    return forecast


def _row_weights(forecast: BinaryForecast) -> Floats:
    """Weights (n,)."""
    if forecast.weights.size == 1:
        return np.ones(len(forecast.outcomes))
    return forecast.weights


def log_odds(y_prob: NDArray[np.floating]) -> Floats:
    """Log-odds (n,) of probabilities, kept off 0 and 1 by the precision of their type."""
    from scipy.special import logit

    smallest = SMALLEST.get(y_prob.dtype, SMALLEST[np.dtype(np.float64)])
    values: Floats = logit(y_prob.astype(np.float64, copy=False).clip(smallest, 1.0 - smallest))
    return values


def slope_of(y_true: NDArray[np.number], y_prob: Floats, weights: Floats) -> Floats:
    """Calibration slope (1,) of weighted rows; nan where none is best."""
    return np.array([_slope(y_true, log_odds(y_prob), weights)])


def _slope(y_true: NDArray[np.number], values: Floats, weights: Floats) -> float:
    """Slope on the log-odds (n,)."""
    kept = weights > 0
    values, labels = values[kept], (y_true[kept] == 1).view(np.uint8)
    if not kept.any() or separates(values, labels):
        return float("nan")
    return fit_logistic(values, labels, weights[kept])[0]


def intercept_of(y_true: NDArray[np.number], y_prob: Floats, weights: Floats) -> Floats:
    """Calibration intercept (1,) of weighted rows; nan for one class."""
    return np.array([_intercept(y_true, log_odds(y_prob), weights)])


def _intercept(y_true: NDArray[np.number], values: Floats, weights: Floats) -> float:
    """Intercept beside the log-odds (n,)."""
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    positives, negatives = float(weights @ y_true), float(weights @ (1 - y_true))
    if positives == 0.0 or negatives == 0.0:
        return float("nan")
    total = positives + negatives
    share = positives / total

    def excess(intercept: float) -> float:
        return float(weights @ expit(values + intercept) / total - share)

    # all probabilities are at most the share at the lower end, and at least it at the upper
    low, high = logit(share) - values.max() - 1e-9, logit(share) - values.min() + 1e-9
    return float(brentq(excess, low, high, xtol=1e-12))


def _prepare(y_true: Floats, y_prob: Floats, fit: Fit) -> Weighing:
    """Find the log-odds once."""
    values = log_odds(y_prob)

    def fitted(weights: Floats) -> Floats:
        lanes = np.ascontiguousarray(weights.T)
        return np.array([[fit(y_true, values, lane)] for lane in lanes])

    return fitted


def first_number(sums: Floats) -> Floats:
    """The number itself."""
    return sums[..., 0]


METRICS: tuple[Metric, ...] = (
    Metric(
        "calibration_slope",
        Statistic(
            "slope",
            1,
            "rows",
            measure=slope_of,
            prepare=partial(_prepare, fit=_slope),
        ),
        first_number,
        "probability",
        (float("-inf"), float("inf")),
        True,
        source="doi:10.1093/biomet/45.3-4.562",
    ),
    Metric(
        "calibration_intercept",
        Statistic(
            "intercept",
            1,
            "rows",
            measure=intercept_of,
            prepare=partial(_prepare, fit=_intercept),
        ),
        first_number,
        "probability",
        (float("-inf"), float("inf")),
        True,
        source="doi:10.1093/biomet/45.3-4.562",
    ),
)
