"""How well scores rank the positives: the areas under two curves.

Conventions
-----------
Only the order of the scores matters, and ties are exact equality: a tied pair counts one half. The
functions have scikit-learn's signatures, numbers, warnings and errors. Without weights the ROC area
is a ratio of exact integers; with weights no area leaves [0, 1], and perfect is exactly 1.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.statistics import (
    AREA_FROM_RECALL,
    AREA_TO_FALSE_POSITIVE_RATE,
    CONCORDANCE,
    PRECISION,
    point_statistic,
    point_value,
)
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.arrays import as_array, check_lengths, column
from fastmetrics.input.kinds import codes_of, indicators_of, judge
from fastmetrics.input.labels import Target, conventional_labels, is_positive
from fastmetrics.input.options import check_choice, check_pos_label, check_share
from fastmetrics.input.validation import Scores, aligned_weights, encode_scores
from fastmetrics.ranking._binary import (
    binary_area,
    binary_precision,
    plain_area,
    plain_precision,
)
from fastmetrics.ranking._multiclass import (
    average_columns,
    check_columns,
    check_multiclass,
    column_classes,
    multiclass_roc_auc,
    require_class_columns,
)

_AVERAGES = ("micro", "macro", "samples", "weighted", None)


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> float | NDArray[np.float64]:
    """Area under the ROC curve.

    The share of pairs of a positive and a negative row in which the positive scores higher, ties
    counted as one half; for several labels or classes a mean of such areas.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Two labels, of which the greater is positive; more classes; or a matrix of label
        indicators.
    y_score : array-like of shape (n,) or (n, k)
        Scores of the positive class, of each label, or probabilities of each class with rows that
        sum to 1. NaN is refused.
    average : {"macro", "micro", "samples", "weighted"} or None, default="macro"
        How the areas of labels or classes are averaged; None returns all of them. Without meaning
        for two labels.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    max_fpr : float in (0, 1], optional
        Only the part of the curve up to this false positive rate, standardised by McClish. Not for
        several classes.
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        Several classes: each against the rest, or each against each other.
    labels : array-like of shape (k,), optional
        The classes of the columns of ``y_score``, sorted; those that occur by default.

    Returns
    -------
    float or ndarray of shape (k,)
        In [0, 1]; 0.5 for scores without information. nan, with a warning, when only one class
        occurs.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Ties are exact equality, so any strictly increasing function of the scores gives the same
    area. Cost: one sort of n scores; with label averages one per column.

    References
    ----------
    Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747. McClish (1989),
    doi:10.1177/0272989X8900900307. Hand & Till (2001), doi:10.1023/A:1010920819831.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.roc_auc_score([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    0.75
    """
    if max_fpr is not None:
        check_share("roc_auc_score", "max_fpr", max_fpr, lowest=False, highest=True)
    if labels is None and average == "macro" and multi_class == "raise":
        value = plain_area(y_true, y_score, sample_weight, max_fpr)
        if value is not None:
            return value
    check_choice("roc_auc_score", "average", average, _AVERAGES)
    check_choice("roc_auc_score", "multi_class", multi_class, ("raise", "ovr", "ovo"))
    return _roc_auc(y_true, y_score, average, sample_weight, max_fpr, multi_class, labels)


def _roc_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    average: str | None,
    sample_weight: ArrayLike | None,
    max_fpr: float | None,
    multi_class: str,
    labels: ArrayLike | None,
) -> float | NDArray[np.float64]:
    """``roc_auc_score`` of anything."""
    found = judge(y_true)
    scored = encode_scores(as_array(y_score, "y_score"), "y_score")
    rows = {"y_true": found.values, "y_score": scored.values}
    check_lengths(**rows)

    def area(labels: NDArray[Any], values: NDArray[Any], row_weights: Any) -> float:
        return binary_area(labels, values, row_weights, max_fpr)

    several_columns = scored.values.ndim == 2 and scored.values.shape[1] > 2
    if found.kind == "multiclass" or (found.kind == "binary" and several_columns):
        check_multiclass(scored.source, average, multi_class, max_fpr, sample_weight is not None)
        classes = column_classes(labels, found.classes, scored.values.shape[1])
        row_weights = aligned_weights(sample_weight, **rows)
        return multiclass_roc_auc(
            area, found.values, classes, scored.values, average, multi_class, row_weights
        )
    if found.kind == "binary":
        positive = is_positive(found.values, found.classes[-1])
        return area(
            positive, column(scored.values, "y_score"), aligned_weights(sample_weight, **rows)
        )
    indicators = _indicators(found, scored)
    return average_columns(
        area, indicators, scored.values, average, aligned_weights(sample_weight, **rows)
    )


def _indicators(found: Target, scored: Scores) -> NDArray[np.uint8]:
    """Label indicators (n, k) in step with the scores; an error for any other kind."""
    if found.kind != "multilabel-indicator":
        raise InputError(f"{found.kind} format is not supported")
    check_columns(found.values, scored.values)
    return np.ascontiguousarray(conventional_labels(found.values, found.classes))


def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: object = 1,
    sample_weight: ArrayLike | None = None,
) -> float | NDArray[np.float64]:
    """Average precision.

    The mean, over the positive rows, of the precision when every row with at least their score is
    flagged; the area of the precision-recall steps, without interpolation.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Labels of two or more classes, or a matrix of label indicators.
    y_score : array-like of shape (n,) or (n, k)
        Scores of the positive class, or of each label or class. NaN is refused.
    average : {"macro", "micro", "samples", "weighted"} or None, default="macro"
        How the values of labels or classes are averaged; None returns all of them. Without meaning
        for two labels.
    pos_label : int, float, bool or str, default=1
        The label of the positive class, for two labels.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float or ndarray of shape (k,)
        In [0, 1]; the prevalence for scores without information. 0, with a warning, without
        positives.

    Raises
    ------
    InputError
        Data that cannot be scored, or a ``pos_label`` that does not occur.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Tied rows enter together. Cost: one sort of n scores; with label averages one per column.

    References
    ----------
    Davis & Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.average_precision_score([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    0.8333333333333333
    """
    if average == "macro" and type(pos_label) is int and pos_label == 1:
        value = plain_precision(y_true, y_score, sample_weight)
        if value is not None:
            return value
    check_choice("average_precision_score", "average", average, _AVERAGES)
    check_pos_label("average_precision_score", pos_label, none=False)
    return _average_precision(y_true, y_score, average, pos_label, sample_weight)


def _average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    average: str | None,
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> float | NDArray[np.float64]:
    """``average_precision_score`` of anything."""
    found = judge(y_true)
    scored = encode_scores(as_array(y_score, "y_score"), "y_score")
    rows = {"y_true": found.values, "y_score": scored.values}
    check_lengths(**rows)
    if found.kind == "binary":
        labels = is_positive(found.values, pos_label)
        if len(found.classes) == 2 and not labels.any():
            raise LabelError(
                f"pos_label={pos_label} is not a valid label. It should be one of {found.classes}"
            )
        values = column(scored.values, "y_score")
        return binary_precision(labels, values, aligned_weights(sample_weight, **rows))
    if found.kind in ("multiclass", "multilabel-indicator") and pos_label != 1:
        raise LabelError(
            f"Parameter pos_label is fixed to 1 for {found.kind} y_true. Do not set pos_label or "
            "set pos_label to 1."
        )
    if found.kind == "multiclass":
        require_class_columns(scored.values)
        flags = indicators_of(codes_of(found.values, found.classes), len(found.classes))
        found = Target("multilabel-indicator", flags, np.array([0, 1]))
    indicators = _indicators(found, scored)
    row_weights = aligned_weights(sample_weight, **rows)
    return average_columns(binary_precision, indicators, scored.values, average, row_weights)


def area_under_roc(sums: Floats) -> Floats:
    """Share of the pairs in which the positive scores higher, ties as one half."""
    concordant, positives, negatives = sums[..., 0], sums[..., 1], sums[..., 2]
    return concordant / (2.0 * (positives * negatives))


def mean_of_precisions(sums: Floats) -> Floats:
    """Mean over the positives of the precision at their score."""
    # the sum and the total are rounded apart: a perfect ranking may not exceed 1
    return np.minimum(sums[..., 0] / sums[..., 1], 1.0)


def partial_area(sums: Floats, width: float) -> Floats:
    """Area over a strip of the given width, scaled so that chance is 1/2 and the best is 1."""
    chance = width * width / 2.0
    return 0.5 * (1.0 + (point_value(sums) - chance) / (width - chance))


def partial_auc(*, max_fpr: float | None = None, min_tpr: float | None = None) -> Metric:
    """Describe the partial AUC up to a false positive rate, or from a recall up."""
    if (max_fpr is None) == (min_tpr is None):
        raise ValueError("partial_auc takes one limit: max_fpr=0.1 or min_tpr=0.9")
    if max_fpr is not None:
        if not 0.0 < max_fpr <= 1.0:
            raise ValueError(f"max_fpr={max_fpr}: give a rate above 0 and up to 1")
        statistic = point_statistic("area", AREA_TO_FALSE_POSITIVE_RATE, max_fpr)
        width, options = float(max_fpr), (("max_fpr", max_fpr),)
    else:
        if not 0.0 <= float(min_tpr or 0.0) < 1.0:
            raise ValueError(f"min_tpr={min_tpr}: give a rate from 0 and below 1")
        statistic = point_statistic("area", AREA_FROM_RECALL, float(min_tpr or 0.0))
        width, options = 1.0 - float(min_tpr or 0.0), (("min_tpr", float(min_tpr or 0.0)),)
    return Metric(
        "partial_auc",
        statistic,
        partial(partial_area, width=width),
        "score",
        (0.0, 1.0),
        True,
        source="doi:10.1177/0272989X8900900307",
        options=options,
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        "roc_auc",
        CONCORDANCE,
        area_under_roc,
        "score",
        (0.0, 1.0),
        True,
        default_interval="bca",
        source="doi:10.1148/radiology.143.1.7063747",
    ),
    Metric(
        "average_precision",
        PRECISION,
        mean_of_precisions,
        "score",
        (0.0, 1.0),
        True,
        default_interval="bca",
        source="doi:10.1145/1143844.1143874",
    ),
)
