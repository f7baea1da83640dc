"""Functions of the user on the same draws: what they get, and what is served by metrics of ours."""

import functools
import re
import threading

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics

import fastmetrics as fm
from tests.engine.reading_problems import data
from tests.inference.bootstrap_problems import index_draws, problem

N = 120


def mean_score(y_true, y_score, sample_weight):
    return np.average(y_score, weights=sample_weight)


def ranked(y_true, y_score):
    """Area by ranks, without weights."""
    return sklearn.metrics.roc_auc_score(y_true, y_score)


def drawn(function, *, method="percentile", **options):
    result = fm.bootstrap(*problem(), function, method=method, **options)
    return result if len(result) > 1 else result.bootstrap_distribution


DRAWS = list(index_draws(N, 20))


@pytest.mark.parametrize("way", ["resamples", "counts"])
def test_a_function_with_weights_and_one_without_see_the_same_draws(way):
    labels, scores = problem()
    given = DRAWS if way == "resamples" else [np.bincount(rows, minlength=N) for rows in DRAWS]
    result = drawn({"a": mean_score, "b": ranked, "c": "roc_auc", "d": "mean"}, **{way: given})
    for k, rows in enumerate(DRAWS):
        values = {name: result[name].bootstrap_distribution[k] for name in result.metrics}
        assert values["a"] == pytest.approx(scores[rows].mean(), rel=1e-12)
        area = sklearn.metrics.roc_auc_score(labels[rows], scores[rows])
        assert values["b"] == pytest.approx(area, abs=1e-12)
        assert values["c"] == pytest.approx(area, abs=1e-12)
        assert values["d"] == pytest.approx(values["a"], rel=1e-12)


GROUPS = np.arange(N) % 17
DESIGNS = {
    "rows": {},
    "clusters": {"groups": GROUPS},
    "strata": {"strata": GROUPS},
    "clusters in strata": {"groups": GROUPS, "strata": GROUPS % 3},
    "poisson": {"resampling": "poisson"},
    "bayesian": {"resampling": "bayesian"},
    "weights": {"sample_weight": 1.0 + GROUPS / 4},
}


@pytest.mark.parametrize("design", DESIGNS)
def test_drawn_replicates_are_those_of_our_metric_in_the_same_call(design):
    metrics = {"theirs": mean_score, "ours": "mean"}
    result = drawn(metrics, n_resamples=300, rng=0, **DESIGNS[design])
    theirs, ours = (result[name].bootstrap_distribution for name in metrics)
    np.testing.assert_allclose(theirs, ours, rtol=1e-12)
    assert result["theirs"].estimate == pytest.approx(result["ours"].estimate)
    assert np.std(theirs) > 0


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_threads_change_nothing(n_jobs):
    seen = set()

    def slow(y_true, y_score, sample_weight):
        seen.add(threading.get_ident())
        return float(sample_weight @ y_score)

    plain = drawn(slow, n_resamples=700, rng=3)
    seen.clear()
    np.testing.assert_array_equal(drawn(slow, n_resamples=700, rng=3, n_jobs=n_jobs), plain)
    assert len(seen) > 1


def test_weights_are_float64_with_zeros_and_of_the_whole_data():
    calls = []

    def spy(y_true, y_score, sample_weight):
        calls.append((y_true, y_score, sample_weight.copy()))
        return 0.0

    labels, scores = problem()
    counts = [np.bincount(rows, minlength=N) for rows in DRAWS]
    fm.bootstrap(labels, scores, spy, counts=counts)
    assert len(calls) == len(counts) + 1
    wanted = [np.ones(N), *counts]
    for y_true, y_score, weights in calls:
        np.testing.assert_array_equal(y_true, labels)
        np.testing.assert_array_equal(y_score, scores)
        assert weights.dtype == np.float64
        assert any(np.array_equal(weights, other) for other in wanted)
        assert weights.flags.c_contiguous


def test_data_are_handed_on_as_they_were_passed():
    labels, scores = problem()
    words = np.array(["no", "yes"])[labels]
    whole = (10 * scores).astype(np.int16)

    def check(y_true, y_score, sample_weight):
        assert y_true.tolist() == words.tolist()
        assert y_score.dtype == np.int16
        return float(sample_weight @ (y_true == "yes"))

    found = fm.bootstrap(words, whole, check, n_resamples=0)
    assert found.estimate == labels.sum()
    frame = pd.DataFrame({"y": words, "s": whole}, index=np.arange(N)[::-1])
    assert fm.bootstrap(frame["y"], frame["s"], check, n_resamples=0).estimate == labels.sum()


def test_columns_and_decisions_reach_the_function():
    codes, columns = data("columns", N)

    def hits(y_true, y_score, sample_weight):
        return float(np.average(np.argmax(y_score, axis=1) == y_true, weights=sample_weight))

    result = fm.bootstrap(codes, columns, {"mine": hits, "accuracy": "accuracy"}, n_resamples=0)
    assert result["mine"].estimate == result["accuracy"].estimate
    labels, scores = problem()
    decisions = (scores > 0.4).astype(int)

    def agreement(y_true, y_score):
        return np.mean(y_true == y_score)

    result = fm.bootstrap(labels, None, agreement, y_pred=decisions, n_resamples=0)
    assert result.estimate == np.mean(labels == decisions)


