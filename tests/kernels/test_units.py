"""Merging rows into units never changes what is asked of them; marks and places are as told."""

import itertools

import numpy as np
import pytest

from fastmetrics.engine.draws.sorted_rows import place_rows
from fastmetrics.kernels.resample import BLOCK
from fastmetrics.kernels.sweep import ALONE, ENDS, LONG, LONG_GROUP, POSITIVE
from fastmetrics.kernels.units import (
    expand_units,
    mark_rows,
    mark_units,
    merge_runs,
)
from tests import reference

# what allows runs of positives to be merged, and what does not
MERGING = {
    "roc_auc": reference.auc,
    "ks": reference.ks,
    "partial_auc to a rate": lambda *data: reference.partial_auc(*data, max_fpr=0.25),
    "partial_auc from a recall": lambda *data: reference.partial_auc(*data, min_tpr=0.5),
    "recall_at_false_positive_rate": lambda *data: reference.recall_at_false_positive_rate(
        *data, max_fpr=0.25
    ),
}
KEEPING = {
    "average_precision": reference.average_precision,
    "precision_at_recall": lambda *data: reference.precision_at_recall(*data, min_recall=0.5),
    "precision_at_recall of nothing": lambda *data: reference.precision_at_recall(
        *data, min_recall=0.0
    ),
}


def tied_problem(seed, n=40):
    """Labels and scores with ties, and runs of one class."""
    generator = np.random.default_rng(seed)
    scores = (generator.normal(size=n) * [2, 4, 20][seed % 3]).round()
    labels = (generator.random(n) < [0.5, 0.2, 0.8][seed % 3]).astype(np.uint8)
    return labels, scores


def run_merge(counts, column_labels, cuts, merge_positives):
    """Column, rows and end of each unit, and the units flagged at each cut."""
    cut_units = np.empty(cuts.size, np.int64)
    most = np.count_nonzero(counts)
    units = (np.empty(most, np.uint8), np.empty(most, np.int64), np.empty(most, np.bool_))
    size = merge_runs(counts, column_labels, cuts, cut_units, merge_positives, units)
    return *(part[:size] for part in units), cut_units


def merged(labels, scores, codes, merge_positives, thresholds=()):
    """Units of rows with weight codes, and the unit that each row went into."""
    columns = int(codes.max()) + 1
    distinct = np.unique(scores)[::-1]
    counts = np.zeros((distinct.size, 2 * columns), np.uint32)
    cells = np.searchsorted(-distinct, -scores)
    row_columns = labels * columns + codes
    np.add.at(counts, (cells, row_columns), 1)
    cuts = np.array([(distinct >= t).sum() for t in thresholds], np.int64)
    column_labels = np.repeat(np.array([0, 1], np.uint8), columns)
    unit_columns, rows, ends, cut_units = run_merge(counts, column_labels, cuts, merge_positives)
    unit_of_row = np.empty(labels.size, np.int64)
    for column in range(2 * columns):
        # the units of a column take its rows from the highest score down
        mine = np.flatnonzero(row_columns == column)
        mine = mine[np.argsort(-scores[mine], kind="stable")]
        units = np.flatnonzero(unit_columns == column)
        unit_of_row[mine] = np.repeat(units, rows[units])
    return column_labels[unit_columns], rows, ends, cut_units, unit_columns, unit_of_row


def unit_scores(ends):
    """A score per unit that ties exactly the units of one group."""
    return -np.cumsum(np.concatenate([[0], ends[:-1]])).astype(float)


