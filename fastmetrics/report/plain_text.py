"""A report as plain text, for terminals without rich, logs and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastmetrics.report.document import Section, Table
from fastmetrics.report.names import printable
from fastmetrics.report.sections import sections_of

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

MARKS = {"result": "=", "caution": "!", "note": "-"}
MOST_ROWS = 60


def plain_text(report: EvaluationReport) -> str:
    """Return a report as text."""
    title = printable(report.title)
    lines = [title, "=" * len(title), report.scores.info.describe(), ""]
    for section in sections_of(report):
        lines += _section(section)
    return "\n".join(lines).rstrip()


def _section(section: Section) -> Iterator[str]:
    tables = [table for table in section.tables if not table.detail]
    if not (section.findings or section.sentences or tables):
        return
    yield section.title.upper()
    for finding in section.findings:
        yield f"{MARKS[finding.kind]} {finding.text}"
    yield from map(printable, section.sentences)
    for k, table in enumerate(tables):
        if k or table.caption != section.title:
            yield from ["", printable(table.caption)] if k else [printable(table.caption)]
        yield from table_lines(table)
    yield ""


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table, sixty rows at most."""
    table = table.first_rows(MOST_ROWS)
    rows = [tuple(map(printable_cell, row)) for row in (table.header, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        if any(row):
            yield "  ".join(
                cell.ljust(width) if k < table.text_columns else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
    if table.note:
        yield table.note


def printable_cell(cell: str) -> str:
    """Return a cell safe to print; empty ones stay empty, and indents stay."""
    return printable(cell) if cell else cell
