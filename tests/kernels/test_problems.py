"""AUC and AP of many problems at once against each problem alone."""

import numpy as np
import pytest

from fastmetrics.kernels.problems import rank_problems
from tests import reference

NONE = np.empty(0)


def problems(dtype=np.float64):
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 2, (6, 90)).astype(np.uint8)
    labels[0] = [1] + 89 * [0]
    labels[1] = [0] + 89 * [1]
    scores = (generator.normal(size=(6, 90)) * [[1], [1], [2], [2], [9], [9]]).round(0)
    weights = generator.integers(0, 9, (6, 90)) / 4
    return labels, scores.astype(dtype), weights


def bits_of(scores):
    return scores.view(np.uint64 if scores.dtype == np.float64 else np.uint32)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shared_labels", [False, True])
@pytest.mark.parametrize("weighting", ["none", "shared", "own"])
def test_each_problem_gets_its_own_value(dtype, shared_labels, weighting):
    labels, scores, weights = problems(dtype)
    labels = labels[3:4] if shared_labels else labels
    weights = {"none": weights[:0], "shared": weights[:1], "own": weights}[weighting]
    areas, precisions = np.empty(6), np.empty(6)
    assert rank_problems(bits_of(scores), labels, weights, areas, precisions) == -1
    for k in range(6):
        weight = weights[k % len(weights)] if len(weights) else None
        data = labels[k % len(labels)], scores[k], weight
        assert areas[k] == pytest.approx(reference.auc(*data), abs=1e-13)
        assert precisions[k] == pytest.approx(reference.average_precision(*data), abs=1e-13)


def test_either_value_may_be_left_out():
    labels, scores, weights = problems()
    both, areas, precisions = np.empty((2, 6)), np.empty(6), np.empty(6)
    rank_problems(bits_of(scores), labels, weights, *both)
    rank_problems(bits_of(scores), labels, weights, areas, NONE)
    rank_problems(bits_of(scores), labels, weights, NONE, precisions)
    np.testing.assert_array_equal(areas, both[0])
    np.testing.assert_array_equal(precisions, both[1])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_first_problem_that_is_not_finite_is_named(bad):
    labels, scores, weights = problems()
    scores[4, 7] = scores[2, 89] = bad
    assert rank_problems(bits_of(scores), labels, weights, np.empty(6), NONE) == 2


def test_one_class_is_nan():
    labels = np.array([[1, 1, 1], [0, 0, 0], [0, 1, 0]], np.uint8)
    scores = np.array([[1.0, 2, 3]] * 3)
    areas, precisions = np.empty(3), np.empty(3)
    rank_problems(bits_of(scores), labels, np.empty((0, 3)), areas, precisions)
    np.testing.assert_array_equal(areas, [np.nan, np.nan, 0.5])
    np.testing.assert_array_equal(precisions, [1.0, np.nan, 0.5])


def test_perfect_problems_never_exceed_one():
    generator = np.random.default_rng(1)
    labels = generator.integers(0, 2, (200, 30)).astype(np.uint8)
    weights = generator.random((200, 30))
    areas, precisions = np.empty(200), np.empty(200)
    rank_problems(bits_of(labels.astype(np.float64)), labels, weights, areas, precisions)
    np.testing.assert_allclose(areas, 1.0, rtol=1e-15)
    assert areas.max() <= 1.0
    assert precisions.max() <= 1.0
