"""A report in a terminal: with rich where it is installed, else as plain text."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import TYPE_CHECKING, Any, TextIO

from fastmetrics.report._use_tables import CHOSEN
from fastmetrics.report.document import Section, Table
from fastmetrics.report.finding import Finding
from fastmetrics.report.names import printable
from fastmetrics.report.plain_text import MARKS, MOST_ROWS, plain_text, printable_cell
from fastmetrics.report.sections import sections_of

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

STYLES = {"result": "bold green", "caution": "bold yellow", "note": "bold blue"}
# a name is broken inside a word only beyond this
_LONGEST_WORD = 28
# files and pipes have room for every column; sentences are wrapped
_PIPE_WIDTH = 200
_LONGEST_LINE = 120


def show(report: EvaluationReport, file: TextIO | None = None) -> None:
    """Print a report.

    Parameters
    ----------
    report : what to print
    file : standard output when left out
    """
    file = sys.stdout if file is None else file
    try:
        console = make_console(file)
    except ModuleNotFoundError:
        file.write(f"{plain_text(report)}\n")
        return
    console.print(printable(report.title), style="bold", soft_wrap=True)
    console.print(report.scores.info.describe(), style="dim", soft_wrap=True)
    for section in sections_of(report):
        _show_section(console, section)


def make_console(file: TextIO) -> Any:
    """Return rich's console on a stream."""
    from rich.console import Console

    console = Console(file=file, highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _PIPE_WIDTH
    return console


def print_finding(console: Any, finding: Finding) -> None:
    """Print a finding, its lines below each other behind a mark."""
    from rich.text import Text

    width = min(max(console.width - 2, 30), _LONGEST_LINE)
    lines = textwrap.wrap(finding.text, width, break_on_hyphens=False)
    mark = Text(MARKS[finding.kind], STYLES[finding.kind])
    console.print(mark, Text("\n  ".join(lines)), soft_wrap=True)


def _show_section(console: Any, section: Section) -> None:
    tables = [table for table in section.tables if not table.detail]
    if not (section.findings or section.sentences or tables):
        return
    console.print()
    console.print(section.title, style="bold underline")
    for finding in section.findings:
        print_finding(console, finding)
    for sentence in section.sentences:
        console.print(printable(sentence), soft_wrap=True)
    for k, table in enumerate(tables):
        if table.caption != section.title:
            if k:
                console.print()
            console.print(printable(table.caption), style="italic", soft_wrap=True)
        print_table(console, table)


def print_table(console: Any, table: Table) -> None:
    """Print a table with rich; a number is never cut, whatever the width of the terminal."""
    from rich.console import Console

    table = table.first_rows(MOST_ROWS)
    dropped: list[str] = []
    measure = Console(width=1000).measure
    shown = _rich_table(table)
    while measure(shown).minimum > console.width and table.optional:
        dropped.append(table.optional[0])
        table = table.without(table.optional[0])
        shown = _rich_table(table)
    width = console.width
    # a line that wraps can be read, a number that is cut cannot
    console.width = max(width, measure(shown).minimum)
    console.print(shown)
    console.width = width
    if dropped:
        names = ", ".join(map(printable, dropped))
        console.print(f"Left out for want of width: {names}.", style="dim")
    if table.note:
        console.print(table.note, style="dim")


def _rich_table(table: Table) -> Any:
    """Return a table as rich draws it."""
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table as RichTable

    shown = RichTable(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
        show_header=any(table.header),
    )
    for k, name in enumerate(table.header):
        words = k < table.text_columns
        cells = [printable_cell(cell) for cell in (name, *(row[k] for row in table.rows))]
        words_of = [word for cell in cells for word in cell.split()] if words else cells
        longest = max(map(cell_len, words_of), default=1)
        shown.add_column(
            printable_cell(name),
            justify="left" if words else "right",
            no_wrap=not words,
            overflow="fold",
            # numbers that would not fit are cut, whatever no_wrap says, unless told this
            min_width=min(longest, _LONGEST_WORD) if words else longest,
        )
    for row in table.rows:
        style = "bold" if any(cell.startswith(CHOSEN) for cell in row) else None
        shown.add_row(*map(printable_cell, row), style=style)
    return shown
