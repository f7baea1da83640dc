"""DeLong's method: a direct reference, published examples, weights, clusters, coverage."""

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
from tests.chance import TOO_UNLIKELY
from tests.inference.published_data import haemorrhage, ovarian


def binormal(generator, positives, negatives, separation=1.0):
    """Labels and scores, positives first."""
    labels = np.repeat([1, 0], [positives, negatives])
    return labels, generator.normal(size=labels.size) + separation * labels


def problem(n=90, digits=1, models=3, seed=0):
    """Labels and scores of several models, with ties."""
    generator = np.random.default_rng(seed)
    labels = (generator.random(n) < 0.4).astype(int)
    shared = generator.normal(size=n)
    return labels, {
        f"m{k}": (shared + generator.normal(size=n) + (k + 1) * 0.5 * labels).round(digits)
        for k in range(models)
    }


def corrected(values, other, items):
    """Sum of products of sums over items, times I / (I - 1) for the I items."""
    return items / (items - 1) * sum(x * y for x, y in zip(values, other))


def reference_moments(labels, scores, weights=None, groups=None):
    """Areas (k,) and their covariance (k, k) from all pairs of rows, cluster by cluster."""
    weights = np.ones(labels.size) if weights is None else weights
    groups = np.arange(labels.size) if groups is None else groups
    pos, neg = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    own, other = weights[pos], weights[neg]
    areas, sums = [], []
    for column in scores:
        wins = (column[pos][:, None] > column[neg]) + 0.5 * (column[pos][:, None] == column[neg])
        area = own @ wins @ other / (own.sum() * other.sum())
        of_positive = own * (wins @ other / other.sum() - area) / own.sum()
        of_negative = other * (own @ wins / own.sum() - area) / other.sum()
        areas.append(area)
        clusters = np.unique(groups).tolist()
        sums.append(
            (
                [of_positive[groups[pos] == cluster].sum() for cluster in clusters],
                [of_negative[groups[neg] == cluster].sum() for cluster in clusters],
            )
        )
    items = [np.unique(groups[rows]).size for rows in (pos, neg, np.arange(labels.size))]
    single = items[2] == labels.size
    covariance = np.empty((len(sums), len(sums)))
    for i, (a, b) in enumerate(sums):
        for j, (c, d) in enumerate(sums):
            covariance[i, j] = corrected(a, c, items[0]) + corrected(b, d, items[1])
            if not single:
                covariance[i, j] += corrected(a, d, items[2]) + corrected(b, c, items[2])
    return np.array(areas), covariance


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_areas_and_covariance_equal_those_of_all_pairs(digits, weighted, clustered):
    labels, scores = problem(digits=digits)
    generator = np.random.default_rng(1)
    weights = generator.gamma(2.0, size=labels.size) if weighted else None
    groups = generator.integers(0, 25, labels.size) if clustered else None
    areas, covariance = reference_moments(labels, list(scores.values()), weights, groups)

    result = fm.delong_interval(labels, scores, sample_weight=weights, groups=groups)

    assert [result[name].estimate for name in scores] == pytest.approx(areas, abs=1e-14)
    np.testing.assert_allclose(result.covariance, covariance, rtol=1e-11)
    for k, name in enumerate(scores):
        assert result[name].standard_error == pytest.approx(math.sqrt(covariance[k, k]), rel=1e-11)
        assert result[name].estimate == pytest.approx(
            fm.roc_auc_score(labels, scores[name], sample_weight=weights), abs=1e-14
        )
    difference = areas[0] - areas[2]
    error = math.sqrt(covariance[0, 0] + covariance[2, 2] - 2 * covariance[0, 2])
    test = fm.delong_test(
        labels, {k: scores[k] for k in ("m0", "m2")}, sample_weight=weights, groups=groups
    )
    assert test.estimate == pytest.approx(difference, abs=1e-14)
    assert test.standard_error == pytest.approx(error, rel=1e-11)
    assert test.statistic == pytest.approx(difference / error, rel=1e-11)
    assert test.pvalue == pytest.approx(2 * stats.norm.sf(abs(difference / error)), rel=1e-10)


def test_the_ovarian_cancer_example_comes_out_as_published():
    labels, scores = ovarian()
    result = fm.delong_interval(labels, scores, scale="linear")
    published = {
        "albumin": (0.7366, 0.0927, 0.5549, 0.9182),
        "grade": (0.7258, 0.1028, 0.5243, 0.9273),
        "protein": (0.6478, 0.1000, 0.4518, 0.8439),
    }
    for name, numbers in published.items():
        entry = result[name]
        found = (entry.estimate, entry.standard_error, *entry.confidence_interval)
        assert found == pytest.approx(numbers, abs=5e-5)
    test = fm.delong_test(labels, scores, baseline="grade")
    differences = {
        "albumin": (0.0108, 0.0953, -0.1761, 0.1976, 0.9102),
        "protein": (-0.0780, 0.1046, -0.2830, 0.1271, 0.4561),
    }
    for name, numbers in differences.items():
        pair = test[name, "grade"]
        found = (pair.estimate, pair.standard_error, *pair.confidence_interval, pair.pvalue)
        assert found == pytest.approx(numbers, abs=5.1e-5)
    assert test.statistic == pytest.approx(2.5340, abs=5e-5)
    assert test.degrees_of_freedom == 2
    assert test.joint_pvalue == pytest.approx(0.2817, abs=5e-5)


