"""What all studies share: a table, what it says in words, and both for programs."""

from __future__ import annotations

import math
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from fastmetrics.inference.entries import plain_seed
from fastmetrics.tables import latex_table, markdown_table

LINE_WIDTH = 100

Table = tuple[list[str], list[list[str]]]


class Study(ABC):
    """A table with a conclusion.

    Parameters
    ----------
    settings : what was asked, in types that JSON knows
    seed : what reproduces it as ``rng``; None where nothing is drawn
    """

    columns: ClassVar[tuple[str, ...]]

    def __init__(self, settings: dict[str, Any], seed: Any = None) -> None:
        self.settings = settings
        self.seed = seed

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return the table, a dict per row, with the names of ``columns``."""

    @property
    @abstractmethod
    def conclusion(self) -> str:
        """What the numbers say, in words."""

    @abstractmethod
    def _table(self, digits: int) -> Table:
        """Header and cells of the table as text."""

    @abstractmethod
    def _run(self) -> str:
        """What was run, for the line below the table."""

    def _printed(self, digits: int) -> list[str]:
        """Lines of the table in a terminal."""
        header, cells = self._table(digits)
        return aligned([header, *cells])

    def to_frame(self) -> Any:
        """Return the table as a pandas frame."""
        import pandas

        return pandas.DataFrame(self.rows(), columns=list(self.columns))

    def to_dict(self) -> dict[str, Any]:
        """Return settings, seed, table and conclusion, in types that JSON knows."""
        return {
            **self.settings,
            "seed": plain_seed(self.seed),
            "rows": self.rows(),
            "conclusion": self.conclusion,
        }

    def to_markdown(self, digits: int = 4) -> str:
        """Return the table in Markdown."""
        return markdown_table(*self._table(digits))

    def to_latex(self, digits: int = 3) -> str:
        """Return the table as a LaTeX tabular."""
        return latex_table(*self._table(digits))

    def __repr__(self) -> str:
        """Return the table, what was run, and the conclusion."""
        seed = "" if self.seed is None else f", seed {plain_seed(self.seed)}"
        said = textwrap.wrap(self.conclusion, LINE_WIDTH)
        return "\n".join([*self._printed(4), f"{self._run()}{seed}", *said])


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]


def shown(value: float, digits: int) -> str:
    """Return a number with its decimals, a dash where it is undefined."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def percent(share: float) -> str:
    """Return a share as a percentage, with the digits it has."""
    return f"{100.0 * share:.4g} %"


def listed(words: Sequence[str]) -> str:
    """Return words as a reader lists them: a, b and c."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def sentences(*parts: str) -> str:
    """Join what there is to say."""
    return " ".join(part for part in parts if part)
