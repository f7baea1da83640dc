"""What metrics prepare for many weights gives what they measure under one of them."""

import numpy as np
import pytest

import fastmetrics as fm
from tests.law_problems import METRICS, families

OPTIONS = {
    "ece": [{"strategy": "quantile", "n_bins": 4}],
    "mce": [{"strategy": "quantile", "n_bins": 4}],
    **{name: [{"k": 7}, {"k": 0.9}] for name in ("precision_at_k", "recall_at_k", "lift_at_k")},
    "d2_pinball_score": [{"alpha": alpha} for alpha in (0.0, 0.9, 1.0)],
}
PREPARED = [
    metric
    for metric in (
        *METRICS,
        *(fm.metric(name, **options) for name, given in OPTIONS.items() for options in given),
    )
    if metric.statistic.prepare is not None
]


def rows_of(family, n, generator):
    """Truth and predictions (n,) with ties, or columns (n, 3), as a statistic takes them."""
    if family == "columns":
        return np.arange(n) % 3, generator.dirichlet(np.ones(3), n).round(1)
    if family == "values":
        return generator.integers(-4, 5, n) / 4, generator.normal(size=n).round(1)
    return (generator.random(n) < 0.4).astype(float), generator.random(n).round(1)


def lanes_of(kind, n, lanes, generator):
    """Weights (n, lanes), the last lane without any."""
    weights = generator.poisson(1.0, (n, lanes)).astype(float)
    if kind == "fractions":
        weights *= generator.random((n, 1))
    if kind == "few":
        weights *= generator.random((n, lanes)) < 0.1
    weights[:, -1] = 0.0
    return weights


@pytest.mark.parametrize("kind", ["counts", "fractions", "few"])
@pytest.mark.parametrize("n", [3, 40, 700])
@pytest.mark.parametrize("metric", PREPARED, ids=lambda metric: metric.label)
def test_prepared_numbers_are_those_of_each_lane(metric, n, kind):
    generator = np.random.default_rng(n)
    statistic = metric.statistic
    for family in families(metric):
        truth, predicted = rows_of(family, n, generator)
        of_lanes = statistic.prepare(truth, predicted)
        for lanes in (2, 9):
            weights = lanes_of(kind, n, lanes, generator)
            before = weights.copy()
            found = of_lanes(weights)
            assert found.shape == (lanes, statistic.size)
            columns = np.ascontiguousarray(weights.T)
            expected = [statistic.measure(truth, predicted, column) for column in columns]
            with np.errstate(divide="ignore", invalid="ignore"):
                values = metric.formula(found), metric.formula(np.array(expected))
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(*values, rtol=1e-9, atol=1e-12)
            assert np.isnan(values[0][-1])
            np.testing.assert_array_equal(weights, before)


def test_what_needs_all_rows_is_prepared():
    rows = [metric for metric in METRICS if metric.statistic.kind == "rows"]
    assert {metric.name for metric in rows} == {metric.name for metric in PREPARED}
    for metric in METRICS:
        statistic = metric.statistic
        assert (statistic.measure is None) == (statistic.kind != "rows")
        assert (statistic.terms is None) == (statistic.kind != "sums")


def test_quantile_edges_stay_where_the_rows_put_them():
    # the weight of a row moves no edge: it is that of the data at hand
    truth, predicted = rows_of("binary", 60, np.random.default_rng(0))
    metric = fm.metric("ece", strategy="quantile", n_bins=3)
    weights = np.ones((60, 2))
    weights[predicted > 0.5, 1] = 0.0
    for numbers in metric.statistic.prepare(truth, predicted)(weights):
        held = numbers[:3] > 0
        means = numbers[3:6][held] / numbers[:3][held]
        edges = np.percentile(predicted, [0, 100 / 3, 200 / 3, 100])
        low, high = edges[:-1][held], edges[1:][held]
        assert (low <= means).all()
        assert (means <= high).all()
