"""Scores, weights and other numbers from whatever the caller has.

Conventions
-----------
A column ``(n, 1)`` counts as ``(n,)``. Scores keep their order and their ties: a type wider than
float64 that would lose some is replaced by ranks. Nothing here imports scikit-learn unless an
option or a label needs its judgement.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError
from fastmetrics.input.arrays import (
    as_array,
    check_lengths,
    check_not_empty,
    column,
    entries_set,
    first_row_set,
    for_kernels,
)
from fastmetrics.kernels.sums import total_and_lowest

Weights = TypeVar("Weights", NDArray[np.float64], NDArray[np.float64] | None)

_FLOAT64 = np.dtype(np.float64)
_EXACT_INTEGERS = 2**53
_FEW = 10_000
_LARGEST_SUM = np.finfo(np.float64).max / 4  # doubled ranks and costs are finite, too
_LARGEST_EXPONENT = 256  # the product of four weights of this size still is a float64
_SMALLEST, _LARGEST = 2.0**-_LARGEST_EXPONENT, 2.0**_LARGEST_EXPONENT
_NARROW_INTEGERS = "?bBhHiI"
# types that turn into float64 without more ado
NARROW = frozenset(map(np.dtype, "?bBhHiIlLqQefd"))
_MISSING_TYPES = ("NoneType", "NAType", "NaTType")


class Scores(NamedTuple):
    """Scores as the kernels take them, and the way back."""

    values: NDArray[Any]  # contiguous float64 or float32, in the order of the source
    source: NDArray[Any]  # as handed in
    distinct: NDArray[Any] | None = None  # sorted, where values are ranks of these

    def restore(self, thresholds: NDArray[Any]) -> NDArray[Any]:
        """Entries of ``values`` to the scores handed in, in their own type."""
        if self.distinct is not None:
            restored: NDArray[Any] = self.distinct[thresholds.astype(np.intp)]
            return restored
        kept = self.source.dtype.kind == "O" or self.source.dtype == thresholds.dtype
        return thresholds if kept else thresholds.astype(self.source.dtype)


def encode_scores(array: NDArray[Any], name: str) -> Scores:
    """Numbers of any type and shape to scores: finite, nothing lost that orders them."""
    check_not_empty(array, name)
    char = array.dtype.char
    if char in "fd":
        encoded = Scores(array, array)
    elif char in _NARROW_INTEGERS:
        encoded = Scores(array.astype(np.float64), array)
    elif char == "e":
        encoded = Scores(array.astype(np.float32), array)
    elif array.dtype.kind in "iufO":
        encoded = _narrowed(array, name)
    else:
        raise InputError(f"{name} has dtype {array.dtype}: scores are numbers")
    require_finite(encoded.values, name)
    return encoded._replace(values=for_kernels(encoded.values))


def _narrowed(array: NDArray[Any], name: str) -> Scores:
    """Integers of 64 bits, longdouble and objects to float64, or to ranks where it loses."""
    if array.dtype.kind == "O":
        narrow = numbers(array, name)
        require_finite(narrow, name)
        exact = bool((narrow.astype(object) == array).all())
    elif array.dtype.kind == "f":
        require_finite(array, name)
        with np.errstate(over="ignore"):
            narrow = array.astype(np.float64)
        exact = bool((narrow == array).all())
    else:
        narrow = array.astype(np.float64)
        largest = max(-int(array.min()), int(array.max()))  # Python integers do not wrap
        exact = largest <= _EXACT_INTEGERS
    if exact:
        return Scores(narrow, array)
    distinct, ranks = np.unique(array, return_inverse=True)
    return Scores(ranks.reshape(array.shape).astype(np.float64), array, distinct)


def numbers(array: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Objects to float64 of the same shape: no text, nothing missing."""
    require_no_missing(array, name)
    flat = array.ravel().tolist()
    for row, value in enumerate(flat):
        if isinstance(value, str | bytes):
            raise InputError(f"{name} holds text ({value!r} at row {row}): numbers are needed")
    try:
        return np.array([float(value) for value in flat]).reshape(array.shape)
    except (TypeError, OverflowError) as error:
        raise InputError(f"{name} holds something that is no number: {error}") from error


def require_no_missing(array: NDArray[Any], name: str) -> set[type]:
    """Refuse None, NaN and NA among objects; returns the types that are there."""
    flat = array.ravel().tolist()
    types = set(map(type, flat))
    if any(kind.__name__ in _MISSING_TYPES or issubclass(kind, float) for kind in types):
        missing = [
            type(value).__name__ in _MISSING_TYPES or (isinstance(value, float) and value != value)
            for value in flat
        ]
        if any(missing):
            found = entries_set(np.array(missing).reshape(array.shape), "missing")
            raise InputError(f"Input {name} contains NaN: {name} has {found}")
    return types


