"""What a bootstrap cannot read as models, classes or decisions, and the words it says it with."""

import re

import numpy as np
import pandas as pd
import pytest

import fastmetrics as fm
from tests.engine.reading_problems import data
from tests.inference.bootstrap_problems import problem

N = 80
NAMES = np.array(["ash", "beech", "oak"])
CODES, COLUMNS = data("columns", N)
NAME_ONE = "name the positive one, pos_label=2, or ask for an average, such as"
SHAPES = {
    "an area of several classes": (
        (CODES, COLUMNS, "roc_auc"),
        f"roc_auc is of two classes, y_true holds 3: {NAME_ONE} roc_auc_ovr",
    ),
    "a rate of several classes": (
        (CODES, COLUMNS, "f1"),
        f"f1 is of two classes, y_true holds 3: {NAME_ONE} f1_macro",
    ),
    "transposed": (
        (CODES, COLUMNS.T, "accuracy"),
        f"y_score has shape (3, {N}): one row per sample, pass y_score.T",
    ),
    "a transposed model": (
        (CODES, {"m": COLUMNS.T}, "accuracy"),
        "one row per sample, pass y_score['m'].T",
    ),
    "too few columns": (
        (CODES, COLUMNS[:, :2], "f1_macro"),
        f"y_score has shape ({N}, 2) for 3 classes: give a column for each class in sorted order",
    ),
    "too many columns": (
        (CODES % 2, COLUMNS, "f1_macro"),
        f"y_score has shape ({N}, 3) for 2 classes",
    ),
}


@pytest.mark.parametrize("what", SHAPES)
def test_a_shape_that_does_not_fit_is_named(what):
    call, message = SHAPES[what]
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*call, n_resamples=10)


BAD = {
    "threshold={'m9': 0.5}": (
        lambda y, s: ((y, {"m1": s}, "f1"), {"threshold": {"m9": 0.5}}),
        "threshold names the model 'm9', the models are 'm1'",
    ),
    "threshold of no model": (
        lambda y, s: ((y, s, "f1"), {"threshold": {"m1": 0.5}}),
        "threshold names the model 'm1'",
    ),
    "other models decided": (
        lambda y, s: ((y, {"m1": s}, "f1"), {"y_pred": {"m2": y}}),
        "y_score holds the models 'm1', y_pred 'm2': give both the same",
    ),
    "no model": (
        lambda y, s: ((y, {}), {}),
        "y_score is an empty mapping: give a column per model",
    ),
    "NaN": (
        lambda y, s: ((y, {"m1": s, "m2": np.where(np.arange(N) > 76, np.nan, s)}), {}),
        "y_score['m2'] has 3 NaN, first at row 77",
    ),
    "short": (lambda y, s: ((y, {"m1": s, "m2": s[1:]}), {}), f"y_score['m2'] has {N - 1} rows"),
    "probability": (
        lambda y, s: ((y, {"m1": s, "m2": 2 * s}, "brier_score"), {}),
        "y_score['m2'] reaches 1.9: probabilities lie in [0, 1]",
    ),
    "distribution": (
        lambda y, s: (
            (
                np.arange(N) % 3,
                {"m1": np.full((N, 3), 1 / 3), "m2": np.full((N, 3), 0.5)},
                "log_loss",
            ),
            {},
        ),
        "y_score['m2'] sums to 1.5 in row 0: probabilities of all classes sum to 1",
    ),
    "no cut": (
        lambda y, s: ((y, {"m1": s, "m2": s + 1}, "f1"), {}),
        "so f1 has no default cut: pass threshold= or y_pred=",
    ),
    "types": (
        lambda y, s: (
            (np.arange(N) % 3, None, "accuracy"),
            {"y_pred": (np.arange(N) % 3).astype(str)},
        ),
        "y_true and y_pred hold labels of different types",
    ),
    "missing": (
        lambda y, s: (
            (NAMES[np.arange(N) % 3], None, "accuracy"),
            {"y_pred": [None, *["ash"] * (N - 1)]},
        ),
        "y_pred has 1 missing entry, first at row 0",
    ),
    "twice": (
        lambda y, s: ((y, {1: s, "1": s}), {}),
        "y_score has two columns called '1': rename one",
    ),
    "twice in a frame": (
        lambda y, s: ((y, pd.DataFrame(np.stack([s, s], axis=1), columns=["a", "a"])), {}),
        "y_score has two columns called 'a': rename one",
    ),
    "text": (
        lambda y, s: ((np.array(["benign", "malignant"])[y], s, "accuracy"), {}),
        "y_true holds 'benign' and 'malignant': name the positive one, pos_label='malignant'",
    ),
    "values and classes": (
        lambda y, s: ((y, s, ["accuracy", "r2"]), {}),
        "r2 compares values and accuracy judges classes: ask for them in two calls",
    ),
    "values and scores": (
        lambda y, s: ((y, s, ["roc_auc", "mean_squared_error"]), {}),
        "mean_squared_error compares values and roc_auc judges classes",
    ),
    "no scores": (
        lambda y, s: ((y, None, ["f1", "roc_auc"]), {"y_pred": y}),
        "roc_auc reads scores: pass y_score, not only y_pred",
    ),
    "nothing": (lambda y, s: ((y,), {}), "pass y_score, or y_pred for metrics of decisions"),
    "no truth": (lambda y, s: ((None, s), {}), "y_true is None: roc_auc compares with it"),
    "a name of two axes": (
        lambda y, s: ((y, {"roc_auc": s}), {}),
        "'roc_auc' names one of the models and one of the metrics",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_read_is_named(what):
    make, message = BAD[what]
    call, options = make(*problem(N))
    with pytest.raises(ValueError, match=re.escape(message)):
        fm.bootstrap(*call, **{"n_resamples": 10, **options})
