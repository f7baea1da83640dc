"""Net benefit against counting, the two blind strategies, and Youden's index."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import fastmetrics as fm
from fastmetrics.decisions import net_benefits
from tests import reference_lists as reference

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])


def test_worked_example():
    # at 0.5 three hits and three false alarms among twelve rows
    assert fm.net_benefit(FAULTY, SCORES, threshold=0.5) == 0
    assert fm.net_benefit(FAULTY, SCORES, threshold=0.4) == pytest.approx(4 / 12 - 4 / 12 * 2 / 3)
    assert fm.net_benefit(FAULTY, SCORES, threshold=0) == 4 / 12
    assert fm.net_benefit(FAULTY, SCORES, threshold=0.99) == 0


@st.composite
def problems(draw):
    n = draw(st.integers(1, 20))
    labels = draw(npst.arrays(np.int64, n, elements=st.integers(0, 1)))
    probabilities = draw(npst.arrays(np.int64, n, elements=st.integers(0, 10))) / 10
    weights = draw(npst.arrays(np.float64, n, elements=st.integers(0, 3)).filter(np.any))
    return labels, probabilities, draw(st.none() | st.just(weights))


@given(problems())
@settings(max_examples=60, deadline=None)
def test_by_counting(problem):
    labels, probabilities, weights = problem
    thresholds = np.arange(10) / 10
    values = fm.net_benefit(labels, probabilities, threshold=thresholds, sample_weight=weights)
    expected = [reference.net_benefit(labels, probabilities, t, weights) for t in thresholds]
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-14)
    for k, threshold in enumerate(thresholds):
        metric = net_benefits.describe_net_benefit(threshold=threshold)
        assert metric(labels, probabilities, weights) == pytest.approx(values[k], abs=1e-14)
        assert metric.bounds[0] - 1e-12 <= values[k] <= metric.bounds[1]


@given(problems())
@settings(max_examples=30, deadline=None)
def test_blind_strategies(problem):
    labels, probabilities, weights = problem
    data = {"y_true": labels, "y_prob": probabilities, "sample_weight": weights}
    thresholds = [0.0, 0.2, 0.5, 0.9]
    none = fm.net_benefit(**data, threshold=thresholds, strategy="treat_none")
    assert none.tolist() == [0, 0, 0, 0]
    prevalence = np.average(labels, weights=weights)
    expected = [prevalence - (1 - prevalence) * t / (1 - t) for t in thresholds]
    treated = fm.net_benefit(**data, threshold=thresholds, strategy="treat_all")
    np.testing.assert_allclose(treated, expected, rtol=1e-12, atol=1e-12)
    # below the lowest probability the model treats all
    assert fm.net_benefit(**data, threshold=0) == treated[0]


def test_one_number_for_one_threshold():
    assert isinstance(fm.net_benefit(FAULTY, SCORES, threshold=0.5), float)
    assert fm.net_benefit(FAULTY, SCORES, threshold=[0.5]).shape == (1,)


def test_thresholds_are_compared_in_the_type_of_the_probabilities():
    # 0.7 as float32 is below 0.7
    y_prob = np.array([0.7, 0.2], np.float32)
    assert fm.net_benefit([1, 0], y_prob, threshold=0.7) == 0.5
    assert fm.net_benefit([1, 0], y_prob, threshold=[0.7])[0] == 0.5
    assert fm.net_benefit([1, 0], np.array([1, 0]), threshold=0.7) == 0.5


@pytest.mark.parametrize(
    ("y_prob", "threshold", "message"),
    [
        ([0.1, 1.5], 0.5, "y_prob holds 1.5, at row 1: probabilities lie in"),
        ([-0.1, 0.5], 0.5, "y_prob holds -0.1, at row 0"),
        ([np.nan, 0.5], 0.5, "y_prob contains NaN"),
        (np.ma.masked_array([0.1, 0.5], [True, False]), 0.5, "masked"),
        ([0.1, 0.5], 1, "threshold has .*1.0"),
        ([0.1, 0.5], [0.5, -0.1], "threshold has .*-0.1"),
        ([0.1, 0.5], np.nan, "threshold has"),
        ([0.1, 0.5], [], "threshold has shape"),
        ([0.1, 0.5], "half", "give numbers in"),
        ([0.1], 0.5, "inconsistent numbers of samples"),
    ],
)
def test_bad_data(y_prob, threshold, message):
    with pytest.raises(ValueError, match=message):
        fm.net_benefit([0, 1], y_prob, threshold=threshold)


def test_strategies_are_named():
    with pytest.raises(ValueError, match="'strategy' parameter of net_benefit"):
        fm.net_benefit(FAULTY, SCORES, threshold=0.5, strategy="all")


def test_labels_and_inputs():
    names = np.array(["fine", "faulty"])[FAULTY]
    value = fm.net_benefit(names, SCORES, threshold=0.4, pos_label="faulty")
    assert value == fm.net_benefit(FAULTY, SCORES, threshold=0.4)
    scores = SCORES.copy()
    fm.net_benefit(FAULTY, scores, threshold=[0.4])
    np.testing.assert_array_equal(scores, SCORES)


def test_youden_index():
    (youden,) = net_benefits.METRICS
    sweep = fm.threshold_sweep(FAULTY, SCORES)
    tpr, fpr = sweep.tp / 4, sweep.fp / 8
    np.testing.assert_allclose(sweep.metric(youden), tpr - fpr, atol=1e-15)
    # two thresholds are equally far above the diagonal
    best = fm.best_threshold(FAULTY, SCORES, youden)
    assert best == (0.65, 0.5)
    assert fm.ks_statistic(FAULTY, SCORES) == best.value
