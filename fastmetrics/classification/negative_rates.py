"""Rates of the negative rows: specificity, negative predictive value, false positive rate.

Conventions
-----------
Options mean what they mean in ``rates``, whose functions these complete; scikit-learn has none of
them. 0/0 is nan and a warning, and a class that is nan is left out of averages.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification._averaging import (
    FALSE_POSITIVE_RATE,
    NEGATIVE_PREDICTIVE_VALUE,
    SPECIFICITY,
    undefined_score,
)


def specificity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = math.nan,
) -> float | NDArray[np.float64]:
    """Specificity, the true negative rate.

    The share of the negative rows that are predicted as negative: tn / (tn + fp).

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
    zero_division : {0, 1, nan}, default=nan
        What 0/0 becomes; nan is left out of averages.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1]. Undefined where no row is negative: nan, with a warning.

    Raises
    ------
    InputError
        Data that are no labels, more than two classes under "binary", or a ``pos_label`` that is
        not among them.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Not in scikit-learn; options as for ``recall_score``. One pass over n rows.

    References
    ----------
    Yerushalmy (1947), doi:10.2307/4586294.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.specificity_score([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.6666666666666666
    >>> fm.specificity_score(["a", "b", "c"], ["a", "c", "c"], average=None)
    array([1. , 1. , 0.5])
    """
    return undefined_score(
        "specificity_score",
        SPECIFICITY,
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
    )


def negative_predictive_value_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = math.nan,
) -> float | NDArray[np.float64]:
    """Negative predictive value.

    The share of the rows predicted as negative that are: tn / (tn + fn).

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
    zero_division : {0, 1, nan}, default=nan
        What 0/0 becomes; nan is left out of averages.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1]. Undefined where no row is predicted as negative: nan, with a warning.

    Raises
    ------
    InputError
        Data that are no labels, more than two classes under "binary", or a ``pos_label`` that is
        not among them.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Not in scikit-learn; options as for ``recall_score``. One pass over n rows.

    References
    ----------
    Altman & Bland (1994), doi:10.1136/bmj.309.6947.102.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.negative_predictive_value_score([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.6666666666666666
    >>> fm.negative_predictive_value_score(["a", "b", "c"], ["a", "c", "c"], average=None)
    array([1.        , 0.66666667, 1.        ])
    """
    return undefined_score(
        "negative_predictive_value_score",
        NEGATIVE_PREDICTIVE_VALUE,
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
    )


def false_positive_rate_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = math.nan,
) -> float | NDArray[np.float64]:
    """False positive rate, the fall-out.

    The share of the negative rows that are predicted as positive: fp / (fp + tn), which is
    1 - specificity.

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
    zero_division : {0, 1, nan}, default=nan
        What 0/0 becomes; nan is left out of averages.

    Returns
    -------
    float or ndarray of shape (K,)
        In [0, 1], lower is better. Undefined where no row is negative: nan, with a warning.

    Raises
    ------
    InputError
        Data that are no labels, more than two classes under "binary", or a ``pos_label`` that is
        not among them.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Not in scikit-learn; options as for ``recall_score``. One pass over n rows.

    References
    ----------
    Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.false_positive_rate_score([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    0.3333333333333333
    >>> fm.false_positive_rate_score(["a", "b", "c"], ["a", "c", "c"], average=None)
    array([0. , 0. , 0.5])
    """
    return undefined_score(
        "false_positive_rate_score",
        FALSE_POSITIVE_RATE,
        y_true,
        y_pred,
        labels,
        pos_label,
        average,
        sample_weight,
        zero_division,
    )
