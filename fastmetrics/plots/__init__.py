"""Plots of raw arrays and tables, in one colour-blind-safe style, with matplotlib.

Results draw themselves: ``result.plot()``. Conventions: every function draws on ``ax``, or on a new
figure where none is given, and returns the axes; matplotlib's global settings stay as they are.
Install with ``pip install 'fastmetrics-engine[report]'``. Public names load when they are first
used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastmetrics.plots.bands import plot_curve_band as plot_curve_band
    from fastmetrics.plots.benefits import plot_net_benefit as plot_net_benefit
    from fastmetrics.plots.brier import plot_brier_decomposition as plot_brier_decomposition
    from fastmetrics.plots.confusion import plot_confusion_matrix as plot_confusion_matrix
    from fastmetrics.plots.costs import plot_cost_curve as plot_cost_curve
    from fastmetrics.plots.distributions import plot_difference as plot_difference
    from fastmetrics.plots.distributions import plot_distribution as plot_distribution
    from fastmetrics.plots.folds import plot_folds as plot_folds
    from fastmetrics.plots.forests import plot_differences as plot_differences
    from fastmetrics.plots.forests import plot_estimates as plot_estimates
    from fastmetrics.plots.precision_recall import plot_precision_recall as plot_precision_recall
    from fastmetrics.plots.reliability import plot_reliability as plot_reliability
    from fastmetrics.plots.roc import plot_roc as plot_roc
    from fastmetrics.plots.scores import plot_score_histograms as plot_score_histograms
    from fastmetrics.plots.simulations import plot_simulation as plot_simulation
    from fastmetrics.plots.studies import plot_coverage as plot_coverage
    from fastmetrics.plots.studies import plot_prevalence_study as plot_prevalence_study
    from fastmetrics.plots.style import off_screen as off_screen
    from fastmetrics.plots.style import plot_style as plot_style
    from fastmetrics.plots.thresholds import (
        plot_metric_against_threshold as plot_metric_against_threshold,
    )

_HOMES = {
    "off_screen": "style",
    "plot_brier_decomposition": "brier",
    "plot_confusion_matrix": "confusion",
    "plot_cost_curve": "costs",
    "plot_coverage": "studies",
    "plot_curve_band": "bands",
    "plot_difference": "distributions",
    "plot_differences": "forests",
    "plot_distribution": "distributions",
    "plot_estimates": "forests",
    "plot_folds": "folds",
    "plot_metric_against_threshold": "thresholds",
    "plot_net_benefit": "benefits",
    "plot_precision_recall": "precision_recall",
    "plot_prevalence_study": "studies",
    "plot_reliability": "reliability",
    "plot_roc": "roc",
    "plot_score_histograms": "scores",
    "plot_simulation": "simulations",
    "plot_style": "style",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fastmetrics.plots' has no attribute {name!r}")
    value = getattr(import_module(f"fastmetrics.plots.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)


__all__ = sorted(_HOMES)
