"""Areas of several classes, and of label indicators."""

import numpy as np
import pytest
import sklearn.metrics
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm


def class_problem(n_classes=4, n=60, seed=0):
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.ones(n_classes), n).round(2)
    probabilities[:, -1] = 1 - probabilities[:, :-1].sum(axis=1)
    return rng.integers(0, n_classes, n), probabilities, rng.random(n)


@pytest.mark.parametrize("names", [None, np.array(["ash", "beech", "oak", "pine"])])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
def test_one_against_the_rest(average, weighted, names):
    y_true, probabilities, weights = class_problem()
    y_true = y_true if names is None else names[y_true]
    options = {"average": average, "sample_weight": weights if weighted else None}
    expected = sklearn.metrics.roc_auc_score(y_true, probabilities, multi_class="ovr", **options)
    value = fm.roc_auc_score(y_true, probabilities, multi_class="ovr", **options)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    expected = sklearn.metrics.average_precision_score(y_true, probabilities, **options)
    np.testing.assert_allclose(
        fm.average_precision_score(y_true, probabilities, **options), expected, rtol=1e-12
    )


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_one_against_one(average):
    y_true, probabilities, _ = class_problem()
    options = {"multi_class": "ovo", "average": average}
    expected = sklearn.metrics.roc_auc_score(y_true, probabilities, **options)
    value = fm.roc_auc_score(y_true, probabilities, **options)
    assert value == pytest.approx(expected, rel=1e-12)


def test_a_class_that_is_absent():
    y_true, probabilities, _ = class_problem()
    present = y_true != 2
    y_true, probabilities = y_true[present], probabilities[present]
    options = {"labels": [0, 1, 2, 3], "multi_class": "ovr"}
    with pytest.warns(UndefinedMetricWarning):
        each = fm.roc_auc_score(y_true, probabilities, average=None, **options)
    assert np.isnan(each).tolist() == [False, False, True, False]
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(fm.roc_auc_score(y_true, probabilities, **options))
    with pytest.warns(UndefinedMetricWarning):
        weighted = fm.roc_auc_score(y_true, probabilities, average="weighted", **options)
    assert 0 < weighted < 1
    options["multi_class"] = "ovo"  # averages over the pairs that occur, in silence
    assert 0 < fm.roc_auc_score(y_true, probabilities, **options) < 1
    with pytest.raises(ValueError, match="Number of classes in y_true not equal"):
        fm.roc_auc_score(y_true, probabilities, multi_class="ovr")
    with pytest.raises(ValueError, match="multi_class must be in"):
        fm.roc_auc_score(y_true, probabilities)


def test_rows_of_probabilities_must_sum_to_one():
    y_true, probabilities, _ = class_problem()
    narrow = probabilities.astype(np.float32)
    expected = sklearn.metrics.roc_auc_score(y_true, narrow, multi_class="ovr")
    assert fm.roc_auc_score(y_true, narrow, multi_class="ovr") == pytest.approx(expected)
    probabilities[3] *= 1.1
    with pytest.raises(ValueError, match="should sum up to 1"):
        fm.roc_auc_score(y_true, probabilities, multi_class="ovr")


def test_several_columns_for_two_classes():
    y_true, probabilities, _ = class_problem(3)
    kept = y_true < 2
    options = {"labels": [0, 1, 2], "multi_class": "ovo"}
    expected = sklearn.metrics.roc_auc_score(y_true[kept], probabilities[kept], **options)
    value = fm.roc_auc_score(y_true[kept], probabilities[kept], **options)
    assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["macro", "micro", "samples", "weighted", None])
@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score"])
def test_label_indicators(name, average, weighted, order):
    rng = np.random.default_rng(1)
    y_true = rng.integers(0, 2, (50, 5))
    y_true[:, :2] = 1, 0  # each row has both
    y_true[0, :2] = 0, 1
    y_score = np.asarray(rng.integers(0, 9, (50, 5)) / 8, order=order)
    weights = rng.random(50) if weighted else None
    options = {"average": average, "sample_weight": weights}
    expected = getattr(sklearn.metrics, name)(y_true, y_score, **options)
    value = getattr(fm, name)(np.asarray(y_true, order=order), y_score, **options)
    np.testing.assert_allclose(value, expected, rtol=1e-12)


def test_label_indicators_need_a_score_each():
    with pytest.raises(ValueError, match="one column per label"):
        fm.roc_auc_score(np.eye(3, 2), np.zeros((3, 3)) / 3)
