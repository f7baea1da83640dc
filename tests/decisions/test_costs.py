"""Costs: the worked example, counting at every threshold, and thresholds by formula."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import fastmetrics as fm

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])


def test_worked_example():
    thresholds, costs = fm.cost_curve(FAULTY, SCORES, cost_fp=1, cost_fn=10)
    assert costs.tolist() == [40, 30, 31, 21, 22, 12, 13, 4, 5, 6, 7, 8]
    assert thresholds[0] == np.inf
    np.testing.assert_array_equal(thresholds[1:], np.unique(SCORES)[::-1])
    assert fm.best_threshold(FAULTY, SCORES, cost_fp=1, cost_fn=10) == (0.4, 4)
    counts = fm.threshold_sweep(FAULTY, SCORES).at(0.5)
    assert counts.fp + 10 * counts.fn == 13
    assert fm.iso_cost_slope(1, 10, 4 / 12) == pytest.approx(0.2, rel=1e-15)
    assert fm.bayes_threshold(1, 10) == 1 / 11
    assert round(fm.bayes_threshold(1, 10), 4) == 0.0909
    assert round(fm.bayes_threshold(1, 20), 4) == 0.0476
    assert fm.bayes_threshold(3, 3) == 0.5
    # calibrated scores would be cut at 0.0909, which flags all twelve
    assert costs[thresholds >= fm.bayes_threshold(1, 10)][-1] == 8


@st.composite
def problems(draw):
    n = draw(st.integers(2, 15))
    labels = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    scores = draw(npst.arrays(np.float64, n, elements=st.integers(-3, 3)))
    weights = draw(npst.arrays(np.float64, n, elements=st.integers(1, 3)))
    costs = draw(st.tuples(st.floats(0, 9), st.floats(0, 9)))
    return labels, scores, draw(st.none() | st.just(weights)), costs


@given(problems())
@settings(max_examples=60, deadline=None)
def test_by_counting(problem):
    labels, scores, weights, (cost_fp, cost_fn) = problem
    options = {"cost_fp": cost_fp, "cost_fn": cost_fn, "sample_weight": weights}
    thresholds, costs = fm.cost_curve(labels, scores, **options)
    w = np.ones(len(labels)) if weights is None else weights
    expected = []
    for threshold in thresholds:
        flagged = scores >= threshold
        fp, fn = w[flagged & (labels == 0)].sum(), w[~flagged & (labels == 1)].sum()
        expected.append(cost_fp * fp + cost_fn * fn)
    np.testing.assert_allclose(costs, expected, rtol=1e-13, atol=1e-300)
    best = fm.best_threshold(labels, scores, **options)
    assert best.value == costs.min()
    assert best.threshold == thresholds[costs.argmin()]
    per_row = fm.cost_curve(labels, scores, **options, normalize="rows").costs
    np.testing.assert_allclose(per_row, costs / w.sum(), rtol=1e-14)
    shares = fm.cost_curve(labels, scores, **options, normalize="worst").costs
    worst = cost_fp * w[labels == 0].sum() + cost_fn * w[labels == 1].sum()
    if worst == 0:
        assert np.isnan(shares).all()
    else:
        np.testing.assert_allclose(shares, costs / worst, rtol=1e-14)
        assert shares.max() <= 1 + 1e-15


@given(problems())
@settings(max_examples=40, deadline=None)
def test_youden_is_the_special_case(problem):
    labels, scores, weights, _ = problem
    w = np.ones(len(labels)) if weights is None else weights
    positives, negatives = w[labels == 1].sum(), w[labels == 0].sum()
    prevalence = positives / w.sum()
    assert fm.iso_cost_slope(positives, negatives, prevalence) == pytest.approx(1)
    costs = fm.cost_curve(
        labels, scores, cost_fp=positives, cost_fn=negatives, sample_weight=weights
    ).costs
    fpr, tpr, _ = fm.roc_curve(labels, scores, sample_weight=weights, drop_intermediate=False)
    # the total is P N (1 - (TPR - FPR))
    np.testing.assert_allclose(costs, positives * negatives * (1 - (tpr - fpr)), atol=1e-9)
    best = fm.best_threshold(labels, scores, "balanced_accuracy", sample_weight=weights)
    assert 2 * best.value - 1 == pytest.approx((tpr - fpr).max(), abs=1e-12)


def test_best_threshold_by_a_metric():
    sweep = fm.threshold_sweep(FAULTY, SCORES)
    for metric in ("f1", "accuracy", "matthews_corrcoef", fm.metric("fbeta", beta=2)):
        best = fm.best_threshold(FAULTY, SCORES, metric)
        assert best == sweep.best(metric)
        assert best.value == np.nanmax(sweep.metric(metric))
    assert fm.best_threshold(FAULTY, SCORES, "f1") == (0.65, 6 / 9)
    # the smaller the better
    assert fm.best_threshold(FAULTY, SCORES, "false_positive_rate") == (np.inf, 0)


def test_flagging_nothing_takes_part():
    assert fm.best_threshold([0, 0, 1], [0.9, 0.8, 0.1], cost_fp=5, cost_fn=1) == (np.inf, 1)


def test_labels_types_and_inputs():
    names = np.array(["fine", "faulty"])[FAULTY]
    scores = SCORES.copy()
    options = {"cost_fp": 1, "cost_fn": 10, "pos_label": "faulty"}
    assert fm.cost_curve(names, scores, **options).costs.min() == 4
    assert fm.best_threshold(names, scores, **options).threshold == 0.4
    np.testing.assert_array_equal(scores, SCORES)
    integers = fm.cost_curve(FAULTY, (100 * SCORES).astype(np.int32), cost_fp=1, cost_fn=10)
    assert integers.costs.tolist() == [40, 30, 31, 21, 22, 12, 13, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_fp": -1, "cost_fn": 1}, "cost_fp=-1: give a finite cost"),
        ({"cost_fp": "1", "cost_fn": 1}, "cost_fp='1': give a finite cost"),
        ({"cost_fp": 1, "cost_fn": np.inf}, "cost_fn=inf: give a finite cost"),
        ({"cost_fp": 1, "cost_fn": np.nan}, "cost_fn=nan"),
        ({"cost_fp": 1, "cost_fn": 1, "normalize": "n"}, "'normalize' parameter of cost_curve"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        fm.cost_curve(FAULTY, SCORES, **options)


@pytest.mark.parametrize("options", [{}, {"cost_fp": 1}, {"metric": "f1", "cost_fp": 1}])
def test_a_metric_or_both_costs(options):
    with pytest.raises(ValueError, match="pass a metric"):
        fm.best_threshold(FAULTY, SCORES, **options)


def test_a_metric_of_all_scores_has_no_threshold():
    with pytest.raises(ValueError, match="roc_auc is no metric of one threshold"):
        fm.best_threshold(FAULTY, SCORES, "roc_auc")


def test_formulas():
    assert fm.bayes_threshold(0, 1) == 0
    assert fm.bayes_threshold(1, 0) == 1
    assert fm.iso_cost_slope(1, 1, 0.5) == 1
    assert fm.iso_cost_slope(1, 0, 0.5) == np.inf
    assert fm.iso_cost_slope(0, 1, 0.5) == 0
    for prevalence in (0, 1, -0.1, np.nan):
        with pytest.raises(ValueError, match="'prevalence' parameter of iso_cost_slope"):
            fm.iso_cost_slope(1, 1, prevalence)
    for function in (fm.bayes_threshold, lambda a, b: fm.iso_cost_slope(a, b, 0.5)):
        with pytest.raises(ValueError, match="both 0"):
            function(0, 0)
        with pytest.raises(ValueError, match="cost_fn=-1"):
            function(1, -1)


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.01, 0.99))
def test_threshold_and_slope_say_the_same(cost_fp, cost_fn, prevalence):
    # at the threshold the likelihood ratio of a score is the slope
    threshold = fm.bayes_threshold(cost_fp, cost_fn)
    odds = threshold / (1 - threshold)
    slope = fm.iso_cost_slope(cost_fp, cost_fn, prevalence)
    assert slope == pytest.approx(odds * (1 - prevalence) / prevalence, rel=1e-9)
