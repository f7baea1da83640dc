"""One model on two samples: independent draws, two strata for BCa."""

import re
import types
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fastmetrics as fm
from tests import reference
from tests.inference.bootstrap_problems import problem

OPTIONS = {"n_resamples": 1500, "rng": 0}


def samples():
    first = dict(zip(("y_true", "y_score"), problem(90, seed=1)))
    second = dict(zip(("y_true", "y_score"), problem(140, seed=2)))
    return first, second


def area_of(data):
    return reference.auc(data["y_true"], data["y_score"])


def test_the_difference_is_first_less_second():
    first, second = samples()
    comparison = fm.compare_unpaired(first, second, ["roc_auc", "f1"], **OPTIONS)
    assert comparison.keys() == [("first", "second", "roc_auc"), ("first", "second", "f1")]
    difference = comparison["roc_auc"]
    assert difference.estimate == pytest.approx(area_of(first) - area_of(second), abs=1e-12)
    assert comparison["second", "first", "roc_auc"].estimate == -difference.estimate
    assert difference.pvalue_adjusted == difference.pvalue


def test_the_samples_are_drawn_independently():
    first, _ = samples()
    comparison = fm.compare_unpaired(first, first, "roc_auc", **OPTIONS)
    alone = fm.bootstrap(**first, n_resamples=1500, rng=5, method="percentile")
    assert comparison.estimate == 0.0
    assert comparison.pvalue > 0.5
    assert comparison.standard_error == pytest.approx(alone.standard_error * 2**0.5, rel=0.08)
    values = comparison.bootstrap_distribution
    assert abs(stats.skew(values)) < 0.3


def scipys_interval(comparison, method):
    """What scipy makes of our replicates: two samples of rows, each with its label."""
    first, second = samples()
    data = [
        np.arange(len(first["y_true"])),
        np.arange(len(second["y_true"])),
    ]

    def statistic(rows, other):
        rows, other = rows.astype(int), other.astype(int)
        return reference.auc(first["y_true"][rows], first["y_score"][rows]) - reference.auc(
            second["y_true"][other], second["y_score"][other]
        )

    there = types.SimpleNamespace(bootstrap_distribution=comparison.bootstrap_distribution)
    made = stats.bootstrap(
        data, statistic, n_resamples=0, bootstrap_result=there, vectorized=False, method=method
    )
    return tuple(made.confidence_interval)


@pytest.mark.parametrize("method", ["BCa", "percentile", "basic"])
def test_the_interval_is_that_of_scipy_for_two_samples(method):
    comparison = fm.compare_unpaired(*samples(), method=method, **OPTIONS)
    assert tuple(comparison.confidence_interval) == pytest.approx(
        scipys_interval(comparison, method), abs=1e-9
    )
    assert comparison.method == method.lower()


def deleted_of(sample, items):
    labels, scores = sample["y_true"], sample["y_score"]
    return np.array(
        [reference.auc(labels[items != i], scores[items != i]) for i in np.unique(items)]
    )


def test_the_strata_of_both_samples_are_strata():
    first, second = samples()
    first["groups"] = np.arange(90) % 25
    second["strata"] = np.arange(140) % 3
    comparison = fm.compare_unpaired(first, second, method="bca", **OPTIONS)
    values = np.concatenate(
        [
            deleted_of(first, first["groups"]) - area_of(second),
            area_of(first) - deleted_of(second, np.arange(140)),
        ]
    )
    pools = np.concatenate([np.zeros(25, int), 1 + second["strata"]])
    expected = reference.bca_interval(
        comparison.bootstrap_distribution.tolist(),
        0.95,
        comparison.estimate,
        reference.acceleration_of_strata(values, pools),
    )
    assert tuple(comparison.confidence_interval) == pytest.approx(expected, abs=1e-10)


def test_rare_classes_are_merged_and_still_two_samples():
    # the units of a merged sample stand for several rows each
    labels, scores = problem(3000, share=0.02, digits=2, seed=3)
    first, second = {"y_true": labels, "y_score": scores}, samples()[1]
    comparison = fm.compare_unpaired(first, second, method="bca", **OPTIONS)
    merged = fm.bootstrap(**first, method="bca", **OPTIONS)
    one = [merged.delete_one_of([(None, "roc_auc", None)])[0]()][0]
    assert one.rows.max() > 1
    values = np.repeat(one.values, one.rows) - area_of(second)
    other = comparison.estimate + area_of(second) - deleted_of(second, np.arange(140))
    pools = np.repeat([0, 1], [values.size, other.size])
    expected = reference.bca_interval(
        comparison.bootstrap_distribution.tolist(),
        0.95,
        comparison.estimate,
        reference.acceleration_of_strata(np.concatenate([values, other]), pools),
    )
    assert tuple(comparison.confidence_interval) == pytest.approx(expected, abs=1e-9)