def test_the_haemorrhage_example_agrees_with_pROC():
    labels, scores = haemorrhage()
    s100b = fm.delong_interval(labels, scores["s100b"], scale="linear")
    assert s100b.estimate == pytest.approx(0.7313686, abs=5e-8)
    assert tuple(s100b.confidence_interval) == pytest.approx((0.6301182, 0.8326189), abs=5e-8)
    test = fm.delong_test(labels, {name: scores[name] for name in ("s100b", "wfns")})
    assert test.statistic == pytest.approx(-2.2089835914409077, rel=1e-12)
    assert test.pvalue == pytest.approx(0.02717578222918815, rel=1e-11)
    variances = [0.0026686824571724378, 0.0014699147088236264, 0.0031908105493913021]
    found = fm.delong_test(labels, scores)
    np.testing.assert_allclose(np.diag(found.covariance), variances, rtol=1e-12)
    assert found.covariance[0, 1] == pytest.approx(0.0011961556737675448, rel=1e-11)
    assert found.covariance[0, 2] == pytest.approx(-0.00075616493805657884, rel=1e-11)
    assert found["s100b", "ndka"].statistic == pytest.approx(1.3907700257355771, rel=1e-11)
    assert found["s100b", "ndka"].pvalue == pytest.approx(0.16429517522305448, rel=1e-10)


def test_clusters_of_one_row_and_equal_weights_change_nothing():
    labels, scores = problem()
    plain = fm.delong_interval(labels, scores)
    names = [f"row {k}" for k in np.random.default_rng(2).permutation(labels.size)]
    alone = fm.delong_interval(labels, scores, groups=names)
    equal = fm.delong_interval(labels, scores, sample_weight=np.full(labels.size, 0.3))
    for other in (alone, equal):
        np.testing.assert_allclose(other.covariance, plain.covariance, rtol=1e-12)
        for name in scores:
            assert tuple(other[name].confidence_interval) == pytest.approx(
                tuple(plain[name].confidence_interval), rel=1e-12
            )


def test_rows_of_weight_zero_are_absent():
    labels, scores = problem()
    weights = np.random.default_rng(3).integers(0, 3, labels.size).astype(float)
    groups = np.random.default_rng(4).integers(0, 30, labels.size)
    kept = weights > 0
    for clusters in (None, groups):
        with_zeros = fm.delong_interval(labels, scores, sample_weight=weights, groups=clusters)
        without = fm.delong_interval(
            labels[kept],
            {name: column[kept] for name, column in scores.items()},
            sample_weight=weights[kept],
            groups=None if clusters is None else clusters[kept],
        )
        np.testing.assert_array_equal(with_zeros.covariance, without.covariance)


def test_only_the_order_of_the_scores_counts():
    labels, scores = problem()
    column = scores["m0"]
    plain = fm.delong_interval(labels, column)
    for transformed in (np.exp(column), column.astype(np.float32), 3 * column - 5):
        other = fm.delong_interval(labels, transformed)
        assert tuple(other.confidence_interval) == tuple(plain.confidence_interval)
    shuffled = np.random.default_rng(5).permutation(labels.size)
    other = fm.delong_interval(labels[shuffled], column[shuffled])
    assert other.standard_error == pytest.approx(plain.standard_error, rel=1e-13)
    mirrored = fm.delong_interval(1 - labels, column)
    assert mirrored.estimate == pytest.approx(1 - plain.estimate)
    assert mirrored.standard_error == pytest.approx(plain.standard_error, rel=1e-13)
    low, high = plain.confidence_interval
    assert tuple(mirrored.confidence_interval) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_standard_errors_agree_with_the_bootstrap(weighted, clustered):
    generator = np.random.default_rng(6)
    groups = np.sort(generator.integers(0, 400, 2000))
    labels = (generator.random(2000) < 0.3).astype(int)
    shared = generator.normal(size=400)[groups]
    scores = {name: (shared + generator.normal(size=2000) + labels).round(2) for name in ("a", "b")}
    data = {
        "sample_weight": generator.gamma(2.0, size=2000) if weighted else None,
        "groups": groups if clustered else None,
    }
    size = 4000
    replicates = fm.bootstrap(
        labels, scores, n_resamples=size, method="normal", rng=1, n_jobs=2, **data
    )
    test = fm.delong_test(labels, scores, **data)
    # four standard deviations of a bootstrap standard error, and 1 % for terms of order 1 / n
    tolerance = 4 / math.sqrt(2 * size) + 0.01
    for name in scores:
        exact = test.scores[name].standard_error
        assert replicates[name].standard_error == pytest.approx(exact, rel=tolerance)
    paired = replicates.compare()
    assert paired.standard_error == pytest.approx(test.standard_error, rel=tolerance)


