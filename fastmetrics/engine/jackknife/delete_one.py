"""Delete-one values in closed form, and the acceleration of BCa intervals.

Conventions
-----------
All rows of a unit share one delete-one value, so the values are (units,) with the rows of each
unit as multiplicities. Positives and rows above a score are counted from the highest score down.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.evaluation import sum_units
from fastmetrics.engine.statistics import AT_CUTS, SweepRequest, arrange_counts
from fastmetrics.engine.sweeps.units import Integers, Units
from fastmetrics.kernels import jackknife as _kernels

# a delete-one loop without a closed form costs units**2
LARGEST_LOOP = 2000
CHUNK_UNITS = 2**16


@dataclass(frozen=True)
class DeleteOne:
    """Delete-one values of a metric.

    Parameters
    ----------
    values : (m,) value of the metric without the item, or without one row of the unit
    rows : (m,) rows that share the value, or None for one each
    pools : (m,) stratum of the item where draws are stratified, or None
    exact : False where influence values stand in for a closed form
    """

    values: Floats
    rows: Integers | None = None
    pools: npt.NDArray[Any] | None = None
    exact: bool = True

    def acceleration(self) -> float:
        """Acceleration of BCa: skewness of the deviations; nan where nothing deviates.

        Rows: Efron 1987, doi:10.1080/01621459.1987.10478410. Strata: the deviations of stratum h
        are scaled by its size, as for several samples (DiCiccio & Efron 1996).
        """
        if not np.isfinite(self.values).all():
            return float("nan")
        sizes, means = self._pool_means()
        scales = np.where(sizes > 1, (sizes - 1.0) / np.maximum(sizes, 1.0), 0.0)
        cubes = squares = 0.0
        for part in chunks(self.values.size):
            pools = 0 if self.pools is None else self.pools[part]
            scaled = scales[pools] * (means[pools] - self.values[part])
            square = scaled**2 if self.rows is None else self.rows[part] * scaled**2
            squares += float(square.sum())
            cubes += float(square @ scaled)
        return cubes / (6.0 * squares**1.5) if squares > 0.0 else float("nan")

    def _pool_means(self) -> tuple[Floats, Floats]:
        """Number of rows or items, and mean value, of each pool."""
        pools = np.zeros(1, np.int64) if self.pools is None else self.pools
        size = int(pools.max()) + 1
        sizes, sums = np.zeros(size), np.zeros(size)
        for part in chunks(self.values.size):
            values = self.values[part]
            rows = np.ones(values.size) if self.rows is None else self.rows[part]
            if self.pools is None:
                sizes += rows.sum()
                sums += rows @ values
            else:
                sizes += np.bincount(self.pools[part], rows, size)
                sums += np.bincount(self.pools[part], rows * values, size)
        return sizes, sums / np.maximum(sizes, 1.0)


def chunks(size: int) -> Iterator[slice]:
    """Slices that keep temporaries small."""
    for start in range(0, size, CHUNK_UNITS):
        yield slice(start, start + CHUNK_UNITS)


def delete_one(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> DeleteOne:
    """Delete-one values of a metric of a sweep, in O(units) where it has a closed form.

    Parameters
    ----------
    metric : any metric of the request
    units : the data
    request : what was asked of the data
    sums : (columns,) sums of the data themselves

    Raises
    ------
    ValueError
        No closed form, and too many units to leave each out in turn.
    """
    exact = True
    with np.errstate(divide="ignore", invalid="ignore"):
        if metric.statistic.kind in AT_CUTS:
            values = _without_count(metric, units, request, sums)
        elif metric.statistic.kind == "concordance":
            values = _without_pairs(metric, units, request, sums)
        elif metric.statistic.kind == "precision" and _weighs_alike(units):
            values = _without_precision(metric, units, request, sums)
        elif metric.statistic.kind == "precision" and units.size > LARGEST_LOOP:
            values, exact = _by_influence(metric, units, request, sums), False
        else:
            values = _by_loop(metric, units, request)
    return DeleteOne(values, units.rows, units.labels, exact)


def _weighs_alike(units: Units) -> bool:
    """Whether every row has the same sample weight."""
    return units.weights is None or bool((units.weights == units.weights[0]).all())


def _row_weight(units: Units, part: slice = slice(None)) -> Floats | float:
    """Weight (m,) of one row of each unit."""
    return 1.0 if units.weights is None else units.weights[part]


def _evaluate(metric: Metric, units: Units, left: Callable[[slice], Floats]) -> Floats:
    """Values (m,) of the metric on the sums that are left, chunk by chunk."""
    values = np.empty(units.size)
    for part in chunks(units.size):
        values[part] = metric.formula(left(part))
    return values


def _without_count(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> Floats:
    """Counts at a threshold: one row less in the unit's own cell."""
    place = request.thresholds.index(metric.statistic.parameter)
    counts = request.select(sums, dataclasses.replace(metric.statistic, kind="counts"))

    def left(part: slice) -> Floats:
        labels = units.labels[part]
        flagged = np.arange(units.size)[part] < units.cuts[place]
        cell = np.where(labels == 1, np.where(flagged, 0, 2), np.where(flagged, 1, 3))
        remaining = np.repeat(counts[None], labels.size, axis=0)
        remaining[np.arange(labels.size), cell] -= _row_weight(units, part)
        return arrange_counts(metric.statistic, *remaining.T)

    return _evaluate(metric, units, left)


