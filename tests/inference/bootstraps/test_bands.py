"""Bands: the curves they lie around, their grids, what is undefined."""

from fractions import Fraction

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.inference.bootstraps.bands import DEFAULT_GRIDS

RNG = np.random.default_rng(0)
LABELS = (RNG.random(300) < 0.3).astype(int)
SCORES = 1 / (1 + np.exp(-RNG.normal(size=300) - 1.5 * LABELS + 1))
WEIGHTS = RNG.random(300)


def precision_reaching(recall, labels, scores, weights=None):
    """Precision of the first point from the highest score down that reaches a recall."""
    weights = np.ones(len(labels)) if weights is None else weights
    for threshold in np.unique(scores)[::-1]:
        flagged = scores >= threshold
        tp = weights[flagged & (labels == 1)].sum()
        if tp > 0 and tp / weights[labels == 1].sum() >= recall * (1 - 1e-12):
            return tp / weights[flagged].sum()
    return np.nan


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_estimates_are_the_curves(weights):
    options = {"n_resamples": 10, "rng": 0, "sample_weight": weights}
    roc = fm.curve_band(LABELS, SCORES, **options)
    fpr, tpr, _ = fm.roc_curve(LABELS, SCORES, sample_weight=weights, drop_intermediate=False)
    np.testing.assert_allclose(roc.estimate[1:], np.interp(roc.grid[1:], fpr, tpr), atol=1e-12)
    assert roc.estimate[0] == pytest.approx(tpr[fpr == 0].max())
    curve = fm.curve_band(LABELS, SCORES, "precision_recall", **options)
    expected = [precision_reaching(r, LABELS, SCORES, weights) for r in curve.grid]
    np.testing.assert_allclose(curve.estimate, expected, rtol=1e-12)
    benefit = fm.curve_band(LABELS, SCORES, "net_benefit", **options)
    expected = [
        fm.net_benefit(LABELS, SCORES, threshold=t, sample_weight=weights) for t in benefit.grid
    ]
    np.testing.assert_allclose(benefit.estimate, expected, atol=1e-12)


def test_bins_of_the_calibration_band_are_those_of_the_reliability_curve():
    band = fm.curve_band(LABELS, SCORES, "calibration", n_resamples=10, rng=0)
    observed, predicted = fm.calibration_curve(LABELS, SCORES, n_bins=10)
    there = ~np.isnan(band.estimate)
    np.testing.assert_allclose(band.estimate[there], observed, rtol=1e-12)
    np.testing.assert_allclose(band.grid[there], predicted, rtol=1e-12)


@pytest.mark.parametrize(("curve", "digits"), [("roc", 100), ("net_benefit", 100)])
def test_points_of_the_grid_are_the_decimals(curve, digits):
    for point in DEFAULT_GRIDS[curve]:
        assert point == float(Fraction(round(point * digits), digits))


def test_scores_of_two_decimals_are_flagged_at_their_threshold():
    labels = [1] * 40 + [0] * 60
    scores = [0.35] * 50 + [0.2] * 50
    band = fm.curve_band(labels, scores, "net_benefit", n_resamples=5, rng=0)
    assert band.estimate[34] == pytest.approx(fm.net_benefit(labels, scores, threshold=0.35))


def test_a_recall_that_rounding_puts_below_the_grid_reaches_it():
    labels = np.r_[np.ones(7, int), np.zeros(6, int), np.ones(13, int)]
    scores = np.r_[np.full(13, 0.9), np.linspace(0.8, 0.1, 13)]
    for grid in (None, np.linspace(0, 1, 101)):
        band = fm.curve_band(labels, scores, "precision_recall", grid=grid, n_resamples=5, rng=0)
        assert band.estimate[35] == pytest.approx(7 / 13)


