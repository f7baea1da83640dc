"""What a bootstrap reads: labels, and the scores, decisions or values of one model or several.

Conventions
-----------
A mapping, or a frame, holds one column per model. An array of several columns, or a frame whose
columns are named by the labels, holds the class columns of one model.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.classification import confusion_formulas, formulas
from fastmetrics.engine.answers import ModelData, TrueData, from_scores, reads
from fastmetrics.engine.description import Metric
from fastmetrics.engine.inputs import (
    BinaryData,
    column_names,
    has_columns,
    in_range,
    read_rows,
)
from fastmetrics.engine.statistics import AT_CUTS, SWEPT
from fastmetrics.engine.units import Integers
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.labels import binary_labels, is_positive
from fastmetrics.input.validation import (
    as_array,
    check_lengths,
    check_not_empty,
    column,
    encode_scores,
    require_no_missing,
)
from fastmetrics.input.validation import weights as read_weights

# formula on two classes to the metric on several
_SEVERAL_CLASSES = {
    two.formula: several
    for several in confusion_formulas.SEVERAL_CLASSES
    for two in formulas.METRICS
    if two.name == several.name
}


@dataclass(frozen=True)
class Arguments:
    """The data of a call as they were passed, and how they are to be read.

    Parameters
    ----------
    y_true, y_score, y_pred, sample_weight, pos_label, threshold : of the call
    metrics : what is asked
    """

    y_true: Any
    y_score: Any
    y_pred: Any
    sample_weight: Any
    pos_label: Any
    threshold: Any
    metrics: Sequence[Metric]

    @property
    def reads_scores(self) -> Metric | None:
        """The first metric that needs scores."""
        for metric in self.metrics:
            if metric.input in ("score", "probability"):
                return metric
        return None

    @property
    def reads_labels(self) -> bool:
        """Whether a metric judges decisions."""
        return any(metric.statistic.kind in AT_CUTS for metric in self.metrics)

    @property
    def reads_values(self) -> Metric | None:
        """The first metric that compares values."""
        for metric in self.metrics:
            kind, data = metric.statistic.kind, metric.statistic.data
            if metric.input == "value" and kind != "callable" and data != "alone":
                return metric
        return None

    @property
    def free(self) -> bool:
        """Whether no metric needs labels that are read as such."""
        return all(
            metric.statistic.kind == "callable" or metric.statistic.data == "alone"
            for metric in self.metrics
        )


def read_sample(arguments: Arguments) -> tuple[TrueData, tuple[ModelData, ...]]:
    """Validate the data of a call.

    Raises
    ------
    ValueError
        The message names the argument, the model, and the call that works.
    """
    _check_kinds(arguments)
    scored = _models(arguments.y_score, "y_score", arguments.y_true)
    decided = _models(arguments.y_pred, "y_pred", None)
    if not scored and not decided:
        raise ValueError("pass y_score, or y_pred for metrics of decisions")
    if scored and decided and set(scored) != set(decided):
        raise ValueError(
            f"y_score holds the models {_listed(scored)}, y_pred {_listed(decided)}: give both the "
            "same"
        )
    names = list(scored or decided)
    if isinstance(arguments.threshold, Mapping):
        unknown = set(arguments.threshold) - set(names)
        if unknown or not any(name is not None for name in names):
            raise ValueError(
                f"threshold names the model {next(iter(arguments.threshold))!r}, the models are "
                f"{_listed(names)}"
            )
    true, classes = _read_truth(arguments, scored, decided)
    models = tuple(
        _read_model(arguments, true, classes, name, scored.get(name), decided.get(name))
        for name in names
    )
    return true, models


def _check_kinds(arguments: Arguments) -> None:
    """Refuse metrics that cannot be asked together, or without the argument they read."""
    values, scores = arguments.reads_values, arguments.reads_scores
    labels = [metric for metric in arguments.metrics if metric.input == "label"]
    for other in (scores, *labels[:1]):
        if values is not None and other is not None and other.statistic.kind != "callable":
            raise ValueError(
                f"{values.name} compares values and {other.name} judges classes: ask for them in "
                "two calls"
            )
    if scores is not None and arguments.y_score is None and arguments.y_pred is not None:
        raise ValueError(f"{scores.name} reads scores: pass y_score, not only y_pred")
    if arguments.y_true is None and not arguments.free:
        needs = next(m for m in arguments.metrics if m.statistic.data != "alone")
        raise InputError(f"y_true is None: {needs.name} compares with it")


def _listed(names: Any) -> str:
    return ", ".join(map(repr, names))


def _models(value: Any, name: str, y_true: Any) -> dict[str | None, Any]:
    """Return the columns of the models by name; None names the only one."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        if not value:
            raise ValueError(f"{name} is an empty mapping: give a column per model")
        return _named(list(value), value, name)
    names = column_names(value)
    if names and (y_true is None or not _names_classes(names, y_true)):
        return _named(names, value, name)
    return {None: value}


