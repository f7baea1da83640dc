"""ROC curves.

Conventions
-----------
Recall against the false positive rate, straight between the points: ties are a diagonal. The
dotted diagonal is chance.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats
from fastmetrics.plots._canvas import axes_for, place_legend, unit_square
from fastmetrics.plots._tables import models_of
from fastmetrics.plots._text import number, shown
from fastmetrics.plots._thinning import kept_points
from fastmetrics.plots.style import MUTED, cue, first_free_cue, styled
from fastmetrics.ranking.sweep import ThresholdSweep, threshold_sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_roc(
    y_true: ArrayLike,
    y_score: Any,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ROC curve of each model, with its area.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,), mapping or frame
        Scores, higher for the positive class, or a column per model; NaN is refused.
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
    Of a curve with many points about 2,000 are drawn, which look the same. For a band around the
    curve, ``curve_band(...).plot()``.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> ax = fm.plots.plot_roc([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], ax=Figure().subplots())
    >>> ax.lines[-1].get_label()
    'AUC 0.750'
    """
    sweeps = {
        name: threshold_sweep(y_true, column, sample_weight=sample_weight, pos_label=pos_label)
        for name, column in models_of(y_score, "y_score").items()
    }
    return plot_roc_of_sweeps(sweeps, ax)


@styled
def plot_roc_of_sweeps(sweeps: dict[str | None, ThresholdSweep], ax: Axes | None) -> Axes:
    """Draw the ROC curve of each sweep."""
    new, ax = ax is None, axes_for(ax)
    draw_diagonal(ax, "chance")
    first = first_free_cue(ax)
    for k, (name, sweep) in enumerate(sweeps.items()):
        rates = sweep.roc_curve()
        label = with_value(name, "AUC", math.nan if one_class(sweep) else sweep.roc_auc())
        draw_line(ax, rates[0], rates[1], label, first + k)
    name_axes(ax)
    place_legend(ax, new, "lower right")
    return ax


def name_axes(ax: Axes) -> None:
    """Limits and names of the axes of a ROC curve."""
    unit_square(ax)
    ax.set_xlabel("false positive rate")
    ax.set_ylabel("recall (true positive rate)")


def draw_line(
    ax: Axes, x: Floats, y: Floats, label: str, k: int, drawstyle: Any = "default"
) -> None:
    """Draw a curve as the series k, with as many points as show."""
    kept, look = kept_points(x, y), cue(k)
    ax.plot(
        x[kept],
        y[kept],
        color=look.colour,
        linestyle=look.line_style,
        label=label,
        drawstyle=drawstyle,
        zorder=3,
    )


def draw_diagonal(ax: Axes, label: str) -> None:
    """Draw the dotted diagonal from (0, 0) to (1, 1)."""
    ax.plot([0.0, 1.0], [0.0, 1.0], color=MUTED, linewidth=1.0, linestyle=":", label=label)


def with_value(name: str | None, what: str, value: float) -> str:
    """Return the entry of a legend: the model, if it has a name, and a value."""
    found = f"{what} {number(value)}"
    return found if name is None else f"{shown(name)} ({found})"


def one_class(sweep: ThresholdSweep) -> bool:
    """Whether one of the two classes does not occur."""
    return not (np.any(sweep.tp[-1]) and np.any(sweep.fp[-1]))
