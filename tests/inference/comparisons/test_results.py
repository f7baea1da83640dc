"""Differences of models on one draw: values, keys, adjustment, margins, tables."""

import json
import pickle
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastmetrics as fm
from fastmetrics.inference.pvalues import holm
from tests import reference
from tests.inference.bootstrap_problems import problem, three_models

N = 150
METRICS = ["roc_auc", "average_precision", "f1", "brier_score", "ks"]
OPTIONS = {"n_resamples": 1500, "rng": 0}


@pytest.fixture(scope="module")
def compared():
    return fm.compare(*three_models(), METRICS, **OPTIONS)


def same_content(one, other):
    return json.dumps(one.to_dict()) == json.dumps(other.to_dict())


def test_differences_are_those_of_replicates_on_one_draw(compared):
    labels, scores = three_models()
    result = fm.bootstrap(labels, scores, METRICS, **OPTIONS)
    assert len(compared) == 3 * len(METRICS)
    for model, baseline, metric in compared:
        difference = compared[model, baseline, metric]
        one, other = result[model, metric], result[baseline, metric]
        assert difference.estimate == one.estimate - other.estimate
        np.testing.assert_allclose(
            difference.bootstrap_distribution,
            one.bootstrap_distribution - other.bootstrap_distribution,
            rtol=0,
            atol=1e-13,
        )
        assert difference.standard_error == pytest.approx(
            difference.bootstrap_distribution.std(ddof=1)
        )


def test_two_draws_would_not_be_paired(compared):
    # on draws of their own the replicates of two models are unrelated, and differences spread
    labels, scores = three_models()
    own = [
        fm.bootstrap(labels, scores[name], METRICS, n_resamples=1500, rng=seed)
        for seed, name in enumerate(("first", "second"))
    ]
    for metric in METRICS:
        joint = [
            compared.scores[name, metric].bootstrap_distribution for name in ("first", "second")
        ]
        assert np.corrcoef(joint)[0, 1] > 0.6
        apart = [result[metric].bootstrap_distribution for result in own]
        assert abs(np.corrcoef(apart)[0, 1]) < 0.12
        paired = compared["first", "second", metric].standard_error
        assert paired < 0.7 * np.std(np.subtract(*apart))


@pytest.mark.parametrize("design", ["rows", "groups", "strata", "class", "poisson", "bayesian"])
def test_models_share_the_draws_of_every_design(design):
    labels, scores = three_models()
    groups = np.arange(N) % 31
    options = {
        "rows": {},
        "groups": {"groups": groups},
        "strata": {"strata": groups % 4},
        "class": {"strata": "class"},
        "poisson": {"resampling": "poisson"},
        "bayesian": {"resampling": "bayesian"},
    }[design]
    # the same scores twice, and a transform that keeps their order
    columns = {"a": scores["first"], "b": scores["first"].copy(), "c": scores["first"] ** 2}
    result = fm.bootstrap(labels, columns, METRICS, n_resamples=300, rng=1, **options)
    for metric in METRICS:
        first = result["a", metric].bootstrap_distribution
        np.testing.assert_array_equal(result["b", metric].bootstrap_distribution, first)
        if metric in ("roc_auc", "average_precision", "ks"):
            np.testing.assert_array_equal(result["c", metric].bootstrap_distribution, first)


@pytest.mark.parametrize("method", [None, "percentile", "basic", "normal", "logit", "bca"])
def test_identical_models_differ_by_nothing(method):
    labels, scores = three_models()
    columns = {"a": scores["first"], "b": scores["first"]}
    comparison = fm.compare(labels, columns, METRICS, method=method, **OPTIONS)
    for key in comparison:
        difference = comparison[key]
        assert difference.estimate == 0.0
        assert difference.confidence_interval == (0.0, 0.0)
        assert difference.pvalue == difference.pvalue_adjusted == 1.0
        assert difference.win_share == 0.0
        assert difference.verdict == "undecided"
        assert difference.standard_error == 0.0


