"""Descriptions of the ranking metrics (to be joined with the functions)."""

from __future__ import annotations

from functools import partial

import numpy as np

from fastmetrics.metric import Floats, Metric
from fastmetrics.statistics import (
    AREA_FROM_RECALL,
    AREA_TO_FALSE_POSITIVE_RATE,
    CONCORDANCE,
    KS,
    PRECISION,
    PRECISION_AT_RECALL,
    RECALL_AT_FALSE_POSITIVE_RATE,
    point_statistic,
)


def area_under_roc(sums: Floats) -> Floats:
    """Share of the pairs in which the positive scores higher, ties as one half."""
    concordant, positives, negatives = sums[..., 0], sums[..., 1], sums[..., 2]
    return concordant / (2.0 * (positives * negatives))


def gini(sums: Floats) -> Floats:
    """Share of concordant pairs less the share of discordant ones, 2 AUC - 1."""
    return 2.0 * area_under_roc(sums) - 1.0


def mean_precision(sums: Floats) -> Floats:
    """Mean over the positives of the precision at their score."""
    # the sum and the total are rounded apart: a perfect ranking may not exceed 1
    return np.minimum(sums[..., 0] / sums[..., 1], 1.0)


def point(sums: Floats) -> Floats:
    """The kept number itself, where both classes occur."""
    both = (sums[..., 1] > 0) & (sums[..., 2] > 0)
    return np.where(both, sums[..., 0], np.nan)


def precision_point(sums: Floats) -> Floats:
    """The kept number itself, where a positive occurs."""
    return np.where(sums[..., 1] > 0, sums[..., 0], np.nan)


def partial_area(sums: Floats, width: float) -> Floats:
    """Area over a strip of the given width, scaled so that chance is 1/2 and the best is 1."""
    chance = width * width / 2.0
    return 0.5 * (1.0 + (point(sums) - chance) / (width - chance))


def partial_auc(*, max_fpr: float | None = None, min_tpr: float | None = None) -> Metric:
    """Describe the partial AUC up to a false positive rate, or from a recall up."""
    if (max_fpr is None) == (min_tpr is None):
        raise ValueError("partial_auc takes one limit: max_fpr=0.1 or min_tpr=0.9")
    if max_fpr is not None:
        if not 0.0 < max_fpr <= 1.0:
            raise ValueError(f"max_fpr={max_fpr}: give a rate above 0 and up to 1")
        statistic = point_statistic("area", AREA_TO_FALSE_POSITIVE_RATE, max_fpr)
        width, options = float(max_fpr), (("max_fpr", max_fpr),)
    else:
        if not 0.0 <= float(min_tpr or 0.0) < 1.0:
            raise ValueError(f"min_tpr={min_tpr}: give a rate from 0 and below 1")
        statistic = point_statistic("area", AREA_FROM_RECALL, float(min_tpr or 0.0))
        width, options = 1.0 - float(min_tpr or 0.0), (("min_tpr", float(min_tpr or 0.0)),)
    return Metric(
        "partial_auc",
        statistic,
        partial(partial_area, width=width),
        "score",
        (0.0, 1.0),
        True,
        source="doi:10.1177/0272989X8900900307",
        options=options,
    )


def recall_at_false_positive_rate(*, max_fpr: float) -> Metric:
    """Describe the largest recall whose false positive rate is at most max_fpr."""
    if not 0.0 <= max_fpr <= 1.0:
        raise ValueError(f"max_fpr={max_fpr}: give a rate between 0 and 1")
    return Metric(
        "recall_at_false_positive_rate",
        point_statistic("recall", RECALL_AT_FALSE_POSITIVE_RATE, max_fpr),
        point,
        "score",
        (0.0, 1.0),
        True,
        source="operating point of the ROC curve",
        options=(("max_fpr", max_fpr),),
    )


def precision_at_recall(*, min_recall: float) -> Metric:
    """Describe the largest precision whose recall is at least min_recall."""
    if not 0.0 <= min_recall <= 1.0:
        raise ValueError(f"min_recall={min_recall}: give a rate between 0 and 1")
    return Metric(
        "precision_at_recall",
        point_statistic("precision", PRECISION_AT_RECALL, min_recall),
        precision_point,
        "score",
        (0.0, 1.0),
        True,
        source="operating point of the precision-recall curve",
        options=(("min_recall", min_recall),),
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        "roc_auc",
        CONCORDANCE,
        area_under_roc,
        "score",
        (0.0, 1.0),
        True,
        jackknife="concordance",
        influence="concordance",
        default_interval="bca",
        source="doi:10.1148/radiology.143.1.7063747",
    ),
    Metric(
        "gini",
        CONCORDANCE,
        gini,
        "score",
        (-1.0, 1.0),
        True,
        jackknife="concordance",
        influence="concordance",
        default_interval="bca",
        source="2 AUC - 1",
    ),
    Metric(
        "average_precision",
        PRECISION,
        mean_precision,
        "score",
        (0.0, 1.0),
        True,
        jackknife="precision",
        influence="precision",
        default_interval="bca",
        source="doi:10.1145/1143844.1143874",
    ),
    Metric(
        "ks",
        point_statistic("largest distance", KS),
        point,
        "score",
        (0.0, 1.0),
        True,
        source="two-sample Kolmogorov-Smirnov statistic of the class scores",
    ),
)
