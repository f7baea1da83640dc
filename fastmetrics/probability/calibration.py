"""Calibration in one number: the gaps of the reliability diagram, averaged, or the largest.

Conventions
-----------
The gap of a bin lies between its mean probability and its share of positives. Bins are closed on
the right as in ``calibration_curve``: a probability on an edge belongs to the bin on its left, and
0 to the first bin. Labels are bools, {0, 1} or {-1, 1}, others with ``pos_label``.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Formula, Metric, Statistic, Weighing
from fastmetrics.errors import InputError
from fastmetrics.input.forecasts import total_weight
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.options import check_choice, check_flag
from fastmetrics.kernels.lanes import bin_lanes
from fastmetrics.probability._bins import check_bins, quantile_edges, read_bins, uniform_edges


def expected_calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    strategy: str = "uniform",
    norm: str = "l1",
    debiased: bool = False,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Expected calibration error (ECE).

    The mean over the rows of the gap of their bin, ``|mean probability - share of positives|``; or
    the root of the mean of its square.

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
    norm : {"l1", "l2"}, default="l1"
        Mean gap, or root mean squared gap.
    debiased : bool, default=False
        Take off what chance adds to the gaps. Not with ``sample_weight``.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1]; 0 for bins without a gap, or, debiased, without one beyond chance.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], labels whose positive class is not named, or ``debiased`` with
        weights.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    The value depends on the bins, and chance makes every gap positive: the ECE of a calibrated
    model is about ``0.3 sqrt(n_bins / n)`` where probabilities are spread over [0, 1]. With
    ``norm="l2"`` ``debiased`` subtracts ``s (1 - s) / (rows - 1)``, s being a bin's share of
    positives, from its squared gap, which is then right on average (Brocker; Ferro & Fricker; Kumar
    et al.). For ``norm="l1"`` it redraws s from a normal distribution of variance
    ``s (1 - s) / rows`` and subtracts the mean excess of the gaps, as the program of Kumar et al.
    does by simulation; the mean here is exact. That removes only two fifths of the excess where the
    model is calibrated. Bins of one row stay as they are. Cost: one pass, three for quantiles.

    References
    ----------
    Naeini, Cooper & Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602. Brocker (2012),
    doi:10.1007/s00382-011-1191-1. Ferro & Fricker (2012), doi:10.1002/qj.1924. Kumar, Liang & Ma
    (2019), arXiv:1909.10155.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.expected_calibration_error([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2), 6)
    0.25
    """
    if norm != "l1" or debiased is not False:
        check_choice("expected_calibration_error", "norm", norm, ("l1", "l2"))
        check_flag("expected_calibration_error", "debiased", debiased)
        if debiased and sample_weight is not None:
            raise InputError("debiased=True counts rows: leave sample_weight out")
    bins = read_bins(
        "expected_calibration_error",
        y_true,
        y_prob,
        n_bins,
        strategy,
        labels=binary_labels,
        sample_weight=sample_weight,
        pos_label=pos_label,
    )
    sums = bins.sums
    if norm == "l1" and not debiased:
        gaps = (sums[:, 1] - sums[:, 2]).tolist()
        return math.fsum(map(abs, gaps)) / total_weight(bins.forecast)
    sums = sums[sums[:, 0] > 0]
    return _root_error(sums, debiased) if norm == "l2" else _debiased_mean(sums)


def _root_error(sums: Floats, debiased: bool) -> float:
    """Root of the mean squared gap of bins (b, 3); an estimate below 0 counts as 0."""
    rows, gap, share = sums[:, 0], sums[:, 1] - sums[:, 2], sums[:, 2] / sums[:, 0]
    squares = gap * gap / rows
    if debiased:
        squares -= rows * share * (1.0 - share) / np.maximum(rows - 1.0, 1.0)
    return math.sqrt(max(squares.sum() / rows.sum(), 0.0))


def _debiased_mean(sums: Floats) -> float:
    """Mean gap of bins (b, 3), less what redrawing the outcomes would add to it on average.

    The excess is the mean of the absolute value of a normal variable over that of its mean.
    """
    rows, gap, share = sums[:, 0], np.abs(sums[:, 1] - sums[:, 2]), sums[:, 2] / sums[:, 0]
    spread = np.sqrt(rows * share * (1.0 - share))
    total = float(gap.sum())
    for mean, deviation in zip(gap.tolist(), spread.tolist()):
        if deviation > 0.0:
            ratio = mean / deviation
            near = deviation * math.sqrt(2.0 / math.pi) * math.exp(-ratio * ratio / 2.0)
            total -= near - mean * math.erfc(ratio / math.sqrt(2.0))
    return max(total / float(rows.sum()), 0.0)


