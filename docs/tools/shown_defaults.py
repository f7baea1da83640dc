"""Shows the value of a default in the reference where the code names a constant."""

from __future__ import annotations

import re
from typing import Any

import griffe

LONGEST = 200


class ShownDefaults(griffe.Extension):
    """Replace the names of constants among the defaults of functions by what they stand for."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Replace the names among the defaults of a function."""
        for parameter in func.parameters:
            name = str(parameter.default)
            if name.isupper() and name in func.module.members:
                parameter.default = _value(func.module.members[name]) or name


def _value(member: Any) -> str | None:
    """Return the code of a constant, if it is short."""
    try:
        target = member.final_target if member.is_alias else member
    except griffe.GriffeError:
        return None
    text = re.sub(r"\s+", " ", str(getattr(target, "value", "")))
    return text if 0 < len(text) <= LONGEST else None
