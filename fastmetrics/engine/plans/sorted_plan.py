"""The plan for one model and plain rows: merged units, or rows swept while they are in cache."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.designs import Design, Law
from fastmetrics.engine.draws.merged_units import prepare_units
from fastmetrics.engine.draws.seeds import DRAWS, TOTALS, lane_generators, stream
from fastmetrics.engine.draws.sorted_rows import Run, prepare_rows
from fastmetrics.engine.draws.whole_tiles import BLOCK_REPLICATES
from fastmetrics.engine.evaluation import estimate_units
from fastmetrics.engine.jackknife.delete_one import DeleteOne, chunks, delete_one
from fastmetrics.engine.readings.answers import Answer, Pairs, TermColumns, reads, selects_from
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.engine.sweeps.units import Integers, Labels, Units, build_units, single_rows
from fastmetrics.kernels.random import LANES


@dataclass(frozen=True)
class SortedPlan:
    """Metrics of one model whose rows are drawn one by one, at most by class.

    Parameters
    ----------
    units : the data in the order of the scores
    request : what the sweeps compute
    answers : where each entry finds its numbers
    law : "multinomial" or "poisson"
    by_class : whether each class keeps its size
    terms : (n, k) terms of the rows in the order of the scores, k may be 0
    """

    units: Units
    request: SweepRequest
    answers: Sequence[Answer]
    law: Law
    by_class: bool
    terms: Floats

    @classmethod
    def of(
        cls,
        metrics: Sequence[Metric],
        labels: Labels,
        scores: npt.NDArray[np.floating],
        weights: Floats | None,
        design: Design,
        pairs: Pairs | None = None,
    ) -> SortedPlan:
        """Merge or sort the rows; sums of terms, of pairs, need every row in its place."""
        request = SweepRequest.of(metric.statistic for metric in metrics)
        columns = TermColumns(labels.size)
        ordered: Pairs = {}
        if pairs and any(metric.statistic.kind == "sums" for metric in metrics):
            units, order = single_rows(labels, scores, weights, request)
            ordered = {key: (truth[order], said[order]) for key, (truth, said) in pairs.items()}
        else:
            units = build_units(labels, scores, weights, request)
        answers = []
        for metric in metrics:
            if metric.statistic.kind == "sums":
                select = columns.add(metric, *ordered[reads(metric)])
                answers.append(Answer(metric, 1, select))
            else:
                answers.append(Answer(metric, 0, selects_from(request, metric)))
        return cls(units, request, answers, design.law, design.by_class, columns.stacked())

    @property
    def columns(self) -> int:
        """Number of sums per replicate."""
        return self.request.columns + int(self.terms.shape[1])

    @cached_property
    def estimate(self) -> Floats:
        """Sums (columns,) of the data as they are."""
        swept = estimate_units(self.units, self.request)
        if not self.terms.shape[1]:
            return swept
        weights = self.units.weights
        summed = self.terms.sum(axis=0) if weights is None else weights @ self.terms
        return np.concatenate([swept, summed])

    def prepare(self) -> None:
        """Make, in one thread, what all threads read."""
        _ = self._run

    @cached_property
    def _run(self) -> Run:
        if self.units.merged and not self.terms.shape[1]:
            return prepare_units(self.units, self.request)
        return prepare_rows(self.units, self.request, self.terms)

    def block(self, root: np.random.SeedSequence, data_set: int, k: int, size: int) -> Floats:
        """Sums (at least size, columns) of the replicates of a block."""
        seed = stream(root, TOTALS, data_set, k)
        totals = self._totals(np.random.Generator(np.random.PCG64(seed)))
        tiles = -(-size // LANES) * LANES
        return self._run(totals[:tiles], lane_generators(stream(root, DRAWS, data_set, k)))

    def _totals(self, generator: np.random.Generator) -> Integers:
        """Draws (256, 2) of negatives and positives in each replicate of a block."""
        negatives, positives = self.units.class_rows
        n = negatives + positives
        if self.law == "poisson":
            return generator.poisson((negatives, positives), (BLOCK_REPLICATES, 2))
        if self.by_class:
            return np.tile(np.array([negatives, positives]), (BLOCK_REPLICATES, 1))
        drawn = generator.binomial(n, positives / n, BLOCK_REPLICATES)
        return np.stack([n - drawn, drawn], axis=1)

    def values(self, sums: Floats) -> list[Floats]:
        """Values (...) of every answer from the sums (..., columns)."""
        return [answer.values(self._part(answer, sums)) for answer in self.answers]

    def _part(self, answer: Answer, sums: Floats) -> Floats:
        cut = self.request.columns
        return sums[..., cut:] if answer.reading else sums[..., :cut]

    def delete_one(self, place: int, groups: int | None = None) -> DeleteOne:
        """Delete-one values of the answer at a place, one per unit, or by groups of units."""
        answer = self.answers[place]
        sums = self._part(answer, self.estimate)
        if answer.reading:
            found = DeleteOne(self._without_terms(answer, sums), None, self.units.labels)
        else:
            found = delete_one(answer.metric, self.units, self.request, sums)
        return found if self.by_class else dataclasses.replace(found, pools=None)

    def _without_terms(self, answer: Answer, sums: Floats) -> Floats:
        """Sums of terms: those of the row leave."""
        values = np.empty(self.units.size)
        for part in chunks(values.size):
            terms = self.terms[part]
            if self.units.weights is not None:
                terms = terms * self.units.weights[part, None]
            values[part] = answer.values(sums - terms)
        return values
