from fastmetrics import batch as batch
from fastmetrics import errors as errors
from fastmetrics.at_thresholds import (
    confusion_matrix_at_thresholds as confusion_matrix_at_thresholds,
)
from fastmetrics.at_thresholds import metric_at_thresholds as metric_at_thresholds
from fastmetrics.bootstrapping import bootstrap as bootstrap
from fastmetrics.compilation import warmup as warmup
from fastmetrics.curves import auc as auc
from fastmetrics.curves import det_curve as det_curve
from fastmetrics.curves import precision_recall_curve as precision_recall_curve
from fastmetrics.curves import roc_curve as roc_curve
from fastmetrics.description import Metric as Metric
from fastmetrics.description import Statistic as Statistic
from fastmetrics.intervals import ConfidenceInterval as ConfidenceInterval
from fastmetrics.operating_points import ks_statistic as ks_statistic
from fastmetrics.operating_points import precision_at_recall as precision_at_recall
from fastmetrics.operating_points import (
    recall_at_false_positive_rate as recall_at_false_positive_rate,
)
from fastmetrics.pairs import gini_score as gini_score
from fastmetrics.pairs import pairwise_auc as pairwise_auc
from fastmetrics.pairs import rank_auc as rank_auc
from fastmetrics.ranking import average_precision_score as average_precision_score
from fastmetrics.ranking import roc_auc_score as roc_auc_score
from fastmetrics.registry import metric as metric
from fastmetrics.registry import metric_names as metric_names
from fastmetrics.results import BootstrapResult as BootstrapResult
from fastmetrics.sweep import BestThreshold as BestThreshold
from fastmetrics.sweep import BinaryCounts as BinaryCounts
from fastmetrics.sweep import ThresholdSweep as ThresholdSweep
from fastmetrics.sweep import threshold_sweep as threshold_sweep

__version__: str
__all__: list[str]
