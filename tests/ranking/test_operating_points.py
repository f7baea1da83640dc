"""Single points of the curves."""

import functools

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])

FUNCTIONS = [
    fm.ks_statistic,
    functools.partial(fm.precision_at_recall, min_recall=0.6),
    functools.partial(fm.recall_at_false_positive_rate, max_fpr=0.2),
]


def points(y_true, y_score, weights):
    """(recall, false positive rate, precision) at every threshold, by counting."""
    for threshold in np.unique(y_score):
        flagged = y_score >= threshold
        tp = weights[flagged & (y_true == 1)].sum()
        fp = weights[flagged & (y_true == 0)].sum()
        if tp + fp > 0:
            yield (
                tp / weights[y_true == 1].sum(),
                fp / weights[y_true == 0].sum(),
                tp / (tp + fp),
            )


@pytest.mark.parametrize("seed", range(5))
def test_points_by_counting(seed):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, 2, 60)
    y_score = (rng.normal(size=60) + y_true).round(1)
    weights = rng.integers(0, 4, 60).astype(float)
    every = list(points(y_true, y_score, weights))
    data = {"y_true": y_true, "y_score": y_score, "sample_weight": weights}
    distance = max(abs(recall - fpr) for recall, fpr, _ in every)
    assert fm.ks_statistic(**data) == pytest.approx(distance)
    for limit in (0, 0.1, 0.5, 0.9, 1):
        expected = max(p for recall, _, p in every if recall >= limit)
        assert fm.precision_at_recall(**data, min_recall=limit) == pytest.approx(expected)
        expected = max([r for r, fpr, _ in every if fpr <= limit], default=0)
        value = fm.recall_at_false_positive_rate(**data, max_fpr=limit)
        assert value == pytest.approx(expected)


def test_worked_example():
    assert fm.ks_statistic(FAULTY, SCORES) == 0.5
    assert fm.precision_at_recall(FAULTY, SCORES, min_recall=0.5) == 2 / 3
    assert fm.precision_at_recall(FAULTY, SCORES, min_recall=1) == 0.5
    assert fm.recall_at_false_positive_rate(FAULTY, SCORES, max_fpr=0) == 0.25
    # the tied pair enters together: no threshold has its recall of 1 at a lower rate
    assert fm.recall_at_false_positive_rate(FAULTY, SCORES, max_fpr=0.49) == 0.75
    assert fm.recall_at_false_positive_rate(FAULTY, SCORES, max_fpr=0.5) == 1


def test_a_rate_that_meets_its_limit_exactly_counts():
    # 7 of 700 is the double 0.01
    y_true = np.repeat([0, 1, 0], [7, 1, 693])
    y_score = np.arange(701)[::-1]
    assert fm.recall_at_false_positive_rate(y_true, y_score, max_fpr=0.01) == 1


def test_distance_of_a_reversed_ranking():
    assert fm.ks_statistic([1, 1, 0, 0], [1, 2, 3, 4]) == 1


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_positives_is_undefined(function):
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(function([0, 0, 0], [1, 2, 3]))


def test_no_negatives():
    assert fm.precision_at_recall([1, 1], [1, 2], min_recall=0.5) == 1
    for function in (FUNCTIONS[0], FUNCTIONS[2]):
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(function([1, 1], [1, 2]))


@pytest.mark.parametrize("limit", [-0.1, 1.1, float("nan"), "0.5", None])
def test_limits_are_rates(limit):
    with pytest.raises(ValueError, match=r"min_recall.*range \[0, 1\]"):
        fm.precision_at_recall(FAULTY, SCORES, min_recall=limit)
    with pytest.raises(ValueError, match=r"max_fpr.*range \[0, 1\]"):
        fm.recall_at_false_positive_rate(FAULTY, SCORES, max_fpr=limit)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_positive_label(function):
    names = np.array(["fine", "faulty"])[FAULTY]
    assert function(names, SCORES, pos_label="faulty") == function(FAULTY, SCORES)
