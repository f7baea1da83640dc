"""Bars, and the lines of the report that are judged by them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal

from benchmarks.timing import Paired

Measure = Literal["speedup", "cost", "extra", "seconds", "slope"]


@dataclass(frozen=True)
class Bar:
    """What a measured value has to reach; without a limit it is only shown.

    Parameters
    ----------
    measure : "speedup" (times faster, at least), "cost" (times the cost, at most), "extra"
        (seconds more, at most), "seconds" (at most), "slope" (of a log-log line, at most)
    limit : the bar
    """

    measure: Measure
    limit: float | None = None

    def passes(self, value: float) -> bool | None:
        """Whether a value reaches the bar."""
        if self.limit is None:
            return None
        return value >= self.limit if self.measure == "speedup" else value <= self.limit


@dataclass(frozen=True)
class Line:
    """One row of the report: a value beside its bar, and the seconds behind it.

    ``first_call`` is the first call of ours in the process that measured, compilation or the
    loading of compiled code included; it is not part of ``ours``.
    """

    case: str
    work: str
    rival: str
    value: float
    measure: Measure
    bar: float | None
    passed: bool | None
    ours: float | None = None
    theirs: float | None = None
    first_call: float | None = None
    note: str = ""
    points: tuple[tuple[float, ...], ...] = ()


def value_of(measure: Measure, paired: Paired) -> float:
    """The measured value of two contestants."""
    values = {"speedup": paired.speedup, "cost": paired.cost, "extra": paired.extra}
    return values[measure]


def report_progress(text: str) -> None:
    """Say on the error stream what is being measured."""
    print(text, file=sys.stderr, flush=True)
