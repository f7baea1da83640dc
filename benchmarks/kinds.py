"""The kinds of cases: a ratio to rivals, growth, and those of ``processes.py``; their groups.

A case is described, frozen, in ``cases.py``, ``catalogue.py`` or ``footprint.py``; ``measure`` does
what its kind does and gives one ``Line`` for each rival. Sizes "full" are what the bars are for;
"tiny" shows that the code works.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks import own
from benchmarks.agreement import Answer
from benchmarks.data import Problem, Ties, make_problem
from benchmarks.lines import Bar, Line, report_progress, value_of
from benchmarks.processes import ColdCallsCase, CompileCase, MemoryCase, ProcessCase
from benchmarks.rivals import Call
from benchmarks.timing import (
    Apart,
    Contestant,
    Here,
    Paired,
    in_turn,
    log_log_slope,
    projected,
    seconds_per_call,
)


@dataclass(frozen=True)
class Size:
    """How large a case is, and how often it is timed.

    Parameters
    ----------
    n : rows
    positives : how many of them are positive, where labels are binary
    n_resamples : replicates, 1 where nothing is resampled
    rounds : how often ours and a rival are timed in turn
    calls : calls in one timing, for work of microseconds
    """

    n: int
    positives: int = 0
    n_resamples: int = 1
    rounds: int = 5
    calls: int = 1


@dataclass(frozen=True)
class Rival:
    """What ours is compared with.

    Parameters
    ----------
    name : as the table shows it, threads included
    package : import name; the rival is left out where it cannot be imported
    bind : data and replicates to a call
    check : data, our answer, the rival's answer; raises where they differ
    bar : what ours has to reach
    few : replicates timed where all would take hours; None times the work as it is
    base : replicates that stand for the rival's set-up, see ``projected``
    apart : whether it runs in a process of its own, because threads are set before it loads
    threads : of that process; None for the rival's default
    rounds : instead of the size's, for rivals of many seconds
    """

    name: str
    package: str
    bind: Callable[[Any, int], Call]
    check: Callable[[Any, Answer, Answer], None]
    bar: Bar
    few: int | None = None
    base: int = 0
    apart: bool = False
    threads: int | None = None
    rounds: int | None = None

    @property
    def installed(self) -> bool:
        """Whether the package can be imported."""
        return importlib.util.find_spec(self.package) is not None

    def seconds(self, contestant: Contestant, size: Size) -> float:
        """Seconds of the work of a size, projected from few replicates where there is a few."""
        if self.few is None:
            return contestant.seconds(size.n_resamples, size.calls)
        return projected(contestant.seconds, size.n_resamples, self.base, self.few)


@dataclass(frozen=True)
class RatioCase:
    """Work that rivals do too.

    Parameters
    ----------
    name : for the command line
    work : what the table says
    full, tiny : sizes
    ours : data and replicates to a call
    rivals : in the order of the table
    ties : of the scores
    half_of : name of a case whose measured ratios, halved, are the bars of this one
    make : size to data, where these are no labels and scores
    unit : what ``n_resamples`` counts
    """

    name: str
    work: str
    full: Size
    tiny: Size
    ours: Callable[[Any, int], Call]
    rivals: tuple[Rival, ...]
    ties: Ties = "none"
    half_of: str | None = None
    make: Callable[[Size], Any] | None = None
    unit: str = "replicates"

    def size(self, full: bool) -> Size:
        """The full or the tiny size."""
        return self.full if full else self.tiny

    def prepare(self, size: Size) -> Any:
        """The data, the same in every process."""
        if self.make is not None:
            return self.make(size)
        return make_problem(size.n, size.positives, self.ties)

    def measure(self, full: bool, before: Iterable[Line] = ()) -> Iterator[Line]:
        """Yield a line for each rival that is installed; ``before`` are lines of other cases."""
        size = self.size(full)
        problem = self.prepare(size)
        ours = Here(partial(self.ours, problem))
        call = self.ours(problem, size.n_resamples)
        start = time.perf_counter()
        answer = own.answer(call())
        first_call = time.perf_counter() - start
        halved = {line.rival: line.value / 2 for line in before if line.case == self.half_of}
        for rival in self.rivals:
            if not rival.installed:
                report_progress(f"{self.name}: {rival.package} is not installed, left out")
                continue
            bar = rival.bar
            if self.half_of and bar.limit is not None:
                bar = Bar(bar.measure, halved.get(rival.name))
            report_progress(f"{self.name}: {rival.name}")
            paired = self._compare(rival, problem, ours, answer, full)
            yield Line(
                self.name,
                self.work,
                rival.name,
                value := value_of(bar.measure, paired),
                bar.measure,
                bar.limit,
                bar.passes(value) if full else None,
                statistics.median(paired.ours),
                statistics.median(paired.theirs),
                first_call,
                self._note(rival, size),
            )

    def _compare(
        self, rival: Rival, problem: Any, ours: Here, answer: Answer, full: bool
    ) -> Paired:
        """Check the answers, then time both in turn."""
        size = self.size(full)
        with ExitStack() as stack:
            theirs: Contestant = Here(partial(rival.bind, problem))
            if rival.apart:
                place = Apart(self.name, rival.name, "full" if full else "tiny", rival.threads)
                theirs = stack.enter_context(place)
            rival.check(problem, answer, theirs.answer(rival.few or size.n_resamples))
            return in_turn(
                partial(ours.seconds, size.n_resamples, size.calls),
                partial(rival.seconds, theirs, size),
                rival.rounds or size.rounds,
            )

    def _note(self, rival: Rival, size: Size) -> str:
        """What was timed instead of the whole, and where the bar comes from."""
        notes = []
        if rival.few is not None:
            notes.append(f"{rival.few} of {size.n_resamples:,} {self.unit} timed, set-up once")
        if self.half_of and rival.bar.limit is not None:
            notes.append("bar: half the ratio without ties")
        return "; ".join(notes)


@dataclass(frozen=True)
class GrowthCase:
    """Time against size, and the slope of its logarithm on the logarithm of the size.

    Parameters
    ----------
    axis : what grows, as the table says
    along : the size that grows
    full, tiny : the sizes to time
    set_up : what is timed apart and subtracted before the line is fitted, or None
    """

    name: str
    work: str
    axis: str
    along: Callable[[Size], float]
    full: tuple[Size, ...]
    tiny: tuple[Size, ...]
    ours: Callable[[Problem, int], Call]
    bar: Bar
    set_up: Callable[[Problem, int], Call] | None = None

    def measure(self, full: bool, before: Iterable[Line] = ()) -> Iterator[Line]:
        """Yield one line, with the points behind its slope."""
        points = [self._point(size) for size in (self.full if full else self.tiny)]
        slope = log_log_slope([point[0] for point in points], [point[2] for point in points])
        yield Line(
            self.name,
            self.work,
            f"growth in {self.axis}",
            slope,
            self.bar.measure,
            self.bar.limit,
            self.bar.passes(slope) if full else None,
            note="slope without the set-up" if self.set_up else "",
            points=tuple(points),
        )

    def _point(self, size: Size) -> tuple[float, float, float]:
        """Size, seconds, and seconds without the set-up, least of the rounds."""
        report_progress(f"{self.name}: {self.along(size):,}")
        problem = make_problem(size.n, size.positives)
        call = self.ours(problem, size.n_resamples)
        call()
        seconds = min(seconds_per_call(call, size.calls) for _ in range(size.rounds))
        if self.set_up is None:
            return self.along(size), seconds, seconds
        prepare = self.set_up(problem, size.n_resamples)
        prepare()
        apart = min(seconds_per_call(prepare, size.calls) for _ in range(size.rounds))
        return self.along(size), seconds, max(seconds - apart, 1e-9)


@dataclass(frozen=True)
class SecondsCase:
    """Work that no rival can do, and the seconds that each of its ``n_resamples`` parts takes.

    Parameters
    ----------
    part : what is counted, as the table says
    full, tiny : sizes
    ours : size and number of parts to a call
    bar : in seconds
    """

    name: str
    work: str
    part: str
    full: Size
    tiny: Size
    ours: Callable[[Size, int], Call]
    bar: Bar

    def measure(self, full: bool, before: Iterable[Line] = ()) -> Iterator[Line]:
        """Yield one line: the median over rounds."""
        size = self.full if full else self.tiny
        call = self.ours(size, size.n_resamples)
        start = time.perf_counter()
        call()
        first_call = time.perf_counter() - start
        rounds = [seconds_per_call(call) / size.n_resamples for _ in range(size.rounds)]
        value = statistics.median(rounds)
        yield Line(
            self.name,
            self.work,
            self.part,
            value,
            self.bar.measure,
            self.bar.limit,
            self.bar.passes(value) if full else None,
            first_call=first_call,
        )


Case = RatioCase | ProcessCase | CompileCase | ColdCallsCase | MemoryCase | GrowthCase | SecondsCase


@dataclass(frozen=True)
class Group:
    """Cases whose lines share a table.

    Parameters
    ----------
    name : for the command line
    title : above the table
    cases : in the order of the table
    """

    name: str
    title: str
    cases: tuple[Case, ...]
