"""F-scores, and precision, recall and F at once.

Conventions
-----------
F-beta is computed from the counts, (1 + beta^2) tp / ((1 + beta^2) tp + beta^2 fn + fp), so it is
undefined only where a class neither occurs nor is predicted. Options mean what they mean in
``rates``. The functions have scikit-learn's signatures, numbers, warnings and errors.
"""

from __future__ import annotations

from collections.abc import Collection
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification._averaging import (
    PRECISION,
    RECALL,
    averaged,
    check_zero_division,
    f_score,
    rates,
    read_groups,
    score,
)
from fastmetrics.errors import invalid_parameter

Values = NDArray[np.float64]
_WARN_FOR = ("precision", "recall", "f-score")


def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> float | Values:
    """F1, the harmonic mean of precision and recall.

    2 tp / (2 tp + fp + fn); the mean over the classes of theirs under "macro".

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
        In [0, 1]. Undefined where no row is positive nor predicted as positive.

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
    Van Rijsbergen, Information Retrieval (1979). Opitz & Burst (2019), arXiv:1911.03347, on the two
    macro F1.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.f1_score([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.5
    >>> fm.f1_score(["a", "b", "c", "c"], ["a", "b", "c", "b"], average=None)
    array([1.        , 0.66666667, 0.66666667])
    """
    return score(
        "f1_score",
        f_score(1.0),
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
        warn_for="f-score",
    )


def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> float | Values:
    """F-beta, the weighted harmonic mean of precision and recall.

    (1 + beta^2) tp / ((1 + beta^2) tp + beta^2 fn + fp): recall counts beta times as much as
    precision.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    beta : float in [0, inf]
        0 is precision, inf is recall.
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
        In [0, 1]. Undefined where no row is positive nor predicted as positive.

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
    >>> fm.fbeta_score([0, 1, 0, 1, 0], [1, 1, 0, 1, 1], beta=2)
    0.8333333333333334
    """
    _check_beta("fbeta_score", beta)
    return score(
        "fbeta_score",
        f_score(float(beta)),
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
        warn_for="f-score",
    )


def _check_beta(caller: str, beta: object) -> None:
    if not (isinstance(beta, Real) and float(beta) >= 0):
        raise invalid_parameter(
            f"The 'beta' parameter of {caller} must be a float in the range [0, inf]. "
            f"Got {beta!r} instead."
        )


def precision_recall_fscore_support(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float = 1.0,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = None,
    warn_for: Collection[str] = _WARN_FOR,
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> tuple[float | Values, float | Values, float | Values, NDArray[Any] | None]:
    """Precision, recall, F-beta and the number of true rows, from one pass.

    For each class or label, or averaged over them, what ``precision_score``, ``recall_score`` and
    ``fbeta_score`` return, and the support.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    beta : float in [0, inf], default=1.0
        Weight of recall.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, in this order; all by default.
    pos_label : int, float, bool or str, default=1
        The positive class of two, for "binary".
    average : {"binary", "micro", "macro", "weighted", "samples"} or None, default=None
        How classes are averaged; None returns each class.
    warn_for : list, tuple or set, default=("precision", "recall", "f-score")
        Of which to warn where they are undefined.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    zero_division : {0, 1, nan or "warn"}, default="warn"
        What 0/0 becomes: 0 with a warning by default; nan is left out of averages.

    Returns
    -------
    precision, recall, fbeta : float or ndarray of shape (K,)
        In [0, 1].
    support : ndarray of shape (K,), or None
        True rows of each class, or their weight; None when averaged.

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
    >>> precision, recall, f1, support = fm.precision_recall_fscore_support(
    ...     ["a", "b", "c", "c"], ["a", "b", "c", "b"]
    ... )
    >>> precision, support
    (array([1. , 0.5, 1. ]), array([1, 1, 2]))
    """
    caller = "precision_recall_fscore_support"
    check_zero_division(caller, zero_division)
    _check_beta(caller, beta)
    if not isinstance(warn_for, list | tuple | set):
        raise invalid_parameter(
            f"The 'warn_for' parameter of {caller} must be a list, a tuple or a set. "
            f"Got {warn_for!r} instead."
        )
    groups = read_groups(caller, y_true, y_pred, labels, pos_label, average, sample_weight)
    rate = f_score(float(beta))  # precision or recall itself at the ends
    wanted = [PRECISION, RECALL] if rate in (PRECISION, RECALL) else [PRECISION, RECALL, rate]
    found = rates(wanted, groups, zero_division, warn_for)
    if average is None:
        values = [*found, groups.counts[:, 0] + groups.counts[:, 2]]
    else:
        values = [*averaged(found, groups), None]
    if len(wanted) == 2:
        values.insert(2, values[wanted.index(rate)])
    return tuple(values)
