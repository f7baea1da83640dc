"""Matthews correlation, kappa and likelihood ratios."""

import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError
from tests.label_problems import (
    FAULTY,
    FLAGGED,
    FULL,
    GRADES,
    NEVER_RARE,
    agree,
    chosen_labels,
    columns_of,
    outcome,
    problems,
    same,
)

NAN, INF = np.nan, math.inf


def test_worked_example_of_one_threshold():
    assert round(fm.matthews_corrcoef(FAULTY, FLAGGED), 4) == 0.3536
    assert fm.matthews_corrcoef(FAULTY, FLAGGED) == pytest.approx(12 / math.sqrt(6 * 4 * 8 * 6))
    assert fm.cohen_kappa_score(FAULTY, FLAGGED) == pytest.approx(1 / 3)


def test_worked_example_of_three_classes():
    problem = columns_of(GRADES)
    assert round(fm.cohen_kappa_score(*problem), 4) == 0.5604
    assert round(fm.cohen_kappa_score(*problem, weights="quadratic"), 4) == 0.6145
    assert round(fm.matthews_corrcoef(*problem), 4) == 0.5617
    assert fm.matthews_corrcoef(*problem) == pytest.approx(1160 / 2065.33, abs=1e-6)
    constant = problem[0], np.zeros_like(problem[0])
    assert fm.matthews_corrcoef(*constant) == fm.cohen_kappa_score(*constant) == 0.0


@pytest.mark.parametrize(
    ("matrix", "matthews", "kappa"), [(FULL, 0.6613, 0.6586), (NEVER_RARE, 0.6187, 0.6132)]
)
def test_a_class_that_is_given_up(matrix, matthews, kappa):
    problem = columns_of(matrix)
    assert round(fm.matthews_corrcoef(*problem), 4) == matthews
    assert round(fm.cohen_kappa_score(*problem), 4) == kappa


@given(problems(), st.data())
@settings(deadline=None, max_examples=150)
def test_as_scikit_learn(problem, data):
    y_true, y_pred, weights, names = problem
    agree("matthews_corrcoef", y_true, y_pred, sample_weight=weights)
    options = {
        "labels": data.draw(chosen_labels(names)),
        "weights": data.draw(st.sampled_from([None, "linear", "quadratic"])),
        "sample_weight": weights,
        "replace_undefined_by": data.draw(st.sampled_from([NAN, 0.0, -1.0])),
    }
    agree("cohen_kappa_score", y_true, y_pred, **options)


@given(problems(fewest=2, most=3), st.data())
@settings(deadline=None, max_examples=100)
def test_ratios_as_scikit_learn(problem, data):
    y_true, y_pred, weights, names = problem
    replaced = st.sampled_from([NAN, 1.0, {"LR+": INF, "LR-": 0.5}, {"LR+": NAN, "LR-": NAN}])
    options = {"sample_weight": weights, "replace_undefined_by": data.draw(replaced)}
    for labels in (None, names.tolist()[1::-1]):
        with np.errstate(all="ignore"):  # scikit-learn lets NumPy warn of 0/0 as well
            (ours, said), (theirs, expected) = (
                outcome(module.class_likelihood_ratios, y_true, y_pred, labels=labels, **options)
                for module in (fm, sklearn.metrics)
            )
        assert same(ours, theirs)
        # the end of two of scikit-learn's sentences is lost
        assert {text[:75] for _, text in said} == {text[:75] for _, text in expected}


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_products_of_counts_do_not_overflow(dtype):
    scale = 1 if dtype == "int32" else 10**6
    weights = np.array([60_000, 7_000, 9_000, 60_000], dtype) * np.array(scale, dtype)
    value = fm.matthews_corrcoef([0, 0, 1, 1], [0, 1, 0, 1], sample_weight=weights)
    assert value == pytest.approx(1179 / 1541, abs=1e-12)


def test_matthews_of_constant_columns_is_zero():
    y = [1, 0, 1, 0]
    assert fm.matthews_corrcoef(y, [1] * 4) == fm.matthews_corrcoef([1] * 4, y) == 0.0
    assert fm.matthews_corrcoef([0, 1, 2, 2], [2] * 4) == 0.0
    with pytest.warns(UserWarning, match="A single label"):
        assert fm.matthews_corrcoef([1] * 4, [1] * 4) == 0.0


def test_rounded_weights_do_not_make_a_correlation():
    # scikit-learn takes two sums of the same weights apart and divides their rounding
    generator = np.random.default_rng(0)
    for _ in range(50):
        weights = generator.random(30)
        y_pred = generator.integers(0, 3, 30)
        constant = np.ones(30, int)
        assert fm.matthews_corrcoef(constant, y_pred, sample_weight=weights) == 0.0
        assert fm.matthews_corrcoef(y_pred, constant, sample_weight=weights) == 0.0
        y = generator.integers(0, 3, 30)
        assert fm.matthews_corrcoef(y, y, sample_weight=weights) == 1.0


