"""What may be given as metrics, and how results name them."""

import contextlib
import functools
import re

import numpy as np
import pytest

import fastmetrics as fm
from tests import reference
from tests.inference.bootstrap_problems import problem


def test_metrics_may_be_given_in_many_ways():
    labels, scores = problem()

    def names(metrics):
        return fm.bootstrap(labels, scores, metrics, n_resamples=0).metrics

    assert names("mcc") == ("matthews_corrcoef",)
    assert names(fm.metric("f1")) == ("f1",)
    assert names(("ap", "auc")) == ("average_precision", "roc_auc")
    assert names(metric for metric in ["ks", "gini"]) == ("ks", "gini")
    assert names({"first": "f1", "second": fm.metric("f1", threshold=0.3)}) == ("first", "second")
    assert names(fm.metric("f1", threshold=0.3, name="mine")) == ("mine",)


@pytest.mark.parametrize(
    ("function", "equal"),
    [
        ("roc_auc_score", fm.metric("roc_auc")),
        ("average_precision_score", fm.metric("average_precision")),
        ("gini_score", fm.metric("gini")),
        ("rank_auc", fm.metric("roc_auc")),
        ("pairwise_auc", fm.metric("roc_auc")),
        ("ks_statistic", fm.metric("ks")),
    ],
)
def test_functions_of_ours_are_metrics(function, equal):
    labels, scores = problem()
    options = {"n_resamples": 200, "method": "percentile", "rng": 0}
    found = fm.bootstrap(labels, scores, getattr(fm, function), **options)
    expected = fm.bootstrap(labels, scores, equal, **options)
    assert found.metrics == expected.metrics
    np.testing.assert_array_equal(found.bootstrap_distribution, expected.bootstrap_distribution)


@pytest.mark.parametrize(
    ("function", "options"),
    [
        ("roc_auc_score", {"max_fpr": 0.2}),
        ("precision_at_recall", {"min_recall": 0.5}),
        ("recall_at_false_positive_rate", {"max_fpr": 0.2}),
    ],
)
def test_partials_of_ours_are_metrics(function, options):
    labels, scores = problem()
    function = getattr(fm, function)
    partial = functools.partial(function, **options)
    result = fm.bootstrap(labels, scores, partial, n_resamples=0)
    assert result.estimate == pytest.approx(function(labels, scores, **options), abs=1e-12)


def test_one_metric_at_two_thresholds_is_told_apart():
    labels, scores = problem()
    metrics = ["f1", fm.metric("f1", threshold=0.3), fm.metric("f1", threshold=0.7), "roc_auc"]
    result = fm.bootstrap(labels, scores, metrics, n_resamples=0)
    assert result.metrics == ("f1", "f1[threshold=0.3]", "f1[threshold=0.7]", "roc_auc")
    for name, cut in (("f1", 0.5), ("f1[threshold=0.3]", 0.3), ("f1[threshold=0.7]", 0.7)):
        expected = reference.OF_COUNTS["f1"](*reference.counts(labels, scores, cut))
        assert result[name].estimate == pytest.approx(expected, abs=1e-12)


def test_partial_areas_of_two_limits_are_told_apart():
    metrics = [fm.metric("partial_auc", max_fpr=0.1), fm.metric("partial_auc", min_tpr=0.8)]
    result = fm.bootstrap(*problem(), metrics, n_resamples=0)
    assert result.metrics == ("partial_auc[max_fpr=0.1]", "partial_auc[min_tpr=0.8]")


@pytest.mark.parametrize(
    "metrics",
    [
        ["roc_auc", "f1", "roc_auc"],
        ["auc", "roc_auc"],
        [fm.metric("f1", threshold=0.3)] * 2,
        [fm.metric("f1", name="x"), fm.metric("f2", name="x")],
    ],
)
def test_duplicates_are_refused(metrics):
    with pytest.raises(ValueError, match="metrics holds '.*' twice"):
        fm.bootstrap(*problem(), metrics)


@pytest.mark.parametrize("metrics", [[], (), {}])
def test_no_metric_is_refused(metrics):
    with pytest.raises(ValueError, match="metrics is empty"):
        fm.bootstrap(*problem(), metrics)


def test_an_unknown_metric_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="no metric is called 'rocauc'; did you mean 'roc_auc'"):
        fm.bootstrap(*problem(), "rocauc")


@pytest.mark.parametrize("metric", [1, None, ["f1", 3.0]])
def test_what_is_no_metric_is_refused(metric):
    with pytest.raises(TypeError, match="metric"):
        fm.bootstrap(*problem(), metric)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("partial_auc", "partial_auc takes one limit: max_fpr=0.1 or min_tpr=0.9"),
        (
            "precision_at_recall",
            "precision_at_recall needs its options: metric('precision_at_recall', min_recall=...)",
        ),
        (
            "recall_at_false_positive_rate",
            "metric('recall_at_false_positive_rate', max_fpr=...)",
        ),
    ],
)
def test_a_metric_without_its_option_says_which(name, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*problem(), name)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("roc_auc", {"threshold": 0.5}),
        ("ks", {"max_fpr": 0.5}),
        ("partial_auc", {"max_fpr": 0.0}),
        ("partial_auc", {"max_fpr": 1.1}),
        ("partial_auc", {"min_tpr": 1.0}),
        ("partial_auc", {"max_fpr": 0.1, "min_tpr": 0.1}),
        ("recall_at_false_positive_rate", {"max_fpr": -0.1}),
        ("precision_at_recall", {"min_recall": 1.1}),
    ],
)
def test_options_that_mean_nothing_are_refused(name, options):
    with pytest.raises(ValueError, match="|".join([*options, "threshold"])):
        fm.metric(name, **options)


