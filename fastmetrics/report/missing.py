"""Rows in which something is missing: refused, or left out of every model at once.

Conventions
-----------
Missing are None, NaN, NaT, pandas' NA and masked entries, in any column of the call. A row that is
dropped is dropped for every model, so that all are judged on the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fastmetrics.engine.inputs import column_names
from fastmetrics.errors import InputError

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Dropped:
    """Rows that were left out.

    Parameters
    ----------
    n_given : rows of the call
    n_dropped : rows left out
    by_column : missing entries of each column that has some
    """

    n_given: int
    n_dropped: int = 0
    by_column: dict[str, int] = field(default_factory=dict)


def drop_missing(
    columns: Mapping[str, Any], missing: Literal["raise", "drop"]
) -> tuple[dict[str, Any], Dropped]:
    """Return the columns without the rows in which any of them is missing.

    Parameters
    ----------
    columns : by name of the argument: an array-like, a mapping or frame of these, or None
    missing : "raise" or "drop"

    Raises
    ------
    InputError
        Something is missing under "raise", or in every row; columns of different lengths.
    """
    if missing not in ("raise", "drop"):
        raise ValueError(f"missing={missing!r}: give 'raise' or 'drop'")
    masks: dict[str, Mask] = {}
    for name, value in columns.items():
        masks.update(_masks_of(value, name))
    lengths = {name: mask.size for name, mask in masks.items()}
    n = next(iter(lengths.values()), 0)
    holes = {name: mask for name, mask in masks.items() if mask.any()}
    if not holes:
        return dict(columns), Dropped(n)
    if missing == "raise":
        raise InputError(_complaint(holes))
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {size:,} rows" for name, size in lengths.items())
        raise InputError(f"columns of different lengths: {listed}")
    kept = ~np.logical_or.reduce(list(holes.values()))
    if not kept.any():
        raise InputError("missing='drop' leaves no row: something is missing in each of them")
    counts = {name: int(mask.sum()) for name, mask in holes.items()}
    taken = {name: _take(value, kept) for name, value in columns.items()}
    return taken, Dropped(n, int(n - kept.sum()), counts)


def _complaint(holes: dict[str, Mask]) -> str:
    """Say what is missing where, and the way out."""
    name, mask = next(iter(holes.items()))
    count = int(mask.sum())
    others = f" (more in {', '.join(list(holes)[1:4])})" if len(holes) > 1 else ""
    return (
        f"{name} has {count:,} missing {'entry' if count == 1 else 'entries'}, first at row "
        f"{int(mask.argmax())}{others}: pass missing='drop' to leave such rows out of all models"
    )


def _masks_of(value: Any, name: str) -> dict[str, Mask]:
    """Return where each column of an argument is missing, by the name that messages use."""
    if _is_word(value):
        return {}
    keys = list(value) if isinstance(value, Mapping) else column_names(value)
    if keys:
        return {f"{name}[{str(key)!r}]": missing_entries(value[key]) for key in keys}
    return {name: missing_entries(value)}


def _is_word(value: Any) -> bool:
    """Whether an argument is left out, or is a word such as strata="class"."""
    return value is None or isinstance(value, str)


def missing_entries(column: Any) -> Mask:
    """Return where a column (n,), or a row of several columns (n, k), is missing."""
    if isinstance(column, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(column) | _holes(np.asarray(column.data))
    else:
        mask = _holes(np.asarray(column))
    return np.asarray(mask.reshape(len(mask), -1).any(axis=1)) if mask.ndim > 1 else mask


def _holes(array: NDArray[Any]) -> Mask:
    """Return where an array is missing, same shape."""
    if array.dtype.kind in "fc":
        return np.asarray(np.isnan(array))
    if array.dtype.kind in "mM":
        return np.asarray(np.isnat(array))
    if array.dtype.kind == "O":
        flat = [_is_missing(entry) for entry in array.ravel().tolist()]
        return np.array(flat, np.bool_).reshape(array.shape)
    return np.zeros(array.shape, np.bool_)


def _is_missing(entry: Any) -> bool:
    """Whether an object stands for nothing; what is not equal to itself does."""
    if entry is None or type(entry).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(entry, float | np.floating) and bool(entry != entry)


def _take(value: Any, kept: Mask) -> Any:
    """Return the rows of an argument that are kept."""
    if _is_word(value):
        return value
    if isinstance(value, Mapping):
        return {key: _take(part, kept) for key, part in value.items()}
    if column_names(value):
        return _frame_rows(value, kept)
    if isinstance(value, np.ma.MaskedArray):
        return np.asarray(value.data)[kept]
    return _compact(np.asarray(value)[kept])


def _frame_rows(frame: Any, kept: Mask) -> Any:
    """Return the rows of a pandas, polars or pyarrow frame."""
    if type(frame).__module__.startswith("pandas"):
        return frame.loc[kept]
    return frame.filter(kept)


def _compact(array: NDArray[Any]) -> NDArray[Any]:
    """Return objects that all are numbers or text, as numbers or text."""
    if array.dtype.kind != "O" or not array.size:
        return array
    plain = np.array(array.tolist())
    return plain if plain.shape == array.shape and plain.dtype.kind in "biuf" else array
