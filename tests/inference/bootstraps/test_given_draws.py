"""Draws from outside: the numbers of others, replicate by replicate and digit for digit."""

import csv
import functools

import numpy as np
import pytest
import sklearn.metrics

import fastmetrics as fm
from tests import reference
from tests.inference.bootstrap_problems import METRICS, index_draws, problem
from tests.processes import ROOT

SKLEARN = {
    "roc_auc": lambda y, s, w: sklearn.metrics.roc_auc_score(y, s, sample_weight=w),
    "average_precision": lambda y, s, w: sklearn.metrics.average_precision_score(
        y, s, sample_weight=w
    ),
    "f1": lambda y, s, w: sklearn.metrics.f1_score(
        y, s >= 0.5, sample_weight=w, zero_division=np.nan
    ),
    "matthews_corrcoef": lambda y, s, w: sklearn.metrics.matthews_corrcoef(
        y, s >= 0.5, sample_weight=w
    ),
}
DATA = {
    "untied": problem(digits=12),
    "tied": problem(digits=1),
    "rare positives": problem(share=0.03, digits=2, seed=2),
    "rare negatives": problem(share=0.97, digits=2, seed=2),
}


@pytest.mark.filterwarnings("ignore:.*is undefined in")
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("way", ["resamples", "counts"])
@pytest.mark.parametrize("data", DATA)
def test_replicates_are_those_of_scikit_learn_on_copied_rows(data, way, weighted):
    labels, scores = DATA[data]
    n = labels.size
    weights = np.random.default_rng(1).uniform(0.2, 3, n) if weighted else None
    draws = list(index_draws(n, 60))
    given_draws = draws if way == "resamples" else [np.bincount(d, minlength=n) for d in draws]
    result = fm.bootstrap(
        labels,
        scores,
        list(SKLEARN),
        sample_weight=weights,
        method="percentile",
        **{way: iter(given_draws)},
    )
    for name, function in SKLEARN.items():
        values = result[name].bootstrap_distribution
        assert values.shape == (60,)
        for value, rows in zip(values, draws, strict=True):
            y, s, w = labels[rows], scores[rows], None if weights is None else weights[rows]
            # where scikit-learn fills in a value by convention, the definition says what is 0/0
            conventional = len(set(y)) == 1 or (
                name == "matthews_corrcoef" and len(set(s >= 0.5)) == 1
            )
            other = functools.partial(reference.value, METRICS[name]) if conventional else function
            assert value == pytest.approx(other(y, s, w), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("as_array", [True, False])
def test_draws_may_be_an_array_or_a_list(as_array):
    labels, scores = problem()
    draws = np.array(list(index_draws(labels.size, 50)))
    counts = np.array([np.bincount(draw, minlength=labels.size) for draw in draws])
    expected = fm.bootstrap(labels, scores, resamples=iter(draws), method="percentile")
    for options in ({"resamples": draws}, {"counts": counts}):
        given_draws = options if as_array else {key: list(value) for key, value in options.items()}
        result = fm.bootstrap(labels, scores, **given_draws, method="percentile")
        np.testing.assert_array_equal(
            result.bootstrap_distribution, expected.bootstrap_distribution
        )


def test_draws_may_have_any_length():
    labels, scores = problem()
    draws = [np.arange(60), np.arange(120), np.repeat(np.arange(120), 3), np.array([0, 1, 2, 3])]
    result = fm.bootstrap(labels, scores, "accuracy", resamples=draws, method="percentile")
    expected = [np.mean(labels[rows] == (scores[rows] >= 0.5)) for rows in draws]
    np.testing.assert_allclose(result.bootstrap_distribution, expected, rtol=1e-14)


def test_more_given_draws_than_a_tile_are_all_there():
    labels, scores = problem()
    draws = list(index_draws(labels.size, 150))
    result = fm.bootstrap(labels, scores, "accuracy", resamples=draws, method="percentile")
    expected = [np.mean(labels[rows] == (scores[rows] >= 0.5)) for rows in draws]
    np.testing.assert_allclose(result.bootstrap_distribution, expected, rtol=1e-14)


TWELVE_SCORES = [0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10]
TWELVE_LABELS = [1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0]


def test_twelve_units_have_their_known_intervals():
    def result(metric):
        draws = index_draws(12, 2000)
        return fm.bootstrap(
            TWELVE_LABELS, TWELVE_SCORES, metric, resamples=draws, method="percentile"
        )

    area = result("roc_auc")
    assert area.estimate == 0.796875
    assert area.n_undefined == 17
    assert tuple(area.confidence_interval) == pytest.approx((0.4831, 1.0), abs=5e-5)
    accuracy = result("accuracy")
    assert accuracy.n_undefined == 0
    assert tuple(accuracy.confidence_interval) == pytest.approx((0.4167, 0.9167), abs=5e-5)


@pytest.fixture(scope="module")
def screening():
    with (ROOT / "examples" / "data" / "screening.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    scores = {
        name: np.array(columns[name], float) for name in ("logistic_regression", "naive_bayes")
    }
    return np.array(columns["diagnosis"]), scores


@pytest.mark.parametrize(
    ("model", "metric", "low", "high"),
    [
        ("logistic_regression", "roc_auc", 0.967665, 0.999140),
        ("logistic_regression", "average_precision", 0.961846, 0.998611),
        ("naive_bayes", "roc_auc", 0.961320, 0.995007),
        ("naive_bayes", "average_precision", 0.944070, 0.992313),
    ],
)
def test_the_screening_run_has_its_known_intervals(screening, model, metric, low, high):
    diagnosis, scores = screening
    result = fm.bootstrap(
        diagnosis,
        scores[model],
        metric,
        pos_label="malignant",
        resamples=index_draws(143, 2000),
        method="percentile",
    )
    assert tuple(result.confidence_interval) == pytest.approx((low, high), abs=5e-7)


def test_the_screening_run_has_its_known_estimates(screening):
    diagnosis, scores = screening
    result = fm.bootstrap(
        diagnosis,
        scores["logistic_regression"],
        ["roc_auc", "average_precision"],
        pos_label="malignant",
        n_resamples=0,
    )
    assert result["roc_auc"].estimate == pytest.approx(0.9874, abs=5e-5)
    assert result["average_precision"].estimate == pytest.approx(0.9849, abs=5e-5)


@pytest.mark.parametrize("name", ["resamples", "counts"])
def test_draws_are_an_iterable(name):
    with pytest.raises(ValueError, match=f"{name}=7: give an iterable of vectors of integers"):
        fm.bootstrap([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], **{name: 7})
