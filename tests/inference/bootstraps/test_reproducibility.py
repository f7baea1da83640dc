"""The same bits for any number of threads, beginning, extension or pickle of a run."""

import pickle

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.engine.draws.whole_tiles import BLOCK_REPLICATES
from fastmetrics.inference.bootstraps import _runs
from fastmetrics.kernels.resample import BLOCK
from tests.inference.bootstrap_problems import problem

N = 300
LABELS, SCORES = problem(N, digits=3)
GROUPS = np.random.default_rng(0).permutation(np.arange(N) % 70)
METRICS = ["roc_auc", "average_precision", "f1", "brier_score", "ks", "ece"]
CODES = np.random.default_rng(1).integers(0, 3, N)
SAID = np.random.default_rng(2).integers(0, 3, N)
VALUES = np.random.default_rng(3).normal(size=N)


def with_weights(y_true, y_score, sample_weight):
    return float(sample_weight @ y_score)


def binary(**options):
    return {"y_true": LABELS, "y_score": SCORES, "metrics": METRICS, **options}


BY = {"site": GROUPS % 3, "old": GROUPS % 2}
WEIGHTS = np.random.default_rng(4).random(N)
RUNS = {
    "rows": binary(),
    "scores alone": binary(metrics=["roc_auc", "f1"]),
    "weights": binary(sample_weight=WEIGHTS),
    "clusters": binary(groups=GROUPS),
    "weighted clusters": binary(groups=GROUPS, sample_weight=WEIGHTS),
    "strata": binary(strata=GROUPS % 5),
    "classes": binary(strata="class"),
    "clusters in strata": binary(groups=GROUPS, strata=GROUPS % 5),
    "poisson": binary(resampling="poisson"),
    "poisson clusters": binary(resampling="poisson", groups=GROUPS),
    "bayesian": binary(resampling="bayesian"),
    "bayesian clusters": binary(resampling="bayesian", groups=GROUPS),
    "bayesian strata": binary(resampling="bayesian", strata=GROUPS % 5),
    "models": binary(y_score={"a": SCORES, "b": SCORES**2, "c": 1 - SCORES}),
    "models by cluster": binary(y_score={"a": SCORES, "b": SCORES**2}, groups=GROUPS),
    "slices": binary(by=BY),
    "slices of models by cluster": binary(
        y_score={"a": SCORES, "b": SCORES**2}, groups=GROUPS, by=BY
    ),
    "functions": binary(metrics=[with_weights, "roc_auc"]),
    "decisions": {"y_true": CODES, "y_pred": SAID, "metrics": ["f1_macro", "accuracy"]},
    "decisions in strata": {
        "y_true": CODES,
        "y_pred": SAID,
        "metrics": ["f1_macro"],
        "strata": "class",
    },
    "values": {"y_true": VALUES, "y_score": SCORES, "metrics": ["r2", "median_absolute_error"]},
    "studentized": binary(metrics=["roc_auc", "brier_score"], method="studentized"),
}
SIZE = 2 * BLOCK_REPLICATES + 70
MANY = pytest.mark.parametrize("run", RUNS)
pytestmark = pytest.mark.filterwarnings("ignore:.*undefined in")


def run_of(run, n_resamples=SIZE, **options):
    asked = {"method": "percentile", **RUNS[run]}
    return fm.bootstrap(**asked, **{"rng": 0, "n_resamples": n_resamples, **options})


def replicates(result):
    return {key: entry.replicates for key, entry in result.entries().items()}


def limits(result):
    return {key: repr(entry.interval) for key, entry in result.entries().items()}


def assert_same_bits(one, other, first=None):
    one, other = replicates(one), replicates(other)
    assert one.keys() == other.keys()
    for key, values in one.items():
        np.testing.assert_array_equal(values, other[key][:first])


@MANY
def test_threads_change_no_bit(run):
    plain = run_of(run)
    for n_jobs in (2, 3, -1):
        found = run_of(run, n_jobs=n_jobs)
        assert_same_bits(found, plain)
        assert limits(found) == limits(plain)


@MANY
def test_a_shorter_run_is_the_beginning_of_a_longer_one(run):
    whole = run_of(run)
    for first in (1, 65, 300):
        assert_same_bits(run_of(run, first), whole, first)


@MANY
def test_extending_equals_one_long_run(run):
    extended = run_of(run, 90).extend(60).extend(SIZE - 150)
    whole = run_of(run)
    assert_same_bits(extended, whole)
    assert limits(extended) == limits(whole)
    assert extended.info == whole.info


