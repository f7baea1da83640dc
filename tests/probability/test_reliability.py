"""The reliability diagram: known values, scikit-learn, edges of bins."""

import numpy as np
import pandas as pd
import pytest
import sklearn.calibration
from hypothesis import given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from tests import reference_forecasts
from tests.forecast_data import FAULTY, SCORES, problems

STRATEGIES = ["uniform", "quantile"]
FUNCTIONS = [
    fm.calibration_curve,
    fm.reliability_curve,
    fm.expected_calibration_error,
    fm.maximum_calibration_error,
]


def test_worked_example():
    share, mean = fm.calibration_curve(FAULTY, SCORES, n_bins=2)
    np.testing.assert_allclose(mean, [1.55 / 6, 0.75], atol=1e-15)
    np.testing.assert_allclose(share, [1 / 6, 0.5], atol=1e-15)
    curve = fm.reliability_curve(FAULTY, SCORES, n_bins=2)
    assert curve.counts.tolist() == [6, 6]
    assert curve.edges.tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(problem=problems(), n_bins=st.sampled_from([1, 2, 3, 5, 10, 15, 100]))
@settings(deadline=None, max_examples=80)
def test_agrees_with_scikit_learn(strategy, problem, n_bins):
    ours = fm.calibration_curve(*problem, n_bins=n_bins, strategy=strategy)
    theirs = sklearn.calibration.calibration_curve(*problem, n_bins=n_bins, strategy=strategy)
    for mine, other in zip(ours, theirs):
        np.testing.assert_allclose(mine, other, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("n", [16_384, 16_385, 50_000])
def test_many_rows(strategy, n, dtype):
    generator = np.random.default_rng(n)
    y_prob = generator.beta(0.5, 5, n).astype(dtype)
    y_true = (generator.random(n) < y_prob).astype(int)
    ours = fm.calibration_curve(y_true, y_prob, n_bins=20, strategy=strategy)
    theirs = sklearn.calibration.calibration_curve(y_true, y_prob, n_bins=20, strategy=strategy)
    for mine, other in zip(ours, theirs):
        np.testing.assert_allclose(mine, other, rtol=1e-11)
    counts = fm.reliability_curve(y_true, y_prob, n_bins=20, strategy=strategy).counts
    assert counts.sum() == n
    if strategy == "quantile":
        assert np.ptp(counts) <= 1 + 20 * (dtype is np.float32)  # ties


def test_an_edge_belongs_to_the_bin_on_its_left():
    y_true = [0, 1, 0, 1, 1, 0, 1]
    y_prob = [0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0]
    share, mean = fm.calibration_curve(y_true, y_prob, n_bins=4)
    np.testing.assert_allclose(share, [1 / 3, 1, 0, 1], atol=1e-15)
    np.testing.assert_allclose(mean, [1 / 6, 0.5, 0.75, 1], atol=1e-15)


@pytest.mark.parametrize(
    ("y_true", "y_prob", "shares", "means"),
    [
        ([0, 1, 0, 1], [0.3] * 4, [0.5], [0.3]),
        ([0, 1, 0, 1, 0, 1], [0.3] * 5 + [0.9], [0.4, 1], [0.3, 0.9]),
    ],
)
def test_quantile_bins_collapse_where_probabilities_are_equal(y_true, y_prob, shares, means):
    share, mean = fm.calibration_curve(y_true, y_prob, n_bins=5, strategy="quantile")
    np.testing.assert_allclose(share, shares, atol=1e-15)
    np.testing.assert_allclose(mean, means, atol=1e-15)


def test_the_bin_of_seven_hundredths_among_a_hundred():
    counts = fm.reliability_curve([1], [0.07], n_bins=100).counts
    assert np.flatnonzero(counts).tolist() == [6]


def test_empty_bins_are_kept_with_their_edges():
    curve = fm.reliability_curve([0, 1], [0.05, 0.95], n_bins=5)
    assert curve.counts.tolist() == [1, 0, 0, 0, 1]
    assert curve.counts.dtype.kind == "i"
    np.testing.assert_array_equal(curve.observed_share, [0, np.nan, np.nan, np.nan, 1])
    np.testing.assert_array_equal(curve.mean_prediction, [0.05, np.nan, np.nan, np.nan, 0.95])
    assert curve.edges.size == 6


def test_the_edges_handed_out_are_a_copy():
    fm.reliability_curve([0, 1], [0.1, 0.9], n_bins=3).edges[:] = 7
    assert fm.reliability_curve([0, 1], [0.1, 0.9], n_bins=3).edges[-1] == 1


@given(problem=problems(weighted=True), n_bins=st.sampled_from([1, 2, 10]))
@settings(deadline=None, max_examples=60)
def test_weights(problem, n_bins):
    y_true, y_prob, weights = problem
    curve = fm.reliability_curve(y_true, y_prob, n_bins=n_bins, sample_weight=weights)
    groups = reference_forecasts.bins(y_true, y_prob, weights, n_bins)
    held = curve.counts > 0
    np.testing.assert_allclose(curve.counts[held], [sum(w for *_, w in rows) for rows in groups])
    for values, column in ((curve.observed_share, 0), (curve.mean_prediction, 1)):
        expected = [
            np.average([row[column] for row in rows], weights=[w for *_, w in rows])
            for rows in groups
        ]
        np.testing.assert_allclose(values[held], expected, rtol=1e-12, atol=1e-15)


def test_labels():
    weather = np.where(FAULTY, "storm", "calm")
    expected = fm.calibration_curve(FAULTY, SCORES)
    for y_true in (
        2 * FAULTY - 1,
        FAULTY.astype(bool),
        FAULTY.tolist(),
        FAULTY.astype(float),
        pd.Series(FAULTY),
    ):
        for mine, other in zip(fm.calibration_curve(y_true, SCORES), expected):
            np.testing.assert_array_equal(mine, other)
    for mine, other in zip(fm.calibration_curve(weather, SCORES, pos_label="storm"), expected):
        np.testing.assert_array_equal(mine, other)
    assert fm.expected_calibration_error(weather, SCORES, pos_label="storm") == pytest.approx(
        fm.expected_calibration_error(FAULTY, SCORES), rel=1e-15
    )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_labels_that_do_not_fit(function):
    for y_true, options in (
        (["a", "b"], {}),
        ([1, 2], {}),
        ([0, 1], {"pos_label": 7}),
        ([0.5, 1.2], {}),
        ([], {}),
    ):
        with pytest.raises(ValueError, match=r"."):
            function(y_true, [0.1, 0.9][: len(y_true)], **options)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        fm.calibration_curve([0, 1, 2], [0.1, 0.2, 0.3], pos_label=1)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("bad", [-0.1, 1.1, np.nan, np.inf])
def test_what_is_no_probability_is_refused(function, bad, strategy):
    for y_prob in ([0.5, bad], np.array([0.5, bad])):
        with pytest.raises(ValueError, match="y_prob"):
            function(np.array([0, 1]), y_prob, strategy=strategy)
    with pytest.raises(ValueError, match="masked"):
        function([0, 1], np.ma.masked_array([0.5, 0.5], mask=[0, 1]))
    with pytest.raises(ValueError, match="y_prob should be a 1d array"):
        function([0, 1], [[0.5, 0.5], [0.1, 0.9]])


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("n_bins", [0, -1, 2.0, "10", None, True])
def test_numbers_of_bins_that_are_none(function, n_bins):
    with pytest.raises(ValueError, match="'n_bins' parameter of .* must be an int"):
        function(FAULTY, SCORES, n_bins=n_bins)
    with pytest.raises(ValueError, match="'strategy' parameter"):
        function(FAULTY, SCORES, strategy="kmeans")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_inputs_are_unchanged(function, strategy):
    y_true, y_prob = FAULTY.copy(), SCORES.copy()
    function(y_true, y_prob, strategy=strategy)
    assert y_true.tolist() == FAULTY.tolist()
    assert y_prob.tolist() == SCORES.tolist()
