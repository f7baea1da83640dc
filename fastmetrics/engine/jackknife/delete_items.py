"""Delete-one values of the items of a design: of rows in any order, or of whole clusters.

Conventions
-----------
Values are (m,), one per place of the tiles, so that those of several models can be subtracted. An
item without rows in a slice leaves the estimate as it is.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.designs import Items, sum_by
from fastmetrics.engine.jackknife.cluster_precision import precision_without_clusters
from fastmetrics.engine.jackknife.delete_one import LARGEST_LOOP, DeleteOne, chunks, delete_one
from fastmetrics.engine.readings.answers import Answer
from fastmetrics.engine.readings.kinds import CodesReading, Reading, SumsReading, SweepReading, Tile
from fastmetrics.engine.statistics import AT_CUTS, arrange_counts
from fastmetrics.engine.sweeps.units import Integers, Units
from fastmetrics.kernels import jackknife as _kernels
from fastmetrics.kernels.random import LANES

# the sums of this many items at a time
CHUNK_ITEMS = 2**14
LARGEST_LOOP_BYTES = 2**24


def delete_items(answer: Answer, reading: Reading, items: Items, sums: Floats) -> DeleteOne:
    """Delete-one values (m,) of a metric.

    Parameters
    ----------
    answer : the metric and where its numbers are
    reading : what the numbers come from
    items : what is left out, one at a time
    sums : (columns,) of the reading on the data as they are

    Raises
    ------
    ValueError
        No closed form, and too many items to leave each out in turn.
    """
    exact = True
    kind = answer.metric.statistic.kind
    with np.errstate(divide="ignore", invalid="ignore"):
        if isinstance(reading, SumsReading):
            values = _without_terms(answer, reading, items, sums)
        elif isinstance(reading, CodesReading):
            values = _without_codes(answer, reading, items, sums)
        elif isinstance(reading, SweepReading) and not items.clustered:
            return _without_rows(answer, reading, items, sums)
        elif isinstance(reading, SweepReading) and kind in AT_CUTS:
            values = _without_cuts(answer, reading, items, sums)
        elif isinstance(reading, SweepReading) and kind == "concordance":
            values = _without_pairs(answer, reading, items, sums)
        elif isinstance(reading, SweepReading) and kind == "precision":
            values, exact = _without_precision(answer, reading, items, sums)
        else:
            values = _by_loop(answer, reading, items, np.arange(items.size))
    pools = items.pools if items.pool_sizes.size > 1 else None
    return DeleteOne(values, items.rows, pools, exact)


def _without_terms(answer: Answer, reading: SumsReading, items: Items, sums: Floats) -> Floats:
    """Sums of terms: those of the item leave."""
    values = np.full(items.size, answer.values(sums))
    for part in chunks(reading.slots.size):
        values[reading.slots[part]] = answer.values(sums - reading.terms[part])
    return values


def _without_codes(answer: Answer, reading: CodesReading, items: Items, sums: Floats) -> Floats:
    """Counts: the item's cells leave."""
    values = np.full(items.size, answer.values(sums))
    bounds = np.searchsorted(reading.slots, np.arange(0, items.size + CHUNK_ITEMS, CHUNK_ITEMS))
    for first, last in itertools.pairwise(bounds.tolist()):
        present, place = np.unique(reading.slots[first:last], return_inverse=True)
        left = np.repeat(sums[None], present.size, axis=0)
        np.subtract.at(left, (place, reading.codes[first:last]), reading.amounts[first:last])
        values[present] = answer.values(left)
    return values


def _units(reading: SweepReading) -> Units:
    """Every row of the reading as a unit of its own."""
    return Units(
        reading.marks & np.uint8(1),
        np.ones(reading.marks.size, np.int64),
        reading.ends,
        reading.cuts,
        reading.weights,
        reading.request.merges_positives,
    )


def _without_rows(answer: Answer, reading: SweepReading, items: Items, sums: Floats) -> DeleteOne:
    """Rows: what the units say, put at the places of the rows."""
    found = delete_one(answer.metric, _units(reading), reading.request, sums)
    values = np.full(items.size, answer.values(sums))
    values[reading.slots] = found.values
    pools = items.pools if items.pool_sizes.size > 1 else None
    return DeleteOne(values, None, pools, found.exact)


def _row_weights(reading: SweepReading) -> Floats:
    return np.ones(reading.marks.size) if reading.weights is None else reading.weights


def _class_sums(reading: SweepReading, size: int) -> tuple[Floats, Floats]:
    """Positives and negatives (m,) of each item."""
    weights, positive = _row_weights(reading), (reading.marks & 1) == 1
    positives = sum_by(reading.slots[positive], weights[positive], size)
    return positives, sum_by(reading.slots[~positive], weights[~positive], size)


def _without_cuts(answer: Answer, reading: SweepReading, items: Items, sums: Floats) -> Floats:
    """Counts at a threshold: the item's own counts leave."""
    statistic = answer.metric.statistic
    cut = int(reading.cuts[reading.request.thresholds.index(statistic.parameter)])
    weights, positive = _row_weights(reading), (reading.marks & 1) == 1
    flagged = np.arange(reading.marks.size) < cut
    counts = [
        sum_by(reading.slots[chosen], weights[chosen], items.size)
        for chosen in (
            positive & flagged,
            ~positive & flagged,
            positive & ~flagged,
            ~positive & ~flagged,
        )
    ]
    left = answer.select(sums) - arrange_counts(statistic, *counts)
    return answer.metric.formula(left)


