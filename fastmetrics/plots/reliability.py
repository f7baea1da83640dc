"""Reliability diagrams: what share of the rows is positive where a model says so.

Conventions
-----------
One point per bin that holds rows: the mean probability and the share of positives, with Wilson's
interval of that share. The dotted diagonal is calibration. Bars at the foot count the rows of each
bin; of several models they are outlines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats
from fastmetrics.inference.proportions.binomial import wilson_interval
from fastmetrics.plots._canvas import axes_for, level_text, place_legend
from fastmetrics.plots._tables import models_of
from fastmetrics.plots._text import short_count, shown
from fastmetrics.plots.roc import draw_diagonal
from fastmetrics.plots.style import INK, MUTED, cue, first_free_cue, styled
from fastmetrics.probability.reliability import ReliabilityCurve, reliability_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# share of the axes' height that the counts take
_FOOT = 0.17
_MOST_NUMBERS = 12
_COUNTS = "rows per bin"


def plot_reliability(
    y_true: ArrayLike,
    y_prob: Any,
    *,
    n_bins: int = 10,
    strategy: str = "uniform",
    confidence_level: float = 0.95,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the reliability diagram of each model, with counts and intervals.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,), mapping or frame
        Probabilities of the positive class, or a column per model; NaN is refused.
    n_bins : int, default=10
        Number of bins.
    strategy : {"uniform", "quantile"}, default="uniform"
        Bins of equal width, or of equal numbers of rows.
    confidence_level : float in (0, 1), default=0.95
        Of the intervals.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more. With weights there are no intervals: Wilson's is one of counts.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes
        Its ``child_axes`` hold the bars of the counts.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or labels whose positive class is not named.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    Where all probabilities are small, both axes end soon above the largest one.

    References
    ----------
    Brocker & Smith (2007), doi:10.1175/WAF993.1. Wilson (1927), doi:10.2307/2276774.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> y_true, y_prob = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.4, 0.6, 0.9, 1.0]
    >>> ax = fm.plots.plot_reliability(y_true, y_prob, n_bins=2, ax=Figure().subplots())
    >>> [int(bar.get_height()) for bar in ax.child_axes[0].patches]
    [3, 3]
    """
    curves = {
        name: reliability_curve(
            y_true,
            column,
            n_bins=n_bins,
            strategy=strategy,
            sample_weight=sample_weight,
            pos_label=pos_label,
        )
        for name, column in models_of(y_prob, "y_prob").items()
    }
    return plot_reliability_curves(curves, ax, confidence_level)


@styled
def plot_reliability_curves(
    curves: dict[str | None, ReliabilityCurve], ax: Axes | None, confidence_level: float = 0.95
) -> Axes:
    """Draw computed reliability curves."""
    new, ax = ax is None, axes_for(ax)
    foot, top = _foot_of(ax), ax.get_xlim()[1]
    if foot is None:
        draw_diagonal(ax, "calibrated")
        ax.axhline(0.0, color=MUTED, linewidth=0.8, zorder=1)
        foot, top = _new_foot(ax), 0.0
    first = first_free_cue(ax)
    several = first > 0 or len(curves) > 1
    for k, (name, curve) in enumerate(curves.items()):
        label = level_text(confidence_level) if name is None else shown(name)
        top = max(top, _draw_points(ax, curve, label, first + k, confidence_level))
        _draw_counts(foot, curve, first + k, outline=several)
    # probabilities of rare events crowd in a corner of the unit square
    _set_limits(ax, foot, 1.0 if top > 0.5 else 1.1 * top)
    ax.set_xlabel("mean probability")
    ax.set_ylabel("share of positives")
    # the bars at the foot are not what a legend would look out for
    place_legend(ax, new, "upper left", outside=several)
    return ax


def _draw_points(ax: Axes, curve: ReliabilityCurve, label: str, k: int, level: float) -> float:
    """Draw the bins that hold rows, with intervals where counts are counts; return the top."""
    held, look = curve.counts > 0, cue(k)
    x, y = curve.mean_prediction[held], curve.observed_share[held]
    ax.plot(
        x,
        y,
        color=look.colour,
        linestyle=look.line_style,
        linewidth=1.0,
        marker=look.marker,
        markersize=5,
        label=label,
        zorder=3,
    )
    if curve.counts.dtype.kind != "i":
        return float(np.concatenate((x, y)).max(initial=0.0))
    counts = curve.counts[held]
    low, high = wilson_interval(np.rint(y * counts), counts, confidence_level=level)
    ax.vlines(x, low, high, color=look.colour, linewidth=1.2, alpha=0.8, zorder=2)
    return float(np.concatenate((x, np.atleast_1d(high))).max(initial=0.0))


def _foot_of(ax: Axes) -> Axes | None:
    """Return the axes of the counts that an earlier call made."""
    found: list[Any] = [child for child in ax.child_axes if child.get_label() == _COUNTS]
    return found[0] if found else None


def _new_foot(ax: Axes) -> Axes:
    """Return axes for the counts, at the foot of others."""
    foot = ax.inset_axes((0.0, 0.0, 1.0, _FOOT), label=_COUNTS, zorder=1)
    foot.set_facecolor("none")
    foot.grid(False)
    foot.set_yticks([])
    foot.set_xticks([])
    foot.spines[:].set_visible(False)
    foot.text(0.012, 0.98, _COUNTS, transform=foot.transAxes, va="top", fontsize=7, color=MUTED)
    return foot


def _draw_counts(foot: Axes, curve: ReliabilityCurve, k: int, outline: bool) -> None:
    """Draw a bar for each bin, with its number where there is room."""
    look, widths = cue(k), np.diff(curve.edges)
    foot.bar(
        curve.edges[:-1],
        curve.counts,
        widths,
        align="edge",
        facecolor="none" if outline else f"{look.colour}55",
        edgecolor=look.colour,
        linestyle=look.line_style,
        linewidth=0.8,
    )
    room = 1.75 * float(curve.counts.max())
    foot.set_ylim(0.0, max(room, foot.get_ylim()[1] if foot.patches[len(curve.counts) :] else 0.0))
    if outline:
        # numbers above the bars of an earlier call would lie in those of this one
        for text in foot.texts[1:]:
            text.remove()
    elif len(curve.counts) <= _MOST_NUMBERS:
        _write_counts(foot, curve.edges, curve.counts)


def _write_counts(foot: Axes, edges: Floats, counts: Any) -> None:
    """Write the number of rows above each bar that is wide enough for it."""
    least = 0.045 * (edges[-1] - edges[0])
    for left, right, count in zip(edges[:-1], edges[1:], counts.tolist()):
        if count > 0 and right - left > least:
            middle = (left + right) / 2.0
            foot.annotate(
                short_count(count),
                (middle, count),
                (0, 1),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=6.5,
                color=INK,
            )


def _set_limits(ax: Axes, foot: Axes, top: float) -> None:
    """One scale for both axes up to ``top``, and room for the counts below 0."""
    ticks = np.linspace(0.0, 1.0, 6) if top == 1.0 else None
    margin = 0.02 * top
    ax.set_xlim(-margin, top + margin)
    ax.set_ylim(-(top + margin) * _FOOT / (1.0 - _FOOT), top + margin)
    foot.set_xlim(ax.get_xlim())
    if ticks is not None:
        ax.set_xticks(ticks)
        ax.set_yticks(ticks)
    else:
        ax.set_yticks([tick for tick in ax.get_yticks() if 0.0 <= tick <= top])
