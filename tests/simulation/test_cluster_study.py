"""Rows against clusters: standard errors and coverage of either unit."""

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError

PEOPLE = simulation.ClusteredAnswers(n_people=30, questions=20, mean=1, spread=1.2)


def study(model=PEOPLE, **options):
    return simulation.cluster_study(
        model, **{"n_datasets": 60, "n_resamples": 400, "rng": 1, **options}
    )


def test_intervals_are_those_of_the_bootstrap_on_the_same_data():
    found = study(n_datasets=2, n_resamples=4_000)
    for i in range(2):
        correct, people = found.data_set(i)
        assert found.estimates[i] == correct.mean()
        for k, groups in enumerate((None, people)):
            expected = fm.bootstrap(
                None, correct, "mean", groups=groups, n_resamples=4_000, method="percentile", rng=2
            )
            error = np.array(expected.monte_carlo_error)
            moved = np.abs(found.limits[i, k] - expected.confidence_interval)
            assert (moved < 5 * np.sqrt(2) * error + 1e-12).all()
            assert found.standard_errors[i, k] == pytest.approx(expected.standard_error, rel=0.06)


def test_rows_claim_too_much_and_people_do_not():
    found = study(n_datasets=400, n_jobs=2)
    rows, clusters = found.rows()
    assert rows["standard_error"] == pytest.approx(PEOPLE.standard_deviation_of_rows, rel=0.02)
    assert clusters["standard_error"] == pytest.approx(PEOPLE.standard_deviation, rel=0.05)
    assert (
        rows["true_standard_error"]
        == clusters["true_standard_error"]
        == pytest.approx(PEOPLE.standard_deviation)
    )
    assert rows["coverage"] < 0.72
    assert clusters["coverage"] > 0.9
    assert found.estimates.std() == pytest.approx(PEOPLE.standard_deviation, rel=0.1)
    assert "Resampled answers claim 0.01" in found.conclusion
    assert "resampled people claim 0.04" in found.conclusion


def test_people_alike_need_no_clusters():
    alike = simulation.ClusteredAnswers(n_people=40, questions=10, mean=0.5, spread=0)
    rows, clusters = study(alike, n_datasets=200).rows()
    assert rows["coverage"] == pytest.approx(0.945, abs=0.05)
    assert rows["standard_error"] == pytest.approx(clusters["standard_error"], rel=0.05)


def test_a_row_counts_what_the_limits_say():
    found = study()
    for k, row in enumerate(found.rows()):
        low, high = found.limits[:, k].T
        inside = (low <= PEOPLE.accuracy) & (PEOPLE.accuracy <= high)
        assert row["coverage"] == inside.mean()
        assert row["mean_width"] == pytest.approx((high - low).mean())


def test_threads_and_length_change_nothing():
    one, several, short = study(), study(n_jobs=2), study(n_datasets=5)
    np.testing.assert_array_equal(one.limits, several.limits)
    np.testing.assert_array_equal(one.limits[:5], short.limits)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": simulation.Binormal(1)}, TypeError, "give fm.simulation.ClusteredAnswers"),
        ({"n_datasets": 0}, ValueError, "n_datasets=0: give a whole number of 1"),
        ({"n_resamples": 1}, ValueError, "n_resamples=1: give a whole number of 2"),
        ({"confidence_level": 95}, ValueError, "confidence_level=95: give a fraction, 0.95"),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        study(**options)


def test_what_is_not_there():
    found = study(n_datasets=1)
    with pytest.raises(UnknownNameError, match="no unit 'people' here"):
        found["people"]
    with pytest.raises(IndexError, match="i=1: there are data sets 0 to 0"):
        found.data_set(1)
