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

from fastmetrics.engine.description import Metric
from fastmetrics.engine.inputs import (
    BinaryData,
    column_names,
    has_columns,
    read_rows,
)
from fastmetrics.engine.readings.answers import ModelData, TrueData, from_scores, reads
from fastmetrics.errors import InputError
from fastmetrics.inference.arguments.classes import (
    called,
    decision_codes,
    for_classes,
    has_several_classes,
    in_class_order,
    names_classes,
    positive_column,
    sorted_classes,
)
from fastmetrics.input.arrays import as_array, check_lengths, check_not_empty, column
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.validation import encode_scores, in_range, require_no_missing
from fastmetrics.input.validation import weights as read_weights


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
    if names and (y_true is None or not names_classes(names, y_true)):
        return _named(names, value, name)
    return {None: value}


def _named(keys: list[Any], columns: Any, name: str) -> dict[str | None, Any]:
    """Columns of a mapping or frame by the text of their keys."""
    texts = [str(key) for key in keys]
    for text in texts:
        if texts.count(text) > 1:
            raise ValueError(f"{name} has two columns called {text!r}: rename one")
    return {text: columns[key] for text, key in zip(texts, keys)}


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
    asked, truth = arguments.metrics, arguments.y_true
    if has_several_classes(asked, truth, arguments.pos_label, scored, decided):
        classes = sorted_classes(np.asarray(given), scored, decided)
        codes = np.searchsorted(classes, column(np.asarray(given), "y_true"))
        return TrueData(n, None, codes, classes.size, weights, given), classes
    labels = binary_labels(arguments.y_true, arguments.pos_label)
    return TrueData(n, labels, labels, 2, weights, given), None


def _read_model(
    arguments: Arguments,
    true: TrueData,
    classes: npt.NDArray[Any] | None,
    name: str | None,
    y_score: Any,
    y_pred: Any,
) -> ModelData:
    """Validate what one model says."""
    y_score = _checked(y_score, called("y_score", name), true.n)
    if true.labels is not None and y_score is not None and has_columns(y_score):
        y_score = positive_column(y_score, arguments.pos_label, true.given)
    decisions = None
    if y_pred is not None and arguments.reads_values is None and true.codes is not None:
        decisions = decision_codes(
            y_pred, called("y_pred", name), arguments.pos_label, true, classes
        )
    elif classes is not None and y_score is not None:
        decisions = np.argmax(in_class_order(y_score, classes), axis=1)
    value = y_score
    if y_pred is not None and (arguments.reads_values or y_score is None):
        value = _checked(y_pred, called("y_pred", name), true.n)
    metrics = tuple(for_classes(metric, classes) for metric in arguments.metrics)
    found = ModelData(
        name, metrics, None, decisions, {}, None if value is None else np.asarray(value)
    )
    return _with_scores(found, arguments, true, y_score, value)


def _with_scores(
    model: ModelData, arguments: Arguments, true: TrueData, y_score: Any, value: Any
) -> ModelData:
    """Add thresholds, scores for sweeps, and what terms and measures read."""
    if true.labels is not None and any(from_scores(metric, model) for metric in model.metrics):
        name = called("y_score", model.name)
        if y_score is None:
            raise ValueError("pass y_score, or y_pred for metrics of decisions")
        encoded = encode_scores(column(as_array(y_score, name), name), name)
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
            name = called("y_score", model.name)
            pair = read_rows(metric, truth, what, None, arguments.pos_label, score_name=name)[:2]
            check_lengths(**{"y_true": pair[0], name: pair[1]})
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


def _threshold_of(threshold: Any, model: str | None) -> float | None:
    """Return the threshold of a model."""
    if isinstance(threshold, Mapping):
        found = threshold.get(model)
        return None if found is None else float(found)
    return None if threshold is None else float(threshold)
