"""One's own data at other prevalences."""

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation.shifting import expected_cost, shifted_weights

MODEL = simulation.Binormal(2)
Y_TRUE, Y_SCORE = MODEL.draw(300, 700, np.random.default_rng(1))
COSTS = {"cost_fp": 1, "cost_fn": 20}


def shift(prevalence=(0.5, 0.1, 0.01), *args, **options):
    defaults = {"threshold": 1.0, "n_resamples": 1_000, "rng": 1}
    return simulation.prevalence_shift(
        Y_TRUE, Y_SCORE, prevalence, *args, **{**defaults, **options}
    )


def repeated(positive, negative):
    """The data with every row of a class repeated."""
    times = np.where(Y_TRUE == 1, positive, negative)
    return np.repeat(Y_TRUE, times), np.repeat(Y_SCORE, times)


def test_estimates_are_those_of_repeated_rows():
    # 300 positives and 700 negatives: 1 in 8 is positive with 3 of each negative
    found = shift([0.125], **COSTS)
    y_true, y_score = repeated(1, 3)
    flagged = y_score >= 1
    expected = {
        "precision": fm.precision_score(y_true, flagged),
        "average_precision": fm.average_precision_score(y_true, y_score),
        "f1": fm.f1_score(y_true, flagged),
        "expected_cost": ((flagged & (y_true == 0)).sum() + 20 * (~flagged & (y_true == 1)).sum())
        / y_true.size,
    }
    assert found.metrics == tuple(expected)
    for metric, value in expected.items():
        assert found[0.125, metric]["estimate"] == pytest.approx(value)


def test_own_prevalence_changes_nothing():
    found = shift([0.3])
    plain = fm.bootstrap(
        Y_TRUE, Y_SCORE, found.metrics, threshold=1, n_resamples=1_000, strata="class", rng=1
    )
    assert found.own_prevalence == pytest.approx(0.3)
    for metric in found.metrics:
        row, entry = found[0.3, metric], plain[metric]
        assert row["estimate"] == pytest.approx(entry.estimate)
        assert [row["low"], row["high"]] == pytest.approx(list(entry.confidence_interval))


def test_metrics_of_one_class_do_not_move():
    found = shift([0.5, 0.01], ["recall", "specificity", "roc_auc", "ks"])
    for metric in found.metrics:
        assert found[0.5, metric]["estimate"] == pytest.approx(found[0.01, metric]["estimate"])
        for limit in ("low", "high"):
            assert found[0.5, metric][limit] == pytest.approx(found[0.01, metric][limit])


def test_precision_follows_bayes_rule():
    found = shift([0.5, 0.1, 0.01, 0.001], "precision")
    true_rate = (Y_SCORE[Y_TRUE == 1] >= 1).mean()
    false_rate = (Y_SCORE[Y_TRUE == 0] >= 1).mean()
    for share in found.prevalence:
        hits = share * true_rate
        expected = hits / (hits + (1 - share) * false_rate)
        row = found[share, "precision"]
        assert row["estimate"] == pytest.approx(expected)
        assert row["low"] < MODEL.expected_precision(1, share) < row["high"]


def test_the_prevalence_is_kept_in_every_replicate_or_varies():
    everything = fm.metric("precision", threshold=-99, name="share")
    kept, varies = (
        shift([0.1], everything, method="percentile", strata=strata)[0.1, "share"]
        for strata in ("class", None)
    )
    assert [kept["low"], kept["high"]] == pytest.approx([0.1, 0.1])
    assert varies["high"] - varies["low"] > 0.01


def test_prevalences_share_their_draws():
    one, three = shift([0.1], "f1"), shift([0.5, 0.1, 0.01], "f1")
    assert one[0.1, "f1"] == three[0.1, "f1"]
    replicates = [three.results[share].bootstrap_distribution for share in (0.5, 0.1)]
    assert np.corrcoef(replicates)[0, 1] > 0.5


