"""Clocks: calls in this process, calls in a process with its own threads, whole processes.

Conventions
-----------
The machine is noisy, so two contestants are timed in turn, A B A B, and what is reported is the
median over the rounds of the ratio of two neighbours. Everything runs once before it is timed.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from benchmarks import own
from benchmarks.rivals import Call

ROOT = Path(__file__).parents[1]
THREAD_VARIABLES = (
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)


def seconds_per_call(call: Callable[[], Any], calls: int = 1) -> float:
    """Seconds of one of ``calls`` calls, without garbage collection in between."""
    collects = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(calls):
            call()
        return (time.perf_counter() - start) / calls
    finally:
        if collects:
            gc.enable()


class Contestant(Protocol):
    """Something that answers, and that can be timed."""

    def answer(self, n_resamples: int) -> NDArray[np.float64]:
        """Do the work once."""
        ...

    def seconds(self, n_resamples: int, calls: int = 1) -> float:
        """Seconds of the work."""
        ...


@dataclass(frozen=True)
class Here:
    """A contestant in this process: a function of the number of replicates that binds a call."""

    bind: Callable[[int], Call]

    def answer(self, n_resamples: int) -> NDArray[np.float64]:
        """Do the work once."""
        return own.answer(self.bind(n_resamples)())

    def seconds(self, n_resamples: int, calls: int = 1) -> float:
        """Seconds of one of ``calls`` calls."""
        return seconds_per_call(self.bind(n_resamples), calls)


class Apart:
    """A rival in a process of its own, where the number of threads is set before it loads.

    Parameters
    ----------
    case, rival : what to run, by name
    size : which size of the case; the process makes the same data from the same seed
    threads : number of threads, or None for the rival's default
    """

    def __init__(
        self, case: str, rival: str, size: Literal["full", "tiny"], threads: int | None
    ) -> None:
        command = [sys.executable, "-m", "benchmarks.worker", case, rival, size]
        if threads == 1:
            command.append("--one-core")
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=thread_environment(threads),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # progress bars; errors come back as answers
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()

    def answer(self, n_resamples: int) -> NDArray[np.float64]:
        """Do the work once."""
        return np.asarray(self._ask(n_resamples, 0)["answer"], dtype=np.float64)

    def seconds(self, n_resamples: int, calls: int = 1) -> float:
        """Seconds of one of ``calls`` calls, on the clock of that process."""
        return float(self._ask(n_resamples, calls)["seconds"])

    def _ask(self, n_resamples: int, calls: int) -> dict[str, Any]:
        """Send a request, and wait for the reply."""
        sender, receiver = self._process.stdin, self._process.stdout
        if sender is None or receiver is None:
            raise RuntimeError("the rival's process has no pipes")
        with contextlib.suppress(BrokenPipeError):  # then there is no reply to read either
            sender.write(json.dumps({"n_resamples": n_resamples, "calls": calls}) + "\n")
            sender.flush()
        line = receiver.readline()
        reply = json.loads(line) if line else {"error": f"no reply from {self._process.args!r}"}
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return dict(reply)


def thread_environment(threads: int | None) -> dict[str, str]:
    """This process's environment, with every pool of threads set to a size, or left alone."""
    if threads is None:
        return dict(os.environ)
    return dict(os.environ) | dict.fromkeys(THREAD_VARIABLES, str(threads))


def run_python(code: str, extra: Mapping[str, str] | None = None) -> str:
    """Output of a new process that runs ``code``."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=dict(os.environ) | dict(extra or {}),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


@dataclass(frozen=True)
class Paired:
    """Seconds of two contestants, measured in turn."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def speedup(self) -> float:
        """How many times faster ours are."""
        return statistics.median(b / a for a, b in zip(self.ours, self.theirs))

    @property
    def cost(self) -> float:
        """How many times the rival's time ours take."""
        return statistics.median(a / b for a, b in zip(self.ours, self.theirs))

    @property
    def extra(self) -> float:
        """How many seconds more ours take."""
        return statistics.median(a - b for a, b in zip(self.ours, self.theirs))


def in_turn(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> Paired:
    """Take the time of both, one after the other, ``rounds`` times."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return Paired(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


def projected(seconds: Callable[[int], float], n_resamples: int, base: int, few: int) -> float:
    """Seconds of many replicates from the seconds of ``base`` and of ``few``.

    What ``few - base`` replicates cost more is the cost of replicates; the rest is set-up, and
    counts once. A base of 0 stands for work without set-up.
    """
    set_up = seconds(base) if base else 0.0
    per_replicate = (seconds(few) - set_up) / (few - base)
    return set_up + (n_resamples - base) * per_replicate


def log_log_slope(sizes: list[float], seconds: list[float]) -> float:
    """Slope of a line through the logarithms: 1 where the cost is linear."""
    slope, _ = np.polyfit(np.log(sizes), np.log(seconds), 1)
    return float(slope)
