"""Influence values against the slope of a metric by an item's weight, and standard errors."""

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.engine.draws.designs import Design
from fastmetrics.engine.jackknife.influence import item_influence, standard_error
from fastmetrics.engine.plans.choosing import tile_plan
from fastmetrics.engine.plans.studentized import with_errors
from fastmetrics.engine.readings.kinds import Tile
from tests.engine.reading_problems import data, expected, items_of, read

N = 30
GROUPS = np.arange(N) ** 2 % 11
ASKED = {
    "binary": [
        "roc_auc",
        "gini",
        "average_precision",
        fm.metric("f1", threshold=0.5),
        fm.metric("matthews_corrcoef", threshold=0.5),
        "brier_score",
        "log_loss",
    ],
    "values": ["r2", "mean_squared_error", "root_mean_squared_error", "mean"],
    "classes": ["f1_macro", "accuracy", "cohen_kappa"],
    "columns": ["log_loss", "brier_score"],
}


def plan_of(family, design, sample=None, metrics=None, part=None):
    truth, predicted = data(family, N)
    true, model = read(family, truth, predicted, sample, metrics or ASKED[family])
    plan = tile_plan(true, [model], [(None, part)], design, whole=True)
    return plan, model.metrics, truth, predicted


def value_at(family, metric, truth, predicted, sample, items, weights, part):
    """Value of the definition at weights (m,) of the items."""
    per_row = weights[items.places] * (1.0 if sample is None else sample)
    chosen = slice(None) if part is None else part
    return expected(family, metric, truth[chosen], predicted[chosen], per_row[chosen])


@pytest.mark.parametrize("family", ASKED)
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("grouped", [False, True], ids=["rows", "clusters"])
@pytest.mark.parametrize("part", [None, np.arange(4, N)], ids=["all", "slice"])
def test_influence_is_the_slope_by_the_weight_of_an_item(family, weighted, grouped, part):
    groups = np.unique(GROUPS, return_inverse=True)[1] if grouped else None
    sample = np.random.default_rng(1).uniform(0.5, 2, N) if weighted else None
    plan, metrics, truth, predicted = plan_of(family, Design(groups=groups), sample, part=part)
    items = plan.items
    weights = 1.0 + np.random.default_rng(2).poisson(1.0, items.size)
    for answer, metric in zip(plan.answers, metrics, strict=True):
        reading = plan.readings[answer.reading]
        sums = reading.read(tile(weights))[0]
        found = item_influence(answer, reading, items, weights, sums)
        step = 1e-5
        for item in range(items.size):
            sides = []
            for sign in (1, -1):
                moved = weights.copy()
                moved[item] += sign * step
                sides.append(value_at(family, metric, truth, predicted, sample, items, moved, part))
            slope = (sides[0] - sides[1]) / (2 * step)
            assert found[item] == pytest.approx(slope, rel=1e-4, abs=2e-8), metric.name
        # no metric depends on the scale of the weights
        assert weights @ found == pytest.approx(0.0, abs=1e-7)


def tile(weights):
    return Tile(weights[None, :, None])


@pytest.mark.parametrize("kind", ["rows", "rows in strata", "strata of clusters"])
def test_the_standard_error_is_the_spread_within_strata(kind):
    items = items_of(kind)
    generator = np.random.default_rng(0)
    weights = generator.poisson(1.0, items.size).astype(float)
    influence = generator.normal(size=items.size)
    variance = 0.0
    if items.pool_sizes.size == 1:
        variance = sum(w * i**2 for w, i in zip(weights, influence))
    else:
        for pool, size in enumerate(items.pool_sizes):
            mine = items.pools == pool
            weights[mine] = generator.multinomial(size, np.full(size, 1 / size))
            mean = sum(weights[mine] * influence[mine]) / size
            variance += sum(weights[mine] * (influence[mine] - mean) ** 2)
    assert standard_error(influence, weights, items) == pytest.approx(variance**0.5, rel=1e-12)


def test_errors_stand_after_the_answers():
    plan, metrics, *_ = plan_of("binary", Design())
    more = with_errors(plan)
    assert len(more.answers) == 2 * len(metrics)
    weights = np.random.default_rng(0).poisson(1.0, (2, N, 3)).astype(np.uint8)
    sums = np.concatenate([reading.read(Tile(weights)) for reading in more.readings], axis=1)
    values = more.values(sums)
    for place, answer in enumerate(plan.answers):
        reading = plan.readings[answer.reading]
        for replicate in range(6):
            w = weights[replicate // 3, :, replicate % 3].astype(float)
            own = reading.read(tile(w))[0]
            assert values[place][replicate] == pytest.approx(answer.values(own), nan_ok=True)
            influence = item_influence(answer, reading, plan.items, w, own)
            error = standard_error(influence, w, plan.items)
            assert values[len(metrics) + place][replicate] == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("metric", ["ks", "ece"])
def test_metrics_without_an_influence_function_are_refused(metric):
    truth, predicted = data("binary", N)
    message = f"{metric} has no influence function: method='studentized' needs one"
    with pytest.raises(ValueError, match=message):
        fm.bootstrap(truth, predicted, metric, method="studentized", n_resamples=10)
