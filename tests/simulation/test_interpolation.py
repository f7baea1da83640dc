"""Steps against trapezoids under precision-recall curves."""

import numpy as np
import pytest
from sklearn import metrics

from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation.interpolation import areas_of_both
from tests.simulation.cases import MODELS
from tests.simulation.test_simulating import Coin

MODEL = simulation.Binormal(2.5)


def study(model=MODEL, **options):
    return simulation.interpolation_study(
        model, **{"threshold": 2.0, "n_datasets": 60, "rng": 1, **options}
    )


@pytest.mark.parametrize("name", ["binormal", "rounded to whole numbers"])
def test_areas_are_those_of_scikit_learn(name):
    y_true, y_score = MODELS[name].draw(15, 60, np.random.default_rng(2))
    expected = []
    for scores in (y_score, (y_score >= 1).astype(float)):
        precision, recall, _ = metrics.precision_recall_curve(y_true, scores)
        steps = metrics.average_precision_score(y_true, scores)
        expected.append([steps, metrics.auc(recall, precision)])
    found = areas_of_both(y_true.astype(np.uint8), y_score, 1.0)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_areas_of_decisions_follow_from_recall_and_precision():
    y_true, y_score = MODEL.draw(20, 1_980, np.random.default_rng(3))
    flagged = y_score >= 2
    recall, precision = flagged[:20].mean(), y_true[flagged].mean()
    steps = recall * precision + (1 - recall) * 0.01
    trapezoids = recall * (1 + precision) / 2 + (1 - recall) * (precision + 0.01) / 2
    found = areas_of_both(y_true.view(np.uint8), y_score, 2.0)[1]
    np.testing.assert_allclose(found, [steps, trapezoids])


def test_trapezoids_lie_a_little_low_on_scores_and_far_too_high_on_decisions():
    found = study()
    scores, decisions = found.rows()
    assert -0.03 < scores["difference"] < 0
    assert scores["trapezoids_above"] < 0.1
    assert decisions["difference"] > 0.2
    assert decisions["trapezoids_above"] == 1.0
    assert "below the steps for scores" in found.conclusion
    assert "above the steps for decisions (above in 100 % of the data sets)" in found.conclusion


def test_means_are_those_of_the_data_sets():
    found = study()
    for k, row in enumerate(found.rows()):
        steps, trapezoids = found.values[:, k].T
        assert row["steps"] == pytest.approx(steps.mean())
        assert row["trapezoids"] == pytest.approx(trapezoids.mean())
        assert row["standard_deviation"] == pytest.approx((trapezoids - steps).std(ddof=1))


def test_truth_is_what_large_data_sets_come_to():
    rows = study(n_positive=20_000, n_negative=60_000, n_datasets=4).rows()
    for row in rows:
        assert row["expected"] == pytest.approx(row["steps"], abs=0.005)
    own = study(Coin(), threshold=0.5, n_datasets=2).rows()
    assert np.isnan([row["expected"] for row in own]).all()


def test_data_sets_are_those_of_a_simulation():
    sizes = {"n_positive": 20, "n_negative": 1_980, "n_datasets": 60, "rng": 1}
    simulated = simulation.simulate(MODEL, metrics="average_precision", method="drawn", **sizes)
    np.testing.assert_allclose(study().values[:, 0, 0], simulated["average_precision"])


def test_threads_change_nothing():
    np.testing.assert_array_equal(study().values, study(n_jobs=2).values)


def test_probabilities_are_cut_at_one_half():
    model = MODEL.calibrated(0.1)
    default, given = study(model, threshold=None), study(model, threshold=0.5)
    np.testing.assert_array_equal(default.values, given.values)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": 3}, TypeError, "model is 3: it has no draw"),
        ({"threshold": None}, ValueError, r"reach beyond \[0, 1\]: pass threshold="),
        ({"n_positive": 0}, ValueError, "n_positive=0"),
        ({"n_negative": 0}, ValueError, "n_negative=0"),
        ({"n_datasets": 0}, ValueError, "n_datasets=0"),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        study(**options)


def test_rows_that_are_not_there():
    with pytest.raises(UnknownNameError, match="no source 'labels' here"):
        study(n_datasets=1)["labels"]