def test_sample_weights_come_first():
    weights = np.random.default_rng(2).random(Y_TRUE.size)
    found = shift([0.2], "precision", sample_weight=weights)
    assert found.own_prevalence == pytest.approx(weights[Y_TRUE == 1].sum() / weights.sum())
    total = shifted_weights(Y_TRUE.view(np.uint8), weights, found.own_prevalence, 0.2)
    assert total[Y_TRUE == 1].sum() / total.sum() == pytest.approx(0.2)
    expected = fm.precision_score(Y_TRUE, Y_SCORE >= 1, sample_weight=total)
    assert found[0.2, "precision"]["estimate"] == pytest.approx(expected)


def test_clusters_and_labels_of_other_names():
    names = np.where(Y_TRUE == 1, "fraud", "fine")
    groups = np.repeat(np.arange(250), 4)
    options = {"threshold": 1.0, "n_resamples": 200, "rng": 3, "pos_label": "fraud"}
    found = simulation.prevalence_shift(
        names, Y_SCORE, 0.1, "precision", groups=groups, strata="class", **options
    )
    expected = shift([0.1], "precision")
    assert found[0.1, "precision"]["estimate"] == pytest.approx(
        expected[0.1, "precision"]["estimate"]
    )
    with pytest.raises(ValueError, match="strat"):
        simulation.prevalence_shift(
            names, Y_SCORE, 0.1, "precision", groups=np.arange(1_000) % 7, **options
        )


def test_expected_cost_is_a_metric_like_any_other():
    cost = expected_cost(1.0, 20.0)
    assert cost.bounds == (0.0, 20.0)
    assert not cost.greater_is_better
    found = shift([0.1], {"loss": "expected_cost", "hits": "recall"}, **COSTS)
    assert found.metrics == ("loss", "hits")
    assert found[0.1, "loss"]["method"] == "bca"
    direct = fm.bootstrap(Y_TRUE, Y_SCORE, cost, threshold=1, n_resamples=0)
    sweep = fm.cost_curve(Y_TRUE, Y_SCORE, normalize="rows", **COSTS)
    place = np.flatnonzero(sweep.thresholds >= 1)[-1]
    assert direct.estimate == pytest.approx(sweep.costs[place])


def test_what_is_said_and_printed():
    found = shift(method="percentile")
    assert found.metrics == ("precision", "average_precision", "f1")
    assert found.conclusion.startswith("From 50 % to 1 % positives, precision goes from 0.8")
    lines = repr(found).splitlines()
    assert lines[0].split() == ["prevalence", "metric", "estimate", "95", "%", "CI", "SE", "method"]
    assert lines[1].split()[:4] == [
        "50",
        "%",
        "precision",
        f"{found[0.5, 'precision']['estimate']:.4f}",
    ]
    assert lines[10] == (
        "1,000 rows, 300 positive · 1,000 multinomial resamples, by class · 30 % positive before "
        "weighting, seed 1"
    )
    assert shift(0.1, "f1").conclusion.startswith("At 10 % positives, f1 is 0.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": 10}, "prevalence=10: give a fraction between 0 and 1, 0.1"),
        ({"cost_fp": 1}, "cost_fn is missing: the expected cost needs both"),
        ({"cost_fn": 1}, "cost_fp is missing"),
        ({"cost_fn": -1, "cost_fp": 1}, "cost_fn"),
        ({"metrics": "expected_cost"}, "expected_cost needs the costs of errors: pass cost_fp="),
        ({"metrics": "f1", **COSTS}, "cost_fp and cost_fn have no metric: add 'expected_cost'"),
        ({"threshold": None}, "has no default cut: pass threshold="),
        ({"y_true": np.ones(1_000)}, "y_true holds one class only"),
        ({"y_true": Y_TRUE[298:303]}, "y_true has 5 rows"),
    ],
)
def test_bad_options_are_named(options, message):
    defaults = {"y_true": Y_TRUE, "y_score": Y_SCORE, "prevalence": 0.1, "threshold": 1.0}
    with pytest.raises(ValueError, match=message):
        simulation.prevalence_shift(**{**defaults, **options})


def test_rows_that_are_not_there():
    with pytest.raises(UnknownNameError, match=r"no row \(0.2, 'f1'\) here \(prevalence: 0.5"):
        shift([0.5], "f1")[0.2, "f1"]