@pytest.mark.parametrize("curve", ["roc", "precision_recall", "net_benefit"])
def test_replicates_follow_the_bootstrap(curve):
    """A pointwise limit is the percentile of the same replicates."""
    options = {"n_resamples": 500, "rng": 3}
    grid = {"roc": [0.2], "precision_recall": [0.5], "net_benefit": [0.3]}[curve]
    band = fm.curve_band(LABELS, SCORES, curve, grid=grid, **options)
    if curve == "net_benefit":
        metric = fm.metric("net_benefit", threshold=0.3)
        other = fm.bootstrap(LABELS, SCORES, metric, method="percentile", **options)
        spread = other.confidence_interval.high - other.confidence_interval.low
        assert band.high[0] - band.low[0] == pytest.approx(spread, rel=0.2)
    assert band.low[0] < band.estimate[0] < band.high[0]


def test_a_simultaneous_band_holds_the_pointwise_one():
    options = {"n_resamples": 1000, "rng": 0}
    pointwise = fm.curve_band(LABELS, SCORES, **options)
    simultaneous = fm.curve_band(LABELS, SCORES, kind="simultaneous", **options)
    wider = simultaneous.high - simultaneous.low >= pointwise.high - pointwise.low - 0.02
    assert wider.mean() > 0.95
    # the whole curve of a fresh sample of the same law lies within it in most of the cases
    assert ((simultaneous.low >= 0) & (simultaneous.high <= 1)).all()


def test_coverage_of_a_simultaneous_band():
    """The true binormal curve lies inside the band at every inner point, 90 % of the time."""
    from scipy.stats import norm

    grid = np.linspace(0.1, 0.9, 9)
    truth = norm.cdf(1.0 + norm.ppf(grid))
    held = 0
    runs = 120
    for k in range(runs):
        generator = np.random.default_rng(k)
        labels = np.repeat([0, 1], 150)
        scores = generator.normal(size=300) + labels
        band = fm.curve_band(
            labels,
            scores,
            grid=grid,
            kind="simultaneous",
            confidence_level=0.9,
            strata="class",
            n_resamples=300,
            rng=k,
        )
        held += bool(((band.low <= truth) & (truth <= band.high)).all())
    error = np.sqrt(0.9 * 0.1 / runs)
    assert held / runs > 0.9 - 4 * error


def test_models_share_draws_and_are_looked_up_by_name():
    models = {"a": SCORES, "b": SCORES}
    band = fm.curve_band(LABELS, models, n_resamples=50, rng=0)
    assert band.models == ("a", "b")
    np.testing.assert_array_equal(band["a"].low, band["b"].low)
    with pytest.raises(AttributeError, match="2 models"):
        _ = band.low
    with pytest.raises(KeyError, match="no model 'c'"):
        band["c"]


@pytest.mark.parametrize("n_resamples", [0, 1])
def test_too_few_replicates_give_no_limits(n_resamples):
    band = fm.curve_band(LABELS, SCORES, n_resamples=n_resamples, rng=0)
    assert np.isnan(band.low).all()
    assert np.isnan(band.high).all()
    assert np.isfinite(band.estimate).all()


def test_one_class_is_undefined_and_said_so():
    with pytest.warns(UserWarning, match="undefined on these data"):
        band = fm.curve_band([1, 1, 1], [0.1, 0.5, 0.9], n_resamples=20, rng=0)
    assert np.isnan(band.estimate).all()
    assert "nan" in repr(band)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"curve": "lift"}, "curve='lift'"),
        ({"kind": "both"}, "kind='both'"),
        ({"grid": [0.5, 0.4]}, "ascending"),
        ({"grid": "fpr"}, "grid='fpr': give a vector of numbers"),
        ({"grid": [0.5, 1.4]}, "ascending points in"),
        ({"curve": "net_benefit", "grid": [0.5, 1.0]}, "stop below"),
        ({"n_resamples": "auto"}, "give a number"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        fm.curve_band(LABELS, SCORES, **options)


@pytest.mark.parametrize("design", [{}, {"groups": np.arange(300) // 3}, {"strata": "class"}])
def test_threads_change_nothing(design):
    found = [
        fm.curve_band(LABELS, SCORES, n_resamples=600, rng=1, n_jobs=n_jobs, **design)
        for n_jobs in (1, 2)
    ]
    np.testing.assert_array_equal(found[0].low, found[1].low)
    np.testing.assert_array_equal(found[0].high, found[1].high)
