"""Metrics against the threshold, and the choice of what a sweep is drawn as.

Conventions
-----------
Drawn in steps: the value at a threshold holds down to the next score below it. A mark is the best
threshold among the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.plots._canvas import axes_for, place_legend
from fastmetrics.plots._tables import models_of
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.precision_recall import plot_precision_recall_of_sweeps
from fastmetrics.plots.roc import draw_line, plot_roc_of_sweeps
from fastmetrics.plots.scores import plot_scores_of_sweep
from fastmetrics.plots.style import cue, first_free_cue, styled
from fastmetrics.ranking.sweep import ThresholdSweep, count_metric, threshold_sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_metric_against_threshold(
    y_true: ArrayLike,
    y_score: Any,
    metrics: str | Metric | Sequence[str | Metric] = "f1",
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw metrics of the flagged rows at every threshold, with the best one marked.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,), mapping or frame
        Scores, higher for the positive class, or a column per model; NaN is refused.
    metrics : str or Metric, or several, default="f1"
        Names of the registry that read decisions.
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
        Data that cannot be scored, or a metric that reads all scores.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    The best value is optimistic on the rows that it was searched on. There are gaps where a metric
    is 0/0.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> y_true, y_score = [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    >>> ax = Figure().subplots()
    >>> ax = fm.plots.plot_metric_against_threshold(y_true, y_score, ["f1", "recall"], ax=ax)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['f1: best 0.800 at 0.400', 'recall: best 1.000 at 0.400']
    """
    sweeps = {
        name: threshold_sweep(y_true, column, sample_weight=sample_weight, pos_label=pos_label)
        for name, column in models_of(y_score, "y_score").items()
    }
    return plot_metrics_of_sweeps(sweeps, metrics, ax)


@styled
def plot_metrics_of_sweeps(
    sweeps: dict[str | None, ThresholdSweep],
    metrics: str | Metric | Sequence[str | Metric],
    ax: Axes | None,
) -> Axes:
    """Draw metrics of each sweep against its thresholds."""
    listed = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    described = [count_metric(metric) for metric in listed]
    new, ax = ax is None, axes_for(ax, 5.4, 3.6)
    k = first_free_cue(ax)
    for name, sweep in sweeps.items():
        for metric in described:
            thresholds = sweep.thresholds[::-1].astype(np.float64)
            values = sweep.metric(metric)[::-1]
            words = [shown(part) for part in (name, metric.name) if part is not None]
            label = f"{' · '.join(words)}: {_draw_best(ax, thresholds, values, metric, k)}"
            draw_line(ax, thresholds, values, label, k, "steps-pre")
            k += 1
    ax.set_xlabel("threshold")
    ax.set_ylabel(shown(described[0].name) if len(described) == 1 else "value")
    if all(metric.bounds == (0.0, 1.0) for metric in described):
        ax.set_ylim(-0.03, 1.03)
    place_legend(ax, new)
    return ax


def _draw_best(ax: Axes, thresholds: Floats, values: Floats, metric: Metric, k: int) -> str:
    """Mark the best value, at the highest of several thresholds, and return it in words."""
    if np.isnan(values).all():
        return "undefined"
    gains = values if metric.greater_is_better else -values
    best = values.size - 1 - int(np.nanargmax(gains[::-1]))
    look = cue(k)
    ax.plot(
        thresholds[best : best + 1],
        values[best : best + 1],
        color=look.colour,
        linestyle="none",
        marker=look.marker,
        markersize=7,
        markeredgecolor="white",
        zorder=4,
    )
    return f"best {number(float(values[best]))} at {number(float(thresholds[best]))}"


def plot_sweep(
    sweep: ThresholdSweep,
    ax: Axes | None,
    kind: str | Metric | Sequence[str | Metric],
    label: str | None,
) -> Axes:
    """Draw a sweep as a curve, as histograms of its scores, or as metrics of the threshold."""
    if isinstance(kind, str):
        if kind == "roc":
            return plot_roc_of_sweeps({label: sweep}, ax)
        if kind == "precision_recall":
            return plot_precision_recall_of_sweeps({label: sweep}, ax)
        if kind == "scores":
            return plot_scores_of_sweep(sweep, ax, title=label)
    return plot_metrics_of_sweeps({label: sweep}, kind, ax)
