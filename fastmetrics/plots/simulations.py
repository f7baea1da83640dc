"""Simulated data sets: the spread of metrics over them.

Conventions
-----------
A panel per metric. The line is the mean over data sets, the shade holds the middle 95 % of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.plots._canvas import axes_for, panels, place_legend
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.distributions import draw_histogram
from fastmetrics.plots.style import INK, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TAILS = (0.025, 0.975)


@styled
def plot_simulation(
    values: ArrayLike, metrics: Sequence[str] = ("value",), *, ax: Axes | None = None
) -> Axes:
    """Draw how metrics are distributed over simulated data sets.

    Parameters
    ----------
    values : array-like of shape (n_datasets,) or (n_datasets, k)
        A metric per column; nan is undefined, left out and counted.
    metrics : sequence of length k
        Names of the metrics.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes
        With several metrics the panels are its ``child_axes``.

    Raises
    ------
    InputError
        Names of another number than the columns.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> values = [0.8, 0.85, 0.85, 0.9]
    >>> ax = fm.plots.plot_simulation(values, ["roc_auc"], ax=Figure().subplots())
    >>> ax.patches[0].get_data().values.tolist()
    [1.0, 2.0, 1.0]
    """
    table = np.asarray(values, np.float64)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or table.shape[1] != len(metrics) or not len(metrics):
        raise InputError(f"values has shape {table.shape} for {len(metrics)} metrics")
    across = min(len(metrics), 3)
    down = -(-len(metrics) // across)
    new, ax = ax is None, axes_for(ax, 1.8 + 3.2 * across, 3.2 * down)
    drawn = panels(ax, len(metrics), gap=(0.7, 0.75))
    for panel, name, column in zip(drawn, metrics, table.T):
        _draw_metric(panel, column)
        panel.set_xlabel(shown(name, 34))
        place_legend(panel, new and len(metrics) == 1)
    return ax


def _draw_metric(panel: Axes, values: Floats) -> None:
    """Draw the histogram of a metric, its mean and its middle."""
    draw_histogram(panel, values, "data sets")
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return
    low, high = np.quantile(finite, _TAILS).tolist()
    mean = float(finite.mean())
    label = f"95 % of them {number(low)} to {number(high)}"
    panel.axvspan(low, high, color=INK, alpha=0.1, linewidth=0.0, label=label, zorder=1)
    panel.axvline(mean, color=INK, linewidth=1.6, label=f"mean {number(mean)}", zorder=4)
