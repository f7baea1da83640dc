"""Squared errors and the probability of what happened, against a loop over the rows.

Also what is found out before: whether rows are probabilities, and which of two texts they hold.
"""

import math

import numpy as np
import pytest

from fastmetrics.kernels.forecasts import (
    add_class_weights,
    check_probabilities,
    class_squared_errors,
    column_probabilities,
    outcome_probabilities,
    squared_errors,
    tell_texts,
)

ONE = np.ones(1)


def problem(n, dtype=np.int64):
    generator = np.random.default_rng(n)
    return generator.integers(0, 2, n).astype(dtype), generator.random(n), generator.random(n)


@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
@pytest.mark.parametrize("n", [1, 2, 1000])
def test_squared_errors(n, dtype):
    outcomes, p, weights = problem(n, dtype)
    for row_weights in (ONE, weights):
        rows = zip(outcomes.tolist(), p.tolist(), np.broadcast_to(row_weights, n).tolist())
        expected = math.fsum(w * (q - y) ** 2 for y, q, w in rows)
        squares, fine = squared_errors(outcomes, p, row_weights)
        assert fine
        assert squares == pytest.approx(expected, rel=1e-13)


def test_one_probability_stands_for_all():
    outcomes, _, weights = problem(50)
    rate = np.array([0.3])
    assert squared_errors(outcomes, rate, weights) == squared_errors(
        outcomes, np.full(50, 0.3), weights
    )
    told, all_told = np.empty(50), np.empty(50)
    outcome_probabilities(outcomes, rate, 1e-9, told)
    outcome_probabilities(outcomes, np.full(50, 0.3), 1e-9, all_told)
    assert told.tolist() == all_told.tolist()


@pytest.mark.parametrize("dtype", [np.int64, np.uint8])
def test_the_probability_of_what_happened(dtype):
    outcomes = np.array([0, 1, 0, 1, 0, 1], dtype)
    p = np.array([0.0, 0.0, 1.0, 1.0, 0.25, 0.25])
    told = np.empty(6)
    assert outcome_probabilities(outcomes, p, 0.01, told) == (3, True)
    assert told.tolist() == [0.99, 0.01, 0.01, 0.99, 0.75, 0.25]


@pytest.mark.parametrize("bad", [-1e-300, 1 + 2**-52, np.nan, np.inf])
def test_other_numbers_are_noticed(bad):
    p = np.array([0.5, bad])
    assert not squared_errors(np.array([0, 1]), p, ONE)[1]
    assert not outcome_probabilities(np.array([0, 1]), p, 0.01, np.empty(2))[1]


@pytest.mark.parametrize("bad", [2, -1])
def test_other_outcomes_are_noticed(bad):
    outcomes, p = np.array([0, bad]), np.array([0.5, 0.5])
    assert not squared_errors(outcomes, p, ONE)[1]
    assert not outcome_probabilities(outcomes, p, 0.01, np.empty(2))[1]


@pytest.mark.parametrize("n", [1, 5, 300])
def test_squared_errors_of_classes(n):
    generator = np.random.default_rng(0)
    outcomes, p, weights = (
        generator.integers(0, 4, n),
        generator.random((n, 4)),
        generator.random(n),
    )
    for told in (p, p[:1]):
        for row_weights in (ONE, weights):
            errors = np.broadcast_to(told, (n, 4)) - np.eye(4)[outcomes]
            expected = math.fsum((np.square(errors).sum(axis=1) * row_weights).tolist())
            found = class_squared_errors(outcomes, told, row_weights)
            assert found == pytest.approx(expected, rel=1e-14)


def test_the_probability_of_the_column_that_came_true():
    p = np.array([[0.0, 1.0], [0.25, 0.75], [1.0, 0.0], [0.0, 1.0]])
    told = np.empty(4)
    column_probabilities(np.array([0, 1, 0, 1]), p, 0.01, told)
    assert told.tolist() == [0.01, 0.75, 0.99, 0.99]


@pytest.mark.parametrize("n", [1, 300])
def test_weights_of_classes(n):
    generator = np.random.default_rng(n)
    outcomes, weights = generator.integers(0, 4, n), generator.random(n)
    for row_weights in (ONE, weights):
        classes = np.ones(5)
        add_class_weights(outcomes, row_weights, classes)
        expected = np.bincount(outcomes, np.broadcast_to(row_weights, n), minlength=5) + 1
        assert classes.tolist() == expected.tolist()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("bad", [0.3, 0.0, -0.0, 1.0, -1e-30, 1.5, np.nan, np.inf, -np.inf])
def test_entries_that_are_no_probabilities_are_noticed(bad, width, dtype):
    for place in range(4 * width):
        entries = np.full(4 * width, 1 / width, dtype)
        entries[place] = bad
        inside, _ = check_probabilities(entries, width, 0.1)
        assert inside == (0 <= bad <= 1)


@pytest.mark.parametrize("width", [2, 5])
@pytest.mark.parametrize("excess", [0.0, 0.009, -0.009, 0.011, -0.011])
def test_rows_that_do_not_sum_to_one_are_noticed(excess, width):
    for row in range(3):
        entries = np.full((3, width), 1 / width)
        entries[row, 1] += excess
        assert check_probabilities(entries.ravel(), width, 0.01) == (True, abs(excess) < 0.01)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("texts", "other"),
    [
        (["b"], 0),
        (["b", "b", "b"], 0),
        (["b", "b", "a"], 2),
        (["word", "wore", "word", "wore"], 1),
        (["", "a", "a"], 1),
        (["a", "b", "c"], 3),
        (["ab", "ab", "ac", "ab", "bc", "ab"], 6),
    ],
)
def test_two_texts_are_told_apart(texts, other, first):
    outcomes = np.empty(len(texts), np.uint8)
    assert tell_texts(np.array(texts).view(np.uint32), first, outcomes) == other
    if other < len(texts):
        assert outcomes.tolist() == [first if text == texts[0] else 1 - first for text in texts]
