"""Cross validation: a metric in each fold, its mean over the folds, and pooled.

Conventions
-----------
A point is a fold. The dashed line is the mean over folds, the solid one the value of all tested
rows as one problem. A cross at the foot is a fold in which the metric is undefined.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.plots._canvas import axes_for, legend_above, panels
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.style import INK, PALETTE, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NAMES = 12


class FoldValues(NamedTuple):
    """A metric in each fold (F,), and its two summaries; nan is undefined."""

    per_fold: Floats
    mean: float
    pooled: float


def plot_folds(
    per_fold: ArrayLike,
    *,
    pooled: float = math.nan,
    mean: float | None = None,
    folds: Sequence[Any] | None = None,
    name: str = "value",
    ax: Axes | None = None,
) -> Axes:
    """Draw a metric in each fold, its mean and its pooled value.

    Parameters
    ----------
    per_fold : array-like of shape (F,)
        Value in each fold; nan is undefined.
    pooled : float, optional
        Value on all tested rows as one problem.
    mean : float, optional
        Mean over folds; that of the defined values when left out.
    folds : sequence of length F, optional
        Names of the folds; 0 to F - 1 when left out.
    name : str, default="value"
        Of the metric.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        Values that are no vector, or names of another number.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> ax = fm.plots.plot_folds([0.7, 0.9, float("nan")], pooled=0.75, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['mean over folds 0.800', 'pooled 0.750', 'undefined in 1 of 3']
    """
    values = np.asarray(per_fold, np.float64)
    if values.ndim != 1 or values.size == 0:
        raise InputError(f"per_fold has shape {values.shape}: give a vector (F,)")
    names = list(range(values.size)) if folds is None else list(folds)
    if len(names) != values.size:
        raise InputError(f"folds has {len(names)} names: per_fold has {values.size} values")
    defined = values[~np.isnan(values)]
    if mean is None:
        mean = float(defined.mean()) if defined.size else math.nan
    return plot_fold_values({name: FoldValues(values, mean, pooled)}, names, ax)


@styled
def plot_fold_values(metrics: Mapping[str, Any], folds: Sequence[Any], ax: Axes | None) -> Axes:
    """Draw metrics, each a ``FoldValues`` or what has its attributes, in a panel each."""
    count = len(metrics)
    across = min(count, 3)
    down = -(-count // across)
    new, ax = ax is None, axes_for(ax, 1.2 + 3.6 * across, 3.2 * down)
    drawn = panels(ax, count, gap=(0.7, 1.1))
    for panel, (name, found) in zip(drawn, metrics.items()):
        _draw_metric(panel, found, folds)
        panel.set_ylabel(shown(name, 30))
        legend_above(panel, panel, new and count == 1)
    return ax


def _draw_metric(panel: Axes, found: Any, folds: Sequence[Any]) -> None:
    """Draw the folds of one metric and its two summaries."""
    places = np.arange(len(folds))
    holes = np.isnan(found.per_fold)
    panel.plot(
        places[~holes],
        found.per_fold[~holes],
        color=PALETTE[0],
        linestyle="none",
        marker="o",
        markersize=6,
        zorder=3,
    )
    for words, value, style in (
        ("mean over folds", found.mean, "--"),
        ("pooled", found.pooled, "-"),
    ):
        if math.isfinite(value):
            label = f"{words} {number(value)}"
            colour = PALETTE[1] if style == "--" else INK
            panel.axhline(value, color=colour, linewidth=1.3, linestyle=style, label=label)
    if holes.any():
        panel.plot(
            places[holes],
            np.full(int(holes.sum()), 0.04),
            transform=panel.get_xaxis_transform(),
            color=PALETTE[1],
            linestyle="none",
            marker="x",
            markersize=6,
            label=f"undefined in {int(holes.sum()):,} of {len(folds):,}",
            clip_on=False,
        )
    panel.margins(y=0.12)
    panel.set_xlim(-0.6, len(folds) - 0.4)
    panel.set_xlabel("fold")
    panel.grid(False, axis="x")
    _name_folds(panel, folds)


def _name_folds(panel: Axes, folds: Sequence[Any]) -> None:
    """Names of the folds, slanted where they are long; of many folds some."""
    every = -(-len(folds) // _MOST_NAMES)
    places = list(range(0, len(folds), every))
    words = [shown(folds[place], 16) for place in places]
    longest = max(len(line) for word in words for line in word.split("\n"))
    turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    panel.set_xticks(places, words, usetex=False, **(turned if longest * len(words) > 44 else {}))
