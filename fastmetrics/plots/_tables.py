"""What plots read: columns of models, and tables of plain rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fastmetrics.errors import InputError


def models_of(scores: Any, name: str) -> dict[str | None, Any]:
    """Return the column of each model; None names the only one.

    Parameters
    ----------
    scores : array-like of shape (n,), or mapping or frame with a column per model
    name : of the argument
    """
    if isinstance(scores, Mapping):
        columns: dict[str | None, Any] = {str(key): column for key, column in scores.items()}
    elif hasattr(scores, "columns"):
        columns = {str(key): scores[key] for key in scores.columns}
    else:
        return {None: scores}
    if not columns:
        raise InputError(f"{name} is empty: give a column per model")
    return columns


def read_table(rows: Any, needed: Sequence[str], name: str = "rows") -> list[dict[str, Any]]:
    """Return the rows of a table as dicts.

    Parameters
    ----------
    rows : dicts, one per row; a mapping of columns; or a pandas or polars frame
    needed : columns that must be there
    name : of the argument
    """
    if hasattr(rows, "to_dicts"):
        table = list(rows.to_dicts())
    elif hasattr(rows, "columns") and hasattr(rows, "to_dict"):
        table = list(rows.to_dict("records"))
    elif isinstance(rows, Mapping):
        columns = {key: list(values) for key, values in rows.items()}
        if len({len(values) for values in columns.values()}) > 1:
            lengths = ", ".join(f"{key}: {len(values)}" for key, values in columns.items())
            raise InputError(f"{name} has columns of different lengths ({lengths})")
        table = [dict(zip(columns, values)) for values in zip(*columns.values())]
    else:
        table = [dict(row) for row in rows]
    if not table:
        raise InputError(f"{name} is empty: there is nothing to draw")
    missing = [column for column in needed if any(column not in row for row in table)]
    if missing:
        raise InputError(
            f"{name} lacks {', '.join(map(repr, missing))}: it has {', '.join(map(repr, table[0]))}"
        )
    return table


def distinct(values: Iterable[Any]) -> list[Any]:
    """Return the values without repetition, in the order in which they come."""
    return list(dict.fromkeys(values))


def as_number(value: Any) -> float:
    """Return a number of a table; nan for None."""
    return math.nan if value is None else float(value)


def as_name(value: Any) -> Any:
    """Return a name of a table; None where there is none, which frames may hold as nan."""
    return None if value is None or value != value else value
