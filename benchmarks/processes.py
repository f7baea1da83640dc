"""The kinds of cases that measure whole processes: from start to end, memory, compilation."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from benchmarks.lines import Bar, Line, report_progress, value_of
from benchmarks.timing import ROOT, in_turn, run_python, seconds_per_call


@dataclass(frozen=True)
class ProcessCase:
    """What a new process takes, from its start to its end, beside another one.

    Parameters
    ----------
    ours, theirs : code of the processes
    rival : what the table calls the other one
    cold : whether each process of ours starts with an empty cache of compiled code
    """

    name: str
    work: str
    ours: str
    theirs: str
    rival: str
    bar: Bar
    rounds: int
    cold: bool = False

    def measure(self, full: bool, before: Iterable[Line] = ()) -> Iterator[Line]:
        """Yield one line."""
        report_progress(self.name)
        start = time.perf_counter()
        if not self.cold:
            run_python(self.ours)
        first_call = None if self.cold else time.perf_counter() - start
        run_python(self.theirs)
        paired = in_turn(
            self._own_seconds,
            partial(seconds_per_call, partial(run_python, self.theirs)),
            self.rounds if full else 1,
        )
        value = value_of(self.bar.measure, paired)
        yield Line(
            self.name,
            self.work,
            self.rival,
            value,
            self.bar.measure,
            self.bar.limit,
            self.bar.passes(value) if full else None,
            statistics.median(paired.ours),
            statistics.median(paired.theirs),
            first_call,
            "whole processes, in turn",
        )

    def _own_seconds(self) -> float:
        """Seconds of one process of ours."""
        if not self.cold:
            return seconds_per_call(partial(run_python, self.ours))
        with tempfile.TemporaryDirectory() as folder:
            cache = {"NUMBA_CACHE_DIR": folder}
            return seconds_per_call(partial(run_python, self.ours, cache))


@dataclass(frozen=True)
class MemoryCase:
    """Peak memory of one AUC in a process of its own, over the size of its input."""

    name: str
    work: str
    full: int
    tiny: int
    dtype: str
    bar: Bar

    def measure(self, full: bool, before: Iterable[Line] = ()) -> Iterator[Line]:
        """Yield one line."""
        report_progress(self.name)
        rows = self.full if full else self.tiny
        command = [sys.executable, "-m", "benchmarks.memory", str(rows), self.dtype]
        output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        used = json.loads(output)
        value = used["peak"] / used["input"]
        yield Line(
            self.name,
            self.work,
            "size of the input",
            value,
            self.bar.measure,
            self.bar.limit,
            self.bar.passes(value) if full else None,
            note=f"{used['peak'] / 1e9:.2f} GB of {used['input'] / 1e9:.2f} GB, input included",
        )


@dataclass(frozen=True)
class CompileCase:
    """What a new process takes whose cache of compiled code is empty.

    At the tiny size the cache stays as it is: the code runs, and nobody waits for the compiler.

    Parameters
    ----------
    code : of the process; the last word that it prints is its number of threads
    """

    name: str
    work: str
    code: str
    bar: Bar

    def measure(self, full: bool, before: Iterable[Line] = ()) -> Iterator[Line]:
        """Yield one line."""
        report_progress(self.name)
        with tempfile.TemporaryDirectory() as folder:
            cache = {"NUMBA_CACHE_DIR": folder} if full else {}
            busy = _processor_seconds()
            start = time.perf_counter()
            threads = int(run_python(self.code, cache).split()[-1])
            value = time.perf_counter() - start
            busy = _processor_seconds() - busy
        yield Line(
            self.name,
            self.work,
            "an empty cache" if full else "the cache as it is",
            value,
            self.bar.measure,
            self.bar.limit,
            self.bar.passes(value) if full else None,
            note=f"{threads} threads, {busy:.0f} s of processor time",
        )


@dataclass(frozen=True)
class ColdCallsCase:
    """The call that waits longest, among calls each made by a new process with an empty cache.

    At the tiny size the cache stays as it is, and only the first of the calls is made.

    Parameters
    ----------
    calls : names of cases whose call of ours is made
    """

    name: str
    work: str
    calls: tuple[str, ...]
    bar: Bar

    def measure(self, full: bool, before: Iterable[Line] = ()) -> Iterator[Line]:
        """Yield one line."""
        report_progress(self.name)
        waits = {call: self._wait(call, full) for call in self.calls[: None if full else 1]}
        longest = max(waits, key=lambda call: waits[call])
        yield Line(
            self.name,
            self.work,
            "an empty cache" if full else "the cache as it is",
            waits[longest],
            self.bar.measure,
            self.bar.limit,
            self.bar.passes(waits[longest]) if full else None,
            note=f"the longest of {len(waits)}, by {longest}",
        )

    def _wait(self, call: str, full: bool) -> float:
        """Seconds of one call in a process of its own."""
        code = f"from benchmarks.worker import first_call; print(first_call({call!r}))"
        with tempfile.TemporaryDirectory() as folder:
            return float(run_python(code, {"NUMBA_CACHE_DIR": folder} if full else {}))


def _processor_seconds() -> float:
    """Processor time of all processes that this one has started and seen end."""
    times = os.times()
    return times.children_user + times.children_system
