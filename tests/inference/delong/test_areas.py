"""DeLong's method: a direct reference, published examples, weights, clusters, coverage."""

import math

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from tests.chance import TOO_UNLIKELY
from tests.inference.delong.published_data import haemorrhage, ovarian


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
