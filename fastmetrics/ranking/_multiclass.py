"""Binary areas over the columns of a label indicator matrix, or over the classes of a target.

Conventions
-----------
Labels are uint8 ``(n, k)``, 1 where a row has the label; scores ``(n, k)``. ``metric`` takes the
labels, scores and weights of one column and says itself when it is undefined. One against one
averages both directions of every pair of classes that occurs (Hand & Till 2001,
doi:10.1023/A:1010920819831).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError
from fastmetrics.input.arrays import check_lengths
from fastmetrics.input.kinds import codes_of, indicators_of
from fastmetrics.input.labels import is_positive, named_labels

# of the sum of a row of probabilities, scikit-learn's
_TOLERANCE = 1e-5 + 1e-8
Weights = NDArray[np.float64] | None
BinaryMetric = Callable[[NDArray[Any], NDArray[Any], Weights], float]


def average_columns(
    metric: BinaryMetric,
    labels: NDArray[np.uint8],
    scores: NDArray[Any],
    average: str | None,
    weights: Weights,
) -> float | NDArray[np.float64]:
    """A metric of each column, and their mean as ``average`` says; each column for None."""
    if average == "micro":
        repeated = None if weights is None else np.repeat(weights, labels.shape[1])
        return metric(labels.ravel(), scores.ravel(), repeated)
    if average == "samples":
        values = np.array([metric(row, score, None) for row, score in zip(labels, scores)])
        return _mean(values, weights)
    support = None
    if average == "weighted":
        support = (labels if weights is None else labels * weights[:, None]).sum(axis=0)
        if not support.any():
            return 0.0
    columns = zip(np.ascontiguousarray(labels.T), np.ascontiguousarray(scores.T))
    values = np.array([metric(label, score, weights) for label, score in columns])
    return values if average is None else _mean(values, support)


def _mean(values: NDArray[np.float64], importance: NDArray[Any] | None) -> float:
    """Weighted mean; a value without importance counts for nothing even if it is nan."""
    if importance is None:
        return float(values.mean())
    return float(np.average(np.where(importance == 0, 0.0, values), weights=importance))


def check_columns(labels: NDArray[Any], scores: NDArray[Any]) -> None:
    """One score per label."""
    check_lengths(y_true=labels, y_score=scores)
    if labels.shape != scores.shape:
        raise InputError(
            f"y_score needs one column per label, the shape {labels.shape} of y_true. "
            f"Got {scores.shape}."
        )


def multiclass_roc_auc(
    metric: BinaryMetric,
    y_true: NDArray[Any],
    classes: NDArray[Any],
    scores: NDArray[Any],
    average: str | None,
    multi_class: str,
    weights: Weights,
) -> float | NDArray[np.float64]:
    """Each class against the rest, or against each other class; ``classes`` name the columns."""
    codes = codes_of(y_true, classes)
    if multi_class == "ovr":
        indicators = indicators_of(codes, len(classes))
        return average_columns(metric, indicators, scores, average, weights)
    values, shares = [], []
    for a, b in combinations(np.unique(codes), 2):
        rows = (codes == a) | (codes == b)
        first = is_positive(codes[rows], a)
        both = [
            metric(labels, np.ascontiguousarray(scores[rows, c]), None)
            for labels, c in ((first, a), (1 - first, b))
        ]
        values.append(sum(both) / 2)
        shares.append(rows.mean())
    return float(np.average(values, weights=shares if average == "weighted" else None))


def check_multiclass(
    source: NDArray[Any],
    average: str | None,
    multi_class: str,
    max_fpr: float | None,
    weighted: bool,
) -> None:
    """Refuse what has no meaning for several classes; ``source`` are the scores as handed in."""
    if max_fpr is not None and max_fpr != 1:
        raise InputError(
            "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set "
            f"to `None`, received `max_fpr={max_fpr}` instead"
        )
    if multi_class == "raise":
        raise InputError("multi_class must be in ('ovo', 'ovr')")
    require_class_columns(source)
    # the sum in the scores' own type: rows of float32 add up to 1 only to its precision
    sums = source.sum(axis=1).astype(np.float64)
    if not abs(sums - 1.0).max() <= _TOLERANCE:
        raise InputError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum "
            "up to 1.0 over classes"
        )
    averages: tuple[str | None, ...] = ("macro", "weighted", None)
    if multi_class == "ovr":
        averages = ("micro", *averages)
    if average not in averages:
        raise InputError(f"average must be one of {averages} for multiclass problems")
    if multi_class == "ovo" and average is None:
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")
    if multi_class == "ovo" and weighted:
        raise InputError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' "
            "must be None in this case."
        )


def require_class_columns(scores: NDArray[Any]) -> None:
    """Scores of several classes have a column for each."""
    if scores.ndim != 2:
        raise InputError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            f"multiple classes. Got `y_score.shape={scores.shape}`."
        )


def column_classes(labels: ArrayLike | None, present: NDArray[Any], n_columns: int) -> NDArray[Any]:
    """The class of each column of scores: ``labels``, else those that occur."""
    if labels is None:
        if len(present) != n_columns:
            raise InputError(
                "Number of classes in y_true not equal to the number of columns in 'y_score'"
                f": {len(present)} and {n_columns}. Name all classes with labels="
            )
        return present
    named = named_labels(labels)
    classes = np.unique(named)
    if len(classes) != len(named):
        raise InputError("Parameter 'labels' must be unique")
    if not np.array_equal(classes, named):
        raise InputError("Parameter 'labels' must be ordered")
    if len(classes) != n_columns:
        raise InputError(
            f"Number of given labels, {len(classes)}, not equal to the number of columns in "
            f"'y_score', {n_columns}"
        )
    if len(np.setdiff1d(present, classes)):
        raise InputError("'y_true' contains labels not in parameter 'labels'")
    return classes
