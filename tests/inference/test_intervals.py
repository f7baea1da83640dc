"""Intervals against their definitions, against scipy, and on the cases that break them."""

import math
import types

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics.inference.intervals import METHODS, IntervalRule, monte_carlo_error
from tests import reference

INF = math.inf


def rule(method="percentile", level=0.9, estimate=0.7, bounds=(0.0, 1.0), **options):
    return IntervalRule(
        method, level, options.pop("alternative", "two-sided"), estimate, bounds, **options
    )


def limits(replicates, *args, **options):
    return tuple(rule(*args, **options).apply(np.asarray(replicates, float)).limits)


def sample(n=501, seed=0):
    return np.random.default_rng(seed).beta(7, 3, n)


@pytest.mark.parametrize("n", [2, 3, 20, 501])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
class TestDefinitions:
    def test_percentile(self, level, n):
        expected = reference.percentile_interval(sample(n), level)
        assert limits(sample(n), "percentile", level) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize("estimate", [0.7, 0.95, 0.05])
    def test_basic_stays_within_the_bounds(self, level, n, estimate):
        expected = reference.basic_interval(sample(n), level, estimate, (0.0, 1.0))
        found = limits(sample(n), "basic", level, estimate)
        assert found == pytest.approx(expected, abs=1e-12)

    def test_normal(self, level, n):
        expected = reference.normal_interval(sample(n), level, 0.7)
        assert limits(sample(n), "normal", level) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0)])
    def test_logit(self, level, n, bounds):
        expected = reference.logit_interval(sample(n), level, 0.7, bounds)
        found = limits(sample(n), "logit", level, bounds=bounds)
        assert found == pytest.approx(expected, abs=1e-12)
        assert bounds[0] < found[0] < 0.7 < found[1] < bounds[1]

    @pytest.mark.parametrize("acceleration", [0.0, -0.12, 0.08])
    def test_bca(self, level, n, acceleration):
        estimate = float(np.quantile(sample(n), 0.4))
        expected = reference.bca_interval(sample(n), level, estimate, acceleration)
        found = limits(sample(n), "bca", level, estimate, acceleration=acceleration)
        assert found == pytest.approx(expected, abs=1e-12)


def test_ties_with_the_estimate_count_half():
    replicates = [3] * 7 + [4] * 4 + [5] * 2 + [6, 6, 7, 8, 9, 9, 10]
    acceleration = reference.acceleration([3.0] * 6 + [4.0])
    assert acceleration == pytest.approx(-0.12858612496840996, abs=1e-12)
    bca = rule("bca", 0.9, 3.0, (-INF, INF), acceleration=acceleration)
    interval = bca.apply(np.array(replicates, float))
    assert interval.z0 == pytest.approx(-0.9345892910734802, abs=1e-9)
    assert interval.acceleration == acceleration
    assert interval.limits == pytest.approx((3.0, 4.0), abs=1e-9)
    assert interval.method == "bca"


def test_bca_without_bias_and_skewness_is_percentile():
    values = np.arange(1.0, 100.0)
    assert limits(values, "bca", estimate=50.0, acceleration=0.0) == pytest.approx(
        limits(values, "percentile"), abs=1e-9
    )


@pytest.mark.parametrize("order", [1, -1])
def test_nan_replicates_are_left_out(order):
    values = np.array([0.5, 0.6, np.nan, 0.7, 0.8, 0.9, np.nan, 1.0])[::order]
    assert limits(values, "percentile", 0.5) == pytest.approx((0.625, 0.875), abs=1e-12)
    for method in METHODS:
        options = {"acceleration": 0.01} if method == "bca" else {}
        kept = values[~np.isnan(values)]
        assert limits(values, method, **options) == limits(kept, method, **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("replicates", [[], [np.nan, np.nan]])
def test_no_defined_replicate_leaves_no_limits(method, replicates):
    interval = rule(method, acceleration=0.0).apply(np.array(replicates))
    assert np.isnan(interval.limits).all()
    assert interval.method == method


@pytest.mark.parametrize("method", METHODS)
def test_an_undefined_estimate_leaves_no_limits(method):
    assert np.isnan(limits(sample(), method, estimate=float("nan"))).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [0.7, 1.0, 0.0])
def test_equal_replicates_leave_no_width(method, value):
    interval = rule(method, estimate=value).apply(np.full(50, value))
    assert interval.limits == pytest.approx((value, value), abs=1e-12)
    # without any spread there is nothing to accelerate, and nothing to be told of
    assert not [remark for remark in interval.remarks if "acceleration" in remark]


@pytest.mark.parametrize("estimate", [0.0, 0.999])
def test_bca_with_all_replicates_on_one_side_becomes_percentile(estimate):
    values = 0.1 + 0.8 * sample()
    interval = rule("bca", estimate=estimate, acceleration=0.05).apply(values)
    assert interval.method == "percentile"
    assert interval.limits == rule("percentile").apply(values).limits
    assert interval.remarks == (
        "all replicates lie on one side of the estimate: percentile limits",
    )


def test_bca_without_an_acceleration_takes_zero():
    values = sample()
    interval = rule("bca", acceleration=float("nan")).apply(values)
    assert interval.method == "bca"
    assert interval.acceleration == 0.0
    assert interval.limits == rule("bca", acceleration=0.0).apply(values).limits
    assert interval.remarks == ("the acceleration is undefined and was taken as 0",)


