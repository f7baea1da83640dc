"""Pinball losses and their explained shares: figures by hand, the best constant, descriptions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils._param_validation import InvalidParameterError

import fastmetrics as fm
from fastmetrics.regression import pinball
from tests import reference_regression as reference
from tests.regression_data import FORECASTS, HOUSEHOLDS, problems


def test_by_hand():
    # one unit below costs 1 - alpha, one above alpha
    assert fm.mean_pinball_loss([1, 2, 3], [0, 2, 3], alpha=0.1) == pytest.approx(0.1 / 3)
    assert fm.mean_pinball_loss([1, 2, 3], [1, 2, 4], alpha=0.1) == pytest.approx(0.9 / 3)
    assert fm.mean_pinball_loss(HOUSEHOLDS, FORECASTS) == 2.5 / 2
    assert fm.mean_pinball_loss(HOUSEHOLDS, FORECASTS, alpha=0) == pytest.approx(7 / 6)
    assert fm.mean_pinball_loss(HOUSEHOLDS, FORECASTS, alpha=1) == pytest.approx(8 / 6)


def test_shares_explained_by_hand():
    # absolute errors 15; around the median 17.5: 40
    assert fm.d2_absolute_error_score(HOUSEHOLDS, FORECASTS) == pytest.approx(1 - 15 / 40)
    assert fm.d2_pinball_score(HOUSEHOLDS, FORECASTS) == pytest.approx(1 - 15 / 40)


@given(problems(), st.sampled_from([0, 0.1, 0.25, 0.5, 0.9, 1]))
@settings(deadline=None, max_examples=60)
def test_the_best_constant_scores_0(problem, alpha):
    y_true, _, weights = problem
    kept = weights > 0
    best = float(reference.quantile(y_true[kept], weights[kept], alpha))
    loss = fm.mean_pinball_loss(
        y_true, np.full(len(y_true), best), alpha=alpha, sample_weight=weights
    )
    for other in y_true:
        forecast = np.full(len(y_true), other)
        assert loss <= 1e-12 + fm.mean_pinball_loss(
            y_true, forecast, alpha=alpha, sample_weight=weights
        )
    if loss > 0:
        score = fm.d2_pinball_score(
            y_true, np.full(len(y_true), best), alpha=alpha, sample_weight=weights
        )
        assert score == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("function", [fm.d2_absolute_error_score, fm.d2_pinball_score])
def test_targets_that_are_all_equal(function):
    assert function([3.0, 3.0], [3.0, 3.0]) == 1
    assert function([3.0, 3.0], [3.0, 4.0]) == 0
    raw = function([[1, 3], [1, 2]], [[1, 4], [1, 1]], multioutput="raw_values")
    assert raw.tolist() == [1, -1]


@pytest.mark.parametrize("function", [fm.d2_absolute_error_score, fm.d2_pinball_score])
@pytest.mark.parametrize("weights", [None, [1.0], [1.0, 0.0]])
def test_one_row(function, weights):
    rows = [3.0, 5.0][: 1 if weights is None else len(weights)]
    with pytest.warns(UndefinedMetricWarning, match="not well-defined with less than two samples"):
        assert math.isnan(function(rows, [9.0, 9.0][: len(rows)], sample_weight=weights))


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan, "0.5", None])
@pytest.mark.parametrize("name", ["mean_pinball_loss", "d2_pinball_score"])
def test_bad_levels(name, alpha):
    with pytest.raises(InvalidParameterError, match=f"'alpha' parameter of {name}"):
        getattr(fm, name)([1.0, 2.0], [1.0, 2.0], alpha=alpha)


@given(problems(), st.sampled_from([0.1, 0.5, 0.75]))
@settings(deadline=None, max_examples=40)
def test_descriptions(problem, alpha):
    y_true, y_pred, weights = problem
    loss = pinball.describe_pinball_loss(alpha=alpha)
    value = loss.formula(weights @ loss.statistic.terms(y_true, y_pred))
    assert value == pytest.approx(reference.mean_pinball_loss(*problem, alpha=alpha), rel=1e-12)
    assert loss.label == f"mean_pinball_loss[alpha={alpha}]"
    for metric, level in [
        (pinball.describe_pinball_score(alpha=alpha), alpha),
        (pinball.METRICS[0], 0.5),
    ]:
        value = metric.formula(metric.statistic.measure(*problem))
        expected = reference.d2_pinball_score(*problem, alpha=level)
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)
        assert (metric.bounds, metric.greater_is_better) == ((-math.inf, 1), True)


def test_descriptions_of_nothing():
    (metric,) = pinball.METRICS
    for data in [(np.ones(3), np.zeros(3), np.zeros(3)), (np.ones(3), np.ones(3), np.ones(3))]:
        assert np.isnan(metric.formula(metric.statistic.measure(*data)))
    for describe in (pinball.describe_pinball_loss, pinball.describe_pinball_score):
        with pytest.raises(InvalidParameterError, match="'alpha' parameter"):
            describe(alpha=2)
