"""Calibration errors: known values, the reference, and what debiasing takes off."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from fastmetrics.probability.calibration import METRICS, ece, mce
from tests import reference_forecasts
from tests.forecast_data import FAULTY, SCORES, problems, screening

STRATEGIES = ["uniform", "quantile"]
N_BINS = st.sampled_from([1, 2, 3, 10, 15])


def test_worked_example():
    value = fm.expected_calibration_error(FAULTY, SCORES, n_bins=2)
    assert f"{value:.4f}" == "0.1708"
    assert value == pytest.approx(0.5 * (1.55 - 1) / 6 + 0.5 * 0.25, abs=1e-15)
    assert fm.maximum_calibration_error(FAULTY, SCORES, n_bins=2) == pytest.approx(0.25)


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(problem=problems(weighted=True), n_bins=N_BINS)
@settings(deadline=None, max_examples=60)
def test_agrees_with_the_reference(strategy, problem, n_bins):
    y_true, y_prob, weights = problem
    options = {"n_bins": n_bins, "strategy": strategy}
    for row_weights in (None, weights):
        for ours, slow in (
            (fm.expected_calibration_error, reference_forecasts.ece),
            (fm.maximum_calibration_error, reference_forecasts.mce),
        ):
            value = ours(y_true, y_prob, sample_weight=row_weights, **options)
            expected = slow(y_true, y_prob, row_weights, **options)
            assert value == pytest.approx(expected, rel=1e-11, abs=1e-14)


@pytest.mark.parametrize("n_bins", [1, 2, 3, 10, 15])
def test_zero_and_one_stand_alone(n_bins):
    for function in (fm.expected_calibration_error, fm.maximum_calibration_error):
        assert function([0, 1], [0.0, 1.0], n_bins=n_bins) == 0
        assert function(np.array([0, 1]), np.array([-0.0, 1.0]), n_bins=n_bins) == 0


@pytest.mark.parametrize("metric", [*METRICS, ece(n_bins=3), mce(n_bins=4, strategy="quantile")])
@given(problem=problems(weighted=True))
@settings(deadline=None, max_examples=40)
def test_described_metrics_agree_with_the_reference(metric, problem):
    y_true, y_prob, weights = problem
    draws = np.stack([weights, np.ones(len(y_true))])
    sums = [metric.statistic.measure(y_true.astype(float), y_prob, draw) for draw in draws]
    assert np.shape(sums) == (2, metric.statistic.size)
    values = metric.formula(np.array(sums))
    expected = [reference_forecasts.value(metric, y_true, y_prob, draw) for draw in draws]
    np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-14)


def test_described_metrics():
    assert [metric.label for metric in METRICS] == ["ece", "mce"]
    assert ece(n_bins=15, strategy="quantile").label == "ece[n_bins=15, strategy=quantile]"
    assert {metric.default_interval for metric in METRICS} == {"basic"}
    for metric in METRICS:
        with np.errstate(invalid="ignore"):
            assert np.isnan(metric.formula(np.zeros(30)))
    with pytest.raises(ValueError, match="'n_bins' parameter of ece"):
        ece(n_bins=0)
    with pytest.raises(ValueError, match="'strategy' parameter of mce"):
        mce(strategy="even")


def test_root_mean_squared_gap():
    value = fm.expected_calibration_error(FAULTY, SCORES, n_bins=2, norm="l2")
    assert value == pytest.approx(np.sqrt(0.5 * (0.55 / 6) ** 2 + 0.5 * 0.25**2), abs=1e-15)
    gaps = reference_forecasts.gaps(FAULTY, SCORES)
    expected = np.sqrt(sum(w * gap**2 for gap, w in gaps) / 12)
    assert fm.expected_calibration_error(FAULTY, SCORES, norm="l2") == pytest.approx(expected)
    with pytest.raises(ValueError, match="'norm' parameter"):
        fm.expected_calibration_error(FAULTY, SCORES, norm="max")


def test_debiased_by_hand():
    # two bins of six rows, with shares 1/6 and 1/2
    squares = (0.55 / 6) ** 2 - 5 / 36 / 5 + 0.25**2 - 1 / 4 / 5
    value = fm.expected_calibration_error(FAULTY, SCORES, n_bins=2, norm="l2", debiased=True)
    assert squares < 0
    assert value == 0
    value = fm.expected_calibration_error(FAULTY, 1 - SCORES, n_bins=2, norm="l2", debiased=True)
    gaps = reference_forecasts.gaps(FAULTY, 1 - SCORES, n_bins=2)
    squares = sum(gap**2 for gap, _ in gaps) / 2 - (5 / 36 / 5 + 1 / 4 / 5) / 2
    assert value == pytest.approx(np.sqrt(squares), rel=1e-12)


def test_debiased_mean_gap_is_that_of_redrawn_shares():
    generator = np.random.default_rng(0)
    y_true, *_, y_prob = screening()
    plain = fm.expected_calibration_error(y_true, y_prob, n_bins=3)
    groups = reference_forecasts.bins(y_true, y_prob, n_bins=3)
    redrawn = 0.0
    for rows in groups:
        share, mean = np.mean([y for y, *_ in rows]), np.mean([p for _, p, _ in rows])
        draws = generator.normal(share, np.sqrt(share * (1 - share) / len(rows)), 200_000)
        redrawn += len(rows) / y_true.size * np.abs(draws - mean).mean()
    value = fm.expected_calibration_error(y_true, y_prob, n_bins=3, debiased=True)
    assert value == pytest.approx(2 * plain - redrawn, abs=2e-4)


def test_debiasing_takes_off_what_chance_adds():
    generator = np.random.default_rng(0)
    plain, mean, squares = [], [], []
    for _ in range(400):
        y_prob = generator.random(300)
        y_true = generator.random(300) < y_prob
        error = fm.expected_calibration_error
        plain.append(error(y_true, y_prob))
        mean.append(error(y_true, y_prob, debiased=True))
        root = error(y_true, y_prob, norm="l2")
        shares = reference_forecasts.bins(y_true, y_prob)
        chance = sum(
            (s := np.mean([y for y, *_ in rows])) * (1 - s) * len(rows) / (len(rows) - 1)
            for rows in shares
        )
        squares.append(root**2 - chance / 300)
        debiased = error(y_true, y_prob, norm="l2", debiased=True)
        assert debiased == pytest.approx(np.sqrt(max(squares[-1], 0)), abs=1e-9)
    # a calibrated model: the plain value is all chance, the squared one is right on average
    assert np.mean(plain) == pytest.approx(0.3 * np.sqrt(10 / 300), rel=0.1)
    assert np.mean(mean) < 0.7 * np.mean(plain)
    assert abs(np.mean(squares)) < 4 * np.std(squares) / np.sqrt(400)


def test_a_flag_of_numpy_is_a_flag():
    value = fm.expected_calibration_error(FAULTY, SCORES, debiased=np.False_)
    assert value == fm.expected_calibration_error(FAULTY, SCORES)


def test_bins_of_one_row_stay_as_they_are():
    for norm in ("l1", "l2"):
        plain = fm.expected_calibration_error([0, 1], [0.2, 0.7], norm=norm)
        debiased = fm.expected_calibration_error([0, 1], [0.2, 0.7], norm=norm, debiased=True)
        assert debiased == pytest.approx(plain, rel=1e-15)


def test_debiasing_counts_rows():
    with pytest.raises(ValueError, match="debiased=True counts rows: leave sample_weight out"):
        fm.expected_calibration_error(FAULTY, SCORES, debiased=True, sample_weight=np.ones(12))
    with pytest.raises(ValueError, match="'debiased' parameter"):
        fm.expected_calibration_error(FAULTY, SCORES, debiased="yes")


@pytest.mark.parametrize("function", [fm.expected_calibration_error, fm.maximum_calibration_error])
def test_weights_are_repetitions(function):
    weights = np.array([1, 2, 0, 1, 3, 1, 0, 2, 1, 1, 1, 1])
    repeated = np.repeat(np.arange(12), weights)
    value = function(FAULTY, SCORES, sample_weight=weights)
    assert value == pytest.approx(function(FAULTY[repeated], SCORES[repeated]), rel=1e-14)
    assert function(FAULTY, SCORES, sample_weight=weights * 0.3) == pytest.approx(value, rel=1e-14)
    order = np.random.default_rng(0).permutation(12)
    value = function(FAULTY, SCORES)
    assert function(FAULTY[order], SCORES[order]) == pytest.approx(value, rel=1e-14)
