"""Standard errors of single replicates, by influence: what studentized intervals divide by.

Conventions
-----------
To first order a metric moves with an item's weight by its influence; the squared standard error
is the sum over the drawn items of their squared influences, within each stratum about their mean.
The slope of a formula is a central difference, the slopes of its sums are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.designs import Items, sum_by
from fastmetrics.engine.readings.answers import Answer
from fastmetrics.engine.readings.kinds import CodesReading, Reading, SumsReading, SweepReading, Tile
from fastmetrics.engine.statistics import AT_CUTS, arrange_counts
from fastmetrics.kernels import jackknife as _kernels

STEP = 1e-6


@dataclass(frozen=True)
class ErrorReading:
    """Standard error of one answer in every replicate.

    Parameters
    ----------
    answer, reading : the metric and where its numbers come from
    items : what is drawn
    """

    answer: Answer
    reading: Reading
    items: Items
    columns: int = 1

    def read(self, tile: Tile) -> Floats:
        """Standard errors (T * lanes, 1) of a tile."""
        sums = self.reading.read(tile)
        errors = np.empty((len(sums), 1))
        lanes = tile.weights.shape[2]
        for replicate in range(len(sums)):
            weights = np.ascontiguousarray(tile.weights[replicate // lanes, :, replicate % lanes])
            influence = item_influence(
                self.answer, self.reading, self.items, weights, sums[replicate]
            )
            errors[replicate] = standard_error(influence, weights, self.items)
        return errors


def standard_error(influence: Floats, weights: np.ndarray, items: Items) -> float:
    """Standard error from the influence (m,) of items drawn weights (m,) times."""
    square = float(weights @ influence**2)
    if items.pool_sizes.size > 1:
        sums = np.bincount(items.pools, weights * influence, items.pool_sizes.size)
        square -= float(np.sum(sums**2 / items.pool_sizes))
    return float(np.sqrt(max(square, 0.0)))


def item_influence(
    answer: Answer, reading: Reading, items: Items, weights: np.ndarray, sums: Floats
) -> Floats:
    """Influence (m,) of every item on a metric, at the weights (m,) of a replicate.

    Parameters
    ----------
    answer, reading : the metric and where its numbers come from
    items : what is drawn
    weights : (m,) of the items
    sums : (columns,) of the reading at these weights

    Raises
    ------
    ValueError
        The metric has no influence function here.
    """
    if answer.metric.influence is None:
        raise ValueError(
            f"{answer.metric.label} has no influence function: method='studentized' needs one, use "
            "'percentile'"
        )
    slope = _slope(answer, sums)
    if isinstance(reading, SumsReading):
        influence = np.zeros(items.size)
        influence[reading.slots] = reading.terms @ slope
        return influence
    if isinstance(reading, CodesReading):
        return sum_by(reading.slots, slope[reading.codes] * reading.amounts, items.size)
    if isinstance(reading, SweepReading):
        own = 1.0 if reading.weights is None else reading.weights
        rows = _row_influence(answer, reading, weights[reading.slots] * own, sums)
        return sum_by(reading.slots, rows * own, items.size)
    raise TypeError(f"{answer.metric.label} reads {type(reading).__name__}, which moves as a whole")


def _slope(answer: Answer, sums: Floats) -> Floats:
    """Slope (columns,) of the metric by each sum of its reading."""
    step = STEP * np.maximum(np.abs(sums), np.abs(sums).max() * 1e-3)
    step[step == 0.0] = STEP
    moved = np.diag(step)
    up, down = answer.values(sums + moved), answer.values(sums - moved)
    slope = (up - down) / (2.0 * step)
    return np.where(np.isfinite(slope), slope, 0.0)


def _row_influence(answer: Answer, reading: SweepReading, weights: Floats, sums: Floats) -> Floats:
    """Influence (r,) of a unit of weight of every row, in the order of the scores."""
    statistic = answer.metric.statistic
    labels = reading.marks & np.uint8(1)
    positive = labels.astype(np.float64)
    numbers = answer.select(sums)
    direct = Answer(answer.metric, 0, lambda values: values)
    slope = _slope(direct, numbers)
    if statistic.kind in AT_CUTS:
        cut = int(reading.cuts[reading.request.thresholds.index(statistic.parameter)])
        flagged = (np.arange(labels.size) < cut).astype(np.float64)
        cells = arrange_counts(
            statistic,
            positive * flagged,
            (1 - positive) * flagged,
            positive * (1 - flagged),
            (1 - positive) * (1 - flagged),
        )
        influence: Floats = cells @ slope
        return influence
    concordance = answer.metric.influence == "concordance"
    kernel = _kernels.pairs_of_row if concordance else _kernels.precision_slopes
    moved = np.empty(labels.size)
    kernel(labels, weights, reading.ends, moved)
    found: Floats = moved * slope[0] + positive * slope[1] + (1.0 - positive) * slope[2]
    return found
