"""The reliability diagram: per bin, the mean probability against the share of positives.

Conventions
-----------
Bins are closed on the right as in scikit-learn: a probability on an edge belongs to the bin on its
left, and 0 to the first bin. ``calibration_curve`` has scikit-learn's signature, numbers and
errors; ``reliability_curve`` takes bools, {0, 1} and {-1, 1}, and any labels with ``pos_label``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.input.labels import binary_labels, curve_labels
from fastmetrics.input.options import check_pos_label
from fastmetrics.kernels.bins import bin_means
from fastmetrics.probability._bins import read_bins


class ReliabilityCurve(NamedTuple):
    """What each bin holds, empty bins included: their mean and share are nan."""

    mean_prediction: Floats
    observed_share: Floats
    counts: NDArray[Any]
    edges: Floats

    def plot(
        self, ax: Any = None, *, label: str | None = None, confidence_level: float = 0.95
    ) -> Any:
        """Draw the bins with counts and intervals; return the axes."""
        from fastmetrics.plots.reliability import plot_reliability_curves

        return plot_reliability_curves({label: self}, ax, confidence_level)


def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: object = None,
    n_bins: int = 5,
    strategy: str = "uniform",
) -> tuple[Floats, Floats]:
    """Share of positives and mean probability of each bin.

    The points of a reliability diagram; a calibrated model lies on the diagonal.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels at most: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class; NaN is refused.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    n_bins : int, default=5
        Number of bins.
    strategy : {"uniform", "quantile"}, default="uniform"
        Bins of equal width, or of equal numbers of rows.

    Returns
    -------
    prob_true : ndarray of shape (bins,)
        Share of positives in each bin that is not empty.
    prob_pred : ndarray of shape (bins,)
        Mean probability in each bin that is not empty.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], more than two labels, or a ``pos_label`` that does not occur
        though two labels do.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    A probability on an edge belongs to the bin on its left. Quantile bins collapse where many
    probabilities are equal. Cost: one pass, three for quantiles.

    References
    ----------
    Niculescu-Mizil & Caruana (2005), doi:10.1145/1102351.1102430.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.calibration_curve([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.4, 0.6, 0.9, 1.0], n_bins=2)
    (array([0.33333333, 0.66666667]), array([0.23333333, 0.83333333]))
    """
    sums = read_bins(
        "calibration_curve",
        y_true,
        y_prob,
        n_bins,
        strategy,
        labels=_two_labels,
        pos_label=pos_label,
    ).sums
    means = np.empty((2, len(sums)))
    held = bin_means(sums, means)
    if held < len(sums):
        means = means[:, :held]
    return means[0], means[1]


def _two_labels(y_true: ArrayLike, pos_label: object) -> NDArray[Any]:
    """Labels of a curve by scikit-learn's rule, of which there are two at most."""
    check_pos_label("calibration_curve", pos_label)
    found = curve_labels(y_true, pos_label)
    if len(found.classes) > 2:
        raise InputError(
            f"Only binary classification is supported. Provided labels {found.classes}."
        )
    return found.values


def reliability_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    strategy: str = "uniform",
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> ReliabilityCurve:
    """Mean probability, share of positives, number of rows and edges of all bins.

    What a reliability diagram with its histogram is drawn from.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class; NaN is refused.
    n_bins : int, default=10
        Number of bins.
    strategy : {"uniform", "quantile"}, default="uniform"
        Bins of equal width, or of equal numbers of rows (each counted once, whatever its weight).
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    ReliabilityCurve
        ``mean_prediction``, ``observed_share`` and ``counts`` (n_bins,), the former two nan in
        empty bins; ``edges`` (n_bins + 1,). With weights, counts are sums of weights.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or labels whose positive class is not named.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    A probability on an edge belongs to the bin on its left. Cost: one pass, three for quantiles.

    References
    ----------
    Brocker & Smith (2007), doi:10.1175/WAF993.1.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> curve = fm.reliability_curve([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.4, 0.6, 0.9, 1.0], n_bins=4)
    >>> curve.counts, curve.observed_share
    (array([2, 1, 1, 2]), array([0., 1., 0., 1.]))
    """
    bins = read_bins(
        "reliability_curve",
        y_true,
        y_prob,
        n_bins,
        strategy,
        labels=binary_labels,
        sample_weight=sample_weight,
        pos_label=pos_label,
    )
    held = bins.sums[:, 0]
    with np.errstate(invalid="ignore"):
        mean, share = bins.sums[:, 1] / held, bins.sums[:, 2] / held
    counts = held.astype(np.int64) if sample_weight is None else held.copy()
    return ReliabilityCurve(mean, share, counts, bins.edges.copy())
