"""Runs the cases and writes the tables: ``python -m benchmarks.report --help``."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import time
from collections.abc import Sequence
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.cases import GROUPS, cases_with_their_bars
from benchmarks.kinds import Case
from benchmarks.lines import Line, report_progress
from benchmarks.machine import this_machine
from benchmarks.results import write_results
from benchmarks.tables import (
    bar_text,
    insert_between_markers,
    seconds_text,
    value_text,
    verdict,
)
from benchmarks.timing import ROOT

RESULTS = ROOT / "benchmarks" / "results.md"
README = ROOT / "README.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen cases, print and write; 1 where a bar is missed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    full = options.size == "full"
    output = options.output or (RESULTS if full else None)
    if options.readme and output is None:
        parser.error("--readme writes what --output writes: give a file, or --size full")
    cases = chosen_cases(options.group or [], options.case or [])
    # NumPy's and SciPy's linear algebra would otherwise take every core
    with threadpool_limits(1):
        lines = run(cases, full)
    if output is not None:
        groups = {group.title: [case.name for case in group.cases] for group in GROUPS}
        day = datetime.date.today().isoformat()
        text = write_results(output, lines, this_machine(), day, groups)
        if options.readme:
            insert_between_markers(README, text)
    judged = [line.passed for line in lines if line.passed is not None]
    print(f"{judged.count(False)} of {len(judged)} bars missed" if full else "tiny: not judged")
    return 1 if False in judged else 0


def chosen_cases(groups: Sequence[str], names: Sequence[str]) -> list[Case]:
    """The cases of groups and of names, or all, each after the case that its bars hang on."""
    grouped = [case.name for group in GROUPS if group.name in groups for case in group.cases]
    everything = [case.name for group in GROUPS for case in group.cases]
    cases: list[Case] = []
    for name in [*grouped, *names] or everything:
        cases += [case for case in cases_with_their_bars(name) if case not in cases]
    return cases


def run(cases: Sequence[Case], full: bool) -> list[Line]:
    """Measure the cases in order, and print each value beside its bar."""
    start = time.perf_counter()
    lines: list[Line] = []
    for case in cases:
        for line in case.measure(full, tuple(lines)):
            lines.append(line if full else dataclasses.replace(line, work=f"(tiny) {line.work}"))
            print(describe(line), flush=True)
        report_progress(f"... {time.perf_counter() - start:,.0f} s")
    return lines


def describe(line: Line) -> str:
    """One printed line."""
    seconds = ""
    if line.ours is not None:
        seconds = f" ({seconds_text(line.ours)} beside {seconds_text(line.theirs)})"
    parts = [
        f"{line.case:37}{line.rival}: {value_text(line.value, line.measure)}{seconds}",
        bar_text(line.bar, line.measure),
        verdict(line),
        line.note,
    ]
    return "  ".join(part for part in parts if part)


def _parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument(
        "--case", action="append", metavar="NAME", help="only this case; may be repeated"
    )
    parser.add_argument(
        "--group",
        action="append",
        choices=[group.name for group in GROUPS],
        help="only the cases of this table; may be repeated",
    )
    parser.add_argument("--size", choices=("full", "tiny"), default="full")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE.md",
        help="Markdown file, JSON is written beside it (full size: benchmarks/results.md)",
    )
    parser.add_argument(
        "--readme", action="store_true", help="also insert a summary into README.md"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
