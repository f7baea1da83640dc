"""Replicates that tie but for rounding: weights that are all alike change nothing."""

from statistics import NormalDist

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.inference.intervals import IntervalRule, rounding_of, with_ties
from fastmetrics.inference.pvalues import invert
from tests import reference
from tests.inference.bootstrap_problems import problem

METRICS = ["accuracy", "recall", "roc_auc", "brier_score", "matthews_corrcoef"]
OPTIONS = {"n_resamples": 1500, "rng": 0, "method": "bca"}


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 7.0, 1e-5])
@pytest.mark.parametrize(
    "design", [{}, {"groups": np.arange(120) % 50}, {"strata": "class"}], ids=str
)
def test_equal_weights_leave_every_interval_as_it_is(weight, design):
    labels, scores = problem()
    plain = fm.bootstrap(labels, scores, METRICS, **OPTIONS, **design)
    weights = np.full(labels.size, weight)
    weighted = fm.bootstrap(labels, scores, METRICS, sample_weight=weights, **OPTIONS, **design)
    for name in METRICS:
        found, wanted = weighted[name], plain[name]
        np.testing.assert_allclose(
            found.bootstrap_distribution, wanted.bootstrap_distribution, rtol=1e-12
        )
        assert found.z0 == pytest.approx(wanted.z0, abs=1e-12)
        np.testing.assert_allclose(found.confidence_interval, wanted.confidence_interval, rtol=1e-9)


def test_a_replicate_that_ties_is_equal_to_the_estimate():
    labels, scores = problem(digits=1)
    # sums of tenths, which no float holds exactly
    result = fm.bootstrap(labels, scores, ["mean", "accuracy"], **OPTIONS)
    for name in result.metrics:
        values = result[name].bootstrap_distribution
        tied = np.abs(values - result[name].estimate) < 1e-11
        assert tied.sum() > 10
        assert (values[tied] == result[name].estimate).all()


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_models_that_err_as_often_win_as_often_under_equal_weights(method):
    labels, scores = problem()
    # each model is right where the other errs, on as many rows
    first = (scores >= 0.5).astype(int)
    second = first.copy()
    right, wrong = np.flatnonzero(first == labels)[:6], np.flatnonzero(first != labels)[:6]
    second[np.concatenate([right, wrong])] ^= 1
    options = {"metrics": "accuracy", "n_resamples": 1500, "rng": 0, "method": method}
    data = {"y_true": labels, "y_pred": {"a": first, "b": second}}
    plain = fm.compare(**data, **options)
    weighted = fm.compare(**data, sample_weight=np.full(120, 0.1), **options)
    assert plain.estimate == 0.0
    ties = np.mean(plain.bootstrap_distribution == 0)
    assert ties > 0.05
    for comparison in (plain, weighted):
        assert comparison.pvalue == pytest.approx(plain.pvalue)
        assert comparison.win_share == plain.win_share
        other = comparison["b", "a"].win_share
        assert comparison.win_share + other + ties == pytest.approx(1.0)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_ties_are_told_by_the_scale_of_the_replicates(scale):
    generator = np.random.default_rng(0)
    exact = generator.integers(-3, 4, 999) / 10 * scale
    noisy = exact + generator.uniform(-1, 1, 999) * 1e-15 * scale
    found = []
    slack = rounding_of(noisy)
    for values in (exact, with_ties(with_ties(noisy, 0.1 * scale, slack), 0.0, slack)):
        rule = IntervalRule("bca", 0.95, "two-sided", 0.1 * scale, (-1e9, 1e9), 0.01)
        interval = rule.apply(values)
        found.append((interval.z0, invert(rule, interval, values)))
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    far = np.array([0.1 * scale * (1 + 1e-9), np.nan, 0.3 * scale])
    np.testing.assert_array_equal(with_ties(far, 0.1 * scale, rounding_of(far)), far)


def test_no_replicates_have_no_ties():
    assert rounding_of(np.empty(0)) == rounding_of(np.full(3, np.nan), np.empty(0)) == 0.0
    assert with_ties(np.empty(0), 0.5, 0.0).shape == (0,)
    assert np.isnan(with_ties(np.full(3, np.nan), 0.5, 1.0)).all()
    assert with_ties(np.array([0.5]), np.nan, 1.0).tolist() == [0.5]


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_differences_of_shares_tie_with_the_estimate(method):
    # k/n less m/n is rounded apart for equal k - m
    labels, scores = problem()
    data = {"y_true": labels, "y_score": {"a": scores, "b": scores**2}}
    comparison = fm.compare(**data, metrics="accuracy", n_resamples=1500, rng=0, method=method)
    values = comparison.bootstrap_distribution
    steps = np.rint(values * 120)
    np.testing.assert_allclose(values, steps / 120, atol=1e-15)
    own = np.rint(comparison.estimate * 120)
    assert ((values == comparison.estimate) == (steps == own)).all()
    assert ((values == 0) == (steps == 0)).all()
    raw = np.subtract(*(comparison.scores[name].bootstrap_distribution for name in "ab"))
    assert np.sum(raw == comparison.estimate) < np.sum(steps == own)
    if method == "bca":
        share = np.mean(steps < own) + np.mean(steps == own) / 2
        lower = values.tolist()
        deleted = [
            np.array([np.mean(np.delete(hit, row)) for row in range(120)])
            for hit in (labels == (scores >= 0.5), labels == (scores**2 >= 0.5))
        ]
        acceleration = reference.acceleration(deleted[0] - deleted[1])
        assert reference.bias_correction(lower, comparison.estimate) == pytest.approx(
            NormalDist().inv_cdf(share), abs=1e-9
        )
        expected = reference.bca_interval(lower, 0.95, comparison.estimate, acceleration)
        assert tuple(comparison.confidence_interval) == pytest.approx(expected, abs=1e-10)
