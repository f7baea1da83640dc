"""Data sets whose negatives are never drawn, only counted between the positives.

Conventions
-----------
Where the law of the negatives is known, all that a ranking metric sees of them is how many fall
into each cell: between two neighbouring positives and, where scores tie, at a positive. These
counts are one multinomial draw, whatever the number of negatives. Thresholds cut the cells too.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.statistics import NEGATIVES, POINTS, POSITIVES
from fastmetrics.engine.sweeps.passes import sweep_once
from fastmetrics.engine.sweeps.units import Integers
from fastmetrics.errors import InputError
from fastmetrics.kernels import simulation as _kernels
from fastmetrics.kernels import units as _unit_kernels
from fastmetrics.kernels.random import LANES
from fastmetrics.kernels.sweep import POSITIVE
from fastmetrics.simulation._law import Law
from fastmetrics.simulation._places import Boundaries
from fastmetrics.simulation._task import DataSet, Task, swept_request
from fastmetrics.simulation.score_model import labels_of

LARGEST_DATA_SET = 10_000_000
# a tile of cells stays in cache, and in memory where there are very many positives
TILE_BYTES = 2 * 2**20
FEWEST_LANES = 8
MOST_TILE_BYTES = 256 * 2**20


@dataclass(frozen=True)
class Cells:
    """Counts of some data sets.

    Parameters
    ----------
    scores : (L, P) of the positives from the highest down, none where only cuts matter
    bounds : (2, A, L, P) probabilities below and above each
    places : (L, T) positives that reach each threshold
    weights : (rows, L) rows of the cells, as ``kernels.simulation`` lays them out
    flagged : (T, L) negatives that reach each threshold
    """

    scores: Floats
    bounds: Floats
    places: Integers
    weights: Integers
    flagged: Integers


class FastPath:
    """Counts the negatives in the cells between positives.

    Parameters
    ----------
    task : what to simulate; the model knows the law of its negatives, and all metrics are swept
    """

    name = "fast"

    def __init__(self, task: Task) -> None:
        self.task = task
        self.request = swept_request(task.metrics)
        self._law: Law = task.model.negative
        self._atoms = 2 if self._law.discrete else 1
        self._size = 0 if self.request.counts_only else task.n_positive
        self._marks = _cell_marks(self._size, self._atoms)
        self._slots = np.arange(self._marks.size, dtype=np.uint32)
        # the sweep counts nothing at thresholds: the cells already have
        self._ranked = dataclasses.replace(self.request, thresholds=())
        thresholds = np.array(self.request.thresholds)
        self._cuts = np.stack([self._law.cdf_below(thresholds), self._law.sf_below(thresholds)])
        bytes_of_one = 8 * self._marks.size
        lanes = max(FEWEST_LANES, TILE_BYTES // bytes_of_one)
        self.block = max(1, min(lanes, LANES, MOST_TILE_BYTES // bytes_of_one))

    def values(self, first: int, count: int) -> Floats:
        """Metrics (count, k) of data sets from the first on."""
        positives, states, _ = self._draw(first, count)
        sums = self._sums(self._count(positives, states))
        return np.stack(self.request.values(sums, self.task.metrics), axis=1)

    def _draw(
        self, first: int, count: int
    ) -> tuple[Floats, npt.NDArray[np.uint64], np.random.Generator]:
        """Positives (L, P) in the order drawn, states (4, L), and the last stream."""
        task = self.task
        positives = np.empty((count, task.n_positive))
        states = np.empty((4, count), np.uint64)
        for lane, generator in enumerate(task.generators(first, count)):
            positives[lane] = task.model.draw_positives(task.n_positive, generator)
            states[:, lane] = generator.bit_generator.random_raw(4)
        if not np.isfinite(positives).all():
            raise InputError(f"{task.model!r} drew scores that are not finite")
        return positives, states, generator

    def _count(self, positives: Floats, states: npt.NDArray[np.uint64]) -> Cells:
        """Sort the positives and draw how many negatives fall into each cell."""
        lanes = len(positives)
        thresholds = self.request.thresholds
        places = np.empty((lanes, len(thresholds)), np.int64)
        for cut, threshold in enumerate(thresholds):
            places[:, cut] = np.count_nonzero(positives >= threshold, axis=1)
        scores = np.sort(positives[:, : self._size], axis=1)[:, ::-1].copy()
        law = self._law
        bounds = np.empty((2, self._atoms, *scores.shape))
        bounds[0, 0], bounds[1, 0] = law.cdf(scores), law.sf(scores)
        if self._atoms == 2:
            bounds[0, 1], bounds[1, 1] = law.cdf_below(scores), law.sf_below(scores)
        weights = np.empty((self._marks.size, lanes), np.int64)
        flagged = np.empty((len(thresholds), lanes), np.int64)
        _kernels.draw_cells(
            (scores, bounds, self._reached(places)),
            self._cuts,
            self.task.n_negative,
            states,
            weights,
            flagged,
        )
        return Cells(scores, bounds, places, weights, flagged)

    def _sums(self, cells: Cells) -> Floats:
        """Sums (L, columns) of the request."""
        sums = np.full((len(cells.places), self.request.columns), np.nan)
        sums[:, NEGATIVES] = self.task.n_negative
        sums[:, POSITIVES] = self.task.n_positive
        ranked = self._ranked
        if not ranked.counts_only:
            found = sweep_once(
                cells.weights[None], self._slots, self._marks, ranked, np.empty(0, np.int64)
            )
            sums[:, : ranked.columns] = found
        first = POINTS + len(ranked.points)
        sums[:, first::2] = cells.places
        sums[:, first + 1 :: 2] = cells.flagged.T
        return sums

    def data_set(self, number: int) -> DataSet:
        """Labels and scores (n,) of a data set, the negatives drawn within their cells."""
        task = self.task
        n = task.n_positive + task.n_negative
        if n > LARGEST_DATA_SET:
            raise ValueError(
                f"data set {number} has {n:,} rows: the fast path draws the rows of data sets of "
                f"up to {LARGEST_DATA_SET:,}"
            )
        positives, states, generator = self._draw(number, 1)
        boundaries = self._boundaries(self._count(positives, states))
        negatives = boundaries.draw(self._law, task.n_negative, generator)
        return labels_of(task.n_positive, task.n_negative), np.concatenate(
            [positives[0], negatives]
        )

    def _boundaries(self, cells: Cells) -> Boundaries:
        """Boundaries of the cells of a single data set."""
        negatives = cells.weights[(self._marks & POSITIVE) == 0, 0]
        at_positives = Boundaries.at_positives(
            cells.scores[0], cells.bounds[:, :, 0], np.cumsum(negatives[:-1])
        )
        thresholds = np.array(self.request.thresholds)
        at_cuts = Boundaries.at_cuts(thresholds, self._cuts, cells.flagged[:, 0])
        return at_positives.merged(at_cuts, self._atoms * self._reached(cells.places)[0])

    def _reached(self, places: Integers) -> Integers:
        """Positives that bound cells above each threshold, of all that reach it (L, T)."""
        return np.zeros_like(places) if self.request.counts_only else places


def _cell_marks(size: int, atoms: int) -> npt.NDArray[np.uint8]:
    """Marks (rows,) of the cells of size positives as the rows of a sweep."""
    width = atoms + 1
    labels = np.zeros(width * size + 1, np.uint8)
    labels[1::width] = 1
    # a positive and what ties with it are one group
    ends = labels == 0 if atoms == 2 else np.ones(labels.size, np.bool_)
    marks: npt.NDArray[np.uint8] = _unit_kernels.mark_units(labels, ends)
    return marks
