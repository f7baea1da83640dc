"""What the choice of the average does: the other macro F1, and the gap between the averages.

Conventions
-----------
There are two macro F1: the mean of the classes' F1 (``f1_score``, as scikit-learn has it), and the
F1 of macro precision and macro recall. Options mean what they mean in ``rates``; scikit-learn has
neither function.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from fastmetrics.classification._averaging import (
    JACCARD,
    PRECISION,
    RECALL,
    check_zero_division,
    f_score,
    group,
    result,
    target_counts,
)
from fastmetrics.classification.f_scores import precision_recall_fscore_support
from fastmetrics.input.columns import read_targets
from fastmetrics.input.options import check_choice

_RATES = {"precision": PRECISION, "recall": RECALL, "f1": f_score(1.0), "jaccard": JACCARD}


def f1_of_macro_averages(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> float:
    """F1 of macro precision and macro recall, the other macro F1.

    The harmonic mean of ``precision_score`` and ``recall_score`` under average="macro". It is never
    below the mean of the classes' F1, which is what ``f1_score`` returns.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, to average over; all by default.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    zero_division : {0, 1, nan or "warn"}, default="warn"
        What 0/0 in a class becomes: 0 with a warning by default; nan is left out of the averages.

    Returns
    -------
    float
        In [0, 1]; 0 where both averages are 0.

    Raises
    ------
    InputError
        Data that are no labels.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Not in scikit-learn. One pass over n rows. It rewards errors that raise precision in some
    classes and recall in others, so ``f1_score`` is usually to be preferred.

    References
    ----------
    Opitz & Burst (2019), Macro F1 and Macro F1, arXiv:1911.03347.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.f1_of_macro_averages(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    0.8333333333333334
    >>> fm.f1_score(["a", "b", "c", "c"], ["a", "b", "c", "b"], average="macro")
    0.7777777777777777
    """
    precision, recall, _, _ = precision_recall_fscore_support(
        y_true,
        y_pred,
        labels=labels,
        average="macro",
        warn_for=("precision", "recall"),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )
    means = float(precision), float(recall)
    total = sum(means)
    return 2 * means[0] * means[1] / total if total else 0.0


class MicroMacroGap(NamedTuple):
    """A metric averaged over rows and over classes, and the difference."""

    micro: float
    macro: float
    gap: float


def micro_macro_gap(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: str = "f1",
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: float | str = "warn",
) -> MicroMacroGap:
    """Gap between the micro and the macro average of a metric.

    The metric of all rows together less the mean of the classes' metrics: far above 0 the model
    lives on the frequent classes.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    metric : {"f1", "precision", "recall", "jaccard"}, default="f1"
        What is averaged.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, to average over; all by default.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    zero_division : {0, 1, nan or "warn"}, default="warn"
        What 0/0 in a class becomes: 0 with a warning by default; nan is left out of the average.

    Returns
    -------
    MicroMacroGap
        ``micro``, ``macro`` in [0, 1] and ``gap``, their difference, in [-1, 1].

    Raises
    ------
    InputError
        Data that are no labels.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Not in scikit-learn. One pass over n rows.

    References
    ----------
    Sokolova & Lapalme (2009), doi:10.1016/j.ipm.2009.03.002.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = ["good"] * 8 + ["scrap"] * 2
    >>> fm.micro_macro_gap(y_true, ["good"] * 10, zero_division=0).gap
    0.3555555555555556
    """
    check_choice("micro_macro_gap", "metric", metric, tuple(_RATES))
    check_zero_division("micro_macro_gap", zero_division)
    targets, weights = read_targets(y_true, y_pred, sample_weight)
    counts = target_counts(targets, weights, labels)
    rate = _RATES[metric]
    micro, macro = (
        float(result(rate, group(counts, average), zero_division, (rate.name,)))
        for average in ("micro", "macro")
    )
    return MicroMacroGap(micro, macro, micro - macro)
