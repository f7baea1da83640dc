"""Clusters, strata and laws: exact distributions of tiny samples, known standard errors."""

import itertools
import re
import uuid
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fastmetrics as fm
from tests import reference
from tests.chance import TOO_UNLIKELY, chi_square
from tests.inference.bootstrap_problems import problem

pytestmark = pytest.mark.filterwarnings("ignore:.*is undefined in")
LABELS = np.array([1, 0, 1, 0, 0, 1, 0, 1, 0])
SCORES = np.array([0.8, 0.6, 0.6, 0.4, 0.1, 0.3, 0.7, 0.9, 0.2])
METRICS = ["roc_auc", "average_precision", "accuracy", "brier_score", "ks"]
CLUSTERS = {
    "numbers": np.array([7, 7, 3, 3, 3, 3, 5, 5, 5]),
    "unequal": np.array([0, 1, 1, 1, 1, 1, 1, 2, 2]),
    "scattered": np.array([2, 0, 1, 2, 0, 2, 2, 1, 0]),
    "text": np.array(list("bbaaaaccc")),
    "objects": np.array([("x", 1), ("y",), 3, 3, ("y",), ("y",), 3, ("x", 1), 3], object),
}


def value(metric, rows):
    """Value of a metric on repeated rows."""
    labels, scores = LABELS[rows], SCORES[rows]
    if metric == "accuracy":
        return np.mean(labels == (scores >= 0.5))
    if metric == "brier_score":
        return np.mean((labels - scores) ** 2)
    return reference.OF_RANKING[metric](labels, scores)


def exact(metric, draws):
    """Probability of each value, rounded, over equally likely draws of rows."""
    found = Counter(str(round(float(value(metric, rows)), 9)) for rows in draws)
    total = sum(found.values())
    return {key: times / total for key, times in found.items()}


def assert_has_the_distribution(values, expected):
    seen = Counter(str(round(float(v), 9)) for v in values)
    assert seen.keys() <= expected.keys()
    if len(expected) > 1:
        p = chi_square([seen.get(key, 0) for key in expected], list(expected.values()))
        assert p > TOO_UNLIKELY


def draws_of(*pools):
    """Every draw of as many of each pool's items as there are; items are arrays of rows."""
    choices = [itertools.product(pool, repeat=len(pool)) for pool in pools]
    for chosen in itertools.product(*choices):
        yield np.concatenate([rows for part in chosen for rows in part])


def rows_of(codes, wanted):
    return np.array([row for row, code in enumerate(codes) if code == wanted])


@pytest.mark.parametrize("kind", CLUSTERS)
def test_three_clusters_have_their_exact_distribution(kind):
    groups = CLUSTERS[kind]
    clusters = [rows_of(groups.tolist(), name) for name in dict.fromkeys(groups.tolist())]
    assert len(clusters) == 3
    result = fm.bootstrap(
        LABELS, SCORES, METRICS, groups=groups, method="percentile", n_resamples=20_000, rng=1
    )
    for metric in METRICS:
        expected = exact(metric, draws_of(clusters))
        assert_has_the_distribution(result[metric].bootstrap_distribution, expected)
        assert result[metric].estimate == pytest.approx(value(metric, np.arange(9)))


@pytest.mark.parametrize("text", [False, True])
def test_small_strata_have_their_exact_distribution(text):
    strata = np.array([0, 1, 1, 0, 2, 1, 0, 3, 2])
    pools = [[np.array([row]) for row in rows_of(strata, s)] for s in range(4)]
    given = np.array(["d", "a", "c", "b"])[strata] if text else strata
    result = fm.bootstrap(
        LABELS, SCORES, METRICS, strata=given, method="percentile", n_resamples=20_000, rng=2
    )
    for metric in METRICS:
        expected = exact(metric, draws_of(*pools))
        assert_has_the_distribution(result[metric].bootstrap_distribution, expected)


