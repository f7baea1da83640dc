"""Errors on the scale of the data: relative to each target, or to a naive forecast.

Conventions
-----------
A percentage error is a fraction, 0.1 is 10 %. A target of 0 has none: scikit-learn's convention
divides by 2.2e-16 instead, and here a warning says how many there are. A scaled error compares
with the forecast that repeats the value of one season earlier, and has no such trouble.
"""

from __future__ import annotations

from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Metric
from fastmetrics.errors import InputError, invalid_parameter, warn, warn_undefined
from fastmetrics.input.arrays import column
from fastmetrics.input.targets import (
    TABLES,
    Floats,
    Targets,
    average_outputs,
    check_multioutput,
    output_weights,
    read_targets,
    table,
    unweighted,
)
from fastmetrics.input.validation import aligned_weights, require_finite
from fastmetrics.kernels.sums import PERCENTAGE, SMALLEST_TARGET, count_zeros
from fastmetrics.regression._means import Rows, Term, describe_mean, error_means
from fastmetrics.regression._quantiles import quantile
from fastmetrics.regression.absolute_errors import ABSOLUTE_ERROR


def _percentage(y_true: Rows, y_pred: Rows) -> Rows:
    relative: Rows = np.abs(y_true - y_pred) / np.maximum(np.abs(y_true), SMALLEST_TARGET)
    return relative


_PERCENTAGE_ERROR = Term(PERCENTAGE, _percentage)


def mean_absolute_percentage_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Mean absolute percentage error, as a fraction.

    The weighted mean of the absolute error by the absolute target, |y - p| / |y|.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets, better none of them near 0. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the errors of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more; 0 is perfect, 0.1 is 10 %.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Warns
    -----
    UserWarning
        Some targets are 0; it says how many.

    Notes
    -----
    A target nearer to 0 than 2.2e-16 is replaced by that, scikit-learn's convention: one such row
    that is not met exactly makes the mean about 1e15 times too large. An under-forecast costs 100 %
    at most, an over-forecast any amount: see ``mape_optimal_constant``. One pass over n rows.

    References
    ----------
    Hyndman & Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_absolute_percentage_error([100, 200, 50], [110, 180, 50])
    0.06666666666666667
    """
    check_multioutput("mean_absolute_percentage_error", multioutput)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    means = error_means(targets, _PERCENTAGE_ERROR)
    zeros = _zero_targets(targets)
    if zeros:
        _warn_of_zeros(zeros, targets.y_true.size)
    return average_outputs(means, outputs)


def _zero_targets(targets: Targets) -> int:
    """Number of targets of 0 in rows that count."""
    zeros = 0
    if targets.layout != TABLES:
        for truth, _, weights in targets.blocks():
            zeros += count_zeros(truth, weights)
    elif targets.weights.size == 1:  # of entries that weigh alike any order will do
        for truth, _, weights in targets.tables(bounded=True):
            zeros += count_zeros(truth.reshape(1, -1), weights)
    else:
        for truth, _, weights in targets.tables(bounded=True):
            small = np.abs(truth) < SMALLEST_TARGET
            zeros += int(np.count_nonzero(small & (weights > 0.0)[:, None]))
    return zeros


def _warn_of_zeros(zeros: int, n: int) -> None:
    warn(
        f"{zeros:,} of {n:,} targets in y_true {'is' if zeros == 1 else 'are'} 0: they are divided "
        "by 2.2e-16 instead, so that a percentage error means little; mean_absolute_error and "
        "mean_absolute_scaled_error have no such trouble"
    )


def mape_optimal_constant(y_true: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Constant forecast with the smallest mean absolute percentage error.

    The median of the targets y weighted by 1 / |y|: small targets weigh most, so it lies below
    the median of positive targets. What a model trained on this error tends to.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Targets. NaN and infinity are refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more, multiplied in.

    Returns
    -------
    float
        In the unit of the targets, one of them or the mean of two. 0 where some targets are 0.

    Raises
    ------
    InputError
        Data that cannot be scored.

    Warns
    -----
    UserWarning
        Some targets are 0; it says how many.

    Notes
    -----
    Where every value between two targets does equally well, their mean. Cost: one sort.

    References
    ----------
    Gneiting (2011), doi:10.1198/jasa.2011.r10138.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mape_optimal_constant([12, 20, 15, 30, 8, 25])
    12.0
    """
    targets = column(table(y_true, "y_true"), "y_true")
    weights = aligned_weights(sample_weight, y_true=targets)
    values = targets.astype(np.float64)
    require_finite(values, "y_true")
    if weights is not None:
        values, weights = values[weights > 0.0], weights[weights > 0.0]
    sizes = np.abs(values)
    zeros = int((sizes < SMALLEST_TARGET).sum())
    if zeros:
        _warn_of_zeros(zeros, values.size)
    importance = (1.0 if weights is None else weights) / np.maximum(sizes, SMALLEST_TARGET)
    return float(quantile(values, importance, 0.5))


