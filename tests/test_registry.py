"""The registry: every function that returns one value, consistent descriptions, names."""

import functools
import re

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.registry import ALIASES, read_metrics
from tests.law_problems import METRICS, SERIES

# functions that return no single value of truth and prediction
NO_METRICS = {
    # curves, matrices and tables
    "auc",
    "calibration_curve",
    "classification_report",
    "confusion_matrix",
    "confusion_matrix_at_thresholds",
    "cost_curve",
    "det_curve",
    "metric_at_thresholds",
    "multilabel_confusion_matrix",
    "precision_recall_curve",
    "reliability_curve",
    "roc_curve",
    # several values
    "brier_decomposition",
    "class_likelihood_ratios",
    "micro_macro_gap",
    "precision_recall_fscore_support",
    # no prediction is compared
    "bayes_threshold",
    "best_threshold",
    "iso_cost_slope",
    "mape_optimal_constant",
    "threshold_sweep",
}
# whose functions are metrics
PACKAGES = {"classification", "decisions", "probability", "ranking", "regression"}
OPTIONS = {
    "fbeta_score": {"beta": 2},
    "precision_at_recall": {"min_recall": 0.5},
    "recall_at_false_positive_rate": {"max_fpr": 0.3},
    "precision_at_k": {"k": 4},
    "recall_at_k": {"k": 4},
    "lift_at_k": {"k": 0.5},
    "net_benefit": {"threshold": 0.3},
    "mean_absolute_scaled_error": {"y_train": SERIES},
    "mean_pinball_loss": {"alpha": 0.3},
    "top_k_accuracy_score": {"k": 1},
}


FUNCTIONS = [
    getattr(fm, name)
    for name, home in fm._HOMES.items()
    if home.split(".")[0] in PACKAGES and name.islower() and name not in NO_METRICS
]


def data_for(metric):
    """Data that a metric and its function both take."""
    generator = np.random.default_rng(0)
    labels = np.array([0, 1, 1, 0, 1, 0, 1, 1])
    scores = generator.random(8).round(2)
    if metric.statistic.data == "lists":
        return generator.integers(0, 2, (8, 4)), generator.random((8, 4))
    if metric.input == "label":
        return labels, (scores > 0.5).astype(int)
    return labels + (1.0 if metric.input == "value" else 0), scores + (metric.input == "value")


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_every_function_of_one_value_is_a_metric(function):
    options = OPTIONS.get(function.__name__, {})
    (metric,) = read_metrics(functools.partial(function, **options))
    data = data_for(metric)
    assert metric(*data) == pytest.approx(function(*data, **options), rel=1e-12)
    shortened = function.__name__.removesuffix("_score")
    named = {function.__name__, shortened, ALIASES.get(function.__name__), ALIASES.get(shortened)}
    assert metric.name in named | {"f2"}


def test_functions_that_are_no_metrics_are_public():
    assert set(fm.__all__) >= NO_METRICS


@pytest.mark.parametrize(
    ("function", "options", "name"),
    [
        (fm.roc_auc_score, {"max_fpr": 0.2}, "partial_auc"),
        (fm.roc_auc_score, {"multi_class": "ovr"}, "roc_auc_ovr"),
        (fm.roc_auc_score, {"multi_class": "ovo", "average": "weighted"}, "roc_auc_ovo_weighted"),
        (fm.cohen_kappa_score, {"weights": "quadratic"}, "cohen_kappa_quadratic"),
        (fm.precision_score, {"average": "micro"}, "precision_micro"),
        (fm.specificity_score, {"average": "macro"}, "specificity_macro"),
        (fm.fbeta_score, {"beta": 0.5, "average": "weighted"}, "f0.5_weighted"),
        (fm.expected_calibration_error, {"n_bins": 5}, "ece"),
        (fm.ndcg_score, {"k": 3}, "ndcg"),
    ],
)
def test_options_that_are_part_of_a_name(function, options, name):
    (metric,) = read_metrics(functools.partial(function, **options))
    assert metric.name == name