def maximum_calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    strategy: str = "uniform",
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Maximum calibration error (MCE).

    The largest gap, ``|mean probability - share of positives|``, of all bins that are not empty.

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
    float
        In [0, 1]; 0 for bins without a gap.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or labels whose positive class is not named.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    A bin of a single row counts as much as any other, so the value says little for sparse bins.
    Cost: one pass, three for quantiles.

    References
    ----------
    Naeini, Cooper & Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.maximum_calibration_error([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2), 6)
    0.3
    """
    sums = read_bins(
        "maximum_calibration_error",
        y_true,
        y_prob,
        n_bins,
        strategy,
        labels=binary_labels,
        sample_weight=sample_weight,
        pos_label=pos_label,
    ).sums
    sums = sums[sums[:, 0] > 0]
    return float((np.abs(sums[:, 1] - sums[:, 2]) / sums[:, 0]).max())


def _bins_of_rows(y_prob: Floats, n_bins: int, strategy: str) -> NDArray[np.intp]:
    """Bin (n,) of each row; quantile edges are those of the rows given, whatever they weigh."""
    edges = uniform_edges(n_bins)[0] if strategy == "uniform" else quantile_edges(y_prob, n_bins)
    return np.searchsorted(edges[1:-1], y_prob)


def bin_sums_of_rows(
    y_true: Floats, y_prob: Floats, weights: Floats, n_bins: int, strategy: str
) -> Floats:
    """Weights, weighted probabilities and weighted outcomes of the bins, (3 n_bins,)."""
    bins = _bins_of_rows(y_prob, n_bins, strategy)
    terms = (weights, weights * y_prob, weights * y_true)
    return np.concatenate([np.bincount(bins, term, minlength=n_bins) for term in terms])


def prepare_bins(y_true: Floats, y_prob: Floats, n_bins: int, strategy: str) -> Weighing:
    """Find the bin of each row once."""
    bins = _bins_of_rows(y_prob, n_bins, strategy)

    def sums_of_lanes(weights: Floats) -> Floats:
        sums = np.zeros((n_bins, 3, weights.shape[1]))
        bin_lanes(bins, y_prob, y_true, weights, sums)
        return sums.transpose(2, 1, 0).reshape(weights.shape[1], 3 * n_bins)

    return sums_of_lanes


def mean_gap(sums: Floats) -> Floats:
    """Mean over the rows of the gap of their bin."""
    bins = sums.reshape(*sums.shape[:-1], 3, sums.shape[-1] // 3)
    gaps = np.abs(bins[..., 1, :] - bins[..., 2, :])
    value: Floats = gaps.sum(axis=-1) / bins[..., 0, :].sum(axis=-1)
    return value


def largest_gap(sums: Floats) -> Floats:
    """Largest gap of the bins that are not empty; nan where all are."""
    bins = sums.reshape(*sums.shape[:-1], 3, sums.shape[-1] // 3)
    held = bins[..., 0, :] > 0
    gaps = np.abs(bins[..., 1, :] - bins[..., 2, :]) / np.where(held, bins[..., 0, :], 1.0)
    largest: Floats = np.where(held, gaps, 0.0).max(axis=-1)
    return np.where(held.any(axis=-1), largest, np.nan)


def ece(*, n_bins: int = 10, strategy: str = "uniform") -> Metric:
    """Describe the expected calibration error over bins of equal width or of equal counts."""
    return _binned_metric("ece", mean_gap, n_bins, strategy)


def mce(*, n_bins: int = 10, strategy: str = "uniform") -> Metric:
    """Describe the maximum calibration error over bins of equal width or of equal counts."""
    return _binned_metric("mce", largest_gap, n_bins, strategy)


def _binned_metric(name: str, formula: Formula, n_bins: Any, strategy: str) -> Metric:
    """Describe a metric of the gaps; options are shown where they are not the usual ones."""
    n_bins = check_bins(name, n_bins, strategy)
    usual: tuple[tuple[str, Any], ...] = (("n_bins", 10), ("strategy", "uniform"))
    given = (("n_bins", n_bins), ("strategy", strategy))
    return Metric(
        name,
        Statistic(
            "rows, probabilities and outcomes per bin",
            3 * n_bins,
            "rows",
            measure=partial(bin_sums_of_rows, n_bins=n_bins, strategy=strategy),
            prepare=partial(prepare_bins, n_bins=n_bins, strategy=strategy),
        ),
        formula,
        "probability",
        (0.0, 1.0),
        False,
        default_interval="basic",
        source="doi:10.1609/aaai.v29i1.9602",
        options=tuple(pair for pair in given if pair not in usual),
    )


METRICS: tuple[Metric, ...] = (ece(), mce())