@pytest.mark.parametrize("method", ["percentile", "basic", "normal", "bca"])
def test_the_interval_is_that_of_the_differences(method):
    labels, scores = three_models()
    comparison = fm.compare(labels, scores, "roc_auc", method=method, **OPTIONS)
    for model, baseline, metric in comparison:
        found = comparison[model, baseline, metric]
        values = found.bootstrap_distribution.tolist()
        if method == "percentile":
            expected = reference.percentile_interval(values, 0.95)
        elif method == "basic":
            expected = reference.basic_interval(values, 0.95, found.estimate, (-1, 1))
        elif method == "normal":
            expected = reference.normal_interval(values, 0.95, found.estimate)
        else:
            deleted = [
                reference.delete_one(reference.auc, labels, scores[name])
                for name in (model, baseline)
            ]
            acceleration = reference.acceleration(deleted[0] - deleted[1])
            expected = reference.bca_interval(values, 0.95, found.estimate, acceleration)
        assert tuple(found.confidence_interval) == pytest.approx(expected, abs=1e-10)
        assert found.method == method


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("stratified", [False, True])
def test_bca_differences_leave_out_items_of_the_design(grouped, stratified):
    labels, scores = three_models()
    groups = np.arange(N) % 29
    design = {}
    pools = np.zeros(N if not grouped else 29, int)
    if grouped:
        design["groups"] = groups
    if stratified:
        strata = groups % 2 if grouped else np.arange(N) % 2
        design["strata"] = strata
        pools = np.arange(29) % 2 if grouped else strata
    comparison = fm.compare(labels, scores, "roc_auc", method="bca", **design, **OPTIONS)
    items = groups if grouped else np.arange(N)
    for model, baseline, metric in comparison:
        deleted = np.array(
            [
                reference.auc(labels[items != i], scores[model][items != i])
                - reference.auc(labels[items != i], scores[baseline][items != i])
                for i in np.unique(items)
            ]
        )
        acceleration = reference.acceleration_of_strata(deleted, pools)
        if not stratified:
            assert acceleration == pytest.approx(reference.acceleration(deleted))
        found = comparison[model, baseline, metric]
        values = found.bootstrap_distribution.tolist()
        expected = reference.bca_interval(values, 0.95, found.estimate, acceleration)
        assert tuple(found.confidence_interval) == pytest.approx(expected, abs=1e-10)


def test_a_swapped_pair_is_mirrored(compared):
    for model, baseline, metric in compared:
        there, back = compared[model, baseline, metric], compared[baseline, model, metric]
        assert back.keys() == [(baseline, model, metric)]
        assert back.estimate == -there.estimate
        low, high = there.confidence_interval
        assert back.confidence_interval == (-high, -low)
        assert back.pvalue == there.pvalue
        assert back.pvalue_adjusted == there.pvalue_adjusted
        assert back.standard_error == there.standard_error
        np.testing.assert_array_equal(back.bootstrap_distribution, -there.bootstrap_distribution)
        ties = np.mean(np.abs(there.bootstrap_distribution) < 1e-13)
        assert back.win_share + there.win_share + ties == pytest.approx(1.0)
        words = {"better": "worse", "worse": "better", "undecided": "undecided"}
        assert back.verdict == words[there.verdict]


def test_a_mirrored_one_sided_interval_is_open_on_the_other_side():
    comparison = fm.compare(*three_models(), "roc_auc", alternative="greater", **OPTIONS)
    there, back = comparison["first", "third"], comparison["third", "first"]
    assert there.confidence_interval.high == np.inf
    assert back.confidence_interval == (-np.inf, -there.confidence_interval.low)
    assert there.pvalue == back.pvalue < 0.05


def test_win_share_counts_in_the_direction_of_the_metric(compared):
    for metric, sign in (("roc_auc", 1), ("brier_score", -1)):
        values = compared["first", "third", metric].bootstrap_distribution
        expected = np.mean(sign * values > 0)
        assert compared["first", "third", metric].win_share == expected > 0.9
        assert compared["first", "third", metric].verdict == "better"
        assert compared["third", "first", metric].verdict == "worse"


