"""The table of all classes."""

import math
import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.errors import InputError
from tests.label_problems import GRADES, agree, chosen_labels, columns_of, problems

WORKED = """\
              precision    recall  f1-score   support

        good     0.8846    0.9200    0.9020        50
      rework     0.6429    0.6000    0.6207        15
       scrap     0.5000    0.4000    0.4444         5

    accuracy                         0.8143        70
   macro avg     0.6758    0.6400    0.6557        70
weighted avg     0.8053    0.8143    0.8090        70
"""


def test_worked_example():
    problem = columns_of(GRADES, np.array(["good", "rework", "scrap"]))
    assert fm.classification_report(*problem, digits=4) == WORKED
    names = {"target_names": ["good", "rework", "scrap"], "digits": 4}
    assert fm.classification_report(*columns_of(GRADES), **names) == WORKED


@given(problems(), st.data())
@settings(deadline=None, max_examples=100)
def test_as_scikit_learn(problem, data):
    y_true, y_pred, weights, names = problem
    options = {
        "labels": data.draw(chosen_labels(names)),
        "sample_weight": weights,
        "zero_division": data.draw(st.sampled_from(["warn", 0, 1, math.nan])),
        "digits": data.draw(st.integers(0, 9)),
    }
    agree("classification_report", y_true, y_pred, output_dict=True, **options)
    # where no row is right scikit-learn prints 1.0 for one row
    if weights is not None or (y_true == y_pred).any():
        agree("classification_report", y_true, y_pred, **options)


@pytest.mark.parametrize("labels", [None, [2, 0]])
@pytest.mark.parametrize("weights", [None, np.arange(30) % 4])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_indicators_as_scikit_learn(make, weights, labels):
    y_true, y_pred = (np.random.default_rng(4).random((2, 30, 3)) < 0.4).astype(int)
    options = {"labels": labels, "sample_weight": weights, "zero_division": 0}
    ours, theirs = (
        module.classification_report(make(y_true), make(y_pred), **options)
        for module in (fm, sklearn.metrics)
    )
    assert ours == theirs


def test_micro_average_takes_the_place_of_accuracy_where_a_class_is_left_out():
    y_true, y_pred = [0, 1, 2, 2, 1], [1, 1, 2, 0, 1]
    options = {"output_dict": True, "zero_division": 0}
    subset = fm.classification_report(y_true, y_pred, labels=[1, 2], **options)
    assert list(subset) == ["1", "2", "micro avg", "macro avg", "weighted avg"]
    assert subset["micro avg"]["precision"] == subset["micro avg"]["recall"] == 0.75
    superset = fm.classification_report(y_true, y_pred, labels=[0, 1, 2, 3], **options)
    assert list(superset) == ["0", "1", "2", "3", "accuracy", "macro avg", "weighted avg"]
    assert superset["accuracy"] == 0.6
    assert superset["macro avg"]["f1-score"] == pytest.approx(11 / 30)
    permuted = fm.classification_report(y_true, y_pred, labels=[2, 1, 0], **options)
    assert list(permuted) == ["2", "1", "0", "accuracy", "macro avg", "weighted avg"]


def test_each_warning_once():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fm.classification_report(["a", "b", "c"], ["a", "b", "d"])
    texts = [str(warning.message).split(" is ")[0] for warning in caught]
    assert texts == ["Precision", "Recall"]
    with pytest.warns(UndefinedMetricWarning, match="in samples with no true labels"):
        fm.classification_report(np.array([[0, 0], [1, 1]]), np.eye(2))


def test_names_that_do_not_fit():
    problem = [0, 0, 2, 0, 0], [0, 2, 2, 0, 0]
    names = ["class 0", "class 1", "class 2"]
    with pytest.warns(UserWarning, match="labels size, 2, does not match size of target_names, 3"):
        fm.classification_report(*problem, labels=[0, 2], target_names=names)
    with pytest.raises(InputError, match="Number of classes, 2, does not match size of target_n"):
        fm.classification_report(*problem, target_names=names)


def test_options_that_do_not_exist():
    for options in ({"digits": -1}, {"digits": 2.5}, {"output_dict": "yes"}, {"zero_division": 2}):
        with pytest.raises(
            ValueError, match=f"'{next(iter(options))}' parameter of classification"
        ):
            fm.classification_report([0, 1], [0, 1], **options)