def test_clusters_in_strata_have_their_exact_distribution():
    groups = np.array([0, 0, 1, 1, 2, 2, 2, 3, 4])
    strata = np.array([1, 1, 0, 0, 1, 1, 1, 1, 0])
    pools = [
        [rows_of(groups, g) for g in np.unique(groups[strata == s])] for s in np.unique(strata)
    ]
    result = fm.bootstrap(
        LABELS,
        SCORES,
        METRICS,
        groups=groups,
        strata=strata,
        method="percentile",
        n_resamples=20_000,
        rng=3,
    )
    for metric in METRICS:
        expected = exact(metric, draws_of(*pools))
        assert_has_the_distribution(result[metric].bootstrap_distribution, expected)


def test_classes_as_strata_keep_their_sizes_whatever_else_is_asked():
    strata = LABELS + 10
    options = {"method": "percentile", "n_resamples": 8_000}
    pools = [[np.array([row]) for row in rows_of(LABELS, s)] for s in (0, 1)]
    generator = np.random.default_rng(0)
    sample = [
        np.concatenate([generator.choice(np.concatenate(pool), len(pool)) for pool in pools])
        for _ in range(4_000)
    ]
    for extra in (
        {"strata": "class"},
        {"strata": strata},
        {"strata": "class", "by": np.arange(9) % 2},
    ):
        result = fm.bootstrap(LABELS, SCORES, ["accuracy", "roc_auc"], rng=4, **options, **extra)
        for metric in ("accuracy", "roc_auc"):
            drawn = result[(metric,)].bootstrap_distribution
            wanted = [value(metric, rows) for rows in sample]
            assert np.mean(drawn) == pytest.approx(np.mean(wanted), abs=0.01)
            assert np.std(drawn) == pytest.approx(np.std(wanted), rel=0.06)
        assert result["roc_auc",].n_undefined == 0


N = 200
X = np.random.default_rng(0).gamma(2.0, size=N)
GROUPS = np.repeat(np.arange(40), 5)
STRATA = np.repeat(np.arange(4), [20, 50, 60, 70])


def spread(x):
    """Variance with divisor n."""
    return np.mean((x - x.mean()) ** 2)


STANDARD_ERRORS = {
    "rows": ({}, spread(X) / N),
    "clusters": ({"groups": GROUPS}, spread(X.reshape(40, 5).mean(axis=1)) / 40),
    "strata": (
        {"strata": STRATA},
        sum((s == STRATA).sum() * spread(X[s == STRATA]) for s in range(4)) / N**2,
    ),
    "clusters in strata": (
        {"groups": GROUPS, "strata": STRATA},
        sum(
            5 * (s == STRATA).sum() * spread(X[s == STRATA].reshape(-1, 5).mean(axis=1))
            for s in range(4)
        )
        / N**2,
    ),
    "bayesian": ({"resampling": "bayesian"}, spread(X) / (N + 1)),
    "bayesian clusters": (
        {"resampling": "bayesian", "groups": GROUPS},
        spread(X.reshape(40, 5).mean(axis=1)) / 41,
    ),
    "bayesian strata": (
        {"resampling": "bayesian", "strata": STRATA},
        sum(
            (s == STRATA).sum() ** 2 * spread(X[s == STRATA]) / ((s == STRATA).sum() + 1)
            for s in range(4)
        )
        / N**2,
    ),
    # the mean of a Poisson number of draws: 1/n is a little more on average
    "poisson": ({"resampling": "poisson"}, spread(X) * (1 / N + 1 / N**2)),
}


@pytest.mark.parametrize("design", STANDARD_ERRORS)
def test_standard_errors_of_a_mean_are_known(design):
    options, variance = STANDARD_ERRORS[design]
    result = fm.bootstrap(None, X, "mean", n_resamples=16_000, rng=0, **options)
    # the relative error of a standard deviation is 1/sqrt(2 B)
    assert result.standard_error == pytest.approx(variance**0.5, rel=4 / (2 * 16_000) ** 0.5)
    assert abs(result.bias) < 4 * (variance / 16_000) ** 0.5


