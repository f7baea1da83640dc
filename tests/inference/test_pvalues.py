"""P-values invert the interval that is reported, are never 0, and are adjusted as Holm says."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics.inference.intervals import METHODS, IntervalRule
from fastmetrics.inference.pvalues import holm, invert

DRAWN = [method for method in METHODS if method != "delong"]
SIZE = 999
NULLS = [-1e9, -1.0, -0.999, 0.0, 0.999, 1.0, 1e9]


def replicates(seed=0, size=SIZE, shift=0.1):
    """Skewed differences between -1 and 1, all distinct."""
    return 0.6 * (np.random.default_rng(seed).beta(6, 3, size) - 2 / 3) + shift


def rule_of(method, level=0.95, *, estimate=0.1, acceleration=0.03, alternative="two-sided"):
    return IntervalRule(method, level, alternative, estimate, (-1.0, 1.0), acceleration)


def p_of(method, values, null=0.0, alternative=None, **options):
    rule = rule_of(method, **options)
    return invert(rule, rule.apply(values), values, null, alternative)


def covers(method, values, level, null, **options):
    low, high = rule_of(method, level, **options).apply(values).limits
    return low <= null <= high


@pytest.mark.parametrize("method", DRAWN)
@pytest.mark.parametrize("place", [4, 20, 100, 300, 700, 900, 990])
@pytest.mark.parametrize("acceleration", [-0.1, 0.0, 0.15])
def test_the_interval_at_the_level_of_the_p_value_just_touches_the_null(
    method, place, acceleration
):
    values = np.sort(replicates())
    options = {"acceleration": acceleration}
    read = 2 * 0.1 - values[::-1] if method in ("basic", "studentized") else values
    null = (read[place] + read[place + 1]) / 2
    p = p_of(method, values, null, **options)
    assert 0 < p <= 1
    # a p-value is a share of replicates: move the null by a few of them
    around = [p_of(method, values, read[place + step], **options) for step in (-3, 4)]
    larger, smaller = max(around), min(around)
    assert smaller <= p <= larger
    if larger < 1:
        assert not covers(method, values, 1 - larger, null, **options)
    assert covers(method, values, 1 - smaller, null, **options)


@pytest.mark.parametrize("method", ["normal", "logit"])
@pytest.mark.parametrize("null", [-0.3, 0.0, 0.07, 0.2, 0.4])
def test_smooth_intervals_touch_the_null_exactly(method, null):
    values = replicates()
    p = p_of(method, values, null)
    assert not covers(method, values, 1 - p * (1 + 1e-7) - 1e-12, null)
    assert covers(method, values, 1 - p * (1 - 1e-7) + 1e-12, null)


def test_a_share_of_replicates_counts_one_more():
    values = np.array([-0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert p_of("percentile", values) == pytest.approx(2 * (3 + 1) / 10)
    assert p_of("percentile", values, -0.15) == pytest.approx(2 * (1 + 1) / 10)
    assert p_of("percentile", values, -1.0) == pytest.approx(2 / 10)
    assert p_of("percentile", values, 1.0) == pytest.approx(2 / 10)
    assert p_of("percentile", values, 0.2) == 1.0
    # basic: the replicates mirrored about the estimate, here 2 * 0.1 - d
    mirrored = np.sort(0.2 - values)
    for null in (-0.25, 0.05, 0.35):
        counted = min((mirrored <= null).sum(), (mirrored >= null).sum()) + 1
        assert p_of("basic", values, null) == pytest.approx(min(1.0, 2 * counted / 10))


@pytest.mark.parametrize("acceleration", [-0.2, 0.0, 0.1])
@pytest.mark.parametrize("estimate", [0.02, 0.1, 0.2])
def test_bca_takes_the_share_back_through_its_correction(acceleration, estimate):
    values = replicates()
    z0 = stats.norm.ppf((np.sum(values < estimate) + np.sum(values == estimate) / 2) / SIZE)
    for null in (-0.1, 0.0, 0.15):
        tails = []
        for share in (np.mean(values <= null), np.mean(values >= null)):
            share = (share * SIZE + 1) / (SIZE + 1)
            side = 1 if len(tails) == 0 else -1
            shifted = stats.norm.ppf(share if side == 1 else 1 - share) - z0
            tails.append(stats.norm.cdf(side * (shifted / (1 + acceleration * shifted) - z0)))
        expected = min(1.0, 2 * min(tails))
        found = p_of("bca", values, null, estimate=estimate, acceleration=acceleration)
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("method", DRAWN)
def test_the_side_that_is_tested(method):
    values = replicates()
    greater = p_of(method, values, 0.0, "greater")
    less = p_of(method, values, 0.0, "less")
    assert p_of(method, values) == pytest.approx(min(1.0, 2 * min(greater, less)))
    assert greater < 0.5 < less
    # the one-sided interval of the rule inverts the one-sided p-value
    for alternative, p in (("greater", greater), ("less", less)):
        assert p_of(method, values, alternative=alternative) == p
        low, high = rule_of(method, 1 - p - 0.01, alternative=alternative).apply(values).limits
        assert not low <= 0 <= high
        low, high = rule_of(method, 1 - p + 0.01, alternative=alternative).apply(values).limits
        assert low <= 0 <= high


@pytest.mark.parametrize("method", DRAWN)
@pytest.mark.parametrize("acceleration", [-0.9, -0.3, 0.0, 0.3, 0.9, math.nan])
@pytest.mark.parametrize("estimate", [-0.2, 0.1, 0.25])
def test_no_p_value_is_ever_0(method, acceleration, estimate):
    rule = rule_of(method, estimate=estimate, acceleration=acceleration)
    for values in (replicates(), replicates(size=5), np.full(50, estimate), np.array([estimate])):
        interval = rule.apply(values)
        for null, alternative in itertools.product(NULLS, (None, "greater", "less")):
            p = invert(rule, interval, values, null, alternative)
            assert 0 < p <= 1 or (values.size == 1 and math.isnan(p))


@pytest.mark.parametrize("method", DRAWN)
def test_equal_replicates_at_the_null_say_nothing(method):
    zeros = np.zeros(99)
    assert p_of(method, zeros, estimate=0.0, acceleration=math.nan) == 1.0
    # and away from it as much as so many replicates can
    assert p_of(method, zeros + 0.5, estimate=0.5, acceleration=math.nan) == pytest.approx(2 / 100)


@pytest.mark.parametrize("method", DRAWN)
def test_nothing_to_test_is_nan(method):
    assert math.isnan(p_of(method, np.array([])))
    assert math.isnan(p_of(method, np.full(5, np.nan)))
    assert math.isnan(p_of(method, replicates(), estimate=math.nan))
    values = np.concatenate([replicates(), [np.nan] * 7])
    assert p_of(method, values) == p_of(method, replicates())


@pytest.mark.parametrize("method", DRAWN)
def test_p_falls_as_the_null_moves_away(method):
    values = replicates()
    nulls = np.linspace(0.12, -0.35, 40)
    found = [p_of(method, values, null, "greater") for null in nulls]
    assert all(one >= other for one, other in itertools.pairwise(found))
    assert found[0] > 0.5
    assert found[-1] < 0.01


def rejected_by_holm(pvalues, alpha):
    """Hypotheses that the step-down procedure rejects."""
    order = sorted(range(len(pvalues)), key=lambda k: pvalues[k])
    rejected = set()
    for place, k in enumerate(order):
        if pvalues[k] > alpha / (len(pvalues) - place):
            break
        rejected.add(k)
    return rejected


@pytest.mark.parametrize("seed", range(20))
def test_adjusted_p_values_reject_what_the_procedure_rejects(seed):
    generator = np.random.default_rng(seed)
    pvalues = (generator.random(int(generator.integers(1, 9))) ** 3).tolist()
    adjusted = holm(pvalues)
    for alpha in np.linspace(0.001, 0.999, 300):
        expected = rejected_by_holm(pvalues, alpha)
        assert {k for k, p in enumerate(adjusted) if p <= alpha} == expected
    assert all(one <= other <= 1 for one, other in zip(pvalues, adjusted))


def test_what_is_undefined_is_no_hypothesis():
    adjusted = holm([0.01, math.nan, 0.04, 0.04])
    assert adjusted[0] == pytest.approx(0.03)
    assert math.isnan(adjusted[1])
    assert adjusted[2:] == pytest.approx([0.08, 0.08])
    assert holm([]) == []
    assert holm([0.2]) == [0.2]
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize("method", ["percentile", "bca", "normal"])
def test_p_values_of_equal_models_are_nearly_uniform(method):
    generator = np.random.default_rng(0)
    found = []
    for seed in range(150):
        labels = np.arange(80) % 2
        models = {name: labels + generator.normal(0, 1.5, 80) for name in ("a", "b")}
        found.append(fm.compare(labels, models, method=method, n_resamples=400, rng=seed).pvalue)
    assert stats.kstest(found, "uniform").pvalue > 1e-3
