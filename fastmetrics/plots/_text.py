"""Names as matplotlib shows them: no mathematics, no control characters, lines that fit."""

from __future__ import annotations

import math
import re

_BREAKS = re.compile(r"(?<=[ _/\\.,:;|-])")


def shown(name: object, width: int = 40, most: int = 3) -> str:
    """Return a name in lines of at most ``width`` characters, safe to draw.

    A dollar sign would open a formula, and a leading underscore would hide a series from the
    legend. Of a name that takes more than ``most`` lines the middle is left out.
    """
    # what has no glyph breaks SVG files; a name of several lines becomes one
    text = "".join(sign if sign.isprintable() else " " for sign in str(name))
    text = " ".join(text.split()) or "''"
    lines, kept = _lines(text, width), min(len(text), most * width) // 2
    while len(lines) > most:
        lines = _lines(f"{text[:kept]}…{text[-kept:]}", width)
        kept -= 1
    escaped = "\n".join(lines).replace("$", r"\$")
    return f"\u200b{escaped}" if escaped.startswith("_") else escaped


def _lines(text: str, width: int) -> list[str]:
    """Break a text behind spaces and punctuation, inside a word only where it does not fit."""
    lines = [""]
    for piece in _BREAKS.split(text):
        room = width - len(lines[-1])
        if lines[-1] and room < len(piece.rstrip()) <= width:
            lines.append("")
        lines[-1] += piece
        while len(lines[-1].rstrip()) > width:
            lines[-1:] = [lines[-1][:width], lines[-1][width:]]
    return [line.rstrip() for line in lines]


def number(value: float, digits: int = 3) -> str:
    """Return a number for a label: as many decimals as it needs, and thousands apart."""
    if math.isnan(value):
        return "undefined"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    if value == int(value) and abs(value) >= 10**digits:
        return f"{value:,.0f}".replace("-", "−")
    if abs(value) >= 10**digits:
        return f"{value:,.{max(0, digits - 3)}f}".replace("-", "−")
    small = 0 < abs(value) < 0.1**digits
    return (f"{value:.{digits}g}" if small else f"{value:.{digits}f}").replace("-", "−")


def amount(value: float) -> str:
    """Return a cost for a label: four digits, and thousands apart."""
    if not math.isfinite(value) or abs(value) >= 1000:
        return number(value)
    return f"{value:.4g}".replace("-", "−")


def short_count(value: float) -> str:
    """Return a count in at most four or five characters: 950, 1.2k, 35k, 2.0M."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            scaled = value / limit
            return f"{scaled:.0f}{unit}" if scaled >= 10 else f"{scaled:.1f}{unit}"
    return f"{value:.0f}" if value == int(value) else f"{value:.3g}"
