"""Metrics of a number per class: the functions' numbers, named columns, what is refused."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastmetrics as fm

NAMES = np.array(["ash", "beech", "oak", "pine"])


def problem(n=60, seed=0):
    generator = np.random.default_rng(seed)
    eighths = generator.multinomial(8, [0.25] * 4, n) / 8
    weights = generator.random(n) * (generator.random(n) < 0.8)
    return generator.permutation(np.arange(n) % 4), eighths, weights


CALLS = {
    "log_loss": (fm.log_loss, {}),
    "brier_score": (fm.brier_score_loss, {}),
    "d2_log_loss_score": (fm.d2_log_loss_score, {}),
    "d2_brier_score": (fm.d2_brier_score, {}),
    "hinge_loss": (fm.hinge_loss, {}),
    "top_k_accuracy": (fm.top_k_accuracy_score, {}),
    "roc_auc_ovr": (fm.roc_auc_score, {"multi_class": "ovr"}),
    "roc_auc_ovr_weighted": (fm.roc_auc_score, {"multi_class": "ovr", "average": "weighted"}),
    "roc_auc_ovo": (fm.roc_auc_score, {"multi_class": "ovo"}),
    "roc_auc_ovo_weighted": (fm.roc_auc_score, {"multi_class": "ovo", "average": "weighted"}),
}


@pytest.mark.parametrize("labels", [np.arange(4), NAMES, np.array([-1, 3, 7, 9])], ids=repr)
@pytest.mark.parametrize("name", CALLS)
def test_the_numbers_are_those_of_the_functions(name, labels):
    codes, scores, weights = problem()
    y_true = labels[codes]
    function, options = CALLS[name]
    metric = fm.metric(name)
    for dtype in (np.float64, np.float32):
        expected = function(y_true, scores.astype(dtype).astype(float), **options)
        assert metric(y_true, scores.astype(dtype)) == pytest.approx(expected, rel=1e-12)
    if "ovo" not in name:  # where the functions, like scikit-learn, take no weights
        expected = function(y_true, scores, sample_weight=weights, **options)
        assert metric(y_true, scores, weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", [name for name in CALLS if not name.startswith("roc_auc_ov")])
def test_two_classes_have_one_column_or_two(name):
    codes, scores, weights = problem()
    y_true, y_prob = codes % 2, scores[:, :2].sum(axis=1)
    metric = fm.metric(name, k=1) if name == "top_k_accuracy" else fm.metric(name)
    if name == "hinge_loss":
        both = np.stack([np.zeros(60), y_prob], axis=1)  # a margin over 0
    else:
        both = np.stack([1 - y_prob, y_prob], axis=1)
    if name == "top_k_accuracy":
        y_prob[y_prob == 0.5] = 0.6  # a tie goes to the last of two columns
    one_column = metric(y_true, y_prob, weights)
    assert one_column == pytest.approx(metric(y_true, both, weights), rel=1e-12)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_columns_named_by_the_classes_may_stand_in_any_order(library):
    codes, scores, weights = problem()
    y_true = NAMES[codes]
    order = [2, 0, 3, 1]
    frame = library({NAMES[place]: scores[:, place] for place in order})
    metric = fm.metric("log_loss")
    assert metric(y_true, frame, weights) == metric(y_true, scores, weights)
    # a class that does not occur
    kept = codes != 1
    some = library({NAMES[place]: scores[kept, place] for place in order})
    expected = fm.log_loss(y_true[kept], scores[kept], labels=NAMES)
    assert metric(y_true[kept], some) == pytest.approx(expected, rel=1e-12)
    # names that are no classes say nothing
    numbered = pd.DataFrame(scores)
    assert metric(y_true, numbered) == metric(y_true, scores)


def test_areas_under_weights_and_without_a_class():
    codes, scores, _ = problem()
    weights = (codes != 2).astype(float)
    for kind in ("ovr", "ovo"):
        assert 0 < fm.metric(f"roc_auc_{kind}_weighted")(codes, scores, weights) < 1
    assert np.isnan(fm.metric("roc_auc_ovr")(codes, scores, weights))
    kept = codes != 2
    options = {"labels": [0, 1, 2, 3], "multi_class": "ovo"}
    expected = fm.roc_auc_score(codes[kept], scores[kept], **options)
    assert fm.metric("roc_auc_ovo")(codes, scores, weights) == pytest.approx(expected, rel=1e-12)


CODES, SCORES, _ = problem(8)


@pytest.mark.parametrize(
    ("name", "y_true", "y_score", "message"),
    [
        (
            "roc_auc_ovr",
            [0, 1],
            [0.2, 0.7],
            r"y_score has shape \(2,\): an area of several classes",
        ),
        ("log_loss", CODES, SCORES[:, :3], "y_score sums to .* in row"),
        ("log_loss", CODES, 2 * SCORES, "y_score reaches .*: probabilities lie in"),
        ("log_loss", CODES % 3, SCORES, "y_true holds 3 classes, y_score has 4 columns"),
        ("hinge_loss", CODES, SCORES[:5], "inconsistent numbers of samples"),
        ("hinge_loss", CODES + 0.5, SCORES, "continuous format is not supported"),
        ("hinge_loss", CODES, SCORES * np.nan, "y_score contains NaN"),
    ],
)
def test_what_cannot_be_scored(name, y_true, y_score, message):
    with pytest.raises(ValueError, match=message):
        fm.metric(name)(y_true, y_score)


def test_whole_numbers_that_float64_cannot_tell_apart():
    decisions = np.array([[2**60 + 1, 0, 0], [0, 2**60, 0], [0, 0, 2**60]])
    assert fm.metric("hinge_loss")([0, 1, 2], decisions) == 0
    assert fm.metric("hinge_loss")([1, 2, 0], decisions) == pytest.approx(2.0**60 + 1)
