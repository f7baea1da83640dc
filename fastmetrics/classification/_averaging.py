"""Rates of classes, labels or samples, and their averages, with scikit-learn's conventions.

Conventions
-----------
A rate is a formula on tp, fp, fn, tn that is nan for 0/0. ``zero_division`` says what that becomes:
"warn" is 0 and a warning; nan is left out of averages. Micro averages add the counts up first;
weighted averages weigh a class by its true rows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification import formulas as _formulas
from fastmetrics.engine.description import Formula
from fastmetrics.errors import InputError, LabelError, invalid_parameter, warn, warn_undefined
from fastmetrics.input.arrays import as_array
from fastmetrics.input.codes import Confusion, count, counts_of
from fastmetrics.input.columns import UNIT, Columns, Indicators, Weights, read_targets
from fastmetrics.input.labels import named_labels
from fastmetrics.input.options import check_choice, check_pos_label
from fastmetrics.kernels import confusion as _kernels

Values = NDArray[np.float64]
_AVERAGES = ("binary", "micro", "macro", "weighted", "samples", None)


class Rate(NamedTuple):
    """A formula, and what its warning says of it."""

    name: str
    formula: Formula
    missing: str  # of which there are no rows when it is 0/0


PRECISION = Rate("precision", _formulas.precision, "predicted")
RECALL = Rate("recall", _formulas.recall, "true")
JACCARD = Rate("jaccard", _formulas.jaccard, "true or predicted")
SPECIFICITY = Rate("specificity", _formulas.specificity, "negative")
NEGATIVE_PREDICTIVE_VALUE = Rate(
    "negative predictive value", _formulas.negative_predictive_value, "unflagged"
)
FALSE_POSITIVE_RATE = Rate("false positive rate", _formulas.false_positive_rate, "negative")


class Groups(NamedTuple):
    """Counts of what is averaged over, and how."""

    counts: NDArray[Any]  # (G, 4): one row per class, label or sample; one in all for micro
    average: str | None
    importance: Values | None  # (G,), None where all weigh the same


def f_score(beta: float) -> Rate:
    """F-beta; at its ends it is precision or recall themselves."""
    if beta == 0:
        return PRECISION
    if beta > _formulas.LARGEST_BETA:
        return RECALL

    def formula(counts: Values) -> Values:
        return _formulas.f_beta(counts, beta)

    return Rate("f-score", formula, "true nor predicted")


def check_zero_division(caller: str, value: object, *, nan: bool = True) -> float:
    """What 0/0 becomes."""
    if isinstance(value, str) and value == "warn":
        return 0.0
    if isinstance(value, Real):
        number = float(value)
        if number in (0.0, 1.0) or (nan and math.isnan(number)):
            return number
    choices = "0, 1, nan or 'warn'" if nan else "0, 1 or 'warn'"
    raise invalid_parameter(
        f"The 'zero_division' parameter of {caller} must be {choices}. Got {value!r} instead."
    )


def read_groups(
    caller: str,
    y_true: Any,
    y_pred: Any,
    labels: ArrayLike | None,
    pos_label: object,
    average: str | None,
    sample_weight: ArrayLike | None,
) -> Groups:
    """Counts of the classes, labels or samples that are averaged over."""
    check_choice(caller, "average", average, _AVERAGES)
    if type(pos_label) is not int:
        check_pos_label(caller, pos_label)
    targets, weights = read_targets(y_true, y_pred, sample_weight)
    if average != "binary" and pos_label not in (None, 1):
        warn(
            f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got "
            f"{average!r}). You may use labels=[pos_label] to specify a single positive class."
        )
    if average == "binary":
        counts = _positive_counts(targets, weights, pos_label)
    else:
        counts = target_counts(targets, weights, labels, samplewise=average == "samples")
    return group(counts, average, weights)


def group(counts: NDArray[Any], average: str | None, weights: Weights = UNIT) -> Groups:
    """Counts (G, 4) as they are averaged."""
    importance = None
    if average == "micro":
        counts = np.add.reduce(counts, axis=0, keepdims=True)
    elif average == "weighted":
        importance = (counts[:, 0] + counts[:, 2]).astype(np.float64, copy=False)
    elif average == "samples" and weights.size > 1:
        importance = weights.astype(np.float64, copy=False)
    return Groups(counts, average, importance)


def target_counts(
    targets: Columns | Indicators,
    weights: Weights,
    labels: ArrayLike | None = None,
    *,
    samplewise: bool = False,
) -> NDArray[Any]:
    """Counts (G, 4) of the classes or labels, all or those asked for, or of the samples."""
    if isinstance(targets, Indicators):
        return _indicator_counts(targets, weights, labels, samplewise)
    if samplewise:
        raise InputError(
            "Samplewise metrics are not available outside of multilabel classification."
        )
    return shown_counts(count(targets, weights), None if labels is None else label_column(labels))


def shown_counts(found: Confusion, labels: NDArray[Any] | None) -> NDArray[Any]:
    """Counts (L, 4) of the labels asked for, int64 for rows and float64 for any weights."""
    counts = found.counts if labels is None else counts_of(found, labels)
    return counts if found.weights is UNIT else counts.astype(np.float64, copy=False)


def _positive_counts(
    targets: Columns | Indicators, weights: Weights, pos_label: object
) -> NDArray[Any]:
    """Counts (1, 4) of the positive class out of two."""
    if isinstance(targets, Indicators):
        raise _not_binary("multilabel-indicator")
    found = count(targets, weights)
    classes = found.classes.tolist()
    if len(classes) > 2:
        raise _not_binary("multiclass")
    if pos_label in classes:
        place = classes.index(pos_label)
        return found.counts[place : place + 1]
    if len(classes) == 2 or isinstance(pos_label, str) != isinstance(classes[0], str):
        raise LabelError(
            f"pos_label={pos_label} is not a valid label. It should be one of {found.classes}"
        )
    return counts_of(found, np.array([pos_label]))


def label_column(labels: ArrayLike) -> NDArray[Any]:
    """Labels (L,) as an option names them."""
    array = as_array(labels, "labels")
    return array if array.size == 0 else named_labels(array)


def _not_binary(kind: str) -> InputError:
    averages: list[str | None] = [None, "micro", "macro", "weighted"]
    if kind == "multilabel-indicator":
        averages.append("samples")
    return InputError(
        f"Target is {kind} but average='binary'. Please choose another average setting, one of "
        f"{averages!r}."
    )


def _indicator_counts(
    targets: Indicators, weights: Weights, labels: ArrayLike | None, samplewise: bool
) -> NDArray[Any]:
    """Counts (k, 4) of the labels, or (n, 4) of the samples, of label indicators."""
    y_true, y_pred = targets
    if labels is not None:
        places = _label_places(label_column(labels), y_true.shape[1])
        y_true, y_pred = y_true[:, places], y_pred[:, places]
    counted = _dense_counts if isinstance(y_true, np.ndarray) else _sparse_counts
    if not samplewise:
        return counted(y_true, y_pred, weights, False)
    counts = counted(y_true, y_pred, UNIT, True)
    return counts if weights is UNIT else counts * weights[:, None]


def _dense_counts(y_true: Any, y_pred: Any, weights: Weights, samplewise: bool) -> NDArray[Any]:
    """Counts (G, 4) of flags (n, k) in arrays."""
    if weights is not UNIT:
        weights = weights.astype(np.float64, copy=False)
    counts = np.zeros((y_true.shape[0 if samplewise else 1], 4), weights.dtype)
    flags = np.ascontiguousarray(y_true), np.ascontiguousarray(y_pred)
    _kernels.count_flags(*flags, weights, samplewise, counts)
    return counts


def _sparse_counts(y_true: Any, y_pred: Any, weights: Weights, samplewise: bool) -> NDArray[Any]:
    """Counts (G, 4) of flags (n, k) in csr_arrays."""
    four = y_true.multiply(y_pred), y_true, y_pred, y_true.maximum(y_pred)
    if samplewise:
        tp, true, predicted, either = (np.asarray(flags.sum(axis=1)) for flags in four)
        return _stacked(tp, true, predicted, y_true.shape[1] - either)
    tp, true, predicted, either = (_label_sums(flags, weights) for flags in four)
    if weights is UNIT:
        return _stacked(tp, true, predicted, y_true.shape[0] - either)
    there = weights > 0
    missed = _label_sums(four[3], there) < there.sum()  # exactly none, whatever rounds
    negatives = np.maximum(weights.sum() - either, 0.0)
    return _stacked(tp, true, predicted, np.where(missed, negatives, 0.0))


def _stacked(
    tp: NDArray[Any], true: NDArray[Any], predicted: NDArray[Any], tn: NDArray[Any]
) -> NDArray[Any]:
    """Counts (G, 4)."""
    return np.stack([tp, predicted - tp, true - tp, tn], axis=1)


def _label_sums(flags: Any, weights: NDArray[Any]) -> NDArray[Any]:
    """Weight of the flags (n, k) of each label."""
    if weights is UNIT:
        return np.asarray(flags.sum(axis=0))
    return np.asarray(weights.astype(np.float64) @ flags)


def _label_places(labels: NDArray[Any], size: int) -> NDArray[np.intp]:
    """Columns that are asked for by number."""
    if labels.dtype.kind not in "biu" and not (
        labels.dtype.kind == "f" and (labels % 1 == 0).all()
    ):
        raise LabelError(f"labels holds {labels.tolist()}: label indicators are named by column")
    if labels.size and labels.max() >= size:
        raise LabelError(
            "All labels must be in [0, n labels) for multilabel targets. "
            f"Got {labels.max()} > {size - 1}"
        )
    if labels.size and labels.min() < 0:
        raise LabelError(
            f"All labels must be in [0, n labels) for multilabel targets. Got {labels.min()} < 0"
        )
    return labels.astype(np.intp)


def rates(
    wanted: Sequence[Rate], groups: Groups, zero_division: float | str, warn_for: Collection[str]
) -> Values:
    """Rates of the groups (R, G), 0/0 as ``zero_division`` has it."""
    counts = groups.counts.astype(np.float64, copy=False)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.array([rate.formula(counts) for rate in wanted])
    if not any_nan(found):
        return found
    for rate, values in zip(wanted, found):
        undefined = np.isnan(values)
        if np.count_nonzero(undefined):
            values[undefined] = 0.0 if isinstance(zero_division, str) else zero_division
            if isinstance(zero_division, str) and rate.name in warn_for:
                warn_undefined(ill_defined(rate, groups.average, len(values)))
    return found


def any_nan(found: Values) -> bool:
    """Whether a rate is nan: seen in the sum of squares, in a fourth of the time of ``isnan``."""
    flat = found.ravel()
    return math.isnan(flat.dot(flat))


def ill_defined(rate: Rate, average: str | None, groups: int) -> str:
    """scikit-learn's words for 0/0 in one of the groups."""
    samples, labels = ("labels", "samples") if average == "samples" else ("samples", "labels")
    where = f"due to no {rate.missing} {samples}"
    if groups != 1:
        where = f"in {labels} with no {rate.missing} {samples}"
    return (
        f"{rate.name.capitalize()} is ill-defined and being set to 0.0 {where}. "
        "Use `zero_division` parameter to control this behavior."
    )


