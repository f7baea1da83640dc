"""Decision curves: the net benefit of acting on a model, on everybody, or on nobody.

Conventions
-----------
The threshold is the probability from which on one would act. The grey lines are the policies that
need no model: dotted for acting on all rows, dashed at 0 for acting on none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.decisions.net_benefits import net_benefit
from fastmetrics.engine.description import Floats
from fastmetrics.plots._canvas import axes_for, place_legend
from fastmetrics.plots._tables import models_of
from fastmetrics.plots._text import shown
from fastmetrics.plots.roc import draw_line
from fastmetrics.plots.style import MUTED, first_free_cue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_THRESHOLDS = np.linspace(0.01, 0.99, 99)
_STYLES: tuple[Any, ...] = (":", (0, (5, 2)), "-.")


def plot_net_benefit(
    y_true: ArrayLike,
    y_prob: Any,
    *,
    thresholds: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the decision curve of each model, with treating all and treating none.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_prob : array-like of shape (n,), mapping or frame
        Probabilities of the positive class, or a column per model; NaN is refused.
    thresholds : array-like of shape (m,), optional
        Probabilities in [0, 1) from which on one would act; the whole percentages when left out.
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
        Probabilities outside [0, 1], or thresholds outside [0, 1).
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    The axis ends a little below 0: how bad a policy gets there is of no matter.

    References
    ----------
    Vickers & Elkin (2006), doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> y_true, y_prob = [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_net_benefit(y_true, y_prob, thresholds=[0.2, 0.5], ax=ax)
    >>> ax.lines[-1].get_ydata().tolist()
    [0.4375, 0.0]
    """
    points = _THRESHOLDS if thresholds is None else np.asarray(thresholds, np.float64)
    columns = models_of(y_prob, "y_prob")

    def benefit(column: Any, strategy: str = "model") -> Floats:
        values = net_benefit(
            y_true,
            column,
            threshold=points,
            strategy=strategy,
            sample_weight=sample_weight,
            pos_label=pos_label,
        )
        return np.atleast_1d(np.asarray(values, np.float64))

    curves = {name: benefit(column) for name, column in columns.items()}
    first = next(iter(columns.values()))
    references = {
        "treat all": benefit(first, "treat_all"),
        "treat none": benefit(first, "treat_none"),
    }
    return plot_benefit_curves(np.atleast_1d(points), curves, references, ax)


@styled
def plot_benefit_curves(
    thresholds: Floats,
    curves: dict[str | None, Floats],
    references: dict[str, Floats],
    ax: Axes | None,
) -> Axes:
    """Draw computed decision curves (m,) of models, and of policies without one."""
    new, ax = ax is None, axes_for(ax, 5.4, 3.8)
    draw_references(ax, thresholds, references)
    first = first_free_cue(ax)
    for k, (name, values) in enumerate(curves.items()):
        draw_line(ax, thresholds, values, "model" if name is None else shown(name), first + k)
    name_axes(ax, [*curves.values(), *references.values()])
    place_legend(ax, new)
    return ax


def draw_references(ax: Axes, thresholds: Floats, references: dict[str, Floats]) -> None:
    """Draw the policies that need no model."""
    for style, (name, values) in zip(_STYLES, references.items()):
        ax.plot(thresholds, values, color=MUTED, linewidth=1.1, linestyle=style, label=name)


def name_axes(ax: Axes, values: list[Floats]) -> None:
    """Names of the axes, and limits that leave the depths below 0 out."""
    ax.set_xlabel("threshold probability")
    ax.set_ylabel("net benefit")
    found = np.concatenate(values)
    top = float(np.nanmax(found, initial=0.0)) or 1.0
    ax.set_ylim(max(float(np.nanmin(found, initial=0.0)), -0.2 * top) - 0.03 * top, 1.08 * top)
