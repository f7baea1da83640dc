"""Units: rows merged where no replicate of a call can tell them apart.

Conventions
-----------
Units stand from the highest score down. A unit of c rows is drawn with c times the probability of
a row. Rows merge when they share class and sample weight and nothing that is asked lies between
them: a threshold, a row of the other class, or, for average precision, another positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fastmetrics._cells import score_bits, tie_cells
from fastmetrics.kernels import sorting as _sorting
from fastmetrics.kernels import units as _kernels
from fastmetrics.metric import Floats
from fastmetrics.statistics import SweepRequest

Integers = npt.NDArray[np.int64]
Labels = npt.NDArray[np.uint8]

# more distinct weights than this leave little to merge
DISTINCT_WEIGHTS = 16
MERGED_SHARE = 4  # merging pays when at most a quarter as many units as rows are left


@dataclass(frozen=True)
class Units:
    """Units of the data, sorted by descending score.

    Parameters
    ----------
    labels : (m,) uint8, 1 for positives
    rows : (m,) int64, rows of the unit
    ends : (m,) bool, whether the unit is the last of its group of equal scores
    cuts : (c,) int64, units flagged at each threshold, ascending
    weights : (m,) float64, sample weight of a row of the unit, or None
    merges_positives : whether tied positives may be told apart
    """

    labels: Labels
    rows: Integers
    ends: npt.NDArray[np.bool_]
    cuts: Integers
    weights: Floats | None
    merges_positives: bool

    @property
    def size(self) -> int:
        """Number of units."""
        return self.labels.size

    @cached_property
    def n(self) -> int:
        """Number of rows."""
        return int(self.rows.sum())

    @cached_property
    def marks(self) -> Labels:
        """Marks (m,) of the units as rows of a sweep."""
        marks: Labels = _kernels.mark_units(self.labels, self.ends)
        return marks

    @cached_property
    def class_rows(self) -> tuple[int, int]:
        """Rows of the negatives and of the positives."""
        positives = int(self.rows[self.labels == 1].sum())
        return self.n - positives, positives

    @property
    def merged(self) -> bool:
        """Whether replicates are drawn as units rather than as rows."""
        return self.size * MERGED_SHARE <= self.n

    def row_weights(self) -> Floats:
        """Total weight (m,) of each unit: its rows, times their sample weight."""
        rows = self.rows.astype(np.float64)
        return rows if self.weights is None else rows * self.weights

    def row_marks(self) -> tuple[Labels, Integers]:
        """Marks (n,) of the single rows, and the rows flagged at each threshold."""
        marks: Labels = _kernels.expand_units(
            self.labels, self.rows, self.ends, self.merges_positives
        )
        flagged = np.concatenate([[0], np.cumsum(self.rows)])
        return marks, flagged[self.cuts]


def build_units(
    labels: Labels, scores: npt.NDArray[np.floating], weights: Floats | None, request: SweepRequest
) -> Units:
    """Merge the rows as far as the request allows.

    Parameters
    ----------
    labels : (n,) uint8
    scores : contiguous float64 or float32 (n,), finite
    weights : (n,) float64 or None
    request : what will be asked of every replicate
    """
    codes, distinct = _weight_codes(weights)
    if codes is None and weights is not None:
        return _single_rows(labels, scores, weights, request)
    columns = max(1, distinct.size)
    column_labels = np.repeat(np.array([0, 1], np.uint8), columns)
    if request.counts_only:
        counts, cuts = _interval_counts(labels, scores, codes, columns, request)
    else:
        counts, thresholds = _cell_counts(labels, scores, codes, columns)
        cuts = flagged_rows(thresholds, request.thresholds)
    found, rows, ends, cut_units = _kernels.merge_runs(
        counts, column_labels, cuts, request.merges_positives
    )
    return Units(
        column_labels[found],
        rows,
        ends,
        cut_units,
        distinct[found % columns] if distinct.size else None,
        request.merges_positives,
    )


def _weight_codes(weights: Floats | None) -> tuple[Integers | None, Floats]:
    """Index (n,) into the distinct weights, or None where there are many or no weights."""
    none = np.empty(0)
    if weights is None:
        return None, none
    distinct = np.unique(weights[:4096])
    if distinct.size > DISTINCT_WEIGHTS:
        return None, none
    codes = np.minimum(np.searchsorted(distinct, weights), distinct.size - 1)
    if not np.array_equal(distinct[codes], weights):
        distinct = np.unique(weights)
        if distinct.size > DISTINCT_WEIGHTS:
            return None, none
        codes = np.searchsorted(distinct, weights)
    return codes, distinct


def _interval_counts(
    labels: Labels,
    scores: npt.NDArray[np.floating],
    codes: Integers | None,
    columns: int,
    request: SweepRequest,
) -> tuple[Integers, Integers]:
    """Rows per interval between thresholds and column, without a sort."""
    thresholds = np.array(request.thresholds)
    column = labels.astype(np.int64) * columns
    if codes is not None:
        column += codes
    # rows in interval k miss the k highest thresholds
    for threshold in thresholds:
        column += (scores < threshold) * (2 * columns)
    counts = np.bincount(column, minlength=2 * columns * (thresholds.size + 1))
    return counts.reshape(-1, 2 * columns), np.arange(1, thresholds.size + 1)


def _cell_counts(
    labels: Labels, scores: npt.NDArray[np.floating], codes: Integers | None, columns: int
) -> tuple[Integers, npt.NDArray[np.floating]]:
    """Rows per distinct score and column, and the distinct scores from the highest down."""
    if codes is None:
        thresholds, positives, negatives = tie_cells(labels, scores)
        return np.stack([negatives, positives], axis=1), thresholds
    order, keys = sort_rows(scores)
    starts = np.concatenate([[True], keys[1:] != keys[:-1]])
    cell = np.cumsum(starts) - 1
    column = labels.astype(np.int64) * columns + codes
    counts = np.bincount(
        cell * (2 * columns) + column[order], minlength=2 * columns * (int(cell[-1]) + 1)
    )
    return counts.reshape(-1, 2 * columns), scores[order[starts]]


def sort_rows(
    scores: npt.NDArray[np.floating],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.unsignedinteger]]:
    """Rows (n,) from the highest score down, and their sorted keys."""
    bits = score_bits(scores)
    keys = np.empty_like(bits)
    order = np.empty(bits.size, np.uint32)
    _sorting.argsort_descending(bits, keys, order)
    return order, keys


def flagged_rows(descending: npt.NDArray[np.floating], thresholds: tuple[float, ...]) -> Integers:
    """Entries of descending scores (m,) that reach each threshold."""
    ascending = descending[::-1].astype(np.float64)
    return descending.size - np.searchsorted(ascending, np.array(thresholds), side="left")


def _single_rows(
    labels: Labels, scores: npt.NDArray[np.floating], weights: Floats, request: SweepRequest
) -> Units:
    """Every row its own unit."""
    order, keys = sort_rows(scores)
    return Units(
        labels[order],
        np.ones(labels.size, np.int64),
        np.concatenate([keys[1:] != keys[:-1], [True]]),
        flagged_rows(scores[order], request.thresholds),
        weights[order],
        request.merges_positives,
    )
