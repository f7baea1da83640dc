"""Sizes of samples: narrow enough intervals, and differences that are seen."""

import math

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.simulation import _hanley_mcneil
from fastmetrics.simulation._search import Trial, answer, search
from fastmetrics.simulation._sizes import split_rows, spread_of
from fastmetrics.simulation.planning import shifted_model
from tests.simulation.test_simulating import Coin

MODEL = simulation.Binormal.with_auc(0.9)
Z = stats.norm.ppf(0.975)


def test_closed_form_is_that_of_hanley_and_mcneil():
    # their example: an area of 0.893 with 51 abnormal and 58 normal cases has a standard error of
    # 0.0325 by the formula with Q1 = A / (2 - A) and Q2 = 2 A^2 / (1 + A)
    area, positives, negatives = 0.893, 51, 58
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    expected = (
        area * (1 - area)
        + (positives - 1) * (first - area**2)
        + (negatives - 1) * (second - area**2)
    ) / (positives * negatives)
    found = _hanley_mcneil.area_variance(area, positives, negatives)
    assert found == pytest.approx(expected)
    assert round(math.sqrt(found), 3) == 0.033


def test_closed_form_is_exact_for_exponential_scores():
    # scores of two exponential laws, which the formula assumes
    model = simulation.ScoreModel(stats.expon(), stats.expon(scale=4))
    found = _hanley_mcneil.area_variance(model.auc, 40, 90)
    assert found == pytest.approx(model.auc_variance(40, 90), rel=1e-6)


@pytest.mark.parametrize("prevalence", [0.5, 0.1, 0.003, 0.9])
def test_the_size_for_an_area_is_the_smallest(prevalence):
    plan = simulation.sample_size(MODEL, half_width=0.03, prevalence=prevalence)
    assert plan.n == plan.n_positive + plan.n_negative

    def half_width(n):
        return Z * math.sqrt(MODEL.auc_variance(*split_rows(n, prevalence)))

    assert half_width(plan.n) <= 0.03 < half_width(plan.n - 1)
    assert plan.value == pytest.approx(half_width(plan.n))
    assert (plan.monte_carlo_error, plan.n_error, plan.seed) == (0.0, 0.0, None)
    start = _hanley_mcneil.area_variance(0.9, *plan.start)
    assert Z * math.sqrt(start) <= 0.03 < 1.05 * Z * math.sqrt(start)


def test_the_interval_of_such_a_sample_is_as_wide_as_planned():
    plan = simulation.sample_size(MODEL, half_width=0.03, prevalence=0.2)
    study = simulation.coverage_study(
        MODEL,
        n_positive=plan.n_positive,
        n_negative=plan.n_negative,
        n_datasets=100,
        n_resamples=200,
        methods="normal",
        strata="class",
        rng=1,
    )
    assert study["roc_auc", "normal"]["mean_width"] == pytest.approx(0.06, rel=0.03)


@pytest.mark.parametrize(
    ("metric", "threshold"), [("average_precision", None), ("recall", 1.0), ("f1", 1.0)]
)
def test_sizes_by_simulation_are_right_to_their_error(metric, threshold):
    options = {"half_width": 0.05, "prevalence": 0.1, "threshold": threshold}
    plan = simulation.sample_size(MODEL, metric, rng=1, **options)
    assert plan.value <= 0.05
    again = simulation.simulate(
        MODEL,
        n_positive=plan.n_positive,
        n_negative=plan.n_negative,
        n_datasets=8_000,
        metrics=metric,
        threshold=threshold,
        rng=2,
    )
    width, doubt = spread_of(again.values[:, 0])
    assert Z * width == pytest.approx(
        0.05, abs=4 * math.hypot(plan.monte_carlo_error, doubt * 0.05)
    )
    assert 0 < plan.n_error < 0.1 * plan.n
    if metric == "recall":
        rate = MODEL.rates(1.0).true_positive_rate
        exact = Z**2 * rate * (1 - rate) / 0.05**2
        assert plan.start.n_positive == pytest.approx(exact, abs=1)
        assert plan.n_positive == pytest.approx(exact, rel=0.1)


def test_a_billion_negatives_may_be_planned_for():
    plan = simulation.sample_size(MODEL, half_width=0.001, prevalence=1e-6)
    assert plan.n > 10**9
    assert plan.n_positive == pytest.approx(plan.n * 1e-6, abs=1)


