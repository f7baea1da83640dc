"""Curves read off at a grid, lane by lane, against the polylines and steps of the definition."""

import itertools
import math

import numpy as np
import pytest

from fastmetrics.kernels import curves as kernels
from fastmetrics.kernels.curves import PRECISION_AT_RECALL, RECALL_AT_RATE
from fastmetrics.kernels.sweep import ENDS, POSITIVE
from tests.kernels.test_lists import COMPILED, version

GRID = np.array([0.0, 1e-9, 0.1, 0.2, 0.25, 1 / 3, 0.5, 0.5, 0.75, 0.9, 1.0])
GROUPS = {"single rows": [1] * 30, "ties": [1, 3, 2, 1, 8, 1, 1, 5], "one group": [12]}
DTYPES = pytest.mark.parametrize(
    "dtype", [np.uint8, np.int64, np.float64], ids=lambda d: d.__name__
)
MANY = pytest.mark.parametrize("groups", GROUPS)


class Rows:
    """Rows from the highest score down with weights (T, items, lanes), slots shuffled."""

    def __init__(self, groups, dtype, lanes=9, tiles=2, seed=0):
        sizes = GROUPS[groups]
        n = sum(sizes)
        generator = np.random.default_rng([n, len(sizes), seed])
        self.labels = generator.integers(0, 2, n)
        self.labels[:2] = [0, 1]
        self.group = np.repeat(np.arange(len(sizes)), sizes)
        self.marks = self.labels.astype(np.uint8) * POSITIVE
        self.marks[np.cumsum(sizes) - 1] |= ENDS
        self.slots = generator.permutation(n).astype(np.uint32)
        weights = generator.poisson(1.0, (tiles, n, lanes)).astype(dtype)
        weights[0, self.slots[self.labels == 0], 0] = 0  # no negative
        weights[0, self.slots[self.labels == 1], 1] = 0  # no positive
        weights[0, :, 2] = 0
        self.weights = weights / 4 if dtype is np.float64 else weights

    def of(self, tile, lane):
        """Positives and negatives of each group."""
        drawn = self.weights[tile, self.slots, lane].astype(float)
        sums = np.zeros((2, self.group[-1] + 1))
        np.add.at(sums, (1 - self.labels, self.group), drawn)
        return sums

    def totals(self):
        drawn = self.weights[:, self.slots].astype(float)
        return np.stack([drawn[:, self.labels == k].sum(axis=1) for k in (0, 1)], axis=1)

    def read(self, curve, grid, compiled, fill=-7.0):
        tiles, _, lanes = self.weights.shape
        values = np.full((tiles, grid.size, lanes), fill)
        kernel = version(kernels.sweep_curve, compiled)
        with np.errstate(all="ignore"):
            kernel(self.weights, self.slots, self.marks, curve, grid, self.totals(), values)
        return values


def recall_at(points, rate):
    """Height of the polyline of (rate, recall) from (0, 0), the highest one where it jumps."""
    best = -math.inf
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 <= rate <= x1:
            height = max(y0, y1) if x0 == x1 else y0 + (y1 - y0) * (rate - x0) / (x1 - x0)
            best = max(best, height)
    return best


def precision_at(steps, recall):
    """Precision of the first point that reaches the recall, a recall of 0 the first positive."""
    for reached, precision in steps:
        if reached > 0 and reached >= recall:
            return precision
    return -math.inf


@COMPILED
@DTYPES
@MANY
def test_recall_is_read_off_the_polyline(groups, dtype, compiled):
    rows = Rows(groups, dtype)
    values = rows.read(RECALL_AT_RATE, GRID, compiled)
    for tile, lane in np.ndindex(len(values), values.shape[2]):
        positives, negatives = rows.of(tile, lane)
        if positives.sum() == 0 or negatives.sum() == 0:
            continue
        rates = np.cumsum(negatives) / negatives.sum()
        recalls = np.cumsum(positives) / positives.sum()
        points = [(0.0, 0.0), *zip(rates, recalls)]
        expected = [recall_at(points, rate) for rate in GRID]
        np.testing.assert_allclose(values[tile, :, lane], expected, rtol=0, atol=1e-13)


