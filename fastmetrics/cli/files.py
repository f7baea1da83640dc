"""Labels, scores and weights from the columns of a file.

Conventions: only the columns asked for are read; data rows count from 1 in messages; every
mistake of the user is a `ValueError` (or `FileNotFoundError`) whose message is one line that
names the column, what was found there, and the way out.
"""

from __future__ import annotations

import difflib
import glob
import gzip
import math
import reprlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

DELIMITED = (".csv", ".tsv", ".tab", ".txt")
ARROW = (".arrow", ".feather", ".ipc", ".arrows")
FORMATS = ".csv, .tsv, .parquet, .arrow or .feather"
# Written by R, SQL and spreadsheets for "nothing here"; a class may well be called None.
MISSING_TEXT = ["", "NA", "N/A", "NULL", "null"]
MANY = 4
STANDARD_INPUT = "-"


def read_columns(file: Path, labels: Sequence[str], numbers: Sequence[str]) -> pl.DataFrame:
    """Read the label columns as they are and the number columns, as numbers where possible.

    Parameters
    ----------
    file : Path
        A CSV, TSV, Parquet or Arrow (Feather) file; the name's ending tells the format. A hyphen
        reads delimited text from standard input.
    labels : sequence of str
        Names of columns of any type.
    numbers : sequence of str
        Names of columns that `number_array` will be asked for.

    Returns
    -------
    polars.DataFrame
        The columns of `labels` and `numbers`.

    Raises
    ------
    FileNotFoundError, ValueError
        Where the file or a column is not there, or the format is not known.
    """
    if str(file) != STANDARD_INPUT and not file.exists():
        raise FileNotFoundError(f"there is no file {file}{_nearest_file(file)}")
    wanted = list(dict.fromkeys([*labels, *numbers]))
    try:
        frame = _read(file, wanted, numbers)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ValueError(f"cannot read {_called(file)}: {reason}") from error
    if frame.height == 0:
        raise ValueError(f"{_called(file)} has no rows")
    return frame


def number_array(column: pl.Series, *, missing: bool = False) -> NDArray[Any]:
    """Return a column as numbers; refuse text, and missing values unless they are to be nan.

    Integer and floating-point columns keep their type, others become float64.
    """
    if not missing:
        _refuse_missing(column)
    if column.dtype.is_integer() or column.dtype.is_float():
        return column.to_numpy()
    if column.dtype == pl.Boolean or column.dtype.is_decimal():
        return column.cast(pl.Float64).to_numpy()
    if column.dtype not in (pl.String, pl.Categorical, pl.Enum):
        raise ValueError(f"column {column.name!r} holds {column.dtype}, not numbers")
    converted = column.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)
    wrong = converted.is_null() & column.is_not_null()
    if wrong.any():
        row = wrong.arg_max() or 0
        raise ValueError(
            f"column {column.name!r} holds text in {wrong.sum():,} of {len(column):,} rows, "
            f"first {reprlib.repr(column[row])} in data row {row + 1:,}: numbers are needed"
        )
    return number_array(converted, missing=missing)


def key_array(column: pl.Series, *, missing: bool = False) -> NDArray[Any]:
    """Return what rows are told apart by, as text, or as numbers where it holds numbers.

    Parameters
    ----------
    column : polars.Series
        Clusters, strata, slices or folds.
    missing : bool
        Whether entries may be missing, which come out as None or nan.
    """
    if not missing:
        _refuse_missing(column)
    if column.dtype.is_nested():
        raise ValueError(f"column {column.name!r} holds {column.dtype}, not names or numbers")
    if column.dtype.is_integer() and not column.null_count():
        return column.to_numpy()
    return np.array(column.cast(pl.String).to_list(), object)


def label_array(column: pl.Series, positive: str | None, *, missing: bool = False) -> NDArray[Any]:
    """Return what `positive_array` does; with nan for missing labels where these may be."""
    holes = _missing_entries(column)
    if not missing or not holes.any():
        return positive_array(column, positive)
    labels = np.full(len(column), np.nan)
    labels[~holes.to_numpy()] = positive_array(column.filter(~holes), positive)
    return labels


def positive_array(column: pl.Series, positive: str | None) -> NDArray[np.bool_]:
    """Return True where the label is the positive one.

    Parameters
    ----------
    column : polars.Series
        Labels of two classes.
    positive : str or None
        The positive label as a user types it. None takes true of false and true, 1 of 0 and 1,
        and 1 of -1 and 1.

    Returns
    -------
    ndarray of bool, shape (n,)

    Raises
    ------
    ValueError
        Where there are not two classes, or `positive` is none of them or missing.
    """
    _refuse_missing(column)
    if column.dtype.is_nested():
        raise ValueError(f"column {column.name!r} holds {column.dtype}, not labels")
    if not (column.dtype.is_numeric() or column.dtype == pl.Boolean):
        column = column.cast(pl.String).str.strip_chars()
    values = column.unique(maintain_order=True).to_list()
    meanings = list(dict.fromkeys(_meaning(value) for value in values))
    found = f"column {column.name!r} holds {_listing(values)}"
    if len(meanings) == 1 and (positive is not None or meanings[0] not in (0.0, 1.0)):
        raise ValueError(f"{found} in all {len(column):,} rows: rows of two classes are needed")
    if len(meanings) > 2:
        raise ValueError(
            f"column {column.name!r} holds {len(meanings):,} different values "
            f"({_listing(values)}): labels of two classes are needed"
        )
    if positive is not None:
        wanted = _meaning(positive.strip())
        if wanted not in meanings:
            raise ValueError(f"{found}, not {positive!r}{suggestion(positive, map(str, values))}")
    elif set(meanings) <= {0.0, 1.0} or set(meanings) == {-1.0, 1.0}:
        wanted = 1.0
    else:
        raise ValueError(f"{found}: name the positive one, --pos-label {_rarest(column)}")
    return column.is_in([value for value in values if _meaning(value) == wanted]).to_numpy()


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return '; did you mean ...?' with the known name nearest to `name`, or nothing."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    nearest = difflib.get_close_matches(name.lower(), by_lower, n=1)
    return f"; did you mean {by_lower[nearest[0]]!r}?" if nearest else ""


