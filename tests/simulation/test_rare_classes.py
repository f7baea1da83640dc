"""A class that is never predicted: what each average over classes makes of it."""

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation.rare_classes import confusions

CLOUDS = simulation.GaussianClasses([[0, 0], [2.2, 0], [1.5, 2]])
SIZES = [1_500, 400, 100]


def study(model=CLOUDS, **options):
    defaults = {"class_sizes": SIZES, "n_datasets": 60, "rng": 1}
    return simulation.rare_class_study(model, **{**defaults, **options})


def test_giving_up_a_class_is_hidden_by_accuracy_and_weighted_averages():
    found = study(n_datasets=200)
    loss = {row["metric"]: row["loss"] for row in found.rows()}
    assert 0.0 < loss["accuracy"] < 0.03
    assert 0.0 < loss["f1_weighted"] < 0.05
    assert loss["f1_macro"] > 0.1
    assert loss["balanced_accuracy"] > 0.1
    assert found["recall of class 2"]["without_one"] == 0.0
    assert loss["recall of class 2"] == found["recall of class 2"]["all_classes"] > 0.3
    said = found.conclusion
    assert said.startswith(
        "Never predicting class 2, 5 % of the rows, costs all of its recall (0.4"
    )
    assert "accuracy (0.01" in said.split("hide it")[0]
    assert "f1_macro (0.1" in said.split("hide it")[1]


def test_metrics_are_those_of_the_predictions():
    found = study()
    y_true, points = found.data_set(7)
    probability = CLOUDS.probability(points, np.array(SIZES) / sum(SIZES))
    predictions = probability.argmax(axis=1), probability[:, :2].argmax(axis=1)
    for k, y_pred in enumerate(predictions):
        expected = [
            fm.accuracy_score(y_true, y_pred),
            fm.f1_score(y_true, y_pred, average="macro", zero_division=0),
            fm.f1_score(y_true, y_pred, average="weighted", zero_division=0),
            fm.balanced_accuracy_score(y_true, y_pred),
            fm.matthews_corrcoef(y_true, y_pred),
            fm.cohen_kappa_score(y_true, y_pred),
            fm.recall_score(y_true, y_pred, average=None)[2],
        ]
        np.testing.assert_allclose(found.values[7, k], expected, rtol=1e-12)


def test_confusion_matrices_count_the_rows():
    whole, without = confusions(CLOUDS, SIZES, 2, np.random.default_rng(2)).reshape(2, 3, 3)
    assert whole.sum(axis=1).tolist() == without.sum(axis=1).tolist() == SIZES
    assert (without[:, 2] == 0).all()
    # rows of the other classes that were not taken for the rare one stay where they are
    assert (without[:, :2] >= whole[:, :2]).all()
    mean = study().confusion
    assert mean.shape == (2, 3, 3)
    np.testing.assert_allclose(mean.sum(axis=2), [SIZES, SIZES])


def test_any_class_may_be_forbidden():
    found = study(forbidden=0, metrics=["accuracy"])
    assert found.metrics == ("accuracy", "recall of class 0")
    assert found["recall of class 0"]["without_one"] == 0.0
    assert found["accuracy"]["loss"] > 0.5
    assert "hide" not in found.conclusion


def test_a_loss_is_above_zero_where_a_metric_gets_worse():
    found = study(metrics=["accuracy", "zero_one_loss"])
    assert found["zero_one_loss"]["loss"] == pytest.approx(found["accuracy"]["loss"])
    assert found["zero_one_loss"]["all_classes"] < found["zero_one_loss"]["without_one"]


def test_threads_change_nothing():
    np.testing.assert_array_equal(study().values, study(n_jobs=2).values)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": simulation.Binormal(1)}, TypeError, "give fm.simulation.GaussianClasses"),
        (
            {"model": simulation.GaussianClasses([0, 1]), "class_sizes": [5, 5]},
            ValueError,
            "model has two classes",
        ),
        ({"class_sizes": [5, 5]}, ValueError, "class_sizes has 2 entries for 3 classes"),
        ({"class_sizes": [5, 5, 0]}, ValueError, r"class_sizes\[2\]=0: give a whole number of 1"),
        ({"forbidden": 3}, ValueError, "forbidden=3: the classes are 0 to 2"),
        ({"forbidden": True}, ValueError, "forbidden=True"),
        ({"metrics": "roc_auc"}, ValueError, "roc_auc is no metric of decisions between several"),
        ({"n_datasets": 0}, ValueError, "n_datasets=0"),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        study(**options)


def test_what_is_not_there():
    found = study(n_datasets=1)
    with pytest.raises(UnknownNameError, match="no metric 'ks' here"):
        found["ks"]
    with pytest.raises(IndexError, match="i=1: there are data sets 0 to 0"):
        found.data_set(1)