def averaged(found: Values, groups: Groups) -> list[float]:
    """Means of rates (R, G) over the groups, nan left out."""
    importance = groups.importance
    means = _means(found, importance)
    if not any(map(math.isnan, means)):
        return means
    means.clear()
    for values in found:
        kept = ~np.isnan(values)
        means += _means(values[None, kept], None if importance is None else importance[kept])
    return means


def _means(found: Values, importance: Values | None) -> list[float]:
    """Means of rates (R, G); groups without importance all count the same."""
    rows, groups = found.shape
    if groups == 0:
        return [math.nan] * rows
    total = 0 if importance is None else np.add.reduce(importance)
    if importance is None or total == 0:
        means: Values = np.add.reduce(found, axis=1) / groups
    else:
        means = np.add.reduce(found * importance, axis=1) / total
    return list(means.tolist())


def result(
    rate: Rate, groups: Groups, zero_division: float | str, warn_for: Collection[str]
) -> float | Values:
    """What a function of one rate returns: a number, or one for each group."""
    found = rates([rate], groups, zero_division, warn_for)
    if groups.average is None:
        values: Values = found[0]
        return values
    if found.size == 1:
        return float(found[0, 0])
    return averaged(found, groups)[0]


def score(
    caller: str,
    rate: Rate,
    y_true: Any,
    y_pred: Any,
    labels: ArrayLike | None,
    pos_label: object,
    average: str | None,
    sample_weight: ArrayLike | None,
    zero_division: float | str,
    warn_for: str | None = None,
) -> float | Values:
    """A drop-in function of one rate."""
    check_zero_division(caller, zero_division, nan=rate is not JACCARD)
    groups = read_groups(caller, y_true, y_pred, labels, pos_label, average, sample_weight)
    return result(rate, groups, zero_division, (warn_for or rate.name,))


def undefined_score(
    caller: str,
    rate: Rate,
    y_true: Any,
    y_pred: Any,
    labels: ArrayLike | None,
    pos_label: object,
    average: str | None,
    sample_weight: ArrayLike | None,
    zero_division: float | str,
) -> float | Values:
    """A function of our own of one rate: nan, with a warning, where it is undefined."""
    value = score(
        caller, rate, y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
    )
    if np.isnan(value).any():
        warn_undefined(f"{rate.name} is undefined, nan: there are no {rate.missing} rows")
    return value