def test_holm_runs_over_the_pairs_of_each_metric(compared):
    for metric in METRICS:
        part = compared[metric]
        pvalues = [part[key].pvalue for key in part]
        assert len(pvalues) == 3
        assert [part[key].pvalue_adjusted for key in part] == holm(pvalues)
    plain = compared.scores.compare(adjust="none")
    for key in plain:
        assert plain[key].pvalue_adjusted == plain[key].pvalue == compared[key].pvalue


def test_a_baseline_makes_fewer_pairs(compared):
    against = compared.scores.compare(baseline="third")
    assert [key[:2] for key in against["roc_auc"]] == [("first", "third"), ("second", "third")]
    for key in against:
        assert against[key].pvalue == compared[key].pvalue
    for metric in METRICS:
        pvalues = [against[model, "third", metric].pvalue for model in ("first", "second")]
        adjusted = [
            against[model, "third", metric].pvalue_adjusted for model in ("first", "second")
        ]
        assert adjusted == holm(pvalues)
    again = fm.compare(*three_models(), METRICS, baseline="third", **OPTIONS)
    assert same_content(again, against)


def test_many_differences_print_ten_rows_and_the_way_to_the_rest():
    y_true, models = three_models()
    scores = {f"model {k}": models["first"] + k * models["second"] for k in range(7)}
    compared = fm.compare(y_true, scores, n_resamples=500, adjust="none", rng=0)
    lines = repr(compared).splitlines()
    assert len(compared) == 21
    assert lines[11] == "... 21 differences in all: .to_frame() has them"
    assert len([line for line in lines if "roc_auc" in line]) == 10
    assert repr(compared["model 0"]).count("roc_auc") == 6


def test_nothing_is_drawn_again(compared):
    before = json.dumps(compared.scores.to_dict())
    again = compared.scores.compare()
    assert same_content(again, compared)
    assert again.scores is compared.scores
    assert json.dumps(compared.scores.to_dict()) == before


def test_slices_are_compared_on_their_own():
    labels, scores = three_models()
    by = np.arange(N) % 2
    comparison = fm.compare(labels, scores, ["roc_auc"], by=by, **OPTIONS)
    assert comparison.slices == (0, 1)
    assert len(comparison) == 9
    result = comparison.scores
    for key in comparison:
        difference = comparison[key]
        model, baseline, metric, *part = key
        one, other = result[(model, metric, *part)], result[(baseline, metric, *part)]
        assert difference.estimate == one.estimate - other.estimate
    for part in ([], [0], [1]):
        keys = [key for key in comparison if list(key[3:]) == part]
        pvalues = [comparison[key].pvalue for key in keys]
        assert [comparison[key].pvalue_adjusted for key in keys] == holm(pvalues)
    whole = comparison["first", "second", "roc_auc"]
    assert whole.estimate == comparison["second", "first", "roc_auc"].estimate * -1
    assert len(comparison["first", "second"]) == 3
    assert "slice" in comparison.to_markdown().splitlines()[0]


def caught(function):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        value = function()
    for warning in found:
        assert warning.filename == __file__
    return value, [str(warning.message) for warning in found]


def test_too_few_replicates_for_the_pairs_are_told_of():
    labels, scores = three_models()
    options = {"method": "percentile", "rng": 0}
    _, messages = caught(lambda: fm.compare(labels, scores, n_resamples=100, **options))
    assert messages == [
        "3 pairs on 100 replicates: no adjusted p-value can lie below 0.059; n_resamples=120 "
        "would do"
    ]
    _, messages = caught(lambda: fm.compare(labels, scores, n_resamples=120, **options))
    assert messages == []
    two = {name: scores[name] for name in ("first", "second")}
    _, messages = caught(lambda: fm.compare(labels, two, n_resamples=30, **options))
    assert messages == [
        "1 pair on 30 replicates: no adjusted p-value can lie below 0.065; n_resamples=40 would do"
    ]
    _, messages = caught(
        lambda: fm.compare(labels, scores, n_resamples=100, adjust="none", **options)
    )
    assert messages == []
    _, messages = caught(lambda: fm.compare(labels, scores, n_resamples=0))
    assert messages == []