def test_agreement_does_not_depend_on_who_is_first():
    generator = np.random.default_rng(1)
    first, second = generator.integers(0, 4, (2, 200))
    for options in ({}, {"weights": "linear"}, {"weights": "quadratic"}):
        swapped = fm.cohen_kappa_score(second, first, **options)
        assert fm.cohen_kappa_score(first, second, **options) == pytest.approx(swapped, rel=1e-14)
    assert fm.cohen_kappa_score(first, second) == fm.cohen_kappa_score(second, first)
    assert fm.matthews_corrcoef(first, second) == fm.matthews_corrcoef(second, first)


def test_weights_of_kappa_follow_the_positions_of_the_labels():
    a, b = ["low", "mid", "high", "mid", "low"], ["low", "high", "high", "mid", "mid"]
    assert fm.cohen_kappa_score(a, b, weights="linear") == pytest.approx(8 / 23)
    order = ["low", "mid", "high"]
    assert fm.cohen_kappa_score(a, b, weights="linear", labels=order) == pytest.approx(6 / 11)
    u, v = [1, 2, 10, 2, 1], [1, 10, 10, 1, 2]
    assert fm.cohen_kappa_score(u, v, weights="quadratic") == pytest.approx(4 / 7)
    assert fm.cohen_kappa_score([0, 1, 2, 1], [0, 2, 2, 1], labels=[0, 1]) == 1.0


def test_kappa_of_many_labels_needs_no_matrix():
    generator = np.random.default_rng(2)
    first = generator.integers(0, 50_000, 100_000)
    second = np.where(generator.random(100_000) < 0.7, first, generator.permutation(first))
    assert fm.cohen_kappa_score(first, second) == pytest.approx(0.7, abs=0.01)
    assert fm.matthews_corrcoef(first, second) == pytest.approx(0.7, abs=0.01)


def test_undefined_kappa():
    with pytest.warns(UndefinedMetricWarning, match="have only one label in common"):
        assert (
            fm.cohen_kappa_score([1, 1, 2], [1, 1, 3], labels=[1, 2], replace_undefined_by=0) == 0
        )
    with pytest.warns(UndefinedMetricWarning, match="`y2` contains no labels that are present"):
        assert math.isnan(fm.cohen_kappa_score([1, 2], [3, 3], labels=[1, 2]))
    with pytest.raises(LabelError, match="At least one label in `labels` must be present in `y1`"):
        fm.cohen_kappa_score(["a", "b"], ["b", "b"], labels=[1, 2])
    with pytest.raises(LabelError, match="should contain at least one label"):
        fm.cohen_kappa_score(["a", "b"], ["b", "b"], labels=[])


def test_likelihood_ratios():
    y_true = np.array([1] * 3 + [0] * 17)
    y_pred = np.array([1] * 2 + [0] * 10 + [1] * 8)
    assert fm.class_likelihood_ratios(y_true, y_pred) == pytest.approx((34 / 24, 17 / 27))
    reversed_roles = fm.class_likelihood_ratios(y_true, y_pred, labels=[1, 0])
    assert reversed_roles == pytest.approx(((9 / 17) / (1 / 3), (8 / 17) / (2 / 3)))


def test_undefined_likelihood_ratios():
    with pytest.warns(UndefinedMetricWarning, match="`positive_likelihood_ratio` is ill-defined"):
        positive, negative = fm.class_likelihood_ratios([1, 1, 0], [1, 0, 0])
    assert math.isnan(positive)
    assert negative == 0.5
    with pytest.warns(UndefinedMetricWarning, match="No samples of the positive class"):
        assert np.isnan(fm.class_likelihood_ratios([0, 0, 0], [1, 1, 0])).all()
    with pytest.warns(UserWarning, match="A single label"), pytest.raises(LabelError, match="two"):
        fm.class_likelihood_ratios([1, 1], [1, 1])
    with pytest.raises(InputError, match="only supports binary classification problems"):
        fm.class_likelihood_ratios([0, 1, 2], [0, 1, 2])


@pytest.mark.parametrize(
    "value", [0.5, "nan", {"LR+": 0.0}, {"LR+": 0.0, "LR-": 0.0}, {"LR+": 1.0, "LR-": 2.0}]
)
def test_replacements_that_make_no_sense(value):
    with pytest.raises(ValueError, match="replace_undefined_by"):
        fm.class_likelihood_ratios([0, 1], [0, 1], replace_undefined_by=value)


def test_options_that_do_not_exist():
    with pytest.raises(ValueError, match="'weights' parameter of cohen_kappa_score"):
        fm.cohen_kappa_score([0, 1], [0, 1], weights="cubic")
    for value in (2, "nan", None):
        with pytest.raises(ValueError, match="'replace_undefined_by' parameter of cohen_kappa"):
            fm.cohen_kappa_score([0, 1], [0, 1], replace_undefined_by=value)