def test_the_threshold_of_the_call_serves_metrics_without_one():
    labels, scores = problem()
    metrics = ["accuracy", fm.metric("recall", threshold=0.8)]
    result = fm.bootstrap(labels, scores, metrics, threshold=0.3, n_resamples=0)
    tp, _, _, tn = reference.counts(labels, scores, 0.3)
    assert result["accuracy"].estimate == pytest.approx((tp + tn) / 120)
    tp, _, fn, _ = reference.counts(labels, scores, 0.8)
    assert result["recall"].estimate == pytest.approx(tp / (tp + fn))


@pytest.mark.parametrize("threshold", [-np.inf, 0.0, 1.0, np.inf, 5])
def test_any_threshold_is_taken(threshold):
    labels, scores = problem()
    result = fm.bootstrap(labels, scores, "accuracy", threshold=threshold, n_resamples=0)
    assert result.estimate == pytest.approx(np.mean((scores >= threshold) == labels))


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7, 1e300])
def test_scores_in_single_precision_are_flagged_alike_everywhere(threshold):
    labels, scores = problem(digits=1)
    scores = scores.astype(np.float32)
    values = []
    for weights in (None, np.full(120, 2.0), 1 + np.arange(120) / 1e9):
        result = fm.bootstrap(
            labels,
            scores,
            "accuracy",
            threshold=threshold,
            sample_weight=weights,
            resamples=[np.arange(120)],
            method="percentile",
        )
        values += [result.estimate, *result.bootstrap_distribution]
    with np.errstate(over="ignore"):
        flagged = scores >= threshold  # as NumPy has it: the threshold in single precision too
    np.testing.assert_allclose(values, np.mean(flagged == labels), rtol=1e-6)


def test_scores_beyond_zero_and_one_have_no_default_cut():
    labels, scores = problem()
    message = "scores reach 4.71, so f1 has no default cut: pass threshold= or y_pred="
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(labels, np.where(scores == scores.max(), 4.71, scores), "f1")
    with pytest.raises(ValueError, match=re.escape("scores reach -0.2, so f1")):
        fm.bootstrap(labels, np.where(scores == scores.min(), -0.2, scores), "f1")
    fm.bootstrap(labels, 10 * scores, "roc_auc", n_resamples=0)
    fm.bootstrap(labels, 10 * scores, "f1", threshold=5, n_resamples=0)


def test_decisions_may_be_given_instead_of_scores():
    labels, scores = problem()
    decisions = scores >= 0.4
    options = {"n_resamples": 300, "rng": 0, "method": "percentile"}
    expected = fm.bootstrap(labels, scores, ["f1", "mcc"], threshold=0.4, **options)
    names = np.array(["healthy", "ill"])
    for y_true, y_pred, pos_label in (
        (labels, decisions, None),
        (labels, decisions.astype(int), None),
        (2 * labels - 1, np.where(decisions, 1, -1), None),
        (names[labels], names[decisions.astype(int)], "ill"),
    ):
        result = fm.bootstrap(
            y_true, None, ["f1", "mcc"], y_pred=y_pred, pos_label=pos_label, **options
        )
        for key in expected:
            np.testing.assert_array_equal(
                result[key].bootstrap_distribution, expected[key].bootstrap_distribution
            )


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.7, 2.0])
def test_a_threshold_says_nothing_to_decisions(threshold):
    labels, scores = problem()
    decisions = (scores >= 0.4).astype(int)
    expected = fm.bootstrap(labels, None, "f1", y_pred=decisions, n_resamples=0).estimate
    found = []
    with contextlib.suppress(ValueError):  # to refuse it is right, too
        options = {"y_pred": decisions, "threshold": threshold, "n_resamples": 0}
        found.append(fm.bootstrap(labels, None, "f1", **options).estimate)
    assert found in ([], [expected])


def test_functions_that_mean_something_else_are_refused():
    labels, scores = problem()
    with pytest.raises(ValueError, match="name 'roc_auc'"):
        fm.bootstrap(labels, scores, fm.auc)
    with pytest.raises(ValueError, match="takes no pos_label here"):
        fm.bootstrap(labels, scores, functools.partial(fm.average_precision_score, pos_label=1))


@pytest.mark.parametrize("options", [{"threshold": np.nan}, {"threshold": "0.3"}])
def test_a_threshold_is_a_number(options):
    with pytest.raises(ValueError, match="threshold="):
        fm.metric("f1", **options)


@pytest.mark.parametrize("beta", [-1.0, np.nan, np.inf])
def test_beta_is_finite_and_not_negative(beta):
    with pytest.raises(ValueError, match="beta="):
        fm.metric("fbeta", beta=beta)
