"""Sizes of samples: what each size that was tried achieves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmetrics.plots._canvas import axes_for, place_legend
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.style import INK, cue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@styled
def plot_sample_size(
    rows: Sequence[dict[str, Any]], *, wanted: float, n: int, name: str, ax: Axes | None = None
) -> Axes:
    """Draw what sizes achieve, with their Monte-Carlo error, and the answer.

    Parameters
    ----------
    rows : as ``SampleSize.rows()`` returns them
    wanted : the half-width or power that was wanted
    n : the size that is enough
    name : of the axis
    ax : where to draw; a new figure when left out

    Returns
    -------
    matplotlib axes
    """
    from matplotlib.ticker import MaxNLocator

    new, ax = ax is None, axes_for(ax)
    look = cue(0)
    sizes, values, errors = (
        np.array([row[column] for row in rows], np.float64)
        for column in ("n", "value", "monte_carlo_error")
    )
    ax.errorbar(
        sizes, values, yerr=errors, color=look.colour, marker=look.marker, markersize=4, capsize=2
    )
    ax.axhline(wanted, color=INK, linewidth=1.2, linestyle="--", label=f"wanted: {number(wanted)}")
    ax.axvline(n, color=cue(1).colour, linewidth=1.2, linestyle=":", label=f"enough: {n:,} rows")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_xlabel("rows")
    ax.set_ylabel(shown(name, 34))
    place_legend(ax, new)
    return ax
