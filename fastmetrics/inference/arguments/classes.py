"""Labels of a bootstrap: two classes or several, the columns of each, and decisions as codes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.classification import confusion_formulas, formulas
from fastmetrics.engine.description import Metric
from fastmetrics.engine.inputs import column_names, has_columns
from fastmetrics.engine.readings.answers import TrueData
from fastmetrics.engine.statistics import AT_CUTS, SWEPT
from fastmetrics.engine.sweeps.units import Integers
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.labels import binary_labels, is_positive
from fastmetrics.input.validation import require_no_missing

Columns = dict[str | None, Any]

# formula on two classes to the metric on several
_SEVERAL_CLASSES = {
    two.formula: several
    for several in confusion_formulas.SEVERAL_CLASSES
    for two in formulas.METRICS
    if two.name == several.name
}


def called(name: str, model: str | None) -> str:
    """Name of an argument, or of one model's part of it."""
    return name if model is None else f"{name}[{model!r}]"


def names_classes(names: list[Any], y_true: Any) -> bool:
    """Whether columns are named by the labels."""
    labels = set(np.unique(as_array(y_true, "y_true")).tolist())
    return labels <= set(names) and len(labels) > 1


def has_several_classes(
    metrics: Sequence[Metric], y_true: Any, pos_label: Any, scored: Columns, decided: Columns
) -> bool:
    """Whether labels are read as classes, none of them the positive one.

    Parameters
    ----------
    metrics : what is asked
    y_true, pos_label : of the call
    scored, decided : y_score and y_pred of each model
    """
    if pos_label is not None:
        return False
    columns = next(iter(scored.values()), None)
    if columns is not None and has_columns(columns) and np.shape(columns)[1] > 2:
        return True
    if any(metric.statistic.kind in SWEPT[:3] for metric in metrics):
        return False
    judging = [metric for metric in metrics if metric.statistic.kind in AT_CUTS]
    given = as_array(y_true, "y_true")
    try:
        binary_labels(y_true)
    except LabelError:
        named = [metric for metric in judging if metric.statistic.kind == "counts"]
        two = np.unique(given).size <= 2
        # one score per row is that of the positive class
        if two and judging and not decided and columns is not None and not has_columns(columns):
            return False
        return not (two and any(metric.formula not in _SEVERAL_CLASSES for metric in named))
    averaged = judging and all(metric.statistic.kind == "confusion" for metric in judging)
    return bool(averaged) and any(
        _unknown(_labels(value, called("y_pred", model)), given) for model, value in decided.items()
    )


def sorted_classes(given: npt.NDArray[Any], scored: Columns, decided: Columns) -> npt.NDArray[Any]:
    """Sorted labels of all columns."""
    require_no_missing(given, "y_true")
    columns = [column(given, "y_true")]
    columns += [_labels(value, called("y_pred", model)) for model, value in decided.items()]
    try:
        parts = [np.unique(labels) for labels in columns]
        for value in scored.values():
            names = column_names(value)
            if names and set(parts[0].tolist()) <= set(names):
                parts.append(np.array(names))
        # NumPy makes text of numbers that stand beside text
        if len({isinstance(label, str) for part in parts for label in part.tolist()}) > 1:
            raise TypeError
        return np.unique(np.concatenate(parts))
    except TypeError:
        raise LabelError("y_true and y_pred hold labels of different types") from None


def _labels(y_pred: Any, name: str) -> npt.NDArray[Any]:
    """Predicted labels (n,), none of them missing."""
    labels = column(as_array(y_pred, name), name)
    require_no_missing(labels, name)
    return labels


def _unknown(labels: npt.NDArray[Any], given: npt.NDArray[Any]) -> list[Any]:
    """Predicted labels that are none of the two classes of y_true."""
    known = set(np.unique(given).tolist())
    for pair in ({0, 1}, {-1, 1}):
        if known <= pair:
            known = pair
            break
    return [label for label in np.unique(labels).tolist() if label not in known]


def positive_column(y_score: Any, pos_label: Any, given: Any) -> Any:
    """Return the scores (n,) of the positive class out of the columns of all classes."""
    names = column_names(y_score)
    labels = np.unique(np.asarray(given))
    positive = labels[-1] if pos_label is None else pos_label
    if names and positive in names:
        return np.asarray(y_score[positive])
    array = np.asarray(y_score)
    # of two classes one may not occur
    classes = max(labels.size, 2)
    if array.shape[1] != classes:
        raise InputError(
            f"y_score has {array.shape[1]} columns for {classes} classes: give the positive "
            "class's scores, or a mapping with a column per model"
        )
    place = classes - 1 if pos_label is None else int(np.searchsorted(labels, positive))
    return np.ascontiguousarray(array[:, min(place, classes - 1)])


def in_class_order(y_score: Any, classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
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


def decision_codes(
    y_pred: Any, name: str, pos_label: Any, true: TrueData, classes: npt.NDArray[Any] | None
) -> Integers:
    """Codes (n,) of the predicted classes."""
    labels = _labels(y_pred, name)
    if len(labels) != true.n:
        raise InputError(f"{name} has {len(labels):,} rows, the data {true.n:,}")
    if classes is not None:
        return np.searchsorted(classes, labels)
    unknown = _unknown(labels, np.asarray(true.given))
    if unknown:
        raise LabelError(f"{name} holds {unknown[0]!r}, which y_true does not")
    return is_positive(labels, 1 if pos_label is None else pos_label).astype(np.int64)


def for_classes(metric: Metric, classes: npt.NDArray[Any] | None) -> Metric:
    """Return the version of a metric for several classes."""
    if classes is None or metric.statistic.kind not in SWEPT:
        return metric
    if metric.formula in _SEVERAL_CLASSES:
        return dataclasses.replace(_SEVERAL_CLASSES[metric.formula], name=metric.name)
    average = "f1_macro" if metric.statistic.kind == "counts" else "roc_auc_ovr"
    raise ValueError(
        f"{metric.name} is of two classes, y_true holds {classes.size}: name the positive one, "
        f"pos_label={classes.tolist()[-1]!r}, or ask for an average, such as {average}"
    )
