"""Histograms of the scores of both classes.

Conventions
-----------
Each class adds up to 1, so that few positives show beside many negatives. Both share their bins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.plots._bins import bin_edges
from fastmetrics.plots._canvas import axes_for, place_legend
from fastmetrics.plots._text import number, short_count, shown
from fastmetrics.plots.style import HATCHES, INK, PALETTE, styled
from fastmetrics.ranking.sweep import ThresholdSweep, threshold_sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 40


def plot_score_histograms(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    bins: int = _BINS,
    threshold: float | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the scores of each class are distributed.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores of one model; NaN is refused.
    bins : int, default=40
        Number of bins between the lowest and the highest score, at most; rounded scores are kept
        together.
    threshold : float, optional
        Where rows are flagged; drawn as a line.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        Data that cannot be scored.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    The height of a bar is the share of its class, whatever the prevalence. One sort of n scores.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_score_histograms([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], bins=2, ax=ax)
    >>> [patch.get_data().values.tolist() for patch in ax.patches]
    [[0.5, 0.5], [0.5, 0.5]]
    """
    if bins < 1 or bins != int(bins):
        raise InputError(f"bins={bins!r}: give a whole number, 1 or more")
    sweep = threshold_sweep(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return plot_scores_of_sweep(sweep, ax, bins, threshold)


@styled
def plot_scores_of_sweep(
    sweep: ThresholdSweep,
    ax: Axes | None,
    bins: int = _BINS,
    threshold: float | None = None,
    title: str | None = None,
) -> Axes:
    """Draw the scores of both classes of a sweep."""
    new, ax = ax is None, axes_for(ax, 5.4, 3.4)
    scores = sweep.thresholds.astype(np.float64)
    edges = bin_edges(scores, bins)
    for k, (name, running) in enumerate((("negative", sweep.fp), ("positive", sweep.tp))):
        weights = np.diff(running, prepend=running.dtype.type(0))
        _draw_class(ax, scores, weights, edges, name, k)
    if threshold is not None:
        label = f"threshold {number(threshold)}"
        ax.axvline(threshold, color=INK, linewidth=1.2, linestyle="--", label=label)
    ax.set_xlabel("score")
    ax.set_ylabel("share of the class")
    ax.set_ylim(bottom=0.0)
    if title is not None:
        ax.set_title(shown(title, 60))
    place_legend(ax, new)
    return ax


def _draw_class(
    ax: Axes, scores: Floats, weights: NDArray[Any], edges: Floats, name: str, k: int
) -> None:
    """Draw the scores of a class as shares of it; its number stands in the legend."""
    total = float(weights.sum())
    counts, _ = np.histogram(scores, edges, weights=weights)
    shares = counts / total if total else np.zeros(counts.size)
    label = f"{name} ({short_count(total)})"
    ax.stairs(
        shares,
        edges,
        fill=True,
        facecolor=(PALETTE[k], 0.25),
        edgecolor=PALETTE[k],
        hatch=HATCHES[k],
        linewidth=1.2,
        label=label,
    )
