"""Labels and probabilities, checked, and put as what happened against what was said.

Conventions
-----------
A binary forecast is the probability of outcome 1; a forecast of k classes has a column for each,
in the sorted order of the classes. Probabilities stay in the caller's type and become float64 a
block at a time, so nothing of the size of the data is made. An array of one entry (or row) stands
for n equal ones. Plain arrays reach a kernel at once: the kernel says whether labels other than 0
and 1, or numbers outside [0, 1], need a closer look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, LabelError, warn
from fastmetrics.input.arrays import as_array, check_lengths, check_not_empty, column, for_kernels
from fastmetrics.input.kinds import codes_of, judge
from fastmetrics.input.labels import Target, is_positive, named_labels
from fastmetrics.input.outcomes import PLAIN, plain_outcomes, positive_outcomes
from fastmetrics.input.validation import (
    aligned_weights,
    in_range,
    numbers,
    plain_weights,
    require_finite,
)
from fastmetrics.kernels.forecasts import check_probabilities

Floats = NDArray[np.float64]

BLOCK = 16_384  # entries; a block of float64 stays in the second-level cache
ONE: Floats = np.ones(1)  # not marked read-only: kernels would compile once more for it

# smallest difference from 0 and 1 that a type's logarithms are taken at
SMALLEST: dict[Any, float] = {
    np.dtype(kind): float(np.finfo(kind).eps) for kind in (np.float64, np.float32, np.float16)
}
RENAMED = "deprecated"  # scikit-learn's mark of a y_pred that was not passed
_DOUBLE, _SINGLE = np.dtype(np.float64), np.dtype(np.float32)


class BinaryForecast(NamedTuple):
    """What happened, and the probability that was given to outcome 1."""

    outcomes: NDArray[Any]  # (n,) 0 or 1
    probabilities: NDArray[Any]  # (n,) or (1,) float64 or float32
    weights: Floats  # (n,) or (1,)
    smallest: float  # bound of probabilities in logarithms
    checked: bool  # whether all is known to be fine

    def blocks(self) -> Iterable[tuple[NDArray[Any], Floats, Floats]]:
        """Outcomes, float64 probabilities and weights of a block of rows."""
        if len(self.outcomes) <= BLOCK:
            return ((self.outcomes, _doubles(self.probabilities), self.weights),)
        return _sliced(self, BLOCK)


class ClassForecast(NamedTuple):
    """What happened, and the probability that was given to each of k classes."""

    outcomes: NDArray[Any]  # (n,) columns that came true, or (n, k) 0 and 1
    probabilities: NDArray[Any]  # (n, k) or (1, k) float64 or float32
    weights: Floats  # (n,) or (1,)
    smallest: float  # bound of probabilities in logarithms

    def blocks(self) -> Iterable[tuple[NDArray[Any], Floats, Floats]]:
        """Outcomes, float64 probabilities and weights of a block of rows."""
        height = max(64, BLOCK // self.probabilities.shape[1])
        if len(self.outcomes) <= height:
            return ((self.outcomes, _doubles(self.probabilities), self.weights),)
        return _sliced(self, height)


Forecast = BinaryForecast | ClassForecast


def _sliced(forecast: Forecast, height: int) -> Iterator[tuple[NDArray[Any], Floats, Floats]]:
    """Blocks of so many rows; an entry that stands for all rows stays."""
    probabilities, weights = forecast.probabilities, forecast.weights
    for start in range(0, len(forecast.outcomes), height):
        rows = slice(start, start + height)
        block = probabilities if len(probabilities) == 1 else probabilities[rows]
        row_weights = weights if weights.size == 1 else weights[rows]
        yield forecast.outcomes[rows], _doubles(block), row_weights


def _doubles(probabilities: NDArray[Any]) -> Floats:
    """The same in float64."""
    return probabilities if probabilities.dtype is _DOUBLE else probabilities.astype(np.float64)


def total_weight(forecast: Forecast) -> float:
    """Weight of all rows."""
    one = forecast.weights.size == 1
    return float(len(forecast.outcomes) * forecast.weights[0] if one else forecast.weights.sum())


def plain_forecast(
    y_true: Any, y_prob: Any, sample_weight: ArrayLike | None, pos_label: object
) -> BinaryForecast | None:
    """A binary forecast in plain arrays, unchecked; None for all that needs preparation."""
    if type(y_true) is not np.ndarray or type(y_prob) is not np.ndarray:
        return None
    dtype = y_prob.dtype
    if dtype != _DOUBLE and dtype != _SINGLE:
        return None
    if y_true.ndim != 1 or y_true.shape != y_prob.shape or not len(y_true):
        return None
    if not (y_true.flags.carray and y_prob.flags.carray):
        return None
    outcomes = plain_outcomes(y_true, pos_label)
    if outcomes is None:
        return None
    row_weights = ONE
    if sample_weight is not None:
        weighed = plain_weights(sample_weight, len(y_true))
        # where text is read at length, the probabilities are judged before the weights
        text = y_true.dtype not in PLAIN
        if weighed is None and (text or np.shape(sample_weight) != y_true.shape):
            return None
        row_weights = weighed[0] if weighed else _weights(sample_weight, y_true=y_true)
    return BinaryForecast(outcomes, y_prob, row_weights, SMALLEST[dtype], False)


def _weights(sample_weight: ArrayLike | None, **rows: NDArray[Any]) -> Floats:
    """Weights (n,), or (1,) where there are none; all arrays have one number of rows."""
    if sample_weight is None:
        check_lengths(**rows)
        return ONE
    found = in_range(aligned_weights(sample_weight, **rows))
    return ONE if found is None else found


class Probabilities(NamedTuple):
    """Probabilities in [0, 1]."""

    values: NDArray[Any]  # (n,) or (n, k) float64 or float32
    smallest: float  # bound of probabilities in logarithms
    complete: bool  # whether those of a row sum to 1, within the precision of their type


def read_probabilities(y_prob: ArrayLike, name: str) -> Probabilities:
    """Probabilities (n,) or (n, k) of any container."""
    array = as_array(y_prob, name)
    check_not_empty(array, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim > 2:
        raise InputError(f"Found array with dim {array.ndim}, while dim <= 2 is required: {name}")
    smallest = SMALLEST.get(array.dtype, SMALLEST[_DOUBLE])
    if array.dtype.kind == "O":
        array = numbers(array, name)
    elif array.dtype.kind not in "biuf":
        raise InputError(f"{name} has dtype {array.dtype}: probabilities are numbers")
    elif array.dtype != _DOUBLE and array.dtype != _SINGLE:
        array = array.astype(np.float64)
    values = for_kernels(array)
    width = values.size // len(values)
    inside, complete = check_probabilities(values.reshape(-1), width, _tolerance(smallest))
    if not inside:
        raise _no_probabilities(values, name)
    return Probabilities(values, smallest, complete)


def _tolerance(smallest: float) -> float:
    """How far from 1 the probabilities of a row may sum to."""
    return float(smallest**0.5 + 1e-8)


def _no_probabilities(array: NDArray[Any], name: str) -> InputError:
    """What to say of what lies outside [0, 1]; NaN and infinity are refused here."""
    require_finite(array, name)
    low, high = float(array.min()), float(array.max())
    if high > 1.0:
        row = int(np.argmax(array > 1)) // (array.size // len(array))
        return InputError(
            f"y_prob contains values greater than 1: {name} reaches {high:.6g}, first above 1 at "
            f"row {row}"
        )
    row = int(np.argmax(array < 0)) // (array.size // len(array))
    return InputError(
        f"y_prob contains values less than 0: {name} reaches {low:.6g}, first below 0 at row {row}"
    )


def read_forecast(
    y_true: ArrayLike, y_prob: ArrayLike, labels: ArrayLike | None, sample_weight: ArrayLike | None
) -> Forecast:
    """Labels of any kind and a column of probabilities for each class, or one of two classes."""
    probabilities, smallest, complete = read_probabilities(y_prob, "y_proba")
    found = _judged(y_true)
    weights = _weights(sample_weight, y_proba=probabilities, y_true=found.values)
    classes = _classes(found, labels)
    if probabilities.ndim == 2 and not complete:
        _warn_of_row_sums(probabilities, smallest)
    width = 2 if probabilities.ndim == 1 else probabilities.shape[1]
    if len(classes) != width:
        raise _other_width(classes, width, labels is not None)
    if found.kind == "multilabel-indicator":
        if probabilities.ndim == 1:
            probabilities = np.stack([1 - probabilities, probabilities], axis=1)
        return ClassForecast(found.values, probabilities, weights, smallest)
    if probabilities.ndim == 1:
        outcomes = is_positive(found.values, classes[1])
        return BinaryForecast(outcomes, probabilities, weights, smallest, True)
    return ClassForecast(codes_of(found.values, classes), probabilities, weights, smallest)


def _judged(y_true: ArrayLike) -> Target:
    """Labels and their kind; numbers held as objects count as numbers."""
    found = judge(y_true)
    if found.kind == "unknown" and found.values.dtype.kind == "O":
        found = judge(np.array(found.values.tolist()))
    return found


def _classes(found: Target, labels: ArrayLike | None) -> NDArray[Any]:
    """The classes (k,) of the columns, two at least."""
    if found.kind in ("multiclass-multioutput", "continuous-multioutput"):
        raise InputError("Multioutput target data is not supported with label binarization")
    if found.kind == "multilabel-indicator":
        if labels is not None:
            raise InputError("labels= has no use for a y_true of label indicators: leave it out")
        return np.arange(found.values.shape[1])
    if found.kind not in ("binary", "multiclass"):
        raise InputError(f"Unknown label type: y_true is {found.kind}, classes are needed")
    if labels is not None:
        return _named_classes(labels, found)
    if len(found.classes) == 1:
        raise LabelError(
            f"y_true contains only one label ({found.classes[0]}). Please provide the list of all "
            "expected class labels explicitly through the labels argument."
        )
    return found.classes


def _named_classes(labels: ArrayLike, found: Target) -> NDArray[Any]:
    """The classes named by the caller, sorted; a warning where they came in another order."""
    named = named_labels(labels)
    classes = np.unique(named)
    shown = str(labels)
    if len(classes) != len(named):
        raise InputError(f"labels names a class twice: {shown}")
    if not (classes == named).all():
        warn(
            f"Labels passed were {shown}. But this function assumes labels are ordered "
            f"lexicographically. Pass the ordered labels={classes.tolist()} and ensure that the "
            "columns of y_prob correspond to this ordering."
        )
    unknown = set(found.classes.tolist()) - set(classes.tolist())
    if unknown:
        raise LabelError(
            f"y_true contains values {unknown} not belonging to the passed labels {shown}."
        )
    if len(classes) == 1:
        raise LabelError(f"The labels array needs to contain at least two labels, got {classes}.")
    return classes


def _other_width(classes: NDArray[Any], width: int, named: bool) -> InputError:
    """What to say when there is not one column per class."""
    if named:
        return InputError(
            "The number of classes in labels is different from that in y_prob. Classes found in "
            f"labels: {classes}, columns of y_proba: {width}"
        )
    return InputError(
        "y_true and y_prob contain different number of classes: "
        f"{len(classes)} vs {width}. Please provide the true labels explicitly through the labels "
        f"argument. Classes found in y_true: {classes}"
    )


def _warn_of_row_sums(probabilities: NDArray[Any], smallest: float) -> None:
    """Warn where the probabilities of a row do not sum to one, within their type's precision."""
    tolerance = _tolerance(smallest)
    height = max(64, BLOCK // probabilities.shape[1])
    ones = np.ones(probabilities.shape[1])
    for start in range(0, len(probabilities), height):
        sums = probabilities[start : start + height] @ ones
        if sums.min() < 1.0 - tolerance or sums.max() > 1.0 + tolerance:
            row = int(np.argmax(np.abs(sums - 1.0) > tolerance))
            warn(
                "The y_prob values do not sum to one. Make sure to pass probabilities. Row "
                f"{start + row} sums to {sums[row]:.6g}"
            )
            return


def read_binary_forecast(
    y_true: ArrayLike, y_prob: ArrayLike, pos_label: object, sample_weight: ArrayLike | None
) -> BinaryForecast:
    """Two labels and the probability of the positive one, by the rule of the Brier score."""
    probabilities, smallest, _ = read_probabilities(y_prob, "y_proba")
    found = _judged(y_true)
    probabilities = column(probabilities, "y_proba")
    weights = _weights(sample_weight, y_proba=probabilities, y_true=found.values)
    if found.kind == "multilabel-indicator":
        raise InputError(f"y should be a 1d array, got an array of shape {found.values.shape}")
    if found.kind != "binary":
        raise InputError(
            f"The type of the target inferred from y_true is {found.kind} but should be binary "
            "according to the shape of y_prob."
        )
    outcomes = positive_outcomes(found, pos_label)
    return BinaryForecast(outcomes, probabilities, weights, smallest, True)


def read_labelled(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    labels: Callable[[ArrayLike, object], NDArray[Any]],
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> BinaryForecast:
    """Labels that are positive by a rule of ``_labels``, and the probability of a positive."""
    probabilities, smallest, _ = read_probabilities(y_prob, "y_prob")
    probabilities = column(probabilities, "y_prob")
    outcomes = labels(y_true, pos_label)
    weights = _weights(sample_weight, y_true=outcomes, y_prob=probabilities)
    return BinaryForecast(outcomes, probabilities, weights, smallest, True)


def read_positive_or_all(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    pos_label: object,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> Forecast:
    """A forecast of the positive class, or of as many classes as there are columns."""
    shape = np.shape(y_prob)
    if len(shape) == 1 or shape[1:] == (1,):
        return read_binary_forecast(y_true, y_prob, pos_label, sample_weight)
    return read_forecast(y_true, y_prob, labels, sample_weight)


def under_new_name(y_proba: ArrayLike | None, y_pred: ArrayLike | str) -> ArrayLike:
    """The probabilities, also where they came as ``y_pred``, with scikit-learn's warning."""
    if isinstance(y_pred, str) and y_pred == RENAMED:
        if y_proba is None:
            raise InputError("y_proba is missing: pass the probabilities")
        return y_proba
    if y_proba is not None:
        raise InputError(
            "Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead."
        )
    warn(
        "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use "
        "`y_proba` instead.",
        FutureWarning,
    )
    return y_pred
