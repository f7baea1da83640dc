"""What a call costs, seen at 100 rows: every function of scikit-learn's names, by kind of data.

Conventions
-----------
A kind of data is what functions are given: labels of a type, probabilities, targets, lists. It
comes plain, and with ``sample_weight`` too where a function takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from benchmarks import agreement, data
from benchmarks.catalogue import Function, bind, function_case
from benchmarks.data import Columns
from benchmarks.kinds import Group, RatioCase, Rival, Size
from benchmarks.lines import Bar
from benchmarks.processes import ColdCallsCase
from benchmarks.rivals import Call

ROWS = 100
BAR = 40

Make = Callable[[int], Columns]


@dataclass(frozen=True)
class Kind:
    """A kind of data, and what is computed on it.

    Parameters
    ----------
    name : for the command line
    work : what the table says
    make : number of rows to data
    functions : called on it
    weighted : those of them that are called with weights, too
    """

    name: str
    work: str
    make: Make
    functions: tuple[Function, ...]
    weighted: tuple[str, ...] = ()

    def calls(self) -> Iterator[tuple[Function, bool]]:
        """Yield every function, and whether with weights."""
        for function in self.functions:
            yield function, False
            if function.name in self.weighted:
                yield function, True

    def columns(self, weighted: bool, size: Size) -> Columns:
        """Data of a size."""
        return (data.weighted(self.make) if weighted else self.make)(size.n)

    def cases(self) -> Iterator[RatioCase]:
        """Yield a case for each call."""
        size = Size(ROWS, rounds=7, calls=200)
        for function, weighted in self.calls():
            yield function_case(
                function,
                partial(self.columns, weighted),
                size,
                f"{'_weighted' * weighted}_{self.name}_{ROWS}",
                f", {self.work}{', weighted' * weighted}",
            )


def called(*names: str, bar: float | None = BAR, **options: object) -> tuple[Function, ...]:
    """Functions that are called with the same options."""
    return tuple(Function(name, bar, options) for name in names)


COUNTED = (
    "confusion_matrix",
    "multilabel_confusion_matrix",
    "accuracy_score",
    "balanced_accuracy_score",
    "hamming_loss",
    "zero_one_loss",
    "matthews_corrcoef",
    "cohen_kappa_score",
)
AVERAGED = ("precision_score", "recall_score", "f1_score", "jaccard_score")
SWEPT = (
    "roc_auc_score",
    "average_precision_score",
    "roc_curve",
    "precision_recall_curve",
    "det_curve",
    "confusion_matrix_at_thresholds",
)
FORECASTS = ("log_loss", "brier_score_loss", "d2_log_loss_score", "d2_brier_score")
ERRORS = (
    "mean_squared_error",
    "root_mean_squared_error",
    "mean_absolute_error",
    "median_absolute_error",
    "mean_absolute_percentage_error",
    "mean_pinball_loss",
    "r2_score",
    "explained_variance_score",
    "d2_absolute_error_score",
    "d2_pinball_score",
)
LOGARITHMIC = ("mean_squared_log_error", "root_mean_squared_log_error")
REPORT = called("classification_report", output_dict=True)
OF_TWO = (*called(*COUNTED), *called("class_likelihood_ratios"), *REPORT)
OF_FIVE = (*called(*COUNTED), *called(*AVERAGED, average="macro"), *REPORT)


def _bins(**options: object) -> Function:
    """The calibration curve."""
    return Function("calibration_curve", BAR, options, home="sklearn.calibration")


def _rounded(*names: str) -> tuple[Function, ...]:
    """Functions of float32, whose sums scikit-learn keeps in float32 too."""
    return tuple(Function(name, BAR, check=agreement.same_float32) for name in names)


KINDS = (
    Kind(
        "integers_2",
        "2 classes of integers",
        partial(data.make_classes, classes=2),
        (*OF_TWO, *called(*AVERAGED), *called("fbeta_score", beta=2.0)),
        (*COUNTED, *AVERAGED, "classification_report"),
    ),
    Kind("integers_5", "5 classes of integers", partial(data.make_classes, classes=5), OF_FIVE),
    Kind(
        "text_2",
        "2 classes of text",
        partial(data.make_classes, classes=2, strings=True),
        (*OF_TWO, *called(*AVERAGED, pos_label="class 1")),
    ),
    Kind(
        "text_5",
        "5 classes of text",
        partial(data.make_classes, classes=5, strings=True),
        OF_FIVE,
    ),
    Kind("objects_5", "5 classes of Python strings", data.make_objects, OF_FIVE),
    Kind(
        "indicators",
        "indicators of 5 labels",
        data.make_indicators,
        (
            *called("accuracy_score", "hamming_loss", "zero_one_loss"),
            *called("multilabel_confusion_matrix"),
            *called(*AVERAGED, average="samples"),
        ),
    ),
    Kind(
        "scores",
        "scores of 2 classes",
        data.make_scores,
        (*called(*SWEPT), *called("hinge_loss")),
        SWEPT,
    ),
    Kind(
        "part",
        "up to a false positive rate of 0.1",
        data.make_scores,
        called("roc_auc_score", max_fpr=0.1),
    ),
    Kind(
        "probabilities",
        "probabilities of 2 classes",
        data.make_scores,
        (*called(*FORECASTS), _bins()),
        FORECASTS,
    ),
    Kind("quantiles", "bins by quantiles", data.make_scores, (_bins(strategy="quantile"),)),
    Kind(
        "columns",
        "scores of 5 classes",
        data.make_class_columns,
        (
            *called(*FORECASTS),
            *called("hinge_loss", "top_k_accuracy_score", "average_precision_score"),
        ),
    ),
    Kind(
        "ovr",
        "one class against the rest",
        data.make_class_columns,
        called("roc_auc_score", multi_class="ovr"),
    ),
    Kind(
        "ovo",
        "one class against one",
        data.make_class_columns,
        called("roc_auc_score", multi_class="ovo"),
    ),
    Kind(
        "lists",
        "lists of 5",
        data.make_lists,
        called("dcg_score", "ndcg_score"),
    ),
    Kind(
        "labels",
        "5 labels a row",
        data.make_label_scores,
        called(
            "coverage_error",
            "label_ranking_average_precision_score",
            "label_ranking_loss",
            "roc_auc_score",
            "average_precision_score",
        ),
    ),
    Kind(
        "targets",
        "targets",
        data.make_targets,
        (
            *called(*ERRORS, *LOGARITHMIC, "max_error"),
            *called("mean_poisson_deviance", "mean_gamma_deviance"),
        ),
        (*ERRORS, *LOGARITHMIC, "mean_poisson_deviance", "mean_gamma_deviance"),
    ),
    Kind("float32", "targets in float32", data.make_small_targets, _rounded(*ERRORS, "max_error")),
    Kind("outputs", "3 outputs", data.make_outputs, called(*ERRORS)),
    *(
        Kind(
            f"power_{power}".replace("-", "minus_").replace(".", "_"),
            f"power {power:g}",
            data.make_targets,
            called("mean_tweedie_deviance", "d2_tweedie_score", power=power),
        )
        for power in (-1.0, 0.0, 1.0, 1.5, 2.0, 3.0)
    ),
)


def _all_columns(size: Size) -> list[Columns]:
    """Data of all calls."""
    return [kind.columns(weighted, size) for kind in KINDS for _, weighted in kind.calls()]


def _all_calls(ours: bool, problem: list[Columns], n_resamples: int) -> Call:
    """Every call once."""
    functions = [function for kind in KINDS for function, _ in kind.calls()]
    calls = [
        bind("fastmetrics" if ours else f.home, f.name, f.options, columns, n_resamples)
        for f, columns in zip(functions, problem)
    ]
    return lambda: tuple([call() for call in calls])


# each answer is asserted to all digits in the case of its own
_TOGETHER = RatioCase(
    "all_calls",
    "all of these calls together",
    Size(ROWS, rounds=7, calls=20),
    Size(ROWS, rounds=1),
    partial(_all_calls, True),
    (
        Rival(
            "scikit-learn",
            "sklearn",
            partial(_all_calls, False),
            agreement.same_float32,
            Bar("speedup", BAR),
        ),
    ),
    make=_all_columns,
)
_CASES = tuple(case for kind in KINDS for case in kind.cases())
CALLS = Group(
    "calls",
    f"What a call costs, {ROWS} rows",
    (_TOGETHER, *_CASES),
)
COLD_CALLS = ColdCallsCase(
    "cold_calls",
    "First call of a function in a new process, nothing cached",
    tuple(case.name for case in _CASES),
    Bar("seconds", 6),
)
