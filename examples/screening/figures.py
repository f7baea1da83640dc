"""The figures of the screening study: calibration, costs, and differences on the test set.

They are drawn without a window, one PNG for each, and need matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import fastmetrics as fm

DOTS_PER_INCH = 150


def save_figures(
    folder: Path,
    labels: Any,
    found: Mapping[str, Any],
    costs: Mapping[str, float],
    comparison: fm.ComparisonResult,
) -> list[Path]:
    """Save every figure in a folder, which is made if need be.

    Parameters
    ----------
    folder : where to
    labels, found : of the development set, and the models' out-of-fold probabilities
    costs : ``cost_fp`` and ``cost_fn``
    comparison : the models on the test set
    """
    with fm.plots.plot_style():
        figures = {
            "calibration": draw_calibration(labels, found),
            "costs": draw_costs(labels, found, costs),
            "differences": draw_differences(comparison),
        }
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, figure in figures.items():
        files.append(folder / f"{name}.png")
        figure.savefig(files[-1], dpi=DOTS_PER_INCH)
    return files


def new_figure(width: float, height: float) -> Any:
    """Return an empty figure in inches that no window shows."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def draw_calibration(labels: Any, found: Mapping[str, Any]) -> Any:
    """Draw the reliability diagram of each model above the histograms of its probabilities."""
    figure = new_figure(4 * len(found), 6.5)
    panels = figure.subplots(2, len(found), height_ratios=(3, 2))
    for (name, probability), (above, below) in zip(found.items(), panels.T):
        fm.plots.plot_reliability(labels, probability, ax=above)
        fm.plots.plot_score_histograms(labels, probability, bins=20, ax=below)
        above.set_title(name.replace("_", " "))
    return figure


def draw_costs(labels: Any, found: Mapping[str, Any], costs: Mapping[str, float]) -> Any:
    """Draw what every threshold costs out of fold, and where the costs alone would put it."""
    figure = new_figure(8, 4.5)
    panel = fm.plots.plot_cost_curve(labels, found, **costs, ax=figure.subplots())
    bayes = fm.bayes_threshold(**costs)
    panel.axvline(bayes, color="0.4", linestyle="--", linewidth=1)
    panel.annotate(
        f"calculated, {bayes:.3g}",
        (bayes, 0.98),
        xycoords=("data", "axes fraction"),
        xytext=(-4, 0),
        textcoords="offset points",
        ha="right",
        va="top",
    )
    panel.set_xscale("log")
    panel.set_xlim(1e-12, 1)
    flag_all = costs["cost_fp"] * (labels == 0).sum()
    if flag_all > 0:
        panel.set_ylim(0, 1.5 * flag_all)  # flagging nothing is far dearer than any choice
    return figure


def draw_differences(comparison: fm.ComparisonResult) -> Any:
    """Draw the replicates of two differences between logistic regression and naive Bayes."""
    figure = new_figure(9, 4)
    pair = comparison["logistic_regression", "naive_bayes"]
    for metric, panel in zip(("roc_auc", "brier_score"), figure.subplots(1, 2)):
        pair[metric].plot(panel)
    return figure
