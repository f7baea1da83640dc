"""Quantiles of rows that weigh differently.

Conventions
-----------
The smallest value whose share of the weight, with all values below it, reaches the level; where it
is reached exactly, the mean of that value and the next (the averaged inverted distribution function
of Hyndman & Fan 1996, doi:10.1080/00031305.1996.10473566). At the level 1/2 and with equal weights
that is the median. A sum that rounding keeps from the level counts as reaching it. Of many rows
only those near the quantile of a sample are sorted, where that turns out to be enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmetrics.input.targets import Targets
from fastmetrics.kernels.lanes import quantile_places
from fastmetrics.kernels.selection import keep_between
from fastmetrics.kernels.sums import total_and_lowest

Floats = NDArray[np.float64]

_ROUNDING = 2.0**-52
# a sort of few costs less than a selection
FEW = 500
_MANY = 20_000
_SAMPLE = 1_000
# share of the weight looked at to either side of the sample's quantile, four standard errors
_MARGIN = 0.06


def quantile(values: NDArray[Any], weights: NDArray[Any], level: float) -> Any:
    """Quantile of values (n,) with weights (n,), or (1,) for all: then the values are reordered.

    Fewer than ``FEW`` values with one weight for all are sorted, and may come as columns (k, n).
    """
    n = values.shape[-1]
    if n >= _MANY and values.dtype == np.float64:
        found = _near_sample(values, weights, level)
        if found is not None:
            return found
    if weights.size < n:
        return _of_equal(values, level, n, 0)
    total, lowest = total_and_lowest(weights)
    if lowest == 0.0:
        present = weights > 0.0
        values, weights = values[present], weights[present]
    return _of_weighted(values, weights, level * total, _ROUNDING * n * total, None)


def columns_together(targets: Targets) -> Iterable[tuple[NDArray[Any], NDArray[Any]]]:
    """Targets and predictions (n,) of each column, or of all (k, n) where ``quantile`` takes them.

    All of them cost as much as one where rows are few.
    """
    several = len(targets.y_true) > 1
    if several and targets.ready and targets.weights.size < targets.n < FEW:
        return ((targets.y_true, targets.y_pred),)
    return zip(targets.y_true, targets.y_pred)


def _near_sample(values: NDArray[Any], weights: NDArray[Any], level: float) -> Any:
    """Quantile from the rows near that of a sample; None where it is not among them."""
    n = values.size
    equal = weights.size < n
    sample = slice(None, None, n // _SAMPLE)
    sampled, sampled_weights = values[sample].copy(), weights if equal else weights[sample].copy()
    if not sampled_weights.any():
        return None
    low, high = (
        quantile(sampled, sampled_weights, min(max(level + side, 0.0), 1.0))
        for side in (-_MARGIN, _MARGIN)
    )
    kept, kept_weights = np.empty((2, n // 4))
    count, below, total = keep_between(values, weights, low, high, kept, kept_weights)
    if not 0 < count < kept.size:
        return None
    if equal:
        return _of_equal(kept[:count], level, n, int(below))
    kept, kept_weights = kept[:count], kept_weights[:count]
    return _of_weighted(kept, kept_weights, level * total, _ROUNDING * n * total, below)


def _of_equal(values: NDArray[Any], level: float, n: int, below: int) -> Any:
    """Quantile of n rows of equal weight, from values (..., m) that so many rows lie below.

    None where it is not among the values.
    """
    place = level * n
    # level * n may miss a whole number by its rounding
    whole = round(place)
    if 0 < whole < n and abs(place - whole) <= _ROUNDING * n:
        first, second = whole - 1, whole
    else:
        first = second = min(max(math.ceil(place) - 1, 0), n - 1)
    first, second = first - below, second - below
    if first < 0 or second >= values.shape[-1]:
        return None
    if values.shape[-1] < FEW:
        values.sort()
    else:
        values.partition((first, second))
    ranked = values.T
    return ranked[first] if first == second else (ranked[first] + ranked[second]) / 2


def _of_weighted(
    values: NDArray[Any], weights: NDArray[Any], place: float, slack: float, below: float | None
) -> Any:
    """Value at which the running weight reaches a place, up to slack; the mean of two on a tie.

    ``below`` is the weight of rows that are not among the values, None where all are; the quantile
    is None where it may be one of them.
    """
    order = values.argsort()
    reached = weights[order].cumsum()
    if below is not None:
        if below >= place - slack:
            return None
        reached += below
    at = int(reached.searchsorted(place - slack))
    last = values.size - 1
    if below is not None and at >= last:
        return None
    at = min(at, last)
    if at == last or reached[at] > place + slack:
        return values[order[at]]
    return (values[order[at]] + values[order[at + 1]]) / 2


class Sorted(NamedTuple):
    """Values that are sorted once for the quantiles of many weights."""

    values: Floats  # (n,) ascending
    order: NDArray[np.intp]  # (n,) the row of each

    @classmethod
    def of(cls, values: Floats) -> Sorted:
        """Sort values (n,)."""
        order = values.argsort()
        return cls(values[order], order)

    def quantiles(self, weights: Floats, level: float) -> Floats:
        """Quantile (lanes,) under each lane of weights (n, lanes); nan in one without weight."""
        totals = weights.sum(axis=0)
        places = np.empty((2, totals.size), np.int64)
        slacks = _ROUNDING * self.values.size * totals
        quantile_places(self.order, weights, level * totals, slacks, places)
        first, second = self.values[places]
        middle = np.where(places[0] == places[1], first, (first + second) / 2)
        return np.where(places[0] >= 0, middle, np.nan)