def test_remarks_on_the_limits_of_differences_are_told_once():
    # the same ranking but for one pair of rows: most replicates do not differ
    labels, scores = problem(N)
    other = scores + 0.0
    other[np.flatnonzero(labels == 1)[:2]] += 0.01
    columns = {"a": other, "b": scores}
    result = fm.bootstrap(
        labels, columns, ["roc_auc", "gini"], method="bca", n_resamples=1500, rng=0
    )
    comparison, messages = caught(lambda: result.compare())
    assert (comparison["roc_auc"].bootstrap_distribution >= 0).all()
    assert len(messages) == len(set(messages)) <= 1
    perfect = {"a": np.where(labels == 1, 2.0, scores), "b": np.where(labels == 1, 2.0, -scores)}
    with pytest.warns(UserWarning, match="every replicate is perfect"):
        result = fm.bootstrap(labels, perfect, method="logit", n_resamples=500, rng=0)
    comparison, messages = caught(lambda: result.compare())
    assert messages == []
    assert comparison.confidence_interval == (0.0, 0.0)


def test_estimates_alone_have_differences_without_intervals():
    comparison = fm.compare(*three_models(), ["roc_auc", "f1"], n_resamples=0)
    for key in comparison:
        difference = comparison[key]
        assert np.isfinite(difference.estimate)
        assert np.isnan(difference.confidence_interval).all()
        assert np.isnan(difference.pvalue)
        assert np.isnan(difference.win_share)
        assert difference.verdict == "undefined"


def test_keys_lead_to_differences(compared):
    assert compared.models == ("first", "second", "third")
    assert compared.metrics == tuple(METRICS)
    assert len(compared["first"]) == 2 * len(METRICS)
    assert len(compared["ks"]) == 3
    assert compared["first", "second", "ks"].estimate == compared["ks"]["first", "second"].estimate
    with pytest.raises(AttributeError, match=re.escape("15 differences: take one, comparison[")):
        _ = compared.pvalue
    for key in ("fourth", ("first", "f2"), ("first", "first", "ks"), 3):
        with pytest.raises(KeyError, match="no difference .* here"):
            compared[key]
    assert list(compared) == compared.keys()


def test_tables_and_prints(compared):
    frame = compared.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 15
    for row in frame.to_dict("records"):
        found = compared[row["model"], row["baseline"], row["metric"]]
        assert row["difference"] == found.estimate
        assert (row["low"], row["high"]) == tuple(found.confidence_interval)
        assert row["pvalue"] == found.pvalue
        assert row["win_share"] == found.win_share
        assert row["verdict"] == found.verdict
    content = compared.to_dict()
    assert content["adjustment"] == "holm"
    json.dumps(content)
    lines = repr(compared).splitlines()
    header = " ".join(lines[0].split())
    assert header == "model baseline metric difference 95 % CI p p adjusted ahead in"
    assert len(lines) == 15 + 3
    assert lines[-1] == "p adjusted by holm; intervals are not adjusted."
    assert "1,500 multinomial resamples, seed 0" in lines[-2]
    assert len(compared.to_markdown().splitlines()) == 17
    assert compared.to_latex().startswith(r"\begin{tabular}")
    single = repr(compared["first", "second", "ks"]).splitlines()
    assert " ".join(single[0].split()) == "model metric difference 95 % CI p ahead in"
    polars = fm.compare(three_models()[0], pl.DataFrame(three_models()[1]), "roc_auc", **OPTIONS)
    assert isinstance(polars.to_frame(), pl.DataFrame)
    assert polars.to_frame().columns == list(frame.columns)


def test_a_pickle_keeps_the_differences(compared):
    again = pickle.loads(pickle.dumps(compared))
    assert same_content(again, compared)
    assert repr(again) == repr(compared)
    with pytest.raises(ValueError, match="BCa differences need the data, and an unpickled result"):
        again.scores.compare()
    plain = fm.compare(*three_models(), "ks", **OPTIONS)
    kept = pickle.loads(pickle.dumps(plain)).scores.compare()
    assert same_content(kept, plain)
