"""The parts of a result: one entry per metric, model and slice, and what a reader must know."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.inference.intervals import Interval, IntervalRule, monte_carlo_error, spread_of

# model or None, metric, slice or None
Key = tuple[str | None, str, Any]


@dataclass(frozen=True)
class Entry:
    """One metric of one model on one slice.

    Parameters
    ----------
    estimate : value on the data
    replicates : (B,) values, nan where undefined
    rule : how the interval is made of them
    interval : the interval
    pivots : (B,) replicates that a studentized interval is made of, or None
    greater_is_better : direction of the metric
    known_error : standard error where it comes from no replicates, else None
    """

    estimate: float
    replicates: Floats
    rule: IntervalRule
    interval: Interval
    pivots: Floats | None = None
    greater_is_better: bool = True
    known_error: float | None = None

    @property
    def n_undefined(self) -> int:
        """Replicates in which the metric is undefined."""
        return int(np.isnan(self.replicates).sum())

    @cached_property
    def standard_error(self) -> float:
        """Standard deviation of the defined replicates, or what is known without any."""
        if self.known_error is not None:
            return self.known_error
        return spread_of(self.replicates[~np.isnan(self.replicates)])

    @cached_property
    def bias(self) -> float:
        """Mean of the defined replicates less the estimate."""
        values = self.replicates[~np.isnan(self.replicates)]
        with np.errstate(invalid="ignore"):
            return float(values.mean()) - self.estimate if values.size else math.nan

    @cached_property
    def monte_carlo_error(self) -> tuple[float, float]:
        """Standard deviation of each limit over resamples of the replicates."""
        return monte_carlo_error(self.rule, self.replicates if self.pivots is None else self.pivots)


@dataclass(frozen=True)
class Source:
    """What a result can still ask of its data; pickles go without it.

    Parameters
    ----------
    more : draws again, with so many more replicates, or None
    delete_one : delete-one values of each entry
    """

    more: Callable[[int], Any] | None
    delete_one: dict[Key, Callable[[], DeleteOne]]


@dataclass(frozen=True)
class RunInfo:
    """What a reader must know of the run.

    Parameters
    ----------
    n_rows, n_positive : size of the data; None positive where there are no two classes
    n_resamples : replicates
    resampling : law of the draws, ``"given"`` for draws from outside, ``"delong"`` where the
        standard errors need none
    by_class : whether each class kept its size
    seed : what reproduces the draws, None for draws from outside
    confidence_level : as a fraction
    frame : library of the inputs, which ``to_frame`` answers in
    n_groups : clusters that were drawn whole, or None
    n_strata : strata that kept their size, or None
    other : the second sample of a comparison of two, or None
    slice_columns : columns that rows were sliced by
    """

    n_rows: int
    n_positive: int | None
    n_resamples: int
    resampling: str
    by_class: bool
    seed: Any
    confidence_level: float
    frame: Literal["pandas", "polars"]
    n_groups: int | None = None
    n_strata: int | None = None
    other: RunInfo | None = None
    slice_columns: int = 0

    @property
    def has_intervals(self) -> bool:
        """Whether there is anything that intervals can be made of."""
        return self.n_resamples > 0 or self.resampling == "delong"

    def describe(self) -> str:
        """Return the data and the draws in a line."""
        data = self._describe_data()
        if self.other is not None:
            data += f" against {self.other._describe_data()}"
        if self.resampling == "delong":
            return f"{data} · DeLong, no resamples"
        if not self.n_resamples:
            return f"{data} · no resamples"
        strata = ", by class" if self.by_class else ""
        if self.n_strata is not None and not self.by_class:
            strata = f", in {self.n_strata:,} strata"
        what = " of groups" if self.n_groups is not None else ""
        seed = "" if self.seed is None else f", seed {plain_seed(self.seed)}"
        return f"{data} · {self.n_resamples:,} {self.resampling} resamples{what}{strata}{seed}"

    def _describe_data(self) -> str:
        """Return the size of the data."""
        data = f"{self.n_rows:,} rows"
        if self.n_groups is not None:
            data += f" in {self.n_groups:,} groups"
        if self.n_positive is not None:
            data += f", {self.n_positive:,} positive"
        return data


def plain_name(name: Any) -> Any:
    """Return the name of a slice in a type that JSON knows: dates and the like as text."""
    return name if name is None or isinstance(name, (str, int, float)) else str(name)


def plain_seed(seed: Any) -> Any:
    """Return a seed as a reader would pass it on: a number, or text where it was spawned."""
    if not isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed.entropy, int) and not seed.spawn_key:
        return seed.entropy
    return f"SeedSequence({seed.entropy}, spawn_key={seed.spawn_key})"
