"""Murphy's decomposition: by hand, the reference, and the identity to rounding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from tests import reference_forecasts
from tests.forecast_data import FAULTY, SCORES, problems, synthetic_scores


def test_by_hand():
    # three rows each of the forecasts 0.3 and 0.8, positive shares 2/3 and 1/3
    terms = fm.brier_decomposition([0, 1, 1, 0, 1, 0], [0.3, 0.3, 0.3, 0.8, 0.8, 0.8])
    assert terms.reliability == pytest.approx(((0.3 - 2 / 3) ** 2 + (0.8 - 1 / 3) ** 2) / 2)
    assert terms.resolution == pytest.approx(1 / 36)
    assert terms.uncertainty == pytest.approx(1 / 4)
    assert (terms.within_bin_variance, terms.within_bin_covariance) == (0, 0)


def test_worked_example():
    terms = fm.brier_decomposition(FAULTY, SCORES)
    assert terms.brier_score == pytest.approx(0.196875, abs=1e-15)
    assert terms.uncertainty == pytest.approx(2 / 9, abs=1e-15)
    # only the tied pair at 0.40 has a share of positives that is neither 0 nor 1
    assert terms.resolution == pytest.approx((3 * 4 / 9 + 7 / 9 + 2 / 36) / 12, abs=1e-15)
    binned = fm.brier_decomposition(FAULTY, SCORES, n_bins=2)
    assert binned.reliability == pytest.approx(((0.55 / 6) ** 2 + 0.25**2) / 2, abs=1e-15)
    assert binned.resolution == pytest.approx(1 / 36, abs=1e-15)
    assert binned.brier_score == pytest.approx(0.196875, abs=1e-15)


@pytest.mark.parametrize("n_bins", [None, 1, 2, 10])
@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@given(problem=problems(weighted=True))
@settings(deadline=None, max_examples=50)
def test_terms_and_identity(strategy, n_bins, problem):
    y_true, y_prob, weights = problem
    for row_weights in (None, weights):
        terms = fm.brier_decomposition(
            y_true, y_prob, n_bins=n_bins, strategy=strategy, sample_weight=row_weights
        )
        expected = reference_forecasts.decomposition(y_true, y_prob, row_weights, n_bins, strategy)
        np.testing.assert_allclose(terms, expected, rtol=1e-10, atol=1e-14)
        score = fm.brier_score_loss(y_true, y_prob, sample_weight=row_weights)
        assert terms.brier_score == pytest.approx(score, abs=2e-15)


@given(st.integers(1, 50))
@settings(deadline=None, max_examples=20)
def test_generalized_resolution_holds_in_any_bins(n_bins):
    y_true, calibrated, _ = synthetic_scores()
    terms = fm.brier_decomposition(y_true, calibrated, n_bins=n_bins)
    score = fm.brier_score_loss(y_true, calibrated)
    assert terms.brier_score == pytest.approx(score, abs=1e-15)
    assert terms.reliability - terms.generalized_resolution + terms.uncertainty == pytest.approx(
        score, abs=1e-15
    )


def test_synthetic_scores():
    y_true, calibrated, sigmoid = synthetic_scores()
    good = fm.brier_decomposition(y_true, calibrated, n_bins=10)
    bad = fm.brier_decomposition(y_true, sigmoid, n_bins=10)
    assert good.reliability < 1e-4 < 0.1 < bad.reliability
    assert good.uncertainty == bad.uncertainty


def test_one_class_has_no_uncertainty():
    terms = fm.brier_decomposition([1, 1], [0.5, 0.7])
    assert terms[1:] == (0, 0, 0, 0)
    assert terms.brier_score == pytest.approx((0.25 + 0.09) / 2)


def test_float32_and_labels():
    weather = np.where(FAULTY, "storm", "calm")
    expected = fm.brier_decomposition(FAULTY, SCORES)
    assert fm.brier_decomposition(weather, SCORES, pos_label="storm") == expected
    single = fm.brier_decomposition(FAULTY, SCORES.astype(np.float32))
    np.testing.assert_allclose(single, expected, atol=1e-7)


@pytest.mark.parametrize("n_bins", [None, 5])
def test_bad_input_is_refused(n_bins):
    for y_true, y_prob in (([0, 1], [0.2, 1.2]), ([0, 1], [np.nan, 0.5]), (["a", "b"], [0.1, 0.2])):
        with pytest.raises(ValueError, match="y_prob|y_true"):
            fm.brier_decomposition(y_true, y_prob, n_bins=n_bins)
    with pytest.raises(ValueError, match="'strategy' parameter"):
        fm.brier_decomposition([0, 1], [0.2, 0.3], n_bins=n_bins, strategy="even")


@pytest.mark.parametrize("n_bins", [None, 5])
def test_inputs_are_unchanged(n_bins):
    y_true, y_prob = FAULTY.copy(), SCORES.copy()
    fm.brier_decomposition(y_true, y_prob, n_bins=n_bins)
    assert y_true.tolist() == FAULTY.tolist()
    assert y_prob.tolist() == SCORES.tolist()
