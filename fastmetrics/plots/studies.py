"""Studies by simulation: metrics against the prevalence, and how often intervals cover.

Conventions
-----------
Both read plain tables, one row per point, as the studies return them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.inference.proportions.binomial import wilson_interval
from fastmetrics.plots._canvas import axes_for, place_legend
from fastmetrics.plots._tables import as_name, as_number, distinct, read_table
from fastmetrics.plots._text import shown
from fastmetrics.plots.style import INK, cue, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME_WIDTH = 24
_SILENT = "never positive"
_MOST_SHADES = 4
_LEAST_DECADES = 0.22  # between two labels of the axis of the prevalence


@styled
def plot_prevalence_study(
    rows: Any, *, value: str = "mean", title: str = "", ax: Axes | None = None
) -> Axes:
    """Draw metrics against the prevalence.

    Parameters
    ----------
    rows : dicts, mapping of columns, or frame
        Columns "prevalence", "metric" and the one that ``value`` names; where there are any, "low"
        and "high" (a shade, of up to four series), "model", and "silent" (the value of a
        classifier that never says positive, a thin line in the same colour). nan is undefined.
    value : str, default="mean"
        The column to draw.
    title : str, optional
        Title of the plot.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        Columns that are missing, or prevalences outside (0, 1].
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> rows = {"prevalence": [0.01, 0.5], "metric": ["precision"] * 2, "mean": [0.1, 0.9]}
    >>> ax = fm.plots.plot_prevalence_study(rows, ax=Figure().subplots())
    >>> ax.lines[0].get_xydata().tolist()
    [[0.01, 0.1], [0.5, 0.9]]
    """
    table = read_table(rows, ["prevalence", "metric", value])
    shares = np.array([as_number(row["prevalence"]) for row in table])
    if not ((shares > 0.0) & (shares <= 1.0)).all():
        raise InputError("rows: give prevalences above 0 and up to 1")
    new, ax = ax is None, axes_for(ax, 5.6, 4.0)
    keys = distinct((as_name(row.get("model")), str(row["metric"])) for row in table)
    for k, key in enumerate(keys):
        chosen = [row for row in table if (as_name(row.get("model")), str(row["metric"])) == key]
        words = " · ".join(shown(part) for part in key if part is not None)
        chosen.sort(key=lambda row: float(row["prevalence"]))
        _draw_series(ax, chosen, value, words, k, len(keys) <= _MOST_SHADES)
    _scale_prevalence(ax, np.unique(shares))
    ax.set_ylabel(shown(keys[0][1]) if len({metric for _, metric in keys}) == 1 else "value")
    if title:
        ax.set_title(shown(title, 60))
    place_legend(ax, new)
    return ax


def _draw_series(
    ax: Axes, rows: Sequence[dict[str, Any]], value: str, label: str, k: int, shade: bool
) -> None:
    """Draw one metric of one model."""
    look = cue(k)
    x = np.array([float(row["prevalence"]) for row in rows])
    columns = {
        name: np.array([as_number(row.get(name)) for row in rows])
        for name in (value, "low", "high", "silent")
    }
    ax.plot(
        x,
        columns[value],
        color=look.colour,
        linestyle=look.line_style,
        marker=look.marker,
        markersize=5,
        label=label,
        zorder=3,
    )
    if shade and not (np.isnan(columns["low"]) | np.isnan(columns["high"])).all():
        ax.fill_between(
            x, columns["low"], columns["high"], color=look.colour, alpha=0.13, linewidth=0.0
        )
    if not np.isnan(columns["silent"]).all():
        ax.plot(
            x,
            columns["silent"],
            color=look.colour,
            linewidth=0.9,
            linestyle=(0, (1, 2)),
            marker=look.marker,
            markersize=3,
            markerfacecolor="white",
            label=_SILENT if _SILENT not in ax.get_legend_handles_labels()[1] else None,
        )


def _scale_prevalence(ax: Axes, shares: Floats) -> None:
    """A logarithmic axis with the prevalences as percentages, those that have room."""
    ax.set_xscale("log")
    labelled: list[float] = []
    for share in shares[::-1].tolist():
        if not labelled or math.log10(labelled[-1] / share) >= _LEAST_DECADES:
            labelled.append(share)
    ax.set_xticks(labelled, [f"{100.0 * share:.3g} %" for share in labelled], usetex=False)
    ax.set_xticks([], minor=True)
    ax.set_xlabel("prevalence")


@styled
def plot_coverage(
    rows: Any,
    *,
    confidence_level: float = 0.95,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw how often intervals cover the truth, against what they promise.

    Parameters
    ----------
    rows : dicts, mapping of columns, or frame
        Columns "metric", "method" and "coverage", a share; where there are any, "low" and "high",
        the limits of its own interval, or "n_datasets", which Wilson's interval follows from.
    confidence_level : float in (0, 1), default=0.95
        What the intervals promise; drawn as a line.
    title : str, optional
        Title of the plot.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        Columns that are missing.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    The interval of a coverage says how far it may be off by the number of data sets.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> row = {"metric": "roc_auc", "method": "bca", "coverage": 0.94, "n_datasets": 1000}
    >>> ax = fm.plots.plot_coverage([row], ax=Figure().subplots())
    >>> ax.lines[1].get_xdata().tolist(), ax.get_yticklabels()[0].get_text()
    ([0.94], 'bca')
    """
    table = read_table(rows, ["metric", "method", "coverage"])
    methods = distinct(str(row["method"]) for row in table)
    metrics = distinct(str(row["metric"]) for row in table)
    high = 0.9 + 0.32 * len(methods) * max(1.0, 0.55 * len(metrics))
    new, ax = ax is None, axes_for(ax, 5.4, high)
    promised = f"promised: {100.0 * confidence_level:g} %"
    ax.axvline(confidence_level, color=INK, linewidth=1.2, linestyle="--", label=promised)
    labelled: set[str] = set()
    for row in table:
        k = metrics.index(str(row["metric"]))
        place = methods.index(str(row["method"])) + 0.75 * ((k + 0.5) / len(metrics) - 0.5)
        label = "" if str(row["metric"]) in labelled else shown(row["metric"], 30)
        labelled.add(str(row["metric"]))
        _draw_coverage(ax, row, place, k, label)
    ax.set_yticks(range(len(methods)), [shown(m, _NAME_WIDTH) for m in methods], usetex=False)
    ax.set_ylim(len(methods) - 0.45, -0.55)
    ax.tick_params(axis="y", length=0)
    ax.grid(False, axis="y")
    ax.set_xlabel("coverage")
    place_legend(ax, new, outside=True)
    if title:
        ax.set_title(shown(title, 60))
    return ax


def _draw_coverage(ax: Axes, row: dict[str, Any], place: float, k: int, label: str) -> None:
    """Draw a coverage with its own interval."""
    look, share = cue(k), as_number(row["coverage"])
    low, high, n = (as_number(row.get(name)) for name in ("low", "high", "n_datasets"))
    if math.isnan(low) and n > 0.0 and not math.isnan(share):
        limits = wilson_interval(share * n, n)
        low, high = float(limits.low), float(limits.high)
    ax.plot(
        [share],
        [place],
        color=look.colour,
        linestyle="none",
        marker=look.marker,
        markersize=5.5,
        label=label or None,
        zorder=4,
    )
    if not (math.isnan(low) or math.isnan(high)):
        ax.hlines(place, low, high, color=look.colour, linewidth=1.6, zorder=3)
