"""Curves with bands, as ``curve_band`` returns them.

Conventions
-----------
The line is the curve on the data, the shade its band. There are gaps where a curve is undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.plots import benefits, precision_recall, roc
from fastmetrics.plots._canvas import axes_for, level_text, place_legend, unit_square
from fastmetrics.plots._text import shown
from fastmetrics.plots.roc import draw_diagonal, draw_line
from fastmetrics.plots.style import cue, first_free_cue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fastmetrics.inference.bootstraps.band_results import CurveBand

_LOCATIONS = {"roc": "lower right"}
_CURVES = {
    "roc": "ROC curve",
    "precision_recall": "precision-recall curve",
    "calibration": "calibration curve",
    "net_benefit": "net benefit",
}


def plot_curve_band(
    grid: Any,
    estimate: Any,
    low: Any,
    high: Any,
    *,
    label: str = "",
    steps: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw a curve with a band around it.

    Parameters
    ----------
    grid : array-like of shape (g,)
        Where the curve is known, ascending.
    estimate, low, high : array-like of shape (g,)
        The curve and the limits of its band; nan leaves a gap.
    label : str, optional
        Name of the curve in the legend.
    steps : bool, default=False
        Hold each value back to the grid point before it, as precision over recall.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_curve_band([0, 1], [0.2, 0.4], [0.1, 0.3], [0.3, 0.5], ax=ax)
    >>> ax.lines[0].get_ydata().tolist()
    [0.2, 0.4]
    """
    return _plot_one((grid, estimate, low, high), label, steps, ax)


@styled
def _plot_one(columns: tuple[Any, ...], label: str, steps: bool, ax: Axes | None) -> Axes:
    new, ax = ax is None, axes_for(ax)
    x, y, low, high = (np.asarray(values, np.float64) for values in columns)
    draw_band(ax, x, y, low, high, shown(label) if label else "", first_free_cue(ax), steps)
    place_legend(ax, new)
    return ax


@styled
def plot_bands(band: CurveBand, ax: Axes | None) -> Axes:
    """Draw the bands of all models with what they are compared with."""
    new = ax is None
    wide = band.curve == "net_benefit"
    ax = axes_for(ax, 5.4 if wide else 4.8, 3.8 if wide else 4.2)
    first_grid = next(iter(band.bands.values())).grid
    if band.curve == "precision_recall":
        precision_recall.draw_prevalence(ax, band.prevalence)
    elif band.curve == "net_benefit":
        benefits.draw_references(ax, first_grid, band.references)
    else:
        draw_diagonal(ax, "chance" if band.curve == "roc" else "calibrated")
    first, steps = first_free_cue(ax), band.curve == "precision_recall"
    draw = _draw_bins if band.curve == "calibration" else draw_band
    for k, (name, found) in enumerate(band.bands.items()):
        label = _CURVES[band.curve] if name is None else shown(name)
        limits = found.low, found.high
        draw(ax, found.grid, found.estimate, *limits, label, first + k, steps)
    _explain(ax, f"{level_text(band.confidence_level, 'band')}, {band.kind}")
    _name_axes(ax, band)
    place_legend(ax, new, _LOCATIONS.get(band.curve, "best"))
    return ax


def draw_band(
    ax: Axes, x: Floats, y: Floats, low: Floats, high: Floats, label: str, k: int, steps: bool
) -> None:
    """Draw a curve and its band as the series k."""
    colour = cue(k).colour
    ax.fill_between(
        x,
        low,
        high,
        step="pre" if steps else None,
        facecolor=(colour, 0.17),
        edgecolor=(colour, 0.45),
        linewidth=0.5,
        zorder=2,
    )
    draw_line(ax, x, y, label, k, "steps-pre" if steps else "default")


def _draw_bins(
    ax: Axes, x: Floats, y: Floats, low: Floats, high: Floats, label: str, k: int, _: bool
) -> None:
    """Draw bins and the limits of each, for a shade would leap over the empty ones."""
    held, look = ~np.isnan(y), cue(k)
    ax.plot(
        x[held],
        y[held],
        color=look.colour,
        linestyle=look.line_style,
        linewidth=1.0,
        marker=look.marker,
        markersize=5,
        label=label,
        zorder=3,
    )
    ax.vlines(x[held], low[held], high[held], color=look.colour, linewidth=5.0, alpha=0.25)


def _explain(ax: Axes, words: str) -> None:
    """Add an entry to the legend that says what the shades are."""
    if all(collection.get_label() != words for collection in ax.collections):
        # without extent, in the look of a shade
        ax.fill_between([], [], [], facecolor="#00000025", linewidth=0.0, label=words)


def _name_axes(ax: Axes, band: CurveBand) -> None:
    """Names and limits of the axes."""
    if band.curve == "roc":
        roc.name_axes(ax)
    elif band.curve == "precision_recall":
        precision_recall.name_axes(ax)
    elif band.curve == "calibration":
        unit_square(ax)
        ax.set_xlabel("mean probability")
        ax.set_ylabel("share of positives")
    else:
        found = list(band.bands.values())
        values = [*(part.estimate for part in found), *band.references.values()]
        benefits.name_axes(ax, [*values, *(part.high for part in found)])
