"""Matrices of lists: one row per list, one column per entry.

Conventions
-----------
Scores come out as contiguous float64 or float32 with the order and the ties of what was handed in.
A label is relevant when its entry is above 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, invalid_parameter
from fastmetrics.input.arrays import as_array, check_lengths, check_not_empty, for_kernels
from fastmetrics.input.validation import aligned_weights, encode_scores, numbers, require_finite

# types that need no preparation
_LABELS = frozenset(map(np.dtype, (np.int64, np.uint8, np.bool_)))
_SCORES = frozenset(map(np.dtype, (np.float64, np.float32)))
_ONE = np.ones(1)


def number_array(value: ArrayLike, name: str) -> NDArray[Any]:
    """Finite numbers of any shape and type; objects become float64."""
    array = as_array(value, name)
    check_not_empty(array, name)
    if array.dtype.kind == "O":
        array = numbers(array, name)
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name} has dtype {array.dtype}: numbers are needed")
    require_finite(array, name)
    return array


def require_matrix(array: NDArray[Any], name: str) -> None:
    """One row per list, in scikit-learn's words."""
    if array.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {array.ndim}D array instead: {name} has shape {array.shape}, "
            "give one row per list"
        )


def list_scores(value: ArrayLike, like: NDArray[Any]) -> NDArray[Any]:
    """Scores in step with a matrix of labels or gains."""
    array = as_array(value, "y_score")
    if like.ndim == 2:
        require_matrix(array, "y_score")
    check_lengths(y_true=like, y_score=array)
    if array.shape != like.shape:
        raise InputError(f"y_true and y_score have different shape: {like.shape} and {array.shape}")
    return encode_scores(array, "y_score").values


def relevant_labels(array: NDArray[Any], *, single: bool = False) -> NDArray[np.uint8]:
    """Label indicators (n, k) to 1 where a label is relevant, else 0.

    A single column counts as a list of one label where ``single`` allows it.
    """
    if array.ndim != 2 or not _is_indicator(array) or (array.shape[1] == 1 and not single):
        raise InputError(f"{_kind(array)} format is not supported")
    relevant = array if array.dtype.kind == "b" else array > 0
    return for_kernels(relevant).view(np.uint8)


def _is_indicator(array: NDArray[Any]) -> bool:
    """At most two values, all of them whole."""
    low, high = array.min(), array.max()
    if array.dtype.kind in "biu" and int(high) - int(low) <= 1:
        return True
    whole = float(low).is_integer() and float(high).is_integer()
    return whole and bool(((array == low) | (array == high)).all())


def _kind(array: NDArray[Any]) -> str:
    """scikit-learn's name of a target."""
    from sklearn.utils.multiclass import type_of_target

    return str(type_of_target(array, input_name="y_true"))


def indicators(value: Any) -> NDArray[Any]:
    """Label indicators of any container, sparse ones as bools; a stored zero is a zero."""
    if not type(value).__module__.startswith("scipy.sparse"):
        return number_array(value, "y_true")
    rows = value.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    if len(stored := np.unique(rows.data)) > 1:
        raise InputError(f"multiclass-multioutput format is not supported: y_true holds {stored}")
    dense: NDArray[Any] = (rows > 0).toarray()
    check_not_empty(dense, "y_true")
    return dense


def check_whole(caller: str, option: str, value: Any, *, none: bool) -> int | None:
    """A whole number from 1 up, or None where it may be left open."""
    if value is None and none:
        return None
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= 1:
        return int(value)
    raise invalid_parameter(
        f"The {option!r} parameter of {caller} must be an int in the range [1, inf)"
        f"{' or None' if none else ''}. Got {value!r} instead."
    )


def plain_lists(
    y_true: Any, y_score: Any, sample_weight: ArrayLike | None, *, dimensions: int = 2
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]] | None:
    """Scores (n, k), labels (n, k) or, of one dimension, (n,), and weights (n,) or (1,).

    Of plain arrays, unchecked but for their types and shapes; None for what needs preparation.
    """
    if type(y_true) is not np.ndarray or type(y_score) is not np.ndarray or y_score.ndim != 2:
        return None
    if y_true.dtype not in _LABELS or y_score.dtype not in _SCORES:
        return None
    n, k = y_score.shape
    if y_true.shape != (n, k)[:dimensions] or k < 2 or not n:
        return None
    if not (y_true.flags.carray and y_score.flags.carray):
        return None
    weights = aligned_weights(sample_weight, y_true=y_true, y_score=y_score)
    labels = y_true.view(np.uint8) if y_true.dtype == np.bool_ else y_true
    return y_score, labels, _ONE if weights is None else weights


def total_of(weights: NDArray[np.float64], n: int) -> float:
    """Total weight of n rows, given weights (n,) or (1,)."""
    return float(n) if weights is _ONE else float(weights.sum())


def mean_of_rows(values: NDArray[Any], weights: NDArray[np.float64] | None) -> float:
    """Mean (weighted) of one value per row."""
    if weights is None:
        return float(np.add.reduce(values, dtype=np.float64) / len(values))
    return float(np.average(values, weights=weights))
