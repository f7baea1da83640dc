"""McNemar's test: exact values, agreement with scipy, and labels of every kind."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import fastmetrics as fm


def predictions(b, c, both=4, neither=3):
    """Labels and two predictions, of which the first alone is right b times, the second c times."""
    right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [both, b, c, neither], axis=0)
    return np.ones(len(right), int), right[:, 0], right[:, 1]


@pytest.mark.parametrize(
    ("b", "c", "pvalue"),
    [(3, 3, 1.0), (1, 5, 0.21875), (0, 0, 1.0), (0, 1, 1.0), (0, 6, 2 / 64), (10, 0, 2 / 1024)],
)
def test_exact_values(b, c, pvalue):
    result = fm.mcnemar_test(*predictions(b, c))
    assert result.pvalue == pvalue
    assert result.statistic == min(b, c)
    assert (result.only_a_right, result.only_b_right) == (b, c)
    assert result.method == "exact"


@pytest.mark.parametrize("options", [{}, {"exact": True}, {"exact": False}])
def test_identical_predictions(options):
    y_true, pred, _ = predictions(2, 0)
    result = fm.mcnemar_test(y_true, pred, pred, **options)
    assert result.pvalue == 1
    assert result.statistic == 0


@given(st.integers(0, 40), st.integers(0, 40))
@settings(deadline=None)
def test_exact_agrees_with_the_binomial_test(b, c):
    pvalue = fm.mcnemar_test(*predictions(b, c), exact=True).pvalue
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1
    assert pvalue == pytest.approx(expected, rel=1e-12)
    swapped = fm.mcnemar_test(*predictions(c, b), exact=True)
    assert swapped.pvalue == pvalue


@given(st.integers(0, 40), st.integers(0, 40))
@settings(deadline=None)
def test_approximation_agrees_with_chi_squared(b, c):
    data = predictions(b, c)
    plain = fm.mcnemar_test(*data, exact=False, correction=False)
    assert plain.method == "uncorrected"
    assert plain.statistic == pytest.approx((b - c) ** 2 / (b + c) if b + c else 0)
    corrected = fm.mcnemar_test(*data, exact=False)
    assert corrected.method == "corrected"
    distance = max(abs(b - c) - 1, 0)
    assert corrected.statistic == pytest.approx(distance**2 / (b + c) if b + c else 0)
    for result in (plain, corrected):
        assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic, 1), rel=1e-11)


def test_many_rows():
    few = fm.mcnemar_test(*predictions(480, 520))
    assert few.method == "exact"
    assert few.pvalue == pytest.approx(stats.binomtest(480, 1000).pvalue, rel=1e-11)
    data = predictions(480, 521)
    many, exact = fm.mcnemar_test(*data), fm.mcnemar_test(*data, exact=True)
    assert many.method == "corrected"
    assert exact.pvalue == pytest.approx(stats.binomtest(480, 1001).pvalue, rel=1e-10)
    assert many.pvalue == pytest.approx(exact.pvalue, abs=6e-5)


def test_labels_of_any_kind():
    y_true, a, b = np.array([0, 1, 2, 1]), np.array([0, 1, 2, 0]), np.array([1, 1, 2, 1])
    expected = fm.mcnemar_test(y_true, a, b)
    names = np.array(["x", "y", "z"])
    for convert in (
        list,
        lambda v: v.astype(float),
        lambda v: v[:, None],
        lambda v: names[v],
        lambda v: names[v].astype(object),
        lambda v: pd.Series(names[v], index=[9, 8, 7, 6]),
        lambda v: pd.Categorical.from_codes(v, ["x", "y", "z"]),
        lambda v: pd.Series(v, dtype="Int64"),
    ):
        assert fm.mcnemar_test(convert(y_true), convert(a), convert(b)) == expected
    before = a.copy()
    fm.mcnemar_test(y_true, a, b)
    np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize(
    ("pred", "message"),
    [
        (["0", "1"], "labels of two types"),
        ([0, 1, 1], "inconsistent numbers of samples"),
        ([0, np.nan], "pred_b contains NaN"),
        (np.array([0, None]), "pred_b contains NaN"),
        (np.array(["a", 1], object), "mixes text and numbers"),
        ([0, 0.25], "pred_b holds 0.25: labels are needed, no scores"),
        (np.ma.masked_array([0, 1], [True, False]), "pred_b has 1 masked"),
        ([], "minimum of 1 sample"),
        ([[0, 1], [0, 1]], "1d array"),
    ],
)
def test_bad_data(pred, message):
    with pytest.raises(ValueError, match=message):
        fm.mcnemar_test([0, 1], [1, 1], pred)


def test_bad_options():
    with pytest.raises(ValueError, match="'exact' parameter of mcnemar_test"):
        fm.mcnemar_test([0, 1], [1, 1], [0, 1], exact="yes")
    with pytest.raises(ValueError, match="'correction' parameter of mcnemar_test"):
        fm.mcnemar_test([0, 1], [1, 1], [0, 1], correction=0)
