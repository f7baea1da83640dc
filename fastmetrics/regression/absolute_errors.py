"""Errors that weigh by their size: their mean, their median, the largest.

Conventions
-----------
The functions have scikit-learn's signatures, numbers, warnings and errors. Everything is computed
in float64, whatever type the arrays have (longdouble stays longdouble). The best constant forecast
of an absolute error is the median.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Metric, Statistic, Weighing
from fastmetrics.errors import InputError
from fastmetrics.input.targets import (
    LONG,
    Floats,
    Targets,
    average_outputs,
    check_multioutput,
    output_weights,
    read_targets,
)
from fastmetrics.kernels.sums import ABSOLUTE, largest_error, total_and_lowest
from fastmetrics.regression._means import Rows, Term, describe, describe_mean, mean_error
from fastmetrics.regression._quantiles import FEW, Sorted, columns_together, quantile

# rows looked at together for the largest error
_FIRST_FEW = 64


def _absolute(y_true: Rows, y_pred: Rows) -> Rows:
    errors: Rows = np.abs(y_true - y_pred)
    return errors


ABSOLUTE_ERROR = Term(ABSOLUTE, _absolute)


def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Mean absolute error.

    The weighted mean of the absolute differences between target and prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the errors of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more, in the unit of the targets; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows.

    References
    ----------
    Hyndman & Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    >>> fm.mean_absolute_error([[0, 1], [2, 3]], [[0, 2], [4, 3]], multioutput=[0.25, 0.75])
    0.625
    """
    return mean_error(
        "mean_absolute_error", ABSOLUTE_ERROR, y_true, y_pred, sample_weight, multioutput
    )


def median_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: Any = "uniform_average",
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Median absolute error.

    The weighted median of the absolute differences between target and prediction: half the rows
    err by no more. Large errors of a few rows do not matter.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the errors of several outputs are averaged; "raw_values" returns all of them.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more, in the unit of the targets; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Where the weight splits exactly into halves, the mean of the two middle errors. One selection
    among n errors; with weights, a sort.

    References
    ----------
    Hyndman & Fan (1996), doi:10.1080/00031305.1996.10473566.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.median_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    check_multioutput("median_absolute_error", multioutput)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    return average_outputs(_medians(targets), outputs)


def _medians(targets: Targets) -> list[float]:
    """Weighted median of the absolute errors of each column."""
    if targets.layout == LONG:
        targets.require_finite()
    values: list[float] = []
    for truth, forecast in columns_together(targets):
        if targets.ready:
            errors = truth - forecast
        else:
            errors = np.subtract(truth, forecast, dtype=targets.float_type)
        np.abs(errors, errors)
        ordered = targets.weights.size < errors.shape[-1] < FEW
        if not ordered and targets.layout != LONG:
            targets.checked(total_and_lowest(errors)[:1])
        medians = quantile(errors, targets.weights, 0.5)
        if errors.ndim == 2:
            values += medians.tolist()
            targets.checked(errors[:, -1].tolist())
        else:
            values.append(float(medians))
            if ordered and not math.isfinite(errors[-1]):
                targets.require_finite()
    return values


def max_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Largest absolute error.

    The largest absolute difference between target and prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,)
        Predictions, in the unit of the targets.

    Returns
    -------
    float
        0 or more, in the unit of the targets; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored, or several outputs.

    Notes
    -----
    It grows with n. One pass over n rows.

    References
    ----------
    Hyndman & Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.max_error([3, 2, 7, 1], [4, 2, 7, 1])
    1.0
    """
    targets = read_targets(y_true, y_pred)
    if len(targets.y_true) > 1:
        raise InputError("Multioutput not supported in max_error")
    if targets.layout == LONG:
        return float(_absolute(*targets[:2]).max())
    largest = max([largest_error(truth[0], pred[0]) for truth, pred, _ in targets.blocks()])
    if math.isfinite(largest):
        return float(largest)
    targets.require_finite()
    return math.inf  # finite entries whose difference is not


def _median_of_rows(y_true: Floats, y_pred: Floats, weights: Floats) -> Floats:
    if not weights.any():
        return np.full(1, np.nan)
    return np.array([quantile(_absolute(y_true, y_pred), weights, 0.5)])


def _largest_of_rows(y_true: Floats, y_pred: Floats, weights: Floats) -> Floats:
    errors = _absolute(y_true, y_pred)[weights > 0.0]
    return errors.max(keepdims=True) if errors.size else np.full(1, np.nan)


def _prepare_medians(y_true: Floats, y_pred: Floats) -> Weighing:
    """Sort the errors once."""
    errors = Sorted.of(_absolute(y_true, y_pred))
    return lambda weights: errors.quantiles(weights, 0.5)[:, None]


def _prepare_largest(y_true: Floats, y_pred: Floats) -> Weighing:
    """Sort the errors once: of most weights the largest error is among the first few."""
    errors = _absolute(y_true, y_pred)
    order = errors.argsort()[::-1]

    def largest(weights: Floats) -> Floats:
        found = np.full((weights.shape[1], 1), np.nan)
        missing = np.arange(weights.shape[1])
        for start in range(0, order.size, _FIRST_FEW):
            rows = order[start : start + _FIRST_FEW]
            there = weights[np.ix_(rows, missing)] > 0.0
            met = there.any(axis=0)
            found[missing[met], 0] = errors[rows[there.argmax(axis=0)[met]]]
            missing = missing[~met]
            if not missing.size:
                break
        return found

    return largest


def only_number(numbers: Floats) -> Floats:
    """The number itself."""
    return numbers[..., 0]


_SOURCE = "doi:10.1016/j.ijforecast.2006.03.001"

METRICS: tuple[Metric, ...] = (
    describe_mean("mean_absolute_error", _absolute, _SOURCE),
    describe(
        "median_absolute_error",
        Statistic(
            "median error",
            1,
            "rows",
            measure=_median_of_rows,
            prepare=_prepare_medians,
        ),
        only_number,
        _SOURCE,
    ),
    describe(
        "max_error",
        Statistic(
            "largest error",
            1,
            "rows",
            measure=_largest_of_rows,
            prepare=_prepare_largest,
        ),
        only_number,
        _SOURCE,
        interval="basic",
    ),
)
