"""The permutation test: every permutation by a plain loop, all metrics, chance levels, seeds."""

import itertools
import json
import math
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.inference.comparisons import _swaps
from tests import reference
from tests.chance import TOO_UNLIKELY
from tests.law_problems import CLASSES, ENTRIES, METRICS, definition, families

F1 = fm.metric("f1", threshold=0.5)


def problem(n=8, digits=1, seed=0):
    """Labels and the scores of two models, with ties."""
    generator = np.random.default_rng(seed)
    labels = (np.arange(n) % 3 == 0).astype(int)
    first, second = (0.5 * generator.normal(size=(2, n)) + labels).round(digits)
    return labels, {"first": first, "second": second}


def swapped(first, second, swaps):
    """Both columns with the rows swapped that swaps (n,) marks."""
    swaps = np.reshape(swaps, (-1,) + (1,) * (first.ndim - 1)).astype(bool)
    return np.where(swaps, second, first), np.where(swaps, first, second)


def all_differences(function, labels, first, second, groups=None):
    """Difference of a function under every swap of rows, or of groups."""
    groups = np.arange(len(labels)) if groups is None else np.unique(groups, return_inverse=True)[1]
    found = []
    for bits in itertools.product([0, 1], repeat=int(groups.max()) + 1):
        one, other = swapped(first, second, np.array(bits)[groups])
        found.append(function(labels, one) - function(labels, other))
    return np.array(found)


def pvalue(observed, differences, alternative="two-sided"):
    """Share of the differences that are at least as extreme, up to rounding."""
    extreme = {
        "two-sided": np.abs(differences) >= abs(observed) - 1e-9,
        "greater": differences >= observed - 1e-9,
        "less": differences <= observed + 1e-9,
    }
    return extreme[alternative].mean()


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_exact_pvalue_of_areas_is_that_of_all_swaps_of_ranks(seed, alternative):
    labels, scores = problem(seed=seed)
    scores["second"] = np.exp(3 * scores["second"])
    result = fm.permutation_test(labels, scores, alternative=alternative)
    ranks = [stats.rankdata(column) for column in scores.values()]
    differences = all_differences(reference.auc, labels, *ranks)
    areas = [reference.auc(labels, column) for column in scores.values()]
    assert result.values == pytest.approx(areas)
    assert result.statistic == pytest.approx(areas[0] - areas[1])
    assert result.exact
    assert result.pvalue == pytest.approx(pvalue(result.statistic, differences, alternative))
    assert result.seed is None
    assert result.scale == "rank"


def test_scores_may_be_swapped_as_they_are():
    labels, scores = problem(seed=1)
    differences = all_differences(reference.auc, labels, *scores.values())
    result = fm.permutation_test(labels, scores, scale="score")
    assert result.pvalue == pytest.approx(pvalue(result.statistic, differences))
    assert result.n_resamples == 2 ** np.count_nonzero(scores["first"] != scores["second"])


def test_groups_swap_whole():
    labels, scores = problem(24, seed=2)
    groups = np.array(list("abcdefgh"))[np.random.default_rng(3).integers(0, 8, 24)]
    for metric, function in (
        ("average_precision", reference.average_precision),
        ("mean_squared_error", lambda y_true, y_pred: np.mean((y_true - y_pred) ** 2)),
    ):
        columns = list(scores.values())
        if metric == "average_precision":
            columns = [stats.rankdata(column) for column in columns]
        differences = all_differences(function, labels, *columns, groups)
        result = fm.permutation_test(labels, scores, metric, groups=groups)
        assert result.pvalue == pytest.approx(pvalue(result.statistic, differences))
        assert (result.n_resamples, result.n_groups) == (2**8, 8)


FAMILY_PROBLEMS = {
    "binary": lambda g, n: (np.arange(n) % 2, g.integers(1, 8, (2, n)) / 8),
    "classes": lambda g, n: (np.arange(n) % CLASSES, g.integers(0, CLASSES, (2, n))),
    "columns": lambda g, n: (
        np.arange(n) % CLASSES,
        g.multinomial(8, [1 / CLASSES] * CLASSES, (2, n)) / 8,
    ),
    "values": lambda g, n: (g.integers(1, 9, n) / 4, g.integers(1, 9, (2, n)) / 4),
    "lists": lambda g, n: (
        g.permuted(np.tile([0, 0, 1, 1], (n, 1)), axis=1),
        g.integers(0, 9, (2, n, ENTRIES)) / 8,
    ),
}
CASES = [(family, metric) for metric in METRICS for family in families(metric)]


