"""Codes and counts of labels against loops over the rows."""

import numpy as np
import pytest

from fastmetrics.kernels import confusion as kernels
from tests import reference_classes

UNIT = np.ones(1, np.int64)
INTEGERS = ["b", "B", "h", "H", "i", "I", "l"]


def columns(n, size, low, dtype, seed=0):
    generator = np.random.default_rng([seed, n, size])
    y_true, y_pred = generator.integers(low, low + size, (2, n))
    return y_true.astype(dtype), y_pred.astype(dtype)


def all_weights(n):
    generator = np.random.default_rng(n)
    return {
        "none": UNIT,
        "integers": generator.integers(0, 4, n),
        "fractions": generator.integers(0, 99, n) / 16,
    }


def repeated(weights, n):
    return np.broadcast_to(weights, n).tolist()


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("n", [1, 2, 77])
def test_span_is_lowest_and_highest(n, dtype):
    info = np.iinfo(dtype)
    y_true, y_pred = columns(n, 9, 3, dtype)
    assert kernels.span(y_true, y_pred) == (min(*y_true, *y_pred), max(*y_true, *y_pred))
    y_true[0], y_pred[-1] = info.min, info.max
    assert kernels.span(y_true, y_pred) == (info.min, info.max)
    assert kernels.span(y_pred, y_true) == (info.min, info.max)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_codes_by_a_table(dtype):
    low = 0 if np.dtype(dtype).kind == "u" else np.iinfo(dtype).min
    values = (low + np.array([0, 200, 7, 200])).astype(dtype) if dtype != "b" else None
    if values is None:
        values = np.array([-128, 127, -121, 127], "b")
    present = np.zeros(256, bool)
    kernels.mark_present(values, int(low), present)
    assert np.flatnonzero(present).tolist() == sorted({int(v) - int(low) for v in values})
    table = np.arange(256)[::-1].astype(np.uint16)
    codes = np.empty(4, np.uint16)
    kernels.recode(values, int(low), table, codes)
    assert codes.tolist() == [255 - (int(v) - int(low)) for v in values]


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("distinct", [1, 7, 60])
def test_rows_are_numbered_as_they_appear(distinct, width):
    generator = np.random.default_rng(distinct)
    pool = generator.integers(0, 2**32, (distinct, width), dtype=np.uint32)
    rows = generator.integers(0, distinct, 300)
    known = np.empty((distinct, width), np.uint32)
    slots = np.full(128, -1, np.int32)
    codes = np.empty(rows.size, np.uint32)
    first = kernels.encode_rows(pool[rows[:100]], known, slots, 0, codes[:100])
    filled = kernels.encode_rows(pool[rows[100:]], known, slots, first, codes[100:])
    order = list(dict.fromkeys(rows.tolist()))
    assert filled == len(order)
    assert codes.tolist() == [order.index(row) for row in rows]
    assert (known[:filled] == pool[order]).all()


def test_rows_that_differ_in_one_bit_are_told_apart():
    words = np.zeros((65, 2), np.uint32)
    words[1:33, 0] = 1 << np.arange(32, dtype=np.uint32)
    words[33:, 1] = 1 << np.arange(32, dtype=np.uint32)
    known, slots = np.empty((65, 2), np.uint32), np.full(128, -1, np.int32)
    codes = np.empty(65, np.uint32)
    assert kernels.encode_rows(words, known, slots, 0, codes) == 65
    assert codes.tolist() == list(range(65))


def test_more_rows_than_there_is_room_for():
    words = np.arange(5, dtype=np.uint32)[:, None]
    known, slots = np.empty((4, 1), np.uint32), np.full(16, -1, np.int32)
    assert kernels.encode_rows(words, known, slots, 0, np.empty(5, np.uint32)) == -1


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("distinct", [1, 2, 3, 9, 200])
def test_two_columns_of_rows_get_ascending_numbers(distinct, width):
    generator = np.random.default_rng(distinct)
    pool = np.unique(generator.integers(0, 3, (9 * distinct, width), dtype=np.uint32), axis=0)
    pool = generator.permutation(pool)[:distinct] if width > 1 else pool[:distinct]
    if width == 1:
        pool = generator.permutation(2**32 - 1 - 7 * np.arange(distinct, dtype=np.uint32))[:, None]
    columns = [pool[generator.integers(0, len(pool), 300)] for _ in range(2)]
    known, codes = np.empty((300, width), np.uint32), np.empty((2, 300), np.uint32)
    filled = kernels.encode_columns(*columns, known, codes)
    expected = sorted({tuple(row) for rows in columns for row in rows.tolist()})
    assert known[:filled].tolist() == [list(row) for row in expected]
    for rows, numbers in zip(columns, codes):
        assert [expected[number] for number in numbers] == [tuple(row) for row in rows.tolist()]


@pytest.mark.parametrize("room", [2, 4])
def test_two_columns_with_more_rows_than_there_is_room_for(room):
    first, second = (
        np.arange(3, dtype=np.uint32)[:, None],
        np.arange(3, 6, dtype=np.uint32)[:, None],
    )
    known, codes = np.empty((room, 1), np.uint32), np.empty((2, 3), np.uint32)
    assert kernels.encode_columns(first, second, known, codes) == -1


