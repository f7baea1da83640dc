"""A report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastmetrics.report.document import Section, Table
from fastmetrics.report.names import escape_markdown
from fastmetrics.report.sections import sections_of

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

MOST_ROWS = 200
_KINDS = {"result": "Result", "caution": "Caution", "note": "Note"}


def markdown_text(report: EvaluationReport) -> str:
    """Return a report as Markdown, names escaped."""
    lines = [f"# {escape_markdown(report.title)}", ""]
    lines += [escape_markdown(report.scores.info.describe()), ""]
    for section in sections_of(report):
        lines += _section(section)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: Section) -> Iterator[str]:
    tables = [table for table in section.tables if not table.detail]
    if not (section.findings or section.sentences or tables):
        return
    yield from (f"## {section.title}", "")
    for finding in section.findings:
        yield f"- **{_KINDS[finding.kind]}:** {escape_markdown(finding.text)}"
    for sentence in section.sentences:
        yield f"- {escape_markdown(sentence)}"
    if section.findings or section.sentences:
        yield ""
    for table in tables:
        if table.caption != section.title:
            yield from (f"**{escape_markdown(table.caption)}**", "")
        yield from _table(table.first_rows(MOST_ROWS))
        yield ""


def _table(table: Table) -> Iterator[str]:
    rules = ["---" if k < table.text_columns else "---:" for k in range(len(table.header))]
    yield _row(table.header)
    yield f"| {' | '.join(rules)} |"
    yield from map(_row, table.rows)
    if table.note:
        yield from ("", escape_markdown(table.note))


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(escape_markdown(cell) if cell else '' for cell in cells)} |"
