"""The parts of a result: one entry per metric, model and slice, and what a reader must know."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.inference.intervals import Interval, IntervalRule, monte_carlo_error


@dataclass(frozen=True)
class Entry:
    """One metric of one model on one slice.

    Parameters
    ----------
    estimate : value on the data
    replicates : (B,) values, nan where undefined
    rule : how the interval is made of them
    interval : the interval
    """

    estimate: float
    replicates: Floats
    rule: IntervalRule
    interval: Interval

    @property
    def n_undefined(self) -> int:
        """Replicates in which the metric is undefined."""
        return int(np.isnan(self.replicates).sum())

    @cached_property
    def standard_error(self) -> float:
        """Standard deviation of the defined replicates."""
        values = self.replicates[~np.isnan(self.replicates)]
        return float(values.std(ddof=1)) if values.size > 1 else math.nan

    @cached_property
    def bias(self) -> float:
        """Mean of the defined replicates less the estimate."""
        values = self.replicates[~np.isnan(self.replicates)]
        return float(values.mean()) - self.estimate if values.size else math.nan

    @cached_property
    def monte_carlo_error(self) -> tuple[float, float]:
        """Standard deviation of each limit over resamples of the replicates."""
        return monte_carlo_error(self.rule, self.replicates)


@dataclass(frozen=True)
class RunInfo:
    """What a reader must know of the run.

    Parameters
    ----------
    n_rows, n_positive : size of the data
    n_resamples : replicates
    resampling : law of the draws, ``"given"`` for draws from outside
    by_class : whether each class kept its size
    seed : what reproduces the draws, None for draws from outside
    confidence_level : as a fraction
    frame : library of the inputs, which ``to_frame`` answers in
    """

    n_rows: int
    n_positive: int
    n_resamples: int
    resampling: str
    by_class: bool
    seed: Any
    confidence_level: float
    frame: Literal["pandas", "polars"]

    def describe(self) -> str:
        """Return the data and the draws in a line."""
        data = f"{self.n_rows:,} rows, {self.n_positive:,} positive"
        if not self.n_resamples:
            return f"{data} · no resamples"
        strata = ", by class" if self.by_class else ""
        seed = "" if self.seed is None else f", seed {plain_seed(self.seed)}"
        return f"{data} · {self.n_resamples:,} {self.resampling} resamples{strata}{seed}"


def plain_seed(seed: Any) -> Any:
    """Return a seed as a reader would pass it on: a number, or text where it was spawned."""
    if not isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed.entropy, int) and not seed.spawn_key:
        return seed.entropy
    return f"SeedSequence({seed.entropy}, spawn_key={seed.spawn_key})"
