"""What the functions of our own read: labels, scores and weights of one binary problem."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.statistics import AT_CUTS
from fastmetrics.engine.sweeps.units import Labels
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.arrays import as_array, check_lengths, column
from fastmetrics.input.codes import count, pairs_of
from fastmetrics.input.columns import read_columns
from fastmetrics.input.labels import binary_labels, is_positive, target
from fastmetrics.input.targets import read_targets, table
from fastmetrics.input.validation import encode_scores, in_range, require_finite
from fastmetrics.input.validation import weights as read_weights


@dataclass(frozen=True)
class BinaryData:
    """Validated labels (n,), scores (n,) and weights (n,) or None."""

    labels: Labels
    scores: npt.NDArray[np.floating]
    weights: Floats | None
    distinct: npt.NDArray[Any] | None = None  # where scores are ranks of these

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.labels.size

    @cached_property
    def numbers(self) -> npt.NDArray[np.floating]:
        """Scores (n,) as the numbers they stand for, to the precision of float64."""
        if self.distinct is None:
            return self.scores
        return self.distinct.astype(np.float64)[self.scores.astype(np.intp)]

    def with_thresholds(self, metrics: Sequence[Metric], threshold: float | None) -> list[Metric]:
        """Return the metrics with a threshold set in each label metric that has none yet."""
        return [self._with_threshold(metric, threshold) for metric in metrics]

    def _with_threshold(self, metric: Metric, threshold: float | None) -> Metric:
        """Return the metric with its threshold, if it has one."""
        if metric.statistic.kind not in AT_CUTS:
            return metric
        cut = metric.statistic.parameter
        if metric.input == "label" and np.isnan(cut):
            cut = self._default_cut(metric, threshold)
        if self.distinct is not None:
            cut = float(np.searchsorted(self.distinct.astype(np.float64), cut))
        return dataclasses.replace(metric, statistic=metric.statistic.with_parameter(cut))

    def _default_cut(self, metric: Metric, threshold: float | None) -> float:
        """Return the call's threshold, or 0.5 where all scores lie in [0, 1]."""
        if threshold is not None:
            return threshold
        low, high = float(self.numbers.min()), float(self.numbers.max())
        if low < 0.0 or high > 1.0:
            reached = low if low < 0.0 else high
            raise ValueError(
                f"scores reach {reached:.4g}, so {metric.name} has no default cut: "
                "pass threshold= or y_pred="
            )
        return 0.5


def read_binary(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    pos_label: Any = None,
    score_name: str = "y_score",
) -> BinaryData:
    """Validate labels, scores and weights; rows match by position."""
    labels = binary_labels(y_true, pos_label)
    encoded = encode_scores(column(as_array(y_score, score_name), score_name), score_name)
    check_lengths(**{"y_true": labels, score_name: encoded.values})
    weights = in_range(read_weights(sample_weight, labels.size))
    return BinaryData(labels, encoded.values, weights, distinct=encoded.distinct)


def read_decisions(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, pos_label: Any
) -> npt.NDArray[np.float64]:
    """Return decisions (n,) as scores of 0 and 1; a label that y_true does not know is refused."""
    decisions = column(as_array(y_pred, "y_pred"), "y_pred")
    known = set(np.unique(as_array(y_true, "y_true")).tolist())
    for pair in ({0, 1}, {-1, 1}):
        if known <= pair:
            known = pair
            break
    unknown = [label for label in np.unique(decisions).tolist() if label not in known]
    if unknown:
        raise LabelError(f"y_pred holds {unknown[0]!r}, which y_true does not")
    return is_positive(decisions, 1 if pos_label is None else pos_label).astype(np.float64)