@pytest.mark.parametrize("kind", ["none", "integers", "fractions"])
@pytest.mark.parametrize("dtype", ["B", "l"])
@pytest.mark.parametrize("n", [1, 50])
def test_rows_that_agree(n, dtype, kind):
    y_true, y_pred = columns(n, 3, 0, dtype)
    weights = all_weights(n)[kind]
    rows = repeated(weights, n)
    equal, total = kernels.count_equal(y_true, y_pred, weights)
    assert equal == sum(w for a, b, w in zip(y_true, y_pred, rows) if a == b)
    assert total == sum(rows)
    assert isinstance(equal, int | float | np.number)
    assert kernels.count_equal(y_true, y_true, weights) == (total, total)


@pytest.mark.parametrize("kind", ["none", "integers", "fractions"])
@pytest.mark.parametrize(("size", "low"), [(1, 5), (2, -1), (5, -128), (40, 60)])
@pytest.mark.parametrize("dtype", ["b", "l"])
def test_pairs_are_counted(dtype, size, low, kind):
    y_true, y_pred = columns(80, size, low, dtype)
    weights = all_weights(80)[kind]
    counts = np.zeros((size, size), weights.dtype)
    kernels.count_pairs(y_true, y_pred, low, weights, counts)
    labels = range(low, low + size)
    expected = reference_classes.confusion(y_true, y_pred, repeated(weights, 80), labels)
    assert counts.tolist() == expected
    if size == 2:
        twice = np.zeros((2, 2), weights.dtype)
        kernels.count_two(y_true, y_pred, low + 1, weights, twice)
        assert twice.tolist() == expected


@pytest.mark.parametrize("kind", ["none", "integers", "fractions"])
@pytest.mark.parametrize("dtype", [np.uint16, np.uint32])
def test_classes_are_counted_without_a_matrix(dtype, kind):
    y_true, y_pred = columns(200, 30, 0, dtype)
    weights = all_weights(200)[kind]
    counts = np.zeros((30, 4), weights.dtype)
    assert kernels.count_classes(y_true, y_pred, weights, counts)
    pairs = reference_classes.confusion(y_true, y_pred, repeated(weights, 200), range(30))
    expected = np.array(reference_classes.one_versus_rest(pairs))
    assert (counts == expected).all()


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("size", [1, 2, 3, 17])
def test_each_class_against_the_rest(size, dtype):
    pairs = np.random.default_rng(size).integers(1, 9, (3, size, size)).astype(dtype)
    expected = [reference_classes.one_versus_rest(matrix.tolist()) for matrix in pairs]
    counts = np.zeros((3, size, 4), dtype)
    kernels.one_versus_rest_of_each(pairs, counts)
    assert (counts == np.array(expected)).all()
    single = np.zeros((size, 4), dtype)
    assert kernels.one_versus_rest(pairs[0], single)
    assert (single == expected[0]).all()


def test_a_class_that_does_not_occur_is_noticed():
    pairs = np.array([[3, 0, 1], [0, 0, 0], [2, 0, 4]])
    counts = np.zeros((3, 4), np.int64)
    assert not kernels.one_versus_rest(pairs, counts)
    assert counts.tolist() == [[3, 2, 1, 4], [0, 0, 0, 10], [4, 1, 2, 3]]


@pytest.mark.parametrize("size", [2, 3, 40])
def test_negatives_that_are_not_there_are_exactly_none(size):
    generator = np.random.default_rng(size)
    weights = generator.random(200)
    others, constant = generator.integers(0, size, 200), np.full(200, size - 1)
    for y_true, y_pred in ((others, constant), (constant, others)):
        pairs = np.zeros((size, size))
        kernels.count_pairs(y_true, y_pred, 0, weights, pairs)
        from_pairs, from_rows = np.zeros((2, size, 4))
        assert kernels.one_versus_rest(pairs, from_pairs)
        codes = y_true.astype(np.uint16), y_pred.astype(np.uint16)
        assert kernels.count_classes(*codes, weights, from_rows)
        assert from_pairs[-1, 3] == from_rows[-1, 3] == 0.0
        np.testing.assert_allclose(from_pairs, from_rows, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("kind", ["none", "integers", "fractions"])
@pytest.mark.parametrize(("n", "labels"), [(1, 2), (7, 1), (60, 5)])
def test_flags_are_counted_by_label_and_by_row(n, labels, kind):
    generator = np.random.default_rng([n, labels])
    y_true, y_pred = generator.integers(0, 2, (2, n, labels)).astype(bool)
    weights = all_weights(n)[kind]
    of_labels = np.zeros((labels, 4), weights.dtype)
    of_rows = np.zeros((n, 4), weights.dtype)
    kernels.count_flags(y_true, y_pred, weights, False, of_labels)
    kernels.count_flags(y_true, y_pred, weights, True, of_rows)
    cells = [(True, True), (False, True), (True, False), (False, False)]  # tp, fp, fn, tn
    rows = repeated(weights, n)
    for by_label, counts in ((True, of_labels), (False, of_rows)):
        expected = np.zeros_like(counts)
        for i in range(n):
            for j in range(labels):
                cell = cells.index((bool(y_true[i, j]), bool(y_pred[i, j])))
                expected[j if by_label else i, cell] += rows[i]
        assert (counts == expected).all()
    differences = np.empty(n, np.int64)
    kernels.count_differences(y_true, y_pred, differences)
    assert differences.tolist() == (y_true != y_pred).sum(axis=1).tolist()
