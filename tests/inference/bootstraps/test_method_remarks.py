"""What is said where a method of intervals cannot do what it was asked for."""

import warnings

import numpy as np
import pytest

import fastmetrics as fm
from tests.engine.reading_problems import data
from tests.inference.bootstrap_problems import problem

N = 60


def warned(*call, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fm.bootstrap(*call, **options)
    assert all(warning.filename == __file__ for warning in caught)
    return result, [str(warning.message) for warning in caught]


def test_all_replicates_on_one_side_leave_percentile_limits():
    labels, scores = problem(N)
    # no draw puts all rows together, as the data do
    counts = [np.bincount(rows, minlength=N) for rows in np.arange(N)[:, None].repeat(3, 1)]
    error = np.abs(labels - scores)
    counts = [c for c, row in zip(counts, range(N)) if error[row] > np.sqrt(np.mean(error**2))]
    result, messages = warned(labels, scores, "brier_score", counts=counts, method="bca")
    assert messages == [
        "brier_score: all replicates lie on one side of the estimate: percentile limits"
    ]
    assert result.method == "percentile"
    assert np.isnan(result.z0)
    values = result.bootstrap_distribution
    assert tuple(result.confidence_interval) == pytest.approx(np.quantile(values, [0.025, 0.975]))


def test_a_metric_without_two_bounds_has_no_logit():
    truth, predicted = data("values", N)
    options = {"method": "logit", "n_resamples": 200, "rng": 0}
    result, messages = warned(truth, predicted, ["mean_squared_error", "r2"], **options)
    assert messages == [
        "mean_squared_error, r2: the logit is of metrics between two bounds: percentile limits"
    ]
    assert result["r2"].method == "percentile"


def test_an_estimate_on_a_bound_has_no_logit():
    labels = np.arange(N) % 2
    scores = np.where(np.arange(N) < 4, 0.9, labels / 2)
    metrics = ["recall", "roc_auc"]
    result, messages = warned(
        labels, scores, metrics, method="logit", n_resamples=200, rng=0, threshold=0.5
    )
    assert messages[0] == (
        "recall: every replicate is perfect, the interval has no width; [1, 1] is not certainty"
    )
    assert result["recall"].confidence_interval == (1.0, 1.0)
    assert result["roc_auc"].method == "logit"


def test_remarks_of_many_entries_are_told_in_one_warning():
    labels, scores = problem(N)
    models = {f"m{k}": scores ** (1 + k) for k in range(6)}
    _, messages = warned(labels, models, "brier_score", method="bca", n_resamples=20, rng=0)
    assert len(messages) == 1
    assert messages[0].startswith(
        "m0 brier_score, m1 brier_score, m2 brier_score, m3 brier_score and "
    )
    assert messages[0].endswith("a limit lies beyond the first or last replicate: draw more")


def test_undefined_replicates_of_many_entries_name_the_worst():
    labels = (np.arange(N) < 3).astype(int)
    scores = np.linspace(0, 1, N)
    by = np.where(np.arange(N) % 3 == 0, "a", "b")
    result, messages = warned(
        labels, scores, ["roc_auc", "accuracy"], by=by, method="percentile", n_resamples=1000, rng=0
    )
    worst = max(result.keys(), key=lambda key: result[key].n_undefined)
    counted = result[worst].n_undefined
    assert messages == [
        f"{' '.join(worst)} is undefined in {counted} of 1,000 replicates, which are left out; "
        "2 more have over 1 %"
    ]


def test_units_without_a_closed_form_offer_groups():
    labels, scores = problem(9000, digits=9)
    message = "ks has no closed jackknife.*method='percentile', or jackknife_groups= to leave out"
    with pytest.raises(ValueError, match=message):
        fm.bootstrap(labels, scores, "ks", method="bca", n_resamples=64)
    result = fm.bootstrap(
        labels, scores, "ks", method="bca", n_resamples=1000, jackknife_groups=40, rng=0
    )
    assert result.method == "bca"