@MANY
def test_seeds_differ(run):
    one, other = replicates(run_of(run)), replicates(run_of(run, rng=1))
    for key, values in one.items():
        assert not np.array_equal(values, other[key])


@MANY
def test_a_pickle_keeps_everything_but_the_data(run):
    result = run_of(run, 130)
    again = pickle.loads(pickle.dumps(result))
    assert limits(again) == limits(result)
    assert again.info == result.info
    assert_same_bits(again, result)
    with pytest.raises(ValueError, match="this result has no data to draw from"):
        again.extend(5)


@pytest.mark.parametrize("run", ["clusters", "strata", "models", "slices", "bayesian"])
def test_large_data_are_drawn_in_blocks_alike(run):
    n = BLOCK + 900
    labels, scores = problem(n, digits=9)
    groups = np.random.default_rng(0).permutation(np.arange(n) // 2 % (BLOCK + 100))
    options = {
        "clusters": {"groups": groups},
        "strata": {"strata": groups % 700},
        "models": {},
        "slices": {"by": groups % 3},
        "bayesian": {"resampling": "bayesian"},
    }[run]
    columns = {"a": scores, "b": scores**2} if run == "models" else scores
    results = [
        fm.bootstrap(
            labels, columns, METRICS[:4], n_resamples=300, rng=0, n_jobs=n_jobs,
            method="percentile", **options
        )
        for n_jobs in (1, 2)
    ]  # fmt: skip
    assert_same_bits(*results)
    for values in replicates(results[0]).values():
        assert np.unique(values).size > 250


def test_models_of_one_call_are_paired_and_those_of_two_are_not():
    joint = fm.bootstrap(
        LABELS, {"a": SCORES, "b": SCORES**2}, "brier_score", n_resamples=500, rng=0
    )
    values = [joint[name].bootstrap_distribution for name in ("a", "b")]
    assert np.corrcoef(values)[0, 1] > 0.5
    again = fm.bootstrap(
        LABELS, {"b": SCORES**2, "a": SCORES}, "brier_score", n_resamples=500, rng=0
    )
    assert np.corrcoef([again[name].bootstrap_distribution for name in "ab"])[0, 1] > 0.5


def test_auto_draws_until_the_limits_are_known():
    for metric, method in (("roc_auc", "percentile"), ("f1", "bca"), ("mean", "normal")):
        result = fm.bootstrap(LABELS, SCORES, metric, n_resamples="auto", method=method, rng=0)
        size = result.info.n_resamples
        assert size in (1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
        assert max(result.monte_carlo_error) <= 0.05 * result.standard_error or size == 64_000
        if size > 1000:
            half = fm.bootstrap(LABELS, SCORES, metric, n_resamples=size // 2, method=method, rng=0)
            assert max(half.monte_carlo_error) > 0.05 * half.standard_error
        plain = fm.bootstrap(LABELS, SCORES, metric, n_resamples=size, method=method, rng=0)
        assert_same_bits(result, plain)
        assert result.extend(10).info.n_resamples == size + 10


def test_auto_stops_at_its_cap(monkeypatch):
    monkeypatch.setattr(_runs, "AUTO_CAP", 4000)
    monkeypatch.setattr(_runs, "AUTO_SHARE", 0.0)
    result = fm.bootstrap(LABELS, SCORES, n_resamples="AUTO", method="percentile", rng=0)
    assert result.info.n_resamples == 4000


@pytest.mark.filterwarnings("ignore:.*undefined on these data")
def test_auto_goes_by_the_worst_entry_and_leaves_out_the_undefined():
    by = np.where(LABELS == 1, "ill", np.where(SCORES > 0.6, "some", "rest"))
    result = fm.bootstrap(
        LABELS,
        SCORES,
        ["roc_auc", "accuracy"],
        by=by,
        n_resamples="auto",
        method="percentile",
        rng=0,
    )
    size = result.info.n_resamples
    for entry in result.entries().values():
        if not np.isnan(entry.estimate):
            assert max(entry.monte_carlo_error) <= 0.05 * entry.standard_error or size == 64_000


@pytest.mark.parametrize("word", ["automatic", "", "1000"])
def test_other_words_are_no_number_of_replicates(word):
    with pytest.raises(ValueError, match="give a whole number of 0 or more, or 'auto'"):
        fm.bootstrap(LABELS, SCORES, n_resamples=word)
