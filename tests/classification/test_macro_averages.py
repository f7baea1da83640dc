"""The two macro F1, and the gap between micro and macro averages."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from tests.label_problems import FULL, GRADES, NEVER_RARE, columns_of, problems


def test_worked_example():
    problem = columns_of(GRADES, np.array(["good", "rework", "scrap"]))
    assert round(fm.f1_of_macro_averages(*problem), 4) == 0.6574
    assert round(fm.f1_score(*problem, average="macro"), 4) == 0.6557


@given(problems())
@settings(deadline=None, max_examples=60)
def test_harmonic_mean_of_the_averages(problem):
    y_true, y_pred, weights, _ = problem
    options = {"sample_weight": weights, "zero_division": 0}
    precision = fm.precision_score(y_true, y_pred, average="macro", **options)
    recall = fm.recall_score(y_true, y_pred, average="macro", **options)
    value = fm.f1_of_macro_averages(y_true, y_pred, **options)
    expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    assert value == pytest.approx(expected, rel=1e-12)
    assert value >= fm.f1_score(y_true, y_pred, average="macro", **options) - 1e-12


def test_nothing_right_is_zero():
    assert fm.f1_of_macro_averages([0, 1], [1, 0]) == 0.0
    with pytest.warns(UndefinedMetricWarning, match="Precision is ill-defined"):
        fm.f1_of_macro_averages([0, 1], [0, 0])
    assert fm.f1_of_macro_averages([0, 1], [0, 0], zero_division=np.nan) == 0.5


@pytest.mark.parametrize("metric", ["f1", "precision", "recall", "jaccard"])
def test_gap_is_the_difference_of_the_averages(metric):
    problem = columns_of(GRADES)
    gap = fm.micro_macro_gap(*problem, metric)
    score = getattr(fm, f"{metric}_score")
    assert gap.micro == score(*problem, average="micro")
    assert gap.macro == score(*problem, average="macro")
    assert gap.gap == gap.micro - gap.macro > 0.1


def test_gap_grows_when_a_class_is_given_up():
    full, never = (fm.micro_macro_gap(*columns_of(m)).gap for m in (FULL, NEVER_RARE))
    assert full == pytest.approx(0.8725 - 0.7211, abs=1e-4)
    assert never == pytest.approx(0.8580 - 0.5392, abs=1e-4)


def test_gap_refuses_what_has_no_averages():
    with pytest.raises(ValueError, match="'metric' parameter of micro_macro_gap"):
        fm.micro_macro_gap([0, 1], [0, 1], "accuracy")
    with pytest.raises(ValueError, match="'zero_division' parameter of micro_macro_gap"):
        fm.micro_macro_gap([0, 1], [0, 1], zero_division=3)
    with pytest.warns(UndefinedMetricWarning, match="Precision is ill-defined"):
        fm.micro_macro_gap([0, 1], [0, 0], "precision")
