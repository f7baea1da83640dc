"""One point of a curve: where the classes are furthest apart, or where a demand is just met.

Conventions
-----------
A row is flagged when its score reaches the threshold, and equal scores enter together, so only the
points that some threshold reaches count; nothing is interpolated. Labels are bools, {0, 1} or
{-1, 1}, others with ``pos_label``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.statistics import (
    KS,
    PRECISION_AT_RECALL,
    RECALL_AT_FALSE_POSITIVE_RATE,
    point_statistic,
    point_value,
)
from fastmetrics.errors import warn_undefined
from fastmetrics.input.options import check_share
from fastmetrics.ranking._binary import binary_cells, both_classes
from fastmetrics.ranking._curves import rates


def ks_statistic(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Kolmogorov-Smirnov distance between the scores of the two classes.

    The largest ``|TPR - FPR|`` over all thresholds.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1]; 1 when a threshold separates the classes, in either direction. nan, with a
        warning, when only one class occurs.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    One sort of n scores.

    References
    ----------
    Smirnov (1948), doi:10.1214/aoms/1177730256.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.ks_statistic([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    0.5
    """
    cells = both_classes(y_true, y_score, sample_weight, pos_label)
    if cells is None:
        return float("nan")
    fpr, tpr = rates(cells)
    return float(abs(tpr - fpr).max())


def precision_at_recall(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    min_recall: float,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Largest precision among the thresholds whose recall is high enough.

    The maximum of ``tp / (tp + fp)`` over the thresholds with ``tp / P >= min_recall``.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    min_recall : float in [0, 1]
        The recall demanded.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1], never below the prevalence. nan, with a warning, without positives.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.
    InvalidParameterError
        ``min_recall`` outside [0, 1].

    Notes
    -----
    One sort of n scores. A maximum over thresholds is optimistic on few positives.

    References
    ----------
    Davis & Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.precision_at_recall([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], min_recall=0.5)
    1.0
    """
    demanded = check_share(
        "precision_at_recall", "min_recall", min_recall, lowest=True, highest=True
    )
    cells = binary_cells(y_true, y_score, sample_weight, pos_label)
    if not cells.positives.any():
        warn_undefined("No positive rows in y_true: precision_at_recall is undefined")
        return float("nan")
    tp, fp = cells.positives.cumsum(), cells.negatives.cumsum()
    enough = tp / tp[-1] >= demanded
    return float((tp[enough] / (tp[enough] + fp[enough])).max())


def recall_at_false_positive_rate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    max_fpr: float,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Largest recall among the thresholds whose false positive rate is low enough.

    The maximum of ``tp / P`` over the thresholds with ``fp / N <= max_fpr``.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    max_fpr : float in [0, 1]
        The false positive rate allowed.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1]; 0 when even the highest score is a false alarm too many. nan, with a warning,
        when only one class occurs.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.
    InvalidParameterError
        ``max_fpr`` outside [0, 1].

    Notes
    -----
    One sort of n scores.

    References
    ----------
    Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.recall_at_false_positive_rate([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], max_fpr=0)
    0.5
    """
    allowed = check_share(
        "recall_at_false_positive_rate", "max_fpr", max_fpr, lowest=True, highest=True
    )
    cells = both_classes(y_true, y_score, sample_weight, pos_label)
    if cells is None:
        return float("nan")
    fpr, tpr = rates(cells)
    return float(tpr[fpr <= allowed].max())


def precision_point(sums: Floats) -> Floats:
    """The kept number itself, where a positive occurs."""
    return np.where(sums[..., 1] > 0, sums[..., 0], np.nan)


def describe_recall(*, max_fpr: float) -> Metric:
    """Describe the largest recall whose false positive rate is at most max_fpr."""
    if not 0.0 <= max_fpr <= 1.0:
        raise ValueError(f"max_fpr={max_fpr}: give a rate between 0 and 1")
    return Metric(
        "recall_at_false_positive_rate",
        point_statistic("recall", RECALL_AT_FALSE_POSITIVE_RATE, max_fpr),
        point_value,
        "score",
        (0.0, 1.0),
        True,
        source="operating point of the ROC curve",
        options=(("max_fpr", max_fpr),),
    )


def describe_precision(*, min_recall: float) -> Metric:
    """Describe the largest precision whose recall is at least min_recall."""
    if not 0.0 <= min_recall <= 1.0:
        raise ValueError(f"min_recall={min_recall}: give a rate between 0 and 1")
    return Metric(
        "precision_at_recall",
        point_statistic("precision", PRECISION_AT_RECALL, min_recall),
        precision_point,
        "score",
        (0.0, 1.0),
        True,
        source="operating point of the precision-recall curve",
        options=(("min_recall", min_recall),),
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        "ks",
        point_statistic("largest distance", KS),
        point_value,
        "score",
        (0.0, 1.0),
        True,
        source="two-sample Kolmogorov-Smirnov statistic of the class scores",
    ),
)
