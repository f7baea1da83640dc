"""Accuracy, zero-one, Hamming and hinge losses, balanced accuracy."""

import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from scipy import sparse

import fastmetrics as fm
from tests.label_problems import FAULTY, FLAGGED, FULL, NEVER_RARE, agree, columns_of, problems

LOSSES = ["accuracy_score", "zero_one_loss", "hamming_loss"]


def test_worked_example():
    assert round(fm.accuracy_score(FAULTY, FLAGGED), 4) == 0.6667
    assert fm.accuracy_score(FAULTY, FLAGGED, normalize=False) == 8
    assert fm.balanced_accuracy_score(FAULTY, FLAGGED) == 0.6875


@pytest.mark.parametrize(
    ("matrix", "accuracy", "balanced"), [(FULL, 0.8725, 0.6822), (NEVER_RARE, 0.858, 0.5543)]
)
def test_a_class_that_is_given_up(matrix, accuracy, balanced):
    problem = columns_of(matrix)
    assert round(fm.accuracy_score(*problem), 4) == accuracy
    assert round(fm.balanced_accuracy_score(*problem), 4) == balanced


@given(problems())
@settings(deadline=None, max_examples=150)
def test_as_scikit_learn(problem):
    y_true, y_pred, weights, _ = problem
    for name in LOSSES:
        agree(name, y_true, y_pred, sample_weight=weights)
    for name in LOSSES[:2]:
        agree(name, y_true, y_pred, sample_weight=weights, normalize=False)
    agree("balanced_accuracy_score", y_true, y_pred, sample_weight=weights)


@given(problems())
@settings(deadline=None, max_examples=60)
def test_perfect_is_exactly_perfect(problem):
    y, _, weights, _ = problem
    weights = None if weights is None else np.array(weights) / 10 + 0.1  # tenths are rounded
    assert fm.accuracy_score(y, y, sample_weight=weights) == 1.0
    assert fm.zero_one_loss(y, y, sample_weight=weights) == 0.0
    assert fm.hamming_loss(y, y, sample_weight=weights) == 0.0


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("kind", ["none", "integers", "fractions"])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_indicators_as_scikit_learn(make, kind, name):
    generator = np.random.default_rng(2)
    y_true = generator.integers(0, 2, (40, 3))
    y_pred = np.where(generator.random((40, 1)) < 0.4, y_true, 1 - y_true)
    weights = {
        "none": None,
        "integers": generator.integers(0, 4, 40),
        "fractions": generator.integers(0, 90, 40) / 16,
    }[kind]
    value = getattr(fm, name)(make(y_true), make(y_pred), sample_weight=weights)
    expected = getattr(sklearn.metrics, name)(make(y_true), make(y_pred), sample_weight=weights)
    assert value == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("adjusted", [False, True])
def test_balanced_accuracy_as_scikit_learn(adjusted):
    generator = np.random.default_rng(3)
    y_true, y_pred = generator.integers(0, 4, (2, 60))
    weights = generator.integers(0, 90, 60) / 16
    agree("balanced_accuracy_score", y_true, y_pred, sample_weight=weights, adjusted=adjusted)
    agree("balanced_accuracy_score", y_true % 3, y_pred, adjusted=adjusted)


def test_balanced_accuracy_leaves_classes_out_that_never_are_true():
    with pytest.warns(UserWarning, match="y_pred contains classes not in y_true"):
        assert fm.balanced_accuracy_score([0, 0, 1], [0, 2, 1]) == 0.75
    with pytest.warns(UserWarning, match="y_pred contains classes not in y_true"):
        assert math.isnan(fm.balanced_accuracy_score([0, 0], [0, 1], adjusted=True))


def test_options_that_do_not_exist():
    for name in LOSSES[:2]:
        with pytest.raises(ValueError, match=f"'normalize' parameter of {name}"):
            getattr(fm, name)([0, 1], [0, 1], normalize="true")
    with pytest.raises(ValueError, match="'adjusted' parameter"):
        fm.balanced_accuracy_score([0, 1], [0, 1], adjusted="no")


@pytest.mark.parametrize("labels", [np.array([1, 2], "M8[D]"), np.array([1, 2], "m8[D]")], ids=repr)
def test_what_labels_are_not(labels):
    with pytest.raises(ValueError, match="y_true has dtype .*: labels are whole numbers, bools"):
        fm.accuracy_score(labels, labels)
