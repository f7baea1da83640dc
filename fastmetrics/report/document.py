"""The text of a report, free of any format: sections of sentences and tables.

Conventions
-----------
Text is as it came from outside, names of models included: who renders it makes it safe.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from fastmetrics.report.finding import Finding


@dataclass(frozen=True)
class Table:
    """A table of text.

    Parameters
    ----------
    key : name in letters and hyphens, unique in the report
    caption : what it shows
    header : of the columns; empty strings where there is none
    rows : cells, one tuple per row
    text_columns : how many columns from the left hold words; the others hold numbers
    note : a sentence below, or empty
    detail : whether a short rendering leaves it out
    optional : headers of columns that a narrow rendering may drop, the first one first
    """

    key: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1
    note: str = ""
    detail: bool = False
    optional: tuple[str, ...] = ()

    def without(self, header: str) -> Table:
        """Return the table without a column."""
        place = self.header.index(header)

        def kept(row: tuple[str, ...]) -> tuple[str, ...]:
            return row[:place] + row[place + 1 :]

        return dataclasses.replace(
            self,
            header=kept(self.header),
            rows=tuple(map(kept, self.rows)),
            text_columns=self.text_columns - (place < self.text_columns),
            optional=tuple(name for name in self.optional if name != header),
        )

    def first_rows(self, most: int) -> Table:
        """Return the table with so many rows at most; the note says how many there are."""
        if len(self.rows) <= most:
            return self
        note = f"{len(self.rows) - most:,} more rows are in the JSON and CSV. {self.note}".rstrip()
        return dataclasses.replace(self, rows=self.rows[:most], note=note)


@dataclass(frozen=True)
class Section:
    """A part of the report.

    Parameters
    ----------
    key : name in letters and hyphens, unique in the report
    title : heading
    sentences : paragraphs above the tables
    tables : in order
    findings : what the numbers of the report say; of the first section only
    """

    key: str
    title: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    findings: tuple[Finding, ...] = ()


def without_empty_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Leave out the columns in which every cell is empty."""
    kept = [k for k in range(len(header)) if any(row[k] for row in rows)]
    return (
        tuple(header[k] for k in kept),
        tuple(tuple(row[k] for k in kept) for row in rows),
    )