@pytest.mark.parametrize("name", [*MERGING, *KEEPING])
@pytest.mark.parametrize("seed", range(6))
def test_merging_changes_no_replicate(name, seed):
    function = MERGING.get(name) or KEEPING[name]
    labels, scores = tied_problem(seed)
    codes = np.zeros(labels.size, np.int64)
    unit_labels, rows, ends, _, _, unit_of_row = merged(labels, scores, codes, name in MERGING)
    assert rows.sum() == labels.size
    np.testing.assert_array_equal(unit_labels[unit_of_row], labels)
    generator = np.random.default_rng(seed)
    replicates = [np.ones(labels.size)]
    replicates += [
        np.bincount(generator.integers(0, labels.size, labels.size), minlength=labels.size)
        for _ in range(5)
    ]
    for counts in replicates:
        drawn = np.bincount(unit_of_row, counts, rows.size)
        expected = function(labels, scores, counts)
        assert function(unit_labels, unit_scores(ends), drawn) == pytest.approx(
            expected, abs=1e-12, nan_ok=True
        )


def test_merged_positives_would_change_average_precision():
    labels, scores = tied_problem(2)
    codes = np.zeros(labels.size, np.int64)
    unit_labels, rows, ends, *_ = merged(labels, scores, codes, merge_positives=True)
    wrong = reference.average_precision(unit_labels, unit_scores(ends), rows)
    assert abs(wrong - reference.average_precision(labels, scores)) > 1e-3