def test_standard_errors_of_weighted_clusters_are_those_of_a_ratio():
    # whole clusters of unequal sizes with sample weights: the delta method, many clusters
    generator = np.random.default_rng(1)
    groups = np.sort(generator.integers(0, 400, 2_000))
    groups = np.unique(groups, return_inverse=True)[1]
    x, w = generator.normal(1, 1, 2_000), generator.uniform(0.5, 2, 2_000)
    result = fm.bootstrap(None, x, "mean", groups=groups, sample_weight=w, n_resamples=8_000, rng=0)
    mean = np.average(x, weights=w)
    sums = np.bincount(groups, w * (x - mean)) / w.sum()
    expected = np.sqrt(np.sum(sums**2))
    assert result.standard_error == pytest.approx(expected, rel=0.04)


def test_standard_errors_of_a_share_at_any_level():
    labels, scores = problem(N)
    p = np.mean(labels == (scores >= 0.5))
    for extra in ([], ["roc_auc"], ["brier_score"], ["ece"]):
        result = fm.bootstrap(labels, scores, ["accuracy", *extra], n_resamples=16_000, rng=1)
        expected = (p * (1 - p) / N) ** 0.5
        assert result["accuracy"].standard_error == pytest.approx(expected, rel=0.025)


IDS = {
    "int8": GROUPS.astype(np.int8),
    "uint64": GROUPS.astype(np.uint64) + 2**63,
    "float": GROUPS / 7,
    "negative": GROUPS - 100,
    "text": np.array([f"{g:03}" for g in GROUPS]),
    "objects": np.array([f"{g:03}" for g in GROUPS], object),
    "tuples": [(int(g), "x") for g in GROUPS],
    "bytes": np.array([f"{g:03}".encode() for g in GROUPS]),
    "dates": np.datetime64("2021-03-01") + GROUPS,
    "uuids": [uuid.UUID(int=int(g)) for g in GROUPS],
    "pandas": pd.Series([f"{g:03}" for g in GROUPS], index=np.arange(N)[::-1]),
    "nullable": pd.Series(GROUPS, dtype="Int64"),
    "categories": pd.Categorical([f"{g:03}" for g in GROUPS]),
    "polars": pl.Series([f"{g:03}" for g in GROUPS]),
    "pyarrow": pa.array([f"{g:03}" for g in GROUPS]),
    "column": GROUPS[:, None],
}


@pytest.mark.parametrize("kind", IDS)
def test_groups_and_strata_may_have_any_ids(kind):
    labels, scores = problem(N)
    options = {"n_resamples": 130, "rng": 0, "method": "percentile"}
    for argument in ("groups", "strata"):
        found = fm.bootstrap(labels, scores, **{argument: IDS[kind]}, **options)
        wanted = fm.bootstrap(labels, scores, **{argument: GROUPS}, **options)
        np.testing.assert_array_equal(found.bootstrap_distribution, wanted.bootstrap_distribution)
        assert found.estimate == fm.bootstrap(labels, scores, n_resamples=0).estimate


def test_every_row_its_own_cluster_is_drawn_as_rows_are():
    labels, scores = problem(N)
    options = {"n_resamples": 4_000, "rng": 5}
    rows = fm.bootstrap(labels, scores, **options)
    clusters = fm.bootstrap(
        labels, scores, groups=np.random.default_rng(0).permutation(N), **options
    )
    assert clusters.acceleration == pytest.approx(rows.acceleration, rel=1e-9)
    assert clusters.standard_error == pytest.approx(rows.standard_error, rel=0.06)
    with pytest.warns(UserWarning, match="groups holds one group"):
        one = fm.bootstrap(labels, scores, groups=np.zeros(N), method="percentile", **options)
    assert (one.bootstrap_distribution == one.estimate).all()


