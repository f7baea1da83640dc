"""Metrics of yes-or-no decisions, as formulas on the four counts.

Conventions
-----------
A row is flagged when its score reaches the threshold. Counts stand in the order tp, fp, fn, tn on
the last axis; they may be sums of weights. A formula returns nan for 0/0.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from fastmetrics.engine.description import Floats, Formula, Metric
from fastmetrics.engine.statistics import BINARY_COUNTS

LARGEST_BETA = 1e100  # its square times a count is a number; beyond it F-beta is recall


def _columns(counts: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Split tp, fp, fn, tn off the last axis."""
    return counts[..., 0], counts[..., 1], counts[..., 2], counts[..., 3]


def accuracy(counts: Floats) -> Floats:
    """Share of all rows that are right."""
    tp, fp, fn, tn = _columns(counts)
    return (tp + tn) / (tp + fp + fn + tn)


def error_rate(counts: Floats) -> Floats:
    """Share of all rows that are wrong."""
    tp, fp, fn, tn = _columns(counts)
    return (fp + fn) / (tp + fp + fn + tn)


def precision(counts: Floats) -> Floats:
    """Share of the flagged rows that are positive."""
    tp, fp, _, _ = _columns(counts)
    return tp / (tp + fp)


def recall(counts: Floats) -> Floats:
    """Share of the positives that are flagged."""
    tp, _, fn, _ = _columns(counts)
    return tp / (tp + fn)


def specificity(counts: Floats) -> Floats:
    """Share of the negatives that are left alone."""
    _, fp, _, tn = _columns(counts)
    return tn / (fp + tn)


def negative_predictive_value(counts: Floats) -> Floats:
    """Share of the rows left alone that are negative."""
    _, _, fn, tn = _columns(counts)
    return tn / (fn + tn)


def false_positive_rate(counts: Floats) -> Floats:
    """Share of the negatives that are flagged."""
    _, fp, _, tn = _columns(counts)
    return fp / (fp + tn)


def positive_likelihood_ratio(counts: Floats) -> Floats:
    """Recall by false positive rate; nan without false positives."""
    tp, fp, fn, tn = _columns(counts)
    return np.where(fp > 0, tp * (fp + tn) / (fp * (tp + fn)), np.nan)


def negative_likelihood_ratio(counts: Floats) -> Floats:
    """Share of the positives that are missed by specificity; nan without true negatives."""
    tp, fp, fn, tn = _columns(counts)
    return np.where(tn > 0, fn * (fp + tn) / (tn * (tp + fn)), np.nan)


def f_beta(counts: Floats, beta: float) -> Floats:
    """Weighted harmonic mean of precision and recall; a miss weighs beta squared."""
    tp, fp, fn, _ = _columns(counts)
    square = beta * beta
    hits = (1.0 + square) * tp
    return hits / (hits + square * fn + fp)


def jaccard(counts: Floats) -> Floats:
    """Share of the rows flagged or positive that are both."""
    tp, fp, fn, _ = _columns(counts)
    return tp / (tp + fp + fn)


def balanced_accuracy(counts: Floats) -> Floats:
    """Mean of recall and specificity."""
    return (recall(counts) + specificity(counts)) / 2.0


def matthews_correlation(counts: Floats) -> Floats:
    """Correlation of label and decision."""
    tp, fp, fn, tn = _columns(counts)
    # square roots apart, so that the product of four large counts cannot overflow
    spread = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    # the roots are rounded: a perfect prediction may not exceed 1
    correlation: Floats = np.clip((tp * tn - fp * fn) / spread, -1.0, 1.0)
    return correlation


def cohen_kappa(counts: Floats) -> Floats:
    """Agreement beyond what the same margins give by chance."""
    tp, fp, fn, tn = _columns(counts)
    chance = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return 2.0 * (tp * tn - fp * fn) / chance


def _counts_metric(
    name: str,
    formula: Formula,
    *,
    low: float = 0.0,
    high: float = 1.0,
    better: bool = True,
    source: str,
) -> Metric:
    """Describe a metric of the four counts."""
    return Metric(
        name,
        BINARY_COUNTS,
        formula,
        "label",
        (low, high),
        better,
        default_interval="bca",
        source=source,
    )


def fbeta(beta: float = 1.0) -> Metric:
    """Describe F-beta; beta is how many times more recall counts than precision."""
    if not 0.0 <= beta <= LARGEST_BETA:
        raise ValueError(f"beta={beta}: give a finite number of 0 or more, up to {LARGEST_BETA:g}")
    return _counts_metric(
        f"f{beta:g}", partial(f_beta, beta=float(beta)), source="van Rijsbergen 1979"
    )


_RATIOS = "doi:10.1136/bmj.329.7458.168"

METRICS: tuple[Metric, ...] = (
    _counts_metric("accuracy", accuracy, source="share of correct decisions"),
    _counts_metric("zero_one_loss", error_rate, better=False, source="1 - accuracy"),
    _counts_metric("hamming_loss", error_rate, better=False, source="doi:10.4018/jdwm.2007070101"),
    _counts_metric("balanced_accuracy", balanced_accuracy, source="doi:10.1109/ICPR.2010.764"),
    _counts_metric("precision", precision, source="positive predictive value"),
    _counts_metric("recall", recall, source="sensitivity"),
    _counts_metric("specificity", specificity, source="true negative rate"),
    _counts_metric(
        "negative_predictive_value", negative_predictive_value, source="negative predictive value"
    ),
    _counts_metric(
        "false_positive_rate", false_positive_rate, better=False, source="1 - specificity"
    ),
    _counts_metric(
        "positive_likelihood_ratio",
        positive_likelihood_ratio,
        high=float("inf"),
        source=_RATIOS,
    ),
    _counts_metric(
        "negative_likelihood_ratio",
        negative_likelihood_ratio,
        high=float("inf"),
        better=False,
        source=_RATIOS,
    ),
    fbeta(1.0),
    fbeta(2.0),
    fbeta(0.5),
    _counts_metric("jaccard", jaccard, source="Jaccard 1901"),
    _counts_metric(
        "matthews_corrcoef",
        matthews_correlation,
        low=-1.0,
        source="doi:10.1016/0005-2795(75)90109-9",
    ),
    _counts_metric("cohen_kappa", cohen_kappa, low=-1.0, source="doi:10.1177/001316446002000104"),
)
