"""The tables of a report as CSV files, numbers in full.

Conventions
-----------
Files are UTF-8, with one header line, columns as in the JSON, and empty cells where something is
undefined. Text that a spreadsheet would take for a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmetrics.report.names import spreadsheet_text

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

Rows = list[dict[str, Any]]


def write_csv(report: EvaluationReport, folder: Path) -> list[Path]:
    """Write a file for each table that has rows.

    Parameters
    ----------
    report : what to write
    folder : made where it is not there
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, rows in _tables(report.to_dict()):
        if rows:
            file = folder / f"{name}.csv"
            _write(file, rows)
            written.append(file)
    return written


def _tables(plain: dict[str, Any]) -> Iterator[tuple[str, Rows]]:
    """Yield the tables of a report by the name of their file."""
    yield "data", [_scalars(plain["data"])]
    yield "scores", plain["data"]["scores"]
    yield "metrics", [_limits_apart(row) for row in plain["metrics"]]
    yield "comparison", plain["comparison"] or []
    thresholds = plain["thresholds"] or {"points": [], "intervals": []}
    yield "thresholds", thresholds["points"]
    yield "threshold_intervals", thresholds["intervals"]
    yield "calibration", [_scalars(entry) for entry in plain["calibration"]]
    yield (
        "calibration_bins",
        [
            {"model": entry["model"], **row}
            for entry in plain["calibration"]
            for row in entry["bins"]
        ],
    )
    yield (
        "curves",
        [{"curve": curve["curve"], **row} for curve in plain["curves"] for row in curve["points"]],
    )
    yield "slices", plain["data"]["slices"]
    yield (
        "folds",
        [{"model": entry["model"], **row} for entry in plain["folds"] for row in entry["folds"]],
    )
    yield (
        "fold_means",
        [{"model": entry["model"], **row} for entry in plain["folds"] for row in entry["metrics"]],
    )
    yield "findings", plain["findings"]
    yield "method", [_scalars(plain["method"])]


def _scalars(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is no single value."""
    return {key: value for key, value in row.items() if not isinstance(value, dict | list)}


def _limits_apart(row: dict[str, Any]) -> dict[str, Any]:
    """Put the Monte-Carlo errors of both limits into columns."""
    low, high = row["monte_carlo_error"] or (None, None)
    rest = {key: value for key, value in row.items() if key != "monte_carlo_error"}
    return {**rest, "monte_carlo_error_low": low, "monte_carlo_error_high": high}


def _write(file: Path, rows: Rows) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        for row in rows:
            writer.writerow({key: _cell(value) for key, value in row.items()})


def _cell(value: Any) -> Any:
    """Return a cell: text that is no formula, true and false in lower case."""
    if isinstance(value, bool):
        return str(value).lower()
    return spreadsheet_text(value) if isinstance(value, str) else value
