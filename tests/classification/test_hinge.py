"""Hinge loss: known values, scikit-learn, and where it goes wrong."""

import numpy as np
import pytest
import sklearn.metrics

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError

NAMES = {"integers": np.arange(5), "text": np.array(list("abcde")), "floats": np.arange(5.0)}


def test_known_value():
    decisions = np.array([-8.5, 0.5, 1.5, -0.3])
    assert fm.hinge_loss([-1, 1, 1, -1], decisions) == pytest.approx(0.3)
    assert fm.hinge_loss([0, 2, 2, 0], decisions) == pytest.approx(0.3)
    assert fm.hinge_loss([False, True, True, False], decisions[:, None]) == pytest.approx(0.3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("kind", NAMES)
def test_as_scikit_learn(kind, classes, weighted):
    generator = np.random.default_rng(classes)
    codes = np.r_[np.arange(classes), generator.integers(0, classes, 3000)]
    y_true = NAMES[kind][codes]
    decisions = generator.normal(size=(codes.size, classes))
    if classes == 2:
        decisions = decisions[:, 0]
    copy = decisions.copy()
    options = {"sample_weight": generator.random(codes.size) if weighted else None}
    expected = sklearn.metrics.hinge_loss(y_true, decisions, **options)
    assert fm.hinge_loss(y_true, decisions, **options) == pytest.approx(expected, rel=1e-13)
    assert (decisions == copy).all()


def test_labels_that_do_not_occur():
    decisions = np.array([[0.36, -0.17, -0.58], [-0.15, -0.58, -0.48], [-1.45, -0.58, -0.38]])
    options = {"labels": [0, 1, 2]}
    expected = sklearn.metrics.hinge_loss([0, 2, 2], decisions, **options)
    assert fm.hinge_loss([0, 2, 2], decisions, **options) == pytest.approx(expected)


def test_one_class_is_not_taken_for_the_negative_one():
    decisions = [2.0, 3.0]
    assert fm.hinge_loss([1, 1], decisions) == 0.0  # scikit-learn: 3.5
    assert fm.hinge_loss([0, 0], decisions) == 3.5
    assert fm.hinge_loss(["b", "b"], decisions, labels=["a", "b"]) == 0.0
    assert fm.hinge_loss(["a", "a"], decisions, labels=["a", "b"]) == 3.5
    with pytest.raises(LabelError, match="y_true holds only 'b': name both classes"):
        fm.hinge_loss(["b", "b"], decisions)


def test_decisions_whose_sum_is_beyond_float64():
    assert fm.hinge_loss([1, 1, 0], [1e308, 1e308, -1e308]) == 0.0
    assert fm.hinge_loss([0, 1, 2], np.full((3, 3), 1.5e308)) == 1.0


def test_whole_numbers_that_float64_cannot_tell_apart():
    decisions = np.array([2**60 + 1, 2**60, -1])
    assert fm.hinge_loss([1, 1, 1], decisions) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("y_true", "decisions", "options", "message"),
    [
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, r"cannot be 1d arraywith a multiclass .*\(3, 3\). Got"),
        ([0, 1, 2], np.eye(3, 4), {}, "Please include all labels in y_true or pass labels"),
        ([0, 1, 1], np.eye(3, 2), {"labels": [0, 1, 2]}, "not consistent with the number of"),
        ([0, 1, 3], np.eye(3), {"labels": [0, 1, 2]}, r"y_true holds \[3\], which labels=\[0, 1,"),
        ([0, 1], [0.1, np.nan], {}, "pred_decision has 1 NaN, first at row 1"),
        ([0, 1], [0.1, np.inf], {}, "pred_decision has 1 infinite entry, first at row 1"),
        ([0, 1], [np.inf, -np.inf], {}, "pred_decision has 2 infinite entries"),
        ([0, 1, 2], np.diag([1, 1, np.nan]), {}, "pred_decision has 1 NaN, first at row 2"),
        ([0, 1], [0.1, 0.2, 0.3], {}, "inconsistent numbers of samples"),
        ([0.5, 1.5], [0.1, 0.2], {}, "continuous format is not supported"),
        ([0, 1], ["a", "b"], {}, "scores are numbers"),
        ([0, 1], [[0.1, 0.2], [0.3, 0.4]], {}, "should be a 1d array"),
    ],
)
def test_what_cannot_be_scored(y_true, decisions, options, message):
    with pytest.raises(InputError, match=message):
        fm.hinge_loss(y_true, decisions, **options)