@COMPILED
@DTYPES
@MANY
def test_precision_is_that_of_the_first_point_that_reaches_the_recall(groups, dtype, compiled):
    rows = Rows(groups, dtype)
    values = rows.read(PRECISION_AT_RECALL, GRID, compiled)
    for tile, lane in np.ndindex(len(values), values.shape[2]):
        positives, negatives = rows.of(tile, lane)
        if positives.sum() == 0:
            continue
        tp, fp = np.cumsum(positives), np.cumsum(negatives)
        steps = [(p / positives.sum(), p / (p + q)) for p, q in zip(tp, fp) if p + q > 0]
        expected = [precision_at(steps, recall) for recall in GRID]
        np.testing.assert_allclose(values[tile, :, lane], expected, rtol=1e-13)


@COMPILED
@pytest.mark.parametrize("curve", [RECALL_AT_RATE, PRECISION_AT_RECALL])
def test_a_lane_without_a_class_keeps_what_it_holds(curve, compiled):
    rows = Rows("single rows", np.uint8)
    values = rows.read(curve, GRID, compiled, fill=np.nan)
    held = np.isnan(values[0]).all(axis=0)
    assert held[1]  # no positive
    assert held[2]  # nothing
    # precision asks for no negatives
    assert held[0] == (curve == RECALL_AT_RATE)
    if curve == PRECISION_AT_RECALL:
        np.testing.assert_array_equal(values[0, :, 0], 1.0)
    assert np.isfinite(values[1]).all()


@COMPILED
@pytest.mark.parametrize("curve", [RECALL_AT_RATE, PRECISION_AT_RECALL])
def test_every_lane_is_read_on_its_own(curve, compiled):
    rows = Rows("ties", np.int64)
    together = rows.read(curve, GRID, compiled)
    for lane in range(rows.weights.shape[2]):
        alone = Rows("ties", np.int64)
        alone.weights = np.ascontiguousarray(rows.weights[:, :, lane : lane + 1])
        np.testing.assert_array_equal(
            alone.read(curve, GRID, compiled)[:, :, 0], together[:, :, lane]
        )


@COMPILED
def test_the_ends_of_the_grid(compiled):
    rows = Rows("single rows", np.uint8)
    values = rows.read(RECALL_AT_RATE, np.array([1.0]), compiled)
    np.testing.assert_array_equal(values[1], 1.0)
    assert rows.read(RECALL_AT_RATE, np.empty(0), compiled).size == 0


@COMPILED
def test_a_perfect_order_reaches_all_at_once(compiled):
    rows = Rows("single rows", np.uint8)
    order = np.argsort(-rows.labels, kind="stable")
    rows.labels = rows.labels[order]
    rows.marks = rows.labels.astype(np.uint8) * POSITIVE | ENDS
    rows.weights = np.ones_like(rows.weights)
    np.testing.assert_array_equal(rows.read(RECALL_AT_RATE, GRID, compiled), 1.0)
    np.testing.assert_array_equal(rows.read(PRECISION_AT_RECALL, GRID, compiled), 1.0)


@COMPILED
def test_inputs_are_left_alone(compiled):
    rows = Rows("ties", np.uint8)
    before = [rows.weights.copy(), rows.slots.copy(), rows.marks.copy(), GRID.copy()]
    rows.read(RECALL_AT_RATE, GRID, compiled)
    for array, old in zip((rows.weights, rows.slots, rows.marks, GRID), before):
        np.testing.assert_array_equal(array, old)


@pytest.mark.parametrize("n", [1, 2, 7, 3000])
def test_area_under_points(n):
    generator = np.random.default_rng(n)
    across, up = np.sort(generator.random(n)), generator.random(n)
    area, rises, falls = kernels.trapezoids(across, up)
    assert area == pytest.approx(np.trapezoid(up, across), rel=1e-13)
    assert (rises, falls) == (n > 1, False)
    area, rises, falls = kernels.trapezoids(across[::-1].copy(), up)
    assert (rises, falls) == (False, n > 1)


def test_directions_of_steps():
    up = np.ones(3)
    for across, directions in (([0, 0, 0], (False, False)), ([0, 1, 0], (True, True))):
        assert kernels.trapezoids(np.array(across, float), up)[1:] == directions
    area, rises, _ = kernels.trapezoids(np.array([0, np.nan, 1]), up)
    assert math.isnan(area)
    assert rises


@pytest.mark.parametrize("n", [1, 2, 3, 50])
def test_corners_are_where_a_step_differs(n):
    generator = np.random.default_rng(n)
    across, up = (generator.integers(0, 2, n).cumsum().astype(float) for _ in range(2))
    turns = (np.diff(across, 2) != 0) | (np.diff(up, 2) != 0)
    inner = np.flatnonzero(turns) + 1
    expected = [0, *inner.tolist(), n - 1] if n > 1 else [0]
    assert kernels.corners(across, up).tolist() == expected