def _named(keys: list[Any], columns: Any, name: str) -> dict[str | None, Any]:
    """Columns of a mapping or frame by the text of their keys."""
    texts = [str(key) for key in keys]
    for text in texts:
        if texts.count(text) > 1:
            raise ValueError(f"{name} has two columns called {text!r}: rename one")
    return {text: columns[key] for text, key in zip(texts, keys)}


def _names_classes(names: list[Any], y_true: Any) -> bool:
    """Whether columns are named by the labels."""
    labels = set(np.unique(as_array(y_true, "y_true")).tolist())
    return labels <= set(names) and len(labels) > 1


def _read_truth(
    arguments: Arguments, scored: dict[str | None, Any], decided: dict[str | None, Any]
) -> tuple[TrueData, npt.NDArray[Any] | None]:
    """Labels or targets, and the sorted classes where there are several."""
    first = next(iter((scored or decided).values()))
    given = None
    if arguments.y_true is not None:
        given = as_array(arguments.y_true, "y_true")
        check_not_empty(given, "y_true")
    n = len(as_array(first, "y_score" if scored else "y_pred") if given is None else given)
    weights = in_range(read_weights(arguments.sample_weight, n))
    lists = any(metric.statistic.data == "lists" for metric in arguments.metrics)
    if arguments.free or arguments.reads_values or lists:
        return TrueData(n, weights=weights, given=given), None
    if _has_several_classes(arguments, given, first if scored else None):
        classes = _classes(given, scored, decided)
        codes = np.searchsorted(classes, column(np.asarray(given), "y_true"))
        return TrueData(n, None, codes, classes.size, weights, given), classes
    labels = binary_labels(arguments.y_true, arguments.pos_label)
    return TrueData(n, labels, labels, 2, weights, given), None


def _has_several_classes(arguments: Arguments, given: Any, columns: Any) -> bool:
    """Whether labels are read as classes, none of them the positive one."""
    if arguments.pos_label is not None:
        return False
    if columns is not None and has_columns(columns) and np.shape(columns)[1] > 2:
        return True
    if any(metric.statistic.kind in SWEPT[:3] for metric in arguments.metrics):
        return False
    try:
        binary_labels(arguments.y_true)
    except LabelError:
        named = [m for m in arguments.metrics if m.statistic.kind == "counts"]
        two = np.unique(given).size <= 2
        # one score per row is that of the positive class
        scored = columns is not None and arguments.y_pred is None and not has_columns(columns)
        if two and scored and arguments.reads_labels:
            return False
        return not (two and any(metric.formula not in _SEVERAL_CLASSES for metric in named))
    return False


def _classes(given: Any, scored: Any, decided: Any) -> npt.NDArray[Any]:
    """Sorted labels of all columns."""
    parts = [np.unique(column(given, "y_true"))]
    require_no_missing(given, "y_true")
    for model, value in decided.items():
        labels = column(as_array(value, _called("y_pred", model)), "y_pred")
        parts.append(np.unique(labels))
    for value in scored.values():
        names = column_names(value)
        if names and set(parts[0].tolist()) <= set(names):
            parts.append(np.array(names))
    try:
        return np.unique(np.concatenate(parts))
    except TypeError:
        raise LabelError("y_true and y_pred hold labels of different types") from None


def _called(name: str, model: str | None) -> str:
    return name if model is None else f"{name}[{model!r}]"


def _read_model(
    arguments: Arguments,
    true: TrueData,
    classes: npt.NDArray[Any] | None,
    name: str | None,
    y_score: Any,
    y_pred: Any,
) -> ModelData:
    """Validate what one model says."""
    y_score = _checked(y_score, _called("y_score", name), true.n)
    if true.labels is not None and y_score is not None and has_columns(y_score):
        y_score = _positive_column(y_score, arguments, true)
    decisions = None
    if y_pred is not None and arguments.reads_values is None and true.codes is not None:
        decisions = _decisions(y_pred, _called("y_pred", name), arguments, true, classes)
    elif classes is not None and y_score is not None:
        decisions = np.argmax(_in_class_order(y_score, classes), axis=1)
    value = y_score
    if y_pred is not None and (arguments.reads_values or y_score is None):
        value = _checked(y_pred, _called("y_pred", name), true.n)
    metrics = tuple(_for_classes(metric, classes) for metric in arguments.metrics)
    found = ModelData(
        name, metrics, None, decisions, {}, None if value is None else np.asarray(value)
    )
    return _with_scores(found, arguments, true, y_score, value)


