"""Forest plots: many estimates or differences with their intervals, one line each.

Conventions
-----------
One panel per metric, for metrics have scales of their own. Lines are models, or pairs of models;
where there are slices, lines are slices and models are told by colour and marker. An arrow is an
interval that goes on; a line that is undefined says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastmetrics.plots._canvas import axes_for, inches, legend_above, level_text, panels, starts_row
from fastmetrics.plots._tables import as_name, as_number, distinct, read_table
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.distributions import draw_zero
from fastmetrics.plots.style import GRID, MUTED, cue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME_WIDTH = 26
_LINE = 0.3  # inches
_CHARACTER = 0.08  # inches of a character of an axis' name
_LOWEST = 0.7  # inches of a panel whose axis has a name of several lines
_MOST_PANELS = 3


class Line(NamedTuple):
    """One estimate: which, and its interval (nan where there is none)."""

    series: Any
    metric: str
    part: Any
    estimate: float
    low: float
    high: float


@styled
def plot_estimates(
    rows: Any, *, confidence_level: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw estimates with their intervals, one line each, in a panel per metric.

    Parameters
    ----------
    rows : dicts, mapping of columns, or frame
        Columns "metric" and "estimate", and where there are any "low", "high", "model" and
        "slice", as from ``result.to_frame()``; nan is undefined.
    confidence_level : float in (0, 1), optional
        Of the intervals, for the axis.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes
        With several metrics the panels are its ``child_axes``.

    Raises
    ------
    InputError
        Columns that are missing.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    Intervals that overlap are no test of a difference: compare the models for that.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> rows = {"model": ["a", "b"], "metric": ["roc_auc", "roc_auc"], "estimate": [0.9, 0.8]}
    >>> ax = fm.plots.plot_estimates(rows, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    lines = [
        Line(
            as_name(row.get("model")),
            str(row["metric"]),
            as_name(row.get("slice")),
            as_number(row["estimate"]),
            as_number(row.get("low")),
            as_number(row.get("high")),
        )
        for row in read_table(rows, ["metric", "estimate"])
    ]

    def name_panel(panel: Axes, metric: str) -> None:
        _name_axis(panel, metric, confidence_level, "")

    return _draw_forest(lines, ax, name_panel, {})


@styled
def plot_differences(
    rows: Any,
    *,
    confidence_level: float | None = None,
    greater_is_better: dict[str, bool] | None = None,
    margins: dict[str, tuple[float, ...]] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw differences with their intervals, one line each, and the line at zero.

    Parameters
    ----------
    rows : dicts, mapping of columns, or frame
        Columns "model", "baseline", "metric", "difference", "low" and "high", and "slice" where
        there are slices, as from ``comparison.to_frame()``; nan is undefined.
    confidence_level : float in (0, 1), optional
        Of the intervals, for the axis.
    greater_is_better : dict of metrics to bools, optional
        Which side is the better one, for the axis.
    margins : dict of metrics to tuples of floats, optional
        Differences that do not matter; drawn as dashed lines.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes
        With several metrics the panels are its ``child_axes``.

    Raises
    ------
    InputError
        Columns that are missing.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> row = {"model": "a", "baseline": "b", "metric": "roc_auc", "difference": 0.1}
    >>> rows = [{**row, "low": -0.1, "high": 0.3}]
    >>> ax = fm.plots.plot_differences(rows, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a − b']
    """
    needed = ["model", "baseline", "metric", "difference", "low", "high"]
    lines = [
        Line(
            (row["model"], row["baseline"]),
            str(row["metric"]),
            as_name(row.get("slice")),
            *(as_number(row[name]) for name in ("difference", "low", "high")),
        )
        for row in read_table(rows, needed)
    ]

    given = margins or {}

    def name_panel(panel: Axes, metric: str) -> None:
        draw_zero(panel, given.get(metric, ()))
        better = (greater_is_better or {}).get(metric)
        side = "" if better is None else "right is better" if better else "left is better"
        _name_axis(panel, f"difference in {metric}", confidence_level, side)

    marks = {line.metric: (0.0, *given.get(line.metric, ())) for line in lines}
    return _draw_forest(lines, ax, name_panel, marks)


def _name_axis(panel: Axes, metric: str, level: float | None, remark: str) -> None:
    """Name the axis of a panel, in one line where there is room."""
    words = [] if level is None else [level_text(level, "CI")]
    words += [remark] if remark else []
    width, height = inches(panel)
    room = max(14, int(width / _CHARACTER))
    name, what = shown(metric, room), f"({', '.join(words)})" if words else ""
    if what and len(name) + len(what) < room:
        name = f"{name} {what}"
    elif what and height > _LOWEST:
        name = f"{name}\n{shown(what, room)}"
    panel.set_xlabel(name)


