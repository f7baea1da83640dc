"""Deviances: figures by hand, limits between powers, where they exist, descriptions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils._param_validation import InvalidParameterError

import fastmetrics as fm
from fastmetrics.regression import deviance
from tests import reference_regression as reference
from tests.regression_data import problems

POWERS = [-1.5, -1, 0, 1, 1.5, 2, 2.5, 3]
CONVERT = [list, np.array, lambda values: np.array(values, np.float32)]


def test_by_hand():
    assert fm.mean_poisson_deviance([0, 2], [1, 1]) == pytest.approx(1 + (2 * math.log(2) - 1))
    assert fm.mean_gamma_deviance([2], [1]) == pytest.approx(2 * (1 - math.log(2)))
    assert fm.mean_tweedie_deviance([1, 5], [2, 3]) == 2.5
    assert fm.mean_tweedie_deviance([2.0], [1.0], power=3) == pytest.approx(0.5)
    assert fm.mean_tweedie_deviance([0.0], [1.0], power=1.5) == pytest.approx(4)
    assert fm.mean_tweedie_deviance([0.0, -7], [1.0, 1], power=-1) == pytest.approx(2 / 6 * 2 + 3.5)


@given(problems(), st.sampled_from(POWERS))
@settings(deadline=None, max_examples=60)
def test_the_definition(problem, power):
    y_true, y_pred, weights = problem
    found = fm.mean_tweedie_deviance(y_true, y_pred, sample_weight=weights, power=power)
    expected = reference.mean_tweedie_deviance(*problem, power=power)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert found >= -1e-12
    found = fm.d2_tweedie_score(y_true, y_pred, sample_weight=weights, power=power)
    expected = reference.d2_tweedie_score(*problem, power=power)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(problems(), st.sampled_from(POWERS))
@settings(deadline=None, max_examples=30)
def test_the_mean_is_the_best_constant(problem, power):
    y_true, _, weights = problem
    mean = np.average(y_true, weights=weights)

    def loss(constant):
        forecast = np.full(len(y_true), constant)
        return fm.mean_tweedie_deviance(y_true, forecast, sample_weight=weights, power=power)

    for factor in (0.9, 1.1):
        assert loss(mean) < loss(factor * mean)


def test_limits_between_powers():
    y_true, y_pred = np.random.default_rng(0).random((2, 100)) + 0.1
    for power, side in [(1, 1e-7), (2, 1e-7), (2, -1e-7), (0, -1e-9)]:
        near = fm.mean_tweedie_deviance(y_true, y_pred, power=power + side)
        assert near == pytest.approx(
            fm.mean_tweedie_deviance(y_true, y_pred, power=power), rel=1e-5
        )


def test_named_deviances_are_powers():
    y_true, y_pred = np.random.default_rng(0).random((2, 50)) + 0.1
    poisson, gamma = fm.mean_poisson_deviance, fm.mean_gamma_deviance
    assert poisson(y_true, y_pred) == fm.mean_tweedie_deviance(y_true, y_pred, power=1)
    assert gamma(y_true, y_pred) == fm.mean_tweedie_deviance(y_true, y_pred, power=2.0)
    assert fm.mean_tweedie_deviance(y_true, y_pred) == fm.mean_squared_error(y_true, y_pred)
    assert fm.d2_tweedie_score(y_true, y_pred) == fm.r2_score(y_true, y_pred)


def test_perfect_is_0():
    values = np.random.default_rng(0).random(3000) + 0.1
    for power in POWERS:
        assert fm.mean_tweedie_deviance(values, values, power=power) == pytest.approx(0, abs=1e-14)
        assert fm.d2_tweedie_score(values, values, power=power) == pytest.approx(1)


OUTSIDE = [
    (
        -1.2,
        [0.0, 1.0],
        [1.0, 0.0],
        "strictly positive y_pred. y_pred has 1 outside, first at row 1",
    ),
    (1, [1.0, -1.0], [1.0, 1.0], "non-negative y and strictly positive y_pred. y_true has 1"),
    (1, [0.0, 0.0], [0.0, -1.0], "non-negative y and strictly positive y_pred. y_pred has 2"),
    (1.5, [1.0, -1.0], [1.0, 1.0], "non-negative y and strictly positive y_pred. y_true has 1"),
    (2, [0.0, 1.0], [1.0, 1.0], "strictly positive y and y_pred. y_true has 1"),
    (2, [1.0, 1.0], [1.0, -1.0], "strictly positive y and y_pred. y_pred has 1"),
    (3.0, [1.0, -1.0], [-1.0, 1.0], "strictly positive y and y_pred. y_true has 1"),
]


@pytest.mark.parametrize("convert", CONVERT)
@pytest.mark.parametrize(("power", "y_true", "y_pred", "message"), OUTSIDE)
def test_where_deviances_do_not_exist(power, y_true, y_pred, message, convert):
    message = f"Mean Tweedie deviance error with power={power} can only be used on {message}"
    for function in (fm.mean_tweedie_deviance, fm.d2_tweedie_score):
        with pytest.raises(ValueError, match=message):
            function(convert(y_true), convert(y_pred), power=power)
    metric = deviance.describe_tweedie_deviance(power=power)
    with pytest.raises(ValueError, match=message):
        metric.statistic.terms(np.array(y_true), np.array(y_pred))


def test_an_entry_outside_a_later_block():
    y_true, y_pred = np.ones((2, 30_000))
    y_pred[20_000] = -3.0
    for power in (-1, 1, 1.5, 2):
        with pytest.raises(ValueError, match="y_pred has 1 outside, first at row 20000"):
            fm.mean_tweedie_deviance(y_true, y_pred, power=power)


@pytest.mark.parametrize("convert", CONVERT)
def test_quotients_out_of_range(convert):
    # of gamma the logarithm of such a quotient is infinite, a Poisson target so small is as 0
    assert fm.mean_gamma_deviance(np.array([1e-300]), np.array([1e300])) == math.inf
    assert fm.mean_poisson_deviance(np.array([1e-300]), np.array([1e300])) == 2e300
    assert fm.mean_poisson_deviance(convert([0.0, 0.0]), convert([1.0, 3.0])) == 4
    with pytest.raises(ValueError, match="y_pred contains infinity"):
        fm.mean_gamma_deviance(convert([1.0, 1.0]), convert([math.inf, 1.0]))


def test_several_outputs_are_refused():
    values = np.ones((3, 2))
    for function in (fm.mean_poisson_deviance, fm.mean_gamma_deviance, fm.mean_tweedie_deviance):
        with pytest.raises(ValueError, match="Multioutput not supported in mean_tweedie_deviance"):
            function(values, values)
    with pytest.raises(ValueError, match="Multioutput not supported in d2_tweedie_score"):
        fm.d2_tweedie_score(values, values)


@pytest.mark.parametrize("power", [0.5, 1e-9, math.nan, math.inf, "1", None, 1j])
@pytest.mark.parametrize("name", ["mean_tweedie_deviance", "d2_tweedie_score"])
def test_powers_without_a_distribution(name, power):
    with pytest.raises(InvalidParameterError, match=f"'power' parameter of {name}"):
        getattr(fm, name)([1.0, 2.0], [1.0, 2.0], power=power)


@pytest.mark.parametrize("convert", CONVERT)
@pytest.mark.parametrize("power", POWERS)
def test_scores_that_are_undefined(power, convert):
    with pytest.warns(UndefinedMetricWarning, match="less than two samples"):
        assert math.isnan(fm.d2_tweedie_score(convert([1.0]), convert([2.0]), power=power))
    values, weights, constant = map(convert, ([1.0, 3.0], [1.0, 0.0], [0.1, 0.1, 0.1]))
    with pytest.warns(UndefinedMetricWarning, match="less than two samples"):
        assert math.isnan(fm.d2_tweedie_score(values, values, sample_weight=weights, power=power))
    with pytest.warns(UndefinedMetricWarning, match="no deviance to compare with"):
        assert math.isnan(fm.d2_tweedie_score(constant, constant, power=power))


def test_a_negative_mean():
    with pytest.warns(UndefinedMetricWarning, match="no deviance to compare with"):
        assert math.isnan(fm.d2_tweedie_score([-3.0, 1.0], [1.0, 1.0], power=-1))


@given(problems(), st.sampled_from(POWERS))
@settings(deadline=None, max_examples=60)
def test_descriptions(problem, power):
    y_true, y_pred, weights = problem
    metric = deviance.describe_tweedie_deviance(power=power)
    value = metric.formula(weights @ metric.statistic.terms(y_true, y_pred))
    expected = reference.mean_tweedie_deviance(*problem, power=power)
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert metric.label == f"mean_tweedie_deviance[power={power}]"
    score = deviance.describe_tweedie_score(power=power)
    terms = score.statistic.terms(y_true, y_pred)
    assert terms.shape == (len(y_true), score.statistic.size)
    replicates = score.formula(np.stack([weights, 3 * weights]) @ terms)
    expected = reference.d2_tweedie_score(*problem, power=power)
    assert replicates == pytest.approx([expected] * 2, rel=1e-8, abs=1e-8)


def test_plain_descriptions():
    y_true, y_pred, weights = np.random.default_rng(0).random((3, 20)) + 0.1
    for metric in deviance.METRICS:
        value = metric.formula(weights @ metric.statistic.terms(y_true, y_pred))
        expected = getattr(reference, metric.name)(y_true, y_pred, weights)
        assert value == pytest.approx(expected)
        assert (metric.input, metric.bounds) == ("value", (0, math.inf))


def test_the_description_of_constant_targets_is_undefined():
    for power in POWERS:
        score = deviance.describe_tweedie_score(power=power)
        sums = score.statistic.terms(np.full(7, 0.1), np.full(7, 0.3)).sum(axis=0)
        assert np.isnan(score.formula(sums))
