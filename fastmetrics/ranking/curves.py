"""Curves over all thresholds, with scikit-learn's signatures, numbers, warnings and errors.

Conventions
-----------
A row is flagged when its score reaches the threshold; equal scores enter together, and rows of
weight zero are not there. Labels {0, 1} and {-1, 1} need no ``pos_label``. All curves are thin over
the same two running totals, true and false positives from the highest score down.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.input.arrays import check_lengths, column, for_kernels
from fastmetrics.input.options import check_flag, check_pos_label
from fastmetrics.input.validation import NARROW
from fastmetrics.kernels.curves import trapezoids
from fastmetrics.ranking._binary import running_totals, warn_no_positives
from fastmetrics.ranking._curves import (
    Floats,
    det_points,
    precision_recall_points,
    roc_points,
)
from fastmetrics.ranking._lists import number_array


def auc(x: ArrayLike, y: ArrayLike) -> float:
    """Area under a curve given by points, by the trapezoidal rule.

    The sum of width times mean height over the steps from point to point.

    Parameters
    ----------
    x : array-like of shape (n,)
        Increasing or decreasing; equal neighbours are allowed.
    y : array-like of shape (n,)
        Heights.

    Returns
    -------
    float
        Positive for a curve above the axis, whichever way x runs.

    Raises
    ------
    InputError
        Fewer than two points, unequal lengths, or x neither increasing nor decreasing.

    Notes
    -----
    For the area under the ROC curve ``roc_auc_score`` needs no curve; for precision and recall the
    trapezoidal rule is optimistic, see ``average_precision_score``.

    References
    ----------
    Davis & Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.auc([0, 0.5, 1], [0, 1, 1])
    0.75
    """
    plain = _plain_trapezoids(x, y)
    if plain is not None:
        return plain
    given = number_array(x, "x"), number_array(y, "y")
    check_lengths(x=given[0], y=given[1])
    across, up = (
        for_kernels(column(values, name).astype(np.float64, copy=False))
        for values, name in zip(given, ("x", "y"))
    )
    if len(across) < 2:
        raise InputError(
            "At least 2 points are needed to compute area under curve, but x.shape = "
            f"{across.shape}"
        )
    area, rises, falls = trapezoids(across, up)
    if rises and falls:
        raise InputError(f"x is neither increasing nor decreasing : {given[0]}.")
    return float(-area if falls else area)


def _plain_trapezoids(x: Any, y: Any) -> float | None:
    """Area under points in plain arrays; None for all that needs a closer look."""
    if type(x) is not np.ndarray or type(y) is not np.ndarray:
        return None
    if x.dtype not in NARROW or y.dtype not in NARROW or x.ndim != 1 or x.shape != y.shape:
        return None
    if len(x) < 2:
        return None
    across, up = (for_kernels(values.astype(np.float64, copy=False)) for values in (x, y))
    area, rises, falls = trapezoids(across, up)
    # each entry is part of a term, so that a finite area has finite entries
    if (rises and falls) or not math.isfinite(area):
        return None
    return float(-area if falls else area)


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[Floats, Floats, Floats]:
    """Receiver operating characteristic.

    The share of negatives and the share of positives that are flagged, at every threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    pos_label : int, float, bool or str, optional
        The label of the positive class; 1 for labels {0, 1} and {-1, 1}.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    drop_intermediate : bool, default=True
        Leave out points on a straight line between their neighbours. The area stays the same.

    Returns
    -------
    fpr, tpr : float64 ndarrays of shape (k,)
        Increasing, from (0, 0) to (1, 1). All nan, with a warning, for an absent class.
    thresholds : float64 ndarray of shape (k,)
        Descending; the first is infinity, where nothing is flagged.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    One sort of n scores.

    References
    ----------
    Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fpr, tpr, thresholds = fm.roc_curve([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    >>> fpr
    array([0. , 0. , 0.5, 0.5, 1. ])
    >>> tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    """
    check_pos_label("roc_curve", pos_label)
    check_flag("roc_curve", "drop_intermediate", drop_intermediate)
    tp, fp, thresholds = running_totals(y_true, y_score, pos_label, sample_weight)
    if fp[-1] <= 0:
        warn_undefined("No negative samples in y_true, false positive value should be meaningless")
    if tp[-1] <= 0:
        warn_undefined("No positive samples in y_true, true positive value should be meaningless")
    return roc_points(tp, fp, thresholds, drop_intermediate)


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[Floats, Floats, NDArray[Any]]:
    """Precision and recall at every threshold.

    Precision is the share of the flagged rows that are positive, recall the share of the positives
    that are flagged.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    pos_label : int, float, bool or str, optional
        The label of the positive class; 1 for labels {0, 1} and {-1, 1}.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    drop_intermediate : bool, default=False
        Keep only the first and the last point of every recall.

    Returns
    -------
    precision, recall : float64 ndarrays of shape (k + 1,)
        Recall decreases from 1. The last point, precision 1 at recall 0, has no threshold. Recall
        is 1 throughout, with a warning, without positives.
    thresholds : ndarray of shape (k,)
        Ascending, in the type of ``y_score``.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    One sort of n scores. Points may not be joined by straight lines.

    References
    ----------
    Davis & Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> precision, recall, thresholds = fm.precision_recall_curve(
    ...     [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    ... )
    >>> precision
    array([0.5       , 0.66666667, 0.5       , 1.        , 1.        ])
    >>> recall
    array([1. , 1. , 0.5, 0.5, 0. ])
    """
    check_pos_label("precision_recall_curve", pos_label)
    check_flag("precision_recall_curve", "drop_intermediate", drop_intermediate)
    tp, fp, thresholds = running_totals(y_true, y_score, pos_label, sample_weight)
    if tp[-1] <= 0:
        warn_no_positives()
    return precision_recall_points(tp, fp, thresholds, drop_intermediate)


def det_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[Floats, Floats, Floats]:
    """Detection error tradeoff: both error rates at every threshold.

    The share of negatives that are flagged and the share of positives that are not.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, both classes present.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    pos_label : int, float, bool or str, optional
        The label of the positive class; 1 for labels {0, 1} and {-1, 1}.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    drop_intermediate : bool, default=False
        Keep only the first and the last point of every false negative rate.

    Returns
    -------
    fpr, fnr : float64 ndarrays of shape (k,)
        fpr decreases while fnr increases; the part where either error is zero is cut to one point.
    thresholds : float64 ndarray of shape (k,)
        Ascending; infinity, where nothing is flagged, is last unless a finite threshold has no
        false positives either.

    Raises
    ------
    InputError
        Data that cannot be scored, one class only, or labels whose positive class is not named.

    Notes
    -----
    One sort of n scores.

    References
    ----------
    Martin et al. (1997), doi:10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fpr, fnr, thresholds = fm.det_curve([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    >>> fpr
    array([0.5, 0.5, 0. ])
    >>> fnr
    array([0. , 0.5, 0.5])
    """
    check_pos_label("det_curve", pos_label)
    check_flag("det_curve", "drop_intermediate", drop_intermediate)
    tp, fp, thresholds = running_totals(y_true, y_score, pos_label, sample_weight)
    if tp[-1] <= 0 or fp[-1] <= 0:
        raise InputError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined "
            "in that case."
        )
    return det_points(tp, fp, thresholds, drop_intermediate)
