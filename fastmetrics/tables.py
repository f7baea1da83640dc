"""Tables as text; every cell is escaped for the language it goes to."""

from __future__ import annotations

from collections.abc import Sequence

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


# a print of more rows is cut to fewer
SHOWN_ROWS = 20
SHORTENED_ROWS = 10


def shortened(lines: Sequence[str], what: str) -> list[str]:
    """Rows of a print; of many the first ones, how many there are, and where all of them are."""
    if len(lines) <= SHOWN_ROWS:
        return list(lines)
    return [*lines[:SHORTENED_ROWS], f"... {len(lines)} {what} in all: .to_frame() has them"]


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; a bar in a cell stays a bar."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(_markdown_cell(cell) for cell in line) + " |" for line in lines
    )


def _markdown_cell(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def latex_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a LaTeX tabular."""
    lines = [" & ".join(_latex_cell(cell) for cell in line) + r" \\" for line in (header, *rows)]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{'l' * len(header)}}}",
            r"\hline",
            lines[0],
            r"\hline",
            *lines[1:],
            r"\hline",
            r"\end{tabular}",
        ]
    )


def _latex_cell(cell: str) -> str:
    return "".join(_LATEX.get(character, character) for character in cell)
