"""Specificity, negative predictive value and false positive rate."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.errors import LabelError
from tests.label_problems import FAULTY, FLAGGED, GRADES, columns_of, problems

RATES = [
    fm.specificity_score,
    fm.negative_predictive_value_score,
    fm.false_positive_rate_score,
]


def test_worked_example():
    assert fm.specificity_score(FAULTY, FLAGGED) == 0.625
    assert fm.false_positive_rate_score(FAULTY, FLAGGED) == 0.375
    assert round(fm.negative_predictive_value_score(FAULTY, FLAGGED), 4) == 0.8333


def test_each_class_against_the_rest():
    y_true, y_pred = columns_of(GRADES)
    good = y_true != 0, y_pred != 0
    for rate in RATES:
        each = rate(y_true, y_pred, average=None)
        assert each[0] == rate(*good, pos_label=False)
        assert rate(y_true, y_pred, average="macro") == pytest.approx(each.mean())
    micro = fm.specificity_score(y_true, y_pred, average="micro")
    assert micro == pytest.approx((2 * 70 - 13) / (2 * 70))


@given(problems())
@settings(deadline=None, max_examples=60)
def test_rates_of_the_negatives_are_those_of_the_other_class(problem):
    y_true, y_pred, weights, names = problem
    first = names.tolist()[0]
    other = y_true != first, y_pred != first
    options = {"labels": [first], "average": None, "sample_weight": weights, "zero_division": 0}
    recall = fm.recall_score(*other, pos_label=True, sample_weight=weights, zero_division=0)
    assert fm.specificity_score(y_true, y_pred, **options)[0] == pytest.approx(recall)
    precision = fm.precision_score(*other, pos_label=True, sample_weight=weights, zero_division=0)
    npv = fm.negative_predictive_value_score(y_true, y_pred, **options)[0]
    assert npv == pytest.approx(precision)
    negatives = np.average(other[0], weights=weights) > 0
    false_positives = fm.false_positive_rate_score(y_true, y_pred, **options)[0]
    assert false_positives == pytest.approx(1 - recall if negatives else 0.0)


def test_undefined_is_nan_and_warned_of():
    with pytest.warns(UndefinedMetricWarning, match="specificity is undefined, nan: there are no"):
        assert math.isnan(fm.specificity_score([1, 1], [1, 0]))
    with pytest.warns(UndefinedMetricWarning, match="false positive rate is undefined"):
        assert math.isnan(fm.false_positive_rate_score([1, 1], [1, 0]))
    with pytest.warns(UndefinedMetricWarning, match="negative predictive value is undefined"):
        assert math.isnan(fm.negative_predictive_value_score([1, 0], [1, 1]))
    assert fm.specificity_score([1, 1], [1, 0], zero_division=1) == 1.0


@pytest.mark.parametrize("size", [2, 3, 300])
def test_fractional_weights_leave_no_negatives_behind(size):
    generator = np.random.default_rng(size)
    y, weights = generator.integers(0, size, 1000), generator.random(1000)
    y[0] = last = size - 1
    options = {"labels": [last], "average": None, "sample_weight": weights}
    with pytest.warns(UndefinedMetricWarning):
        assert math.isnan(fm.specificity_score(np.full(1000, last), y, **options)[0])
    with pytest.warns(UndefinedMetricWarning):
        value = fm.negative_predictive_value_score(y, np.full(1000, last), **options)
    assert math.isnan(value[0])
    flags = y[:, None] == np.arange(2)
    options = {"average": None, "sample_weight": weights}
    with pytest.warns(UndefinedMetricWarning):
        rates = fm.negative_predictive_value_score(flags, np.ones_like(flags), **options)
    assert np.isnan(rates).all()


def test_a_class_that_is_nan_is_left_out_of_the_mean():
    y_true, y_pred = ["a", "a"], ["a", "b"]  # no negatives of a
    assert fm.specificity_score(y_true, y_pred, average="macro") == 0.5


def test_the_positive_class_must_be_one_of_the_labels():
    for rate in RATES:
        with pytest.raises(LabelError, match="pos_label=1 is not a valid label"):
            rate(["a", "b"], ["a", "b"])
        with pytest.raises(ValueError, match=f"'zero_division' parameter of {rate.__name__}"):
            rate([0, 1], [0, 1], zero_division=0.5)