@pytest.mark.parametrize(
    ("acceleration", "told"), [(0.0, False), (0.3, True), (-0.3, True), (0.9, True), (-0.9, True)]
)
def test_a_limit_beyond_the_replicates_is_told(acceleration, told):
    values = sample()
    interval = rule("bca", 0.99, acceleration=acceleration).apply(values)
    beyond = "a limit lies beyond the first or last replicate: draw more"
    assert (beyond in interval.remarks) is told
    assert values.min() <= interval.limits.low <= interval.limits.high <= values.max()


@pytest.mark.parametrize("method", METHODS)
def test_one_sided_limits_put_all_of_the_error_on_one_side(method):
    values = sample()
    both = limits(values, method, 0.9, acceleration=0.02)
    above = limits(values, method, 0.95, acceleration=0.02, alternative="greater")
    below = limits(values, method, 0.95, acceleration=0.02, alternative="less")
    assert above == pytest.approx((both[0], INF))
    assert below == pytest.approx((-INF, both[1]))


@pytest.mark.parametrize(("estimate", "bounds"), [(1.0, (0.0, 1.0)), (-1.0, (-1.0, 1.0))])
def test_the_logit_at_a_bound_becomes_percentile(estimate, bounds):
    interval = rule("logit", estimate=estimate, bounds=bounds).apply(sample())
    assert interval.method == "percentile"
    assert interval.limits == rule("percentile").apply(sample()).limits
    assert "the logit is infinite" in interval.remarks[0]


def test_the_order_of_replicates_changes_nothing():
    values = sample()
    shuffled = np.random.default_rng(1).permutation(values)
    for method in METHODS:
        found = limits(shuffled, method, acceleration=0.02)
        assert found == pytest.approx(limits(values, method, acceleration=0.02), abs=1e-15)


def test_replicates_stay_as_they_are():
    values = np.random.default_rng(1).permutation(sample())
    before = values.copy()
    for method in METHODS:
        rule(method, acceleration=0.02).apply(values)
        monte_carlo_error(rule(method, acceleration=0.02), values, rounds=3)
    np.testing.assert_array_equal(values, before)


def auc_of_rows(labels, scores):
    return reference.auc(labels, scores)


def auc_of_classes(positives, negatives):
    wins = np.subtract.outer(positives, negatives)
    return np.mean((np.sign(wins) + 1) / 2)


def problem(n=60):
    generator = np.random.default_rng(3)
    labels = (generator.random(n) < 0.35).astype(int)
    return labels, (generator.normal(size=n) + labels).round(1)


def scipys_interval(result, data, statistic, method, paired):
    """What scipy makes of our replicates."""
    there = types.SimpleNamespace(bootstrap_distribution=result.bootstrap_distribution)
    made = stats.bootstrap(
        data,
        statistic,
        n_resamples=0,
        bootstrap_result=there,
        paired=paired,
        vectorized=False,
        method=method,
    )
    return tuple(made.confidence_interval)


@pytest.mark.parametrize("method", ["BCa", "percentile", "basic"])
def test_rows_have_the_interval_of_scipy(method):
    labels, scores = problem()
    result = fm.bootstrap(labels, scores, method=method, n_resamples=999, rng=0)
    expected = scipys_interval(result, (labels, scores), auc_of_rows, method, paired=True)
    assert tuple(result.confidence_interval) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("method", ["BCa", "percentile", "basic"])
def test_strata_have_the_interval_of_scipy_for_two_samples(method):
    labels, scores = problem()
    result = fm.bootstrap(labels, scores, method=method, strata="class", n_resamples=999, rng=0)
    data = scores[labels == 1], scores[labels == 0]
    expected = scipys_interval(result, data, auc_of_classes, method, paired=False)
    assert tuple(result.confidence_interval) == pytest.approx(expected, abs=1e-10)


def test_the_estimate_may_tie_with_many_replicates():
    # recall of 10 positives has 11 values, so z0 hangs on how ties count
    labels = np.array([1] * 10 + [0] * 10)
    scores = np.array([0.9] * 7 + [0.1] * 3 + [0.2] * 10)
    result = fm.bootstrap(labels, scores, "recall", n_resamples=2000, strata="class", rng=0)
    values = result.bootstrap_distribution
    assert np.mean(values == result.estimate) > 0.2
    assert result.z0 == pytest.approx(reference.bias_correction(values.tolist(), 0.7), abs=1e-12)
    assert abs(result.z0) < 0.1


@pytest.mark.parametrize("method", ["percentile", "basic", "normal", "bca"])
def test_monte_carlo_error_is_the_spread_over_repeated_runs(method):
    labels, scores = problem()
    runs = [
        fm.bootstrap(labels, scores, method=method, n_resamples=500, rng=seed)
        for seed in range(120)
    ]
    spread = np.std([run.confidence_interval for run in runs], axis=0, ddof=1)
    told = np.mean([run.monte_carlo_error for run in runs[:15]], axis=0)
    np.testing.assert_allclose(told, spread, rtol=0.3)


def test_monte_carlo_error_falls_with_the_square_root_of_the_replicates():
    few, many = (
        np.array(monte_carlo_error(rule("percentile", 0.5), sample(n))) for n in (400, 40_000)
    )
    np.testing.assert_allclose(few / many, 10, rtol=0.3)


def test_monte_carlo_error_takes_no_part_in_the_randomness():
    first, second = (monte_carlo_error(rule(), sample()) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("replicates", [[], [np.nan], [0.5], [0.5, np.nan]])
def test_monte_carlo_error_needs_two_replicates(replicates):
    assert np.isnan(monte_carlo_error(rule(), np.array(replicates))).all()
