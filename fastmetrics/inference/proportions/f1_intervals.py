"""Confidence intervals for averaged F1 scores of several classes, from one confusion matrix.

Conventions
-----------
The n rows are a multinomial sample of the K x K cells (true class, predicted class). The variance
of a score follows from its derivatives by the delta method, so the limits are the estimate plus
and minus z standard errors, not cut at 0 and 1. A class that neither occurs nor is predicted takes
no part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification.confusion import confusion_matrix as count_pairs
from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.inference.proportions.binomial import normal_quantile, read_level
from fastmetrics.input.arrays import as_array
from fastmetrics.input.options import check_choice
from fastmetrics.input.validation import require_finite

Floats = NDArray[np.float64]


class F1Interval(NamedTuple):
    """An averaged F1 score with its limits and its standard error."""

    estimate: float
    low: float
    high: float
    standard_error: float


def f1_interval(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    confusion_matrix: ArrayLike | None = None,
    average: str = "macro",
    confidence_level: float = 0.95,
) -> F1Interval:
    """Confidence interval for an averaged F1 score.

    The estimate plus and minus z standard errors, the variance by the delta method from the
    multinomial distribution of the confusion matrix.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), optional
        True and predicted labels of two or more classes.
    confusion_matrix : array-like of shape (K, K), optional
        Counts instead of labels, rows are true.
    average : {"micro", "macro", "macro_averages"}, default="macro"
        "micro" is the accuracy; "macro" the mean of the classes' F1; "macro_averages" the harmonic
        mean of macro precision and macro recall.
    confidence_level : float in (0, 1), default=0.95
        Two-sided level.

    Returns
    -------
    F1Interval
        ``(estimate, low, high, standard_error)``. The limits may leave [0, 1]. nan, with a
        warning, where "macro_averages" meets a class that never occurs or is never predicted.

    Raises
    ------
    InputError
        Labels that cannot be compared, counts that are none, or neither or both of the two.
    InvalidParameterError
        Another average.

    Notes
    -----
    The rows must be independent. A matrix without errors has a width of 0, which is not certainty.
    Cost: one pass over n rows, then K^2.

    References
    ----------
    Takahashi, Yamamoto, Kuchiba & Koyama (2022), doi:10.1007/s10489-021-02635-5.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> matrix = [[46, 3, 1], [5, 9, 1], [1, 2, 2]]
    >>> [round(value, 4) for value in fm.f1_interval(confusion_matrix=matrix)]
    [0.6557, 0.4879, 0.8235, 0.0856]
    """
    check_choice("f1_interval", "average", average, tuple(_GRADIENTS))
    level = read_level(confidence_level)
    counts = _matrix(y_true, y_pred, confusion_matrix)
    n = counts.sum()
    cells = counts / n
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate, gradient = _GRADIENTS[average](cells)
    if np.isnan(estimate):
        warn_undefined("A class never occurs or is never predicted: its F1 is undefined")
        return F1Interval(np.nan, np.nan, np.nan, np.nan)
    mean = float((cells * gradient).sum())
    error = float(np.sqrt((cells * (gradient - mean) ** 2).sum() / n))
    reach = normal_quantile(level) * error
    return F1Interval(estimate, estimate - reach, estimate + reach, error)


def _matrix(
    y_true: ArrayLike | None, y_pred: ArrayLike | None, confusion_matrix: ArrayLike | None
) -> Floats:
    """Counts (K, K), rows true, without the classes that are not there."""
    if confusion_matrix is None:
        if y_true is None or y_pred is None:
            raise InputError("pass y_true and y_pred, or confusion_matrix=")
        return count_pairs(y_true, y_pred).astype(np.float64)
    if y_true is not None or y_pred is not None:
        raise InputError("y_true and y_pred, or confusion_matrix=: pass one of the two")
    matrix = as_array(confusion_matrix, "confusion_matrix")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.dtype.kind not in "iuf":
        raise InputError(
            f"confusion_matrix has shape {matrix.shape} and dtype {matrix.dtype}: give K x K counts"
        )
    counts = matrix.astype(np.float64)
    require_finite(counts, "confusion_matrix")
    if (counts < 0).any() or not counts.any():
        raise InputError("confusion_matrix has a negative count, or nothing but zeros")
    there = counts.sum(axis=0) + counts.sum(axis=1) > 0
    kept: Floats = counts[there][:, there]
    return kept


def micro_f1(cells: Floats) -> tuple[float, Floats]:
    """Share of right rows of cells (K, K), and its derivatives (K, K)."""
    return float(np.trace(cells)), np.eye(len(cells))


def macro_f1(cells: Floats) -> tuple[float, Floats]:
    """Mean of the classes' F1 of cells (K, K), and its derivatives (K, K)."""
    right, margins = np.diag(cells), cells.sum(axis=0) + cells.sum(axis=1)
    scores = 2 * right / margins
    # a cell adds to the margin of its true and of its predicted class
    slope = -scores / margins
    gradient = slope[:, None] + slope[None, :] + np.diag(2 / margins)
    return float(scores.mean()), gradient / len(cells)


def macro_averages_f1(cells: Floats) -> tuple[float, Floats]:
    """Harmonic mean of macro precision and recall of cells (K, K), and its derivatives (K, K)."""
    right, said, true = np.diag(cells), cells.sum(axis=0), cells.sum(axis=1)
    precisions, recalls = right / said, right / true
    precision, recall = float(precisions.mean()), float(recalls.mean())
    size = len(cells)
    by_precision = (np.diag(1 / said) - (precisions / said)[None, :]) / size
    by_recall = (np.diag(1 / true) - (recalls / true)[:, None]) / size
    total = precision + recall
    if total == 0:
        return 0.0, np.zeros_like(cells)
    gradient = 2 * (recall**2 * by_precision + precision**2 * by_recall) / total**2
    return 2 * precision * recall / total, gradient


_GRADIENTS: dict[str, Callable[[Floats], tuple[float, Floats]]] = {
    "micro": micro_f1,
    "macro": macro_f1,
    "macro_averages": macro_averages_f1,
}