def test_every_argument_of_the_data_is_taken():
    first, second = samples()
    first["sample_weight"] = np.random.default_rng(0).uniform(0.5, 2, 90)
    second["threshold"] = 0.3
    second["y_pred"] = None
    comparison = fm.compare_unpaired(
        first, second, ["roc_auc", "recall"], method="percentile", **OPTIONS
    )
    for name in ("roc_auc", "recall"):
        metric = fm.metric(name)
        cut = [fm.metric(metric, threshold=t) if name == "recall" else metric for t in (0.5, 0.3)]
        one = cut[0](first["y_true"], first["y_score"], first["sample_weight"])
        other = cut[1](second["y_true"], second["y_score"])
        assert comparison[name].estimate == pytest.approx(one - other, abs=1e-12)


def test_decisions_values_and_functions_are_compared():
    generator = np.random.default_rng(0)
    y = [generator.integers(0, 3, n) for n in (50, 70)]
    said = [generator.integers(0, 3, n) for n in (50, 70)]
    comparison = fm.compare_unpaired(
        {"y_true": y[0], "y_pred": said[0]},
        {"y_true": y[1], "y_pred": said[1]},
        "accuracy",
        **OPTIONS,
    )
    expected = np.mean(y[0] == said[0]) - np.mean(y[1] == said[1])
    assert comparison.estimate == pytest.approx(expected, abs=1e-12)
    x = [generator.normal(size=n) for n in (50, 70)]
    comparison = fm.compare_unpaired({"y_score": x[0]}, {"y_score": x[1]}, "mean", **OPTIONS)
    assert comparison.estimate == pytest.approx(x[0].mean() - x[1].mean())
    variance = sum(np.mean((v - v.mean()) ** 2) / v.size for v in x)
    assert comparison.standard_error == pytest.approx(variance**0.5, rel=0.07)

    def largest(y_true, y_score, sample_weight):
        return y_score[sample_weight > 0].max()

    found = fm.compare_unpaired({"y_score": x[0]}, {"y_score": x[1]}, largest, **OPTIONS)
    assert found.estimate == x[0].max() - x[1].max()
    assert found.method == "percentile"


def test_the_seed_decides_and_threads_do_not():
    one = fm.compare_unpaired(*samples(), **OPTIONS)
    again = fm.compare_unpaired(*samples(), n_jobs=2, **OPTIONS)
    np.testing.assert_array_equal(one.bootstrap_distribution, again.bootstrap_distribution)
    other = fm.compare_unpaired(*samples(), n_resamples=1500, rng=1)
    assert not np.array_equal(one.bootstrap_distribution, other.bootstrap_distribution)
    assert "seed 0" in repr(one)
    assert "90 rows, " in repr(one)
    assert " against 140 rows, " in repr(one)


def test_margins_are_tested_too():
    comparison = fm.compare_unpaired(*samples(), margin=0.3, **OPTIONS)
    assert comparison.verdict == "not inferior"
    comparison = fm.compare_unpaired(*samples(), margin=(-0.01, 0.01), **OPTIONS)
    assert comparison.verdict == "equivalence not shown"


def test_few_replicates_are_told_of():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fm.compare_unpaired(*samples(), method="percentile", n_resamples=20, rng=0)
    assert [str(warning.message) for warning in caught] == [
        "1 pair on 20 replicates: no adjusted p-value can lie below 0.095; n_resamples=40 would do"
    ]


LABELS, SCORES = problem(90, seed=1)
BAD = {
    "by": ({"by": LABELS}, {}, "first holds 'by': it takes y_true, y_score, y_pred"),
    "a model by name": (
        {"y_score": {"a": SCORES}},
        {},
        "first holds several models: compare one at a time",
    ),
    "a frame of models": (
        {"y_score": pd.DataFrame({"a": SCORES, "b": SCORES})},
        {},
        "first holds several models: compare one at a time",
    ),
    "studentized": ({}, {"method": "Studentized"}, "method='studentized' has no standard error"),
    "auto": ({}, {"n_resamples": "auto"}, "n_resamples='auto': give a number"),
    "no truth": ({"y_true": None}, {}, "y_true is None: roc_auc compares with it"),
    "no scores": ({"y_score": None}, {}, "pass y_score, or y_pred"),
    "lengths": ({"y_true": LABELS[1:]}, {}, "y_true has 89 rows, y_score has 90 rows"),
    "margin": ({}, {"margin": -1}, "margin=-1: give the largest loss"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_compared_is_named(what):
    changed, options, message = BAD[what]
    first, second = samples()
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.compare_unpaired({**first, **changed}, second, **{"n_resamples": 1000, **options})


def test_samples_are_dicts_of_arguments():
    with pytest.raises(TypeError, match="first is a ndarray: give a dict of y_true, y_score"):
        fm.compare_unpaired(LABELS, SCORES)