@pytest.mark.parametrize("merge_positives", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_as_few_units_as_allowed_are_left(merge_positives, seed):
    labels, scores = tied_problem(seed)
    codes = np.zeros(labels.size, np.int64)
    unit_labels, _, ends, *_ = merged(labels, scores, codes, merge_positives)
    classes = [set(labels[scores == score]) for score in np.unique(scores)[::-1]]
    runs = 0
    for kind, group in itertools.groupby(classes):
        length = len(list(group))
        joins = kind == {0} or (kind == {1} and merge_positives)
        runs += (1 if joins else length) * len(kind)
    assert unit_labels.size == runs
    assert ends[-1]


@pytest.mark.parametrize("merge_positives", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_cuts_end_runs_and_count_the_units_flagged(merge_positives, seed):
    labels, scores = tied_problem(seed)
    codes = np.zeros(labels.size, np.int64)
    thresholds = [*np.unique(scores)[::-1][[0, 3, 4]], 0.5, -1.0, -1e9]
    thresholds = sorted([1e9, *thresholds], reverse=True)
    unit_labels, rows, _, cut_units, *_ = merged(labels, scores, codes, merge_positives, thresholds)
    for threshold, flagged in zip(thresholds, cut_units, strict=True):
        cells = [
            rows[:flagged][unit_labels[:flagged] == 1].sum(),
            rows[:flagged][unit_labels[:flagged] == 0].sum(),
            rows[flagged:][unit_labels[flagged:] == 1].sum(),
            rows[flagged:][unit_labels[flagged:] == 0].sum(),
        ]
        assert tuple(cells) == reference.counts(labels, scores, threshold)


@pytest.mark.parametrize("merge_positives", [False, True])
def test_empty_cells_change_nothing(merge_positives):
    counts = np.array([[0, 2], [0, 3], [4, 0], [5, 0], [1, 1], [1, 2], [3, 0]], np.uint32)
    classes = np.array([0, 1], np.uint8)
    full = run_merge(counts, classes, np.array([1, 4]), merge_positives)
    places = np.array([1, 4, 5, 7, 9, 11, 12])
    sparse = np.zeros((15, 2), np.uint32)
    sparse[places] = counts
    # a cut at an empty cell is a cut at the next cell that is not
    for cuts in ([4, 9], [2, 8], [3, 9]):
        found = run_merge(sparse, classes, np.array(cuts), merge_positives)
        for part, expected in zip(found, full, strict=True):
            np.testing.assert_array_equal(part, expected)


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_different_weight_stay_apart(seed):
    labels, scores = tied_problem(seed)
    weights = np.array([0.5, 1.0, 3.0])
    codes = np.random.default_rng(seed).integers(0, 3, labels.size)
    unit_labels, rows, ends, _, unit_columns, unit_of_row = merged(labels, scores, codes, True)
    unit_weights = weights[unit_columns % 3]
    np.testing.assert_array_equal(unit_weights[unit_of_row], weights[codes])
    for function in MERGING.values():
        assert function(unit_labels, unit_scores(ends), rows * unit_weights) == pytest.approx(
            function(labels, scores, weights[codes]), abs=1e-12
        )


def obvious_marks(labels, group_sizes):
    """Marks of rows in groups, row by row."""
    marks = []
    for size in group_sizes:
        for place in range(size):
            mark = POSITIVE if labels[len(marks)] else 0
            if place == size - 1:
                mark += ENDS
                mark += ALONE if size == 1 else 0
                mark += LONG if size > LONG_GROUP else 0
            marks.append(mark)
    return np.array(marks, np.uint8)


GROUP_SIZES = [[1], [1, 1, 1], [2, 1, 3], [LONG_GROUP - 1, 1, LONG_GROUP, LONG_GROUP + 1, 2, 700]]


@pytest.mark.parametrize("sizes", GROUP_SIZES, ids=str)
def test_units_are_marked(sizes):
    n = sum(sizes)
    labels = np.random.default_rng(0).integers(0, 2, n).astype(np.uint8)
    ends = np.zeros(n, bool)
    ends[np.cumsum(sizes) - 1] = True
    np.testing.assert_array_equal(mark_units(labels, ends), obvious_marks(labels, sizes))


@pytest.mark.parametrize("sizes", GROUP_SIZES, ids=str)
def test_rows_are_marked_in_their_order(sizes):
    n = sum(sizes)
    generator = np.random.default_rng(1)
    labels = generator.integers(0, 2, n).astype(np.uint8)
    order = generator.permutation(n).astype(np.uint32)
    keys = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
    found = mark_rows(order, keys, labels)
    np.testing.assert_array_equal(found, obvious_marks(labels[order], sizes))


@pytest.mark.parametrize("merge_positives", [False, True])
def test_units_expand_to_rows(merge_positives):
    # (rows, label) of the units of each group
    groups = [
        [(1, 1)],
        [(3, 0)],
        [(4, 1)],
        [(2, 0), (3, 1)],
        [(200, 0), (57, 1)],
        [(200, 0), (56, 1)],
        [(1, 0)],
        [(2, 1), (1, 1)],
        [(300, 1)],
    ]
    labels = np.array([label for group in groups for _, label in group], np.uint8)
    rows = np.array([size for group in groups for size, _ in group], np.int64)
    ends = np.array([unit is group[-1] for group in groups for unit in group])
    expected = []
    for group in groups:
        row_labels = [label for size, label in group for _ in range(size)]
        told_apart = len(set(row_labels)) == 2 or (row_labels[0] == 1 and not merge_positives)
        sizes = [len(row_labels)] if told_apart else [1] * len(row_labels)
        expected.append(obvious_marks(row_labels, sizes))
    found = np.empty(rows.sum(), np.uint8)
    expand_units(labels, rows, ends, merge_positives, found)
    np.testing.assert_array_equal(found, np.concatenate(expected))


@pytest.mark.parametrize("n", [1, 100, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5])
def test_each_pool_stands_together_in_its_block(n):
    pools = np.random.default_rng(n).integers(0, 2, n).astype(np.uint8)
    pools[BLOCK : 2 * BLOCK] = 1  # a block of one pool
    slots, pool_rows = place_rows(pools)
    assert pool_rows.shape == (-(-n // BLOCK), 2)
    for block, start in enumerate(range(0, n, BLOCK)):
        own = pools[start : start + BLOCK]
        np.testing.assert_array_equal(pool_rows[block], np.bincount(own, minlength=2))
        # rows keep their order within a pool, and pools follow one another
        np.testing.assert_array_equal(
            np.argsort(slots[start : start + BLOCK]), np.argsort(own, kind="stable")
        )
