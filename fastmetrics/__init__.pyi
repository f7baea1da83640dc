from fastmetrics import batch as batch
from fastmetrics import errors as errors
from fastmetrics import plots as plots
from fastmetrics import simulation as simulation
from fastmetrics.classification.accuracy import accuracy_score as accuracy_score
from fastmetrics.classification.accuracy import balanced_accuracy_score as balanced_accuracy_score
from fastmetrics.classification.accuracy import hamming_loss as hamming_loss
from fastmetrics.classification.accuracy import zero_one_loss as zero_one_loss
from fastmetrics.classification.agreement import class_likelihood_ratios as class_likelihood_ratios
from fastmetrics.classification.agreement import cohen_kappa_score as cohen_kappa_score
from fastmetrics.classification.agreement import matthews_corrcoef as matthews_corrcoef
from fastmetrics.classification.class_report import classification_report as classification_report
from fastmetrics.classification.confusion import confusion_matrix as confusion_matrix
from fastmetrics.classification.confusion import (
    multilabel_confusion_matrix as multilabel_confusion_matrix,
)
from fastmetrics.classification.f_scores import f1_score as f1_score
from fastmetrics.classification.f_scores import fbeta_score as fbeta_score
from fastmetrics.classification.f_scores import (
    precision_recall_fscore_support as precision_recall_fscore_support,
)
from fastmetrics.classification.hinge import hinge_loss as hinge_loss
from fastmetrics.classification.macro_averages import f1_of_macro_averages as f1_of_macro_averages
from fastmetrics.classification.macro_averages import micro_macro_gap as micro_macro_gap
from fastmetrics.classification.negative_rates import (
    false_positive_rate_score as false_positive_rate_score,
)
from fastmetrics.classification.negative_rates import (
    negative_predictive_value_score as negative_predictive_value_score,
)
from fastmetrics.classification.negative_rates import specificity_score as specificity_score
from fastmetrics.classification.rates import jaccard_score as jaccard_score
from fastmetrics.classification.rates import precision_score as precision_score
from fastmetrics.classification.rates import recall_score as recall_score
from fastmetrics.compilation import warmup as warmup
from fastmetrics.decisions.costs import CostCurve as CostCurve
from fastmetrics.decisions.costs import bayes_threshold as bayes_threshold
from fastmetrics.decisions.costs import best_threshold as best_threshold
from fastmetrics.decisions.costs import cost_curve as cost_curve
from fastmetrics.decisions.costs import iso_cost_slope as iso_cost_slope
from fastmetrics.decisions.net_benefits import net_benefit as net_benefit
from fastmetrics.engine.description import Metric as Metric
from fastmetrics.engine.description import Statistic as Statistic
from fastmetrics.inference.bootstraps.band_results import CurveBand as CurveBand
from fastmetrics.inference.bootstraps.bands import curve_band as curve_band
from fastmetrics.inference.bootstraps.bootstrapping import bootstrap as bootstrap
from fastmetrics.inference.bootstraps.operating import operating_point as operating_point
from fastmetrics.inference.bootstraps.results import BootstrapResult as BootstrapResult
from fastmetrics.inference.comparisons.comparing import compare as compare
from fastmetrics.inference.comparisons.comparing import compare_unpaired as compare_unpaired
from fastmetrics.inference.comparisons.permutation import (
    PermutationTestResult as PermutationTestResult,
)
from fastmetrics.inference.comparisons.permutation import permutation_test as permutation_test
from fastmetrics.inference.comparisons.results import ComparisonResult as ComparisonResult
from fastmetrics.inference.delong.areas import delong_interval as delong_interval
from fastmetrics.inference.delong.areas import delong_test as delong_test
from fastmetrics.inference.delong.results import DeLongResult as DeLongResult
from fastmetrics.inference.folds.cross_validation import fold_scores as fold_scores
from fastmetrics.inference.folds.cross_validation import (
    folds_without_positives as folds_without_positives,
)
from fastmetrics.inference.folds.cross_validation import (
    out_of_fold_predictions as out_of_fold_predictions,
)
from fastmetrics.inference.folds.results import FoldScores as FoldScores
from fastmetrics.inference.intervals import ConfidenceInterval as ConfidenceInterval
from fastmetrics.inference.proportions.binomial import ProportionInterval as ProportionInterval
from fastmetrics.inference.proportions.binomial import proportion_interval as proportion_interval
from fastmetrics.inference.proportions.binomial import wald_interval as wald_interval
from fastmetrics.inference.proportions.binomial import wilson_interval as wilson_interval
from fastmetrics.inference.proportions.f1_intervals import F1Interval as F1Interval
from fastmetrics.inference.proportions.f1_intervals import f1_interval as f1_interval
from fastmetrics.inference.proportions.mcnemar import McNemarResult as McNemarResult
from fastmetrics.inference.proportions.mcnemar import mcnemar_test as mcnemar_test
from fastmetrics.probability.calibration import (
    expected_calibration_error as expected_calibration_error,
)
from fastmetrics.probability.calibration import (
    maximum_calibration_error as maximum_calibration_error,
)
from fastmetrics.probability.calibration_line import calibration_intercept as calibration_intercept
from fastmetrics.probability.calibration_line import calibration_slope as calibration_slope
from fastmetrics.probability.decomposition import BrierDecomposition as BrierDecomposition
from fastmetrics.probability.decomposition import brier_decomposition as brier_decomposition
from fastmetrics.probability.losses import brier_score_loss as brier_score_loss
from fastmetrics.probability.losses import log_loss as log_loss
from fastmetrics.probability.recalibration import PlattScaling as PlattScaling
from fastmetrics.probability.reliability import ReliabilityCurve as ReliabilityCurve
from fastmetrics.probability.reliability import calibration_curve as calibration_curve
from fastmetrics.probability.reliability import reliability_curve as reliability_curve
from fastmetrics.probability.skill import d2_brier_score as d2_brier_score
from fastmetrics.probability.skill import d2_log_loss_score as d2_log_loss_score
from fastmetrics.ranking.areas import average_precision_score as average_precision_score
from fastmetrics.ranking.areas import roc_auc_score as roc_auc_score
from fastmetrics.ranking.at_thresholds import (
    confusion_matrix_at_thresholds as confusion_matrix_at_thresholds,
)
from fastmetrics.ranking.at_thresholds import metric_at_thresholds as metric_at_thresholds
from fastmetrics.ranking.curves import auc as auc
from fastmetrics.ranking.curves import det_curve as det_curve
from fastmetrics.ranking.curves import precision_recall_curve as precision_recall_curve
from fastmetrics.ranking.curves import roc_curve as roc_curve
from fastmetrics.ranking.label_ranking import coverage_error as coverage_error
from fastmetrics.ranking.label_ranking import (
    label_ranking_average_precision_score as label_ranking_average_precision_score,
)
from fastmetrics.ranking.label_ranking import label_ranking_loss as label_ranking_loss
from fastmetrics.ranking.lists import dcg_score as dcg_score
from fastmetrics.ranking.lists import ndcg_score as ndcg_score
from fastmetrics.ranking.operating_points import ks_statistic as ks_statistic
from fastmetrics.ranking.operating_points import precision_at_recall as precision_at_recall
from fastmetrics.ranking.operating_points import (
    recall_at_false_positive_rate as recall_at_false_positive_rate,
)
from fastmetrics.ranking.pairs import gini_score as gini_score
from fastmetrics.ranking.pairs import pairwise_auc as pairwise_auc
from fastmetrics.ranking.pairs import rank_auc as rank_auc
from fastmetrics.ranking.sweep import BestThreshold as BestThreshold
from fastmetrics.ranking.sweep import BinaryCounts as BinaryCounts
from fastmetrics.ranking.sweep import ThresholdSweep as ThresholdSweep
from fastmetrics.ranking.sweep import threshold_sweep as threshold_sweep
from fastmetrics.ranking.top_classes import top_k_accuracy_score as top_k_accuracy_score
from fastmetrics.ranking.top_rows import lift_at_k as lift_at_k
from fastmetrics.ranking.top_rows import precision_at_k as precision_at_k
from fastmetrics.ranking.top_rows import recall_at_k as recall_at_k
from fastmetrics.registry import metric as metric
from fastmetrics.registry import metric_names as metric_names
from fastmetrics.regression.absolute_errors import max_error as max_error
from fastmetrics.regression.absolute_errors import mean_absolute_error as mean_absolute_error
from fastmetrics.regression.absolute_errors import median_absolute_error as median_absolute_error
from fastmetrics.regression.deviance import d2_tweedie_score as d2_tweedie_score
from fastmetrics.regression.deviance import mean_gamma_deviance as mean_gamma_deviance
from fastmetrics.regression.deviance import mean_poisson_deviance as mean_poisson_deviance
from fastmetrics.regression.deviance import mean_tweedie_deviance as mean_tweedie_deviance
from fastmetrics.regression.explained import explained_variance_score as explained_variance_score
from fastmetrics.regression.explained import r2_score as r2_score
from fastmetrics.regression.pinball import d2_absolute_error_score as d2_absolute_error_score
from fastmetrics.regression.pinball import d2_pinball_score as d2_pinball_score
from fastmetrics.regression.pinball import mean_pinball_loss as mean_pinball_loss
from fastmetrics.regression.scaled_errors import mape_optimal_constant as mape_optimal_constant
from fastmetrics.regression.scaled_errors import (
    mean_absolute_percentage_error as mean_absolute_percentage_error,
)
from fastmetrics.regression.scaled_errors import (
    mean_absolute_scaled_error as mean_absolute_scaled_error,
)
from fastmetrics.regression.squared_errors import mean_squared_error as mean_squared_error
from fastmetrics.regression.squared_errors import mean_squared_log_error as mean_squared_log_error
from fastmetrics.regression.squared_errors import root_mean_squared_error as root_mean_squared_error
from fastmetrics.regression.squared_errors import (
    root_mean_squared_log_error as root_mean_squared_log_error,
)
from fastmetrics.report.evaluating import evaluate as evaluate
from fastmetrics.report.results import EvaluationReport as EvaluationReport

__version__: str
__all__: list[str]