def _without_pairs(answer: Answer, reading: SweepReading, items: Items, sums: Floats) -> Floats:
    """Concordant pairs: those of the item's rows leave, the pairs within it only once."""
    doubled, positives, negatives = answer.select(sums)
    units = _units(reading)
    pairs = np.empty(units.size)
    weights = _row_weights(reading)
    _kernels.pairs_of_row(units.labels, weights, units.ends, pairs)
    gone = sum_by(reading.slots, weights * pairs, items.size)
    gone -= _pairs_within(reading, units, items.size)
    own_positives, own_negatives = _class_sums(reading, items.size)
    left = [doubled - gone, positives - own_positives, negatives - own_negatives]
    return answer.metric.formula(np.stack(left, axis=-1))


def _pairs_within(reading: SweepReading, units: Units, size: int) -> Floats:
    """Doubled weight (m,) of the concordant pairs of two rows of one item."""
    group = np.concatenate([[0], np.cumsum(units.ends[:-1])])
    order = np.argsort(reading.slots, kind="stable")
    slots, group = reading.slots[order], group[order]
    weights, positive = _row_weights(reading)[order], units.labels[order] == 1
    own = np.where(positive, weights, 0.0)
    # positives of the item before each row's own group of ties, and within it
    new_item = np.concatenate([[True], slots[1:] != slots[:-1]])
    new_group = new_item | np.concatenate([[True], group[1:] != group[:-1]])
    before = np.cumsum(own) - own
    firsts = np.flatnonzero(new_group)
    group_of_row = np.cumsum(new_group) - 1
    item_of_row = np.cumsum(new_item) - 1
    above = before[firsts][group_of_row] - before[np.flatnonzero(new_item)][item_of_row]
    tied = np.add.reduceat(own, firsts)[group_of_row]
    doubled = np.where(positive, 0.0, weights * (2.0 * above + tied))
    return sum_by(slots, doubled, size)


def _without_precision(
    answer: Answer, reading: SweepReading, items: Items, sums: Floats
) -> tuple[Floats, bool]:
    """Average precision: in closed form without weights, else by influence values."""
    total, positives, negatives = answer.select(sums)
    units = _units(reading)
    if reading.weights is not None and items.size > LARGEST_LOOP:
        slopes = np.empty(units.size)
        _kernels.precision_slopes(units.labels, units.row_weights(), units.ends, slopes)
        slopes -= total / positives * units.labels
        influence = sum_by(reading.slots, slopes * reading.weights, items.size)
        return total / positives - influence / positives, False
    if reading.weights is not None:
        return _by_loop(answer, reading, items, np.arange(items.size)), True
    remaining, swept = precision_without_clusters(
        units.labels, units.ends, reading.slots, items.size
    )
    own_positives, own_negatives = _class_sums(reading, items.size)
    left = [remaining, positives - own_positives, negatives - own_negatives]
    values = answer.metric.formula(np.stack(left, axis=-1))
    values[swept] = _by_loop(answer, reading, items, swept)
    return values, True


def _by_loop(answer: Answer, reading: Reading, items: Items, chosen: Integers) -> Floats:
    """Read the data again without each of the chosen items."""
    if items.rows is not None:
        raise TypeError("merged rows have closed forms")
    costly = not isinstance(reading, SweepReading) or answer.metric.statistic.kind == "point"
    if costly and items.size > LARGEST_LOOP:
        what = "clusters" if items.clustered else "rows"
        raise ValueError(
            f"{answer.metric.label} has no closed jackknife, and leaving out each of "
            f"{items.size:,} {what} in turn is too much: pass method='percentile', or "
            "jackknife_groups= to leave out groups of rows"
        )
    values = np.empty(chosen.size)
    lanes = LANES if items.size <= LARGEST_LOOP_BYTES // LANES else 8
    weights = np.ones((1, items.size, lanes), np.uint8)
    for first in range(0, chosen.size, lanes):
        part = chosen[first : first + lanes]
        weights[0, part, np.arange(part.size)] = 0
        values[first : first + part.size] = answer.values(_read(reading, weights))[: part.size]
        weights[0, part, np.arange(part.size)] = 1
    return values


def delete_groups(answer: Answer, reading: Reading, items: Items, groups: int) -> DeleteOne:
    """Values (groups,) of a metric without one of so many groups of items at a time.

    The groups are made by chance, the same in every call: items stand in the order of the scores,
    and every so-many-th of these is no random part of them. Every stratum has groups of its own.
    """
    sizes = items.pool_sizes
    shares = np.round(groups * sizes / items.size).astype(np.int64)
    shares = np.minimum(np.maximum(shares, 2), sizes)
    order = np.random.default_rng(0).permutation(items.size)
    order = order[np.argsort(items.pools[order], kind="stable")]
    pools, starts = items.pools[order], np.cumsum(sizes) - sizes
    group = np.empty(items.size, np.int64)
    first = np.cumsum(shares) - shares
    group[order] = first[pools] + (np.arange(items.size) - starts[pools]) % shares[pools]
    values = np.empty(int(shares.sum()))
    whole = items.ones()
    for left_out in range(values.size):
        weights = np.where((group == left_out)[None, :, None], whole.dtype.type(0), whole)
        values[left_out] = answer.values(_read(reading, weights))[0]
    return DeleteOne(values, None, np.repeat(np.arange(sizes.size), shares))


def _read(reading: Reading, weights: Any) -> Floats:
    return reading.read(Tile(weights))
