"""Data sets x replicates: intervals of every metric by every method on data set after data set.

Conventions
-----------
Everything of a data set follows from the seed and its number, so threads change nothing, nor does
the number of data sets that are read together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.designs import Design
from fastmetrics.engine.plans.running import run_blocks
from fastmetrics.inference.delong._placements import estimate_areas
from fastmetrics.inference.intervals import METHODS, Method
from fastmetrics.registry import metric as find_metric
from fastmetrics.simulation._asked import Evaluation, is_swept
from fastmetrics.simulation._drawn import draw_checked
from fastmetrics.simulation._limits import Limits, Replicates, area_limits, limits_of
from fastmetrics.simulation._replicates import Drawn, SortedSource, Source, TileSource
from fastmetrics.simulation._task import DataSet, Task
from fastmetrics.simulation.score_model import Labels

# replicates of the data sets that are sorted together stay in cache
TOGETHER_BYTES = 2**20
MOST_TOGETHER = 16


# what draws replicates, of which metrics, and for which methods
Part = tuple[Source, list[int], Sequence[Method]]
# labels, 1 and 0, and scores (n,) to a lower and an upper limit
IntervalFunction = Callable[[Any, Floats], Any]


@dataclass(frozen=True)
class Asked:
    """What is asked of every data set.

    Parameters
    ----------
    methods : names of interval methods
    functions : those that are functions of labels and scores
    level : confidence level as a fraction
    n_resamples : replicates
    by_class : whether each class keeps its size in the replicates
    random_sizes : whether the number of positives is binomial over data sets
    """

    methods: tuple[str, ...]
    functions: Mapping[str, IntervalFunction]
    level: float
    n_resamples: int
    by_class: bool
    random_sizes: bool


@dataclass(frozen=True)
class Intervals:
    """Intervals of all data sets.

    Parameters
    ----------
    estimates : (D, k)
    low, high : (D, k, m) limits of every metric by every method, nan where there are none
    """

    estimates: Floats
    low: Floats
    high: Floats

    @classmethod
    def empty(cls, shape: tuple[int, int, int]) -> Intervals:
        """Make room for D data sets, k metrics and m methods."""
        return cls(np.empty(shape[:2]), np.full(shape, np.nan), np.full(shape, np.nan))

    def put(self, first: int, metric: int, method: int, limits: Limits) -> None:
        """Write the limits (count,) of data sets from the first on."""
        rows = slice(first, first + len(limits[0]))
        self.low[rows, metric, method], self.high[rows, metric, method] = limits


class Nesting:
    """Runs the bootstrap on the data sets of a task.

    Parameters
    ----------
    task : draws the data sets
    asked : what is asked of each
    """

    def __init__(self, task: Task, asked: Asked) -> None:
        self.task = task
        self.asked = asked
        self._resampled: Sequence[Method] = [
            method for method in METHODS if method in asked.methods and method != "studentized"
        ]
        self._areas = [k for k, metric in enumerate(task.metrics) if is_area(metric)]
        self._evaluation = Evaluation(task.metrics)
        self._sources = self._collect_sources()
        size = 8 * max(1, asked.n_resamples) * len(task.metrics)
        self.block = max(1, min(MOST_TOGETHER, TOGETHER_BYTES // size))

    def _collect_sources(self) -> list[Part]:
        """Return what draws replicates, of which metrics, and for which methods."""
        asked, metrics = self.asked, self.task.metrics
        design = Design(by_class=asked.by_class)
        swept = [k for k, metric in enumerate(metrics) if is_swept(metric)]
        if swept:
            swept = [k for k, metric in enumerate(metrics) if _goes_along(metric)]
        others = [k for k in range(len(metrics)) if k not in swept]
        sources: list[Part] = []
        accelerated = "bca" in asked.methods
        if self._resampled and swept:
            chosen = tuple(metrics[k] for k in swept)
            source: Source = SortedSource(chosen, design, asked.n_resamples, accelerated)
            sources.append((source, swept, self._resampled))
        if self._resampled and others:
            sources.append((self._tiles(others, accelerated, False), others, self._resampled))
        if "studentized" in asked.methods:
            every = list(range(len(metrics)))
            sources.append((self._tiles(every, False, True), every, ["studentized"]))
        return sources

    def _tiles(self, places: list[int], accelerated: bool, studentized: bool) -> TileSource:
        chosen = tuple(self.task.metrics[k] for k in places)
        design = Design(by_class=self.asked.by_class)
        size, root = self.asked.n_resamples, self.task.root
        return TileSource(chosen, design, size, accelerated, studentized, root)

    def run(self, n_datasets: int, n_jobs: int) -> Intervals:
        """Intervals of so many data sets, block by block over threads."""
        shape = (n_datasets, len(self.task.metrics), len(self.asked.methods))
        found = Intervals.empty(shape)

        def block(place: int) -> None:
            first = place * self.block
            self._read(first, min(self.block, n_datasets - first), found)

        run_blocks(block, -(-n_datasets // self.block), n_jobs)
        return found

    def _read(self, first: int, count: int, found: Intervals) -> None:
        """Write the intervals of data sets from the first on."""
        drawn: list[list[Drawn]] = [[] for _ in self._sources]
        errors = np.full((count, len(self.task.metrics)), np.nan)
        for row, generator in enumerate(self.task.generators(first, count)):
            y_true, scores = self._draw(generator)
            labels = y_true.view(np.uint8)
            if "delong" in self.asked.methods:
                areas = estimate_areas((None,), labels, [scores], None, None)
                errors[row] = np.sqrt(areas.covariance[0, 0])
                found.estimates[first + row, self._areas] = areas.estimates[0]
            for (source, _, _), made in zip(self._sources, drawn):
                made.append(source.draw(labels, scores, first + row, generator))
            if self.asked.functions:
                self._ask_functions(y_true, scores, first + row, found)
        for (source, places, methods), made in zip(self._sources, drawn):
            self._make_limits(source, places, methods, made, first, found)
        if "delong" in self.asked.methods:
            self._make_area_limits(errors, first, found)

    def _ask_functions(self, y_true: Labels, scores: Floats, number: int, found: Intervals) -> None:
        """Write the limits that functions of the user make of a data set."""
        for name, function in self.asked.functions.items():
            low, high = function(y_true, scores)
            place = self.asked.methods.index(name)
            found.low[number, 0, place], found.high[number, 0, place] = low, high
        if not self._sources and "delong" not in self.asked.methods:
            found.estimates[number] = self._evaluation.values(y_true.view(np.uint8), scores)

    def _draw(self, generator: np.random.Generator) -> DataSet:
        """Draw a data set from its stream."""
        task = self.task
        positives, n = task.n_positive, task.n_positive + task.n_negative
        if self.asked.random_sizes:
            positives = int(generator.binomial(n, positives / n))
        return draw_checked(task.model, positives, n - positives, generator)

    def data_set(self, number: int) -> DataSet:
        """Labels and scores (n,) of a data set."""
        return self._draw(next(self.task.generators(number, 1)))

    def _make_limits(
        self,
        source: Source,
        places: list[int],
        methods: Sequence[Method],
        made: list[Drawn],
        first: int,
        found: Intervals,
    ) -> None:
        """Write the limits of some metrics by some methods."""
        for k, (metric, place) in enumerate(zip(source.metrics, places)):
            estimates = np.array([drawn.estimates[k] for drawn in made])
            found.estimates[first : first + len(made), place] = estimates
            values = np.stack([drawn.values[k] for drawn in made])
            accelerations = np.array([drawn.accelerations[k] for drawn in made])
            replicates = Replicates.of(estimates, values, metric.bounds)
            for method in methods:
                limits = limits_of(method, self.asked.level, replicates, accelerations)
                found.put(first, place, self.asked.methods.index(method), limits)

    def _make_area_limits(self, errors: Floats, first: int, found: Intervals) -> None:
        """Write DeLong's limits of the areas."""
        tails = np.array([(1.0 - self.asked.level) / 2.0, (1.0 + self.asked.level) / 2.0])
        method = self.asked.methods.index("delong")
        for place in self._areas:
            areas = found.estimates[first : first + len(errors), place]
            found.put(first, place, method, area_limits(tails, areas, errors[:, place]))


def is_area(metric: Metric) -> bool:
    """Whether a metric is the area under the ROC curve, which DeLong's intervals are of."""
    return metric.formula is find_metric("roc_auc").formula


def _goes_along(metric: Metric) -> bool:
    """Whether a metric is swept, or summed up while others are."""
    summed = metric.statistic.kind == "sums" and metric.statistic.data != "alone"
    return is_swept(metric) or summed
