"""A run of the bootstrap: the data prepared once, and results of any number of replicates."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.designs import Design
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.engine.plans.choosing import Slices, make_plan, tile_plan
from fastmetrics.engine.plans.running import draw_replicates
from fastmetrics.engine.plans.sorted_plan import SortedPlan
from fastmetrics.engine.plans.studentized import with_errors
from fastmetrics.engine.plans.tile_plan import TilePlan
from fastmetrics.engine.readings.answers import ModelData, TrueData
from fastmetrics.inference.bootstraps._progress import progress_bar
from fastmetrics.inference.bootstraps._warnings import warn_of_entries
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.entries import Entry, Key, RunInfo, Source
from fastmetrics.inference.intervals import (
    Alternative,
    Interval,
    IntervalRule,
    Method,
    rounding_of,
    with_ties,
)

FIRST_LOOK = 1000
AUTO_CAP = 64_000
# limits are known well enough when chance moves them by this share of the standard error
AUTO_SHARE = 0.05


@dataclass(frozen=True)
class Settings:
    """Validated options that do not concern the draws."""

    level: float
    method: Method | None
    alternative: Alternative
    n_jobs: int
    progress: bool
    frame: Literal["pandas", "polars"]
    jackknife_groups: int | None = None
    slice_columns: int = 0


class Run:
    """The data of one call, prepared once; makes results of any number of replicates."""

    def __init__(
        self,
        true: TrueData,
        models: Sequence[ModelData],
        slices: Slices,
        design: Design,
        settings: Settings,
        rng: Any = None,
        *,
        given: bool = False,
    ) -> None:
        self.true = true
        self.design = design
        self.settings = settings
        self.root, self.seed = read_seed(rng)
        self._accelerations: dict[int, tuple[float, bool]] = {}
        studentized = settings.method == "studentized"
        whole = given or studentized or settings.jackknife_groups is not None
        self.plan: SortedPlan | TilePlan
        if studentized:
            self.plan = with_errors(tile_plan(true, models, slices, design, whole=True))
        else:
            self.plan = make_plan(true, models, slices, design, whole=whole)
        self.keys: list[Key] = [
            (model.name, metric.name, part)
            for part, _ in slices
            for model in models
            for metric in model.metrics
        ]

    @classmethod
    def of_plan(
        cls, plan: TilePlan, true: TrueData, design: Design, settings: Settings, rng: Any
    ) -> Run:
        """Make a run of a plan that is there already, one entry per answer."""
        run = cls.__new__(cls)
        run.true, run.design, run.settings = true, design, settings
        run.root, run.seed = read_seed(rng)
        run._accelerations = {}
        run.plan = plan
        run.keys = [(None, answer.metric.name, None) for answer in plan.answers]
        return run

    def drawn(self, n_resamples: int, before: Floats | None = None) -> BootstrapResult:
        """Make the result of drawn replicates, going on after those that are there."""
        return self._resulting(self._draw(n_resamples, before))

    def _resulting(self, sums: Floats) -> BootstrapResult:
        """Make the result of sums (B, columns) that can be gone on with."""

        def more(n: int) -> BootstrapResult:
            return self.drawn(len(sums) + n, sums)

        return self._result(sums, self.design.law, self.seed, more)

    def drawn_until_precise(self) -> BootstrapResult:
        """Make the result of as many replicates as the limits need, at most a cap."""
        size, sums = FIRST_LOOK, None
        while True:
            sums = self._draw(size, sums)
            found = self._entries(sums)
            if size >= AUTO_CAP or all(_is_precise(entry) for entry in found.values()):
                return self._resulting(sums)
            size *= 2

    def _draw(self, n_resamples: int, before: Floats | None) -> Floats:
        """Sums of all replicates, those before included."""
        done = 0 if before is None else len(before)
        with progress_bar(n_resamples - done, self.settings.progress) as advance:
            sums = draw_replicates(
                self.plan,
                n_resamples,
                self.root,
                first=done,
                n_jobs=self.settings.n_jobs,
                advance=advance,
            )
        return sums if before is None else np.concatenate([before, sums])

    def given(self, draws: Iterator[npt.NDArray[np.int64]]) -> BootstrapResult:
        """Make the result of draws from outside."""
        if not isinstance(self.plan, TilePlan):
            raise TypeError("draws of single rows are read from whole tiles")
        return self._result(self.plan.given(draws), "given", None, None)

    def _result(
        self,
        sums: Floats,
        resampling: str,
        seed: Any,
        more: Callable[[int], BootstrapResult] | None,
    ) -> BootstrapResult:
        entries = self._entries(sums)
        warn_of_entries(entries, len(sums))
        info = describe_run(
            self.true, self.design, len(sums), seed, self.settings.level, self.settings.frame
        )
        info = dataclasses.replace(
            info, resampling=resampling, slice_columns=self.settings.slice_columns
        )
        source = Source(more, {key: self._leave_out(k) for k, key in enumerate(self.keys)})
        return BootstrapResult(entries, info, source)

    def _leave_out(self, place: int) -> Callable[[], DeleteOne]:
        return lambda: self.plan.delete_one(place, self.settings.jackknife_groups)

    def _entries(self, sums: Floats) -> dict[Key, Entry]:
        answers = self.plan.answers
        estimates, replicates = self.plan.values(self.plan.estimate), self.plan.values(sums)
        return {
            key: self._entry(k, answers[k].metric, float(estimates[k]), replicates, estimates)
            for k, key in enumerate(self.keys)
        }

    def _entry(
        self,
        place: int,
        metric: Metric,
        estimate: float,
        replicates: Sequence[Floats],
        estimates: Sequence[Floats],
    ) -> Entry:
        method = self.settings.method or self._default_method(metric)
        values = replicates[place]
        values = with_ties(values, estimate, rounding_of(values))
        pivots = None
        acceleration, exact = float("nan"), True
        if method == "bca" and len(values) and not np.isnan(estimate):
            acceleration, exact = self._acceleration(place)
        if method == "studentized":
            errors = place + len(self.keys)
            pivots = _pivots(estimate, float(estimates[errors]), values, replicates[errors])
        rule = IntervalRule(
            method,
            self.settings.level,
            self.settings.alternative,
            estimate,
            metric.bounds,
            acceleration,
            by_influence=not exact,
        )
        interval = rule.apply(values if pivots is None else pivots)
        if pivots is not None:
            interval = _say_what_is_lost(interval, values, pivots)
        return Entry(estimate, values, rule, interval, pivots, metric.greater_is_better)

    def _acceleration(self, place: int) -> tuple[float, bool]:
        """Acceleration of an entry, found once, and whether the jackknife is exact."""
        if place not in self._accelerations:
            found = self._leave_out(place)()
            self._accelerations[place] = found.acceleration(), found.exact
        return self._accelerations[place]

    def _default_method(self, metric: Metric) -> Method:
        """The metric's own interval; percentile for functions and Bayesian weights."""
        if self.design.law == "bayesian" or metric.statistic.kind == "callable":
            return "percentile"
        return metric.default_interval