def test_models_and_slices_each_call_the_function():
    labels, scores = problem()
    models = {"a": scores, "b": scores**2}
    by = np.arange(N) % 2
    result = fm.bootstrap(labels, models, mean_score, by=by, n_resamples=100, rng=0)
    ours = fm.bootstrap(labels, models, "mean", by=by, n_resamples=100, rng=0, method="percentile")
    for key in ours:
        name = tuple("mean_score" if part == "mean" else part for part in key)
        np.testing.assert_allclose(
            result[name].bootstrap_distribution, ours[key].bootstrap_distribution, rtol=1e-12
        )
        assert result[name].confidence_interval == pytest.approx(ours[key].confidence_interval)


def test_truth_may_be_missing():
    _, scores = problem()

    def spread(y_true, y_score):
        assert y_true is None
        return np.std(y_score)

    def weighted(y_true, y_score, sample_weight):
        assert y_true is None
        return np.average(y_score, weights=sample_weight)

    result = fm.bootstrap(None, scores, [spread, weighted], n_resamples=50, rng=0)
    assert result["spread"].estimate == pytest.approx(np.std(scores))
    assert result["weighted"].estimate == pytest.approx(np.mean(scores))


class Area:
    """A callable object, named by its class."""

    def __call__(self, y_true, y_score, sample_weight=None):
        return sklearn.metrics.roc_auc_score(y_true, y_score, sample_weight=sample_weight)


def with_any_keyword(y_true, y_score, **keywords):
    return ranked(y_true, y_score)


def third_position(y_true, y_score, w):
    return sklearn.metrics.roc_auc_score(y_true, y_score, sample_weight=w)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda y_true, y_score: ranked(y_true, y_score), "function"),
        (functools.partial(sklearn.metrics.fbeta_score, beta=1.0), None),
        (Area(), "Area"),
        (with_any_keyword, "with_any_keyword"),
        (third_position, "third_position"),
        (ranked, "ranked"),
    ],
    ids=["lambda", "partial of theirs", "object", "any keyword", "third position", "plain"],
)
def test_what_can_be_called_is_a_metric(function, name):
    labels, scores = problem()
    scores = (scores > 0.5).astype(float) if name is None else scores
    result = fm.bootstrap(labels, scores, function, resamples=DRAWS, method="percentile")
    if name is not None:
        assert result.metrics == (name,)
    wanted = [
        (ranked if name else sklearn.metrics.f1_score)(labels[rows], scores[rows]) for rows in DRAWS
    ]
    np.testing.assert_allclose(result.bootstrap_distribution, wanted, rtol=1e-12)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (sklearn.metrics.roc_auc_score, "roc_auc"),
        (sklearn.metrics.average_precision_score, "average_precision"),
        (sklearn.metrics.brier_score_loss, "brier_score"),
        (sklearn.metrics.log_loss, "log_loss"),
        (sklearn.metrics.f1_score, "f1"),
        (sklearn.metrics.matthews_corrcoef, "matthews_corrcoef"),
        (sklearn.metrics.accuracy_score, "accuracy"),
        (functools.partial(sklearn.metrics.f1_score, average="macro"), "f1_macro"),
        (functools.partial(sklearn.metrics.fbeta_score, beta=2.0), fm.metric("fbeta", beta=2.0)),
    ],
    ids=str,
)
def test_functions_of_scikit_learn_are_served_by_ours(theirs, ours):
    labels, scores = problem()
    options = {"n_resamples": 200, "rng": 0}
    found = fm.bootstrap(labels, scores, theirs, **options)
    wanted = fm.bootstrap(labels, scores, ours, **options)
    assert found.metrics == wanted.metrics
    np.testing.assert_array_equal(found.bootstrap_distribution, wanted.bootstrap_distribution)
    assert found.confidence_interval == wanted.confidence_interval


def test_functions_of_scikit_learn_of_values_are_served_by_ours():
    truth, predicted = data("values", N)
    for theirs, ours in (
        (sklearn.metrics.mean_squared_error, "mean_squared_error"),
        (sklearn.metrics.r2_score, "r2"),
        (sklearn.metrics.median_absolute_error, "median_absolute_error"),
        (functools.partial(sklearn.metrics.mean_pinball_loss, alpha=0.3), None),
    ):
        metric = ours or fm.metric("mean_pinball_loss", alpha=0.3)
        options = {"n_resamples": 100, "rng": 0, "method": "percentile"}
        found = fm.bootstrap(truth, predicted, theirs, **options)
        wanted = fm.bootstrap(truth, predicted, metric, **options)
        np.testing.assert_array_equal(found.bootstrap_distribution, wanted.bootstrap_distribution)


NO_WEIGHTS = (
    "ranked takes no sample_weight, and weights that are no counts cannot be turned into repeated "
    "rows: give it a parameter sample_weight"
)


