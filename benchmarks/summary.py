"""The README's table: a row for each group and rival, with the range of what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchmarks.lines import Line
from benchmarks.machine import Machine
from benchmarks.tables import THREADS, bar_text, markdown_table, value_text

FULL_TABLES = "[benchmarks/results.md](benchmarks/results.md)"


def summarise(
    lines: Sequence[Line],
    machine: Machine,
    dates: Iterable[str],
    groups: Mapping[str, Sequence[str]],
) -> str:
    """One table of all groups (title: names of cases), and where and when it was measured."""
    rows = []
    for title, names in groups.items():
        for members in _by_rival([line for line in lines if line.case in names]):
            rows.append((title, *_cells(members)))
    headers = ("what", "beside", "cases", "measured", "bars", "verdict")
    days = sorted(set(dates))
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    note = f"{machine.describe()}. {when}. {THREADS} Every case stands in {FULL_TABLES}."
    return f"{markdown_table(headers, rows)}\n\n{note}\n"


def _by_rival(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines of one rival and measure together, in the order in which they first come."""
    found: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line.bar is not None:
            rival = line.rival.partition(",")[0]
            found.setdefault((rival, line.measure), []).append(line)
    return list(found.values())


def _cells(lines: Sequence[Line]) -> tuple[str, ...]:
    """Rival, number of cases, ranges of values and bars, and the verdict over all."""
    first = lines[0]
    values = sorted(line.value for line in lines)
    bars = sorted({line.bar for line in lines if line.bar is not None})
    names = {line.rival for line in lines}
    rival = first.rival if len(names) == 1 else first.rival.partition(",")[0]
    failed = [line for line in lines if line.passed is False]
    judged = any(line.passed is not None for line in lines)
    return (
        rival,
        str(len(lines)),
        _range([value_text(value, first.measure) for value in (values[0], values[-1])]),
        _range([bar_text(bar, first.measure) for bar in (bars[0], bars[-1])]),
        _failures(len(failed), len(lines)) if failed else "pass" if judged else "",
    )


def _failures(failed: int, cases: int) -> str:
    """How many cases miss their bar."""
    return "FAIL" if failed == cases else f"{failed} of {cases} FAIL"


def _range(ends: Sequence[str]) -> str:
    """Two texts as a range, or one where they are the same."""
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
