"""Studies of prevalence: means, the law behind them, and the classifier that never flags."""

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation.prevalence import DEFAULT_METRICS
from tests.chance import TOO_UNLIKELY, mean_is
from tests.simulation.test_simulating import Coin

MODEL = simulation.Binormal(2)


def study(model=MODEL, **options):
    defaults = {"threshold": 1.0, "n_negative": 2_000, "n_datasets": 300, "rng": 1}
    return simulation.prevalence_study(model, **{**defaults, **options})


def test_sizes_are_those_of_the_prevalence():
    found = study(prevalence=[0.5, 0.1, 0.01], n_negative=20_000, n_datasets=2)
    assert [row["n_positive"] for row in found.rows()[:: len(DEFAULT_METRICS)]] == [
        20_000,
        2_222,
        202,
    ]


def test_means_are_what_the_law_expects():
    found = study(metrics=["roc_auc", "recall", "accuracy", "false_positive_rate"])
    for share in found.prevalence:
        values = found.simulations[share]
        for metric in found.metrics:
            row = found[share, metric]
            assert row["mean"] == pytest.approx(values[metric].mean())
            chance = mean_is(values[metric], row["expected"], values[metric].var())
            assert chance > TOO_UNLIKELY, (share, metric)


def test_expected_precision_is_bayes_rule():
    found = study(prevalence=[0.5, 0.1, 0.01], n_datasets=2, n_negative=20_000)
    assert found.column("precision", "expected").round(4).tolist() == [0.8413, 0.3708, 0.0508]
    assert found.column("average_precision", "expected").round(4).tolist() == [
        round(MODEL.average_precision(share), 4) for share in (0.5, 0.1, 0.01)
    ]
    assert np.isnan(study(metrics="ks", n_datasets=2).column("ks", "expected")).all()


def test_the_silent_classifier_is_that_of_constant_decisions():
    found = study(n_datasets=2, prevalence=0.1)
    n_positive = found[0.1, "accuracy"]["n_positive"]
    y_true = np.repeat([1, 0], [n_positive, 2_000])
    silent = np.zeros_like(y_true)
    for metric in ("accuracy", "balanced_accuracy", "recall", "f1", "cohen_kappa"):
        expected = getattr(fm, f"{metric}_score")(y_true, silent)
        assert found[0.1, metric]["silent"] == pytest.approx(expected), metric
    assert found[0.1, "roc_auc"]["silent"] == 0.5
    share = n_positive / y_true.size
    assert found[0.1, "average_precision"]["silent"] == pytest.approx(share)
    # 0/0, for which scikit-learn has 0
    assert np.isnan(found[0.1, "precision"]["silent"])
    assert np.isnan(found[0.1, "matthews_corrcoef"]["silent"])


def test_silence_says_the_prevalence_where_probabilities_are_read():
    found = study(
        MODEL.calibrated(0.1),
        prevalence=0.1,
        metrics=["brier_score", "log_loss", "ece"],
        threshold=None,
        n_negative=900,
        n_datasets=2,
    )
    assert found[0.1, "brier_score"]["silent"] == pytest.approx(0.09)
    assert found[0.1, "log_loss"]["silent"] == pytest.approx(-0.1 * np.log(0.1) - 0.9 * np.log(0.9))
    assert found[0.1, "ece"]["silent"] == pytest.approx(0, abs=1e-15)


def test_conclusion_says_what_moves_and_where_silence_wins():
    said = study(n_negative=20_000).conclusion
    assert (
        "From 50 % to 1 % positives, roc_auc, accuracy, balanced_accuracy and recall stay" in said
    )
    assert "precision from 0.841 to 0.05" in said
    assert "At 1 %, never flagging beats the model by accuracy (0.9900 against 0.84" in said
    assert "At 50 %" not in said
    assert "stay" not in study(prevalence=0.5, n_datasets=2).conclusion


def test_lower_is_better_the_other_way_round():
    said = study(prevalence=[0.01], metrics=["zero_one_loss"], n_negative=20_000).conclusion
    assert "At 1 %, never flagging beats the model by zero_one_loss (0.0100 against 0.15" in said


def test_positives_are_the_same_at_every_prevalence():
    found = study(prevalence=[0.2, 0.1], n_datasets=2)
    many, few = (found.simulations[share].data_set(1) for share in (0.2, 0.1))
    size = int(few[0].sum())
    np.testing.assert_array_equal(many[1][:size], few[1][:size])


def test_threads_and_seeds():
    one, two = study(n_datasets=150), study(n_datasets=150, n_jobs=2)
    assert one.rows() != study(n_datasets=150, rng=2).rows()
    for row, other in zip(one.rows(), two.rows()):
        np.testing.assert_equal(row, other)


def test_ones_own_model_has_no_law():
    found = study(Coin(), metrics=["roc_auc"], threshold=None, n_datasets=20, n_negative=50)
    assert np.isnan(found.column("roc_auc", "expected")).all()
    assert "expected by the law" not in repr(found)


def test_what_is_printed():
    lines = repr(study(metrics=["roc_auc", "precision"])).splitlines()
    assert lines[0].split() == ["prevalence", "50", "%", "10", "%", "1", "%"]
    assert lines[1].split() == ["positives", "2,000", "222", "20"]
    assert lines[2] == "mean over 300 data sets"
    assert lines[3].split()[0] == "roc_auc"
    assert lines[5] == "expected by the law of the scores"
    assert lines[7].split() == ["precision", "0.8413", "0.3708", "0.0508"]
    assert lines[8] == "a classifier that never flags"
    assert lines[9].split() == ["roc_auc", "0.5000", "0.5000", "0.5000"]
    assert lines[10].startswith("2,000 negative rows · Binormal(2) · fast · Monte-Carlo error")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": []}, "prevalence is empty"),
        ({"prevalence": [0.5, 10]}, "prevalence=10: give a fraction between 0 and 1, 0.1"),
        ({"prevalence": 0}, "prevalence=0: give a fraction"),
        ({"prevalence": [0.5, 0.5]}, "give each once"),
        ({"prevalence": 0.001, "n_negative": 100}, r"no positive row beside 100 .* to 501"),
        ({"n_negative": 0}, "n_negative=0: give a whole number of 1"),
        ({"n_datasets": 0}, "n_datasets=0"),
        ({"threshold": None}, "pass threshold="),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        study(**options)


def test_what_the_message_recommends_is_enough():
    assert study(prevalence=0.001, n_negative=501, n_datasets=1)[0.001, "recall"]["n_positive"] == 1


def test_rows_that_are_not_there():
    with pytest.raises(UnknownNameError, match=r"no row \(0.3, 'f1'\) here \(prevalence: 0.5, 0.1"):
        study(n_datasets=1)[0.3, "f1"]
