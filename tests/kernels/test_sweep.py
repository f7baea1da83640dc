"""Each sweep against an obvious loop over the groups of equal scores, lane by lane."""

import numpy as np
import pytest

from fastmetrics.engine import statistics
from fastmetrics.kernels.sweep import (
    ALONE,
    AREA_FROM_RECALL,
    AREA_TO_FALSE_POSITIVE_RATE,
    CHUNK,
    ENDS,
    KS,
    LONG,
    LONG_GROUP,
    POSITIVE,
    PRECISION_AT_RECALL,
    RECALL_AT_FALSE_POSITIVE_RATE,
    sweep_classes,
    sweep_discordance,
    sweep_points,
    sweep_precision,
)
from tests import reference

# sizes of the groups of equal scores
GROUPS = {
    "single rows": [1] * 300,
    "pairs": [2] * 150,
    "short": [1, 3, 1, 1, 5, 2, 1, 8] * 15,
    "one group": [250],
    "one long group": [2100],
    "long groups": [1, LONG_GROUP, 1, LONG_GROUP + 1, 300, 1, 1, 2, 5],
    "long groups over chunks": [1000, 2, CHUNK, 3, 700, 1, 1, 1, 400, 1],
    "rows over chunks": [1] * (CHUNK - 1) + [2, 1, 3] + [1] * (CHUNK + 5) + [4],
}
# fewer groups, for the slow versions go through all rows once per threshold
FEW_GROUPS = {
    "single rows": [1] * 50,
    "pairs": [2] * 25,
    "short": [1, 3, 1, 1, 5, 2, 1, 8, 2],
    "one group": [50],
    "long groups": [1, LONG_GROUP, 1, LONG_GROUP + 1, 2, 1, 1, CHUNK, 1, 3],
}
DTYPES = [np.uint8, np.int64, np.float64]
TILES = [(1, 1), (1, 16), (4, 64)]
FEEDS = ["in one go", "in blocks"]

weights_and_feeds = [
    pytest.mark.parametrize("groups", GROUPS),
    pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__),
    pytest.mark.parametrize("tiles", TILES, ids=str),
    pytest.mark.parametrize("feed", FEEDS),
]


def every_case(function):
    """Parametrise over groups, weights, tiles and ways to feed the rows."""
    for mark in weights_and_feeds:
        function = mark(function)
    return function


