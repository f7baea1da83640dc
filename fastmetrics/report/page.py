"""A report as one HTML page that holds everything it shows."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fastmetrics.report._use_tables import CHOSEN
from fastmetrics.report.document import Section
from fastmetrics.report.drawings import Drawing, drawings_of
from fastmetrics.report.figure_files import inline_svg
from fastmetrics.report.names import printable
from fastmetrics.report.sections import sections_of

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

MOST_ROWS = 200
# inches; figures of several panels take the whole width
_WIDE = 6.0
_KINDS = {"result": "Result", "caution": "Caution", "note": "Note"}


def html_page(report: EvaluationReport) -> str:
    """Return a report as an HTML page.

    Raises
    ------
    ModuleNotFoundError
        jinja2 or matplotlib is not installed.
    """
    environment = _environment()
    figures: dict[str, list[dict[str, Any]]] = {}
    for drawing in drawings_of(report):
        figures.setdefault(drawing.section, []).append(_figure(drawing))
    page: str = environment.get_template("report.html.j2").render(
        title=report.title,
        subtitle=report.scores.info.describe(),
        style=_markup(_text("style.css")),
        sections=[section for section in sections_of(report) if _is_shown(section, figures)],
        figures=figures,
        kinds=_KINDS,
        chosen=CHOSEN,
        most_rows=MOST_ROWS,
    )
    return page


def _figure(drawing: Drawing) -> dict[str, Any]:
    """Return what the template shows of a figure."""
    svg, width = inline_svg(drawing)
    return {
        "key": drawing.key,
        "caption": drawing.caption,
        # written by matplotlib, names drawn as paths: the one thing that is not escaped
        "svg": _markup(svg),
        "is_wide": width > _WIDE,
    }


def _is_shown(section: Section, figures: dict[str, Any]) -> bool:
    return bool(section.findings or section.sentences or section.tables or section.key in figures)


def _environment() -> Any:
    """Return the templates, which escape everything that they are not told to trust."""
    try:
        from jinja2 import Environment, FunctionLoader
    except ModuleNotFoundError as error:
        if error.name != "jinja2":
            raise
        raise ModuleNotFoundError(
            "HTML reports need jinja2: pip install 'fastmetrics-engine[report]'", name="jinja2"
        ) from None
    environment = Environment(
        loader=FunctionLoader(_text), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["printable"] = printable
    return environment


def _text(name: str) -> str:
    """Return a file of the templates."""
    folder = files("fastmetrics.report").joinpath("templates")
    return folder.joinpath(name).read_text(encoding="utf-8")


def _markup(text: str) -> Any:
    """Mark a text of ours as HTML."""
    from markupsafe import Markup

    return Markup(text)
