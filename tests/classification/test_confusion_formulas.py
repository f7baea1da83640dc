"""Formulas on the confusion matrix against obvious versions, and their laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from fastmetrics.classification.confusion_formulas import (
    AVERAGED,
    AVERAGES,
    CONFUSION,
    METRICS,
    SEVERAL_CLASSES,
)
from tests import reference_classes
from tests.label_problems import GRADES, columns_of

ALL = {metric.name: metric for metric in (*METRICS, *SEVERAL_CLASSES)}
NAMES = pytest.mark.parametrize("name", ALL)
matrices = st.integers(1, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.sampled_from([0, 0, 0.25, 1, 7, 1000]), min_size=k, max_size=k),
        min_size=k,
        max_size=k,
    )
)


def without_absent(matrix, name):
    """The matrix of the classes that occur; the places of classes stay where they have weights."""
    present = [k for k, row in enumerate(matrix) if any(row) or any(line[k] for line in matrix)]
    if name.endswith(("_linear", "_quadratic")):
        return matrix
    return [[matrix[true][predicted] for predicted in present] for true in present]


def value(name, matrix):
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(ALL[name].formula(np.array(matrix, np.float64).ravel()))


@NAMES
@given(matrices)
@settings(deadline=None, max_examples=60)
def test_formulas_are_those_of_the_loops(name, matrix):
    kept = without_absent(matrix, name)
    expected = reference_classes.OF_MATRIX[name](kept) if np.any(matrix) else math.nan
    np.testing.assert_allclose(value(name, matrix), expected, rtol=1e-9, atol=1e-12)


@NAMES
def test_a_batch_is_a_loop_of_singles(name):
    batch = np.random.default_rng(0).integers(0, 4, (3, 5, 9)).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        together = ALL[name].formula(batch)
    assert together.shape == (3, 5)
    singles = [[value(name, matrix) for matrix in row] for row in batch]
    np.testing.assert_array_equal(together, singles)


@NAMES
@given(matrices, st.sampled_from([1.0, 0.1, 1e9, 2.0**-40]))
@settings(deadline=None, max_examples=60)
def test_bounds_and_scale(name, matrix, scale):
    low, high = ALL[name].bounds
    found = value(name, scale * np.array(matrix, np.float64))
    assert math.isnan(found) or low <= found <= high
    np.testing.assert_allclose(found, value(name, matrix), rtol=1e-9, atol=1e-12)


@NAMES
@pytest.mark.parametrize("totals", [[3, 1], [0.1, 0.2, 0.7], [1e-9, 1e9, 5, 1 / 3]])
def test_perfect_is_the_best(name, totals):
    low, high = ALL[name].bounds
    best = high if ALL[name].greater_is_better else low
    if len(totals) > 1 or "negative" not in name:
        assert value(name, np.diag(totals)) == best


@NAMES
def test_nothing_is_nan(name):
    assert math.isnan(value(name, np.zeros((3, 3))))


@NAMES
def test_order_of_the_classes_changes_nothing_unless_it_is_meant(name):
    permuted = GRADES[np.ix_([2, 0, 1], [2, 0, 1])]
    same = value(name, permuted) == pytest.approx(value(name, GRADES), rel=1e-12)
    assert same == (name not in ("cohen_kappa_linear", "cohen_kappa_quadratic"))


DROP_INS = {
    "accuracy": fm.accuracy_score,
    "zero_one_loss": fm.zero_one_loss,
    "hamming_loss": fm.hamming_loss,
    "balanced_accuracy": fm.balanced_accuracy_score,
    "matthews_corrcoef": fm.matthews_corrcoef,
    "cohen_kappa": fm.cohen_kappa_score,
    "f1_of_macro_averages": fm.f1_of_macro_averages,
    **{
        f"cohen_kappa_{weights}": lambda a, b, weights=weights: fm.cohen_kappa_score(
            a, b, weights=weights
        )
        for weights in ("linear", "quadratic")
    },
    **{
        f"{rate}_{average}": lambda a, b, rate=rate, average=average: getattr(fm, f"{rate}_score")(
            a, b, average=average
        )
        for rate in AVERAGED
        for average in AVERAGES
    },
}


@NAMES
def test_formulas_are_the_drop_in_functions_where_nothing_is_undefined(name):
    assert value(name, GRADES) == pytest.approx(DROP_INS[name](*columns_of(GRADES)), rel=1e-14)


def test_a_class_that_is_undefined_makes_the_macro_average_undefined():
    never_predicted = [[5, 1, 0], [2, 4, 0], [1, 1, 0]]
    assert math.isnan(value("precision_macro", never_predicted))
    assert value("f1_macro", never_predicted) > 0
    never_true = [[5, 1, 1], [2, 4, 1], [0, 0, 0]]
    assert math.isnan(value("recall_macro", never_true))
    assert value("recall_weighted", never_true) == pytest.approx(9 / 14)
    assert value("balanced_accuracy", never_true) == pytest.approx((5 / 7 + 4 / 7) / 2)
    assert math.isnan(value("balanced_accuracy", [[3, 1], [0, 0]]))


def test_descriptions():
    assert len(ALL) == len(METRICS) + len(SEVERAL_CLASSES)
    for metric in ALL.values():
        assert metric.statistic is CONFUSION
        assert metric.input == "label"
        assert metric.source
    assert (CONFUSION.kind, CONFUSION.level, CONFUSION.size) == ("confusion", "counts", 0)
    assert CONFUSION.additive
