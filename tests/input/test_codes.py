"""Labels of all kinds to codes, and back."""

import numpy as np
import pytest

from fastmetrics.errors import LabelError
from fastmetrics.input.codes import count, counts_of, pairs_of, positions, true_labels
from fastmetrics.input.columns import read_columns
from tests import reference_classes

# names for K classes, by the way that they are encoded
WAYS = {
    "short range": lambda k: 3 * np.arange(k) - 5,
    "bytes": lambda k: np.arange(k, dtype=np.uint8),
    "signed bytes": lambda k: np.arange(-128, k - 128).astype(np.int8),
    "table": lambda k: 40 * np.arange(k) - 5000,
    "hash of integers": lambda k: 10**15 * np.arange(k) - 10**16,
    "hash of 32 bits": lambda k: (8_000_000 * np.arange(k) - 2**31).astype(np.int32),
    "extremes": lambda k: np.r_[np.iinfo(np.int64).min, np.arange(k - 2), np.iinfo(np.int64).max],
    "beyond int64": lambda k: np.arange(k).astype(np.uint64) + np.uint64(2**64 - 500),
    "whole floats": lambda k: np.arange(k) * 2.0**40,
    "text": lambda k: np.sort(np.array([f"name {i}" for i in range(k)])),
    "objects": lambda k: np.sort(np.array([f"name {i}" for i in range(k)])).astype(object),
}


def problem(way, size, n=900):
    names = WAYS[way](size)
    generator = np.random.default_rng([size, n])
    codes = generator.integers(0, size, (2, n))
    codes[0, :size] = np.arange(size)  # every class occurs
    return names, names[codes[0]], names[codes[1]]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [3, 37, 256])
@pytest.mark.parametrize("way", WAYS)
def test_counts_of_labels_of_any_kind(way, size, weighted):
    names, y_true, y_pred = problem(way, size)
    weights = np.arange(900) % 5 if weighted else None
    found = count(*read_columns(y_true, y_pred, weights))
    assert found.classes.tolist() == names.tolist()
    assert found.classes.dtype == (names.astype(str).dtype if way == "objects" else names.dtype)
    matrix = reference_classes.confusion(y_true.tolist(), y_pred.tolist(), weights)
    assert pairs_of(found).tolist() == matrix
    assert found.counts.tolist() == [list(c) for c in reference_classes.one_versus_rest(matrix)]


@pytest.mark.parametrize("way", ["table", "hash of integers", "text", "objects", "whole floats"])
def test_many_classes_need_no_matrix(way):
    names, y_true, y_pred = problem(way, 1500, 2000)
    found = count(*read_columns(y_true, y_pred, None))
    assert found.pairs is None
    assert found.classes.tolist() == names.tolist()
    assert found.counts[:, 0].sum() == (y_true == y_pred).sum()
    assert (found.counts.sum(axis=1) == 2000).all()
    few = pairs_of(found, np.array([names[3], names[1400], names[0]]))
    chosen = [names[3], names[1400], names[0]]
    assert few.tolist() == reference_classes.confusion(y_true, y_pred, None, chosen)
    everything = pairs_of(found)
    assert everything.shape == (1500, 1500)
    assert (everything.diagonal() == found.counts[:, 0]).all()
    assert (everything.sum(axis=1) == found.counts[:, 0] + found.counts[:, 2]).all()


@pytest.mark.parametrize("way", WAYS)
def test_one_row(way):
    names = WAYS[way](3)
    found = count(*read_columns(names[2:], names[:1], None))
    assert found.classes.tolist() == [names[0], names[2]]
    assert pairs_of(found).tolist() == [[0, 0], [1, 0]]


def test_a_row_of_weight_zero_is_a_row():
    y_true, y_pred = np.array([0, 5, 9, 9]), np.array([0, 5, 0, 9])
    found = count(*read_columns(y_true, y_pred, [1, 0, 0.5, 2]))
    assert found.classes.tolist() == [0, 5, 9]
    assert found.counts[1].tolist() == [0, 0, 0, 3.5]
    assert true_labels(found) == {0, 5, 9}
    wide = count(*read_columns(1000 * y_true, 1000 * y_pred, [1, 0, 0.5, 2]))
    assert wide.classes.tolist() == [0, 5000, 9000]
    assert wide.counts.tolist() == found.counts.tolist()


def test_labels_of_two_types_are_those_of_y_true_where_it_has_them():
    floats, integers = np.array([0.0, 1.0]), np.array([0, 1])
    assert count(*read_columns(integers, floats, None)).classes.dtype == np.int64
    assert count(*read_columns(floats, integers, None)).classes.dtype == np.float64
    assert count(*read_columns(integers[:1], floats[1:], None)).classes.dtype == np.float64
    bools = integers.astype(bool)
    assert count(*read_columns(bools, bools, None)).classes.tolist() == [False, True]
    assert count(*read_columns(bools, integers, None)).classes.dtype == np.bool_


def test_labels_that_are_asked_for():
    found = count(*read_columns([0, 1, 2, 2], [0, 2, 2, 1], None))
    assert positions(found.classes, np.array([2, 7, 0.0])).tolist() == [2, -1, 0]
    assert counts_of(found, np.array([7, 0])).tolist() == [[0, 0, 0, 4], [1, 0, 0, 3]]
    assert pairs_of(found, np.array([2, 7, 1])).tolist() == [[1, 0, 1], [0, 0, 0], [1, 0, 0]]
    with pytest.raises(LabelError, match="text and numbers are never equal"):
        positions(found.classes, np.array(["a"]))


def test_text_that_differs_at_the_end_only():
    names = np.array(["x" * 40 + end for end in "abc"])
    found = count(*read_columns(names, np.array(["x" * 40, "x", ""]), None))
    assert found.classes.tolist() == sorted([*names.tolist(), "x" * 40, "x", ""])
