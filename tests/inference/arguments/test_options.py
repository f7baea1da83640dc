"""Options of the bootstrap, and the messages of bad ones."""

import re

import numpy as np
import pytest

import fastmetrics as fm
from tests import reference
from tests.inference.bootstrap_problems import problem


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence_level": 95}, "confidence_level=95: give a fraction, 0.95"),
        ({"confidence_level": 99.9}, "confidence_level=99.9: give a fraction, 0.999"),
        ({"confidence_level": 1.0}, "confidence_level=1.0: give a fraction, 0.95"),
        ({"confidence_level": 1 - 2**-53}, "confidence_level=0.9999999999999999: give a fraction"),
        ({"confidence_level": 0}, "confidence_level=0: give a fraction"),
        ({"confidence_level": "0.95"}, "confidence_level=0.95: give a fraction"),
        ({"confidence_level": float("nan")}, "confidence_level=nan: give a fraction"),
        ({"method": "bcaa"}, "method='bcaa': give one of percentile, basic, normal, logit, bca"),
        ({"method": 1}, "method=1: give one of percentile"),
        ({"alternative": "both"}, "alternative='both': give one of two-sided, less, greater"),
        ({"n_resamples": -1}, "n_resamples=-1: give a whole number of 0 or more"),
        ({"n_resamples": 10.5}, "n_resamples=10.5: give a whole number"),
        ({"n_resamples": True}, "n_resamples=True: give a whole number"),
        ({"n_jobs": 0}, "n_jobs=0: give a number of threads, or -1 for all cores"),
        ({"n_jobs": 1.5}, "n_jobs=1.5: give a number of threads"),
        ({"threshold": "0.5"}, "threshold='0.5': give a number"),
        ({"threshold": {}}, "threshold={}: give a number, or a mapping"),
        ({"threshold": float("nan")}, "threshold=nan: give a number"),
        ({"resampling": "jackknife"}, "resampling='jackknife': give one of multinomial, poisson"),
        ({"strata": "klass"}, "strata is the string 'klass': give 'class'"),
        (
            {"strata": "class", "resampling": "poisson"},
            "Poisson counts have no fixed total: leave strata= or resampling= out",
        ),
        ({"resamples": [[0]], "counts": [[0]]}, "resamples= and counts= are two ways"),
        ({"resamples": [[0]], "n_resamples": 10}, "resamples= gives the draws: leave n_resamples="),
        ({"resamples": [[0]], "rng": 0}, "resamples= gives the draws: leave rng= out"),
        ({"counts": [[0]], "strata": "class"}, "counts= gives the draws: leave strata= out"),
        ({"counts": [[0]], "resampling": "poisson"}, "counts= gives the draws: leave resampling="),
        ({"resamples": [[0, 120]]}, "resamples[0] names rows outside 0 to 119"),
        ({"resamples": [np.arange(9), [-1]]}, "resamples[1] names rows outside 0 to 119"),
        ({"resamples": [[0.5]]}, "resamples[0] is no vector of integers"),
        ({"resamples": [[[0]]]}, "resamples[0] is no vector of integers"),
        ({"counts": [np.ones(119, int)]}, "counts[0] must hold 120 integers of 0 or more"),
        ({"counts": [np.arange(120) - 1]}, "counts[0] must hold 120 integers of 0 or more"),
        ({"counts": [np.ones(120)]}, "counts[0] is no vector of integers"),
    ],
    ids=str,
)
def test_a_bad_option_is_named(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*problem(), "f1", **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"y_true": np.array(["benign", "malignant"] * 60)},
            "name the positive one, pos_label='malignant'",
        ),
        ({"y_true": np.arange(120) % 3}, "y_true"),
        ({"y_true": np.zeros(119, int)}, "y_true has 119 rows, y_score has 120 rows"),
        ({"y_true": []}, "y_true"),
        ({"y_score": None}, "pass y_score, or y_pred"),
        (
            {"y_score": np.where(np.arange(120) > 87, np.nan, 0.5)},
            "y_score has 32 NaN, first at row 88",
        ),
        (
            {"y_score": np.where(np.arange(120) > 87, np.inf, 0.5)},
            "y_score has 32 infinite entries",
        ),
        ({"y_score": ["0.5"] * 120}, "y_score"),
        ({"sample_weight": np.ones(119)}, "sample_weight has 119 rows"),
        ({"sample_weight": -np.ones(120)}, "sample_weight has 120 negative entries"),
        ({"sample_weight": np.full(120, np.nan)}, "sample_weight has 120 NaN"),
        ({"sample_weight": np.zeros(120)}, "sample_weight is all zeros"),
        ({"pos_label": 7}, "pos_label=7 does not occur in y_true"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_data_are_named(arguments, message):
    labels, scores = problem()
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(**{"y_true": labels, "y_score": scores, **arguments})


def test_bad_decisions_are_named():
    labels, _ = problem()
    with pytest.raises(ValueError, match="roc_auc reads scores: pass y_score, not only y_pred"):
        fm.bootstrap(labels, None, y_pred=labels)
    with pytest.raises(ValueError, match="y_pred holds 2, which y_true does not"):
        fm.bootstrap(labels, None, "f1", y_pred=labels + 1)
    with pytest.raises(ValueError, match="y_pred has 119 rows"):
        fm.bootstrap(labels, None, "f1", y_pred=labels[1:])


@pytest.mark.parametrize("method", ["percentile", "basic", "normal", "logit", "bca"])
def test_methods_are_taken_in_any_case(method):
    options = {"n_resamples": 1500, "rng": 1}
    plain = fm.bootstrap(*problem(), method=method, **options)
    shouted = fm.bootstrap(*problem(), method=method.upper(), **options)
    assert plain.method == method
    assert plain.confidence_interval == shouted.confidence_interval


def test_each_metric_has_its_own_method_unless_one_is_named():
    metrics = ["roc_auc", "ks", "f1"]
    result = fm.bootstrap(*problem(), metrics, n_resamples=1500, rng=1)
    assert [result[name].method for name in metrics] == ["bca", "percentile", "bca"]
    result = fm.bootstrap(*problem(), metrics, n_resamples=1500, method="basic", rng=1)
    assert [result[name].method for name in metrics] == ["basic"] * 3


def test_bca_of_a_metric_without_closed_form_leaves_rows_out():
    labels, scores = problem()
    result = fm.bootstrap(labels, scores, "ks", method="bca", n_resamples=1500, rng=1)
    deleted = reference.delete_one(reference.ks, labels, scores)
    assert result.method == "bca"
    assert result.acceleration == pytest.approx(reference.acceleration(deleted), abs=1e-10)


def test_progress_is_shown_only_when_asked_for(capsys):
    options = {"n_resamples": 600, "method": "percentile", "rng": 0}
    quiet = fm.bootstrap(*problem(), **options)
    assert capsys.readouterr() == ("", "")
    shown = fm.bootstrap(*problem(), progress=True, **options)
    output = capsys.readouterr()
    assert "600" in output.err
    assert output.out == ""
    np.testing.assert_array_equal(shown.bootstrap_distribution, quiet.bootstrap_distribution)
