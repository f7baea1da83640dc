"""Where results are kept: Markdown for readers, JSON so that one case can be measured again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.lines import Line
from benchmarks.machine import Machine
from benchmarks.summary import summarise
from benchmarks.tables import render


def write_results(
    path: Path,
    lines: Sequence[Line],
    machine: Machine,
    day: str,
    groups: Mapping[str, Sequence[str]],
) -> str:
    """Write Markdown to ``path`` and JSON beside it, and return what the README shows.

    Lines of other cases that are there already stay when they come from an equal machine, so
    that one case can be measured again.
    """
    order = [name for names in groups.values() for name in names]
    data = path.with_suffix(".json")
    fresh = [dataclasses.asdict(line) | {"day": day} for line in lines]
    measured = {line.case for line in lines}
    kept: list[dict[str, Any]] = []
    if data.exists():
        stored = json.loads(data.read_text())
        if stored["machine"] == dataclasses.asdict(machine):
            others = set(order) - measured
            kept = [row for row in stored["lines"] if row["case"] in others]
    rows = sorted([*kept, *fresh], key=lambda row: order.index(row["case"]))
    content = {"machine": dataclasses.asdict(machine), "lines": rows}
    data.write_text(json.dumps(content, indent=1) + "\n")
    days = [row["day"] for row in rows]
    known = [_read(row) for row in rows]
    text = render(known, machine, days, groups)
    path.write_text(f"# Results\n\nWritten by `python -m benchmarks.report`.\n\n{text}")
    return summarise(known, machine, days, groups)


def _read(row: dict[str, Any]) -> Line:
    """The line of a stored row."""
    fields = {name: value for name, value in row.items() if name != "day"}
    fields["points"] = tuple(tuple(point) for point in fields["points"])
    return Line(**fields)