def describe_run(
    true: TrueData,
    design: Design,
    n_resamples: int,
    seed: Any,
    level: float,
    frame: Literal["pandas", "polars"],
) -> RunInfo:
    """Return what a reader must know of a run."""
    groups, strata = design.groups, design.strata
    return RunInfo(
        n_rows=true.n,
        n_positive=None if true.labels is None else int(true.labels.sum()),
        n_resamples=n_resamples,
        resampling=design.law,
        by_class=design.by_class,
        seed=seed,
        confidence_level=level,
        frame=frame,
        n_groups=None if groups is None else int(groups.max()) + 1,
        n_strata=None if strata is None else int(strata.max()) + 1,
    )


def _pivots(estimate: float, error: float, values: Floats, errors: Floats) -> Floats:
    """Replicates whose distance from the estimate is measured in their own standard errors."""
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = estimate + (values - estimate) / errors * error
    return np.where(np.isfinite(pivots), pivots, np.nan)


def _say_what_is_lost(interval: Interval, values: Floats, pivots: Floats) -> Interval:
    """Add a remark on replicates whose own standard error is 0."""
    lost = int(np.isnan(pivots).sum() - np.isnan(values).sum())
    if not lost:
        return interval
    remark = f"{lost:,} replicates without a spread of their own are left out"
    return dataclasses.replace(interval, remarks=(*interval.remarks, remark))


def _is_precise(entry: Entry) -> bool:
    """Whether chance moves no limit by more than a share of the standard error."""
    error = entry.standard_error
    moved = [move for move in entry.monte_carlo_error if not np.isnan(move)]
    return np.isnan(error) or not moved or max(moved) <= AUTO_SHARE * error
