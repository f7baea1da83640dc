"""Intervals for proportions: the worked example, scipy's numbers, and their defining equations."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm

METHODS = ["wilson", "wald", "clopper-pearson", "jeffreys", "agresti-coull"]
METHOD = pytest.mark.parametrize("method", METHODS)
COUNTS = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.floats(0.5, 0.999)


def test_worked_example():
    assert [round(limit, 4) for limit in fm.wald_interval(8, 12)] == [0.3999, 0.9334]
    assert [round(limit, 4) for limit in fm.wilson_interval(8, 12)] == [0.3906, 0.8619]
    low, high = fm.wilson_interval(8, 12)
    assert round((low + high) / 2, 4) == 0.6263
    assert round((high - low) / 2, 4) == 0.2356


def test_one_function_each():
    assert fm.wald_interval(3, 9) == fm.proportion_interval(3, 9, method="wald")
    assert fm.wilson_interval(3, 9) == fm.proportion_interval(3, 9)
    low, high = fm.wilson_interval(3, 9, confidence_level=0.8)
    wide = fm.wilson_interval(3, 9)
    assert wide.low < low < high < wide.high


@given(COUNTS, LEVELS)
@settings(deadline=None)
def test_agrees_with_scipy(counts, level):
    test = stats.binomtest(*counts)
    for method, name in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        limits = fm.proportion_interval(*counts, confidence_level=level, method=method)
        expected = test.proportion_ci(level, method=name)
        assert limits == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)


@given(COUNTS, LEVELS)
@settings(deadline=None)
def test_definitions(counts, level):
    count, n = counts
    z, tail = stats.norm.ppf((1 + level) / 2), (1 - level) / 2
    options = {"confidence_level": level}
    p = count / n
    low, high = fm.proportion_interval(count, n, **options, method="wald")
    assert low == pytest.approx(p - z * np.sqrt(p * (1 - p) / n), abs=1e-12)
    assert high - p == pytest.approx(p - low, abs=1e-12)
    for limit in fm.proportion_interval(count, n, **options):
        # the observed share lies z standard errors of the limit from the limit
        assert abs(p - limit) == pytest.approx(z * np.sqrt(limit * (1 - limit) / n), abs=1e-9)
    low, high = fm.proportion_interval(count, n, **options, method="agresti-coull")
    wald = fm.wald_interval(count + z * z / 2, n + z * z, **options)
    assert (low, high) == pytest.approx(wald, abs=1e-12)
    low, high = fm.proportion_interval(count, n, **options, method="clopper-pearson")
    assert low == 0 if count == 0 else stats.binom.sf(count - 1, n, low) == pytest.approx(tail)
    assert high == 1 if count == n else stats.binom.cdf(count, n, high) == pytest.approx(tail)
    low, high = fm.proportion_interval(count, n, **options, method="jeffreys")
    posterior = stats.beta(count + 0.5, n - count + 0.5)
    assert low == 0 if count == 0 else posterior.cdf(low) == pytest.approx(tail)
    assert high == 1 if count == n else posterior.sf(high) == pytest.approx(tail)


@METHOD
@given(COUNTS)
@settings(deadline=None)
def test_mirrored_and_around_the_share(method, counts):
    count, n = counts
    low, high = fm.proportion_interval(count, n, method=method)
    assert low <= count / n <= high
    mirrored = fm.proportion_interval(n - count, n, method=method)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)
    if method in ("wilson", "clopper-pearson", "jeffreys"):
        assert 0 <= low < high <= 1
        assert (low == 0) == (count == 0)
        assert (high == 1) == (count == n)


@METHOD
def test_arrays(method):
    counts, trials = np.array([[0, 3], [7, 10]]), np.array([10, 20])
    low, high = fm.proportion_interval(counts, trials, method=method)
    assert low.shape == high.shape == (2, 2)
    for place in np.ndindex(2, 2):
        alone = fm.proportion_interval(int(counts[place]), int(trials[place[1]]), method=method)
        assert alone == (low[place], high[place])
        assert type(alone.low) is float
    frame = pd.Series([3, 10], index=[5, 4])
    assert fm.proportion_interval(frame, 20, method=method).low.tolist() == low[:, 1].tolist()
    assert counts.tolist() == [[0, 3], [7, 10]]


@METHOD
def test_no_trials(method):
    with pytest.warns(UndefinedMetricWarning, match="n is 0"):
        low, high = fm.proportion_interval([0, 1], [0, 2], method=method)
    assert np.isnan([low[0], high[0]]).all()
    assert not np.isnan([low[1], high[1]]).any()


@pytest.mark.parametrize(
    ("count", "n", "options", "message"),
    [
        (5, 4, {}, "count is 5 of n=4"),
        (-1, 4, {}, "count is -1 of n=4"),
        ([1, 7], [3, 6], {}, "count is 7 of n=6"),
        (np.nan, 4, {}, "count contains NaN"),
        ([1, 2], [3, np.inf], {}, "n contains infinity"),
        ("two", 4, {}, "numbers are needed"),
        (np.ma.masked_array([1, 2], [True, False]), 4, {}, "count has 1 masked"),
        (1, 4, {"confidence_level": 1 - 2**-53}, "give a fraction"),
        (1, 4, {"confidence_level": 95}, "confidence_level=95: give a fraction, 0.95"),
        (1, 4, {"confidence_level": 1.0}, "give a fraction, 0.95"),
        (1, 4, {"confidence_level": "0.9"}, "give a fraction"),
        (1, 4, {"method": "exact"}, "'method' parameter of proportion_interval"),
    ],
)
def test_bad_data(count, n, options, message):
    with pytest.raises(ValueError, match=message):
        fm.proportion_interval(count, n, **options)


def test_coverage_of_twelve_trials():
    # over all outcomes: Wald claims 95 % and reaches far less, Clopper-Pearson never less
    outcomes = np.arange(13)
    covered = {}
    for method in METHODS:
        low, high = fm.proportion_interval(outcomes, 12, method=method)
        shares = []
        for p in np.linspace(0.02, 0.98, 97):
            inside = (low <= p) & (p <= high)
            shares.append(stats.binom.pmf(outcomes, 12, p)[inside].sum())
        covered[method] = np.array(shares)
    assert covered["clopper-pearson"].min() >= 0.95
    assert covered["wald"].mean() < 0.9
    assert 0.94 < covered["wilson"].mean() < 0.97
