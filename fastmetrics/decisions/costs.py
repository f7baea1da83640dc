"""Thresholds chosen by what errors cost: the searched one, the calculated one, and the curve.

Conventions
-----------
A false positive costs ``cost_fp``, a miss ``cost_fn``, and a right decision nothing. A row is
flagged when its score reaches the threshold; flagging nothing, at the threshold infinity, takes
part. A searched threshold belongs to the rows it was searched on: choose it on validation data.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Metric
from fastmetrics.errors import InputError
from fastmetrics.input.options import check_choice, check_cost, check_share
from fastmetrics.ranking.sweep import BestThreshold, threshold_sweep


class CostCurve(NamedTuple):
    """Thresholds from infinity down, and what each costs."""

    thresholds: NDArray[np.float64]
    costs: NDArray[np.float64]

    def plot(self, ax: Any = None, *, label: str | None = None) -> Any:
        """Draw the costs, under the name of a model if there is one; return the axes."""
        from fastmetrics.plots.costs import plot_cost_curves

        return plot_cost_curves({label: self}, ax)


def cost_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    cost_fp: float,
    cost_fn: float,
    normalize: str | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> CostCurve:
    """Cost of the errors at every threshold.

    ``cost_fp * fp + cost_fn * fn``, where nothing is flagged and at each distinct score.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    cost_fp, cost_fn : float
        Costs of a false alarm and of a miss, 0 or more.
    normalize : {"rows", "worst"} or None, default=None
        "rows" divides by n, for the mean cost of a row; "worst" by the cost of being wrong about
        every row, for a share.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    CostCurve
        ``(thresholds, costs)``, each of shape (U + 1,) for U distinct scores; the first threshold
        is infinity. In units of the costs, per row, or in [0, 1]; nan where the worst costs
        nothing.

    Raises
    ------
    InputError
        Data that cannot be scored, or costs below 0.
    InvalidParameterError
        Another word for ``normalize``.

    Notes
    -----
    Equal scores enter together. One sort of n scores.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI. The share: Drummond & Holte
    (2006), doi:10.1007/s10994-006-8199-5.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.cost_curve([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], cost_fp=1, cost_fn=10).costs
    array([20., 10., 11.,  1.,  2.])
    """
    check_choice("cost_curve", "normalize", normalize, ("rows", "worst", None))
    false_alarm, miss = check_cost("cost_fp", cost_fp), check_cost("cost_fn", cost_fn)
    sweep = threshold_sweep(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    positives, negatives = float(sweep.tp[-1]), float(sweep.fp[-1])
    costs = false_alarm * np.append(0.0, sweep.fp) + miss * np.append(positives, sweep.fn)
    if normalize is not None:
        worst = false_alarm * negatives + miss * positives
        with np.errstate(invalid="ignore"):
            costs = costs / (worst if normalize == "worst" else positives + negatives)
    return CostCurve(np.append(np.inf, sweep.thresholds.astype(np.float64)), costs)


def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric: str | Metric | None = None,
    *,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> BestThreshold:
    """The threshold with the lowest cost, or with the best value of a metric.

    The minimum of ``cost_fp * fp + cost_fn * fn``, or the best value of a metric of the four
    counts, over the distinct scores and infinity.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    metric : str or Metric, optional
        A name of the registry that reads decisions, as ``"f1"``.
    cost_fp, cost_fn : float, optional
        Costs of a false alarm and of a miss, instead of a metric.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    BestThreshold
        ``(threshold, value)``; of several best ones the highest threshold, infinity where it is
        best to flag nothing. (nan, nan), with a warning, when the metric is undefined throughout.

    Raises
    ------
    InputError
        Data that cannot be scored, a metric of all scores, or neither a metric nor both costs.

    Notes
    -----
    One sort of n scores. The value is optimistic on the rows that chose the threshold. Youden's
    index, recall + specificity - 1, is the metric "balanced_accuracy", which rises with it, and
    the costs ``cost_fp=P, cost_fn=N``, an iso-cost slope of 1.

    References
    ----------
    Youden (1950), doi:10.1002/1097-0142(1950)3:1<32::aid-cncr2820030106>3.0.co;2-3.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.best_threshold([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], cost_fp=1, cost_fn=10)
    BestThreshold(threshold=0.4, value=1.0)
    >>> fm.best_threshold([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], "f1")
    BestThreshold(threshold=0.4, value=0.8)
    """
    sweep = threshold_sweep(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return sweep.best(metric, cost_fp=cost_fp, cost_fn=cost_fn)


def bayes_threshold(cost_fp: float, cost_fn: float) -> float:
    """The probability from which on flagging is the cheaper decision.

    ``cost_fp / (cost_fp + cost_fn)``: there the expected costs of flagging and of not flagging are
    equal.

    Parameters
    ----------
    cost_fp, cost_fn : float
        Costs of a false alarm and of a miss, 0 or more, not both 0.

    Returns
    -------
    float
        In [0, 1]; 0.5 for equal costs.

    Raises
    ------
    InputError
        Costs below 0, or both 0.

    Notes
    -----
    Right for calibrated probabilities only, and only at the prevalence that they were calibrated
    for.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.bayes_threshold(1, 10)
    0.09090909090909091
    """
    false_alarm, miss = _two_costs(cost_fp, cost_fn)
    return false_alarm / (false_alarm + miss)


def iso_cost_slope(cost_fp: float, cost_fn: float, prevalence: float) -> float:
    """Slope of the lines of equal cost in the ROC plane.

    ``(cost_fp * (1 - prevalence)) / (cost_fn * prevalence)``: how much the true positive rate must
    rise to pay for a rise of the false positive rate.

    Parameters
    ----------
    cost_fp, cost_fn : float
        Costs of a false alarm and of a miss, 0 or more, not both 0.
    prevalence : float in (0, 1)
        Share of positives.

    Returns
    -------
    float
        0 or more; infinity where a miss costs nothing. 1 is Youden's index: the cheapest point
        maximises TPR - FPR.

    Raises
    ------
    InputError
        Costs below 0, or both 0.
    InvalidParameterError
        A prevalence outside (0, 1).

    Notes
    -----
    The cheapest point is where the highest such line touches the ROC curve.

    References
    ----------
    Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.iso_cost_slope(1, 10, 0.5)
    0.1
    """
    share = check_share("iso_cost_slope", "prevalence", prevalence, lowest=False, highest=False)
    false_alarm, miss = _two_costs(cost_fp, cost_fn)
    if miss == 0:
        return float("inf")
    return false_alarm * (1 - share) / (miss * share)


def _two_costs(cost_fp: float, cost_fn: float) -> tuple[float, float]:
    """Both costs, of which one is above 0."""
    costs = check_cost("cost_fp", cost_fp), check_cost("cost_fn", cost_fn)
    if not any(costs):
        raise InputError("cost_fp and cost_fn are both 0: no decision is cheaper than another")
    return costs
