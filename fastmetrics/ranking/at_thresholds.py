"""Counts and metrics of the predictions at every threshold, with scikit-learn's signatures.

Conventions
-----------
A row is flagged when its score reaches the threshold. Thresholds are the distinct scores, in
descending order and in the type of ``y_score``; rows of weight zero are not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Metric
from fastmetrics.errors import invalid_parameter
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.options import check_pos_label, check_positional
from fastmetrics.input.validation import (
    aligned_weights,
    encode_scores,
    require_finite,
    require_no_missing,
)
from fastmetrics.ranking._binary import running_totals
from fastmetrics.ranking._curves import Floats


def confusion_matrix_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *positional: Any,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Floats, Floats, Floats, Floats, NDArray[Any]]:
    """Counts of true and false negatives and positives at every threshold.

    At each distinct score, the rows with at least that score are flagged and counted by truth.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    *positional
        ``pos_label`` and ``sample_weight`` by position, deprecated.
    pos_label : int, float, bool or str, optional
        The label of the positive class; 1 for labels {0, 1} and {-1, 1}.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    tns, fps, fns, tps : float64 ndarrays of shape (U,)
        Rows, or their weight, below the threshold (tns, fns) and from it on (fps, tps).
    thresholds : ndarray of shape (U,)
        The distinct scores, descending, in the type of ``y_score``.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    One sort of n scores. ``threshold_sweep`` keeps these counts and answers further questions.

    References
    ----------
    Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> tns, fps, fns, tps, thresholds = fm.confusion_matrix_at_thresholds(
    ...     [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    ... )
    >>> tps
    array([1., 1., 2., 2.])
    >>> thresholds
    array([0.8, 0.6, 0.4, 0.1])
    """
    if positional:
        options = {"pos_label": pos_label, "sample_weight": sample_weight}
        check_positional("confusion_matrix_at_thresholds", positional, options)
        pos_label, sample_weight = options["pos_label"], options["sample_weight"]  # type: ignore[assignment]
    check_pos_label("confusion_matrix_at_thresholds", pos_label)
    tps, fps, thresholds = running_totals(y_true, y_score, pos_label, sample_weight)
    if fps.base is not None:  # a small part of arrays with an entry per row
        fps, tps, thresholds = fps.copy(), tps.copy(), thresholds.copy()
    return fps[-1] - fps, fps, tps[-1] - tps, tps, thresholds


def metric_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric_func: Callable[..., Any] | Metric,
    *,
    sample_weight: ArrayLike | None = None,
    metric_params: dict[str, Any] | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """A metric of binary predictions at every threshold.

    At each distinct score t, the metric of the predictions ``y_score >= t``.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as the metric takes them.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    metric_func : callable or Metric
        Called as ``metric_func(y_true, y_pred, **metric_params)`` with predictions 0 and 1 and
        the rows in descending order of the scores. A ``Metric`` of binary counts is evaluated
        from one sweep instead, without calls.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more, handed on without the rows of weight 0.
    metric_params : dict, optional
        Further arguments of the metric.

    Returns
    -------
    metric_values : ndarray of shape (U,) or (U, ...)
        What the metric returned.
    thresholds : ndarray of shape (U,)
        The distinct scores, descending, in the type of ``y_score``.

    Raises
    ------
    InputError
        Data that cannot be scored.

    Notes
    -----
    A callable is called U times on n rows. For a ``Metric`` one sort answers for all thresholds.

    References
    ----------
    Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> flagged, thresholds = fm.metric_at_thresholds(
    ...     [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], lambda y_true, y_pred: y_pred.sum()
    ... )
    >>> flagged
    array([1, 2, 3, 4])
    """
    if not callable(metric_func):
        raise invalid_parameter(
            "The 'metric_func' parameter of metric_at_thresholds must be a callable. "
            f"Got {metric_func!r} instead."
        )
    own = _own_metric(metric_func)
    if own is not None:
        from fastmetrics.ranking.sweep import threshold_sweep

        options = metric_params or {}
        sweep = threshold_sweep(y_true, y_score, sample_weight=sample_weight, **options)
        return sweep.metric(own), sweep.thresholds
    return _call_at_thresholds(y_true, y_score, metric_func, sample_weight, metric_params or {})


def _own_metric(metric_func: object) -> Metric | None:
    """HOOK: the description behind a metric of ours, None for a callable of someone else.

    So far a ``Metric`` of binary counts itself; public functions that have one can be added here.
    """
    if isinstance(metric_func, Metric) and metric_func.statistic.kind == "counts":
        return metric_func
    return None


def _call_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric_func: Callable[..., Any],
    sample_weight: ArrayLike | None,
    params: dict[str, Any],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """One call of the metric per threshold, on the rows in descending order."""
    truth = column(as_array(y_true, "y_true"), "y_true")
    if truth.dtype.kind == "O":
        require_no_missing(truth, "y_true")
    elif truth.dtype.kind == "f":
        require_finite(truth, "y_true")
    scored = encode_scores(column(as_array(y_score, "y_score"), "y_score"), "y_score")
    row_weights = aligned_weights(sample_weight, y_true=truth, y_score=scored.values)
    order = np.argsort(-scored.values, kind="stable")
    if row_weights is not None:
        order = order[row_weights[order] != 0]
        params = {**params, "sample_weight": row_weights[order]}
    ranked, truth = scored.values[order], truth[order]
    last_of_ties = np.flatnonzero(np.append(np.diff(ranked) != 0, True))
    values = [
        metric_func(truth, (np.arange(len(order)) <= last).astype(np.int32), **params)
        for last in last_of_ties
    ]
    return np.asarray(values), scored.source[order[last_of_ties]]
