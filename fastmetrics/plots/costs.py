"""What each threshold costs.

Conventions
-----------
Drawn in steps: the cost at a threshold holds down to the next score below it. Flagging nothing,
at the threshold infinity, is the dotted line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.decisions.costs import CostCurve, cost_curve
from fastmetrics.plots._canvas import axes_for, place_legend
from fastmetrics.plots._tables import models_of
from fastmetrics.plots._text import amount, number, shown
from fastmetrics.plots.roc import draw_line
from fastmetrics.plots.style import MUTED, cue, first_free_cue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AXIS = {None: "cost", "rows": "cost per row", "worst": "share of the worst cost"}


def plot_cost_curve(
    y_true: ArrayLike,
    y_score: Any,
    *,
    cost_fp: float,
    cost_fn: float,
    normalize: str | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the cost of the errors at every threshold, with the lowest one marked.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,), mapping or frame
        Scores, higher for the positive class, or a column per model; NaN is refused.
    cost_fp, cost_fn : float
        Costs of a false alarm and of a miss, 0 or more.
    normalize : {"rows", "worst"} or None, default=None
        The cost per row, or as a share of the cost of being wrong about every row.
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
        Data that cannot be scored, or costs below 0.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    The lowest cost is optimistic on the rows that it was searched on.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> y_true, y_score = [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_cost_curve(y_true, y_score, cost_fp=1, cost_fn=10, ax=ax)
    >>> ax.lines[-1].get_xydata().tolist()
    [[0.4, 1.0]]
    """
    curves = {
        name: cost_curve(
            y_true,
            column,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            normalize=normalize,
            sample_weight=sample_weight,
            pos_label=pos_label,
        )
        for name, column in models_of(y_score, "y_score").items()
    }
    return plot_cost_curves(curves, ax, _AXIS[normalize])


@styled
def plot_cost_curves(
    curves: dict[str | None, CostCurve], ax: Axes | None, axis: str = "cost"
) -> Axes:
    """Draw computed cost curves."""
    new, ax = ax is None, axes_for(ax, 5.4, 3.6)
    first = first_free_cue(ax)
    for k, (name, curve) in enumerate(curves.items()):
        if k == 0:
            label = f"flag nothing: {amount(float(curve.costs[0]))}"
            ax.axhline(curve.costs[0], color=MUTED, linewidth=1.0, linestyle=":", label=label)
        # infinity down to the lowest score, so backwards is to the right
        draw_line(
            ax,
            curve.thresholds[:0:-1],
            curve.costs[:0:-1],
            _entry(name, curve),
            first + k,
            "steps-pre",
        )
        _mark_lowest(ax, curve, first + k)
    ax.set_xlabel("threshold")
    ax.set_ylabel(axis)
    if not np.isnan(curve.costs).all():
        ax.set_ylim(bottom=0.0)
    place_legend(ax, new)
    return ax


def _lowest(curve: CostCurve) -> tuple[float, float]:
    """The threshold with the lowest cost, the highest of several, and the cost."""
    if np.isnan(curve.costs).all():
        return float("nan"), float("nan")
    k = int(np.nanargmin(curve.costs))
    return float(curve.thresholds[k]), float(curve.costs[k])


def _entry(name: str | None, curve: CostCurve) -> str:
    """The entry of the legend."""
    threshold, cost = _lowest(curve)
    at = "flagging nothing" if np.isinf(threshold) else f"at {number(threshold)}"
    found = f"lowest {amount(cost)} {at}"
    return found if name is None else f"{shown(name)}: {found}"


def _mark_lowest(ax: Axes, curve: CostCurve, k: int) -> None:
    """Mark the lowest cost; at infinity there is nothing to mark."""
    threshold, cost = _lowest(curve)
    if np.isfinite(threshold) and np.isfinite(cost):
        look = cue(k)
        ax.plot(
            [threshold],
            [cost],
            color=look.colour,
            linestyle="none",
            marker=look.marker,
            markersize=7,
            markeredgecolor="white",
            zorder=4,
        )
