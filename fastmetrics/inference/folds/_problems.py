"""What the metrics of a cross validation read, and their values on some of the rows.

Conventions
-----------
One problem is of values, of two classes with scores, or of labels predicted for several classes.
Labels are text or whole numbers; their classes are those of all rows, also in a fold that lacks
one. A fold without weight has no values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification.confusion_formulas import SEVERAL_CLASSES
from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.evaluation import evaluate_metrics
from fastmetrics.engine.inputs import read_binary, read_decisions
from fastmetrics.errors import InputError
from fastmetrics.inference.arguments.options import check_callables
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.codes import count, pairs_of
from fastmetrics.input.columns import read_columns
from fastmetrics.input.validation import aligned_weights
from fastmetrics.ranking._lists import number_array

_SEVERAL = {metric.name: metric for metric in SEVERAL_CLASSES}
_NOT_SWEPT = ("sums", "rows", "confusion")


@dataclass(frozen=True, eq=False)
class Problem:
    """All rows, and the metrics to take of them.

    Parameters
    ----------
    metrics : with their thresholds
    truth, said : (n,) what was true and what was scored or predicted
    weights : (n,) or None
    binary : whether truth is 1 for a positive row, else 0
    classes : labels of a problem of several classes, else None
    """

    metrics: Sequence[Metric]
    truth: NDArray[Any]
    said: NDArray[Any]
    weights: Floats | None
    binary: bool = False
    classes: NDArray[Any] | None = None

    def values(self, rows: NDArray[np.intp]) -> list[float]:
        """Value of each metric on some rows."""
        truth, said = self.truth[rows], self.said[rows]
        weights = None if self.weights is None else self.weights[rows]
        if weights is not None and not weights.any():
            return [float("nan")] * len(self.metrics)
        swept = [m for m in self.metrics if self.binary and m.statistic.kind not in _NOT_SWEPT]
        found: dict[str, Any] = {}
        if swept:
            found.update(
                zip((m.name for m in swept), evaluate_metrics(swept, truth, said, weights))
            )
        full = np.ones(len(rows)) if weights is None else weights
        for metric in self.metrics:
            if metric.name not in found:
                found[metric.name] = self._evaluate(metric, truth, said, full)
        return [float(found[metric.name]) for metric in self.metrics]

    def _evaluate(
        self, metric: Metric, truth: NDArray[Any], said: NDArray[Any], weights: Floats
    ) -> Floats:
        """Value of a metric of row terms, of all rows at once, or of a confusion matrix."""
        statistic = metric.statistic
        if statistic.kind == "confusion":
            classes = np.array([0, 1]) if self.classes is None else self.classes
            if self.classes is None:
                truth, said = truth.astype(np.int64), (said >= statistic.parameter).astype(np.int64)
            counted = count(*read_columns(truth, said, weights))
            sums = pairs_of(counted, classes).ravel().astype(np.float64)
        elif statistic.terms is not None:
            sums = weights @ statistic.terms(truth.astype(np.float64), said.astype(np.float64))
        elif statistic.measure is not None:
            both = truth.astype(np.float64), said.astype(np.float64)
            sums = np.atleast_1d(statistic.measure(*both, weights))  # a function gives one number
        else:
            raise InputError(f"{metric.name} is no metric of such data")
        with np.errstate(divide="ignore", invalid="ignore"):
            return metric.formula(sums)


def read_problem(
    metrics: Sequence[Metric],
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike | None,
    threshold: float | None,
    pos_label: object,
) -> Problem:
    """Validate what the metrics read."""
    of_values = [metric.input == "value" for metric in metrics]
    if any(of_values) and not all(of_values):
        raise InputError("metrics of values and of classes do not mix: make two calls")
    check_callables(metrics, "multinomial", sample_weight)
    if any(of_values):
        truth = column(number_array(y_true, "y_true"), "y_true").astype(np.float64)
        said = column(number_array(y_score, "y_score"), "y_score").astype(np.float64)
        weights = aligned_weights(sample_weight, y_true=truth, y_score=said)
        return Problem(metrics, truth, said, weights)
    predicted = column(as_array(y_score, "y_score"), "y_score")
    labels = _are_labels(predicted)
    if labels and any(metric.statistic.kind == "confusion" for metric in metrics):
        return _of_classes(metrics, y_true, predicted, sample_weight)
    decisions = labels and predicted.dtype.kind in "UO"
    scores = read_decisions(y_true, predicted, pos_label) if decisions else y_score
    data = read_binary(y_true, scores, sample_weight, pos_label=pos_label)
    cut = data.with_thresholds(metrics, threshold)
    return Problem(cut, data.labels, data.scores, data.weights, binary=True)


def _are_labels(predicted: NDArray[Any]) -> bool:
    """Whether a column (n,) holds text or whole numbers."""
    if predicted.dtype.kind == "O":
        return isinstance(predicted[0], str)
    if predicted.dtype.kind == "f":
        return bool((predicted == np.floor(predicted)).all())
    return True


def _of_classes(
    metrics: Sequence[Metric],
    y_true: ArrayLike,
    predicted: NDArray[Any],
    sample_weight: ArrayLike | None,
) -> Problem:
    """Labels predicted for several classes, metrics of decisions as those of several classes."""
    several = [
        metric if metric.statistic.kind == "confusion" else _SEVERAL.get(metric.name)
        for metric in metrics
    ]
    missing = [metric.name for metric, found in zip(metrics, several) if found is None]
    if missing:
        raise InputError(f"{missing[0]} is no metric of predicted labels of several classes")
    columns, _ = read_columns(y_true, predicted, None)
    weights = aligned_weights(sample_weight, y_true=columns.y_true, y_score=columns.y_pred)
    classes = count(columns).classes
    found = [metric for metric in several if metric is not None]
    return Problem(found, columns.y_true, columns.y_pred, weights, classes=classes)
