"""Label rankings: definition, agreement with scikit-learn, and data of every kind."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import fastmetrics as fm
from fastmetrics.ranking import label_ranking
from tests import reference_lists as reference

SLOW = {
    fm.label_ranking_average_precision_score: reference.label_precision,
    fm.label_ranking_loss: reference.label_loss,
    fm.coverage_error: reference.depth,
}
FUNCTION = pytest.mark.parametrize("function", list(SLOW))
LABELS = np.array([[1, 0, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 0]])
SCORES = np.array([[0.1, 0.4, 0.4, 0.4], [1, 2, 3, 4], [4, 3, 2, 1], [0.5, 0.5, 0.5, 0.1]])


@st.composite
def problems(draw):
    """Labels, scores with ties, and weights."""
    n, k = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    labels = draw(npst.arrays(np.int64, (n, k), elements=st.integers(0, 1)))
    scores = draw(npst.arrays(np.float64, (n, k), elements=st.integers(-2, 2)))
    weights = draw(npst.arrays(np.float64, n, elements=st.integers(0, 3)).filter(np.any))
    return labels, scores, draw(st.none() | st.just(weights))


@given(problems())
@settings(max_examples=80, deadline=None)
def test_agrees_with_scikit_learn_and_with_loops(problem):
    labels, scores, weights = problem
    for function, slow in SLOW.items():
        value = function(labels, scores, sample_weight=weights)
        theirs = getattr(sklearn.metrics, function.__name__)
        expected = theirs(labels, scores, sample_weight=weights)
        assert value == pytest.approx(expected, rel=1e-13, abs=1e-15)
        rows = [slow(*row) for row in zip(labels, scores)]
        assert value == pytest.approx(np.average(rows, weights=weights), rel=1e-13, abs=1e-15)


def test_a_label_stands_behind_its_ties():
    assert fm.label_ranking_average_precision_score([[1, 0]], [[0.5, 0.5]]) == 0.5
    assert fm.label_ranking_loss([[1, 0]], [[0.5, 0.5]]) == 1
    assert fm.coverage_error([[1, 0]], [[0.5, 0.5]]) == 2
    assert fm.label_ranking_loss([[1, 0]], [[-0.0, 0.0]]) == 1


@pytest.mark.parametrize("function", list(SLOW)[:2])
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.int8])
def test_sparse_labels(function, form, dtype):
    matrix = scipy.sparse.csr_array(LABELS.astype(dtype)).asformat(form)
    assert function(matrix, SCORES) == function(LABELS, SCORES)


@pytest.mark.parametrize("function", list(SLOW)[:2])
def test_stored_zeros_are_zeros_and_doubles_add_up(function):
    # scikit-learn takes a stored zero for a relevant label
    matrix = scipy.sparse.csr_array(LABELS)
    matrix.data[0] = 0
    stored = matrix.nnz
    assert function(matrix, SCORES) == function(matrix.toarray(), SCORES)
    assert matrix.nnz == stored
    doubled = scipy.sparse.coo_array(([1, 1, 2], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    assert function(doubled, SCORES[:2, :2]) == function([[2, 0], [0, 2]], SCORES[:2, :2])
    mixed = scipy.sparse.csr_array([[1, 2], [0, 1]])
    with pytest.raises(ValueError, match="multiclass-multioutput format is not supported"):
        function(mixed, SCORES[:2, :2])


def test_coverage_wants_dense_labels():
    with pytest.raises(ValueError, match=r"pass y_true.toarray\(\)"):
        fm.coverage_error(scipy.sparse.csr_array(LABELS), SCORES)


def test_one_label_has_an_average_precision_only():
    assert fm.label_ranking_average_precision_score([[1], [0]], [[3], [2]]) == 1
    for function in (fm.label_ranking_loss, fm.coverage_error):
        with pytest.raises(ValueError, match="binary format is not supported"):
            function([[1], [0]], [[3], [2]])


@FUNCTION
def test_a_label_is_relevant_above_zero(function):
    expected = function(LABELS, SCORES)
    for labels in (LABELS * 2, LABELS.astype(float), LABELS.astype(bool), 2 * LABELS - 1):
        assert function(labels, SCORES) == expected


@FUNCTION
@pytest.mark.parametrize(
    "convert",
    [
        lambda a: a.tolist(),
        lambda a: a.astype(np.uint8),
        lambda a: a.astype(np.float16),
        lambda a: np.asfortranarray(a),
        lambda a: a.astype(object),
        lambda a: pd.DataFrame(a, index=[3, 3, 1, 1]),
        lambda a: pd.DataFrame(a).astype("Int64"),
        lambda a: np.ma.masked_array(a, mask=False),
    ],
)
def test_any_container_and_type(function, convert):
    scores = (10 * SCORES).astype(int)
    assert function(convert(LABELS), convert(scores)) == function(LABELS, scores)


@FUNCTION
@pytest.mark.parametrize(
    ("y_true", "y_score", "message"),
    [
        ([[1, 0]], [[np.nan, 1]], "y_score contains NaN"),
        ([[1, np.nan]], [[0, 1]], "y_true contains NaN"),
        ([[1, 0]], [[1, -np.inf]], "y_score contains infinity"),
        ([[1, 0]], np.ma.masked_array([[5, 1]], [[True, False]]), "y_score has 1 masked"),
        ([[1, 0]], [[1, 2, 3]], "different shape"),
        ([[1, 0], [0, 1]], [[1, 2]], "inconsistent numbers of samples"),
        ([[0.5, 1]], [[1, 2]], "continuous-multioutput format is not supported"),
        ([[0, 1, 2]], [[1, 2, 3]], "multiclass-multioutput format is not supported"),
        ([["a", "b"]], [[1, 2]], "numbers are needed"),
        (np.empty((0, 2)), np.empty((0, 2)), "minimum of 1 sample is required"),
    ],
)
def test_bad_data(function, y_true, y_score, message):
    with pytest.raises(ValueError, match=message):
        function(y_true, y_score)


@FUNCTION
def test_inputs_are_unchanged_and_may_be_read_only(function):
    labels, scores = LABELS.copy(), SCORES.copy()
    labels.setflags(write=False)
    scores.setflags(write=False)
    assert function(labels, scores) == function(LABELS, SCORES)
    np.testing.assert_array_equal(scores, SCORES)


def test_descriptions():
    functions = dict(zip(label_ranking.METRICS, SLOW))
    assert [metric.name for metric in functions] == [
        "label_ranking_average_precision",
        "label_ranking_loss",
        "coverage_error",
    ]
    weights = np.array([[1.0, 2.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    for metric, function in functions.items():
        terms = metric.statistic.terms(LABELS.astype(float), SCORES)
        assert terms.shape == (4, metric.statistic.size)
        expected = [function(LABELS, SCORES, sample_weight=w) for w in weights]
        np.testing.assert_allclose(metric.formula(weights @ terms), expected)
        low, high = metric.bounds
        assert all(low <= value <= high for value in expected)
