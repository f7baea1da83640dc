"""Precision-recall curves.

Conventions
-----------
Drawn in steps, as average precision sums them: from one recall to the next the precision is that
of the higher one. The dotted line is the prevalence, the precision of scores without information.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from fastmetrics.plots._canvas import axes_for, place_legend, unit_square
from fastmetrics.plots._tables import models_of
from fastmetrics.plots._text import number
from fastmetrics.plots.roc import draw_line, with_value
from fastmetrics.plots.style import MUTED, first_free_cue, styled
from fastmetrics.ranking.sweep import ThresholdSweep, threshold_sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_precision_recall(
    y_true: ArrayLike,
    y_score: Any,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the precision-recall curve of each model, with its average precision.

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
    The area under the steps is the average precision. For a band, ``curve_band(...,
    curve="precision_recall").plot()``.

    References
    ----------
    Saito & Rehmsmeier (2015), doi:10.1371/journal.pone.0118432.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_precision_recall([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], ax=ax)
    >>> [line.get_label() for line in ax.lines]
    ['prevalence 0.500', 'average precision 0.833']
    """
    sweeps = {
        name: threshold_sweep(y_true, column, sample_weight=sample_weight, pos_label=pos_label)
        for name, column in models_of(y_score, "y_score").items()
    }
    return plot_precision_recall_of_sweeps(sweeps, ax)


@styled
def plot_precision_recall_of_sweeps(
    sweeps: dict[str | None, ThresholdSweep], ax: Axes | None
) -> Axes:
    """Draw the precision-recall curve of each sweep."""
    new, ax = ax is None, axes_for(ax)
    first = first_free_cue(ax)
    for k, (name, sweep) in enumerate(sweeps.items()):
        positives, negatives = float(sweep.tp[-1]), float(sweep.fp[-1])
        if k == 0:
            draw_prevalence(ax, positives / (positives + negatives))
        precision, recall, _ = sweep.precision_recall_curve()
        # the curve's last point, precision 1 where nothing is flagged, is a convention
        precision[-1] = precision[-2]
        area = sweep.average_precision() if positives else math.nan
        what = "average precision" if name is None else "AP"
        # recall falls here: the value of a point holds until the next, lower recall
        draw_line(ax, recall, precision, with_value(name, what, area), first + k, "steps-post")
    name_axes(ax)
    place_legend(ax, new)
    return ax


def draw_prevalence(ax: Axes, prevalence: float) -> None:
    """Draw the precision of scores without information."""
    label = f"prevalence {number(prevalence)}"
    ax.axhline(prevalence, color=MUTED, linewidth=1.0, linestyle=":", label=label)


def name_axes(ax: Axes) -> None:
    """Limits and names of the axes of a precision-recall curve."""
    unit_square(ax)
    ax.set_xlabel("recall")
    ax.set_ylabel("precision")