def read_confusion(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> Floats:
    """Validate two columns of labels and return their confusion matrix (K * K,), rows are true.

    A class whose rows all weigh 0 is absent.
    """
    columns, weights = read_columns(y_true, y_pred, sample_weight)
    pairs: Floats = pairs_of(count(columns, weights)).astype(np.float64)
    present = pairs.any(axis=0) | pairs.any(axis=1)
    return in_range(pairs[np.ix_(present, present)].ravel())


def read_values(
    y_true: npt.ArrayLike, y_pred: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    """Validate targets and predictions of one output; weights are 1 where there are none."""
    targets = read_targets(y_true, y_pred, sample_weight)
    targets.require_finite()
    if len(targets.y_true) != 1:
        raise InputError(f"y_true has {len(targets.y_true)} outputs: pass one column")
    weights = np.broadcast_to(targets.weights, targets.n).astype(np.float64)
    return (
        targets.y_true[0].astype(np.float64),
        targets.y_pred[0].astype(np.float64),
        weights,
    )


def read_lists(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Floats]:
    """Validate relevance and scores (n, m), one list per row, and the weights (n,) of the lists."""
    truth, scored = as_array(y_true, "y_true"), as_array(y_score, "y_score")
    if truth.ndim != 2 or truth.shape != scored.shape:
        raise InputError(
            f"y_true has shape {truth.shape}, y_score {scored.shape}: give (n, m), a list per row"
        )
    weights = read_weights(sample_weight, len(truth))
    return truth, scored, np.ones(len(truth)) if weights is None else weights


def read_rows(
    metric: Metric,
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any = None,
    *,
    score_name: str = "y_score",
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], Floats]:
    """Validate what the terms or the measure of a metric read, and weights (n,)."""
    data = metric.statistic.data
    probabilities = metric.input == "probability"
    if data == "alone":
        values = column(table(y_score, score_name), score_name).astype(np.float64)
        require_finite(values, score_name)
        own = read_weights(sample_weight, values.size)
        return values, values, np.ones(values.size) if own is None else own
    if data == "lists":
        return read_lists(y_true, y_score, sample_weight)
    if data == "classes" and has_columns(y_score):
        return read_classes(
            y_true, y_score, sample_weight, probabilities=probabilities, name=score_name
        )
    if metric.input == "value":
        return read_values(y_true, y_score, sample_weight)
    binary = read_binary(y_true, y_score, sample_weight, pos_label=pos_label, score_name=score_name)
    if probabilities:
        _require_probabilities(binary.numbers, score_name)
    weights = np.ones(binary.n) if binary.weights is None else binary.weights
    return binary.labels.astype(np.float64), binary.numbers.astype(np.float64), weights


def column_names(frame: Any) -> list[Any]:
    """Names of the columns of a frame or an Arrow table; none of anything else."""
    if type(frame).__module__.startswith("pyarrow"):
        return list(getattr(frame, "column_names", ()))
    names = getattr(frame, "columns", None)
    return list(names) if names is not None and np.ndim(frame) == 2 else []


def has_columns(y_score: npt.ArrayLike) -> bool:
    """Whether there is more than one score per row."""
    return np.ndim(y_score) == 2 and np.shape(y_score)[1] > 1


def read_classes(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
    *,
    probabilities: bool,
    name: str = "y_score",
) -> tuple[npt.NDArray[np.int64], Floats, Floats]:
    """Validate labels and their scores (n, K): the row's column (n,), scores, and weights (n,).

    Columns stand in the order of the sorted classes, or are named by them.
    """
    found = target(y_true)
    if found.kind not in ("binary", "multiclass"):
        raise InputError(f"{found.kind} format is not supported: y_true holds labels")
    scored = encode_scores(as_array(y_score, name), name)
    check_lengths(**{"y_true": found.values, name: scored.values})
    # scores that float64 cannot tell apart are ranks, whose distances mean nothing
    values = scored.values if scored.distinct is None else scored.source
    if probabilities:
        _require_distributions(scored.source, name)
    weights = read_weights(sample_weight, len(values))
    classes, order = _class_columns(found.classes, y_score, values.shape[1])
    columns = np.ascontiguousarray(values[:, order], np.float64)
    codes = np.searchsorted(classes, found.values).astype(np.int64, copy=False)
    return codes, columns, np.ones(len(values)) if weights is None else weights


def _class_columns(
    present: npt.NDArray[Any], y_score: Any, n_columns: int
) -> tuple[npt.NDArray[Any], list[int]]:
    """Sorted classes (K,), and the column of each."""
    names = column_names(y_score)
    if set(present.tolist()) <= set(names):
        order = sorted(range(n_columns), key=names.__getitem__)
        return np.array([names[place] for place in order]), order
    if len(present) != n_columns:
        raise InputError(
            f"y_true holds {len(present)} classes, y_score has {n_columns} columns: give a column "
            "for each class in sorted order, or a frame whose columns are named by the classes"
        )
    return present, list(range(n_columns))


def _require_probabilities(scores: npt.NDArray[Any], name: str) -> None:
    """Refuse scores (any shape) outside [0, 1]."""
    low, high = float(scores.min()), float(scores.max())
    if low < 0.0 or high > 1.0:
        reached = low if low < 0.0 else high
        raise InputError(f"{name} reaches {reached:.4g}: probabilities lie in [0, 1]")


def _require_distributions(scores: npt.NDArray[Any], name: str) -> None:
    """Refuse rows (n, K) that are no probabilities of all classes."""
    _require_probabilities(scores, name)
    # the sum in the scores' own type: rows of float32 add up to 1 only to its precision
    sums = scores.sum(axis=1).astype(np.float64)
    wrong = ~np.isclose(sums, 1.0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"{name} sums to {sums[row]:.4g} in row {row}: probabilities of all classes sum to 1"
        )
