"""Margins: tests of non-inferiority and of equivalence; options of a comparison that are bad."""

import re

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.inference.comparisons import comparing
from tests.inference.bootstrap_problems import problem, three_models

OPTIONS = {"n_resamples": 1500, "rng": 0}


MARGIN_METHODS = pytest.mark.parametrize("method", ["percentile", "basic", "normal", "bca"])


@MARGIN_METHODS
@pytest.mark.parametrize("metric", ["roc_auc", "brier_score"])
def test_a_margin_is_tested_on_one_side(method, metric):
    result = fm.bootstrap(*three_models(), metric, method=method, **OPTIONS)
    for margin in (0.0, 0.01, 0.05, 0.2):
        comparison = result.compare(margin=margin)
        for key in comparison:
            difference = comparison[key]
            low, high = difference.confidence_interval
            inside = low > -margin if metric == "roc_auc" else high < margin
            # the interval of the difference has (1 - level) / 2 on each side
            edge = min(abs(low + margin), abs(high - margin))
            if edge > 0.002:
                assert (difference.margin_pvalue <= 0.025) == inside
                assert (difference.verdict == "not inferior") == inside
    comparison = result.compare(margin={metric: 0.05})
    assert comparison["first", "second"].margin_pvalue > 0
    assert np.isnan(comparison["second", "first"].margin_pvalue)
    assert comparison["second", "first"].verdict in ("better", "worse", "undecided")


@MARGIN_METHODS
def test_two_margins_test_equivalence(method):
    result = fm.bootstrap(*three_models(), "roc_auc", method=method, **OPTIONS)
    for margin in ((-0.01, 0.01), (-0.04, 0.05), [-0.5, 0.5]):
        comparison = result.compare(margin=margin)
        for key in comparison:
            difference = comparison[key]
            low, high = difference.confidence_interval
            inside = margin[0] < low and high < margin[1]
            if min(abs(low - margin[0]), abs(high - margin[1])) > 0.002:
                assert (difference.margin_pvalue <= 0.025) == inside
                words = ("equivalent", "equivalence not shown")
                assert difference.verdict == words[not inside]


@pytest.mark.parametrize(
    ("margin", "message"),
    [
        (-0.1, "margin=-0.1: give the largest loss that does not matter, 0 or more"),
        ((0.1, 0.2), "margin=(0.1, 0.2): the lower lies below 0, the upper above"),
        ((-0.2, -0.1), "the lower lies below 0, the upper above"),
        ("0.1", "margin='0.1': give the largest loss"),
        (np.nan, "margin=nan: give the largest loss"),
        (True, "margin=True: give the largest loss"),
        ({"auc": 0.1}, "margin names 'auc', the metrics are roc_auc"),
        ((0.1,), "margin=(0.1,): give the largest loss"),
    ],
    ids=str,
)
def test_a_bad_margin_is_named_before_anything_is_drawn(margin, message, monkeypatch):
    monkeypatch.setattr(comparing, "bootstrap", None)
    labels, scores = three_models()
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.compare(labels, scores, "roc_auc", margin=margin, n_resamples=100, rng=0)


def test_numbers_of_numpy_are_margins():
    labels, scores = three_models()
    for margin in (np.float64(0.05), np.float32(0.05), np.int64(0)):
        comparison = fm.compare(labels, scores, "roc_auc", margin=margin, **OPTIONS)
        assert 0 < comparison["first", "second"].margin_pvalue < 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "fourth"}, "baseline='fourth' is no model here: 'first', 'second', 'third'"),
        ({"adjust": "bonferroni"}, "adjust='bonferroni': give 'holm' or 'none'"),
        ({"method": "studentized"}, "method='studentized' has no standard error of a difference"),
    ],
    ids=str,
)
def test_a_bad_option_of_a_comparison_is_named(options, message):
    labels, scores = three_models()
    with pytest.raises((ValueError, KeyError), match=re.escape(message)):
        fm.compare(labels, scores, "roc_auc", n_resamples=64, rng=0, **options)
    method = options.pop("method", "percentile")
    result = fm.bootstrap(labels, scores, "roc_auc", n_resamples=64, rng=0, method=method)
    with pytest.raises((ValueError, KeyError), match=re.escape(message)):
        result.compare(**options)


def test_one_model_has_nothing_to_compare_with():
    labels, scores = problem()
    message = "comparing takes two models or more: pass y_score as a mapping of names to scores"
    for given in (scores, {"only": scores}):
        with pytest.raises(ValueError, match=re.escape(message)):
            fm.compare(labels, given, n_resamples=50)
