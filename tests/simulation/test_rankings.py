"""Models on the same rows: how their scores go together, and which metric prefers which."""

import numpy as np
import pytest
from scipy import stats

from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation._paired import Pairing
from tests.chance import TOO_UNLIKELY, mean_is
from tests.simulation.cases import MODELS

PAIR = {"A": simulation.Binormal(2), "B": simulation.Binormal(2.6, scale=2)}


def study(models=PAIR, **options):
    defaults = {"n_negative": 1_980, "n_datasets": 100, "rng": 1}
    return simulation.ranking_study(models, **{**defaults, **options})


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("correlation", [0.0, 0.7, 1.0])
def test_scores_of_a_pair_have_their_laws(name, correlation):
    models = {"first": MODELS[name], "second": simulation.Binormal(1)}
    pairing = Pairing(models, (correlation, correlation))
    labels, scores = pairing.draw(2_000, 3_000, np.random.default_rng(2))
    assert labels.tolist() == [1] * 2_000 + [0] * 3_000
    for model, column in zip(models.values(), scores):
        drawn = model.draw(20_000, 30_000, np.random.default_rng(3))[1]
        parts = ((column[:2_000], drawn[:20_000]), (column[2_000:], drawn[20_000:]))
        for found, expected in parts:
            assert stats.ks_2samp(found, expected).pvalue > TOO_UNLIKELY


def test_scores_of_a_pair_correlate_as_asked():
    pairing = Pairing(PAIR, (0.8, 0.3))
    _, (first, second) = pairing.draw(40_000, 40_000, np.random.default_rng(4))
    for rows, expected in ((slice(40_000), 0.3), (slice(40_000, None), 0.8)):
        found = np.corrcoef(first[rows], second[rows])[0, 1]
        assert found == pytest.approx(expected, abs=0.02)


def test_equal_laws_may_share_their_rows():
    pairing = Pairing(PAIR, (1.0, 0.0))
    _, (first, second) = pairing.draw(50, 50, np.random.default_rng(5))
    np.testing.assert_array_equal(first[50:], second[50:])
    assert (first[:50] != second[:50]).all()


def test_calibrated_models_score_probabilities():
    models = {
        "raw": simulation.Binormal(1.5),
        "calibrated": simulation.Binormal(1.5).calibrated(0.2),
    }
    _, (raw, probability) = Pairing(models, (1.0, 1.0)).draw(50, 50, np.random.default_rng(6))
    expected = simulation.Binormal(1.5).probability(raw, 0.2)
    np.testing.assert_allclose(probability, expected)


def test_the_two_models_are_ranked_in_opposite_orders():
    found = study(n_negative=19_800, correlation=(1, 0), n_jobs=2)
    assert found.opposite
    assert found.best("roc_auc") == "A"
    for metric in found.metrics[1:]:
        assert found.best(metric) == "B"
        assert found.order(metric) == ("B", "A")
        assert found["B", metric]["best_in"] > 0.95
    assert found["A", "roc_auc"]["best_in"] > 0.9
    expected = [round(found[name, "roc_auc"]["expected"], 4) for name in PAIR]
    assert expected == [0.9214, 0.8775]
    assert found["A", "recall at 1 % FPR"]["expected"] == pytest.approx(
        PAIR["A"].roc_curve(0.01), abs=1e-4
    )
    assert found["B", "precision at 50 % recall"]["expected"] == pytest.approx(
        PAIR["B"].precision_recall_curve(0.5, prevalence=0.01), abs=1e-3
    )
    assert found.conclusion.startswith("The metrics do not agree: roc_auc (")
    assert "prefers A" in found.conclusion


def test_means_and_spread_are_exact():
    found = study(metrics="roc_auc", n_datasets=1_000, prevalence=0.05, n_negative=190)
    for k, (name, model) in enumerate(PAIR.items()):
        values = found.values[:, k, 0]
        assert mean_is(values, model.auc, model.auc_variance(10, 190)) > TOO_UNLIKELY
        row = found[name, "roc_auc"]
        assert row["mean"] == pytest.approx(values.mean())
        assert row["standard_deviation"] == pytest.approx(values.std(ddof=1))
        assert [row["low"], row["high"]] == pytest.approx(np.quantile(values, [0.025, 0.975]))
        assert row["expected"] == pytest.approx(model.auc)


def test_correlation_makes_the_order_more_certain():
    models = {"better": simulation.Binormal(1.2), "worse": simulation.Binormal(1.0)}
    shares = [
        study(
            models,
            metrics="roc_auc",
            prevalence=0.5,
            n_negative=100,
            n_datasets=800,
            correlation=correlation,
        )["better", "roc_auc"]["best_in"]
        for correlation in (0.0, 0.9)
    ]
    assert shares[0] + 0.1 < shares[1]


def test_equal_models_share_the_lead():
    models = {name: simulation.Binormal(1) for name in "ab"}
    found = study(models, metrics="roc_auc", correlation=1, n_datasets=20)
    assert found["a", "roc_auc"]["best_in"] == found["b", "roc_auc"]["best_in"] == 0.5
    assert not found.opposite


def test_lower_is_better_the_other_way_round():
    models = {
        "sharp": simulation.Binormal(2).calibrated(0.1),
        "blunt": simulation.Binormal(1).calibrated(0.1),
    }
    found = study(models, metrics=["brier_score", "roc_auc"], prevalence=0.1, n_datasets=50)
    assert found.order("brier_score") == ("sharp", "blunt")
    assert found["sharp", "brier_score"]["best_in"] == 1.0
    assert found.conclusion.startswith("The metrics agree: ")


def test_threads_change_nothing():
    np.testing.assert_array_equal(study().values, study(n_jobs=3).values)


class OnlyDraws:
    def draw(self, n_positive, n_negative, generator):
        raise AssertionError("never called")

    def __repr__(self):
        return "OnlyDraws()"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"models": {"A": PAIR["A"]}}, ValueError, "a mapping of names to two models or more"),
        ({"models": [PAIR["A"], PAIR["B"]]}, ValueError, "a mapping of names to two models"),
        ({"models": {**PAIR, "C": OnlyDraws()}}, TypeError, r"OnlyDraws\(\) knows no laws"),
        ({"correlation": 1.5}, ValueError, "correlation=1.5: give a number from 0 to 1, or two"),
        ({"correlation": (0.5,)}, ValueError, "or two, among negatives and among positives"),
        ({"correlation": "high"}, ValueError, "correlation='high': give a number"),
        ({"prevalence": 1}, ValueError, "prevalence=1: give a fraction"),
        ({"metrics": "f1"}, ValueError, "f1 has no default cut: pass threshold="),
        ({"n_datasets": 0}, ValueError, "n_datasets=0: give a whole number"),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        study(**options)


def test_rows_that_are_not_there():
    with pytest.raises(UnknownNameError, match=r"no row \('C', 'roc_auc'\) here \(models: A, B;"):
        study(n_datasets=1)["C", "roc_auc"]