def mean_absolute_scaled_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    y_train: ArrayLike | None = None,
    seasonality: int = 1,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Mean absolute scaled error.

    The weighted mean absolute error, divided by the mean absolute error that the naive forecast,
    the value of one season earlier, has on the training series.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    y_train : array-like of shape (t,) or (t, k), optional
        The series that the model was fitted to, in order of time; ``y_true`` itself by default,
        which then has to be in order of time.
    seasonality : int, default=1
        Length of a season in rows; 1 repeats the last value.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more, of the errors only.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the errors of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more, without unit; 0 is perfect, 1 as good as the naive forecast one step ahead. nan,
        with a warning, where the series repeats itself and the naive forecast makes no error.

    Raises
    ------
    InputError
        Data that cannot be scored, or a training series of no more than one season.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Unlike a percentage error it is defined for targets of 0, and an under-forecast costs as much
    as an over-forecast. One pass over n and one over t rows.

    References
    ----------
    Hyndman & Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_absolute_scaled_error([6, 4], [5, 5], y_train=[1, 3, 2, 5])
    0.5
    """
    check_multioutput("mean_absolute_scaled_error", multioutput)
    lag = _check_seasonality(seasonality)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    name = "y_true" if y_train is None else "y_train"
    series = targets.y_true if y_train is None else table(y_train, name).T
    if len(series) != len(targets.y_true):
        raise InputError(
            f"y_train has {len(series)} outputs, y_true {len(targets.y_true)}: give one series for "
            "each"
        )
    scales = _naive_errors(series, name, lag)
    if 0.0 in scales:
        warn_undefined(
            f"{name} repeats itself after {lag} rows: the naive forecast makes no error to divide "
            "by, so that the scaled error is undefined"
        )
    errors = error_means(targets, ABSOLUTE_ERROR)
    values = [error / scale if scale else np.nan for error, scale in zip(errors, scales)]
    return average_outputs(values, outputs)


def _check_seasonality(seasonality: object) -> int:
    """A whole number of rows, 1 or more."""
    if isinstance(seasonality, bool) or not isinstance(seasonality, Integral) or seasonality < 1:
        raise invalid_parameter(
            "The 'seasonality' parameter of mean_absolute_scaled_error must be an int of 1 or "
            f"more. Got {seasonality!r} instead."
        )
    return int(seasonality)


def _naive_errors(series: Rows, name: str, lag: int) -> list[float]:
    """Mean absolute error of the forecast of series (k, t) by the value of some rows earlier."""
    if series.shape[1] <= lag:
        raise InputError(
            f"{name} has {series.shape[1]} rows, no more than one season of {lag}: give a longer "
            "y_train"
        )
    if series.dtype.kind == "f":
        require_finite(series.T, name)
    return list(error_means(unweighted(series[:, lag:], series[:, :-lag]), ABSOLUTE_ERROR))


def describe_scaled_error(*, y_train: ArrayLike, seasonality: int = 1) -> Metric:
    """Describe the mean absolute scaled error of one output; its scale is not resampled."""
    lag = _check_seasonality(seasonality)
    (scale,) = _naive_errors(column(table(y_train, "y_train"), "y_train")[None], "y_train", lag)
    return describe_mean(
        "mean_absolute_scaled_error",
        partial(_scaled, scale=scale or np.nan),
        "doi:10.1016/j.ijforecast.2006.03.001",
        options=(("seasonality", lag),),
    )


def _scaled(y_true: Rows, y_pred: Rows, scale: float) -> Rows:
    errors: Rows = np.abs(y_true - y_pred) / scale
    return errors


def _percentage_terms(y_true: Rows, y_pred: Rows) -> Rows:
    """Row terms of the percentage error, with the warning of targets that are 0."""
    zeros = int((np.abs(y_true) < SMALLEST_TARGET).sum())
    if zeros:
        _warn_of_zeros(zeros, y_true.size)
    return _percentage(y_true, y_pred)


METRICS: tuple[Metric, ...] = (
    describe_mean(
        "mean_absolute_percentage_error",
        _percentage_terms,
        "doi:10.1016/j.ijforecast.2006.03.001",
    ),
)
