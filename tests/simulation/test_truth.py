"""What a metric is on an endless data set."""

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.engine.draws.seeds import root_sequence
from fastmetrics.simulation._asked import read_asked
from fastmetrics.simulation._truth import exact_value, true_value
from tests.simulation.cases import MODELS

ROOT = root_sequence(1)
METRICS = ["roc_auc", "gini", "average_precision", "f1", "matthews_corrcoef", "f1_macro", "ks"]


def truths(model, metrics, threshold, prevalence=0.3):
    asked = read_asked(model, metrics, threshold)
    return {metric.name: true_value(model, metric, prevalence, ROOT) for metric in asked}


def large_sample(model, metrics, threshold, prevalence=0.3, n=400_000):
    positives = round(n * prevalence)
    y_true, y_score = model.draw(positives, n - positives, np.random.default_rng(2))
    result = fm.bootstrap(y_true, y_score, metrics, threshold=threshold, n_resamples=0)
    return {name: result[name].estimate for name in result.metrics}


@pytest.mark.parametrize("name", ["binormal", "beta", "counts", "rounded", "own scores"])
def test_truths_are_what_large_samples_come_to(name):
    expected = large_sample(MODELS[name], METRICS, 0.6)
    for metric, truth in truths(MODELS[name], METRICS, 0.6).items():
        assert truth.value == pytest.approx(expected[metric], abs=0.006), metric
        assert truth.error < 1e-4


def test_formulas_are_exact():
    model = simulation.Binormal(2)
    found = truths(model, ["roc_auc", "average_precision", "precision", "recall"], 1.0, 0.01)
    assert {truth.source for truth in found.values()} == {"exact"}
    assert {truth.error for truth in found.values()} == {0.0}
    assert found["roc_auc"].value == pytest.approx(stats.norm.cdf(2 / np.sqrt(2)))
    assert found["average_precision"].value == pytest.approx(model.average_precision(0.01))
    assert round(found["precision"].value, 4) == 0.0508
    assert found["recall"].value == pytest.approx(stats.norm.cdf(1))


def test_quantiles_come_as_close_to_the_formulas_as_they_say():
    model = simulation.Binormal(1.5)
    calibrated = model.calibrated(0.3)
    cut = float(model.probability(0.75, 0.3))
    names = ["roc_auc", "average_precision", "f1", "cohen_kappa"]
    by_quantiles = truths(calibrated, names, cut)
    for metric in read_asked(model, names, 0.75):
        truth = by_quantiles[metric.name]
        assert truth.source == "quantiles"
        assert abs(truth.value - exact_value(model, metric, 0.3)) < truth.error + 1e-9
        assert truth.error < 1e-4


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_calibrated_probabilities_have_no_calibration_error(scale):
    model = simulation.Binormal(1.5, scale).calibrated(0.3)
    quantile_bins = fm.metric("ece", strategy="quantile", name="bins of equal counts")
    found = truths(model, ["ece", "mce", quantile_bins], None)
    for truth in found.values():
        assert truth.value < 1e-3
        assert truth.value < truth.error + 1e-4


def test_probabilities_at_another_prevalence_are_as_wrong_as_large_samples_say():
    model = simulation.Binormal(1.5).calibrated(0.3)
    names = ["ece", "brier_score", "log_loss", fm.metric("precision_at_k", k=0.1)]
    expected = large_sample(model, names, None, 0.1)
    for metric, truth in truths(model, names, None, 0.1).items():
        assert truth.value == pytest.approx(expected[metric], abs=0.006), metric


def test_two_discrete_laws_leave_nothing_to_approximate():
    model = simulation.EmpiricalModel([0.0, 1.0, 1.0, 2.0], [1.0, 2.0])
    (truth,) = truths(model, ["ks"], 0.6, 0.5).values()
    assert (truth.value, truth.error, truth.source) == (0.25, 0.0, "exact")


class Uniform:
    """A model that only draws: scores 0 to 1 of negatives, 0 to 2 of positives."""

    def draw(self, n_positive, n_negative, generator):
        positive, negative = 2 * generator.random(n_positive), generator.random(n_negative)
        return np.repeat([1, 0], [n_positive, n_negative]), np.concatenate([positive, negative])


def test_a_model_that_only_draws_is_drawn_from():
    (truth,) = truths(Uniform(), ["roc_auc"], None).values()
    assert truth.source == "drawn"
    assert 0 < truth.error < 0.001
    assert abs(truth.value - 0.75) < 4 * truth.error
    assert exact_value(Uniform(), fm.metric("roc_auc"), 0.3) is None
