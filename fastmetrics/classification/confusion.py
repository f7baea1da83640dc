"""Confusion matrices: which class was taken for which, and each class against the rest.

Conventions
-----------
Rows are true classes and columns predicted ones, in ascending order unless ``labels`` says
otherwise. Counts are int64 for rows and integer weights, float64 for other weights. The functions
have scikit-learn's signatures, numbers, warnings and errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification._averaging import label_column, target_counts
from fastmetrics.errors import LabelError, warn
from fastmetrics.input.codes import Confusion, count, pairs_of, true_labels
from fastmetrics.input.columns import read_columns, read_targets
from fastmetrics.input.options import check_choice, check_flag

_AS_MATRIX = np.array([3, 1, 2, 0])  # tn, fp, fn, tp out of tp, fp, fn, tn
_NORMALIZE = (None, "true", "pred", "all")


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: str | None = None,
) -> NDArray[Any]:
    """Confusion matrix.

    The entry in row i and column j counts the rows of true class i that were predicted as class j.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: integers, bools, whole numbers or text; none may be missing.
    y_pred : array-like of shape (n,)
        Predicted labels.
    labels : array-like of shape (K,), optional
        The classes of the matrix, in this order; pairs with another label are left out. All labels
        that occur by default.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    normalize : {"true", "pred", "all"}, optional
        Divide by the totals of the true classes (rows), of the predicted ones (columns), or of all.

    Returns
    -------
    ndarray of shape (K, K)
        Rows or their weight; shares in [0, 1] if normalised, 0 where the total is 0.

    Raises
    ------
    InputError
        Data that are no labels, or ``labels`` of which none occurs in ``y_true``.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows, two where the range of the labels is not known; no copy of integers.

    References
    ----------
    Kohavi & Provost (1998), doi:10.1023/A:1017181826899.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.confusion_matrix([0, 1, 2, 2, 1], [1, 1, 2, 0, 1])
    array([[0, 1, 0],
           [0, 2, 0],
           [1, 0, 1]])
    >>> tn, fp, fn, tp = fm.confusion_matrix([0, 1, 0, 1], [1, 1, 1, 0]).ravel().tolist()
    >>> tn, fp, fn, tp
    (0, 2, 1, 1)
    """
    if normalize is not None:
        check_choice("confusion_matrix", "normalize", normalize, _NORMALIZE)
    pairs = label_pairs(count(*read_columns(y_true, y_pred, sample_weight)), labels)
    return pairs if normalize is None else _normalized(pairs, normalize)


def label_pairs(found: Confusion, labels: ArrayLike | None) -> NDArray[Any]:
    """Confusion matrix (L, L) of the labels asked for, with the warning of a single one."""
    if labels is None:
        pairs = pairs_of(found)
    else:
        pairs = pairs_of(found, _checked(found, label_column(labels)))
    if len(pairs) == 1:
        warn_single_label()
    return pairs


def warn_single_label() -> None:
    """scikit-learn's warning of a confusion matrix with one entry."""
    warn(
        "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the "
        "correct shape, use the 'labels' parameter to pass all known labels."
    )


def _checked(found: Confusion, labels: NDArray[Any]) -> NDArray[Any]:
    """Labels of which at least one occurs in y_true."""
    if labels.size == 0:
        raise LabelError("'labels' should contain at least one label.")
    if not true_labels(found).isdisjoint(labels.tolist()):
        return labels
    raise LabelError(
        f"At least one label specified must be in y_true: labels holds {labels.tolist()}, y_true "
        f"and y_pred hold {found.classes.tolist()}"
    )


def _normalized(pairs: NDArray[Any], normalize: str) -> NDArray[np.float64]:
    """Shares of the rows, of the columns, or of all; 0 for 0/0."""
    totals: Any
    if normalize == "all":
        totals = pairs.sum()
    else:
        totals = pairs.sum(axis=1 if normalize == "true" else 0, keepdims=True)
        totals = totals if normalize == "true" else totals.reshape(1, -1)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares: NDArray[np.float64] = np.nan_to_num(pairs / totals)
    return shares


def multilabel_confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    samplewise: bool = False,
) -> NDArray[Any]:
    """Confusion matrix of each class or label against the rest.

    For each class the matrix [[tn, fp], [fn, tp]] of having it or not.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    labels : array-like of shape (K,), optional
        The classes, or the numbers of the columns of indicators, in this order; all by default.
    samplewise : bool, default=False
        One matrix for each row instead of each label; for label indicators only.

    Returns
    -------
    ndarray of shape (K, 2, 2) or (n, 2, 2)
        Rows or their weight.

    Raises
    ------
    InputError
        Data that are no labels.

    Notes
    -----
    One pass over n rows, as for ``confusion_matrix``; for indicators over n times k flags.

    References
    ----------
    Sokolova & Lapalme (2009), doi:10.1016/j.ipm.2009.03.002.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.multilabel_confusion_matrix(["a", "b", "c"], ["a", "c", "c"])[2]
    array([[1, 1],
           [0, 1]])
    """
    check_flag("multilabel_confusion_matrix", "samplewise", samplewise)
    targets, weights = read_targets(y_true, y_pred, sample_weight)
    counts = target_counts(targets, weights, labels, samplewise=bool(samplewise))
    return counts[:, _AS_MATRIX].reshape(-1, 2, 2)
