"""Where results go: the terminal, pipes, files."""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from pathlib import Path
from typing import Any

import typer

from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.report._model_findings import comparison_findings
from fastmetrics.report._score_tables import comparison_table
from fastmetrics.report.names import printable
from fastmetrics.report.plain_data import plain_value
from fastmetrics.report.results import EvaluationReport
from fastmetrics.report.terminal import make_console, print_finding, print_table


def check_outputs(html: Path | None, figures: Path | None, csv: Path | None) -> None:
    """Refuse outputs that cannot be written, before anything is computed.

    Raises
    ------
    ValueError, ModuleNotFoundError
    """
    if html is not None and not html.absolute().parent.is_dir():
        raise ValueError(f"--html {html}: there is no folder {html.absolute().parent}")
    if html is not None and html.is_dir():
        raise ValueError(f"--html {html} is a folder: give the name of a file in it")
    for option, folder in (("--figures", figures), ("--csv", csv)):
        if folder is not None and folder.exists() and not folder.is_dir():
            raise ValueError(f"{option} {folder} is a file: give a folder")
    needed = {"jinja2": html is not None, "matplotlib": bool(html or figures)}
    for package, wanted in needed.items():
        if wanted and importlib.util.find_spec(package) is None:
            raise ModuleNotFoundError(
                f"HTML and figures need {package}: pip install 'fastmetrics-engine[report]'"
            )


def write_files(
    report: EvaluationReport,
    html: Path | None,
    csv: Path | None,
    figures: Path | None,
    figure_format: Any,
) -> None:
    """Write a report to files, and name them on standard error."""
    if html or figures:
        import matplotlib as mpl

        mpl.use("agg")  # no window, whatever the session has
    if html is not None:
        report.to_html(html)
        say(f"report: {html}")
    if csv is not None:
        files = report.to_csv(csv)
        say(f"tables: {len(files)} files in {csv}")
    if figures is not None:
        files = report.figures(figures, figure_format)
        say(f"figures: {len(files)} files in {figures}")


def say(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{printable(text)}\n")


def print_json(described: dict[str, Any]) -> None:
    """Print everything as one JSON object; what is undefined is null."""
    plain = plain_value(described)
    typer.echo(json.dumps(plain, indent=2, allow_nan=False, ensure_ascii=False))


def print_comparison(comparison: ComparisonResult) -> None:
    """Print paired differences, slice by slice, and what those of all rows say."""
    try:
        console = make_console(sys.stdout)
    except ModuleNotFoundError:
        typer.echo(repr(comparison))
        return
    for finding in comparison_findings(comparison, comparison.info.n_rows):
        print_finding(console, finding)
    for part in (None, *comparison.slices):
        table = comparison_table(comparison, part)
        console.print()
        caption = table.caption if part is None else f"{table.caption}, {part}"
        console.print(printable(caption), style="italic", soft_wrap=True)
        print_table(console, table)
    console.print(comparison.info.describe(), style="dim", soft_wrap=True)


def is_undefined(report: EvaluationReport) -> bool:
    """Whether a metric of all rows is undefined."""
    return any(
        math.isnan(entry.estimate) for key, entry in report.scores.entries().items() if not key[2]
    )
