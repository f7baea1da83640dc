"""The top of the ranking: definition, ties by their expected share, weights, and descriptions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.ranking import top_rows
from tests import reference_lists as reference

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
FUNCTIONS = [fm.precision_at_k, fm.recall_at_k, fm.lift_at_k]
FUNCTION = pytest.mark.parametrize("function", FUNCTIONS)


def test_worked_example():
    # three of the five highest scores are faulty, four of twelve in all
    assert fm.precision_at_k(FAULTY, SCORES, k=5) == 3 / 5
    assert fm.recall_at_k(FAULTY, SCORES, k=5) == 3 / 4
    assert fm.lift_at_k(FAULTY, SCORES, k=5) == pytest.approx(1.8, rel=1e-15)
    # the seventh place is shared by a faulty unit and a working one
    assert fm.precision_at_k(FAULTY, SCORES, k=7) == 3.5 / 7
    assert fm.precision_at_k(FAULTY, SCORES, k=8) == 4 / 8
    assert fm.precision_at_k(FAULTY, SCORES, k=12) == 4 / 12
    assert fm.lift_at_k(FAULTY, SCORES, k=12) == 1


@st.composite
def problems(draw):
    """Labels with a positive, scores with ties, and k."""
    n = draw(st.integers(1, 6))
    labels = draw(npst.arrays(np.int64, n, elements=st.integers(0, 1)).filter(np.any))
    scores = draw(npst.arrays(np.float64, n, elements=st.integers(0, 2)))
    return labels, scores, draw(st.integers(1, n))


@given(problems())
@settings(max_examples=80, deadline=None)
def test_mean_over_all_orders_of_the_ties(problem):
    labels, scores, k = problem
    found = reference.found_at_top(labels.tolist(), scores.tolist(), k)
    assert fm.precision_at_k(labels, scores, k=k) == pytest.approx(found / k, rel=1e-14)
    assert fm.recall_at_k(labels, scores, k=k) == pytest.approx(found / labels.sum(), rel=1e-14)
    lift = found / k / labels.mean()
    assert fm.lift_at_k(labels, scores, k=k) == pytest.approx(lift, rel=1e-14)


@FUNCTION
@given(problem=problems(), share=st.floats(0.01, 0.99), seed=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_laws(function, problem, share, seed):
    labels, scores, k = problem
    order = np.random.default_rng(seed).permutation(len(labels))
    for cut in (k, share):
        value = function(labels, scores, k=cut)
        assert function(labels[order], scores[order], k=cut) == value
        assert function(labels, np.exp(scores) - 9, k=cut) == value
        assert value >= 0
        assert function is fm.lift_at_k or value <= 1
    weights = np.random.default_rng(seed).integers(0, 4, len(labels))
    if (weights * labels).any() and k <= weights.sum():
        repeated = np.repeat(labels, weights), np.repeat(scores, weights)
        for cut in (k, share):
            value = function(labels, scores, k=cut, sample_weight=weights)
            assert value == pytest.approx(function(*repeated, k=cut), rel=1e-13)
        # a share, unlike a number of rows, does not see the scale of the weights
        scaled = function(labels, scores, k=share, sample_weight=weights * 0.3)
        assert scaled == pytest.approx(value, rel=1e-12)


@FUNCTION
def test_perfect_ranking_is_the_best(function):
    labels = np.repeat([1, 0], [3, 7])
    best = {fm.precision_at_k: 1, fm.recall_at_k: 2 / 3, fm.lift_at_k: 10 / 3}[function]
    assert function(labels, labels, k=2) == pytest.approx(best, rel=1e-15)


@FUNCTION
def test_no_positives(function):
    if function is fm.precision_at_k:
        assert function([0, 0], [1, 2], k=1) == 0
        return
    with pytest.warns(UndefinedMetricWarning, match="No positive rows"):
        assert np.isnan(function([0, 0], [1, 2], k=1))


@FUNCTION
@pytest.mark.parametrize("k", [0, -1, 0.0, 1.0, 5.0, True, "3", None, np.nan])
def test_k_is_rows_or_a_share(function, k):
    with pytest.raises(ValueError, match="'k' parameter of .* a share of them"):
        function(FAULTY, SCORES, k=k)


@FUNCTION
def test_more_rows_than_there_are(function):
    with pytest.raises(ValueError, match="k=13 exceeds the rows of the data, 12"):
        function(FAULTY, SCORES, k=13)
    with pytest.raises(ValueError, match="k=7 exceeds the weight of the data, 6"):
        function(FAULTY, SCORES, k=7, sample_weight=np.full(12, 0.5))


@FUNCTION
def test_labels_and_inputs(function):
    names = np.array(["fine", "faulty"])[FAULTY]
    assert function(names, SCORES, k=4, pos_label="faulty") == function(FAULTY, SCORES, k=4)
    labels, scores = FAULTY.copy(), SCORES.copy()
    function(labels, scores, k=np.int64(4))
    np.testing.assert_array_equal(scores, SCORES)
    with pytest.raises(ValueError, match="NaN"):
        function([0, 1], [np.nan, 1], k=1)
    with pytest.raises(ValueError, match="masked"):
        function([0, 1], np.ma.masked_array([5, 1], [True, False]), k=1)


DESCRIPTIONS = [top_rows.describe_precision, top_rows.describe_recall, top_rows.describe_lift]


@pytest.mark.parametrize(("describe", "function"), list(zip(DESCRIPTIONS, FUNCTIONS)))
@pytest.mark.parametrize("k", [3, 7, 0.25])
def test_descriptions(describe, function, k):
    metric = describe(k=k)
    assert metric.name == function.__name__
    assert metric.label == f"{function.__name__}[k={k}]"
    weights = np.random.default_rng(0).integers(1, 3, (4, 12)).astype(float)
    sums = np.array([metric.statistic.measure(FAULTY.astype(float), SCORES, w) for w in weights])
    assert sums.shape == (4, metric.statistic.size)
    expected = [function(FAULTY, SCORES, k=k, sample_weight=w) for w in weights]
    np.testing.assert_allclose(metric.formula(sums), expected, rtol=1e-14)
    too_few = metric.statistic.measure(FAULTY.astype(float), SCORES, weights[0] / 100)
    assert np.isnan(metric.formula(too_few)) == (k > 1)


def test_descriptions_of_one_cut_share_their_statistic():
    assert len({id(describe(k=5).statistic) for describe in DESCRIPTIONS}) == 1
    with pytest.raises(ValueError, match="'k' parameter of lift_at_k"):
        top_rows.describe_lift(k=1.5)
