"""Many problems at once: one AUC or average precision per row, without a Python loop.

Conventions
-----------
Row b of ``y_score`` (B, n) is one problem of n rows. Labels and weights are shared when they are
``(n,)``. A problem in which the metric is undefined is nan, without a warning.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.sweeps.cells import score_bits
from fastmetrics.errors import InputError
from fastmetrics.input.arrays import as_array
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.validation import encode_scores, in_range, weights
from fastmetrics.kernels import problems as _kernels


def roc_auc_score(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, sample_weight: npt.ArrayLike | None = None
) -> Floats:
    """Area under the ROC curve of every problem.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (B, n)
        Labels: bool, {0, 1} or {-1, 1}.
    y_score : array-like of shape (B, n)
        Scores, finite; one problem per row.
    sample_weight : array-like of shape (n,) or (B, n), optional
        Weights of 0 or more.

    Returns
    -------
    ndarray of shape (B,)
        Between 0 and 1, nan where a problem has one class only.

    Raises
    ------
    ValueError
        Shapes that do not fit, labels without a positive class, NaN or infinite scores.

    Notes
    -----
    Ties count one half. Each problem costs one sort.

    References
    ----------
    Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.batch.roc_auc_score([0, 0, 1, 1], [[0.1, 0.4, 0.35, 0.8], [0.1, 0.2, 0.3, 0.4]])
    array([0.75, 1.  ])
    """
    labels, scores, weight = _read(y_true, y_score, sample_weight)
    areas = np.empty(len(scores))
    _rank(labels, scores, weight, areas, np.empty(0))
    return areas


def average_precision_score(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, sample_weight: npt.ArrayLike | None = None
) -> Floats:
    """Average precision of every problem.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (B, n)
        Labels: bool, {0, 1} or {-1, 1}.
    y_score : array-like of shape (B, n)
        Scores, finite; one problem per row.
    sample_weight : array-like of shape (n,) or (B, n), optional
        Weights of 0 or more.

    Returns
    -------
    ndarray of shape (B,)
        Between 0 and 1, nan where a problem has no positives.

    Raises
    ------
    ValueError
        Shapes that do not fit, labels without a positive class, NaN or infinite scores.

    Notes
    -----
    Equal scores enter together. Each problem costs one sort.

    References
    ----------
    Davis & Goadrich 2006, doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.batch.average_precision_score([0, 0, 1, 1], [[0.1, 0.4, 0.35, 0.8]])
    array([0.83333333])
    """
    labels, scores, weight = _read(y_true, y_score, sample_weight)
    precisions = np.empty(len(scores))
    _rank(labels, scores, weight, np.empty(0), precisions)
    return precisions


def _read(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[Any], Floats]:
    """Labels (1 or B, n), scores (B, n), weights (0, 1 or B, n)."""
    scores = as_array(y_score, "y_score")
    if scores.ndim != 2:
        raise InputError(f"y_score has shape {scores.shape}: give (B, n), one problem per row")
    problems, n = scores.shape
    labels = as_array(y_true, "y_true")
    _check_shape("y_true", labels, problems, n)
    scores = encode_scores(scores, "y_score").values
    positive = binary_labels(labels.ravel()).reshape(-1, n)
    if sample_weight is None:
        return positive, scores, np.empty((0, n))
    weight = as_array(sample_weight, "sample_weight")
    _check_shape("sample_weight", weight, problems, n)
    checked = in_range(weights(weight.ravel(), weight.size))
    return positive, scores, np.asarray(checked).reshape(-1, n)


def _check_shape(name: str, array: npt.NDArray[Any], problems: int, n: int) -> None:
    """Refuse labels or weights that are neither shared nor one row per problem."""
    if array.shape in ((n,), (problems, n)):
        return
    if array.shape == (problems,) and name == "y_true":
        raise InputError(f"({problems}, {n}): one problem per row, pass y_score.T")
    raise InputError(f"{name} has shape {array.shape}: give ({n},) or ({problems}, {n})")


def _rank(
    labels: npt.NDArray[np.uint8],
    scores: npt.NDArray[Any],
    weight: Floats,
    areas: Floats,
    precisions: Floats,
) -> None:
    _kernels.rank_problems(score_bits(scores), labels, weight, areas, precisions)
