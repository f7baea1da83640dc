"""Readings of random tiles against the definitions of the metrics, lane by lane."""

import numpy as np
import pytest

from fastmetrics.engine.draws.designs import merged_items
from fastmetrics.engine.readings import kinds
from fastmetrics.engine.readings.answers import Asked
from fastmetrics.engine.readings.kinds import CodesReading, Rows, SumsReading, SweepReading, Tile
from tests.engine.reading_problems import (
    ASKED,
    N,
    answers,
    data,
    expected,
    items_of,
    read,
    tile_of,
)

FAMILIES = pytest.mark.parametrize("family", ASKED)
ITEMS = pytest.mark.parametrize(
    "kind", ["rows", "rows in strata", "clusters", "strata of clusters"]
)
DTYPES = pytest.mark.parametrize(
    "dtype", [np.uint8, np.int64, np.float64], ids=lambda d: d.__name__
)
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
SLICES = {"all": None, "some": np.arange(3, N, 2), "two rows": np.array([4, 5])}


def assert_is_defined(values, metric, expectation):
    tolerance = 1e-11 if metric.name != "r2" else 1e-9
    for value, wanted in zip(values, expectation, strict=True):
        assert value == pytest.approx(wanted, rel=tolerance, abs=tolerance, nan_ok=True), metric


@FAMILIES
@ITEMS
@DTYPES
@WEIGHTED
@pytest.mark.parametrize("part", SLICES)
def test_every_lane_has_the_value_of_its_weights(family, kind, dtype, weighted, part):
    truth, predicted = data(family)
    sample = np.random.default_rng(3).integers(0, 5, N) / 4 if weighted else None
    true, model = read(family, truth, predicted, sample)
    items, rows = items_of(kind), SLICES[part]
    weights = tile_of(items, dtype)
    chosen = np.arange(N) if rows is None else rows
    per_row = weights[:, items.places[chosen]].astype(float)
    if sample is not None:
        per_row *= sample[chosen][None, :, None]
    of_lanes = per_row.transpose(0, 2, 1).reshape(-1, chosen.size)
    found = answers(items, true, model, rows, weights)
    for metric, values in zip(model.metrics, found, strict=True):
        wanted = [expected(family, metric, truth[chosen], predicted[chosen], w) for w in of_lanes]
        assert_is_defined(values, metric, wanted)


@FAMILIES
@DTYPES
def test_a_cluster_counts_as_its_rows(family, dtype):
    truth, predicted = data(family)
    true, model = read(family, truth, predicted)
    clusters, rows = items_of("clusters"), items_of("rows")
    weights = tile_of(clusters, dtype)
    spread = np.empty((len(weights), N, weights.shape[2]), weights.dtype)
    spread[:, rows.places] = weights[:, clusters.places]
    found = answers(clusters, true, model, None, weights)
    for metric, values, wanted in zip(
        model.metrics, found, answers(rows, true, model, None, spread), strict=True
    ):
        assert_is_defined(values, metric, wanted)


@WEIGHTED
def test_merged_rows_count_as_the_rows_they_stand_for(weighted):
    truth, predicted = data("classes")
    sample = 1.0 + truth / 2 if weighted else None
    true, model = read("classes", truth, predicted, sample)
    items = merged_items(3 * truth + predicted, None)
    counts = np.random.default_rng(0).multinomial(N, np.full(N, 1 / N), 10).T
    draws = np.zeros((1, items.size, 10), np.int64)
    np.add.at(draws[0], items.places, counts)
    rows = items_of("rows")
    spread = np.empty((1, N, 10), np.int64)
    spread[:, rows.places] = counts
    # a draw of a unit adds what each of its rows would
    found = answers(items, true, model, None, draws)
    for metric, values, wanted in zip(
        model.metrics, found, answers(rows, true, model, None, spread), strict=True
    ):
        assert_is_defined(values, metric, wanted)


