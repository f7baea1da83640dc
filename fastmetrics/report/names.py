"""Names that come from outside, made safe for every place they go to.

Conventions
-----------
A model or a slice may be called anything. Text that is shown has no control characters and no
marks that turn the direction of what follows; each format escapes its own signs on top of that.
File names are made of letters, digits, hyphens and underscores.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

# joins the parts of an emoji, and is drawn with them
_JOINER = "\u200d"
_LONGEST_FILE_NAME = 48
_MARKDOWN = re.compile(r"([\\`*\[\]|$~#@])")


def printable(name: object) -> str:
    """Return a name in one line, with what cannot be printed as Python would write it."""
    text = "".join(
        sign if sign.isprintable() or sign == _JOINER else _escaped(sign) for sign in str(name)
    )
    return text if text.strip() else repr(text)


def _escaped(sign: str) -> str:
    """Return a sign that is not printable: a space for a gap, else its escape."""
    return " " if sign.isspace() else sign.encode("unicode_escape").decode("ascii")


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is, tables, formulas and HTML included."""
    escaped = _MARKDOWN.sub(r"\\\1", printable(text))
    # underscores within a word are harmless, and metrics are full of them
    escaped = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", escaped)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def spreadsheet_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: those get an apostrophe first."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def file_name(name: object, taken: Collection[str] = ()) -> str:
    """Return a name for a file, without ending, that is none of those taken.

    What is no letter, digit, hyphen or underscore of ASCII becomes a hyphen, so the result never
    leaves its folder and holds on every file system.
    """
    plain = unicodedata.normalize("NFKD", str(name)).encode("ascii", "ignore").decode("ascii")
    stem = re.sub(r"[^A-Za-z0-9_]+", "-", plain).strip("-_").lower()[:_LONGEST_FILE_NAME]
    stem = stem.rstrip("-_") or "model"
    found, number = stem, 1
    while found in taken:
        number += 1
        found = f"{stem}-{number}"
    return found