def require_finite(array: NDArray[Any], name: str) -> None:
    """Refuse NaN and infinity; one or two passes and no copy where all is well."""
    # a finite sum of squares has finite terms; more would be a matter of many threads
    if array.dtype == _FLOAT64 and array.size <= _FEW and array.flags.forc:
        flat = array.ravel("K")
        with np.errstate(over="ignore", invalid="ignore"):
            finite = math.isfinite(flat.dot(flat))
        if finite:
            return
    if math.isfinite(array.min()) and math.isfinite(array.max()):
        return
    holes = np.isnan(array)
    if holes.any():
        raise InputError(
            f"Input {name} contains NaN: {name} has {holes.sum():,} NaN, first at row "
            f"{first_row_set(holes)}"
        )
    infinite = np.isinf(array)
    if infinite.any():  # a longdouble beyond the range of float64 is finite
        raise InputError(
            f"Input {name} contains infinity or a value too large: {name} has "
            f"{entries_set(infinite, 'infinite')}"
        )


def scores(y_score: ArrayLike, *, name: str = "y_score") -> NDArray[Any]:
    """Scores of one model.

    Parameters
    ----------
    y_score : array-like of shape (n,) or (n, 1)
        Numbers of any type; NaN and infinity are refused.
    name : str
        What messages call them.

    Returns
    -------
    ndarray of shape (n,)
        float64 or float32, contiguous, with the order and the ties of ``y_score``. The same array
        where it already is one.

    Raises
    ------
    InputError
        Empty, missing, infinite or masked entries, text, or more than one column.
    """
    return encode_scores(column(as_array(y_score, name), name), name).values


def weights(
    sample_weight: ArrayLike | None, n: int, *, name: str = "sample_weight"
) -> NDArray[np.float64] | None:
    """Weights of n rows.

    Parameters
    ----------
    sample_weight : array-like of shape (n,), or None
        Finite numbers of 0 or more, not all 0. None stands for a weight of 1 each.
    n : int
        Number of rows.
    name : str
        What messages call them.

    Returns
    -------
    float64 ndarray of shape (n,), or None

    Raises
    ------
    InputError
        Another length, missing, infinite or negative entries, or nothing but zeros.
    """
    return _checked_weights(_weight_column(sample_weight, name), name, rows=n)


def plain_weights(sample_weight: Any, n: int) -> tuple[NDArray[np.float64], float, float] | None:
    """Weights (n,) in a plain array, their total and the lowest; None for a closer look."""
    if type(sample_weight) is not np.ndarray or sample_weight.shape != (n,):
        return None
    if sample_weight.dtype not in NARROW or not n:
        return None
    values = for_kernels(sample_weight.astype(np.float64, copy=False))
    total, lowest = total_and_lowest(values)
    return (values, total, lowest) if lowest >= 0.0 and _SMALLEST < total < _LARGEST else None


def aligned_weights(
    sample_weight: ArrayLike | None, **rows: NDArray[Any]
) -> NDArray[np.float64] | None:
    """Weights, after all arrays of a problem turned out to have one number of rows."""
    array = _weight_column(sample_weight, "sample_weight")
    check_lengths(**rows, sample_weight=array)
    return _checked_weights(array, "sample_weight")


def in_range(weights: Weights) -> Weights:
    """Scale extreme weights, or sums of weights, by a power of two, where their unit is no matter.

    So no product of sums leaves float64; the scaling is exact.
    """
    if weights is None:
        return None
    exponent = int(np.frexp(weights.max())[1])
    return weights if abs(exponent) <= _LARGEST_EXPONENT else np.ldexp(weights, -exponent)


def _weight_column(sample_weight: ArrayLike | None, name: str) -> NDArray[Any] | None:
    """Weights of any type, ``(n,)``."""
    if sample_weight is None:
        return None
    array = as_array(sample_weight, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(
            f"Sample weights must be 1D array or scalar: {name} should be a 1d array, got an "
            f"array of shape {array.shape}"
        )
    return array


def _checked_weights(
    array: NDArray[Any] | None, name: str, rows: int | None = None
) -> NDArray[np.float64] | None:
    """Weights (n,) of any type to float64, no negative one."""
    if array is None:
        return None
    if rows is not None and len(array) != rows:
        raise InputError(
            f"Found input variables with inconsistent numbers of samples: {[rows, len(array)]}: "
            f"{name} has {len(array):,} rows, the data {rows:,}"
        )
    check_not_empty(array, name)
    if array.dtype.kind == "O":
        values = numbers(array, name)
    elif array.dtype.kind in "biuf":
        values = array.astype(np.float64, copy=False)
    else:
        raise InputError(f"{name} has dtype {array.dtype}: weights are numbers")
    values = for_kernels(values)
    total, lowest = total_and_lowest(values)
    if lowest >= 0.0 and 0.0 < total <= _LARGEST_SUM:
        return values
    require_finite(values, name)
    negative = values < 0
    if negative.any():
        raise InputError(f"{name} has {entries_set(negative, 'negative')}: a weight is 0 or more")
    if not values.any():
        raise InputError(
            f"Sample weights must contain at least one non-zero number: {name} is all zeros"
        )
    raise InputError(
        f"{name} reaches {values.max():.6g}: sums of {values.size:,} such weights leave float64, "
        f"divide by the largest, {name} / max({name})"
    )