@pytest.mark.parametrize(("family", "metric"), CASES, ids=lambda part: getattr(part, "label", part))
def test_every_metric_is_measured_on_the_swapped_rows(family, metric):
    generator = np.random.default_rng(4)
    truth, both = FAMILY_PROBLEMS[family](generator, 10)
    names = {"first": both[0], "second": both[1]}
    data = {"y_pred": names} if family == "classes" else {"y_score": names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        # scikit-learn's solver changes its method on ten rows that say nothing of a slope
        warnings.simplefilter("ignore", ConvergenceWarning)
        result = fm.permutation_test(truth, metric=metric, n_resamples=1024, **data)
    columns = [stats.rankdata(part) if result.scale == "rank" else part for part in both]
    differs = (columns[0] != columns[1]).reshape(10, -1).any(axis=1)
    rows = np.flatnonzero(differs)
    if metric.statistic.kind in ("counts", "confusion") and family == "binary":
        rows = np.flatnonzero((both[0] >= 0.5) != (both[1] >= 0.5))
    assert result.exact
    assert result.n_resamples == 2**rows.size
    for place in range(0, result.n_resamples, 1 + result.n_resamples // 12):
        swaps = np.zeros(10, int)
        swaps[rows] = (place >> np.arange(rows.size)) & 1
        values = [definition(family, metric, truth, part) for part in swapped(*columns, swaps)]
        expected = values[0] - values[1] if np.isfinite(values).all() else math.nan
        found = result.null_distribution[place]
        assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert result.null_distribution[0] == pytest.approx(result.statistic, abs=1e-12, nan_ok=True)


def test_random_permutations_agree_with_all_of_them():
    labels, scores = problem(15, digits=3, seed=5)
    for metric in ("roc_auc", "brier_score"):
        if metric == "brier_score":
            scores = {name: 1 / (1 + np.exp(-column)) for name, column in scores.items()}
        exact = fm.permutation_test(labels, scores, metric, n_resamples=2**15)
        drawn = fm.permutation_test(labels, scores, metric, n_resamples=20_000, rng=6)
        assert exact.exact
        assert not drawn.exact
        assert drawn.n_resamples == 20_000
        error = math.sqrt(exact.pvalue * (1 - exact.pvalue) / 20_000)
        assert abs(drawn.pvalue - exact.pvalue) <= 4 * error + 1 / 20_001
        same = stats.ks_2samp(drawn.null_distribution, exact.null_distribution)
        assert same.pvalue > TOO_UNLIKELY
        count = np.count_nonzero(np.abs(drawn.null_distribution) >= abs(drawn.statistic) - 1e-12)
        assert drawn.pvalue == (count + 1) / 20_001


@pytest.mark.parametrize("metric", ["roc_auc", "brier_score", "f1"])
@pytest.mark.parametrize("grouped", [False, True])
def test_pvalues_are_uniform_where_the_models_are_exchangeable(metric, grouped):
    generator = np.random.default_rng(7)
    pvalues = []
    size = 99
    for _ in range(600):
        groups = generator.integers(0, 25, 80)
        labels = generator.integers(0, 2, 80)
        shared = generator.normal(size=80) + labels
        own = generator.normal(size=(2, 25))[:, groups] if grouped else 0.0
        both = 1 / (1 + np.exp(-(shared + own + generator.normal(size=(2, 80)))))
        result = fm.permutation_test(
            labels,
            {"a": both[0], "b": both[1]},
            metric,
            alternative="greater",
            n_resamples=size,
            groups=groups if grouped else None,
            rng=int(generator.integers(2**31)),
        )
        # a p-value counts its ties, the observed one included: spread it over their share
        ties = np.count_nonzero(np.abs(result.null_distribution - result.statistic) < 1e-12) + 1
        pvalues.append(result.pvalue - generator.random() * ties / (size + 1))
    assert stats.kstest(pvalues, "uniform").pvalue > TOO_UNLIKELY


def test_rows_of_a_group_are_no_evidence_of_their_own():
    generator = np.random.default_rng(8)
    groups = np.repeat(np.arange(20), 15)
    labels = np.tile([0, 1, 0, 1, 1], 60)
    small = 0
    for seed in range(100):
        advantage = generator.normal(size=(2, 20))[:, groups] * (2 * labels - 1)
        both = advantage + generator.normal(size=(2, 300))
        by_row = fm.permutation_test(labels, {"a": both[0], "b": both[1]}, n_resamples=99, rng=seed)
        small += by_row.pvalue <= 0.05
    assert small > 30


def test_a_better_model_is_found():
    generator = np.random.default_rng(9)
    labels = generator.integers(0, 2, 400)
    scores = {"good": generator.normal(size=400) + 2 * labels, "bad": generator.normal(size=400)}
    for metric in ("roc_auc", "average_precision", "ks"):
        options = {"n_resamples": 999, "rng": 1}
        assert fm.permutation_test(labels, scores, metric, **options).pvalue == 1 / 1000
        worse = fm.permutation_test(labels, scores, metric, alternative="less", **options)
        assert worse.pvalue == 1.0


def test_numbers_depend_on_the_seed_alone(monkeypatch):
    labels, scores = problem(300, digits=6)
    options = {"n_resamples": 700, "rng": 3}
    result = fm.permutation_test(labels, scores, **options)
    for n_jobs in (2, 3, -1):
        other = fm.permutation_test(labels, scores, n_jobs=n_jobs, **options)
        np.testing.assert_array_equal(other.null_distribution, result.null_distribution)
    shorter = fm.permutation_test(labels, scores, n_resamples=300, rng=3)
    np.testing.assert_array_equal(shorter.null_distribution, result.null_distribution[:300])
    monkeypatch.setattr(_swaps, "SMALL_ROWS", 0)
    for lanes in (64, 32, 16, 8):
        monkeypatch.setattr(_swaps, "TILE_BYTES", 600 * lanes)
        narrow = fm.permutation_test(labels, scores, n_jobs=2, **options)
        np.testing.assert_array_equal(narrow.null_distribution, result.null_distribution)
    other = fm.permutation_test(labels, scores, n_resamples=700, rng=4)
    assert (other.null_distribution != result.null_distribution).mean() > 0.9
    assert result.seed == 3
    sequence = np.random.SeedSequence(3)
    again = fm.permutation_test(labels, scores, n_resamples=700, rng=sequence)
    np.testing.assert_array_equal(again.null_distribution, result.null_distribution)
    assert again.seed is sequence


def test_all_permutations_in_narrow_tiles(monkeypatch):
    labels, scores = problem(11, digits=6)
    result = fm.permutation_test(labels, scores, n_resamples=2**11)
    monkeypatch.setattr(_swaps, "SMALL_ROWS", 0)
    monkeypatch.setattr(_swaps, "TILE_BYTES", 22 * 16)
    narrow = fm.permutation_test(labels, scores, n_resamples=2**11, n_jobs=2)
    np.testing.assert_array_equal(narrow.null_distribution, result.null_distribution)


def test_models_that_agree_have_nothing_to_swap():
    labels, scores = problem(40)
    same = {"a": scores["first"], "b": np.exp(scores["first"])}
    result = fm.permutation_test(labels, same)
    assert (result.statistic, result.pvalue, result.n_resamples) == (0.0, 1.0, 1)
    decided = fm.permutation_test(labels, same, "f1", threshold={"a": 0.0, "b": 1.0})
    assert (decided.pvalue, decided.n_resamples) == (1.0, 1)


def test_every_difference_has_its_mirror_image():
    generator = np.random.default_rng(10)
    labels = generator.normal(size=12)
    both = {"a": generator.normal(size=12), "b": generator.normal(size=12)}
    for metric in ("mean_absolute_error", "r2", "median_absolute_error"):
        result = fm.permutation_test(labels, both, metric)
        null = result.null_distribution
        np.testing.assert_allclose(null, -null[::-1], rtol=0, atol=1e-12)
        extreme = result.pvalue * 2**12
        assert extreme == round(extreme)
        assert extreme % 2 == 0


def test_decisions_swap_with_their_own_thresholds():
    labels, scores = problem(9, seed=11)
    cuts = {"first": 0.2, "second": 0.6}
    decisions = [(scores[name] >= cut).astype(int) for name, cut in cuts.items()]
    for metric, function in (
        ("accuracy", lambda y_true, y_pred: np.mean(y_true == y_pred)),
        ("f1", lambda y_true, y_pred: reference.value(F1, y_true, y_pred)),
    ):
        differences = all_differences(function, labels, *decisions)
        by_score = fm.permutation_test(labels, scores, metric, threshold=cuts)
        by_label = fm.permutation_test(
            labels, metric=metric, y_pred=dict(zip(scores, decisions, strict=True))
        )
        expected = pvalue(by_score.statistic, differences[~np.isnan(differences)])
        assert by_score.pvalue == by_label.pvalue == pytest.approx(expected)
        assert by_score.scale == "score"


def weighted_area(y_true, y_score, sample_weight):
    return reference.auc(y_true, y_score, sample_weight)


def mean_gap(y_true, y_score):
    return y_score[y_true == 1].mean() - y_score[y_true == 0].mean()


@pytest.mark.parametrize("function", [weighted_area, mean_gap])
def test_functions_of_the_user(function):
    labels, scores = problem(8, digits=3, seed=12)
    result = fm.permutation_test(labels, scores, function)

    def plain(y_true, y_score):
        return (
            mean_gap(y_true, y_score) if function is mean_gap else fm.roc_auc_score(y_true, y_score)
        )

    differences = all_differences(plain, labels, *scores.values())
    assert result.pvalue == pytest.approx(pvalue(result.statistic, differences))
    assert result.metric == function.__name__
    assert result.scale == "score"


def test_metrics_without_a_truth_and_frames():
    _, scores = problem(10, digits=2, seed=13)
    frame = pd.DataFrame(scores)
    differences = all_differences(lambda _, values: values.mean(), np.zeros(10), *scores.values())
    result = fm.permutation_test(None, frame, "mean")
    assert result.models == ("first", "second")
    assert result.pvalue == pytest.approx(pvalue(result.statistic, differences))


def test_undefined_permutations_are_left_out_and_counted():
    labels = np.array([1, 1, 0, 0, 0, 1])
    decided = {"a": np.array([1, 1, 0, 0, 1, 0]), "b": np.array([0, 0, 1, 0, 0, 0])}
    message = r"precision is undefined in 2 of 16 permutations, which are left out"
    with pytest.warns(UndefinedMetricWarning, match=message):
        result = fm.permutation_test(labels, metric="precision", y_pred=decided)
    assert result.n_undefined == 2
    function = fm.metric("precision", threshold=0.5)
    differences = all_differences(function, labels, *decided.values())
    defined = differences[~np.isnan(differences)]
    assert result.pvalue == pytest.approx(pvalue(result.statistic, defined))
    with pytest.warns(UndefinedMetricWarning, match="roc_auc undefined on these data: nan"):
        none = fm.permutation_test(np.ones(6), {"a": np.arange(6), "b": np.arange(6)[::-1]})
    assert math.isnan(none.statistic)
    assert math.isnan(none.pvalue)


def test_a_result_prints_and_exports():
    labels, scores = problem(200, digits=5)
    result = fm.permutation_test(
        labels, scores, n_resamples=1000, groups=np.arange(200) // 4, rng=2
    )
    first, second = repr(result).splitlines()
    assert first == (
        f"roc_auc  first {result.values[0]:.4f}  second {result.values[1]:.4f}   difference "
        f"{result.statistic:+.4f}   p {result.pvalue:.2g} (two-sided)"
    )
    assert second == "200 rows in 50 groups · 1,000 permutations of ranks, seed 2 · 0 undefined"
    exported = json.loads(json.dumps(result.to_dict()))
    assert exported["pvalue"] == result.pvalue
    assert exported["models"] == ["first", "second"]
    assert exported["seed"] == 2


def test_bad_input_names_the_argument():
    labels, scores = problem(30)
    test = fm.permutation_test
    with pytest.raises(ValueError, match="y_score holds one model without a name: .* exactly two"):
        test(labels, scores["first"])
    with pytest.raises(ValueError, match="y_score holds 1 models: a paired test takes exactly two"):
        test(labels, {"first": scores["first"]})
    with pytest.raises(ValueError, match="y_score holds 3 models"):
        test(labels, {**scores, "third": scores["first"]})
    with pytest.raises(ValueError, match="y_pred holds one model without a name"):
        test(labels, metric="f1", y_pred=labels)
    with pytest.raises(ValueError, match=r"y_score\['second'\]"):
        test(labels, {**scores, "second": np.full(30, np.nan)})
    with pytest.raises(ValueError, match="metric=\\['roc_auc', 'ks'\\]: give one"):
        test(labels, scores, ["roc_auc", "ks"])
    with pytest.raises(ValueError, match="no metric is called 'roc_aux'"):
        test(labels, scores, "roc_aux")
    for size in (0, "auto", 2.5, True):
        with pytest.raises(ValueError, match="n_resamples=.*give a whole number of 1 or more"):
            test(labels, scores, n_resamples=size)
    with pytest.raises(ValueError, match="alternative='bigger'"):
        test(labels, scores, alternative="bigger")
    with pytest.raises(ValueError, match="scale='raw': give one of rank, score"):
        test(labels, scores, scale="raw")
    with pytest.raises(ValueError, match="mean_squared_error depends on more than the order"):
        test(labels, scores, "mean_squared_error", scale="rank")
    with pytest.raises(ValueError, match="f1 has no default cut"):
        test(labels, scores, "f1")
    with pytest.raises(ValueError, match="probabilities lie in"):
        test(labels, scores, "brier_score")
    with pytest.raises(ValueError, match="groups has 2 rows"):
        test(labels, scores, groups=[1, 2])
    with pytest.raises(ValueError, match="n_jobs=0"):
        test(labels, scores, n_jobs=0)
    columns = np.random.default_rng(0).random((30, 4))
    lists = (columns > 0.5).astype(int)
    with pytest.raises(ValueError, match=r"y_score\['a'\] has shape \(30, 4\), y_score\['b'\]"):
        test(
            lists,
            {"a": columns, "b": columns[:, :3]},
            lambda y_true, y_score, sample_weight: float(sample_weight @ y_score[:, 0]),
        )
