"""Intervals for averaged F1: closed forms, numerical derivatives, and simulated coverage."""

import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.inference.proportions import f1_intervals

# seventy graded parts
GRADES = np.array([[46, 3, 1], [5, 9, 1], [1, 2, 2]])
SCORES = {
    "micro": f1_intervals.micro_f1,
    "macro": f1_intervals.macro_f1,
    "macro_averages": f1_intervals.macro_averages_f1,
}
AVERAGE = pytest.mark.parametrize("average", list(SCORES))
MATRICES = st.integers(2, 4).flatmap(
    lambda k: npst.arrays(np.int64, (k, k), elements=st.integers(1, 30))
)


def labels_of(matrix):
    """One row per count of a confusion matrix."""
    pairs = np.repeat(np.argwhere(matrix >= 0), matrix.ravel(), axis=0)
    return pairs[:, 0], pairs[:, 1]


def test_worked_example():
    assert round(fm.f1_interval(confusion_matrix=GRADES).estimate, 4) == 0.6557
    averages = fm.f1_interval(confusion_matrix=GRADES, average="macro_averages")
    assert round(averages.estimate, 4) == 0.6574
    micro = fm.f1_interval(confusion_matrix=GRADES, average="micro")
    assert round(micro.estimate, 4) == 0.8143
    assert (micro.low, micro.high) == pytest.approx(fm.wald_interval(57, 70), rel=1e-13)


@given(MATRICES)
@settings(deadline=None)
def test_estimates_agree_with_scikit_learn(matrix):
    y_true, y_pred = labels_of(matrix)
    for average in ("micro", "macro"):
        found = fm.f1_interval(y_true, y_pred, average=average)
        theirs = sklearn.metrics.f1_score(y_true, y_pred, average=average)
        assert found.estimate == pytest.approx(theirs, rel=1e-13)
        assert found == pytest.approx(fm.f1_interval(confusion_matrix=matrix, average=average))
        reach = stats.norm.ppf(0.975) * found.standard_error
        assert found.high - found.estimate == pytest.approx(reach, rel=1e-12)
        assert found.estimate - found.low == pytest.approx(reach, rel=1e-12)


@AVERAGE
@given(MATRICES)
@settings(deadline=None, max_examples=40)
def test_derivatives(average, matrix):
    cells = matrix / matrix.sum()
    score, step = SCORES[average], 1e-6
    _, gradient = score(cells)
    for place in np.ndindex(cells.shape):
        moved = np.zeros_like(cells)
        moved[place] = step
        slope = (score(cells + moved)[0] - score(cells - moved)[0]) / (2 * step)
        assert gradient[place] == pytest.approx(slope, rel=1e-4, abs=1e-6)


@given(MATRICES)
@settings(deadline=None)
def test_variance_of_macro_f1_in_closed_form(matrix):
    # Takahashi et al. (2022), by sums over classes and pairs of classes
    n, k = matrix.sum(), len(matrix)
    p = matrix / n
    margin = p.sum(axis=0) + p.sum(axis=1)
    f1 = 2 * np.diag(p) / margin
    total = 0.0
    for i in range(k):
        rest = (margin[i] - 2 * p[i, i]) / margin[i]
        total += f1[i] * rest / margin[i] * (rest + f1[i] / 2)
        for j in range(k):
            if j != i:
                total += p[i, j] * f1[i] * f1[j] / (margin[i] * margin[j])
    variance = 2 / k**2 * total / n
    error = fm.f1_interval(confusion_matrix=matrix).standard_error
    assert error == pytest.approx(math.sqrt(variance), rel=1e-10)


@AVERAGE
def test_coverage(average):
    rng = np.random.default_rng(0)
    truth = SCORES[average](GRADES / 70)[0]
    covered = 0
    for matrix in rng.multinomial(2000, (GRADES / 70).ravel(), 500).reshape(-1, 3, 3):
        found = fm.f1_interval(confusion_matrix=matrix, average=average)
        covered += found.low <= truth <= found.high
    # 475 expected, with a standard deviation of 4.9
    assert 455 <= covered <= 495


def test_labels_of_any_kind():
    y_true, y_pred = labels_of(GRADES)
    names = np.array(["good", "rework", "scrap"])
    expected = fm.f1_interval(confusion_matrix=GRADES)
    assert fm.f1_interval(names[y_true], names[y_pred]) == expected
    assert fm.f1_interval(names[y_true].astype(object), names[y_pred].tolist()) == expected


def test_an_absent_class_takes_no_part():
    padded = np.zeros((4, 4), int)
    padded[:3, :3] = GRADES
    expected = fm.f1_interval(confusion_matrix=GRADES)
    assert fm.f1_interval(confusion_matrix=padded) == pytest.approx(expected)


def test_degenerate_matrices():
    perfect = fm.f1_interval([0, 1, 2], [0, 1, 2])
    assert perfect == (1, 1, 1, 0)
    assert fm.f1_interval([0, 1], [1, 0]).estimate == 0
    assert fm.f1_interval([0, 1], [1, 0], average="macro_averages") == (0, 0, 0, 0)
    # never predicted: its F1 is 0, its precision undefined
    assert fm.f1_interval([0, 1], [0, 0]).estimate == pytest.approx(1 / 3)
    with pytest.warns(UndefinedMetricWarning, match="never predicted"):
        found = fm.f1_interval([0, 1], [0, 0], average="macro_averages")
    assert np.isnan(found).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "pass y_true and y_pred, or confusion_matrix="),
        ({"y_true": [0, 1]}, "pass y_true and y_pred"),
        ({"y_true": [0, 1], "confusion_matrix": GRADES}, "pass one of the two"),
        ({"confusion_matrix": GRADES[:2]}, "give K x K counts"),
        ({"confusion_matrix": -GRADES}, "negative count"),
        ({"confusion_matrix": 0 * GRADES}, "nothing but zeros"),
        ({"confusion_matrix": GRADES * np.nan}, "contains NaN"),
        ({"y_true": [0, 1], "y_pred": ["a", "b"]}, "Mix of label input types"),
        ({"y_true": [0, 1], "y_pred": [0]}, "inconsistent numbers of samples"),
        ({"confusion_matrix": GRADES, "average": "weighted"}, "'average' parameter"),
        ({"confusion_matrix": GRADES, "confidence_level": 90}, "give a fraction, 0.9"),
    ],
)
def test_bad_data(arguments, message):
    with pytest.raises(ValueError, match=message):
        fm.f1_interval(**arguments)
