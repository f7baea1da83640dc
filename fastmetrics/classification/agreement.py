"""Agreement of two columns of labels beyond chance, and what a decision tells of the class.

Conventions
-----------
The Matthews correlation and kappa do not change when the columns change places. The weights of
kappa follow the positions of the labels, not their values. The functions have scikit-learn's
signatures, numbers, warnings and errors.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification import confusion_formulas as _formulas
from fastmetrics.classification.confusion import label_pairs, warn_single_label
from fastmetrics.errors import InputError, LabelError, invalid_parameter, warn_undefined
from fastmetrics.input.codes import Confusion, count
from fastmetrics.input.columns import read_columns
from fastmetrics.input.options import check_choice
from fastmetrics.input.validation import in_range


def matthews_corrcoef(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Matthews correlation coefficient.

    The correlation of true and predicted classes; for two classes
    (tp tn - fp fn) / sqrt((tp + fp)(tp + fn)(tn + fp)(tn + fn)).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two or more classes.
    y_pred : array-like of shape (n,)
        Predicted labels.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        In [-1, 1], 0 for guessing; 0 where either column holds one class only.

    Raises
    ------
    InputError
        Data that are no labels.

    Notes
    -----
    One pass over n rows; the products of counts are taken in float64, so they do not overflow. With
    more than two classes the lowest value lies above -1.

    References
    ----------
    Matthews (1975), doi:10.1016/0005-2795(75)90109-9. Gorodkin (2004),
    doi:10.1016/j.compbiolchem.2004.09.006.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.matthews_corrcoef([1, 1, 1, 0], [1, 0, 1, 1])
    -0.3333333333333333
    """
    found = count(*read_columns(y_true, y_pred, sample_weight))
    if len(found.classes) == 1:
        warn_single_label()
        return 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(_formulas.matthews_of_counts(_in_range(found.counts)))
    return 0.0 if math.isnan(value) else value


def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    weights: str | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = math.nan,
) -> float:
    """Cohen's kappa.

    1 - (observed disagreement) / (disagreement of independent columns with the same totals).

    Parameters
    ----------
    y1 : array-like of shape (n,)
        Labels of one judge.
    y2 : array-like of shape (n,)
        Labels of the other.
    labels : array-like of shape (K,), optional
        The classes, in their order; pairs with another label are left out. All labels that occur,
        ascending, by default.
    weights : {"linear", "quadratic"}, optional
        Weigh a disagreement by the distance of the positions of the two labels, or its square.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    replace_undefined_by : float in [-1, 1] or nan, default=nan
        What 0/0 becomes, with a warning.

    Returns
    -------
    float
        In [-1, 1], 0 for agreement by chance.

    Raises
    ------
    InputError
        Data that are no labels, or ``labels`` of which none occurs in ``y1``.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows and a matrix of K times K. Name ordered grades in ``labels``: the
    alphabetical order of "low", "mid" and "high" is another one.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104. Cohen (1968), doi:10.1037/h0026256.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.cohen_kappa_score([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2])
    0.75
    >>> fm.cohen_kappa_score([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2], weights="quadratic")
    0.8888888888888888
    """
    if weights is not None:
        check_choice("cohen_kappa_score", "weights", weights, ("linear", "quadratic", None))
    replacement = _check_replacement(replace_undefined_by)
    found = count(*read_columns(y1, y2, sample_weight))
    value, any_pairs = _kappa(found, labels, weights)
    if not math.isnan(value):
        return value
    missing = (
        "`y1`, `y2` and `labels` have only one label in common"
        if any_pairs
        else "`y2` contains no labels that are present in both `y1` and `labels`"
    )
    warn_undefined(
        f"{missing}. `cohen_kappa_score` is undefined and set to the value defined by the "
        f"`replace_undefined_by` param, which is set to {replacement}."
    )
    return replacement


def _kappa(found: Confusion, labels: ArrayLike | None, weights: str | None) -> tuple[float, bool]:
    """Kappa, nan for 0/0, and whether any row counts."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if labels is None and weights is None:
            if len(found.classes) == 1:
                warn_single_label()
            return float(_formulas.kappa_of_counts(_in_range(found.counts))), True
        sums = _in_range(_judged_pairs(found, labels)).ravel()
        if weights is None:
            value = _formulas.cohen_kappa(sums)
        else:
            value = _formulas.weighted_kappa(sums, _formulas.POWERS[weights])
    return float(value), not math.isnan(value) or bool(sums.any())


def _in_range(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Counts as float64; sums of extreme weights scaled, for they are multiplied."""
    return in_range(counts) if counts.dtype.kind == "f" else counts.astype(np.float64)