def test_clusters_that_share_their_scores_widen_the_interval():
    generator = np.random.default_rng(7)
    groups = np.repeat(np.arange(60), 20)
    labels = generator.integers(0, 2, 60)[groups]
    scores = (generator.normal(size=60) + 0.8 * generator.integers(0, 2, 60))[groups]
    alone = fm.delong_interval(labels, scores).standard_error
    whole = fm.delong_interval(labels, scores, groups=groups).standard_error
    once = fm.delong_interval(labels[::20], scores[::20]).standard_error
    assert whole == pytest.approx(once, rel=1e-12)
    assert whole > 4 * alone


def within_binomial_error(covered, size, level):
    """Whether a share may be a binomial share of the level."""
    error = -stats.norm.ppf(TOO_UNLIKELY / 2) * math.sqrt(level * (1 - level) / size)
    return abs(covered / size - level) <= error


@pytest.mark.parametrize("scale", ["logit", "linear"])
def test_intervals_of_binormal_data_cover_the_area(scale):
    generator = np.random.default_rng(8)
    area = stats.norm.cdf(1 / math.sqrt(2))
    size, covered = 2000, 0
    for _ in range(size):
        data = binormal(generator, 60, 140)
        low, high = fm.delong_interval(*data, scale=scale).confidence_interval
        covered += low <= area <= high
    assert within_binomial_error(covered, size, 0.95)


def test_clustered_intervals_cover_where_rows_do_not():
    generator = np.random.default_rng(9)
    size, covered, by_rows = 1000, 0, 0
    groups = np.repeat(np.arange(80), 10)
    labels = np.tile([1, 0, 0, 1, 0], 160)
    # half of the variance is shared within a cluster, with opposite signs for the two classes; a
    # positive and a negative of different clusters differ by 1 with a variance of 2
    area = stats.norm.cdf(1 / math.sqrt(2))
    for _ in range(size):
        shared = generator.normal(size=80)[groups] * math.sqrt(0.5)
        scores = shared * np.where(labels == 1, 1, -1)
        scores += generator.normal(size=800) * math.sqrt(0.5) + labels
        low, high = fm.delong_interval(labels, scores, groups=groups).confidence_interval
        covered += low <= area <= high
        low, high = fm.delong_interval(labels, scores).confidence_interval
        by_rows += low <= area <= high
    assert within_binomial_error(covered, size, 0.95)
    assert by_rows / size < 0.85


def test_pvalues_are_uniform_where_the_areas_are_equal():
    generator = np.random.default_rng(10)
    pvalues, joint = [], []
    for _ in range(1500):
        labels = np.repeat([1, 0], 100)
        shared = generator.normal(size=200)
        scores = {name: shared + generator.normal(size=200) + labels for name in "abc"}
        test = fm.delong_test(labels, scores)
        pvalues.append(test["a", "b"].pvalue)
        joint.append(test.joint_pvalue)
    assert stats.kstest(pvalues, "uniform").pvalue > TOO_UNLIKELY
    assert stats.kstest(joint, "uniform").pvalue > TOO_UNLIKELY


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_interval_and_pvalue_of_a_difference_agree(alternative):
    labels, scores = problem(400, models=2)
    if alternative == "greater":
        scores = {"m1": scores["m1"], "m0": scores["m0"]}
    options = {"alternative": alternative}
    pvalue = fm.delong_test(labels, scores, **options).pvalue
    just_in = fm.delong_test(labels, scores, confidence_level=1 - 0.99 * pvalue, **options)
    just_out = fm.delong_test(labels, scores, confidence_level=1 - 1.01 * pvalue, **options)
    assert just_in.confidence_interval.low <= 0 <= just_in.confidence_interval.high
    low, high = just_out.confidence_interval
    assert low > 0 or high < 0
    assert (low == -math.inf) == (alternative == "less")
    assert (high == math.inf) == (alternative == "greater")


def test_one_sided_intervals_of_an_area():
    labels, scores = problem()
    for scale in ("logit", "linear"):
        options = {"scale": scale}
        low, high = fm.delong_interval(
            labels, scores["m0"], confidence_level=0.9, **options
        ).confidence_interval
        less = fm.delong_interval(labels, scores["m0"], alternative="less", **options)
        greater = fm.delong_interval(labels, scores["m0"], alternative="greater", **options)
        assert tuple(less.confidence_interval) == pytest.approx((-math.inf, high))
        assert tuple(greater.confidence_interval) == pytest.approx((low, math.inf))


def test_the_logit_interval_is_symmetric_in_the_logit():
    labels, scores = problem()
    result = fm.delong_interval(labels, scores["m0"])
    area, error = result.estimate, result.standard_error
    centre = math.log(area / (1 - area))
    scaled = stats.norm.ppf(0.975) * error / (area * (1 - area))
    expected = [1 / (1 + math.exp(-(centre + side * scaled))) for side in (-1, 1)]
    assert tuple(result.confidence_interval) == pytest.approx(expected, rel=1e-13)
    assert result.statistic == pytest.approx((area - 0.5) / error, rel=1e-13)
    assert result.method == "delong"


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
