"""Units: rows merged where no replicate of a call can tell them apart.

Conventions
-----------
Units stand from the highest score down. A unit of c rows is drawn with c times the probability of
a row. Rows merge when they share class and sample weight and nothing that is asked lies between
them: a threshold, a row of the other class, or, for average precision, another positive.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.engine.sweeps.cells import score_bits
from fastmetrics.kernels import cells as _cell_kernels
from fastmetrics.kernels import sorting as _sorting
from fastmetrics.kernels import units as _kernels

Integers = npt.NDArray[np.int64]
Labels = npt.NDArray[np.uint8]

# more distinct weights than this leave little to merge
DISTINCT_WEIGHTS = 16
COUNTED_ROWS = 2**15  # below, sorting everything costs less than the tables of the counting
RARE_SHARE = 16  # a class this rare is sorted alone, the other only counted in between
MERGED_SHARE = 4  # merging pays when at most a quarter as many units as rows are left
MERGED_SIZE = 2**18  # tiles of more units must save memory, too
# so few are sorted by NumPy in microseconds; a radix sort is half a second for the compiler
NUMPY_SORT_KEYS = 1024


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
        return self.size * max(MERGED_SHARE, self.size // MERGED_SIZE) <= self.n

    def row_weights(self) -> Floats:
        """Total weight (m,) of each unit: its rows, times their sample weight."""
        rows = self.rows.astype(np.float64)
        return rows if self.weights is None else rows * self.weights

    @cached_property
    def row_marks(self) -> tuple[Labels, Integers]:
        """Marks (n,) of the single rows, and the rows flagged at each threshold."""
        marks = np.empty(self.n, np.uint8)
        _kernels.expand_units(self.labels, self.rows, self.ends, self.merges_positives, marks)
        # sums between the cuts instead of a running sum, which is as large as the scores
        bounds = np.concatenate([[0], self.cuts])
        between = [int(self.rows[a:b].sum()) for a, b in itertools.pairwise(bounds.tolist())]
        return marks, np.cumsum(between, dtype=np.int64)


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
        return single_rows(labels, scores, weights, request)[0]
    columns, column_labels = labels, np.array([0, 1], np.uint8)
    if codes is not None:
        columns = labels * np.uint8(distinct.size) + codes
        column_labels = np.repeat(column_labels, distinct.size)
    counts, cuts = _count_cells(labels, scores, columns, column_labels, request)
    cut_units = np.zeros(cuts.size, np.int64)
    found, rows, ends = _merge(counts, column_labels, cuts, cut_units, request.merges_positives)
    return Units(
        column_labels[found],
        rows,
        ends,
        cut_units,
        None if codes is None else distinct[found % distinct.size],
        request.merges_positives,
    )


def _merge(
    counts: npt.NDArray[np.uint32],
    column_labels: Labels,
    cuts: Integers,
    cut_units: Integers,
    merge_positives: bool,
) -> tuple[Labels, Integers, npt.NDArray[np.bool_]]:
    """Columns, rows and group ends (m,) of the units."""
    most = int(np.count_nonzero(counts))
    units = (np.empty(most, np.uint8), np.empty(most, np.int64), np.empty(most, np.bool_))
    size = _kernels.merge_runs(counts, column_labels, cuts, cut_units, merge_positives, units)
    columns, rows, ends = units
    return columns[:size].copy(), rows[:size].copy(), ends[:size].copy()


def _weight_codes(weights: Floats | None) -> tuple[Labels | None, Floats]:
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
    return codes.astype(np.uint8), distinct


def _count_cells(
    labels: Labels,
    scores: npt.NDArray[np.floating],
    columns: Labels,
    column_labels: Labels,
    request: SweepRequest,
) -> tuple[npt.NDArray[np.uint32], Integers]:
    """Rows per cell and column (U, C), and the cells flagged at each threshold.

    Cells are only as fine as the request needs: intervals between thresholds, the gaps between
    the scores of a rare class, or the distinct scores.
    """
    bits = score_bits(scores)
    thresholds = _thresholds_as(scores.dtype, request.thresholds)
    cut_keys = np.empty(thresholds.size, bits.dtype)
    if cut_keys.size:  # a kernel that has nothing to do need not be compiled
        _sorting.keys_of(score_bits(thresholds), cut_keys)
    positives = int(np.count_nonzero(labels))
    rare = 1 if 2 * positives <= labels.size else 0
    rows_of_rare = positives if rare else labels.size - positives
    if request.counts_only:
        return _count_gaps(bits, columns, column_labels.size, cut_keys, cut_keys)
    counted = labels.size >= COUNTED_ROWS and rows_of_rare * RARE_SHARE <= labels.size
    if counted and (rare or request.merges_positives):
        rare_keys = np.empty(rows_of_rare, bits.dtype)
        _sorting.keys_of(bits[labels == rare], rare_keys)
        separators = np.unique(np.concatenate([rare_keys, cut_keys]))
        if separators.size:
            return _count_gaps(bits, columns, column_labels.size, separators, cut_keys)
    keys, starts = sort_columns(bits, columns, column_labels.size)
    cuts = np.zeros(cut_keys.size, np.int64)
    counts = np.empty((keys.size, column_labels.size), np.uint32)
    size = _cell_kernels.merge_columns(keys, starts, cut_keys, cuts, counts)
    return counts[:size], cuts


def sort_columns(
    bits: npt.NDArray[np.unsignedinteger], columns: Labels, n_columns: int
) -> tuple[npt.NDArray[np.unsignedinteger], Integers]:
    """Keys (n,) of the scores, sorted within each column, and where each column begins (C + 1,).

    The arrays are NumPy's, which lie on large pages: a quarter of the sort.
    """
    keys, scratch = np.empty_like(bits), np.empty_like(bits)
    none = np.empty(0, np.uint32)
    starts = np.zeros(n_columns + 1, np.int64)
    for column in range(n_columns):
        mine = np.compress(columns == column, bits)  # a mask as an index takes five times as long
        starts[column + 1] = starts[column] + mine.size
        place = slice(starts[column], starts[column + 1])
        _sorting.keys_of(mine, keys[place])
        if mine.size <= NUMPY_SORT_KEYS:
            keys[place].sort()
        elif _sorting.sort_keys(keys[place], none, scratch[place], none):
            keys[place] = scratch[place]
    return keys, starts


def _count_gaps(
    bits: npt.NDArray[np.unsignedinteger],
    columns: Labels,
    n_columns: int,
    separators: npt.NDArray[np.unsignedinteger],
    cut_keys: npt.NDArray[np.unsignedinteger],
) -> tuple[npt.NDArray[np.uint32], Integers]:
    """Cells at and between sorted separators, among which are the keys of the cuts."""
    counts = np.zeros((2 * separators.size + 1, n_columns), np.uint32)
    _cell_kernels.count_gaps(bits, columns, separators, counts)
    return counts, 2 * np.searchsorted(separators, cut_keys) + 2


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
    cuts = _thresholds_as(descending.dtype, thresholds)
    return descending.size - np.searchsorted(descending[::-1], cuts, side="left")


def _thresholds_as(dtype: np.dtype[Any], thresholds: tuple[float, ...]) -> npt.NDArray[Any]:
    """Thresholds in the type of the scores, as NumPy compares an array with a number."""
    with np.errstate(over="ignore"):
        return np.array(thresholds, np.float64).astype(dtype)


def single_rows(
    labels: Labels,
    scores: npt.NDArray[np.floating],
    weights: Floats | None,
    request: SweepRequest,
) -> tuple[Units, npt.NDArray[np.uint32]]:
    """Every row its own unit, and the rows (n,) in the order of the units."""
    order, keys = sort_rows(scores)
    units = Units(
        labels[order],
        np.ones(labels.size, np.int64),
        np.concatenate([keys[1:] != keys[:-1], [True]]),
        flagged_rows(scores[order], request.thresholds),
        None if weights is None else weights[order],
        request.merges_positives,
    )
    return units, order
