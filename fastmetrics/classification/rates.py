"""Precision, recall and Jaccard index.

Conventions
-----------
Several classes are taken one against the rest each, and averaged: "macro" counts every class the
same, "micro" every row, "weighted" every class by its true rows. The functions have scikit-learn's
signatures, numbers, warnings and errors: 0/0 is 0 and a warning unless ``zero_division`` says
otherwise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification._averaging import JACCARD, PRECISION, RECALL, score


def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> float | NDArray[np.float64]:
    """Precision, the positive predictive value.

    The share of the rows predicted as positive that are: tp / (tp + fp).

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, to average over; all by default. Without meaning
        for "binary".
    pos_label : int, float, bool or str, default=1
        The positive class of two, for "binary".
    average : {"binary", "micro", "macro", "weighted", "samples"} or None, default="binary"
        How classes are averaged; "samples" averages the rows of indicators, None returns each
        class.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    zero_division : {0, 1, nan or "warn"}, default="warn"
        What 0/0 becomes: 0 with a warning by default; nan is left out of averages.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1]. Undefined where no row is predicted as positive.

    Raises
    ------
    InputError
        Data that are no labels, more than two classes under "binary", or a ``pos_label`` that is
        not among them.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows; the averages are taken from the counts of the classes.

    References
    ----------
    Van Rijsbergen, Information Retrieval (1979).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.precision_score([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.5
    >>> fm.precision_score(["a", "b", "c"], ["a", "c", "c"], average=None, zero_division=0)
    array([1. , 0. , 0.5])
    """
    return score(
        "precision_score",
        PRECISION,
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
    )


def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> float | NDArray[np.float64]:
    """Recall, the sensitivity or true positive rate.

    The share of the positive rows that are predicted as positive: tp / (tp + fn).

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, to average over; all by default. Without meaning
        for "binary".
    pos_label : int, float, bool or str, default=1
        The positive class of two, for "binary".
    average : {"binary", "micro", "macro", "weighted", "samples"} or None, default="binary"
        How classes are averaged; "samples" averages the rows of indicators, None returns each
        class.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    zero_division : {0, 1, nan or "warn"}, default="warn"
        What 0/0 becomes: 0 with a warning by default; nan is left out of averages.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1]. Undefined where no row is positive.

    Raises
    ------
    InputError
        Data that are no labels, more than two classes under "binary", or a ``pos_label`` that is
        not among them.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows; the averages are taken from the counts of the classes.

    References
    ----------
    Van Rijsbergen, Information Retrieval (1979).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.recall_score([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.5
    >>> fm.recall_score(["a", "b", "c"], ["a", "c", "c"], average=None, zero_division=0)
    array([1., 0., 1.])
    """
    return score(
        "recall_score",
        RECALL,
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
    )


def jaccard_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> float | NDArray[np.float64]:
    """Jaccard index, intersection over union.

    The share of the rows that are positive or predicted as positive that are both:
    tp / (tp + fp + fn).

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, to average over; all by default. Without meaning
        for "binary".
    pos_label : int, float, bool or str, default=1
        The positive class of two, for "binary".
    average : {"binary", "micro", "macro", "weighted", "samples"} or None, default="binary"
        How classes are averaged; "samples" averages the rows of indicators, None returns each
        class.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    zero_division : {0, 1 or "warn"}, default="warn"
        What 0/0 becomes: 0 with a warning by default.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1]. Undefined where no row is either.

    Raises
    ------
    InputError
        Data that are no labels, more than two classes under "binary", or a ``pos_label`` that is
        not among them.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows; the averages are taken from the counts of the classes.

    References
    ----------
    Jaccard (1901), doi:10.5169/seals-266450.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.jaccard_score([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.3333333333333333
    >>> fm.jaccard_score(["a", "b", "c"], ["a", "c", "c"], average=None, zero_division=0)
    array([1. , 0. , 0.5])
    """
    return score(
        "jaccard_score",
        JACCARD,
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
    )
