"""The area under the ROC curve as a statement about pairs of a positive and a negative row.

Conventions
-----------
A pair is concordant when the positive scores higher; a tied pair counts one half. Weighted, a pair
counts the product of its weights. Labels are bools, {0, 1} or {-1, 1}, others with ``pos_label``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.statistics import CONCORDANCE
from fastmetrics.errors import warn_undefined
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.validation import aligned_weights, scores
from fastmetrics.ranking._binary import both_classes
from fastmetrics.ranking._curves import roc_area
from fastmetrics.ranking.areas import area_under_roc

_PAIRS_AT_ONCE = 2**20


def rank_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Area under the ROC curve from ranks (Mann-Whitney).

    ``(R - P (P + 1) / 2) / (P N)``, where R sums the ranks of the P positives among all rows; the
    lowest score has rank 1, and equal scores share their mean rank.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more: a weight of 2 stands for two equal rows.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1]. nan, with a warning, when only one class occurs.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    The same number as ``roc_auc_score``. One sort of n scores.

    References
    ----------
    Mann & Whitney (1947), doi:10.1214/aoms/1177730491.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.rank_auc([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    0.75
    """
    cells = both_classes(y_true, y_score, sample_weight, pos_label)
    return float("nan") if cells is None else roc_area(cells)


def pairwise_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Area under the ROC curve by comparing every pair, for checking.

    The share of pairs of a positive and a negative row in which the positive scores higher, ties
    counted as one half.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more; a pair counts the product of its weights.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1]. nan, with a warning, when only one class occurs.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    P x N comparisons, about a million at a time: a second for 50,000 rows, not for millions. The
    same number as ``rank_auc`` by another way.

    References
    ----------
    Hanley & McNeil (1982), doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.pairwise_auc([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    0.75
    """
    positive = binary_labels(y_true, pos_label) == 1
    values = scores(y_score)
    checked = aligned_weights(sample_weight, y_true=positive, y_score=values)
    # counts stay exact in float64 up to 2**53 half pairs
    row_weights = np.ones(len(values)) if checked is None else checked
    above, below = values[positive], values[~positive]
    heavy, light = row_weights[positive], row_weights[~positive]
    pairs = float(heavy.sum() * light.sum())
    if pairs == 0:
        warn_undefined("Only one class is present in y_true: the value is undefined")
        return float("nan")
    concordant = 0.0
    step = max(1, _PAIRS_AT_ONCE // len(below))
    for start in range(0, len(above), step):
        block = slice(start, start + step)
        higher = above[block, None] > below  # (step, N)
        tied = above[block, None] == below
        concordant += float(heavy[block] @ (higher + 0.5 * tied) @ light)
    return min(concordant / pairs, 1.0)


def gini_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Gini coefficient of a ranking.

    The share of concordant pairs less the share of discordant ones, ``2 AUC - 1``; also called
    Somers' D or accuracy ratio.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [-1, 1]; 0 for scores without information. nan, with a warning, when only one class
        occurs.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    One sort of n scores.

    References
    ----------
    Somers (1962), doi:10.2307/2090408.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.gini_score([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    0.5
    """
    cells = both_classes(y_true, y_score, sample_weight, pos_label)
    return float("nan") if cells is None else 2 * roc_area(cells) - 1


def gini(sums: Floats) -> Floats:
    """Share of concordant pairs less the share of discordant ones, 2 AUC - 1."""
    return 2.0 * area_under_roc(sums) - 1.0


METRICS: tuple[Metric, ...] = (
    Metric(
        "gini",
        CONCORDANCE,
        gini,
        "score",
        (-1.0, 1.0),
        True,
        default_interval="bca",
        source="2 AUC - 1",
    ),
)
