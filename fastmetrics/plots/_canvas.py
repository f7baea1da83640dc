"""Axes to draw on: one that is given, a new one, or panels within it; and legends that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fastmetrics.plots.style import GRID, INK, MUTED, OFF_SCREEN

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# a legend with more or longer entries would cover the curves: it goes below the axes
_MOST_INSIDE = 4
_LONGEST_INSIDE = 34
_LONG = 7  # lines from which on a legend has two columns
_BELOW = 38  # points from the axes to a legend below: tick labels and the axis' name
_NARROWEST = 1.3  # inches of a panel
_EDGE = 0.1  # inches around everything
_LINE_HEIGHT = 0.17  # inches of a line of a legend


def axes_for(ax: Axes | None, width: float = 4.8, height: float = 4.2) -> Axes:
    """Return the axes to draw on, dressed; a new figure of so many inches where none is given.

    New figures are pyplot's, so that notebooks show them, except ``off_screen``.
    """
    from matplotlib.axes import Axes as AxesClass

    if ax is None:
        figure = _new_figure(width, height)
        ax = figure.subplots()
        figure.get_layout_engine().set(w_pad=_EDGE, h_pad=_EDGE)  # type: ignore[call-arg, union-attr]
    elif not isinstance(ax, AxesClass):
        raise TypeError(f"ax is {type(ax).__name__}: pass one axes, as of figure.subplots()")
    dress(ax)
    return ax


def _new_figure(width: float, height: float) -> Figure:
    """Return an empty figure."""
    if OFF_SCREEN.get():
        from matplotlib.figure import Figure as FigureClass

        return FigureClass(figsize=(width, height), layout="constrained")
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height), layout="constrained")


def dress(ax: Axes) -> None:
    """Give axes the look, which they lack where they were made outside ``plot_style``."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.tick_params(color=MUTED, labelcolor=INK, labelsize=8)
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set(size=9, color=INK, usetex=False)
    ax.grid(True, color=GRID, linewidth=0.7)
    ax.set_axisbelow(True)


def place_legend(ax: Axes, new: bool, loc: Any = "best", *, outside: bool = False) -> None:
    """Draw the legend, below the axes where it would cover the curves.

    Parameters
    ----------
    ax : axes with labelled artists
    new : whether the figure is ours, and may grow
    loc : where a small legend goes
    outside : whether a small one would cover something, too
    """
    handles, labels = ax.get_legend_handles_labels()
    entries = dict(zip(labels, handles))
    if not entries:
        return
    longest = max(len(line) for label in entries for line in label.split("\n"))
    lines = sum(label.count("\n") + 1 for label in entries)
    inside = lines <= _MOST_INSIDE and longest <= _LONGEST_INSIDE and not outside
    figure = ax.get_figure(root=True)
    if inside or figure is None or not _makes_room(ax):
        ax.legend(entries.values(), entries.keys(), loc=loc, fontsize=8 if inside else 7)
        return
    from matplotlib.transforms import ScaledTranslation

    columns = 2 if lines > _LONG and longest < _LONGEST_INSIDE else 1
    below = ScaledTranslation(0.0, -_BELOW / 72.0, figure.dpi_scale_trans)
    ax.legend(
        entries.values(),
        entries.keys(),
        loc="upper left",
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + below,
        borderaxespad=0.0,
        borderpad=0.0,
        ncols=columns,
    )
    if new:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + -(-lines // columns) * _LINE_HEIGHT)


def _makes_room(ax: Axes) -> bool:
    """Whether the figure has a layout engine: else what lies around axes meets neighbours."""
    figure = ax.get_figure(root=True)
    return figure is not None and figure.get_layout_engine() is not None


def legend_above(ax: Axes, source: Axes, new: bool) -> None:
    """Draw a legend above axes, of what the axes ``source`` within them hold."""
    handles, labels = source.get_legend_handles_labels()
    if not labels:
        return
    if source is ax and not _makes_room(ax):
        ax.legend(handles, labels, loc="best", fontsize=7)
        return
    longest = max(len(line) for label in labels for line in label.split("\n"))
    columns = min(len(labels), max(1, 3 - longest // 12))
    ax.legend(
        handles,
        labels,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=columns,
        borderaxespad=0.3,
        borderpad=0.0,
    )
    figure = ax.get_figure(root=True)
    if new and figure is not None:
        lines = sum(label.count("\n") + 1 for label in labels)
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + -(-lines // columns) * _LINE_HEIGHT)


def unit_square(ax: Axes, margin: float = 0.015) -> None:
    """Both axes from 0 to 1, at one scale."""
    ax.set_xlim(-margin, 1.0 + margin)
    ax.set_ylim(-margin, 1.0 + margin)
    ax.set_aspect("equal", adjustable="box")


def panels(
    ax: Axes, count: int, *, most: int = 3, gap: tuple[float, float] = (0.2, 0.6)
) -> Sequence[Axes]:
    """Return axes for several plots within one: itself where one is enough.

    Parameters
    ----------
    ax : axes whose place the panels share; they are its ``child_axes``
    count : number of panels
    most : panels side by side
    gap : inches between columns, and between rows
    """
    if count == 1:
        return [ax]
    ax.set_axis_off()
    width, height = inches(ax)
    columns = min(count, most, max(1, int((width + gap[0]) / (_NARROWEST + gap[0]))))
    rows = -(-count // columns)
    across, down = min(gap[0] / width, 0.5 / columns), min(gap[1] / height, 0.55 / rows)
    wide, high = (1.0 - across * (columns - 1)) / columns, (1.0 - down * (rows - 1)) / rows
    made = []
    for k in range(count):
        row, column = divmod(k, columns)
        bottom = 1.0 - (row + 1) * high - row * down
        made.append(ax.inset_axes((column * (wide + across), bottom, wide, high)))
        dress(made[-1])
    return made


def starts_row(panel: Axes, made: Sequence[Axes]) -> bool:
    """Whether a panel is the leftmost one of its row."""
    return bool(panel.get_window_extent().x0 <= made[0].get_window_extent().x0 + 1.0)


def inches(ax: Axes) -> tuple[float, float]:
    """Width and height of axes, as far as they are known before the layout."""
    figure = ax.get_figure(root=True)
    if figure is None:
        return 4.0, 4.0
    extent = ax.get_window_extent()
    return float(extent.width / figure.dpi), float(extent.height / figure.dpi)


def level_text(level: float, what: str = "interval") -> str:
    """Return the confidence level of an interval or a band in words."""
    return f"{100.0 * level:g} % {what}"
