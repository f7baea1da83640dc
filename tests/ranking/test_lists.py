"""Discounted gains: definition, agreement with scikit-learn, and data of every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import fastmetrics as fm
from fastmetrics.ranking import lists
from tests import reference_lists as reference

FUNCTIONS = [fm.dcg_score, fm.ndcg_score]
FUNCTION = pytest.mark.parametrize("function", FUNCTIONS)
GAINS = np.array([[3, 0, 2, 1], [0, 0, 1, 0], [5, 1, 1, 4]])
SCORES = np.array([[0.1, 0.4, 0.4, 0.2], [0.9, 0.1, 0.3, 0.3], [0.5, 0.5, 0.5, 0.5]])


@st.composite
def problems(draw):
    """Gains, scores with ties, weights, and a cut."""
    n, m = draw(st.integers(1, 6)), draw(st.integers(2, 5))
    gains = draw(npst.arrays(np.int64, (n, m), elements=st.integers(0, 4)))
    scores = draw(npst.arrays(np.float64, (n, m), elements=st.integers(-2, 2)))
    weights = draw(npst.arrays(np.float64, n, elements=st.integers(0, 3)).filter(np.any))
    return gains, scores, draw(st.none() | st.just(weights)), draw(st.none() | st.integers(1, 6))


@given(problems())
@settings(max_examples=60, deadline=None)
def test_agrees_with_scikit_learn_and_with_the_mean_over_all_orders(problem):
    gains, scores, weights, k = problem
    options = {"k": k, "sample_weight": weights}
    for function, slow in ((fm.dcg_score, reference.dcg), (fm.ndcg_score, reference.ndcg)):
        value = function(gains, scores, **options)
        theirs = getattr(sklearn.metrics, function.__name__)(gains, scores, **options)
        assert value == pytest.approx(theirs, rel=1e-12, abs=1e-13)
        rows = [slow(g, s, k) for g, s in zip(gains.tolist(), scores.tolist())]
        assert value == pytest.approx(np.average(rows, weights=weights), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("log_base", [1.5, 2, np.e, 10, 0.5])
def test_base_of_the_logarithm(log_base):
    theirs = sklearn.metrics.dcg_score(GAINS, SCORES, log_base=log_base)
    assert fm.dcg_score(GAINS, SCORES, log_base=log_base) == pytest.approx(theirs, rel=1e-14)


def test_dcg_takes_negative_gains_and_ndcg_does_not():
    gains = GAINS - 2.5
    theirs = sklearn.metrics.dcg_score(gains, SCORES)
    assert fm.dcg_score(gains, SCORES) == pytest.approx(theirs, rel=1e-13)
    with pytest.raises(ValueError, match="should not be used on negative y_true values"):
        fm.ndcg_score(gains, SCORES)


def test_ties_ignored_take_their_places_from_the_right():
    assert fm.dcg_score([[10, 0, 0, 1, 5]], [[1, 0, 0, 0, 1]], k=1, ignore_ties=True) == 5.0
    assert fm.dcg_score([[10, 0, 0, 1, 5]], [[1, 0, 0, 0, 1]], k=1) == 7.5


def test_perfect_order_is_exactly_one():
    rng = np.random.default_rng(0)
    for _ in range(50):
        gains = rng.random((1, 30)).round(1)
        assert fm.ndcg_score(gains, gains) == 1.0
        assert fm.ndcg_score(gains, gains, k=3) == 1.0
        finer = gains + rng.random(gains.shape) / 100
        assert fm.ndcg_score(gains, finer) == 1.0


def test_a_list_without_gains_counts_nothing():
    assert fm.ndcg_score([[0, 0], [1, 0]], [[1, 2], [2, 1]]) == 0.5


@FUNCTION
@pytest.mark.parametrize(
    "convert",
    [
        lambda a: a.tolist(),
        lambda a: a.astype(np.float32),
        lambda a: a.astype(np.float16),
        lambda a: a.astype(np.longdouble),
        lambda a: a.astype(">f8"),
        lambda a: np.asfortranarray(a),
        lambda a: np.repeat(a, 2, axis=1)[:, ::2],
        lambda a: a.astype(object),
        lambda a: pd.DataFrame(a, index=[7, 7, 7]),
        lambda a: pd.DataFrame(a).astype("Float64"),
        lambda a: pl.DataFrame(a),
        lambda a: np.ma.masked_array(a, mask=False),
    ],
)
def test_any_container_and_type(function, convert):
    expected = function(GAINS.astype(float), (8 * SCORES).round())
    assert function(convert(GAINS.astype(float)), convert((8 * SCORES).round())) == expected


@FUNCTION
def test_order_beyond_float64_is_kept(function):
    scores = np.array([[2**60, 2**60 + 1]])
    assert function([[0, 1]], scores) == function([[0, 1]], [[0, 1]])
    wide = np.array([[1, 1 + np.finfo(np.longdouble).eps]], np.longdouble)
    if np.finfo(np.longdouble).eps < np.finfo(float).eps:
        assert function([[0, 1]], wide) == function([[0, 1]], [[0, 1]])


@FUNCTION
def test_signed_zeros_are_a_tie(function):
    assert function([[1, 0]], [[-0.0, 0.0]]) == function([[1, 0]], [[0, 0]])


@FUNCTION
@pytest.mark.parametrize(
    ("y_true", "y_score", "message"),
    [
        ([[1, 0]], [[np.nan, 1]], "y_score contains NaN"),
        ([[1, np.nan]], [[0, 1]], "y_true contains NaN"),
        ([[1, 0]], [[np.inf, 1]], "y_score contains infinity"),
        ([[1, 0]], np.ma.masked_array([[5, 1]], [[True, False]]), "y_score has 1 masked"),
        (np.ma.masked_array([[5, 1]], [[True, False]]), [[1, 0]], "y_true has 1 masked"),
        ([[1, 0]], [[1, 2, 3]], "different shape"),
        ([[1, 0], [0, 1]], [[1, 2]], "inconsistent numbers of samples: \\[2, 1\\]"),
        ([1, 0], [1, 2], "formats are supported. Got binary instead"),
        ([[1, 0]], [["a", "b"]], "scores are numbers"),
        ([["a", "b"]], [[1, 2]], "numbers are needed"),
        (np.empty((0, 2)), np.empty((0, 2)), "minimum of 1 sample is required"),
    ],
)
def test_bad_data(function, y_true, y_score, message):
    with pytest.raises(ValueError, match=message):
        function(y_true, y_score)


@FUNCTION
@pytest.mark.parametrize("k", [0, -1, 1.0, True, "3"])
def test_k_is_a_whole_number(function, k):
    with pytest.raises(ValueError, match=f"'k' parameter of {function.__name__}"):
        function(GAINS, SCORES, k=k)


@pytest.mark.parametrize("log_base", [0, -1, np.inf, np.nan, "2", None])
def test_base_is_above_zero(log_base):
    with pytest.raises(ValueError, match="'log_base' parameter of dcg_score"):
        fm.dcg_score(GAINS, SCORES, log_base=log_base)


@FUNCTION
def test_weights(function):
    repeated = np.repeat(GAINS, [2, 0, 1], axis=0), np.repeat(SCORES, [2, 0, 1], axis=0)
    value = function(GAINS, SCORES, sample_weight=[2, 0, 1])
    assert value == pytest.approx(function(*repeated), rel=1e-14)
    assert function(GAINS, SCORES, sample_weight=[8, 0, 4]) == pytest.approx(value, rel=1e-14)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[3, 3, 2\]"):
        function(GAINS, SCORES, sample_weight=[1, 2])


@FUNCTION
def test_inputs_are_unchanged_and_may_be_read_only(function):
    gains, scores = GAINS.astype(float), SCORES.copy()
    gains.setflags(write=False)
    scores.setflags(write=False)
    value = function(gains, scores)
    assert value == function(GAINS, SCORES)
    np.testing.assert_array_equal(scores, SCORES)


def test_descriptions():
    for description, function in ((lists.dcg, fm.dcg_score), (lists.ndcg, fm.ndcg_score)):
        for k in (None, 2):
            metric = description(k=k)
            terms = metric.statistic.terms(GAINS.astype(float), SCORES)
            assert terms.shape == (3, metric.statistic.size)
            assert metric.formula(terms.sum(axis=0)) == pytest.approx(function(GAINS, SCORES, k=k))
            weights = np.array([[1.0, 2.0, 0.0], [1.0, 1.0, 1.0]])
            values = metric.formula(weights @ terms)
            expected = [function(GAINS, SCORES, k=k, sample_weight=w) for w in weights]
            np.testing.assert_allclose(values, expected)
    assert [metric.name for metric in lists.METRICS] == ["dcg", "ndcg"]
    assert lists.ndcg(k=5).label == "ndcg[k=5]"
