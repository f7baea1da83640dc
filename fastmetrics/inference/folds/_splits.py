"""Which rows each fold tests: from fold numbers, from index pairs, or from a splitter.

Conventions
-----------
Folds come out as names and ascending row numbers from 0. The fold of a row may be any label; pairs
and the splits of a splitter are numbered from 0. No row is trained on and tested in one split.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.validation import require_finite, require_no_missing

_SHORT = np.iinfo(np.uint16).max
_WAYS = "give the fold of each row, (train, test) pairs, or a splitter such as StratifiedKFold(5)"


class Fold(NamedTuple):
    """A fold, and the rows that it tests."""

    name: Any
    rows: NDArray[np.intp]


def read_folds(folds: Any, y_true: ArrayLike, n: int, groups: ArrayLike | None) -> list[Fold]:
    """Return the folds of n rows.

    Parameters
    ----------
    folds : labels (n,), an iterable of (train, test) pairs, or a splitter
    y_true : labels (n,) for splitters that stratify
    n : number of rows
    groups : groups (n,) for splitters that keep them together
    """
    if isinstance(folds, str) or (not isinstance(folds, Iterable) and not _is_splitter(folds)):
        raise InputError(f"folds={folds!r}: {_WAYS}")
    if _is_splitter(folds):
        labels = column(as_array(y_true, "y_true"), "y_true")
        keys = None if groups is None else column(as_array(groups, "groups"), "groups")
        found = _from_pairs(folds.split(np.zeros((n, 1)), labels, keys), n)
    elif groups is not None:
        raise InputError("groups are for splitters: folds= says already which rows belong together")
    elif isinstance(folds, Iterator) or _holds_pairs(folds):
        found = _from_pairs(folds, n)
    else:
        found = _from_labels(folds, n)
    if not found:
        raise InputError(f"folds is empty: {_WAYS}")
    return found


def _is_splitter(folds: Any) -> bool:
    return hasattr(folds, "split") and hasattr(folds, "get_n_splits")


def _holds_pairs(folds: Any) -> bool:
    """Whether a list holds pairs, and not one label per row."""
    if not isinstance(folds, list | tuple) or not folds:
        return False
    first = folds[0]
    return isinstance(first, list | tuple | np.ndarray) and len(first) == 2


def _from_labels(folds: ArrayLike, n: int) -> list[Fold]:
    """One fold per label, in their order."""
    labels = column(as_array(folds, "folds"), "folds")
    if len(labels) != n:
        raise InputError(f"folds has {len(labels):,} rows, the data {n:,}: {_WAYS}")
    if labels.dtype.kind == "O":
        require_no_missing(labels, "folds")
        labels = np.array(labels.tolist())
    if labels.dtype.kind == "f":
        require_finite(labels, "folds")
    names, codes = _codes(labels)
    order = np.argsort(codes, kind="stable")
    ends = np.bincount(codes, minlength=len(names)).cumsum()[:-1]
    parts = zip(names, np.split(order, ends))
    return [Fold(name, rows) for name, rows in parts if rows.size]


def _codes(labels: NDArray[Any]) -> tuple[list[Any], NDArray[Any]]:
    """Names in order, some of them perhaps unused, and the place (n,) of each row's name."""
    if labels.dtype.kind in "iu":
        low, high = int(labels.min()), int(labels.max())
        if high - low <= _SHORT:  # sorted by counting, as NumPy sorts short integers
            return list(range(low, high + 1)), (labels - labels.dtype.type(low)).astype(np.uint16)
    names, codes = np.unique(labels, return_inverse=True)
    return names.tolist(), codes


def _from_pairs(pairs: Iterable[Any], n: int) -> list[Fold]:
    """One fold per pair of training and test rows."""
    found = []
    for number, pair in enumerate(pairs):
        if not isinstance(pair, list | tuple | np.ndarray) or len(pair) != 2:
            raise InputError(f"folds: entry {number} is no (train, test) pair: {_WAYS}")
        train, test = (_row_numbers(part, number, n) for part in pair)
        if test.size == 0:
            raise InputError(f"folds: fold {number} tests no row")
        leaked = np.intersect1d(train, test)
        if leaked.size:
            raise InputError(
                f"folds: fold {number} trains on {leaked.size:,} of the rows that it tests, first "
                f"row {leaked[0]}"
            )
        found.append(Fold(number, test))
    return found


def _row_numbers(rows: ArrayLike, number: int, n: int) -> NDArray[np.intp]:
    """Row numbers or a mask (n,) to ascending row numbers."""
    array = np.asarray(rows)
    if array.dtype == bool and array.shape == (n,):
        return np.flatnonzero(array)
    if array.size == 0:
        return np.empty(0, np.intp)
    whole = array.ndim == 1 and array.dtype.kind in "iu"
    if not whole or array.min() < 0 or array.max() >= n:
        raise InputError(f"folds: fold {number} holds no row numbers from 0 to {n - 1:,}")
    distinct = np.unique(array)
    if distinct.size < array.size:
        raise InputError(f"folds: fold {number} holds a row twice")
    return distinct.astype(np.intp)
