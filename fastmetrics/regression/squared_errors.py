"""Errors that weigh by their square, of targets and of their logarithms.

Conventions
-----------
The functions have scikit-learn's signatures, numbers, warnings and errors. Everything is computed
in float64, whatever type the arrays have (longdouble stays longdouble). The root of several
outputs is the mean of their roots. The best constant forecast of a squared error is the mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Metric
from fastmetrics.input.domains import Domain
from fastmetrics.input.targets import (
    LONG,
    TABLES,
    Floats,
    Targets,
    average_outputs,
    check_multioutput,
    output_weights,
    read_targets,
)
from fastmetrics.kernels.sums import SQUARED, error_sums, table_error_sums
from fastmetrics.regression._means import (
    Rows,
    Term,
    describe_mean,
    error_means,
    mean_error,
    root_mean,
)


def _squared(y_true: Rows, y_pred: Rows) -> Rows:
    squares: Rows = np.square(y_true - y_pred)
    return squares


def _squared_log(y_true: Rows, y_pred: Rows) -> Rows:
    _LOG.require_rows(y_true, y_pred)
    return _squared(np.log1p(y_true), np.log1p(y_pred))


def _log_domain(name: str) -> Domain:
    message = f"{name} cannot be used when targets contain values less than or equal to -1."
    return Domain(message, -1.0, "above")


SQUARED_ERROR = Term(SQUARED, _squared)
_LOG = _log_domain("Mean Squared Logarithmic Error")
_ROOT_LOG = _log_domain("Root Mean Squared Logarithmic Error")


def _log_means(targets: Targets, domain: Domain) -> Sequence[float]:
    """Mean squared error of the logarithms of each column."""
    domain.require(targets)
    if targets.layout == LONG:
        return targets.checked([float(mean) for mean in targets.wide_means(_squared_log)])
    sums = np.zeros(len(targets.y_true))
    by_rows = targets.layout == TABLES
    add_up = table_error_sums if by_rows else error_sums
    blocks = targets.tables(bounded=True) if by_rows else targets.blocks(bounded=True)
    for truth, forecast, weights in blocks:
        logs = (np.log1p(values, dtype=np.float64) for values in (truth, forecast))
        add_up(SQUARED, 0.0, *logs, weights, sums)
    return targets.checked([value / targets.total for value in sums.tolist()])


def _log_error(
    caller: str,
    domain: Domain,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    multioutput: Any,
) -> float | Floats:
    """Mean squared logarithmic error, its root where the domain is that of the root."""
    check_multioutput(caller, multioutput)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    means = _log_means(targets, domain)
    return average_outputs(_roots(means) if domain is _ROOT_LOG else means, outputs)


def _roots(means: Sequence[float]) -> Sequence[float]:
    return [math.sqrt(mean) for mean in means]


def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Mean squared error.

    The weighted mean of the squared differences between target and prediction.

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
        0 or more, in the squared unit of the targets; 0 is perfect.

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
    Gneiting (2011), doi:10.1198/jasa.2011.r10138: which functional a squared error elicits.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.375
    >>> fm.mean_squared_error([[0, 1], [2, 3]], [[0, 2], [4, 3]], multioutput="raw_values")
    array([2. , 0.5])
    """
    return mean_error(
        "mean_squared_error", SQUARED_ERROR, y_true, y_pred, sample_weight, multioutput
    )


def root_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Root mean squared error.

    The square root of the weighted mean of the squared differences between target and prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the roots of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more, in the unit of the targets; 0 is perfect. At least the mean absolute error.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows. Several outputs give the mean of their roots, not the root of their mean.

    References
    ----------
    Hyndman & Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.root_mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.6123724356957945
    """
    check_multioutput("root_mean_squared_error", multioutput)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    return average_outputs(_roots(error_means(targets, SQUARED_ERROR)), outputs)


def mean_squared_log_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Mean squared logarithmic error.

    The weighted mean of (log(1 + y) - log(1 + p)) squared, for targets y and predictions p that
    grow by factors.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets above -1. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions above -1.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the errors of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more, without unit; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored, or an entry of -1 or less.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    An under-forecast costs more than an over-forecast of the same size. Cost: two logarithms a row.

    References
    ----------
    Hyndman & Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_squared_log_error([3, 5, 2.5, 7], [2.5, 5, 4, 8])
    0.03973012298459379
    """
    return _log_error("mean_squared_log_error", _LOG, y_true, y_pred, sample_weight, multioutput)


def root_mean_squared_log_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Root mean squared logarithmic error.

    The square root of the weighted mean of (log(1 + y) - log(1 + p)) squared, for targets y and
    predictions p: about the typical relative error where errors are small.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets above -1. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions above -1.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the roots of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more, without unit; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored, or an entry of -1 or less.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Several outputs give the mean of their roots. Cost: two logarithms a row.

    References
    ----------
    Hyndman & Koehler (2006), doi:10.1016/j.ijforecast.2006.03.001.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.root_mean_squared_log_error([3, 5, 2.5, 7], [2.5, 5, 4, 8])
    0.1993241655...
    """
    return _log_error(
        "root_mean_squared_log_error", _ROOT_LOG, y_true, y_pred, sample_weight, multioutput
    )


_SOURCE = "doi:10.1016/j.ijforecast.2006.03.001"

METRICS: tuple[Metric, ...] = (
    describe_mean("mean_squared_error", _squared, _SOURCE),
    describe_mean("root_mean_squared_error", _squared, _SOURCE, formula=root_mean),
    describe_mean("mean_squared_log_error", _squared_log, _SOURCE),
    describe_mean("root_mean_squared_log_error", _squared_log, _SOURCE, formula=root_mean),
)