def test_averaged_f_beta():
    y_true, y_pred = np.array([0, 1, 2, 2, 1, 0, 1]), np.array([0, 2, 2, 1, 1, 0, 0])
    for average in ("macro", "micro", "weighted"):
        expected = fm.fbeta_score(y_true, y_pred, beta=3, average=average)
        metric = fm.metric("fbeta", beta=3, average=average)
        assert metric(y_true, y_pred) == pytest.approx(expected, rel=1e-14)
    with pytest.raises(ValueError, match="fbeta has no average 'samples': macro, micro, weighted"):
        fm.metric("fbeta", beta=3, average="samples")
    with pytest.raises(ValueError, match="roc_auc has no average 'macro'"):
        fm.metric("roc_auc", average="macro")


def test_likelihood_ratios_are_the_pair_of_the_function():
    y_true, y_pred = [0, 1, 0, 1, 0], [1, 1, 0, 0, 0]
    ratios = [fm.metric(f"{sign}_likelihood_ratio") for sign in ("positive", "negative")]
    assert [ratio(y_true, y_pred) for ratio in ratios] == [1.5, 0.75]
    assert [ratio(y_true, y_pred) for ratio in ratios] == [
        *fm.class_likelihood_ratios(y_true, y_pred)
    ]
    # no false positive, no true negative
    assert np.isnan(ratios[0]([0, 1], [0, 1]))
    assert np.isnan(ratios[1]([0, 1], [1, 1]))


def test_the_mean_of_what_is_given():
    mean = fm.metric("mean")
    assert mean(None, [1, 2, 6]) == 3
    assert mean(None, [1, 2, 6], [1, 1, 0]) == 1.5
    assert mean([5, 5, 5], [True, False, False]) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="y_score has 1 NaN, first at row 1"):
        mean(None, [1, np.nan])
    with pytest.raises(ValueError, match="sample_weight has 2 rows, the data 3"):
        mean(None, [1, 2, 6], [1, 1])
    with pytest.raises(ValueError, match="y_true is None: roc_auc compares with it"):
        fm.metric("roc_auc")(None, [0.1, 0.2])


def test_a_scaled_error_needs_its_series():
    metric = fm.metric("mean_absolute_scaled_error", y_train=[1, 3, 2, 5], seasonality=2)
    assert metric.label == "mean_absolute_scaled_error[seasonality=2]"
    expected = fm.mean_absolute_scaled_error([6, 4], [5, 5], y_train=[1, 3, 2, 5], seasonality=2)
    assert metric([6, 4], [5, 5]) == expected
    message = "needs its options: metric('mean_absolute_scaled_error', y_train=...)"
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.metric("mean_absolute_scaled_error")
    with pytest.raises(ValueError, match="no more than one season of 9"):
        fm.metric("mean_absolute_scaled_error", y_train=[1, 3, 2, 5], seasonality=9)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.label)
def test_descriptions_are_consistent(metric):
    kind, additive = metric.statistic.kind, metric.statistic.additive
    assert additive == (kind in ("sums", "counts", "confusion"))
    jackknife = kind if kind in ("concordance", "precision") else "additive" if additive else None
    assert metric.jackknife == metric.influence == jackknife
    biased = metric.name in ("ece", "mce", "max_error")
    assert metric.default_interval == ("bca" if jackknife else "basic" if biased else "percentile")
    level = "counts" if kind == "confusion" else kind
    level = {"counts": "counts", "sums": "rows", "rows": "rows"}.get(level, "cells")
    assert metric.statistic.level == level


def test_two_definitions_of_macro_f1():
    y_true, y_pred = ["a", "b", "c", "c"], ["a", "b", "c", "b"]
    assert fm.metric("f1_macro")(y_true, y_pred) == pytest.approx(7 / 9)
    assert fm.metric("f1_of_macro_averages")(y_true, y_pred) == pytest.approx(5 / 6)


def test_aliases_lead_to_metrics():
    for alias, name in ALIASES.items():
        assert name in fm.metric_names()
        assert alias not in fm.metric_names()


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("fbeta", "beta", "2"),
        ("partial_auc", "max_fpr", "0.1"),
        ("partial_auc", "min_tpr", np.nan),
        ("precision_at_recall", "min_recall", [0.5]),
        ("f1", "threshold", True),
        ("f1", "threshold", 1j),
    ],
)
def test_options_that_are_numbers(name, option, value):
    with pytest.raises(ValueError, match=f"{option}=.*: give a number"):
        fm.metric(name, **{option: value})
