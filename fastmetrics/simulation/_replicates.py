"""Replicates of one simulated data set, without the set-up of a call of the bootstrap.

Conventions
-----------
Metrics that a sweep serves draw from the stream of the data set, after the data, all replicates in
one go; the others read whole tiles, whose streams are keyed by the seed and the data set. Values
are (k, B), a metric per row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.designs import Design
from fastmetrics.engine.draws.merged_units import prepare_units
from fastmetrics.engine.draws.seeds import Generators
from fastmetrics.engine.draws.sorted_rows import prepare_rows
from fastmetrics.engine.inputs import read_rows
from fastmetrics.engine.plans.choosing import tile_plan
from fastmetrics.engine.plans.running import Plan, draw_replicates
from fastmetrics.engine.plans.sorted_plan import SortedPlan
from fastmetrics.engine.plans.studentized import with_errors
from fastmetrics.engine.plans.tile_plan import TilePlan
from fastmetrics.engine.readings.answers import ModelData, Pairs, TrueData, reads
from fastmetrics.engine.sweeps.units import Integers, Labels
from fastmetrics.kernels.random import LANES, WIDE
from fastmetrics.kernels.resample import BLOCK as BLOCK_ROWS

# tiles that are drawn in one go stay in cache
TOGETHER_BYTES = 2**19


class Drawn(NamedTuple):
    """What one data set gives.

    Parameters
    ----------
    estimates : (k,)
    values : (k, B) replicates, or the pivots of studentized intervals
    accelerations : (k,) of BCa intervals, nan where none are asked for
    """

    estimates: Floats
    values: Floats
    accelerations: Floats


class Source(Protocol):
    """Draws the replicates of some metrics."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, a row of the replicates each."""

    def draw(
        self, labels: Labels, scores: Floats, number: int, generator: np.random.Generator
    ) -> Drawn:
        """Replicates of a data set of labels and scores (n,), with its number and its stream."""


@dataclass(frozen=True)
class SortedSource:
    """Rows sorted once, replicates swept in the order of the scores.

    Parameters
    ----------
    metrics : swept, or sums of terms beside swept ones
    design : plain rows, at most by class
    n_resamples : replicates
    accelerated : whether accelerations are wanted
    """

    metrics: tuple[Metric, ...]
    design: Design
    n_resamples: int
    accelerated: bool

    def draw(
        self, labels: Labels, scores: Floats, number: int, generator: np.random.Generator
    ) -> Drawn:
        """Replicates of a data set."""
        pairs = pairs_of(self.metrics, labels, scores)
        plan = SortedPlan.of(self.metrics, labels, scores, None, self.design, pairs)
        tiles = -(-self.n_resamples // LANES)
        totals = self._totals(plan.units.class_rows, tiles * LANES, generator)
        # rows of one block are drawn faster than the counts of merged units
        merged = plan.units.merged and labels.size > BLOCK_ROWS
        if merged and not plan.terms.shape[1]:
            run = prepare_units(plan.units, plan.request)
        else:
            run = prepare_rows(plan.units, plan.request, plan.terms)
        lanes = _lane_states(generator)
        step = LANES * max(1, TOGETHER_BYTES // (labels.size * LANES))
        sums = [run(totals[k : k + step], lanes) for k in range(0, len(totals), step)]
        return drawn_from(plan, np.concatenate(sums)[: self.n_resamples], self.accelerated)

    def _totals(
        self, class_rows: tuple[int, int], size: int, generator: np.random.Generator
    ) -> Integers:
        """Draws (size, 2) of negatives and positives."""
        negatives, positives = class_rows
        if self.design.by_class:
            return np.tile(np.array([negatives, positives]), (size, 1))
        n = negatives + positives
        drawn = generator.binomial(n, positives / n, size)
        return np.stack([n - drawn, drawn], axis=1)


@dataclass(frozen=True)
class TileSource:
    """Whole tiles of weights, read by any metrics.

    Parameters
    ----------
    metrics : of any kind
    design : how rows are drawn
    n_resamples : replicates
    accelerated, studentized : whether accelerations, or pivots, are wanted
    root : seed
    """

    metrics: tuple[Metric, ...]
    design: Design
    n_resamples: int
    accelerated: bool
    studentized: bool
    root: np.random.SeedSequence

    def draw(
        self, labels: Labels, scores: Floats, number: int, generator: np.random.Generator
    ) -> Drawn:
        """Replicates of a data set."""
        true = TrueData(labels.size, labels, labels, 2, given=labels)
        pairs = pairs_of(self.metrics, labels, scores)
        model = ModelData(None, self.metrics, scores, None, pairs, scores)
        return self.draw_data(true, model, self.design, number)

    def draw_data(self, true: TrueData, model: ModelData, design: Design, number: int) -> Drawn:
        """Replicates of data that are prepared already."""
        plan = tile_plan(true, [model], [(None, None)], design, whole=self.studentized)
        if self.studentized:
            return self._pivots(with_errors(plan), number)
        sums = draw_replicates(plan, self.n_resamples, self.root, data_set=number)
        return drawn_from(plan, sums, self.accelerated)

    def _pivots(self, plan: TilePlan, number: int) -> Drawn:
        """Pivots; the second half of the answers are standard errors."""
        sums = draw_replicates(plan, self.n_resamples, self.root, data_set=number)
        k = len(self.metrics)
        estimates, values = (np.array(plan.values(part)) for part in (plan.estimate, sums))
        own, errors = estimates[:k, None], estimates[k:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            pivots = own + (values[:k] - own) / values[k:] * errors
        pivots = np.where(np.isfinite(pivots), pivots, np.nan)
        return Drawn(estimates[:k], pivots, np.full(k, np.nan))


def drawn_from(plan: Plan, sums: Floats, accelerated: bool) -> Drawn:
    """Values of a plan's answers from the sums (B, columns) of replicates."""
    estimates, values = (np.array(plan.values(part)) for part in (plan.estimate, sums))
    accelerations = np.full(len(estimates), np.nan)
    if accelerated:
        for k in np.flatnonzero(~np.isnan(estimates)):
            accelerations[k] = plan.delete_one(int(k)).acceleration()
    return Drawn(estimates, values, accelerations)


def pairs_of(metrics: Sequence[Metric], labels: Any, scores: Floats) -> Pairs:
    """Truth and forecast of every metric that reads rows."""
    return {
        reads(metric): read_rows(metric, labels, scores, None, 1)[:2]
        for metric in metrics
        if metric.statistic.kind in ("sums", "rows")
    }


def _lane_states(generator: np.random.Generator) -> Generators:
    """States of the wide generators and of the lanes, off the stream of a data set."""
    words: Any = generator.bit_generator
    words = words.random_raw(4 * (WIDE + LANES))
    wide, lanes = words[: 4 * WIDE], words[4 * WIDE :]
    return wide.reshape(4, WIDE).copy(), lanes.reshape(4, LANES).copy()
