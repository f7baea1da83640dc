"""The report's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.lines import Line, Measure
from benchmarks.machine import Machine

START, END = "<!-- benchmarks:start -->", "<!-- benchmarks:end -->"

THREADS = (
    "fastmetrics on one thread except where the line says two; rivals on one thread unless their "
    "name says otherwise. Ratios are medians over rounds in which both ran in turn, after equal "
    "answers were asserted and everything was compiled."
)


def value_text(value: float, measure: Measure) -> str:
    """A value with its unit, three digits."""
    if measure == "extra":
        return f"{value:.2f} s more"
    if measure == "seconds":
        return seconds_text(value)
    if measure == "slope":
        return f"slope {value:.2f}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}x" + (" faster" if measure == "speedup" else "")


def bar_text(bar: float | None, measure: Measure) -> str:
    """A bar in words."""
    if bar is None:
        return ""
    number = f"{bar:,.0f}" if bar >= 100 else f"{bar:.3g}"
    words = {"speedup": f"at least {number}x", "cost": f"at most {number}x"}
    words |= {"extra": f"at most {number} s", "seconds": f"at most {number} s"}
    words |= {"slope": f"at most {number}"}
    return words[measure]


def seconds_text(seconds: float | None) -> str:
    """Seconds in the unit that reads best."""
    if seconds is None:
        return ""
    for unit, size in (("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * (1.5 if size > 1 else 1):
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def verdict(line: Line) -> str:
    """Whether the bar is reached, or that it was not judged."""
    return "" if line.passed is None else "pass" if line.passed else "FAIL"


def render(
    lines: Sequence[Line],
    machine: Machine,
    dates: Iterable[str],
    groups: Mapping[str, Sequence[str]],
) -> str:
    """The tables of each group (title: names of cases), with machine, versions, threads, dates."""
    parts: list[str] = []
    for title, names in groups.items():
        tables = _tables([line for line in lines if line.case in names])
        parts += [f"**{title}**", *tables] if tables else []
    days = sorted(set(dates))
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    first = max((line.first_call or 0 for line in lines), default=0)
    parts.append(
        f"{machine.describe()}. {when}. {THREADS} The slowest first call, which loads or "
        f"compiles code and is in no ratio, took {seconds_text(first)}."
    )
    return "\n\n".join(parts) + "\n"


def _tables(lines: Sequence[Line]) -> list[str]:
    """A table of ratios and one of growth, those that have lines."""
    tables = []
    ratios = [line for line in lines if not line.points]
    if ratios:
        headers = ("work", "beside", "theirs", "fastmetrics", "measured", "bar", "verdict", "note")
        tables.append(markdown_table(headers, [_ratio_row(line) for line in ratios]))
    grown = [line for line in lines if line.points]
    if grown:
        headers = ("growth", "in", "size: seconds", "measured", "bar", "verdict")
        tables.append(markdown_table(headers, [_growth_row(line) for line in grown]))
    return tables


def _ratio_row(line: Line) -> tuple[str, ...]:
    """Cells of one comparison."""
    return (
        line.work,
        line.rival,
        seconds_text(line.theirs),
        seconds_text(line.ours),
        value_text(line.value, line.measure),
        bar_text(line.bar, line.measure),
        verdict(line),
        line.note,
    )


def _growth_row(line: Line) -> tuple[str, ...]:
    """Cells of one growth, its points in one cell."""
    points = ", ".join(f"{size:,.0f}: {seconds_text(total)}" for size, total, *_ in line.points)
    return (
        line.work,
        line.rival.removeprefix("growth in "),
        points,
        value_text(line.value, line.measure),
        bar_text(line.bar, line.measure),
        verdict(line),
    )


def markdown_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def insert_between_markers(path: Path, text: str) -> None:
    """Replace what stands between the two markers of a file."""
    whole = path.read_text()
    before, start, rest = whole.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"{path.name} needs the markers {START} and {END}, each on its line")
    path.write_text(f"{before}{START}\n{text}{END}{after}")
