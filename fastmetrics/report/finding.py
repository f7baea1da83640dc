"""A finding: one thing that the numbers of a report say, in a sentence or two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["result", "caution", "note"]


@dataclass(frozen=True)
class Finding:
    """What the numbers say.

    Parameters
    ----------
    kind : "result" of the evaluation, "caution" against reading too much into it, or "note"
    topic : part of the report that it belongs to
    text : a sentence or two
    """

    kind: Kind
    topic: str
    text: str

    def __str__(self) -> str:
        return self.text
