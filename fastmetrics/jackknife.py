"""Delete-one values in closed form, and the acceleration of BCa intervals.

Conventions
-----------
All rows of a unit share one delete-one value, so the values are (units,) with the rows of each
unit as multiplicities. Positives and rows above a score are counted from the highest score down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fastmetrics.evaluation import sum_units
from fastmetrics.metric import Floats, Metric
from fastmetrics.statistics import SweepRequest
from fastmetrics.units import Integers, Units

# a delete-one loop without a closed form costs units**2
LARGEST_LOOP = 2000


@dataclass(frozen=True)
class DeleteOne:
    """Delete-one values of a metric.

    Parameters
    ----------
    values : (m,) value of the metric without one row of the unit
    rows : (m,) rows that share the value
    pools : (m,) class of the unit, the stratum where draws are stratified by class
    exact : False where influence values stand in for a closed form
    """

    values: Floats
    rows: Integers
    pools: npt.NDArray[np.uint8]
    exact: bool = True

    def acceleration(self, *, by_class: bool) -> float:
        """Acceleration of BCa: skewness of the deviations; nan where nothing deviates.

        Rows: Efron 1987, doi:10.1080/01621459.1987.10478410. Strata: the deviations of stratum h
        are scaled by its size, as for several samples (DiCiccio & Efron 1996).
        """
        if not np.isfinite(self.values).all():
            return float("nan")
        cubes = squares = 0.0
        groups = [self.pools == 0, self.pools == 1] if by_class else [np.ones(self.rows.size, bool)]
        for group in groups:
            rows = self.rows[group].astype(np.float64)
            size = rows.sum()
            if size < 2:
                continue
            values = self.values[group]
            mean = (rows * values).sum() / size
            scaled = (size - 1.0) / size * (mean - values)
            squares += float((rows * scaled**2).sum())
            cubes += float((rows * scaled**3).sum())
        return cubes / (6.0 * squares**1.5) if squares > 0.0 else float("nan")


def delete_one(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> DeleteOne:
    """Delete-one values of a metric, in O(units) where it has a closed form.

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
        if metric.jackknife == "counts":
            values = _without_count(metric, units, request, sums)
        elif metric.jackknife == "concordance":
            values = _without_pairs(metric, units, request, sums)
        elif metric.jackknife == "precision" and units.weights is None:
            values = _without_precision(metric, units)
        elif metric.influence == "precision":
            values, exact = _by_influence(metric, units, request, sums), False
        else:
            values = _by_loop(metric, units, request)
    return DeleteOne(values, units.rows, units.labels, exact)


def _row_weight(units: Units) -> Floats:
    """Weight (m,) of one row of each unit."""
    return np.ones(units.size) if units.weights is None else units.weights


def _without_count(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> Floats:
    """Counts at a threshold: one row less in the unit's own cell."""
    place = request.thresholds.index(metric.statistic.parameter)
    flagged = np.arange(units.size) < units.cuts[place]
    cell = np.where(units.labels == 1, np.where(flagged, 0, 2), np.where(flagged, 1, 3))
    counts = np.repeat(request.select(sums, metric.statistic)[None], units.size, axis=0)
    counts[np.arange(units.size), cell] -= _row_weight(units)
    return metric.formula(counts)


@dataclass(frozen=True)
class _Groups:
    """Weight of each class per group of equal scores, and up to and with it."""

    of_unit: Integers
    positives: Floats
    negatives: Floats
    positives_to: Floats
    negatives_to: Floats

    @classmethod
    def of(cls, units: Units) -> _Groups:
        """Sum the units by group."""
        starts = np.flatnonzero(np.concatenate([[True], units.ends[:-1]]))
        weights = units.row_weights()
        positives = np.add.reduceat(weights * (units.labels == 1), starts)
        negatives = np.add.reduceat(weights * (units.labels == 0), starts)
        of_unit = np.cumsum(np.concatenate([[0], units.ends[:-1]]))
        return cls(of_unit, positives, negatives, np.cumsum(positives), np.cumsum(negatives))


def _without_pairs(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> Floats:
    """Concordant pairs: those that the row takes part in leave with it."""
    groups = _Groups.of(units)
    doubled, positives, negatives = request.select(sums, metric.statistic)
    below = 2.0 * (negatives - groups.negatives_to) + groups.negatives
    above = 2.0 * groups.positives_to - groups.positives
    is_positive = units.labels == 1
    weight = _row_weight(units)
    pairs = np.where(is_positive, below[groups.of_unit], above[groups.of_unit])
    left = np.stack(
        [
            doubled - weight * pairs,
            positives - weight * is_positive,
            negatives - weight * ~is_positive,
        ],
        axis=-1,
    )
    return metric.formula(left)


def _without_precision(metric: Metric, units: Units) -> Floats:
    """Sum of precisions with one positive, or one negative, of a group left out."""
    groups = _Groups.of(units)
    tp = groups.positives_to
    flagged = tp + groups.negatives_to
    inside = groups.positives
    less = np.where(flagged > 1.0, flagged - 1.0, 1.0)
    kept = np.cumsum(inside * tp / flagged)
    before = np.concatenate([[0.0], kept[:-1]])
    later_positive = inside * (tp - 1.0) / less
    after = np.concatenate([np.cumsum(later_positive[::-1])[::-1][1:], [0.0]])
    own = (inside - 1.0) * (tp - 1.0) / less
    from_here = np.cumsum((inside * tp / less)[::-1])[::-1]
    is_positive = units.labels == 1
    group = groups.of_unit
    total = np.where(is_positive, (before + own + after)[group], (before + from_here)[group])
    n_positive = tp[-1]
    left = np.stack(
        [
            total,
            n_positive - is_positive,
            np.where(is_positive, groups.negatives_to[-1], groups.negatives_to[-1] - 1.0),
        ],
        axis=-1,
    )
    return metric.formula(left)


def _by_influence(metric: Metric, units: Units, request: SweepRequest, sums: Floats) -> Floats:
    """Average precision with sample weights: its estimate less the row's influence.

    The derivative of the sum of P_g TP_g / R_g by a row's weight, times that weight.
    """
    groups = _Groups.of(units)
    total, positives, _ = request.select(sums, metric.statistic)
    tp = groups.positives_to
    flagged = np.where(tp + groups.negatives_to > 0.0, tp + groups.negatives_to, 1.0)
    fp = flagged - tp
    inside = groups.positives
    gains = np.cumsum((inside * fp / flagged**2)[::-1])[::-1]
    losses = np.cumsum((inside * tp / flagged**2)[::-1])[::-1]
    is_positive = units.labels == 1
    group = groups.of_unit
    estimate = total / positives
    slope = np.where(
        is_positive, (tp / flagged + gains)[group] - estimate, -losses[group]
    )
    return estimate - _row_weight(units) * slope / positives


def _by_loop(metric: Metric, units: Units, request: SweepRequest) -> Floats:
    """Every unit with one row less, swept anew."""
    if units.size > LARGEST_LOOP:
        raise ValueError(
            f"{metric.label} has no closed jackknife, and leaving out each of {units.size:,} units "
            "in turn is too much: pass method='percentile'"
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