def _without_pairs(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> Floats:
    """Concordant pairs: those that the row takes part in leave with it."""
    doubled, positives, negatives = request.select(sums, metric.statistic)
    pairs = np.empty(units.size)
    _kernels.pairs_of_row(units.labels, units.row_weights(), units.ends, pairs)

    def left(part: slice) -> Floats:
        positive = units.labels[part]
        weight = _row_weight(units, part)
        return np.stack(
            [
                doubled - weight * pairs[part],
                positives - weight * positive,
                negatives - weight * (1 - positive.astype(np.int8)),
            ],
            axis=-1,
        )

    return _evaluate(metric, units, left)


def _without_precision(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> Floats:
    """Sum of precisions with one positive, or one negative, of a group left out."""
    weight = 1.0 if units.weights is None else float(units.weights[0])
    _, positives, negatives = request.select(sums, metric.statistic) / weight
    remaining = np.empty(units.size)
    rows = units.rows.astype(np.float64)
    _kernels.precision_without_row(units.labels, rows, units.ends, remaining)

    def left(part: slice) -> Floats:
        positive = units.labels[part].astype(np.int8)
        return np.stack(
            [remaining[part], positives - positive, negatives - (1 - positive)], axis=-1
        )

    return _evaluate(metric, units, left)


def _by_influence(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> Floats:
    """Average precision with sample weights: its estimate less the row's influence."""
    total, positives, _ = request.select(sums, metric.statistic)
    estimate = total / positives
    slopes = np.empty(units.size)
    _kernels.precision_slopes(units.labels, units.row_weights(), units.ends, slopes)
    slopes -= estimate * units.labels
    slopes *= _row_weight(units)
    left: Floats = estimate - slopes / positives
    return left


def _by_loop(metric: Metric, units: Units, request: SweepRequest) -> Floats:
    """Every unit with one row less, swept anew."""
    if units.size > LARGEST_LOOP:
        raise ValueError(
            f"{metric.label} has no closed jackknife, and leaving out each of {units.size:,} units "
            "in turn is too much: pass method='percentile', or jackknife_groups= to leave out "
            "groups of rows"
        )
    weights = np.repeat(units.row_weights()[:, None], units.size, axis=1)
    weights[np.arange(units.size), np.arange(units.size)] -= _row_weight(units)
    sums = np.concatenate(
        [
            sum_units(units, request, np.ascontiguousarray(weights[:, start : start + 64]))
            for start in range(0, units.size, 64)
        ]
    )
    return request.values(sums, [metric])[0]
