"""Shares of the rows that are right or wrong, whatever their class.

Conventions
-----------
Rows match by position. Label indicators are compared row by row for the accuracy and the zero-one
loss, flag by flag for the Hamming loss. The functions have scikit-learn's signatures, numbers,
warnings and errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification.confusion import warn_single_label
from fastmetrics.errors import warn
from fastmetrics.input.codes import count
from fastmetrics.input.columns import UNIT, Columns, Indicators, Weights, read_columns, read_targets
from fastmetrics.input.options import check_flag
from fastmetrics.kernels import confusion as _kernels


def _right(targets: Columns | Indicators, weights: Weights) -> tuple[Any, Any]:
    """Weight of the rows whose labels are all right, and of all rows."""
    if isinstance(targets, Columns) and targets.y_true.dtype.kind in "iu":
        right, total = _kernels.count_equal(targets.y_true, targets.y_pred, weights)
        return right, total
    if isinstance(targets, Indicators):
        wrong = _differences(targets)
    else:
        wrong = (targets.y_true != targets.y_pred).view(np.uint8)
    right, total = _kernels.count_equal(wrong, np.zeros(wrong.size, wrong.dtype), weights)
    return right, total


def _differences(targets: Indicators) -> NDArray[Any]:
    """Number of flags (n,) that differ."""
    y_true, y_pred = targets
    if not isinstance(y_true, np.ndarray):
        return np.asarray((y_true != y_pred).sum(axis=1))
    differences = np.empty(len(y_true), np.int64)
    _kernels.count_differences(y_true, y_pred, differences)
    return differences


def accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Accuracy.

    The share of the rows whose predicted label is the true one.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators; a row of these counts when all k are right.
    normalize : bool, default=True
        False returns the number of rows that are right, or their weight.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        In [0, 1], or in [0, n].

    Raises
    ------
    InputError
        Data that are no labels, text against numbers included.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows, no copy of integers. With a rare class, always predicting the other one
    has an accuracy near 1: compare with the share of the largest class.

    References
    ----------
    Sokolova & Lapalme (2009), doi:10.1016/j.ipm.2009.03.002.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.accuracy_score(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    0.75
    """
    check_flag("accuracy_score", "normalize", normalize)
    targets, weights = read_targets(y_true, y_pred, sample_weight)
    right, total = _right(targets, weights)
    return float(right / total if normalize else right)


def zero_one_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Zero-one loss.

    The share of the rows whose predicted label is not the true one, 1 - accuracy.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators; a row of these counts when one of the k is wrong.
    normalize : bool, default=True
        False returns the number of rows that are wrong, or their weight.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        In [0, 1], or in [0, n]; lower is better.

    Raises
    ------
    InputError
        Data that are no labels, text against numbers included.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows, no copy of integers.

    References
    ----------
    Sokolova & Lapalme (2009), doi:10.1016/j.ipm.2009.03.002.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.zero_one_loss(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    0.25
    """
    check_flag("zero_one_loss", "normalize", normalize)
    targets, weights = read_targets(y_true, y_pred, sample_weight)
    right, total = _right(targets, weights)
    return float(1 - right / total if normalize else total - right)


def hamming_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Hamming loss.

    The share of all labels that are wrong; of label indicators the share of the flags.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        In [0, 1]; lower is better.

    Raises
    ------
    InputError
        Data that are no labels, text against numbers included.

    Notes
    -----
    One pass over n rows, no copy of integers. For labels (n,) it is the zero-one loss.

    References
    ----------
    Tsoumakas & Katakis (2007), doi:10.4018/jdwm.2007070101.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.hamming_loss(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    0.25
    >>> fm.hamming_loss([[0, 1], [1, 1]], [[0, 0], [0, 1]])
    0.5
    """
    targets, weights = read_targets(y_true, y_pred, sample_weight)
    if isinstance(targets, Indicators):
        differences = _differences(targets)
        total = differences.size if weights is UNIT else weights.sum()
        return float((differences * weights).sum() / (total * targets.y_true.shape[1]))
    right, total = _right(targets, weights)
    return float((total - right) / total)


def balanced_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    adjusted: bool = False,
) -> float:
    """Balanced accuracy.

    The mean of the classes' recalls; classes without true rows are left out.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two or more classes.
    y_pred : array-like of shape (n,)
        Predicted labels.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    adjusted : bool, default=False
        Scale it so that guessing is 0 and the best is 1.

    Returns
    -------
    float
        In [0, 1], or in [1 / (1 - K), 1] if adjusted for K classes; nan if adjusted for one class.

    Raises
    ------
    InputError
        Data that are no labels.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows. Warns of predicted classes that never are true.

    References
    ----------
    Brodersen et al. (2010), doi:10.1109/ICPR.2010.764.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1])
    0.625
    """
    check_flag("balanced_accuracy_score", "adjusted", adjusted)
    found = count(*read_columns(y_true, y_pred, sample_weight))
    counts = found.counts
    if len(counts) == 1:
        warn_single_label()
    support = counts[:, 0] + counts[:, 2]
    if np.count_nonzero(support) < support.size:
        warn("y_pred contains classes not in y_true")
        counts, support = counts[support > 0], support[support > 0]
    recalls = counts[:, 0] / support
    value = float(np.add.reduce(recalls) / recalls.size)
    if not adjusted:
        return value
    chance = 1 / recalls.size
    return float(np.float64(value - chance) / (1 - chance)) if chance < 1 else float("nan")