def test_half_width_falls_with_the_level_and_the_width():
    sizes = [
        simulation.sample_size(MODEL, half_width=width, prevalence=0.1, confidence_level=level).n
        for width, level in ((0.03, 0.95), (0.03, 0.8), (0.06, 0.8))
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_models_of_ones_own_are_simulated():
    plan = simulation.sample_size(Coin(), half_width=0.05, prevalence=0.5, rng=1, n_datasets=1_000)
    # areas of noise have a standard error of sqrt((P + N + 1) / (12 P N))
    spread = math.sqrt((plan.n + 1) / (12 * plan.n_positive * plan.n_negative))
    assert Z * spread == pytest.approx(0.05, rel=0.08)
    assert plan.seed == 1


def test_power_is_that_of_other_data_sets():
    plan = simulation.sample_size(
        MODEL, difference=0.04, power=0.8, prevalence=0.3, rng=1, n_datasets=1_000, n_jobs=2
    )
    assert plan.value + 2 * plan.monte_carlo_error >= 0.8
    better = shifted_model(MODEL, fm.metric("roc_auc"), 0.04, 0.3)
    study = simulation.ranking_study(
        {"first": MODEL, "second": better},
        prevalence=plan.n_positive / plan.n,
        n_negative=plan.n_negative,
        metrics="roc_auc",
        n_datasets=2_000,
        rng=2,
        n_jobs=2,
    )
    differences = study.values[:, 1, 0] - study.values[:, 0, 0]
    power = (differences > Z * differences.std()).mean()
    assert power == pytest.approx(0.8, abs=0.06)


def test_power_is_that_of_delongs_test():
    plan = simulation.sample_size(
        simulation.Binormal(1.0),
        other=simulation.Binormal(1.5),
        power=0.7,
        prevalence=0.5,
        correlation=0.6,
        rng=1,
        n_datasets=800,
    )
    from fastmetrics.simulation._paired import Pairing

    models = {"first": simulation.Binormal(1.0), "second": simulation.Binormal(1.5)}
    pairing, generator = Pairing(models, (0.6, 0.6)), np.random.default_rng(3)
    seen = 0
    for _ in range(400):
        y_true, scores = pairing.draw(plan.n_positive, plan.n_negative, generator)
        result = fm.delong_test(y_true, dict(zip(models, scores)))
        seen += result["second", "first"].pvalue < 0.05
    assert seen / 400 == pytest.approx(0.7, abs=0.1)


def test_correlated_models_need_fewer_rows():
    sizes = [
        simulation.sample_size(
            MODEL,
            difference=0.05,
            power=0.8,
            prevalence=0.5,
            correlation=correlation,
            rng=1,
            n_datasets=300,
        ).n
        for correlation in (0.0, 0.8)
    ]
    assert sizes[1] < 0.6 * sizes[0]


def test_a_second_model_is_made_of_the_difference():
    for metric, threshold in (("roc_auc", None), ("average_precision", None), ("f1", 1.0)):
        asked = fm.metric(metric) if threshold is None else fm.metric(metric, threshold=threshold)
        for difference in (0.03, -0.03):
            other = shifted_model(MODEL, asked, difference, 0.2)
            assert other.scale == MODEL.scale
            values = [
                simulation.prevalence_study(
                    model, prevalence=0.2, metrics=asked, n_datasets=1, n_negative=100
                ).column(asked.name, "expected")[0]
                for model in (MODEL, other)
            ]
            assert values[1] - values[0] == pytest.approx(difference)


def falling(size, scale=1_000.0):
    """A shortfall that falls exactly as one over the root."""
    value = math.sqrt(scale / size)
    return Trial(size, value, 0.0, value, 0.0)


@pytest.mark.parametrize("start", [1, 3, 999, 1_000, 1_001, 50_000, 10**9])
@pytest.mark.parametrize("scale", [1.0, 2.0, 1_000.0, 123_456.7])
def test_search_finds_the_smallest_size(start, scale):
    trials = search(lambda size: falling(size, scale), start, 1, 10**9)
    assert answer(trials).size == max(1, math.ceil(scale))
    assert [trial.size for trial in trials] == sorted({trial.size for trial in trials})
    assert len(trials) < 30


def test_search_stays_within_its_ends():
    assert answer(search(falling, 10, 5_000, 10_000)).size == 5_000
    assert answer(search(falling, 10, 1, 500)) is None


def test_search_finds_steps():
    def step(size):
        return Trial(size, 0.0, 0.0, 0.5 if size >= 777 else math.inf, 0.0)

    assert answer(search(step, 5, 1, 10**6)).size == 777


def test_search_ends_where_chance_hides_the_rest():
    generator = np.random.default_rng(4)

    def noisy(size):
        value = falling(size).shortfall * math.exp(0.02 * generator.normal())
        return Trial(size, value, 0.02, value, 0.02)

    trials = search(noisy, 100, 1, 10**6)
    assert len(trials) < 12
    assert answer(trials).size == pytest.approx(1_000, rel=0.15)


def test_spread_has_the_error_that_it_says():
    generator = np.random.default_rng(5)
    found = np.array([spread_of(generator.normal(size=200)) for _ in range(2_000)])
    assert found[:, 0].std() / found[:, 0].mean() == pytest.approx(found[:, 1].mean(), rel=0.1)
    assert spread_of(np.array([1.0, np.nan]))[0] != spread_of(np.array([1.0, np.nan]))[0]
    assert spread_of(np.ones(5)) == (0.0, 0.0)


def test_what_is_said_and_printed():
    plan = simulation.sample_size(MODEL, half_width=0.03, prevalence=0.1)
    assert plan.conclusion == (
        "A 95 % interval of roc_auc of half-width 0.03 takes 107 positive and 959 negative rows. "
        "The closed form says 186 and 1,669."
    )
    assert repr(plan).splitlines()[-3] == "Binormal(1.81239) · 10 % positive · exact"
    assert plan.rows()[-1]["n"] == plan.start.n_positive + plan.start.n_negative
    assert [row["enough"] for row in plan.rows()] == sorted(row["enough"] for row in plan.rows())


def test_threads_change_nothing():
    options = {"half_width": 0.05, "prevalence": 0.1, "rng": 1, "n_datasets": 300}
    one = simulation.sample_size(MODEL, "average_precision", **options)
    two = simulation.sample_size(MODEL, "average_precision", n_jobs=2, **options)
    assert one.rows() == two.rows()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ValueError, "pass half_width=, or power= with difference= or other="),
        ({"half_width": 0}, ValueError, "half_width=0: give a number above 0"),
        ({"half_width": 0.1, "power": 0.8}, ValueError, "half_width plans an interval, power= a"),
        ({"half_width": 0.1, "difference": 0.1}, ValueError, "half_width plans an interval"),
        ({"power": 80, "difference": 0.1}, ValueError, "power=80: give a fraction"),
        ({"power": 0.8}, ValueError, "power needs one of difference= and other="),
        ({"power": 0.8, "difference": 0.1, "other": MODEL}, ValueError, "needs one of difference="),
        ({"power": 0.8, "difference": 0}, ValueError, "difference=0: there is nothing to see"),
        (
            {"power": 0.8, "difference": 0.2},
            ValueError,
            "no Binormal of this scale has roc_auc 1.1",
        ),
        (
            {"power": 0.8, "difference": 0.1, "model": MODEL.rounded(1)},
            ValueError,
            "difference makes a second model of a Binormal one, .* is none: pass other=",
        ),
        ({"power": 0.8, "other": MODEL}, ValueError, "both models have roc_auc 0.9"),
        ({"power": 0.8, "other": Coin()}, TypeError, "knows no laws of its scores"),
        ({"half_width": 0.1, "prevalence": 5}, ValueError, "prevalence=5: give a fraction"),
        ({"half_width": 0.1, "metric": ["ks", "gini"]}, ValueError, "plan for one at a time"),
        ({"half_width": 0.1, "metric": "f1"}, ValueError, "pass threshold="),
        ({"half_width": 0.1, "n_datasets": 1}, ValueError, "n_datasets=1: give a whole number"),
        ({"half_width": 1e-9}, ValueError, "of half-width 1e-09 takes more than 1,099,511,627,776"),
        (
            {"power": 0.8, "difference": 0.1, "correlation": -0.5},
            ValueError,
            "correlation=-0.5: give a number from 0 to 1",
        ),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        simulation.sample_size(**{"model": MODEL, "prevalence": 0.3, **options})
