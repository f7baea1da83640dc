"""What a row leaves behind, against really leaving it out."""

import numpy as np
import pytest

from fastmetrics.kernels.jackknife import pairs_of_row, precision_slopes, precision_without_row
from tests import reference

# label, rows and score of each unit, from the highest score down
UNITS = {
    "no ties": [(1, 1, 5.0), (0, 1, 4.0), (1, 1, 3.0), (0, 1, 2.0), (0, 1, 1.0)],
    "one group": [(0, 2, 1.0), (1, 3, 1.0)],
    "mixed": [
        *[(1, 2, 9.0), (0, 3, 8.0), (1, 1, 8.0), (0, 5, 7.0), (1, 4, 6.0)],
        *[(0, 1, 5.0), (1, 1, 5.0), (0, 7, 4.0)],
    ],
    "one positive": [(0, 3, 3.0), (1, 1, 2.0), (0, 2, 1.0)],
    "positive on top": [(1, 1, 3.0), (0, 2, 1.0)],
    "one negative": [(1, 3, 3.0), (0, 1, 2.0), (1, 2, 1.0)],
}


def arrays(name):
    labels, rows, scores = map(np.array, zip(*UNITS[name], strict=True))
    ends = np.append(scores[1:] != scores[:-1], True)
    return labels.astype(np.uint8), rows.astype(float), scores, ends


def sum_of_precisions(labels, weights, scores):
    """Over the positives, of the precision at their score."""
    total = 0.0
    for label, weight, score in zip(labels, weights, scores, strict=True):
        if label and weight > 0:
            tp, fp, _, _ = reference.counts(labels, scores, score, weights)
            total += weight * tp / (tp + fp)
    return total


def without_row_of(weights, unit, amount=1.0):
    left = weights.copy()
    left[unit] -= amount
    return left


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", UNITS)
def test_pairs_of_a_row_are_those_that_leave_with_it(name, weighted):
    labels, weights, scores, ends = arrays(name)
    if weighted:
        weights = weights * np.random.default_rng(0).integers(1, 9, weights.size) / 4

    def doubled_pairs(left):
        positives, negatives = reference.class_weights(labels, scores, left)
        return 2 * positives * negatives * np.nan_to_num(reference.auc(labels, scores, left))

    pairs = np.empty(labels.size)
    pairs_of_row(labels, weights, ends, pairs)
    row_weight = 0.25  # a part of the unit, so that its class never runs empty
    for unit in range(labels.size):
        lost = doubled_pairs(weights) - doubled_pairs(without_row_of(weights, unit, row_weight))
        assert row_weight * pairs[unit] == pytest.approx(lost, abs=1e-10)


@pytest.mark.parametrize("name", UNITS)
def test_sum_of_precisions_without_each_row(name):
    labels, rows, scores, ends = arrays(name)
    sums = np.empty(labels.size)
    precision_without_row(labels, rows, ends, sums)
    expected = [
        sum_of_precisions(labels, without_row_of(rows, unit), scores) for unit in range(labels.size)
    ]
    np.testing.assert_allclose(sums, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", UNITS)
def test_slopes_are_derivatives_of_the_sum_of_precisions(name):
    labels, rows, scores, ends = arrays(name)
    weights = rows * np.random.default_rng(1).uniform(0.5, 2.0, rows.size)
    slopes = np.empty(labels.size)
    precision_slopes(labels, weights, ends, slopes)
    step = 1e-5
    for unit in range(labels.size):
        above = sum_of_precisions(labels, without_row_of(weights, unit, -step), scores)
        below = sum_of_precisions(labels, without_row_of(weights, unit, step), scores)
        assert slopes[unit] == pytest.approx((above - below) / (2 * step), abs=1e-8)


def test_weightless_units_have_finite_slopes():
    labels, rows, _, ends = arrays("mixed")
    rows[[0, 3, 7]] = 0.0
    slopes = np.empty(labels.size)
    precision_slopes(labels, rows, ends, slopes)
    assert np.isfinite(slopes).all()
