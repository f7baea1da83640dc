"""Points of a curve, areas, and curves read off at a grid, lane by lane, against the definition."""

import itertools
import math

import numpy as np
import pytest

from fastmetrics.kernels import curves as kernels
from fastmetrics.kernels.cells import FINE, NOT_FINITE, OTHER_LABELS
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


def cells(n, dtype=np.int64, seed=0):
    """Thresholds, positives and negatives of n cells, in each of which some row lies."""
    generator = np.random.default_rng([n, seed])
    positives = generator.integers(0, 3, n).astype(dtype)
    negatives = (generator.integers(0, 3, n) + (positives == 0)).astype(dtype)
    if dtype is np.float64:
        positives, negatives = positives / 4, negatives / 4
    positives[n // 2], negatives[n // 3] = 1, 1
    return np.sort(generator.normal(size=n))[::-1].copy(), positives, negatives


def totals(n, seed=0):
    """Thresholds, tp and fp of n cells."""
    thresholds, positives, negatives = cells(n, seed=seed)
    return thresholds, positives.cumsum().astype(float), negatives.cumsum().astype(float)


def read_roc(fp, tp, thresholds, drop, compiled):
    filled = np.empty((3, len(fp) + 1))
    with np.errstate(all="ignore"):
        count = version(kernels.roc_points, compiled)(fp, tp, thresholds, drop, *filled)
    return filled[:, :count]


@COMPILED
@pytest.mark.parametrize("n", [1, 2, 3, 50])
@pytest.mark.parametrize("drop", [True, False])
def test_points_of_the_roc_curve(n, drop, compiled):
    thresholds, tp, fp = totals(n)
    turns = (np.diff(fp, 2) != 0) | (np.diff(tp, 2) != 0)
    kept = np.ones(n, bool)
    kept[1:-1] = turns | (not drop)
    read = read_roc(fp, tp, thresholds, drop, compiled)
    expected = fp[kept] / fp[-1], tp[kept] / tp[-1], thresholds[kept]
    for values, first, others in zip(read, (0, 0, np.inf), expected, strict=True):
        assert values.tolist() == [first, *others]


@COMPILED
def test_rates_of_an_absent_class(compiled):
    none, some = np.zeros(3), np.array([1.0, 2.0, 3.0])
    assert np.isnan(read_roc(none, some, some, False, compiled)[0]).all()
    assert np.isnan(read_roc(some, none, some, False, compiled)[1]).all()


@COMPILED
@pytest.mark.parametrize("n", [1, 2, 50])
def test_points_of_the_precision_recall_curve(n, compiled):
    _, tp, fp = totals(n)
    precision, recall = np.empty((2, n + 1))
    kernel = version(kernels.precision_recall_points, compiled)
    kernel(fp, tp, precision, recall)
    assert precision.tolist() == [*(tp / (tp + fp))[::-1], 1.0]
    assert recall.tolist() == [*(tp / tp[-1])[::-1], 0.0]
    kernel(np.ones(n), np.zeros(n), precision, recall)
    assert recall.tolist() == [*[1.0] * n, 0.0]


@COMPILED
@pytest.mark.parametrize("n", [1, 2, 5, 50])
@pytest.mark.parametrize("seed", range(4))
def test_points_of_the_det_curve(n, seed, compiled):
    thresholds, tp, fp = totals(n, seed)
    points = [(0.0, 1.0, np.inf)]
    points += zip(fp / fp[-1], (tp[-1] - tp) / tp[-1], thresholds, strict=True)
    first = max(k for k, point in enumerate(points) if point[0] == 0)
    last = min(k for k, point in enumerate(points) if point[1] == 0)
    read = version(kernels.det_points, compiled)(fp, tp, thresholds)
    assert (
        list(zip(*(values.tolist() for values in read), strict=True))
        == (points[first : last + 1][::-1])
    )


@COMPILED
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("n", [1, 3, 3000])
def test_area_up_to_a_false_positive_rate(n, dtype, compiled):
    _, positives, negatives = cells(n, dtype)
    fpr = np.append(0.0, negatives.cumsum() / negatives.sum())
    tpr = np.append(0.0, positives.cumsum() / positives.sum())
    kernel = version(kernels.area_to_rate, compiled)
    for limit in (1e-6, 0.1, float(fpr[n // 2]), 0.999):
        last = np.flatnonzero(fpr <= limit)[-1]
        slope = (tpr[last + 1] - tpr[last]) / (fpr[last + 1] - fpr[last])
        across = np.append(fpr[: last + 1], limit)
        up = np.append(tpr[: last + 1], tpr[last] + slope * (limit - fpr[last]))
        area = kernel(positives, negatives, limit)
        assert area == pytest.approx(np.trapezoid(up, across), rel=1e-12)
    for one_class in ((positives, 0 * negatives), (0 * positives, negatives)):
        assert math.isnan(kernel(*one_class, 0.5))


@COMPILED
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("n", [1, 3, 3000])
def test_sums_of_precisions(n, dtype, compiled):
    _, positives, negatives = cells(n, dtype)
    tp, fp = positives.cumsum(), negatives.cumsum()
    expected = math.fsum(positives * (tp / (tp + fp)))
    kernel = version(kernels.precision_sums, compiled)
    precise, total = kernel(positives, negatives, 1.0)
    assert precise == pytest.approx(expected, rel=1e-14)
    assert total == positives.sum()
    assert kernel(positives, negatives, 4.0) == (4 * precise, 4 * total)


def test_no_sum_of_precisions_exceeds_the_weight():
    generator = np.random.default_rng(0)
    for n in (3, 30, 3000):
        positives, negatives = generator.random((2, n))
        precise, total = kernels.precision_sums(positives, np.zeros(n), 1.0)
        assert precise == total
        precise, total = kernels.precision_sums(positives, negatives * 1e-17, 1.0)
        assert precise <= total


@COMPILED
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_totals_and_precision_of_rows(dtype, compiled):
    generator = np.random.default_rng(1)
    labels = generator.integers(0, 2, 40).astype(np.uint8)
    scores = generator.normal(size=40).round(1).astype(dtype)
    bits = scores.view(f"u{scores.itemsize}")
    weights = generator.integers(1, 4, 40) / 4
    levels = np.unique(scores)[::-1]
    flagged = scores >= levels[:, None]
    for given in (None, weights):
        rows = np.ones(40) if given is None else given
        tp, fp, found = np.empty(40), np.empty(40), np.empty_like(bits)
        if given is None:
            count = version(kernels.count_totals, compiled)
            size, status = count(labels, bits, bits[:0], tp, fp, found)
        else:
            weigh = version(kernels.weigh_totals, compiled)
            size, status = weigh(labels, bits, given, tp, fp, found)
        assert (size, status) == (levels.size, FINE)
        assert found[:size].view(dtype).tolist() == levels.tolist()
        assert tp[: levels.size].tolist() == (flagged @ (rows * labels)).tolist()
        assert fp[: levels.size].tolist() == (flagged @ (rows * (1 - labels))).tolist()
    kernel = version(kernels.average_precision, compiled)
    expected = np.mean([labels[scores >= score].mean() for score in scores[labels == 1]])
    precision, status = kernel(labels, bits, bits[:0])
    assert status == FINE
    assert precision == pytest.approx(expected, rel=1e-14)
    assert math.isnan(kernel(0 * labels, bits, bits[:0])[0])
    assert kernel(2 * labels, bits, bits[:0])[1] == OTHER_LABELS
    scores[3] = np.nan
    assert kernel(labels, bits, bits[:0])[1] == NOT_FINITE
