"""What flagging rows is worth: the net benefit of a decision curve, and Youden's index.

Conventions
-----------
A row is flagged when its probability reaches the threshold. At a threshold t a true positive is
worth 1 and a false positive costs ``t / (1 - t)``, the odds at which acting and not acting balance.
Labels are bools, {0, 1} or {-1, 1}, others with ``pos_label``.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification.formulas import recall, specificity
from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.statistics import BINARY_COUNTS
from fastmetrics.errors import InputError
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.options import check_choice
from fastmetrics.input.validation import aligned_weights, encode_scores
from fastmetrics.ranking._curves import Cells, cells_of

_STRATEGIES = ("model", "treat_all", "treat_none")


def net_benefit(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    threshold: ArrayLike,
    strategy: str = "model",
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float | NDArray[np.float64]:
    """Net benefit of acting on probabilities at a threshold.

    ``tp / n - fp / n * t / (1 - t)``: true positives per row, less the false positives that weigh
    as much at the odds of the threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class, in [0, 1]; NaN is refused.
    threshold : float or array-like of shape (m,)
        Probabilities in [0, 1) from which on one would act.
    strategy : {"model", "treat_all", "treat_none"}, default="model"
        Act on the rows that reach the threshold, on all, or on none: a model is of use where it
        beats both of the others.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float or ndarray of shape (m,)
        Up to the prevalence, the best; below 0 where acting does more harm than good. One number
        for one threshold.

    Raises
    ------
    InputError
        Data that cannot be scored, probabilities outside [0, 1], or thresholds outside [0, 1).
    InvalidParameterError
        A strategy that does not exist.

    Notes
    -----
    A curve over thresholds is a decision curve. Its thresholds mean what they say only for
    calibrated probabilities. They are compared in the type of ``y_prob``. One sort of n
    probabilities, whatever m is.

    References
    ----------
    Vickers & Elkin (2006), doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true, y_prob = [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    >>> fm.net_benefit(y_true, y_prob, threshold=0.2)
    0.4375
    >>> fm.net_benefit(y_true, y_prob, threshold=[0.2, 0.5], strategy="treat_all")
    array([0.375, 0.   ])
    """
    check_choice("net_benefit", "strategy", strategy, _STRATEGIES)
    thresholds = _read_thresholds(threshold)
    labels = binary_labels(y_true, pos_label)
    scored = encode_scores(column(as_array(y_prob, "y_prob"), "y_prob"), "y_prob")
    _require_probabilities(scored.source)
    weights = aligned_weights(sample_weight, y_true=labels, y_prob=scored.values)
    cells = cells_of(labels, scored.values, weights)
    tp, fp = _flagged(cells, scored.restore(cells.thresholds), thresholds, strategy)
    n = float(cells.positives.sum() + cells.negatives.sum())
    values = _benefit(tp / n, fp / n, thresholds)
    return float(values) if values.ndim == 0 else values


def _read_thresholds(threshold: ArrayLike) -> Floats:
    """Thresholds () or (m,) in [0, 1)."""
    try:
        values = np.asarray(threshold, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"threshold={threshold!r}: give numbers in [0, 1)") from None
    outside = ~((values >= 0) & (values < 1))
    if values.ndim > 1 or values.size == 0 or outside.any():
        found = values[outside].tolist()[:3] if outside.any() else f"shape {values.shape}"
        raise InputError(f"threshold has {found}: give one number in [0, 1), or several (m,)")
    return values


def _require_probabilities(array: NDArray[Any]) -> None:
    """Refuse what is no probability, and say where it is."""
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        row = int(np.argmax(outside))
        raise InputError(f"y_prob holds {array[row]}, at row {row}: probabilities lie in [0, 1]")


def _flagged(
    cells: Cells, scores: NDArray[Any], thresholds: Floats, strategy: str
) -> tuple[Floats, Floats]:
    """True and false positives, shaped as the thresholds."""
    tp = np.append(0.0, cells.positives.cumsum())
    fp = np.append(0.0, cells.negatives.cumsum())
    if strategy == "treat_none":
        cells_flagged = np.zeros(thresholds.shape, np.intp)
    elif strategy == "treat_all":
        cells_flagged = np.full(thresholds.shape, len(scores))
    else:
        # as NumPy compares an array with a number: in the type of the array
        cuts = thresholds.astype(scores.dtype) if scores.dtype.kind == "f" else thresholds
        cells_flagged = len(scores) - np.searchsorted(scores[::-1], cuts, "left")
    return tp[cells_flagged], fp[cells_flagged]


def _benefit(tp: Floats, fp: Floats, threshold: Floats | float) -> Floats:
    """True positives less the false positives at the odds of the threshold, all per row."""
    return np.asarray(tp - fp * (threshold / (1.0 - threshold)))


def net_benefit_of_counts(counts: Floats, threshold: float) -> Floats:
    """Net benefit of the counts tp, fp, fn, tn on the last axis."""
    n = counts.sum(axis=-1)
    return _benefit(counts[..., 0] / n, counts[..., 1] / n, threshold)


def describe_net_benefit(*, threshold: float) -> Metric:
    """Describe the net benefit at a threshold, which is also the cut."""
    cut = float(_read_thresholds(threshold))
    return Metric(
        "net_benefit",
        BINARY_COUNTS.with_parameter(cut),
        partial(net_benefit_of_counts, threshold=cut),
        "probability",
        (-cut / (1.0 - cut), 1.0),
        True,
        default_interval="bca",
        source="doi:10.1177/0272989X06295361",
        options=(("threshold", threshold),),
    )


def youden_index(counts: Floats) -> Floats:
    """Recall plus specificity less one: the height above the diagonal of the ROC curve."""
    return recall(counts) + specificity(counts) - 1.0


METRICS: tuple[Metric, ...] = (
    Metric(
        "youden_index",
        BINARY_COUNTS,
        youden_index,
        "label",
        (-1.0, 1.0),
        True,
        default_interval="bca",
        source="doi:10.1002/1097-0142(1950)3:1<32::aid-cncr2820030106>3.0.co;2-3",
    ),
)
