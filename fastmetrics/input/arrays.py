"""Any container to a plain array of the shape that is asked for.

Conventions
-----------
Rows match by position; indexes of frames are ignored. Inputs are never modified, and never copied
when they already are what is asked for. Rows in messages count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, invalid_parameter


def as_array(value: ArrayLike, name: str) -> NDArray[Any]:
    """Any container to a plain array in native byte order, 1-D or more."""
    if type(value) is np.ndarray:
        array = value
    elif isinstance(value, np.ma.MaskedArray):
        array = _unmasked(value, name)
    elif isinstance(value, np.ndarray):
        array = value.view(np.ndarray)  # memory maps and matrices
    else:
        array = _converted(value, name)
    if array.ndim == 0:
        raise invalid_parameter(f"{name} must be an array-like. Got {value!r} instead.")
    if array.dtype.kind == "c":
        raise InputError(f"Complex data not supported: {name} has dtype {array.dtype}")
    if array.dtype.kind == "T":
        return array.astype(object)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _unmasked(value: np.ma.MaskedArray[Any, Any], name: str) -> NDArray[Any]:
    """The data of a masked array, unless something is masked."""
    mask = np.ma.getmaskarray(value)
    if mask.any():
        raise InputError(
            f"{name} has {entries_set(mask, 'masked')}: drop these rows, what lies under a mask is "
            "not data"
        )
    return np.asarray(value.data)


def _converted(value: ArrayLike, name: str) -> NDArray[Any]:
    """A list, a column of a frame, an Arrow array and their like to an array."""
    if isinstance(value, str | bytes):
        raise invalid_parameter(
            f"{name} must be an array-like, it is the string {value!r}: pass the column itself"
        )
    if type(value).__module__.startswith("scipy.sparse"):
        raise invalid_parameter(
            f"{name} must be an array-like. Got a sparse matrix instead: pass {name}.toarray()"
        )
    if not (hasattr(value, "__len__") or hasattr(value, "__array__")) or isinstance(
        value, dict | set | frozenset
    ):
        raise invalid_parameter(f"{name} must be an array-like. Got {value!r} instead.")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise InputError(f"{name} cannot be made an array: {error}") from error
    return _as_they_are(value, array) if array.dtype.kind == "U" else array


def _as_they_are(value: ArrayLike, array: NDArray[Any]) -> NDArray[Any]:
    """Text, unless NumPy wrote a number or a NaN out as text: then the objects of the list."""
    if not isinstance(value, list | tuple):
        return array
    values = value if array.ndim == 1 else np.array(value, dtype=object).ravel().tolist()
    return array if all_text(values) else np.array(value, dtype=object)


def all_text(values: Iterable[Any]) -> bool:
    """Whether all values are text, in a quarter of the time of looking at the type of each."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def column(array: NDArray[Any], name: str) -> NDArray[Any]:
    """``(n,)`` or ``(n, 1)`` to ``(n,)``, with at least one row."""
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(f"{name} should be a 1d array, got an array of shape {array.shape}")
    check_not_empty(array, name)
    return array


def check_not_empty(array: NDArray[Any], name: str) -> None:
    """Refuse an array without entries, in the words that scikit-learn's callers look for."""
    if array.size == 0:
        raise InputError(
            "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is "
            f"required: {name} has shape {array.shape}"
        )


def check_lengths(**named: NDArray[Any] | None) -> int:
    """The one number of rows of all arrays given."""
    lengths = [len(array) for array in named.values() if array is not None]
    if lengths.count(lengths[0]) == len(lengths):
        return lengths[0]
    names = [name for name, array in named.items() if array is not None]
    listed = ", ".join(f"{name} has {length:,} rows" for name, length in zip(names, lengths))
    raise InputError(
        f"Found input variables with inconsistent numbers of samples: {lengths}: {listed}"
    )


def entries_set(mask: NDArray[np.bool_], what: str) -> str:
    """How many entries are set, and where the first one is."""
    count = int(mask.sum())
    noun = "entry" if count == 1 else "entries"
    return f"{count:,} {what} {noun}, first at row {first_row_set(mask)}"


def first_row_set(mask: NDArray[np.bool_]) -> int:
    """Row of the first entry that is set."""
    return int(np.argmax(mask)) // (mask.size // len(mask))


class _Shared:
    """Exposes a read-only array as one that could be written."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        interface = dict(array.__array_interface__)
        interface["data"] = (interface["data"][0], False)
        self.__array_interface__ = interface


def for_kernels(array: NDArray[Any]) -> NDArray[Any]:
    """Contiguous, aligned, and typed as writable.

    Numba compiles every kernel once more for arrays marked read-only, as pandas hands them out,
    which costs seconds at the first call. Kernels only read, so the mark is dropped on a view.
    """
    if array.flags.carray:
        return array
    array = np.require(array, requirements=["C", "A"])
    return array if array.flags.writeable else np.asarray(_Shared(array))