def _draw_forest(
    lines: Sequence[Line],
    ax: Axes | None,
    name_panel: Callable[[Axes, str], None],
    marks: dict[str, tuple[float, ...]],
) -> Axes:
    """Draw lines in a panel per metric, each of which shows the marks of its metric."""
    metrics = distinct(line.metric for line in lines)
    series = distinct(line.series for line in lines)
    parts = distinct(line.part for line in lines)
    sliced = parts != [None]
    names = [_part_name(part) for part in parts] if sliced else [_series_name(n) for n in series]
    across = min(len(metrics), _MOST_PANELS)
    down = -(-len(metrics) // across)
    # lines of text in a line of the plot, and a line for each series of each slice
    text = 1.0 + 0.5 * max(name.count("\n") for name in names)
    each = max(text, 0.75 * len(series) if sliced else 1.0)
    high = _LINE * max(len(names) * each, 3.0) + 0.9
    new, ax = ax is None, axes_for(ax, 1.6 + 2.6 * across + 1.2 * (across == 1), high * down)
    drawn = panels(ax, len(metrics), most=_MOST_PANELS, gap=(0.25, 0.8))
    for panel, metric in zip(drawn, metrics):
        chosen = [line for line in lines if line.metric == metric]
        panel.set_xlim(*_limits(chosen, marks.get(metric, ())))
        _draw_panel(panel, chosen, series, parts if sliced else None)
        _name_lines(panel, names if starts_row(panel, drawn) else [""] * len(names))
        name_panel(panel, metric)
    if sliced and len(series) > 1:
        legend_above(ax, drawn[0], new)
    return ax


def _series_name(name: Any, width: int = _NAME_WIDTH) -> str:
    """A model, or a pair of models, each of which keeps its beginning and its end."""
    if isinstance(name, tuple):
        model, baseline = (shown(part, width, 2) for part in name)
        together = f"{model} − {baseline}"
        return together if len(together) <= width else f"{model}\n− {baseline}"
    return "" if name is None else shown(name, width)


def _part_name(part: Any) -> str:
    return "all rows" if part is None else shown(part, _NAME_WIDTH)


def _name_lines(panel: Axes, names: Sequence[str]) -> None:
    """Names of the lines, the first one on top."""
    # the setting of LaTeX is that of the axes' maker where the axes were given
    panel.set_yticks(range(len(names)), names, usetex=False)
    panel.set_ylim(len(names) - 0.45, -0.55)
    panel.tick_params(axis="y", length=0)
    panel.grid(False, axis="y")
    panel.locator_params(axis="x", nbins=max(2, min(5, int(inches(panel)[0] / 0.45))))


def _draw_panel(
    panel: Axes, lines: Sequence[Line], series: Sequence[Any], parts: Sequence[Any] | None
) -> None:
    """Draw the lines of a metric; of several models in a slice one below the other."""
    if parts is not None and len(series) > 1:
        for boundary in range(1, len(parts)):
            panel.axhline(boundary - 0.5, color=GRID, linewidth=0.7, zorder=1)
    labelled: set[Any] = set()
    for line in lines:
        k = series.index(line.series)
        if parts is None:
            place = float(k)
        else:
            spread = (k + 0.5) / len(series) - 0.5
            place = parts.index(line.part) + 0.75 * spread
        label = "" if line.series in labelled or parts is None else _series_name(line.series, 40)
        labelled.add(line.series)
        _draw_line(panel, line, place, k, label)


def _limits(lines: Sequence[Line], marks: tuple[float, ...]) -> tuple[float, float]:
    """Ends of the axis: everything finite and the marks, with room at both sides."""
    numbers = np.array([line[3:] for line in lines], np.float64)
    values = np.append(numbers[np.isfinite(numbers)], marks)
    if values.size == 0:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    # an open interval goes on for a while
    room = (0.15 if np.isinf(numbers).any() else 0.06) * (high - low)
    room = room or 0.05 * abs(high) or 0.5
    return low - room, high + room


def _draw_line(panel: Axes, line: Line, place: float, k: int, label: str) -> None:
    """Draw an estimate and its interval; arrows where the interval is open."""
    look, (left, right) = cue(k), panel.get_xlim()
    if not math.isfinite(line.estimate):
        panel.text(
            (left + right) / 2.0,
            place,
            number(line.estimate),
            ha="center",
            va="center",
            fontsize=8,
            color=MUTED,
            style="italic",
        )
        return
    panel.plot(
        [line.estimate],
        [place],
        color=look.colour,
        linestyle="none",
        marker=look.marker,
        markersize=5.5,
        label=label or None,
        zorder=4,
    )
    if math.isnan(line.low) or math.isnan(line.high):
        return
    ends = max(line.low, left), min(line.high, right)
    panel.hlines(place, *ends, color=look.colour, linewidth=1.6, zorder=3)
    for limit, end, arrow in ((line.low, ends[0], "<"), (line.high, ends[1], ">")):
        marker = "|" if math.isfinite(limit) else arrow
        panel.plot(
            [end], [place], color=look.colour, marker=marker, markersize=6, clip_on=False, zorder=3
        )