def test_the_print_tells_of_groups_and_strata():
    labels, scores = problem(N)
    options = {"n_resamples": 100, "rng": 0, "method": "percentile"}
    for design, text in (
        ({"groups": GROUPS}, "200 rows in 40 groups, "),
        ({"groups": GROUPS}, "100 multinomial resamples of groups, seed 0"),
        ({"strata": STRATA}, "100 multinomial resamples, in 4 strata, seed 0"),
        ({"strata": "class"}, "100 multinomial resamples, by class, seed 0"),
        ({"groups": GROUPS, "strata": STRATA}, "resamples of groups, in 4 strata, seed 0"),
        ({"resampling": "bayesian"}, "100 bayesian resamples, seed 0"),
    ):
        assert text in repr(fm.bootstrap(labels, scores, **options, **design))


MIXED = np.arange(N) // 2
BAD = {
    "text": ({"groups": "customer"}, "groups is the string 'customer': pass the column itself"),
    "text for strata": (
        {"strata": "site"},
        "strata is the string 'site': give 'class', or the column itself",
    ),
    "short groups": ({"groups": MIXED[1:]}, f"groups has {N - 1} rows, the data {N}"),
    "short strata": ({"strata": MIXED[1:]}, f"strata has {N - 1} rows, the data {N}"),
    "missing": ({"groups": np.where(MIXED > 3, MIXED, np.nan)}, "groups has 8 missing entries"),
    "None": ({"strata": [None, *MIXED[1:]]}, "strata has 1 missing entry, first at row 0"),
    "NaT": ({"groups": np.array(["2020", "NaT"] * 100, "M8[D]")}, "groups has 100 missing"),
    "in two strata": (
        {"groups": np.array(["a", "b"])[MIXED % 2], "strata": np.arange(N) % 5},
        "groups: 'a' lies in more than one stratum: a group is drawn whole, so it needs one; leave "
        "strata= out",
    ),
    "in two classes": (
        {"groups": MIXED, "strata": "class"},
        "lies in more than one stratum: a group is drawn whole",
    ),
    "poisson": (
        {"strata": STRATA, "resampling": "poisson"},
        "Poisson counts have no fixed total: leave strata= or resampling= out",
    ),
    "draws and groups": (
        {"groups": GROUPS, "counts": [np.ones(N, int)]},
        "counts= gives the draws: leave groups= out",
    ),
    "draws and strata": (
        {"strata": STRATA, "resamples": [np.arange(N)]},
        "resamples= gives the draws: leave strata= out",
    ),
    "two columns": ({"groups": np.stack([GROUPS, STRATA], 1)}, "groups should be a 1d array"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_design_is_named(what):
    options, message = BAD[what]
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*problem(N), **options)


def test_classes_need_labels():
    with pytest.raises(ValueError, match="strata='class' needs labels: these metrics compare"):
        fm.bootstrap(X, X, "r2", strata="class")


def test_several_classes_may_be_strata():
    codes = np.random.default_rng(0).integers(0, 3, N)
    said = np.random.default_rng(1).integers(0, 3, N)
    metrics = ["recall_macro", "accuracy"]
    result = fm.bootstrap(
        codes, None, metrics, y_pred=said, strata="class", n_resamples=8_000, rng=0
    )
    recalls = [np.mean(said[codes == k] == k) for k in range(3)]
    sizes = np.bincount(codes)
    variance = sum(p * (1 - p) / n for p, n in zip(recalls, sizes)) / 9
    assert result["recall_macro"].standard_error == pytest.approx(variance**0.5, rel=0.04)
    assert ", by class, " in repr(result)


def test_groups_that_cannot_be_told_apart():
    groups = np.empty(4, object)
    groups[:] = [[1], [1], [2], [2]]
    with pytest.raises(ValueError, match="groups holds what cannot be told apart: unhashable"):
        fm.bootstrap([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], groups=groups, n_resamples=5)