def _with_scores(
    model: ModelData, arguments: Arguments, true: TrueData, y_score: Any, value: Any
) -> ModelData:
    """Add thresholds, scores for sweeps, and what terms and measures read."""
    if true.labels is not None and any(from_scores(metric, model) for metric in model.metrics):
        called = _called("y_score", model.name)
        if y_score is None:
            raise ValueError("pass y_score, or y_pred for metrics of decisions")
        encoded = encode_scores(column(as_array(y_score, called), called), called)
        data = BinaryData(true.labels, encoded.values, None, encoded.distinct)
        threshold = _threshold_of(arguments.threshold, model.name)
        model = dataclasses.replace(
            model,
            scores=data.scores,
            metrics=tuple(
                data.with_thresholds([metric], threshold)[0]
                if from_scores(metric, model)
                else metric
                for metric in model.metrics
            ),
        )
    for metric in model.metrics:
        if metric.statistic.kind in ("sums", "rows") and reads(metric) not in model.pairs:
            what = value if metric.input == "value" else y_score
            truth = what if metric.statistic.data == "alone" else arguments.y_true
            pair = read_rows(metric, truth, what, None, arguments.pos_label)[:2]
            check_lengths(y_true=pair[0], **{_called("y_score", model.name): pair[1]})
            model.pairs[reads(metric)] = pair
    return model


def _checked(value: Any, name: str, n: int) -> Any:
    """Refuse what no metric can read; frames stay frames, for the names of their columns."""
    if value is None:
        return None
    array = as_array(value, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
        value = array
    if array.ndim == 2 and array.shape[0] != n and array.shape[1] == n:
        raise InputError(f"{name} has shape {array.shape}: one row per sample, pass {name}.T")
    if array.ndim == 1 and array.dtype.kind in "biuf":
        encode_scores(array, name)
    else:
        require_no_missing(array, name)
    if len(array) != n:
        raise InputError(f"y_true has {n:,} rows, {name} has {len(array):,} rows")
    return value if column_names(value) else array


def _positive_column(y_score: Any, arguments: Arguments, true: TrueData) -> Any:
    """Return the scores of the positive class out of two columns."""
    names = column_names(y_score)
    labels = np.unique(np.asarray(true.given))
    positive = labels[-1] if arguments.pos_label is None else arguments.pos_label
    if names and positive in names:
        return np.asarray(y_score[positive])
    array = np.asarray(y_score)
    if array.shape[1] != 2:
        raise InputError(
            f"y_score has {array.shape[1]} columns for two classes: give the positive class's "
            "scores, or a mapping with a column per model"
        )
    place = 1 if arguments.pos_label is None else int(np.searchsorted(labels, positive))
    return np.ascontiguousarray(array[:, min(place, 1)])


def _in_class_order(y_score: Any, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return class columns (n, K) in the order of the sorted classes."""
    names = column_names(y_score)
    array = np.asarray(y_score)
    if names and set(classes.tolist()) <= set(names):
        return array[:, [names.index(label) for label in classes.tolist()]]
    if array.ndim != 2 or array.shape[1] != classes.size:
        raise InputError(
            f"y_score has shape {array.shape} for {classes.size} classes: give a column for each "
            "class in sorted order, or y_pred"
        )
    return array


def _decisions(
    y_pred: Any,
    name: str,
    arguments: Arguments,
    true: TrueData,
    classes: npt.NDArray[Any] | None,
) -> Integers:
    """Codes (n,) of the predicted classes."""
    labels = column(as_array(y_pred, name), name)
    require_no_missing(labels, name)
    if len(labels) != true.n:
        raise InputError(f"{name} has {len(labels):,} rows, the data {true.n:,}")
    if classes is not None:
        return np.searchsorted(classes, labels)
    known = set(np.unique(np.asarray(true.given)).tolist())
    for pair in ({0, 1}, {-1, 1}):
        if known <= pair:
            known = pair
            break
    unknown = [label for label in np.unique(labels).tolist() if label not in known]
    if unknown:
        raise LabelError(f"{name} holds {unknown[0]!r}, which y_true does not")
    positive = 1 if arguments.pos_label is None else arguments.pos_label
    return is_positive(labels, positive).astype(np.int64)


def _for_classes(metric: Metric, classes: npt.NDArray[Any] | None) -> Metric:
    """Return the version of a metric for several classes."""
    if classes is None or metric.statistic.kind != "counts":
        return metric
    if metric.formula in _SEVERAL_CLASSES:
        return dataclasses.replace(_SEVERAL_CLASSES[metric.formula], name=metric.name)
    raise ValueError(
        f"{metric.name} is of two classes, y_true holds {classes.size}: name the positive one, "
        f"pos_label={classes.tolist()[-1]!r}, or ask for an average, such as f1_macro"
    )


def _threshold_of(threshold: Any, model: str | None) -> float | None:
    """Return the threshold of a model."""
    if isinstance(threshold, Mapping):
        found = threshold.get(model)
        return None if found is None else float(found)
    return None if threshold is None else float(threshold)
