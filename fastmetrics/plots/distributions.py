"""Replicates: the distribution of an estimate or of a difference, with its interval.

Conventions
-----------
The line is the value on the data, the shade the interval. Replicates in which the metric is
undefined are left out, and counted.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.plots._bins import bin_edges
from fastmetrics.plots._canvas import axes_for, level_text, place_legend
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.style import INK, PALETTE, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_BINS = 50
_FEWEST_BINS = 5
_MARGIN_STYLE = (0, (3, 2))


@styled
def plot_distribution(
    replicates: ArrayLike,
    *,
    estimate: float,
    low: float = math.nan,
    high: float = math.nan,
    confidence_level: float = 0.95,
    method: str = "",
    name: str = "value",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw replicates of an estimate, with the estimate and its interval.

    Parameters
    ----------
    replicates : array-like of shape (B,)
        Values of the replicates; nan is left out and counted.
    estimate : float
        The value on the data.
    low, high : float, optional
        Limits of the interval; infinite where it is open, nan where there is none.
    confidence_level : float in (0, 1), default=0.95
        Of the interval, for the legend.
    method : str, optional
        Of the interval, for the legend.
    name : str, default="value"
        What is estimated, as on the axis.
    title : str, optional
        Title of the plot.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        Replicates that are no vector.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> values = [0.7, 0.8, 0.8, 0.9, float("nan")]
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_distribution(values, estimate=0.8, low=0.7, high=0.9, ax=ax)
    >>> ax.patches[0].get_data().values.tolist()
    [1.0, 2.0, 1.0]
    >>> ax.get_ylabel()
    'replicates (1 undefined)'
    """
    new, ax = ax is None, axes_for(ax, 5.4, 3.4)
    _draw_replicates(ax, replicates)
    _draw_interval(ax, low, high, level_text(confidence_level), method)
    _draw_estimate(ax, estimate)
    _name(ax, name, title)
    place_legend(ax, new)
    return ax


@styled
def plot_difference(
    replicates: ArrayLike,
    *,
    estimate: float,
    low: float = math.nan,
    high: float = math.nan,
    confidence_level: float = 0.95,
    method: str = "",
    margins: tuple[float, ...] = (),
    name: str = "difference",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw replicates of a difference, with its interval and the line at zero.

    Parameters
    ----------
    replicates : array-like of shape (B,)
        Values of the replicates; nan is left out and counted.
    estimate : float
        The difference on the data.
    low, high : float, optional
        Limits of the interval; infinite where it is open, nan where there is none.
    confidence_level : float in (0, 1), default=0.95
        Of the interval, for the legend.
    method : str, optional
        Of the interval, for the legend.
    margins : tuple of floats, optional
        Differences that do not matter; drawn as dashed lines.
    name : str, default="difference"
        What is estimated, as on the axis.
    title : str, optional
        Title of the plot.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        Replicates that are no vector.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_difference([-0.1, 0.1, 0.2], estimate=0.1, ax=ax)
    >>> [line.get_label() for line in ax.lines]
    ['estimate 0.100', 'no difference']
    """
    new, ax = ax is None, axes_for(ax, 5.4, 3.4)
    _draw_replicates(ax, replicates)
    _draw_interval(ax, low, high, level_text(confidence_level), method)
    _draw_estimate(ax, estimate)
    draw_zero(ax, margins, "no difference")
    _name(ax, name, title)
    place_legend(ax, new)
    return ax


def _draw_replicates(ax: Axes, replicates: ArrayLike) -> None:
    values = np.asarray(replicates, np.float64)
    if values.ndim != 1:
        raise InputError(f"replicates has shape {values.shape}: give a vector (B,)")
    draw_histogram(ax, values, "replicates")


def _draw_estimate(ax: Axes, estimate: float) -> None:
    if math.isfinite(estimate):
        label = f"estimate {number(estimate)}"
        ax.axvline(estimate, color=INK, linewidth=1.6, label=label, zorder=4)


def _name(ax: Axes, name: str, title: str) -> None:
    ax.set_xlabel(shown(name, 60))
    if title:
        ax.set_title(shown(title, 60))


def draw_zero(ax: Axes, margins: tuple[float, ...], label: str = "") -> None:
    """Draw the line at zero, and the margins."""
    line = ax.axvline(0.0, color=PALETTE[1], linewidth=1.2, linestyle=":", zorder=3)
    if label:
        line.set_label(label)
    for k, margin in enumerate(margins):
        line = ax.axvline(margin, color=PALETTE[2], linewidth=1.2, linestyle=_MARGIN_STYLE)
        if label and k == 0:
            line.set_label(f"margin {', '.join(map(number, margins))}")


def draw_histogram(ax: Axes, values: Floats, what: str, k: int = 0) -> None:
    """Draw the histogram of the finite values; the others are counted on the axis."""
    finite = values[np.isfinite(values)]
    edges = bin_edges(finite, _bins_for(finite))
    counts, _ = np.histogram(finite, edges)
    ax.stairs(
        counts.astype(np.float64),
        edges,
        fill=True,
        facecolor=(PALETTE[k], 0.35),
        edgecolor=PALETTE[k],
        linewidth=0.8,
        zorder=2,
    )
    left_out = values.size - finite.size
    ax.set_ylabel(f"{what} ({left_out:,} undefined)" if left_out else what)
    if counts.size == 1:
        ax.margins(x=2.0)
    # room for a legend above the bars
    ax.set_ylim(0.0, 1.25 * max(1.0, float(counts.max(initial=0))))


def _bins_for(values: Floats) -> int:
    """Number of bins by the rule of Freedman and Diaconis, within reason."""
    if values.size < 2:
        return _FEWEST_BINS
    quarter, three_quarters = np.quantile(values, [0.25, 0.75])
    width = 2.0 * float(three_quarters - quarter) / float(np.cbrt(values.size))
    bins = math.ceil(float(np.ptp(values)) / width) if width > 0.0 else _MOST_BINS
    return min(max(bins, _FEWEST_BINS), _MOST_BINS)


def _draw_interval(ax: Axes, low: float, high: float, what: str, method: str) -> None:
    """Shade an interval; an open side reaches the end of the axes."""
    if math.isnan(low) or math.isnan(high):
        return
    finite = [limit for limit in (low, high) if math.isfinite(limit)]
    for limit in finite:
        ax.axvline(limit, color=INK, linewidth=0.9, linestyle="--", zorder=3)
    left, right = ax.get_xlim()
    label = f"{what} {number(low)} to {number(high)}" + (f" ({method})" if method else "")
    ax.axvspan(
        max(low, left), min(high, right), color=INK, alpha=0.1, linewidth=0.0, label=label, zorder=1
    )
    ax.set_xlim(left, right)
