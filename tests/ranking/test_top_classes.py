"""Top-k accuracy: definition, agreement with scikit-learn, and labels of every kind."""

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from tests import reference_lists as reference

LABELS = np.array([0, 1, 2, 2, 0])
SCORES = np.array([[5, 5, 7], [1, 5, 5], [0, 3, 3], [1, 1, 1], [2, 2, 0]]) / 8


@st.composite
def problems(draw):
    """Labels of three or more classes that all occur, scores with ties, weights and k."""
    c = draw(st.integers(3, 5))
    rest = draw(st.lists(st.integers(0, c - 1), max_size=5))
    labels = np.array([*range(c), *rest])
    scores = draw(npst.arrays(np.float64, (len(labels), c), elements=st.integers(-2, 2)))
    weights = draw(npst.arrays(np.float64, len(labels), elements=st.integers(0, 3)).filter(np.any))
    return labels, scores, draw(st.none() | st.just(weights)), draw(st.integers(1, c - 1))


@given(problems(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_agrees_with_scikit_learn_and_with_sorting(problem, normalize):
    labels, scores, weights, k = problem
    options = {"k": k, "normalize": normalize, "sample_weight": weights}
    value = fm.top_k_accuracy_score(labels, scores, **options)
    theirs = sklearn.metrics.top_k_accuracy_score(labels, scores, **options)
    assert value == pytest.approx(theirs, rel=1e-14)
    hits = [reference.place(row, code) < k for row, code in zip(scores.tolist(), labels)]
    full = np.ones(len(hits)) if weights is None else weights
    total = full.sum() if normalize else 1
    assert value == pytest.approx(full @ np.array(hits) / total, rel=1e-14)


@pytest.mark.parametrize("low", [0, -1])
@pytest.mark.parametrize("k", [1, 2])
def test_two_classes(low, k):
    scores = np.linspace(low, 1, 8)
    labels = np.array([0, 1, 0, 1, 1, 0, 1, 1])
    if k == 2:
        with pytest.warns(UndefinedMetricWarning, match="'n_classes' \\(2\\)"):
            assert fm.top_k_accuracy_score(labels, scores, k=2) == 1
        return
    theirs = sklearn.metrics.top_k_accuracy_score(labels, scores, k=1)
    assert fm.top_k_accuracy_score(labels, scores, k=1) == theirs
    assert fm.top_k_accuracy_score(labels, scores[:, None], k=1) == theirs
    assert fm.top_k_accuracy_score(labels.tolist(), scores.tolist(), k=1) == theirs
    assert fm.top_k_accuracy_score(labels, scores, k=1, normalize=False) == theirs * 8
    assert fm.top_k_accuracy_score(labels + 1, scores, k=1) == theirs


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_of_two_classes_are_numbers(value):
    with pytest.raises(ValueError, match="Input y_score contains"):
        fm.top_k_accuracy_score(np.array([0, 1, 1]), np.array([0.5, value, 0.0]), k=1)


@pytest.mark.parametrize(
    "convert",
    [
        lambda a: a.tolist(),
        lambda a: a.astype(np.uint8),
        lambda a: a.astype(np.int8),
        lambda a: a + 2**40,
        lambda a: a * 10.0 - 10,
        lambda a: a * 2**20 - 2**20,
        lambda a: np.array(["x", "y", "z"])[a],
        lambda a: np.array(["x", "y", "z"], object)[a],
        lambda a: pd.Series(a, index=[4, 3, 2, 1, 0]),
        lambda a: pd.Series(a, dtype="Int64"),
        lambda a: pd.Categorical.from_codes(a, ["x", "y", "z"]),
        lambda a: a[:, None],
    ],
)
def test_labels_of_any_kind(convert):
    expected = sklearn.metrics.top_k_accuracy_score(LABELS, SCORES, k=1)
    assert fm.top_k_accuracy_score(convert(LABELS), SCORES, k=1) == expected
    assert fm.top_k_accuracy_score(convert(LABELS), SCORES.astype(np.float32), k=1) == expected


def test_labels_name_the_columns():
    value = fm.top_k_accuracy_score(["b", "b"], [[3, 1, 2], [1, 3, 2]], k=1, labels=["a", "b", "c"])
    assert value == 0.5
    assert fm.top_k_accuracy_score([1, 1], [[3, 1, 2], [1, 3, 2]], k=1, labels=[0, 1, 2]) == 0.5


@pytest.mark.parametrize(
    ("y_true", "y_score", "options", "message"),
    [
        ([0, 1, 2], [[1, 2, np.nan]] * 3, {}, "y_score contains NaN"),
        ([0, 1, 2], np.ma.masked_array(np.eye(3), np.eye(3) > 0), {}, "masked"),
        ([0, 1, 2], [1, 2, 3], {}, "needs to be of shape"),
        ([0, 1], [[1, 2], [2, 1]], {}, "is binary while y_score is 2d with 2 classes"),
        ([0, 1, 2], [[1, 2], [2, 1], [1, 2]], {}, "'y_true' \\(3\\) not equal"),
        ([0, 1, 2], np.eye(3)[:2], {}, "inconsistent numbers of samples: \\[3, 2\\]"),
        ([0.5, 1, 2], np.eye(3), {}, "got 'continuous' instead"),
        ([0, 1, 2], np.eye(3), {"labels": [0, 2, 1]}, "must be ordered"),
        ([0, 1, 2], np.eye(3), {"labels": [0, 1, 1]}, "must be unique"),
        ([0, 1, 2], np.eye(3), {"labels": [0, 1]}, "given labels \\(2\\)"),
        ([0, 1, 3], np.eye(3), {"labels": [0, 1, 2]}, "not in parameter 'labels'"),
        ([0, 1, 2], np.eye(3), {"k": 0}, "'k' parameter of top_k_accuracy_score"),
        ([0, 1, 2], np.eye(3), {"k": 1.5}, "'k' parameter of top_k_accuracy_score"),
        ([0, 1, 2], np.eye(3), {"normalize": "yes"}, "'normalize' parameter"),
        (np.array(["a", 1, 2], object), np.eye(3), {}, "labels of one type"),
    ],
)
def test_bad_data(y_true, y_score, options, message):
    with pytest.raises(ValueError, match=message):
        fm.top_k_accuracy_score(y_true, y_score, **options)


def test_inputs_are_unchanged():
    labels, scores = LABELS.copy(), SCORES.copy()
    fm.top_k_accuracy_score(labels, scores)
    np.testing.assert_array_equal(labels, LABELS)
    np.testing.assert_array_equal(scores, SCORES)
