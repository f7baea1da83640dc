"""R squared and explained variance: figures by hand, offsets, degenerate targets, descriptions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils._param_validation import InvalidParameterError

import fastmetrics as fm
from fastmetrics.regression import explained
from tests import reference_regression as reference
from tests.regression_data import FORECASTS, HOUSEHOLDS, problems

SCORES = [fm.r2_score, fm.explained_variance_score]


def test_six_households():
    total = np.square(HOUSEHOLDS - HOUSEHOLDS.mean()).sum()
    assert round(float(total), 4) == 341.3333
    found = fm.r2_score(HOUSEHOLDS, FORECASTS)
    assert found == pytest.approx(1 - 57 / total)
    assert round(found, 4) == 0.8330
    assert fm.r2_score(HOUSEHOLDS, np.full(6, HOUSEHOLDS.mean())) == pytest.approx(0, abs=1e-15)
    # the errors' own mean, 1 / 6, is no matter here
    assert fm.explained_variance_score(HOUSEHOLDS, FORECASTS) == pytest.approx(
        1 - (57 - 6 * (1 / 6) ** 2) / total
    )


def test_squared_correlation_of_a_fitted_line_only():
    generator = np.random.default_rng(0)
    x = generator.normal(size=200)
    y = 2 * x + generator.normal(size=200)
    line = np.polyval(np.polyfit(x, y, 1), x)
    assert fm.r2_score(y, line) == pytest.approx(np.corrcoef(y, line)[0, 1] ** 2)
    assert fm.r2_score(y, 3 * line) < np.corrcoef(y, 3 * line)[0, 1] ** 2 - 1


@pytest.mark.parametrize("offset", [0, 1e9, -1e12, 2.0**49])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("convert", [np.asarray, list, lambda values: np.repeat(values, 2)[::2]])
def test_an_offset_does_not_matter(offset, weighted, convert):
    generator = np.random.default_rng(0)
    # multiples of 1/8: the sums with the offset are exact
    y_true, y_pred = generator.integers(-40, 40, (2, 10_000)) / 8
    options = {"sample_weight": generator.integers(0, 9, 10_000) / 4} if weighted else {}
    for score in SCORES:
        expected = score(y_true, y_pred, **options)
        found = score(convert(y_true + offset), convert(y_pred + offset), **options)
        assert found == pytest.approx(expected, rel=1e-11)
    biased = fm.explained_variance_score(y_true, y_pred + offset, **options)
    assert biased == pytest.approx(fm.explained_variance_score(y_true, y_pred, **options), 1e-11)


def test_an_outlier_in_front_does_not_matter():
    generator = np.random.default_rng(0)
    y_true, y_pred = generator.normal(size=(2, 5000))
    y_true[0] = 1e12
    weights = np.full(5000, 1.0)
    weights[0] = 1e-30
    expected = fm.r2_score(y_true[1:], y_pred[1:])
    assert fm.r2_score(y_true, y_pred, sample_weight=weights) == pytest.approx(expected, rel=1e-5)


def test_constant_targets():
    constant = [3.0, 3.0, 3.0]
    for score in SCORES:
        assert score(constant, constant) == 1
        assert score(constant, [3.0, 3.0, 4.0]) == 0
        assert math.isnan(score(constant, constant, force_finite=False))
        assert score(constant, [3.0, 3.0, 4.0], force_finite=False) == -math.inf
    assert fm.explained_variance_score(constant, [4.0, 4.0, 4.0]) == 1
    assert fm.r2_score(constant, [4.0, 4.0, 4.0]) == 0


@pytest.mark.parametrize("n", [3, 7, 10_001])
@pytest.mark.parametrize("convert", [np.asarray, lambda values: values.astype(np.float32)])
def test_constant_targets_that_their_mean_rounds(n, convert):
    # the mean of three times 0.1 is another number than 0.1
    y_true = convert(np.full(n, 0.1))
    y_pred = y_true.copy()
    assert fm.r2_score(y_true, y_pred) == 1
    y_pred[0] += 1
    assert fm.r2_score(y_true, y_pred) == 0
    assert fm.r2_score(y_true, y_pred, sample_weight=np.linspace(0.1, 1, n)) == 0


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("convert", [list, np.array])
@pytest.mark.parametrize("weights", [None, [2.0], [2.0, 0.0], [0.0, 2.0, 0.0]])
def test_one_row(score, convert, weights):
    n = 1 if weights is None else len(weights)
    y_true, y_pred = convert([3.0, 4.0, 5.0][:n]), convert([9.0, 9.0, 9.0][:n])
    weights = None if weights is None else convert(weights)
    with pytest.warns(UndefinedMetricWarning, match="not well-defined with less than two samples"):
        assert math.isnan(score(y_true, y_pred, sample_weight=weights))


def test_variance_weights():
    y_true = np.array([[0.0, -1, 4], [0, 1, 4], [0, 3, 4]])
    y_pred = np.array([[2.0, 2, 4], [1, 1, 4], [0, 2, 4]])
    raw = fm.r2_score(y_true, y_pred, multioutput="raw_values")
    assert raw.tolist() == pytest.approx([0, 1 - 10 / 8, 1])
    # the only output that varies
    assert fm.r2_score(y_true, y_pred, multioutput="variance_weighted") == pytest.approx(1 - 10 / 8)
    assert fm.r2_score(y_true, y_pred, multioutput=None) == pytest.approx(raw.mean())
    constant = y_true[:, [0, 2]], y_pred[:, [0, 2]]
    assert fm.r2_score(*constant, multioutput="variance_weighted") == 0.5
    raw = fm.r2_score(y_true, y_pred, multioutput="raw_values", force_finite=False)
    assert raw[0] == -math.inf
    assert math.isnan(raw[2])


@pytest.mark.parametrize("score", SCORES)
def test_options_that_do_not_exist(score):
    with pytest.raises(InvalidParameterError, match="'force_finite' parameter"):
        score([1.0, 2.0], [1.0, 2.0], force_finite="yes")
    with pytest.raises(InvalidParameterError, match="'multioutput' parameter"):
        score([1.0, 2.0], [1.0, 2.0], multioutput="variance")


@pytest.mark.parametrize("metric", explained.METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("offset", [0, 2**30])
@given(problem=problems(distinct=False))
@settings(deadline=None, max_examples=60)
def test_descriptions(metric, offset, problem):
    y_true, y_pred, weights = problem
    expected = getattr(reference, metric.name)(*problem)
    terms = metric.statistic.terms(y_true + offset, y_pred + offset)
    assert terms.shape == (len(y_true), metric.statistic.size)
    value = metric.formula(weights @ terms)
    assert value == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)
    assert (metric.input, metric.bounds, metric.greater_is_better) == (
        "value",
        (-math.inf, 1),
        True,
    )


def test_descriptions_of_constant_replicates():
    # a replicate without the one row that differs
    y_true, y_pred = np.array([0.1] * 99 + [1.0]), np.linspace(0, 1, 100)
    weights = np.ones((2, 100))
    weights[0, -1] = 0
    for metric in explained.METRICS:
        values = metric.formula(weights @ metric.statistic.terms(y_true, y_pred))
        assert np.isnan(values).tolist() == [True, False]
