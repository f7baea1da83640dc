"""DeLong results: what is undefined or certain, margins, adjustment, prints and exports."""

import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from tests.inference.delong.test_areas import problem


def test_models_that_rank_alike_are_equal_for_sure():
    labels, scores = problem()
    column = scores["m0"]
    weights = np.random.default_rng(11).gamma(2.0, size=labels.size)
    for options in ({}, {"sample_weight": weights}, {"groups": np.arange(labels.size) // 3}):
        test = fm.delong_test(labels, {"a": column, "b": np.exp(column)}, **options)
        assert (test.estimate, test.standard_error, test.statistic) == (0.0, 0.0, 0.0)
        assert tuple(test.confidence_interval) == (0.0, 0.0)
        assert test.pvalue == test.pvalue_adjusted == test.joint_pvalue == 1.0
        assert test.verdict == "undecided"
        for side in ("less", "greater"):
            one = fm.delong_test(
                labels, {"a": column, "b": np.exp(column)}, alternative=side, **options
            )
            assert one.pvalue == 1.0


def test_a_singular_covariance_counts_what_is_determined_once():
    labels, scores = problem(models=2)
    two = fm.delong_test(labels, scores)
    with_copy = fm.delong_test(labels, {**scores, "copy": 2 * scores["m0"]})
    assert with_copy.degrees_of_freedom == 1
    assert with_copy.statistic == pytest.approx(two.statistic**2, rel=1e-9)
    assert with_copy.joint_pvalue == pytest.approx(two.pvalue, rel=1e-8)
    assert two.joint_pvalue == pytest.approx(two.pvalue, rel=1e-8)


def test_perfect_separation_is_warned_of():
    labels = np.array([0, 0, 1, 1])
    for scores, value in (([1, 2, 3, 4], 1.0), ([4, 3, 2, 1], 0.0)):
        message = (
            "roc_auc: the classes are perfectly separated, the standard error is 0, the logit "
            rf"infinite: \[{value:g}, {value:g}\] is not certainty"
        )
        with pytest.warns(UserWarning, match=message):
            result = fm.delong_interval(labels, scores)
        assert tuple(result.confidence_interval) == (value, value)
        assert result.standard_error == 0.0
    weights = [0.1, 0.7, 0.3, 0.2]
    with pytest.warns(UserWarning, match="separated, the standard error is 0: "):
        result = fm.delong_interval(labels, [1, 2, 3, 4], sample_weight=weights, scale="linear")
    assert (result.estimate, result.standard_error) == (1.0, 0.0)


def test_a_difference_without_a_standard_error_has_no_pvalue():
    labels = np.array([0, 0, 1, 1])
    scores = {"perfect": [1, 2, 3, 4], "constant": [1, 1, 1, 1]}
    with pytest.warns(UserWarning, match="standard error") as caught:
        test = fm.delong_test(labels, scores)
    assert [str(warning.message) for warning in caught][1:] == [
        "constant roc_auc: all placements are equal, the standard error is 0: [0.5, 0.5] is not "
        "certainty",
        "perfect - constant roc_auc: the standard error of the difference is 0: no p-value",
    ]
    assert tuple(test.confidence_interval) == (0.5, 0.5)
    assert math.isnan(test.pvalue)
    assert math.isnan(test.joint_pvalue)
    assert test.verdict == "undefined"


@pytest.mark.parametrize("labels", [[1, 1, 1], [0, 0, 0]])
def test_one_class_has_no_area(labels):
    with pytest.warns(UndefinedMetricWarning, match="roc_auc undefined on these data: nan"):
        result = fm.delong_interval(labels, [0.1, 0.2, 0.3])
    assert math.isnan(result.estimate)
    assert all(math.isnan(limit) for limit in result.confidence_interval)
    assert math.isnan(result.statistic)
    with pytest.warns(UndefinedMetricWarning, match="a roc_auc, b roc_auc undefined"):
        test = fm.delong_test(labels, {"a": [0.1, 0.2, 0.3], "b": [3, 2, 1]})
    assert math.isnan(test.pvalue)
    assert math.isnan(test.joint_pvalue)
    assert test.verdict == "undefined"


def test_one_row_or_one_cluster_of_a_class_has_no_variance():
    scores = [0.3, 0.2, 0.4, 0.1]
    with pytest.warns(UserWarning, match="takes two rows, or clusters, of each class"):
        result = fm.delong_interval([1, 0, 0, 0], scores)
    assert result.estimate == pytest.approx(2 / 3)
    assert math.isnan(result.standard_error)
    assert all(math.isnan(limit) for limit in result.confidence_interval)
    with pytest.warns(UserWarning, match="takes two rows, or clusters, of each class"):
        fm.delong_interval([1, 1, 0, 0], scores, groups=[7, 7, 7, 8])
    with pytest.warns(UserWarning, match="takes two rows, or clusters, of each class"):
        test = fm.delong_test([1, 0, 0, 0], {"a": scores, "b": scores[::-1]})
    assert math.isnan(test.pvalue)


def test_margins_are_one_sided_and_in_the_direction_of_the_area():
    labels, scores = problem(500, models=2)
    names = {"m1": scores["m1"], "m0": scores["m0"]}
    plain = fm.delong_test(labels, names)
    z = (plain.estimate + 0.02) / plain.standard_error
    test = fm.delong_test(labels, names, margin=0.02)
    assert test.margin_pvalue == pytest.approx(stats.norm.sf(z), rel=1e-10)
    assert test.verdict == "not inferior"
    two = fm.delong_test(labels, names, margin=(-0.1, 0.3))
    below = stats.norm.sf((plain.estimate + 0.1) / plain.standard_error)
    above = stats.norm.sf((0.3 - plain.estimate) / plain.standard_error)
    assert two.margin_pvalue == pytest.approx(max(below, above), rel=1e-10)
    same = fm.delong_test(labels, {"a": scores["m0"], "b": scores["m0"]}, margin=0.01)
    assert same.verdict == "not inferior"


def test_all_pairs_or_those_with_a_baseline_are_adjusted():
    labels, scores = problem(300)
    pairs = fm.delong_test(labels, scores)
    assert pairs.keys() == [
        (a, b, "roc_auc") for a, b in (("m0", "m1"), ("m0", "m2"), ("m1", "m2"))
    ]
    raw = sorted(row["pvalue"] for row in pairs.rows())
    adjusted = sorted(row["pvalue_adjusted"] for row in pairs.rows())
    assert adjusted[0] == pytest.approx(3 * raw[0])
    with_baseline = fm.delong_test(labels, scores, baseline="m1", adjust="none")
    assert with_baseline.keys() == [("m0", "m1", "roc_auc"), ("m2", "m1", "roc_auc")]
    assert (
        with_baseline["m0"].pvalue
        == with_baseline["m0"].pvalue_adjusted
        == pairs["m0", "m1"].pvalue
    )
    assert with_baseline.statistic == pytest.approx(pairs.statistic)
    mirrored = pairs["m1", "m0"]
    assert mirrored.statistic == -pairs["m0", "m1"].statistic
    assert mirrored.scores.models == tuple(scores)
    assert with_baseline.scores.models == tuple(scores)
    np.testing.assert_array_equal(with_baseline.covariance, pairs.covariance)


def test_a_result_prints_exports_and_pickles():
    labels, scores = problem()
    result = fm.delong_interval(labels, pl.DataFrame(scores), confidence_level=0.9)
    assert isinstance(result, fm.BootstrapResult)
    low, high = result["m0"].confidence_interval
    lines = repr(result).splitlines()
    assert lines[0] == (
        f"m0 roc_auc  {result['m0'].estimate:.4f}   90 % CI {low:.4f} to {high:.4f} (delong)   "
        f"SE {result['m0'].standard_error:.4f}"
    )
    assert lines[3] == f"90 rows, {labels.sum()} positive · DeLong, no resamples"
    assert lines[4] == "Same rows for all models. Overlap is no test: use .compare()."
    frame = result.to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame["method"].to_list() == ["delong"] * 3
    assert frame["standard_error"].to_list() == pytest.approx(np.sqrt(np.diag(result.covariance)))
    assert json.loads(json.dumps(result.to_dict()))["resampling"] == "delong"
    assert "delong" in result.to_markdown()
    assert "delong" in result.to_latex()
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result)
    assert again.compare().statistic == result.compare().statistic
    part = result["m2"]
    assert part.covariance == pytest.approx(result.covariance[2:, 2:])
    assert part.bootstrap_distribution.size == part.n_undefined == 0
    assert all(math.isnan(error) for error in part.monte_carlo_error)
    assert math.isnan(part.bias)
    with pytest.raises(ValueError, match="made of no replicates"):
        part.extend(10)
    with pytest.raises(AttributeError, match=r"3 entries \(3 models\): take one"):
        _ = result.statistic


def test_a_test_prints_and_exports():
    labels, scores = problem(models=2)
    groups = np.arange(labels.size) // 3
    test = fm.delong_test(labels, pd.DataFrame(scores), groups=groups)
    lines = repr(test).splitlines()
    assert "ahead in" not in lines[0]
    assert lines[-1] == f"90 rows in 30 groups, {labels.sum()} positive · DeLong, no resamples"
    assert len(lines) == 3
    assert test.to_frame()["method"].tolist() == ["delong"]
    assert test.to_dict()["statistic"] == test.statistic
    three = repr(fm.delong_test(*problem()))
    assert "All models alike: Wald chi-squared " in three
    assert "ahead in" in repr(fm.compare(labels, scores, n_resamples=500, rng=0))


def test_inputs_of_every_kind():
    labels, scores = problem(models=1)
    column = scores["m0"]
    expected = tuple(fm.delong_interval(labels, column).confidence_interval)
    words = np.where(labels == 1, "bad", "good")
    for y_true, options in (
        (labels.astype(bool), {}),
        (2 * labels - 1, {}),
        (labels.tolist(), {}),
        (words, {"pos_label": "bad"}),
        (pd.Series(words), {"pos_label": "bad"}),
    ):
        result = fm.delong_interval(y_true, column, **options)
        assert tuple(result.confidence_interval) == expected
    two_columns = np.column_stack([-column, column])
    assert tuple(fm.delong_interval(labels, two_columns).confidence_interval) == expected


def test_bad_input_names_the_argument():
    labels, scores = problem()
    column = scores["m0"]
    interval, test = fm.delong_interval, fm.delong_test
    with pytest.raises(ValueError, match="confidence_level=95: give a fraction, 0.95"):
        interval(labels, column, confidence_level=95)
    with pytest.raises(ValueError, match="scale='probit': give one of logit, linear"):
        interval(labels, column, scale="probit")
    with pytest.raises(ValueError, match="alternative='both'"):
        interval(labels, column, alternative="both")
    with pytest.raises(ValueError, match="pos_label='good'"):
        interval(np.where(labels == 1, "good", "bad"), column)
    with pytest.raises(ValueError, match="groups is the string 'customer'"):
        interval(labels, column, groups="customer")
    with pytest.raises(ValueError, match="groups has 3 rows"):
        interval(labels, column, groups=[1, 2, 3])
    with pytest.raises(ValueError, match="sample_weight"):
        interval(labels, column, sample_weight=-np.ones(labels.size))
    broken = {**scores, "m1": np.where(np.arange(labels.size) == 5, np.nan, column)}
    with pytest.raises(ValueError, match=r"y_score\['m1'\]"):
        interval(labels, broken)
    with pytest.raises(ValueError, match="two models or more"):
        test(labels, column)
    with pytest.raises(ValueError, match="adjust='bonferroni'"):
        test(labels, scores, adjust="bonferroni")
    with pytest.raises(KeyError, match="baseline='m9' is no model here: 'm0', 'm1', 'm2'"):
        test(labels, scores, baseline="m9")
    with pytest.raises(ValueError, match="margin=-0.1"):
        test(labels, scores, margin=-0.1)
    with pytest.raises(ValueError, match="y_true"):
        interval(np.arange(labels.size) % 3, column)
    with pytest.raises(ValueError, match="'roc_auc' names one of the models"):
        interval(labels, {"roc_auc": column})
    with pytest.raises(ValueError, match="is of two classes, y_true holds 3"):
        interval(np.arange(labels.size) % 3, np.column_stack([column] * 3))