def _read(file: Path, columns: list[str], numbers: Sequence[str]) -> pl.DataFrame:
    """Read the columns of a file whose name tells its format."""
    if str(file) == STANDARD_INPUT:
        return _read_delimited(sys.stdin.buffer.read(), file, columns, numbers)
    ending = file.with_suffix("").suffix if file.suffix in (".gz", ".zst") else file.suffix
    ending = ending.lower()
    if ending in DELIMITED:
        return _read_delimited(file, file, columns, numbers)
    if ending in (".parquet", ".pq"):
        return _select(pl.scan_parquet(file, glob=False), file, columns)
    if ending in ARROW:
        return _read_arrow(file, columns)
    raise ValueError(f"the format of {file} is not known: give a {FORMATS} file")


def _select(table: pl.LazyFrame, file: Path, columns: list[str]) -> pl.DataFrame:
    """Return the named columns; name the nearest one where one is not there."""
    present = table.collect_schema().names()
    for name in columns:
        if name not in present:
            shown = ", ".join(present[:20]) + (", ..." if len(present) > 20 else "")
            raise ValueError(
                f"{_called(file)} has no column {name!r}; it has {shown}{suggestion(name, present)}"
            )
    return table.select(columns).collect()


def _read_delimited(
    source: Path | bytes, file: Path, columns: list[str], numbers: Sequence[str]
) -> pl.DataFrame:
    """Read text columns: labels stay text, numbers become float64 unless one of them is none."""

    def scan(types: dict[str, type[pl.DataType]]) -> pl.LazyFrame:
        return pl.scan_csv(
            source,
            separator=_separator(source),
            schema_overrides=types,
            infer_schema=False,
            null_values=MISSING_TEXT,
            glob=False,
        )

    present = scan({}).collect_schema().names()
    types = {name: pl.Float64 for name in numbers if name in present}
    try:
        return _select(scan(dict(types)), file, columns)
    except pl.exceptions.ComputeError:
        # as text, so that number_array can say which row is no number
        return _select(scan({}), file, columns)


def _separator(source: Path | bytes) -> str:
    """Return the separator that is most frequent in the header line."""
    if isinstance(source, bytes):
        header = source.partition(b"\n")[0]
    else:
        with gzip.open(source) if source.suffix == ".gz" else source.open("rb") as stream:
            header = stream.readline()
    return max((",", "\t", ";"), key=lambda separator: header.count(separator.encode()))


def _read_arrow(file: Path, columns: list[str]) -> pl.DataFrame:
    """Read an Arrow file, or the stream format that is often written under the same ending."""
    with file.open("rb") as stream:
        is_file = stream.read(6) == b"ARROW1"
    if is_file:
        return _select(pl.scan_ipc(glob.escape(str(file))), file, columns)
    return _select(pl.read_ipc_stream(file).lazy(), file, columns)


def _missing_entries(column: pl.Series) -> pl.Series:
    """Return where values are missing or nan."""
    missing = column.is_null()
    if column.dtype.is_float():
        missing |= column.is_nan().fill_null(True)
    return missing


def _refuse_missing(column: pl.Series) -> None:
    """Raise where values are missing or nan, with their number and the first row."""
    missing = _missing_entries(column)
    if missing.any():
        count = "1 missing value" if missing.sum() == 1 else f"{missing.sum():,} missing values"
        row = (missing.arg_max() or 0) + 1
        raise ValueError(
            f"column {column.name!r} has {count}, first in data row {row:,}: --missing drop leaves "
            "such rows out"
        )


def _meaning(label: Any) -> float | str:
    """Return what tells two labels apart: '1', '1.0', 1 and True are the same label."""
    text = str(label)
    if text.lower() in ("false", "true"):
        return float(text.lower() == "true")
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def _listing(values: Sequence[Any]) -> str:
    """Return the first few values, in the way of a sentence."""
    shown = [reprlib.repr(value) for value in values[:MANY]]
    if len(values) > MANY:
        return ", ".join([*shown, "..."])
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _rarest(column: pl.Series) -> Any:
    """Return the label of the fewest rows."""
    return column.value_counts(sort=True)[column.name][-1]


def _called(file: Path) -> str:
    """Return what messages call a file."""
    return "standard input" if str(file) == STANDARD_INPUT else str(file)


def _nearest_file(file: Path) -> str:
    """Return a suggestion from the files beside a missing one."""
    if not file.parent.is_dir():
        return ""
    return suggestion(file.name, [neighbour.name for neighbour in file.parent.iterdir()])
