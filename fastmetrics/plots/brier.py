"""The Brier score taken apart, as a waterfall from the base rate's score to the model's.

Conventions
-----------
Bars start where the one above ends: what the model gains by telling rows apart goes to the left,
what it loses by miscalibration to the right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmetrics.plots._canvas import axes_for
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.style import INK, MUTED, PALETTE, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fastmetrics.probability.decomposition import BrierDecomposition

_GAIN, _LOSS, _TOTAL = PALETTE[2], PALETTE[1], PALETTE[0]


@styled
def plot_brier_decomposition(
    terms: BrierDecomposition, *, title: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw uncertainty, resolution and reliability, and the Brier score that they add up to.

    Parameters
    ----------
    terms : BrierDecomposition
        From ``brier_decomposition``.
    title : str, optional
        Title of the plot, as the name of the model.
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
    >>> terms = fm.brier_decomposition([0, 1, 1, 0, 1, 1], [0.3, 0.3, 0.3, 0.8, 0.8, 0.8])
    >>> ax = fm.plots.plot_brier_decomposition(terms, ax=Figure().subplots())
    >>> [round(float(bar.get_width()), 6) for bar in ax.patches]
    [0.222222, 0.0, 0.076111, 0.298333]
    """
    steps = [
        ("uncertainty\n(base rate alone)", terms.uncertainty, _TOTAL),
        ("− resolution", -terms.resolution, _GAIN),
        ("+ reliability\n(miscalibration)", terms.reliability, _LOSS),
    ]
    within = terms.within_bin_variance - terms.within_bin_covariance
    if within:
        steps.append(("+ within bins", within, _LOSS if within > 0.0 else _GAIN))
    ax = axes_for(ax, 5.4, 0.9 + 0.5 * (len(steps) + 1))
    end = 0.0
    for place, (_, change, colour) in enumerate(steps):
        ax.barh(place, change, left=end, height=0.6, color=colour)
        _write(ax, place, end, end + change, number(change))
        end += change
        # carries the eye to the next bar
        ax.plot([end, end], [place - 0.3, place + 1.3], color=MUTED, linewidth=0.7, zorder=1)
    ax.barh(len(steps), end, height=0.6, color=_TOTAL)
    _write(ax, len(steps), 0.0, end, number(terms.brier_score))
    names = [*(name for name, _, _ in steps), "= Brier score"]
    ax.set_yticks(range(len(names)), names, usetex=False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(False, axis="y")
    ax.set_xlim(min(0.0, end, ax.get_xlim()[0]), None)
    ax.margins(x=0.14)
    ax.set_xlabel("squared error")
    if title is not None:
        ax.set_title(shown(title, 60))
    return ax


def _write(ax: Axes, place: float, start: float, end: float, text: str) -> None:
    """Write the length of a bar to its right."""
    ax.annotate(
        text,
        (max(start, end), place),
        (4, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=INK,
    )
