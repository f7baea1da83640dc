"""Metrics of scoring models, and their bootstrap, compiled.

Public names load when they are first used, so that importing the package costs what importing
NumPy costs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# where each public name lives; fastmetrics/__init__.pyi says the same to type checkers
_HOMES = {
    "batch": "",
    "errors": "",
    "roc_auc_score": "ranking",
    "average_precision_score": "ranking",
    "auc": "curves",
    "roc_curve": "curves",
    "precision_recall_curve": "curves",
    "det_curve": "curves",
    "confusion_matrix_at_thresholds": "at_thresholds",
    "metric_at_thresholds": "at_thresholds",
    "rank_auc": "pairs",
    "pairwise_auc": "pairs",
    "gini_score": "pairs",
    "ks_statistic": "operating_points",
    "precision_at_recall": "operating_points",
    "recall_at_false_positive_rate": "operating_points",
    "threshold_sweep": "sweep",
    "ThresholdSweep": "sweep",
    "BinaryCounts": "sweep",
    "BestThreshold": "sweep",
    "bootstrap": "bootstrapping",
    "BootstrapResult": "results",
    "ConfidenceInterval": "intervals",
    "Metric": "description",
    "Statistic": "description",
    "metric": "registry",
    "metric_names": "registry",
    "warmup": "compilation",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fastmetrics' has no attribute {name!r}")
    home = _HOMES[name]
    module = import_module(f"fastmetrics.{home or name}")
    value = getattr(module, name) if home else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)


__all__ = sorted(_HOMES)
