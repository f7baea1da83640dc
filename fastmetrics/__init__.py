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
    "confusion_matrix": "confusion",
    "multilabel_confusion_matrix": "confusion",
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "accuracy",
    "zero_one_loss": "accuracy",
    "hamming_loss": "accuracy",
    "precision_score": "rates",
    "recall_score": "rates",
    "jaccard_score": "rates",
    "specificity_score": "negative_rates",
    "negative_predictive_value_score": "negative_rates",
    "false_positive_rate_score": "negative_rates",
    "f1_score": "f_scores",
    "fbeta_score": "f_scores",
    "precision_recall_fscore_support": "f_scores",
    "f1_of_macro_averages": "macro_averages",
    "micro_macro_gap": "macro_averages",
    "matthews_corrcoef": "agreement",
    "cohen_kappa_score": "agreement",
    "class_likelihood_ratios": "agreement",
    "classification_report": "class_report",
    "hinge_loss": "hinge",
    "confusion_matrix_at_thresholds": "at_thresholds",
    "metric_at_thresholds": "at_thresholds",
    "rank_auc": "pairs",
    "pairwise_auc": "pairs",
    "gini_score": "pairs",
    "ks_statistic": "operating_points",
    "precision_at_recall": "operating_points",
    "recall_at_false_positive_rate": "operating_points",
    "log_loss": "probability",
    "brier_score_loss": "probability",
    "d2_log_loss_score": "skill",
    "d2_brier_score": "skill",
    "calibration_curve": "reliability",
    "reliability_curve": "reliability",
    "ReliabilityCurve": "reliability",
    "expected_calibration_error": "calibration",
    "maximum_calibration_error": "calibration",
    "brier_decomposition": "decomposition",
    "BrierDecomposition": "decomposition",
    "PlattScaling": "recalibration",
    "calibration_slope": "calibration_line",
    "calibration_intercept": "calibration_line",
    "mean_squared_error": "squared_errors",
    "root_mean_squared_error": "squared_errors",
    "mean_squared_log_error": "squared_errors",
    "root_mean_squared_log_error": "squared_errors",
    "mean_absolute_error": "absolute_errors",
    "median_absolute_error": "absolute_errors",
    "max_error": "absolute_errors",
    "mean_absolute_percentage_error": "scaled_errors",
    "mape_optimal_constant": "scaled_errors",
    "mean_absolute_scaled_error": "scaled_errors",
    "mean_pinball_loss": "pinball",
    "d2_absolute_error_score": "pinball",
    "d2_pinball_score": "pinball",
    "r2_score": "explained",
    "explained_variance_score": "explained",
    "mean_poisson_deviance": "deviance",
    "mean_gamma_deviance": "deviance",
    "mean_tweedie_deviance": "deviance",
    "d2_tweedie_score": "deviance",
    "dcg_score": "lists",
    "ndcg_score": "lists",
    "top_k_accuracy_score": "top_classes",
    "label_ranking_average_precision_score": "label_ranking",
    "label_ranking_loss": "label_ranking",
    "coverage_error": "label_ranking",
    "precision_at_k": "top_rows",
    "recall_at_k": "top_rows",
    "lift_at_k": "top_rows",
    "net_benefit": "net_benefits",
    "cost_curve": "costs",
    "CostCurve": "costs",
    "best_threshold": "costs",
    "bayes_threshold": "costs",
    "iso_cost_slope": "costs",
    "mcnemar_test": "mcnemar",
    "McNemarResult": "mcnemar",
    "proportion_interval": "proportions",
    "wald_interval": "proportions",
    "wilson_interval": "proportions",
    "ProportionInterval": "proportions",
    "f1_interval": "f1_intervals",
    "F1Interval": "f1_intervals",
    "fold_scores": "cross_validation",
    "folds_without_positives": "cross_validation",
    "out_of_fold_predictions": "cross_validation",
    "FoldScores": "fold_results",
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
