"""Numbers of lanes of weights against loops over the lanes."""

import numpy as np
import pytest

from fastmetrics.kernels import lanes as kernels
from tests import reference, reference_regression

COMPILED = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
SIZES = [1, 2, kernels.BLOCK - 1, kernels.BLOCK, kernels.BLOCK + 1, 3 * kernels.BLOCK + 5]


def version(kernel, compiled):
    """A kernel, or the Python it is made of."""
    return kernel if compiled else getattr(kernel, "py_func", kernel)


def weights_of(n, lanes=4, seed=0):
    """Multiples of 1/4, half of them 0; one lane weighs nothing, one a single row."""
    generator = np.random.default_rng([seed, n])
    weights = generator.integers(0, 5, (n, lanes)) * generator.integers(0, 2, (n, lanes)) / 4
    weights[:, 0] = 0.0
    weights[:, 1] = np.arange(n) == n // 2
    return weights


@COMPILED
@pytest.mark.parametrize("level", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("n", SIZES)
def test_places_of_quantiles(n, level, compiled):
    values = np.random.default_rng(n).integers(0, max(n // 3, 2), n).astype(float)
    order = values.argsort()
    weights = weights_of(n)
    places, totals = np.empty((2, 4), np.int64), weights.sum(axis=0)
    slacks = np.zeros(4)
    version(kernels.quantile_places, compiled)(order, weights, level * totals, slacks, places)
    assert places[:, 0].tolist() == [-1, -1]
    for lane in range(1, 4):
        expected = reference_regression.quantile(values, weights[:, lane], level)
        if expected is None:
            assert places[:, lane].tolist() == [-1, -1]
        else:
            assert values[order[places[:, lane]]].mean() == float(expected)


def test_rounding_keeps_no_weight_from_its_target():
    # ten times 0.1 are less than 1
    weights = np.full((10, 2), 0.1)
    weights[5:, 1] = 0.0
    order, places = np.arange(10), np.empty((2, 2), np.int64)
    targets = np.array([0.5, 0.25])
    kernels.quantile_places(order, weights, targets, np.full(2, 1e-15), places)
    assert places.T.tolist() == [[4, 5], [2, 2]]
    targets = np.array([1.0, 0.5]) + 1e-9  # out of reach
    kernels.quantile_places(order, weights, targets, np.zeros(2), places)
    assert places.T.tolist() == [[9, 9], [4, 4]]


@COMPILED
@pytest.mark.parametrize("level", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("n", SIZES)
def test_losses_from_a_constant_of_each_lane(n, level, compiled):
    values, weights = np.random.default_rng(n).normal(size=n), weights_of(n)
    constants, losses = np.array([0.0, 0.1, -0.2, 9.0]), np.ones(4)
    version(kernels.constant_losses, compiled)(values, weights, level, constants, losses)
    for lane, constant in enumerate(constants):
        expected = 1 + sum(
            w * float(reference_regression.pinball(y, constant, level))
            for y, w in zip(values, weights[:, lane])
        )
        assert losses[lane] == pytest.approx(expected, rel=1e-12)


@COMPILED
def test_bins_and_classes(compiled):
    generator = np.random.default_rng(0)
    bins, p = generator.integers(0, 3, 600), generator.random(600)
    y, weights = generator.integers(0, 2, 600), weights_of(600)
    sums, totals = np.zeros((3, 3, 4)), np.zeros((2, 4))
    version(kernels.bin_lanes, compiled)(bins, p, y.astype(float), weights, sums)
    version(kernels.class_lanes, compiled)(y.astype(np.uint8), weights, totals)
    for k in range(3):
        own = weights[bins == k]
        for number, term in enumerate((np.ones(600), p, y)):
            np.testing.assert_allclose(sums[k, number], term[bins == k] @ own, rtol=1e-12)
    for label in (0, 1):
        assert totals[label].tolist() == weights[y == label].sum(axis=0).tolist()


@COMPILED
@pytest.mark.parametrize("share", [0.01, 0.3, 1.0])
@pytest.mark.parametrize("distinct", [1, 3, 40, 10_000])
@pytest.mark.parametrize("n", SIZES)
def test_positives_at_the_top(n, distinct, share, compiled):
    generator = np.random.default_rng(n)
    scores = generator.integers(0, distinct, n) / distinct
    labels = generator.integers(0, 2, n).astype(np.uint8)
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.diff(scores[order]) != 0, True)
    weights = weights_of(n)
    totals = weights.sum(axis=0)
    found = np.full(4, np.nan)
    kernel = version(kernels.top_lanes, compiled)
    kernel(order, labels[order], ends, weights, share * totals, found)
    for lane in range(1, 4):
        if totals[lane] > 0:
            expected, _ = reference.found_at_top(labels, scores, weights[:, lane], k=share)
            assert found[lane] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_more_than_there_is_takes_all():
    found = np.empty(2)
    order, labels, ends = np.arange(3), np.array([1, 0, 1], np.uint8), np.ones(3, bool)
    kernels.top_lanes(order, labels, ends, np.ones((3, 2)), np.array([3.5, 1.0]), found)
    assert found.tolist() == [2.0, 1.0]
