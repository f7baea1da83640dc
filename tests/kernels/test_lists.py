"""Kernels over lists against loops over orders and pairs, compiled and as plain Python."""

import numpy as np
import pytest

from fastmetrics.kernels import lists
from tests import reference_lists as reference

FLOATS = pytest.mark.parametrize("dtype", [np.float64, np.float32])
COMPILED = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])


def version(kernel, compiled):
    """A kernel, or the Python it is made of."""
    return kernel if compiled else getattr(kernel, "py_func", kernel)


def rows(n=30, k=6, dtype=np.float64, digits=0):
    """Scores with ties, gains, and relevant labels with rows of none and all among them."""
    generator = np.random.default_rng(0)
    scores = generator.normal(size=(n, k)).round(digits).astype(dtype)
    relevant = generator.integers(0, 2, (n, k)).astype(np.uint8)
    relevant[0], relevant[1] = 0, 1
    scores[2] = 1.0
    scores[3, :2] = 0.0, -0.0
    return scores, generator.normal(size=(n, k)), relevant


def bits_of(scores):
    return scores.view(np.uint64 if scores.dtype == np.float64 else np.uint32)


@FLOATS
@COMPILED
@pytest.mark.parametrize("places", [1, 3, 6])
def test_gains_are_the_mean_over_all_orders_of_the_ties(dtype, compiled, places):
    scores, gains, _ = rows(dtype=dtype)
    discount, totals = 1 / np.log2(np.arange(places) + 2), np.empty(len(scores))
    kernel = version(lists.discount_gains, compiled)
    kernel(bits_of(scores), gains, discount, places, True, totals)
    expected = [reference.dcg(*row, k=places) for row in zip(gains, scores.tolist())]
    np.testing.assert_allclose(totals, expected, rtol=1e-13, atol=1e-13)


@FLOATS
@COMPILED
def test_ties_take_their_places_from_the_right(dtype, compiled):
    scores, gains, _ = rows(dtype=dtype)
    discount, totals = 1 / np.log2(np.arange(6) + 2), np.empty(len(scores))
    kernel = version(lists.discount_gains, compiled)
    kernel(bits_of(scores), gains, discount, 6, False, totals)
    # a stable sort read backwards
    order = np.argsort(scores, axis=1, kind="stable")[:, ::-1]
    expected = np.take_along_axis(gains, order, axis=1) @ discount
    np.testing.assert_allclose(totals, expected, rtol=1e-13)


@FLOATS
@COMPILED
def test_labels(dtype, compiled):
    scores, _, relevant = rows(dtype=dtype)
    precisions, losses = np.empty((2, len(scores)))
    version(lists.rank_labels, compiled)(bits_of(scores), relevant, precisions, losses)
    depths = np.empty(len(scores), np.int64)
    version(lists.cover_labels, compiled)(scores, relevant, depths)
    for row, (wanted, score) in enumerate(zip(relevant, scores)):
        assert precisions[row] == pytest.approx(reference.label_precision(wanted, score), 1e-14)
        assert losses[row] == pytest.approx(reference.label_loss(wanted, score), 1e-14)
        assert depths[row] == reference.depth(wanted, score)


@FLOATS
@COMPILED
def test_places(dtype, compiled):
    scores, _, _ = rows(dtype=dtype)
    codes = np.arange(len(scores)) % 6
    places = np.empty(len(scores), np.int64)
    version(lists.place_classes, compiled)(scores, codes, places)
    assert places.tolist() == [reference.place(s, c) for s, c in zip(scores.tolist(), codes)]


@FLOATS
@COMPILED
@pytest.mark.parametrize("dtype_of_labels", [np.int64, np.uint8])
def test_sums_of_depths(dtype, compiled, dtype_of_labels):
    scores, _, relevant = rows(dtype=dtype)
    relevant = relevant.astype(dtype_of_labels)
    kernel = version(lists.sum_depths, compiled)
    depths = [reference.depth(*row) for row in zip(relevant, scores)]
    for weights in (np.ones(1), np.arange(len(scores)) / 4):
        expected = sum(d * w for d, w in zip(depths, np.broadcast_to(weights, len(scores))))
        assert kernel(scores, relevant, weights) == (expected, True)
    for bad in (np.nan, np.inf, -np.inf):
        spoiled = scores.copy()
        spoiled[-1, -1] = bad
        with np.errstate(invalid="ignore"):
            assert not kernel(spoiled, relevant, np.ones(1))[1]
    relevant[5, 2] = 2
    assert not kernel(scores, relevant, np.ones(1))[1]


@FLOATS
@COMPILED
def test_sums_of_hits(dtype, compiled):
    scores, _, _ = rows(dtype=dtype)
    codes = np.arange(len(scores)) % 6
    kernel = version(lists.sum_hits, compiled)
    places = [reference.place(s, c) for s, c in zip(scores.tolist(), codes)]
    for k in (1, 3, 6, 9):
        for weights in (np.ones(1), np.arange(len(scores)) / 4):
            spelled_out = np.broadcast_to(weights, len(scores))
            expected = sum(w for place, w in zip(places, spelled_out) if place < k)
            assert kernel(scores, codes, k, weights) == (expected, True)
    for bad in (np.nan, np.inf, -np.inf):
        spoiled = scores.copy()
        spoiled[-1, -1] = bad
        with np.errstate(invalid="ignore"):
            assert not kernel(spoiled, codes, 2, np.ones(1))[1]
    for strange in (-1, 6):
        assert not kernel(scores, np.append(codes[:-1], strange), 2, np.ones(1))[1]
    assert not kernel(scores, codes % 5, 2, np.ones(1))[1]  # a class does not occur


@COMPILED
def test_lists_longer_than_a_byte_counts(compiled):
    # both sides of the length from which on the sort is by bytes, and sums beyond 255
    scores, gains, relevant = rows(n=4, k=700, digits=2)
    relevant[2] = 1
    relevant[2, 0] = 0
    precisions, losses, totals = np.empty((3, 4))
    version(lists.rank_labels, compiled)(bits_of(scores), relevant, precisions, losses)
    for row in range(4):
        loss = reference.label_loss(relevant[row], scores[row].tolist())
        assert losses[row] == pytest.approx(loss, 1e-13)
        precision = reference.label_precision(relevant[row], scores[row].tolist())
        assert precisions[row] == pytest.approx(precision, 1e-13)
    discount = 1 / np.log2(np.arange(700) + 2)
    version(lists.discount_gains, compiled)(bits_of(scores), gains, discount, 700, False, totals)
    order = np.argsort(scores, axis=1, kind="stable")[:, ::-1]
    np.testing.assert_allclose(totals, np.take_along_axis(gains, order, axis=1) @ discount)


def test_inputs_are_left_alone():
    scores, gains, relevant = rows()
    before = scores.copy(), gains.copy(), relevant.copy()
    out = np.empty((2, len(scores)))
    lists.discount_gains(bits_of(scores), gains, np.ones(6), 6, True, out[0])
    lists.rank_labels(bits_of(scores), relevant, *out)
    for after, old in zip((scores, gains, relevant), before):
        np.testing.assert_array_equal(after, old)
