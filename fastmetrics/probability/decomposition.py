"""The Brier score taken apart: calibration, discrimination, and the base rate.

Conventions
-----------
Rows are grouped by their distinct forecast, or by bins that are closed on the right as in
``calibration_curve``. Every term is a mean over the rows (their weights), and they add up to the
Brier score to rounding, in bins too. Labels are bools, {0, 1} or {-1, 1}, others with
``pos_label``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.input.forecasts import Floats, read_labelled
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.options import check_choice
from fastmetrics.probability._bins import Bins, read_bins
from fastmetrics.ranking._curves import cells_of


class BrierDecomposition(NamedTuple):
    """The terms of a Brier score."""

    reliability: float
    resolution: float
    uncertainty: float
    within_bin_variance: float
    within_bin_covariance: float

    @property
    def brier_score(self) -> float:
        """The Brier score that the terms add up to."""
        return self.reliability - self.generalized_resolution + self.uncertainty

    @property
    def generalized_resolution(self) -> float:
        """Resolution with the two terms within bins, which depends less on the bins."""
        return self.resolution - self.within_bin_variance + self.within_bin_covariance

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw how the terms add up to the Brier score; return the axes."""
        from fastmetrics.plots.brier import plot_brier_decomposition

        return plot_brier_decomposition(self, title=title, ax=ax)


def brier_decomposition(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int | None = None,
    strategy: str = "uniform",
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> BrierDecomposition:
    """Murphy's decomposition of the Brier score.

    ``brier = reliability - resolution + uncertainty``, with groups of rows of one forecast f and
    share of positives s around the overall share: the means of ``(f - s) ** 2`` and
    ``(s - overall) ** 2``, and ``overall * (1 - overall)``. Groups that are bins hold several
    forecasts, which adds ``within_bin_variance - within_bin_covariance``.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,)
        Probabilities of the positive class; NaN is refused.
    n_bins : int, optional
        Group by so many bins; by distinct forecast when left out.
    strategy : {"uniform", "quantile"}, default="uniform"
        Bins of equal width, or of equal numbers of rows (each counted once, whatever its weight).
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    BrierDecomposition
        ``reliability`` (the calibration error, 0 is best), ``resolution`` (larger is better),
        ``uncertainty`` (the Brier score of always forecasting the base rate),
        ``within_bin_variance`` and ``within_bin_covariance`` (0 without bins; the latter counts
        twice the covariance of forecast and outcome), and as properties ``brier_score`` and
        ``generalized_resolution``. All in [0, 1] but the covariance and what contains it.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or labels whose positive class is not named.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    With few rows per distinct forecast, reliability and resolution are both too large by chance,
    by the same amount; bins help. Cost: one sort by distinct forecast, else two passes.

    References
    ----------
    Murphy (1973), doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2. Stephenson, Coelho &
    Jolliffe (2008), doi:10.1175/2007WAF2006116.1.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> terms = fm.brier_decomposition([0, 1, 1, 0, 1, 1], [0.3, 0.3, 0.3, 0.8, 0.8, 0.8])
    >>> [round(term, 6) for term in terms]
    [0.076111, 0.0, 0.222222, 0.0, 0.0]
    >>> round(terms.brier_score, 6)
    0.298333
    """
    if n_bins is None:
        check_choice("brier_decomposition", "strategy", strategy, ("uniform", "quantile"))
        return _by_forecast(y_true, y_prob, sample_weight, pos_label)
    bins = read_bins(
        "brier_decomposition",
        y_true,
        y_prob,
        n_bins,
        strategy,
        labels=binary_labels,
        sample_weight=sample_weight,
        pos_label=pos_label,
    )
    held = np.where(bins.sums[:, 0] > 0, bins.sums[:, 0], 1.0)
    means, shares = bins.sums[:, 1] / held, bins.sums[:, 2] / held
    variance, covariance = _within_bins(bins, means, shares)
    return _between_groups(bins.sums[:, 0], means, shares)._replace(
        within_bin_variance=variance, within_bin_covariance=covariance
    )


def _by_forecast(
    y_true: ArrayLike, y_prob: ArrayLike, sample_weight: ArrayLike | None, pos_label: object
) -> BrierDecomposition:
    """The terms of groups of equal forecasts."""
    forecast = read_labelled(y_true, y_prob, binary_labels, pos_label, sample_weight)
    weights = None if sample_weight is None else forecast.weights
    cells = cells_of(forecast.outcomes, forecast.probabilities, weights)
    held = (cells.positives + cells.negatives).astype(np.float64)
    forecasts = cells.thresholds.astype(np.float64)
    return _between_groups(held, forecasts, cells.positives / held)


def _between_groups(held: Floats, forecasts: Floats, shares: Floats) -> BrierDecomposition:
    """The three terms of groups (g,) of given weight, mean forecast and share of positives."""
    total = held.sum()
    overall = float(held @ shares / total)
    reliability = float(held @ (forecasts - shares) ** 2 / total)
    resolution = float(held @ (shares - overall) ** 2 / total)
    return BrierDecomposition(reliability, resolution, overall * (1.0 - overall), 0.0, 0.0)


def _within_bins(bins: Bins, means: Floats, shares: Floats) -> tuple[float, float]:
    """Variance of the forecasts, and twice their covariance with the outcomes, within bins."""
    variance = covariance = total = 0.0
    for outcomes, probabilities, weights in bins.forecast.blocks():
        places = np.searchsorted(bins.edges[1:-1], probabilities)
        away = probabilities - means[places]
        weighted: Any = away * weights
        variance += float(weighted @ away)
        covariance += float(weighted @ (outcomes - shares[places]))
    total = float(bins.sums[:, 0].sum())
    return variance / total, 2.0 * covariance / total
