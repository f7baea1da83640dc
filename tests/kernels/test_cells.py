"""Cells of equal scores against NumPy's unique, and the doubled pairs against all pairs."""

import numpy as np
import pytest

from fastmetrics.engine.sweeps.units import sort_columns
from fastmetrics.kernels import cells
from fastmetrics.kernels.cells import (
    FINE,
    NOT_FINITE,
    OTHER_LABELS,
    count_gaps,
    merge_classes,
    merge_columns,
    weigh_cells,
)
from fastmetrics.kernels.sorting import keys_of
from tests import reference

BITS = {np.float64: np.uint64, np.float32: np.uint32}
DTYPES = pytest.mark.parametrize(
    ("label_dtype", "dtype"),
    [(np.uint8, np.float64), (np.int64, np.float64), (np.uint8, np.float32)],
)


def auc_counts(labels, bits):
    """The same with and without space."""
    found = cells.auc_counts(labels, bits, np.empty(0, bits.dtype))
    assert cells.auc_counts(labels, bits, np.empty(2 * bits.size + 2, bits.dtype)) == found
    return found


def count_cells(labels, bits):
    """The same with and without space."""
    found = cells.count_cells(labels, bits, np.empty(0, bits.dtype))
    again = cells.count_cells(labels, bits, np.empty(2 * bits.size + 2, bits.dtype))
    for one, other in zip(found, again, strict=True):
        np.testing.assert_array_equal(one, other)
    return found


def problem(n, digits, share, label_dtype=np.uint8, dtype=np.float64, seed=0):
    generator = np.random.default_rng([seed, n, digits])
    labels = (generator.random(n) < share).astype(label_dtype)
    return labels, (generator.normal(size=n) + labels).round(digits).astype(dtype)


def bits_of(scores):
    return scores.view(BITS[scores.dtype.type])


@DTYPES
@pytest.mark.parametrize("digits", [0, 1, 12])
@pytest.mark.parametrize(("n", "share"), [(7, 0.5), (130, 0.5), (160, 0.1), (160, 0.9)])
def test_doubled_pairs_are_those_of_all_pairs(label_dtype, dtype, digits, n, share):
    labels, scores = problem(n, digits, share, label_dtype, dtype)
    doubled, p, q, status = auc_counts(labels, bits_of(scores))
    assert (p, q, status) == (labels.sum(), n - labels.sum(), FINE)
    assert doubled == round(2 * p * q * reference.auc(labels, scores))