def test_several_models_share_the_weight_of_each_class():
    truth, predicted = data("binary")
    true, model = read("binary", truth, predicted)
    shared = Rows(items_of("rows"), None, true.labels, None)
    request = next(r for r in asked(shared, true, model) if isinstance(r, SweepReading)).request
    tile = Tile(tile_of(shared.items, np.uint8))
    for scores in (predicted, -predicted):
        SweepReading.of(shared, scores, request).read(tile)
    assert list(tile.totals) == [id(shared)]
    totals = tile.totals[id(shared)]
    drawn = tile.weights[:, shared.items.places].astype(int)
    for label in (0, 1):
        np.testing.assert_array_equal(totals[:, label], drawn[:, truth == label].sum(axis=1))


def asked(shared, true, model):
    return Asked.of(shared, true, model)[0]


def test_terms_that_metrics_share_are_summed_once():
    truth, predicted = data("values")
    metrics = ["mean_squared_error", "root_mean_squared_error", "r2"]
    true, model = read("values", truth, predicted, metrics=metrics)
    shared = Rows(items_of("rows"), None, None, None)
    (reading,) = asked(shared, true, model)
    assert isinstance(reading, SumsReading)
    columns = {tuple(column) for column in reading.terms.T}
    assert len(columns) == reading.columns


def test_additive_data_of_clusters_are_kept_per_cluster():
    truth, predicted = data("binary")
    true, model = read("binary", truth, predicted, metrics=["brier_score"])
    items = items_of("clusters")
    (reading,) = asked(Rows(items, None, true.labels, None), true, model)
    assert len(reading.terms) == items.size
    true, model = read("classes", *data("classes"))
    (reading,) = asked(Rows(items, None, None, None), true, model)
    assert isinstance(reading, CodesReading)
    # a cluster and a cell of the matrix occur together once
    cells = np.stack([reading.slots, reading.codes])
    assert np.unique(cells, axis=1).shape == cells.shape
    assert reading.amounts.sum() == N


def test_sums_of_items_are_what_each_adds():
    truth, predicted = data("classes")
    true, model = read("classes", truth, predicted)
    items = items_of("clusters")
    (reading,) = asked(Rows(items, None, None, None), true, model)
    sums = np.zeros((items.size, reading.columns))
    np.add.at(sums, (reading.slots, reading.codes), reading.amounts)
    for item in range(items.size):
        mine = items.places == item
        matrix = np.zeros((3, 3))
        np.add.at(matrix, (truth[mine], predicted[mine]), 1)
        np.testing.assert_array_equal(sums[item], matrix.ravel())


@pytest.mark.parametrize("lanes", [1, 3, 64])
def test_measures_are_taken_a_few_lanes_at_a_time(lanes, monkeypatch):
    truth, predicted = data("binary")
    true, model = read("binary", truth, predicted, metrics=["ece", "recall"])
    items = items_of("clusters")
    weights = tile_of(items, np.uint8, lanes=lanes)
    whole = answers(items, true, model, None, weights)
    monkeypatch.setattr(kinds, "COPIED_BYTES", 2 * 8 * N)
    for values, wanted in zip(answers(items, true, model, None, weights), whole):
        np.testing.assert_array_equal(values, wanted)


def test_weights_beyond_exact_pairs_are_read_as_fractions():
    truth, predicted = data("binary")
    true, model = read("binary", truth, predicted, metrics=["roc_auc", "average_precision"])
    items = items_of("rows")
    weights = tile_of(items, np.int64, tiles=1)
    plain = answers(items, true, model, None, weights)
    large = answers(items, true, model, None, weights * 2**40)
    for values, wanted in zip(large, plain):
        np.testing.assert_allclose(values, wanted, rtol=1e-12)


def test_tiles_are_left_as_they_are():
    for family in ASKED:
        truth, predicted = data(family)
        true, model = read(family, truth, predicted, np.arange(N) % 3 / 2)
        items = items_of("clusters")
        weights = tile_of(items, np.float64)
        before = weights.copy()
        weights.flags.writeable = False
        answers(items, true, model, None, weights)
        np.testing.assert_array_equal(weights, before)


def test_a_tile_knows_its_replicates():
    assert Tile(np.zeros((4, 3, 16), np.uint8)).replicates == 64
