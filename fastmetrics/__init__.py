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
    "plots": "",
    "simulation": "",
    "roc_auc_score": "ranking.areas",
    "average_precision_score": "ranking.areas",
    "auc": "ranking.curves",
    "roc_curve": "ranking.curves",
    "precision_recall_curve": "ranking.curves",
    "det_curve": "ranking.curves",
    "confusion_matrix": "classification.confusion",
    "multilabel_confusion_matrix": "classification.confusion",
    "accuracy_score": "classification.accuracy",
    "balanced_accuracy_score": "classification.accuracy",
    "zero_one_loss": "classification.accuracy",
    "hamming_loss": "classification.accuracy",
    "precision_score": "classification.rates",
    "recall_score": "classification.rates",
    "jaccard_score": "classification.rates",
    "specificity_score": "classification.negative_rates",
    "negative_predictive_value_score": "classification.negative_rates",
    "false_positive_rate_score": "classification.negative_rates",
    "f1_score": "classification.f_scores",
    "fbeta_score": "classification.f_scores",
    "precision_recall_fscore_support": "classification.f_scores",
    "f1_of_macro_averages": "classification.macro_averages",
    "micro_macro_gap": "classification.macro_averages",
    "matthews_corrcoef": "classification.agreement",
    "cohen_kappa_score": "classification.agreement",
    "class_likelihood_ratios": "classification.agreement",
    "classification_report": "classification.class_report",
    "hinge_loss": "classification.hinge",
    "confusion_matrix_at_thresholds": "ranking.at_thresholds",
    "metric_at_thresholds": "ranking.at_thresholds",
    "rank_auc": "ranking.pairs",
    "pairwise_auc": "ranking.pairs",
    "gini_score": "ranking.pairs",
    "ks_statistic": "ranking.operating_points",
    "precision_at_recall": "ranking.operating_points",
    "recall_at_false_positive_rate": "ranking.operating_points",
    "log_loss": "probability.losses",
    "brier_score_loss": "probability.losses",
    "d2_log_loss_score": "probability.skill",
    "d2_brier_score": "probability.skill",
    "calibration_curve": "probability.reliability",
    "reliability_curve": "probability.reliability",
    "ReliabilityCurve": "probability.reliability",
    "expected_calibration_error": "probability.calibration",
    "maximum_calibration_error": "probability.calibration",
    "brier_decomposition": "probability.decomposition",
    "BrierDecomposition": "probability.decomposition",
    "PlattScaling": "probability.recalibration",
    "calibration_slope": "probability.calibration_line",
    "calibration_intercept": "probability.calibration_line",
    "mean_squared_error": "regression.squared_errors",
    "root_mean_squared_error": "regression.squared_errors",
    "mean_squared_log_error": "regression.squared_errors",
    "root_mean_squared_log_error": "regression.squared_errors",
    "mean_absolute_error": "regression.absolute_errors",
    "median_absolute_error": "regression.absolute_errors",
    "max_error": "regression.absolute_errors",
    "mean_absolute_percentage_error": "regression.scaled_errors",
    "mape_optimal_constant": "regression.scaled_errors",
    "mean_absolute_scaled_error": "regression.scaled_errors",
    "mean_pinball_loss": "regression.pinball",
    "d2_absolute_error_score": "regression.pinball",
    "d2_pinball_score": "regression.pinball",
    "r2_score": "regression.explained",
    "explained_variance_score": "regression.explained",
    "mean_poisson_deviance": "regression.deviance",
    "mean_gamma_deviance": "regression.deviance",
    "mean_tweedie_deviance": "regression.deviance",
    "d2_tweedie_score": "regression.deviance",
    "dcg_score": "ranking.lists",
    "ndcg_score": "ranking.lists",
    "top_k_accuracy_score": "ranking.top_classes",
    "label_ranking_average_precision_score": "ranking.label_ranking",
    "label_ranking_loss": "ranking.label_ranking",
    "coverage_error": "ranking.label_ranking",
    "precision_at_k": "ranking.top_rows",
    "recall_at_k": "ranking.top_rows",
    "lift_at_k": "ranking.top_rows",
    "net_benefit": "decisions.net_benefits",
    "cost_curve": "decisions.costs",
    "CostCurve": "decisions.costs",
    "best_threshold": "decisions.costs",
    "bayes_threshold": "decisions.costs",
    "iso_cost_slope": "decisions.costs",
    "mcnemar_test": "inference.proportions.mcnemar",
    "McNemarResult": "inference.proportions.mcnemar",
    "proportion_interval": "inference.proportions.binomial",
    "wald_interval": "inference.proportions.binomial",
    "wilson_interval": "inference.proportions.binomial",
    "ProportionInterval": "inference.proportions.binomial",
    "f1_interval": "inference.proportions.f1_intervals",
    "F1Interval": "inference.proportions.f1_intervals",
    "fold_scores": "inference.folds.cross_validation",
    "folds_without_positives": "inference.folds.cross_validation",
    "out_of_fold_predictions": "inference.folds.cross_validation",
    "FoldScores": "inference.folds.results",
    "threshold_sweep": "ranking.sweep",
    "ThresholdSweep": "ranking.sweep",
    "BinaryCounts": "ranking.sweep",
    "BestThreshold": "ranking.sweep",
    "bootstrap": "inference.bootstraps.bootstrapping",
    "BootstrapResult": "inference.bootstraps.results",
    "compare": "inference.comparisons.comparing",
    "compare_unpaired": "inference.comparisons.comparing",
    "ComparisonResult": "inference.comparisons.results",
    "delong_interval": "inference.delong.areas",
    "delong_test": "inference.delong.areas",
    "DeLongResult": "inference.delong.results",
    "permutation_test": "inference.comparisons.permutation",
    "PermutationTestResult": "inference.comparisons.permutation",
    "curve_band": "inference.bootstraps.bands",
    "operating_point": "inference.bootstraps.operating",
    "CurveBand": "inference.bootstraps.band_results",
    "ConfidenceInterval": "inference.intervals",
    "evaluate": "report.evaluating",
    "EvaluationReport": "report.results",
    "Metric": "engine.description",
    "Statistic": "engine.description",
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
