"""Figures written to files, and as SVG that can stand inside a page."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmetrics.report.drawings import Drawing, drawings_of, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fastmetrics.report.results import EvaluationReport

FORMATS = ("png", "svg")
_DOTS_PER_INCH = 160
# nothing that tells when or with what the file was made: the same report gives the same bytes
_SVG_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def write_figures(report: EvaluationReport, folder: Path, format: str) -> list[Path]:
    """Draw every figure of a report into a file of its own.

    Parameters
    ----------
    report : what to draw
    folder : made where it is not there
    format : "png" or "svg"
    """
    if format not in FORMATS:
        raise ValueError(f"format={format!r}: give 'png' or 'svg'")
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for drawing in drawings_of(report):
        file = folder / f"{drawing.key}.{format}"
        with drawn(drawing) as figure:
            file.write_bytes(_rendered(figure, format, drawing.key))
        files.append(file)
    return files


def _rendered(figure: Figure, format: str, salt: str) -> bytes:
    """Return the bytes of a figure; drawn once, where ``savefig`` draws everything twice."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    stream = io.BytesIO()
    # glyphs as paths: no font is asked for, and names cannot become markup
    with matplotlib.rc_context({"svg.hashsalt": salt, "svg.fonttype": "path"}):
        if format == "svg":
            canvas: Any = FigureCanvasSVG(figure)
            canvas.print_svg(stream, metadata=_SVG_METADATA)
        else:
            figure.set_dpi(_DOTS_PER_INCH)
            canvas = FigureCanvasAgg(figure)
            canvas.print_png(stream, metadata={"Software": None})
    return stream.getvalue()


def inline_svg(drawing: Drawing) -> tuple[str, float]:
    """Return a figure as an SVG element that shares a page with others, and its width in inches.

    Its ids begin with the key of the figure. It has no comments, and no size: the page gives it
    one.
    """
    with drawn(drawing) as figure:
        text = _rendered(figure, "svg", drawing.key).decode("utf-8")
        width = figure.get_size_inches()[0]
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
    text = text[text.index("<svg") :]
    prefix = f"{drawing.key}-"
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = re.sub(r'href="#', f'href="#{prefix}', text)
    text = re.sub(r"url\(#", f"url(#{prefix}", text)
    opening, rest = text.split(">", 1)
    opening = re.sub(r'\s(width|height|version)="[^"]*"', "", opening)
    style = f'style="max-width:{1.15 * width:.2f}in"'
    lines = (line.strip() for line in rest.splitlines())
    return f"{opening} {style}>" + "\n".join(filter(None, lines)), width
