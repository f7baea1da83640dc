"""What the bootstrap warns of, once."""

import math
import warnings

import numpy as np
import pytest

import fastmetrics as fm
from tests.inference.bootstrap_problems import problem


def warned(*data, **options):
    """Result and messages of the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fm.bootstrap(*data, **{"rng": 0, **options})
    for warning in caught:
        assert warning.filename == __file__
    return result, [str(warning.message) for warning in caught]


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_only_is_undefined_with_one_warning(label):
    labels = np.full(50, label)
    result, messages = warned(labels, np.linspace(0, 1, 50))
    assert messages == ["roc_auc undefined on these data: nan, no interval"]
    assert math.isnan(result.estimate)
    assert np.isnan(result.confidence_interval).all()
    assert result.n_undefined == 2000


def test_undefined_replicates_are_told_once_with_the_worst_entry():
    labels = (np.arange(30) == 9).astype(int)
    scores = np.linspace(1, 0, 30)
    metrics = ["roc_auc", "average_precision", "accuracy", "specificity"]
    result, messages = warned(labels, scores, metrics=metrics, method="percentile")
    undefined = {name: result[name].n_undefined for name in metrics}
    assert undefined["accuracy"] == undefined["specificity"] == 0
    assert undefined["roc_auc"] == undefined["average_precision"] > 600
    assert messages == [
        f"roc_auc is undefined in {undefined['roc_auc']} of 2,000 replicates, which are left "
        "out; 1 more have over 1 %"
    ]


def test_few_undefined_replicates_are_only_counted():
    labels = np.array([1] * 6 + [0] * 24)
    scores = np.concatenate([np.linspace(0.2, 0.9, 6), np.linspace(0, 0.8, 24)])
    result, messages = warned(labels, scores)
    assert 0 < result.n_undefined < 20
    assert not messages


def test_perfect_separation_is_told():
    labels = np.array([0] * 20 + [1] * 20)
    result, messages = warned(labels, labels.astype(float), metrics=["roc_auc", "f1"])
    assert messages == [
        "roc_auc, f1: every replicate is perfect, the interval has no width; "
        "[1, 1] is not certainty"
    ]
    for key in result:
        assert result[key].confidence_interval == (1.0, 1.0)


def test_the_worst_value_in_every_replicate_is_not_perfect():
    labels, scores = problem()
    _, messages = warned(labels, scores, metrics="false_positive_rate", threshold=-1)
    assert not [message for message in messages if "perfect" in message]


def test_no_false_alarm_at_all_in_any_replicate_is_told():
    labels, scores = problem()
    _, messages = warned(labels, scores, metrics="false_positive_rate", threshold=2)
    assert messages == [
        "false_positive_rate: every replicate is perfect, the interval has no width; "
        "[0, 0] is not certainty"
    ]


def test_replicates_that_are_all_undefined_leave_no_interval():
    result, messages = warned(
        [0, 1], [0.1, 0.9], rng=None, resamples=[[0, 0], [1, 1]], method="percentile"
    )
    assert result.estimate == 1.0
    assert np.isnan(result.confidence_interval).all()
    assert messages == ["roc_auc is undefined in 2 of 2 replicates, which are left out"]


def test_remarks_on_limits_are_told_once():
    labels, scores = problem()
    metrics = ["roc_auc", "average_precision"]
    _, messages = warned(labels, scores, metrics=metrics, n_resamples=20)
    assert messages == [
        "roc_auc, average_precision: a limit lies beyond the first or last replicate: draw more"
    ]


def test_an_undefined_acceleration_is_told():
    # without its only positive the metric is undefined
    labels, scores = np.array([1] + [0] * 49), np.linspace(0.7, 0.2, 50)
    scores[0] = 0.5
    result, messages = warned(labels, scores, method="bca")
    assert "roc_auc: the acceleration is undefined and was taken as 0" in messages
    assert result.acceleration == 0.0


def test_a_quiet_call_warns_of_nothing():
    assert warned(*problem(), metrics=["roc_auc", "f1", "ks"])[1] == []