class Case:
    """Sorted rows with their marks, and weights that are exact in every type."""

    def __init__(self, sizes, dtype, tiles, feed):
        n = sum(sizes)
        generator = np.random.default_rng([n, len(sizes)])
        self.labels = generator.integers(0, 2, n)
        self.groups = np.repeat(np.arange(len(sizes)), sizes)
        self.marks = self.labels.astype(np.uint8) * POSITIVE
        for group, end in enumerate(np.cumsum(sizes)):
            self.marks[end - 1] |= ENDS
            self.marks[end - 1] |= ALONE if sizes[group] == 1 else 0
            self.marks[end - 1] |= LONG if sizes[group] > LONG_GROUP else 0
        counts = generator.poisson(1.0, (tiles[0], n, tiles[1]))
        if dtype is np.int64:
            counts *= generator.integers(1, 10**6, (n, 1))
        self.weights = counts.astype(dtype)
        if dtype is np.float64:
            self.weights *= generator.integers(0, 9, (n, 1)) / 4
        self.slots = generator.permutation(n).astype(np.uint32)
        # row r of the sorted rows takes its weights from slot r
        self.tiles = np.empty_like(self.weights)
        self.tiles[:, self.slots] = self.weights
        self.zeros = np.zeros(tiles[1], np.uint32 if dtype is np.uint8 else dtype)
        self.sums = np.float64 if dtype is np.float64 else np.int64
        stops = [n] if feed == "in one go" else [1, 2, n // 3, n // 3 + 1, n // 2, n - 1, n]
        self.blocks = [slice(a, b) for a, b in zip([0, *stops], stops) if b > a]

    def state(self, quantities, dtype):
        return np.zeros((len(self.weights), quantities, self.weights.shape[2]), dtype)

    def run(self, kernel, state, *options):
        for block in self.blocks:
            kernel(self.tiles, self.slots[block], self.marks[block], *options, state)

    def by_group(self, dtype):
        """Positives and negatives (groups, T, lanes) of each group."""
        per_class = []
        for label in (1, 0):
            weights = np.where(self.labels[:, None] == label, self.weights, 0).astype(dtype)
            starts = np.flatnonzero(np.diff(self.groups, prepend=-1))
            per_class.append(np.add.reduceat(weights, starts, axis=1).transpose(1, 0, 2))
        return per_class

    def rows(self, tile, lane):
        """Label, score and weight of one row per group and class, for the slow versions."""
        labels = np.tile([1, 0], self.groups[-1] + 1)
        scores = -np.repeat(np.arange(self.groups[-1] + 1.0), 2)
        row = 2 * self.groups + 1 - self.labels
        return labels, scores, np.bincount(row, self.weights[tile, :, lane], labels.size)


@every_case
def test_discordance_is_the_doubled_number_of_discordant_pairs(groups, dtype, tiles, feed):
    case = Case(GROUPS[groups], dtype, tiles, feed)
    state = case.state(4, case.sums)
    case.run(sweep_discordance, state, case.zeros)
    discordant, above = 0, 0
    for positives, negatives in zip(*case.by_group(case.sums)):
        discordant = discordant + positives * (2 * above + negatives)
        above = above + negatives
    # weights are multiples of 1/4, so float64 is exact too
    np.testing.assert_array_equal(state[:, 0], discordant)
    np.testing.assert_array_equal(state[:, 1], above)
    assert not state[:, 2:].any()


@every_case
def test_precision_is_the_sum_over_the_positives(groups, dtype, tiles, feed):
    case = Case(GROUPS[groups], dtype, tiles, feed)
    state = case.state(5, np.float64)
    case.run(sweep_precision, state, case.zeros)
    total, tp, flagged = 0.0, 0.0, 0.0
    for positives, negatives in zip(*case.by_group(np.float64)):
        tp = tp + positives
        flagged = flagged + positives + negatives
        total = total + np.where(flagged > 0, positives * tp / np.maximum(flagged, 1e-300), 0.0)
    np.testing.assert_allclose(state[:, 0], total, rtol=1e-12)
    np.testing.assert_array_equal(state[:, 1], tp)
    np.testing.assert_array_equal(state[:, 2], flagged)
    assert not state[:, 3:].any()


@every_case
def test_classes_are_added_up(groups, dtype, tiles, feed):
    case = Case(GROUPS[groups], dtype, tiles, feed)
    state = case.state(2, case.sums)
    case.run(sweep_classes, state, case.zeros)
    positives, negatives = case.by_group(case.sums)
    np.testing.assert_array_equal(state[:, 0], negatives.sum(axis=0))
    np.testing.assert_array_equal(state[:, 1], positives.sum(axis=0))


POINTS = {
    "ks": (KS, 0.0, reference.ks),
    **{
        f"{name} {limit}": (code, limit, function)
        for limit in (0.0, 0.1, 0.5, 1.0)
        for name, code, function in (
            ("recall", RECALL_AT_FALSE_POSITIVE_RATE, reference.recall_at_false_positive_rate),
            ("precision", PRECISION_AT_RECALL, reference.precision_at_recall),
            ("area to a rate", AREA_TO_FALSE_POSITIVE_RATE, reference.partial_auc),
            ("area from a recall", AREA_FROM_RECALL, reference.partial_auc),
        )
        if not (code == AREA_TO_FALSE_POSITIVE_RATE and limit == 0.0)
        and not (code == AREA_FROM_RECALL and limit == 1.0)
    },
}


def expected_point(name, labels, scores, weights):
    code, limit, function = POINTS[name]
    if code == KS:
        return function(labels, scores, weights)
    if code == RECALL_AT_FALSE_POSITIVE_RATE:
        return function(labels, scores, weights, max_fpr=limit)
    if code == PRECISION_AT_RECALL:
        return function(labels, scores, weights, min_recall=limit)
    if code == AREA_TO_FALSE_POSITIVE_RATE:
        scaled, width = function(labels, scores, weights, max_fpr=limit), limit
    else:
        scaled, width = function(labels, scores, weights, min_tpr=limit), 1 - limit
    chance = width**2 / 2
    return chance + (2 * scaled - 1) * (width - chance)


@pytest.mark.parametrize("feed", FEEDS)
@pytest.mark.parametrize("tiles", [(1, 1), (2, 3)], ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("groups", FEW_GROUPS)
def test_points_of_the_curve_are_kept(groups, dtype, tiles, feed):
    case = Case(FEW_GROUPS[groups], dtype, tiles, feed)
    requests = np.array([POINTS[name][:2] for name in POINTS], np.float64)
    positives, negatives = (part.sum(axis=0) for part in case.by_group(np.float64))
    totals = np.stack([negatives, positives], axis=1)
    state = case.state(4 + len(POINTS), np.float64)
    case.run(sweep_points, state, requests, totals)
    for t, lane in np.ndindex(tiles):
        expected = [expected_point(name, *case.rows(t, lane)) for name in POINTS]
        np.testing.assert_allclose(state[t, 4:, lane], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("groups", FEW_GROUPS)
def test_sums_are_those_of_the_areas(groups, dtype):
    case = Case(FEW_GROUPS[groups], dtype, (1, 2), "in one go")
    discordance, precision = case.state(4, case.sums), case.state(5, np.float64)
    case.run(sweep_discordance, discordance, case.zeros)
    case.run(sweep_precision, precision, case.zeros)
    for lane in range(2):
        data = case.rows(0, lane)
        positives, negatives = reference.class_weights(*data)
        area = 1 - discordance[0, 0, lane] / (2 * positives * negatives)
        assert area == pytest.approx(reference.auc(*data), abs=1e-12)
        mean = precision[0, 0, lane] / positives
        assert mean == pytest.approx(reference.average_precision(*data), abs=1e-12)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
def test_a_lane_without_weight_stays_at_zero(dtype):
    case = Case(GROUPS["short"], dtype, (1, 3), "in blocks")
    case.tiles[:, :, 1] = 0
    discordance, precision = case.state(4, case.sums), case.state(5, np.float64)
    case.run(sweep_discordance, discordance, case.zeros)
    case.run(sweep_precision, precision, case.zeros)
    assert not discordance[0, :, 1].any()
    assert not precision[0, :, 1].any()
    assert np.isfinite(precision).all()


def test_discordant_pairs_beyond_32_bits_are_exact():
    n = 400_000
    labels = np.repeat([0, 1], n // 2)
    marks = np.where(labels == 1, POSITIVE, 0).astype(np.uint8) | np.uint8(ENDS | ALONE)
    state = np.zeros((1, 4, 2), np.int64)
    slots = np.arange(n, dtype=np.uint32)
    zeros = np.zeros(2, np.uint32)
    sweep_discordance(np.full((1, n, 2), 2, np.uint8), slots, marks, zeros, state)
    assert state[0, 0].tolist() == [2 * 4 * (n // 2) ** 2] * 2


@pytest.mark.parametrize(
    "name",
    [
        "KS",
        "AREA_TO_FALSE_POSITIVE_RATE",
        "AREA_FROM_RECALL",
        "RECALL_AT_FALSE_POSITIVE_RATE",
        "PRECISION_AT_RECALL",
    ],
)
def test_descriptions_know_the_codes_of_the_points(name):
    assert getattr(statistics, name) == globals()[name]
