"""Curves of tiles read at a grid: fractional weights reach a recall of 1, and models share rows."""

import numpy as np
import pytest

from fastmetrics.engine.draws.designs import cluster_items, row_items
from fastmetrics.engine.readings import curves
from fastmetrics.engine.readings.curves import CurveReading
from fastmetrics.engine.readings.kinds import Rows, SweepReading, Tile
from fastmetrics.engine.statistics import SweepRequest
from tests import reference
from tests.engine.reading_problems import data

N = 60
GRID = np.array([0.0, 0.2, 0.5, 0.9, 1.0])


def reading_of(curve, items, sample=None, n=N):
    labels, scores = data("binary", n)
    shared = Rows(items, None, labels.astype(np.uint8), sample)
    return CurveReading(SweepReading.of(shared, scores, SweepRequest.of([])), curve, GRID)


def recall_at(labels, scores, weights, rate):
    points = reference.roc_points(labels, scores, weights)
    x, y = np.array(points).T
    if rate in (0.0, 1.0):
        return y[np.abs(x - rate) < 1e-12].max()
    last = np.flatnonzero(x < rate)[-1]
    if (x == rate).any():
        return y[x == rate].max()
    return y[last] + (y[last + 1] - y[last]) * (rate - x[last]) / (x[last + 1] - x[last])


def precision_at(labels, scores, weights, recall):
    positives = weights[labels == 1].sum()
    for threshold in reference.thresholds(scores):
        tp, fp, _, _ = reference.counts(labels, scores, threshold, weights)
        if tp > 0 and tp / positives >= recall - 1e-12:
            return tp / (tp + fp)
    raise AssertionError("a recall of 1 is always reached")


@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
@pytest.mark.parametrize("grouped", [False, True], ids=["rows", "clusters"])
@pytest.mark.parametrize("curve", ["roc", "precision_recall"])
def test_every_lane_is_the_curve_of_its_weights(curve, grouped, dtype, weighted, monkeypatch):
    monkeypatch.setattr(curves, "COPIED_BYTES", 3 * 8 * N)
    items = cluster_items(np.arange(N) % 23, None) if grouped else row_items(N, None)
    sample = np.random.default_rng(1).uniform(0.1, 2, N) if weighted else None
    reading = reading_of(curve, items, sample)
    weights = np.random.default_rng(2).poisson(1.0, (2, items.size, 4))
    weights = weights * 0.1 if dtype is np.float64 else weights.astype(dtype)
    found = reading.read(Tile(weights))
    assert found.shape == (8, GRID.size)
    labels, scores = data("binary", N)
    at = recall_at if curve == "roc" else precision_at
    for replicate, values in enumerate(found):
        own = weights[replicate // 4, items.places, replicate % 4].astype(float)
        own = own if sample is None else own * sample
        expected = [at(labels, scores, own, x) for x in GRID]
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
def test_fractional_weights_reach_a_recall_of_one(weighted):
    # in the order of the scores they add up to a little more or less than in that of the rows
    n = 2000
    sample = np.random.default_rng(3).random(n) if weighted else None
    reading = reading_of("precision_recall", row_items(n, None), sample, n)
    values = reading.read(Tile(np.random.default_rng(4).exponential(size=(1, n, 64))))
    assert np.isfinite(values).all()