@pytest.mark.parametrize(
    "options",
    [
        {"resampling": "bayesian"},
        {"sample_weight": np.full(N, 0.5)},
        {"sample_weight": np.full(N, 0.5), "counts": [np.ones(N, int)]},
        {"sample_weight": np.full(N, 0.5), "resamples": [np.arange(N)]},
    ],
    ids=["bayesian", "weights", "weights and counts", "weights and resamples"],
)
def test_weights_that_are_no_counts_need_a_parameter(options):
    with pytest.raises(ValueError, match=re.escape(NO_WEIGHTS)):
        fm.bootstrap(*problem(), ranked, method="percentile", **options)


def test_bca_leaves_out_each_row_of_few():
    labels, scores = problem()
    options = {"n_resamples": 1000, "rng": 0, "method": "bca"}
    found = fm.bootstrap(labels, scores, {"mine": mean_score, "ours": "mean"}, **options)
    assert found["mine"].acceleration == pytest.approx(found["ours"].acceleration, rel=1e-9)
    assert found["mine"].confidence_interval == pytest.approx(
        found["ours"].confidence_interval, abs=1e-9
    )
    assert fm.bootstrap(labels, scores, ranked, n_resamples=100, rng=0).method == "percentile"


def test_bca_of_many_rows_offers_groups():
    labels, scores = problem(2500)
    with pytest.raises(ValueError, match="ranked has no closed jackknife.*jackknife_groups="):
        fm.bootstrap(labels, scores, ranked, method="bca", n_resamples=10)
    options = {"method": "bca", "n_resamples": 1000, "rng": 0, "jackknife_groups": 50}
    result = fm.bootstrap(labels, scores, mean_score, **options)
    assert result.method == "bca"
    assert abs(result.acceleration) < 0.05


@pytest.mark.parametrize("groups", [0, 1, 2.5, "50", True])
def test_the_number_of_jackknife_groups_is_checked(groups):
    with pytest.raises(ValueError, match=f"jackknife_groups={groups!r}: give a whole number of 2"):
        fm.bootstrap(*problem(), ranked, method="bca", jackknife_groups=groups)


def test_what_a_function_raises_comes_through():
    def fails(y_true, y_score, sample_weight):
        if (sample_weight == 0).any():
            raise ZeroDivisionError("as it says")
        return 1.0

    for n_jobs in (1, 2):
        with pytest.raises(ZeroDivisionError, match="as it says"):
            fm.bootstrap(*problem(), fails, n_resamples=600, n_jobs=n_jobs, rng=0)


@pytest.mark.filterwarnings("ignore:.*is undefined in")
def test_a_function_may_be_undefined_in_some_replicates():
    def sometimes(y_true, y_score, sample_weight):
        return np.nan if sample_weight[0] == 0 else 1.0

    result = fm.bootstrap(*problem(), sometimes, n_resamples=500, rng=0)
    assert result.n_undefined == pytest.approx(500 / np.e, abs=60)
    assert result.confidence_interval == (1.0, 1.0)


@pytest.mark.parametrize(
    "value", [None, "0.5", (1, 2), np.ones(2), [1.0], 1j], ids=lambda value: type(value).__name__
)
def test_a_function_gives_one_number(value):
    def answer(y_true, y_score):
        return value

    with pytest.raises(TypeError, match="answer returned .*: a metric is one number"):
        fm.bootstrap(*problem(), answer, n_resamples=5)


@pytest.mark.parametrize("value", [1, True, np.float32(1), np.array(1)], ids=repr)
def test_numbers_of_any_type(value):
    assert fm.bootstrap(*problem(), lambda y_true, y_score: value, n_resamples=5).estimate == 1.0


@pytest.mark.filterwarnings("ignore:.*is undefined in")
def test_a_function_is_not_asked_about_no_rows():
    first = {"by row": lambda y_true, y_score: y_score[0], "by weight": mean_score}
    result = fm.bootstrap([0, 1], [0.5, 0.5], first, resampling="poisson", n_resamples=200, rng=0)
    assert result["by row"].n_undefined == pytest.approx(200 * np.exp(-2), abs=20)
    for name in first:
        assert result[name].n_undefined == result["by row"].n_undefined
        assert result[name].confidence_interval == (0.5, 0.5)


@pytest.mark.parametrize("method", ["percentile", "basic"])
def test_a_function_may_be_infinite(method):
    values = iter([0.5, *np.repeat([-np.inf, 0.5, np.inf], 10)])
    result = fm.bootstrap(
        *problem(), lambda y_true, y_score: next(values), method=method, n_resamples=30
    )
    assert sorted(set(result.bootstrap_distribution)) == [-np.inf, 0.5, np.inf]
    assert result.confidence_interval == (-np.inf, np.inf)
    assert np.isnan(result.standard_error)
    always = fm.bootstrap(*problem(), lambda y_true, y_score: np.inf, n_resamples=30)
    assert always.confidence_interval == (np.inf, np.inf)