def _judged_pairs(found: Confusion, labels: ArrayLike | None) -> NDArray[Any]:
    """Matrix (K, K), with an error in the words of two judges."""
    try:
        return label_pairs(found, labels)
    except LabelError as error:
        if "At least one label" not in str(error):
            raise
        raise LabelError(
            "At least one label in `labels` must be present in `y1` (even though "
            f"`cohen_kappa_score` does not depend on the order of `y1` and `y2`): {error}"
        ) from error


def _check_replacement(value: Any) -> float:
    is_real = type(value) is float or isinstance(value, Real)
    if is_real and (math.isnan(value) or -1 <= float(value) <= 1):
        return float(value)
    raise invalid_parameter(
        "The 'replace_undefined_by' parameter of cohen_kappa_score must be a float in the range "
        f"[-1, 1] or nan. Got {value!r} instead."
    )


def class_likelihood_ratios(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float | dict[str, float] = math.nan,
) -> tuple[float, float]:
    """Likelihood ratios of a positive and of a negative decision.

    By how much a decision multiplies the odds of the positive class: recall / (1 - specificity) and
    (1 - recall) / specificity.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes, of which the greater is positive.
    y_pred : array-like of shape (n,)
        Predicted labels.
    labels : array-like of shape (2,), optional
        The negative class, and the positive one.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    replace_undefined_by : 1.0, nan or dict, default=nan
        What x/0 becomes, with a warning: the worst value of both ratios, nan, or
        ``{"LR+": in [1, inf] or nan, "LR-": in [0, 1] or nan}``.

    Returns
    -------
    positive, negative : float
        In [0, inf); a useful decision has them above and below 1.

    Raises
    ------
    InputError
        Data that are no labels of two classes.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows. The ratios do not depend on the prevalence.

    References
    ----------
    Altman & Bland (2004), doi:10.1136/bmj.329.7458.168.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    found = count(*read_columns(y_true, y_pred, sample_weight))
    if len(found.classes) > 2:
        raise InputError(
            "class_likelihood_ratios only supports binary classification problems, got targets of "
            "type: multiclass"
        )
    replacements = _replacements(replace_undefined_by)
    pairs = label_pairs(found, labels)
    if pairs.size != 4:
        raise LabelError(
            f"class_likelihood_ratios needs two classes, found {len(pairs)}: name both, the "
            "negative one first, labels=[0, 1]"
        )
    tn, fp, fn, tp = (in_range(pairs) if pairs.dtype.kind == "f" else pairs).ravel().tolist()
    if tp + fn == 0:
        _warn_of_ratio(
            "No samples of the positive class are present in `y_true`. "
            "`positive_likelihood_ratio` and `negative_likelihood_ratio` are both"
        )
    if fp == 0:
        _warn_of_ratio(
            "`positive_likelihood_ratio` is ill-defined and"
            if tp
            else "No samples were predicted for the positive class and "
            "`positive_likelihood_ratio` is"
        )
    if tn == 0:
        _warn_of_ratio("`negative_likelihood_ratio` is ill-defined and")
    positive = _ratio(tp * (tn + fp), fp * (tp + fn)) if fp else replacements[0]
    negative = _ratio(fn * (tn + fp), tn * (tp + fn)) if tn else replacements[1]
    return positive, negative


def _ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator else math.nan


def _warn_of_ratio(found: str) -> None:
    warn_undefined(
        f"{found} set to `np.nan`. Use the `replace_undefined_by` param to control this behavior. "
        "To suppress this warning or turn it into an error, see Python's `warnings` module and "
        "`warnings.catch_warnings()`."
    )


def _replacements(value: Any) -> tuple[float, float]:
    """What takes the place of either ratio."""
    if isinstance(value, Real) and (value == 1 or math.isnan(value)):
        return float(value), float(value)
    if not isinstance(value, dict):
        raise invalid_parameter(
            "The 'replace_undefined_by' parameter of class_likelihood_ratios must be 1.0, nan or a "
            f"dict. Got {value!r} instead."
        )
    ratios = value.get("LR+"), value.get("LR-")
    limits = (1.0, math.inf), (0.0, 1.0)
    for ratio, (low, high) in zip(ratios, limits):
        fits = isinstance(ratio, Real) and (math.isnan(ratio) or low <= float(ratio) <= high)
        if not fits:
            raise InputError(
                "The dictionary passed as `replace_undefined_by` needs to be in the form "
                "`{'LR+': value, 'LR-': value}` with the value for LR+ from 1.0 to inf, the one "
                f"for LR- from 0.0 to 1.0, or nan; got `{value}`."
            )
    return float(value["LR+"]), float(value["LR-"])