def test_doubled_pairs_do_not_overflow_32_bits():
    n = 200_000
    labels = np.repeat(np.array([1, 0], np.uint8), n // 2)
    scores = -np.arange(n, dtype=np.float64)
    assert auc_counts(labels, bits_of(scores))[0] == 2 * (n // 2) ** 2
    assert auc_counts(labels, bits_of(-scores))[0] == 0
    assert auc_counts(labels, bits_of(0 * scores))[0] == (n // 2) ** 2


@pytest.mark.parametrize("labels", [[], [1], [0], [1] * 100, [0] * 100])
def test_one_class_has_no_pairs(labels):
    labels = np.array(labels, np.uint8)
    scores = np.linspace(0, 1, labels.size)
    doubled, p, q, status = auc_counts(labels, bits_of(scores))
    assert (doubled, p, q, status) == (0, labels.sum(), (labels == 0).sum(), FINE)
    found = count_cells(labels, bits_of(scores))
    assert [part.sum() for part in found[1:3]] == [p, q]


@pytest.mark.parametrize("other", [2, -1])
def test_other_labels_are_seen(other):
    labels = np.array([0, 1, other, 1])
    scores = np.array([0.1, 0.2, 0.3, 0.4])
    assert auc_counts(labels, bits_of(scores))[3] == OTHER_LABELS
    assert count_cells(labels, bits_of(scores))[3] == OTHER_LABELS


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 3, 99])
def test_scores_that_are_not_finite_are_seen(bad, row):
    labels, scores = problem(100, 1, 0.4)
    scores[row] = bad
    assert auc_counts(labels, bits_of(scores))[3] == NOT_FINITE
    assert count_cells(labels, bits_of(scores))[3] == NOT_FINITE
    assert weigh_cells(labels, bits_of(scores), np.ones(100))[3] == NOT_FINITE


@DTYPES
@pytest.mark.parametrize("digits", [0, 1, 12])
@pytest.mark.parametrize(("n", "share"), [(1, 0.5), (50, 0.5), (3000, 0.05), (3000, 0.8)])
def test_cells_are_the_distinct_scores_with_their_classes(label_dtype, dtype, digits, n, share):
    labels, scores = problem(n, digits, share, label_dtype, dtype)
    bits, positives, negatives, status = count_cells(labels, bits_of(scores))
    distinct = np.unique(scores + dtype(0))[::-1]  # one zero
    assert status == FINE
    np.testing.assert_array_equal(bits.view(dtype), distinct)
    np.testing.assert_array_equal(
        positives, [((scores == s) & (labels == 1)).sum() for s in distinct]
    )
    np.testing.assert_array_equal(
        negatives, [((scores == s) & (labels == 0)).sum() for s in distinct]
    )


def test_zeros_of_both_signs_are_one_cell():
    bits, positives, negatives, _ = count_cells(
        np.array([1, 0, 1], np.uint8), bits_of(np.array([-0.0, 0.0, 1.0]))
    )
    assert bits.view(np.float64).tolist() == [1.0, 0.0]
    assert not np.signbit(bits.view(np.float64)[1])
    assert (positives.tolist(), negatives.tolist()) == ([1, 1], [0, 1])


@pytest.mark.parametrize("digits", [0, 12])
def test_weighed_cells_are_sums_of_weights(digits):
    labels, scores = problem(500, digits, 0.4)
    weights = np.random.default_rng(1).integers(0, 9, 500) / 4
    bits, positives, negatives, status = weigh_cells(labels, bits_of(scores), weights)
    distinct = bits.view(np.float64)
    assert status == FINE
    np.testing.assert_array_equal(distinct, np.unique(scores + 0.0)[::-1])
    for label, found in ((1, positives), (0, negatives)):
        expected = [weights[(scores == s) & (labels == label)].sum() for s in distinct]
        np.testing.assert_array_equal(found, expected)


def test_sorted_classes_merge():
    positive_keys = np.array([1, 1, 5, 9], np.uint64)
    negative_keys = np.array([0, 5, 5, 5, 7], np.uint64)
    keys = np.empty(9, np.uint64)
    positives, negatives = np.empty(9, np.int64), np.empty(9, np.int64)
    size = merge_classes(positive_keys, negative_keys, keys, positives, negatives)
    assert keys[:size].tolist() == [0, 1, 5, 7, 9]
    assert positives[:size].tolist() == [0, 2, 1, 0, 1]
    assert negatives[:size].tolist() == [1, 0, 3, 1, 0]


COLUMNS = [([0, 1], 2), ([0, 0, 0, 1], 2), ([0, 1, 2, 3, 4, 5], 6)]


def columned(n, digits, choices, dtype, seed=0):
    """Scores and the columns of their rows."""
    generator = np.random.default_rng([seed, n, digits])
    scores = generator.normal(size=n).round(digits).astype(dtype)
    return scores, generator.choice(np.array(choices, np.uint8), n)


def keys_of_scores(scores):
    bits = bits_of(scores)
    keys = np.empty_like(bits)
    keys_of(bits, keys)
    return keys


@pytest.mark.parametrize("dtype", list(BITS))
@pytest.mark.parametrize(("choices", "n_columns"), COLUMNS, ids=str)
@pytest.mark.parametrize("n", [1, 30, 1000, 10_000])  # by NumPy, and by the radix sort
def test_columns_are_sorted_apart(n, choices, n_columns, dtype):
    scores, columns = columned(n, 1, choices, dtype)
    keys, starts = sort_columns(bits_of(scores), columns, n_columns)
    assert starts.tolist() == [(columns < column).sum() for column in range(n_columns + 1)]
    for column in range(n_columns):
        expected = np.sort(keys_of_scores(scores[columns == column]))
        np.testing.assert_array_equal(keys[starts[column] : starts[column + 1]], expected)


@pytest.mark.parametrize("dtype", list(BITS))
@pytest.mark.parametrize(("choices", "n_columns"), COLUMNS, ids=str)
@pytest.mark.parametrize("digits", [0, 1, 12])
def test_columns_merge_to_the_distinct_scores(digits, choices, n_columns, dtype):
    scores, columns = columned(300, digits, choices, dtype)
    distinct = np.unique(scores + dtype(0))[::-1]
    thresholds = np.array([99, distinct[0], distinct[3], 0.05, distinct[-1], -99], dtype)
    thresholds = np.sort(thresholds)[::-1].copy()
    keys, starts = sort_columns(bits_of(scores), columns, n_columns)
    cuts = np.empty(thresholds.size, np.int64)
    counts = np.empty((keys.size, n_columns), np.uint32)
    size = merge_columns(keys, starts, keys_of_scores(thresholds), cuts, counts)
    expected = [
        [((scores == s) & (columns == column)).sum() for column in range(n_columns)]
        for s in distinct
    ]
    np.testing.assert_array_equal(counts[:size], expected)
    assert cuts.tolist() == [(distinct >= threshold).sum() for threshold in thresholds]


def separator_sets(scores):
    generator = np.random.default_rng(3)
    rest = generator.normal(size=7).astype(scores.dtype)
    yield scores[:1]
    yield np.array([0.0, 1.5, -99.0], scores.dtype)
    yield np.concatenate([scores[:20], rest, np.array([99, -99], scores.dtype)])
    # crowded: many separators share their leading bits
    near = np.nextafter(np.full(50, 1.0, scores.dtype), scores.dtype.type(2))
    yield np.concatenate([1 + np.arange(300, dtype=scores.dtype) / 4096, near])
    yield scores


@pytest.mark.parametrize("dtype", list(BITS))
@pytest.mark.parametrize("digits", [1, 12])
@pytest.mark.parametrize("choice", range(5))
def test_rows_are_counted_at_and_between_separators(choice, digits, dtype):
    scores, columns = columned(2000, digits, [0, 1, 1, 2], dtype)
    scores[-500:] = 1 + np.abs(scores[-500:]) / 16
    scores[:3] = [0.0, -0.0, 1.0]
    separators = list(separator_sets(scores))[choice]
    keys = np.unique(keys_of_scores(separators))
    counts = np.zeros((2 * keys.size + 1, 3), np.uint32)
    count_gaps(bits_of(scores), columns, keys, counts)
    row_keys = keys_of_scores(scores)
    place = np.searchsorted(keys, row_keys)
    at = np.append(keys, 0)[place] == row_keys
    at &= place < keys.size
    expected = np.zeros_like(counts)
    np.add.at(expected, (2 * place + at, columns), 1)
    np.testing.assert_array_equal(counts, expected)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_totals_run_down_the_cells(dtype):
    positives, negatives = np.array([1, 0, 2], dtype), np.array([0, 3, 1], dtype)
    tp, fp = np.empty((2, 3))
    cells.add_down(positives, negatives, tp, fp)
    assert tp.tolist() == [1, 1, 3]
    assert fp.tolist() == [0, 3, 4]


def test_other_labels_are_noticed_with_weights():
    bits = np.array([0.5, 0.25]).view(np.uint64)
    assert weigh_cells(np.array([0, 1]), bits, np.ones(2))[3] == FINE
    assert weigh_cells(np.array([0, 2]), bits, np.ones(2))[3] == OTHER_LABELS
