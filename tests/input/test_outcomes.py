"""Outcomes of plain labels against comparisons, and what needs a closer look."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from fastmetrics.input.outcomes import GREATER, plain_outcomes
from tests.forecast_data import FAULTY, SCORES

WORDS = np.array(["sound", "faulty"])


@given(
    st.lists(st.text(max_size=4), min_size=2, max_size=2, unique=True),
    st.lists(st.booleans(), max_size=30),
)
@settings(deadline=None, max_examples=200)
def test_two_texts_are_told_apart(pair, rows):
    pair = [word.replace("\0", "_") + str(i) for i, word in enumerate(pair)]
    words = [pair[i] for i in (0, 1, *rows)]
    for dtype in ("U", object):
        for positive in pair:
            expected = [word == positive for word in words]
            assert plain_outcomes(np.array(words, dtype), positive).tolist() == expected
        expected = [word == max(pair) for word in words]
        assert plain_outcomes(np.array(words, dtype), GREATER).tolist() == expected


@pytest.mark.parametrize("dtype", ["l", "B", "?"])
def test_integers_stay_as_they_are(dtype):
    y_true = FAULTY.astype(dtype)
    for pos_label in (None, 1, GREATER):
        assert np.shares_memory(plain_outcomes(y_true, pos_label), y_true)
    assert plain_outcomes(y_true, 0) is None
    assert plain_outcomes(y_true, "faulty") is None


@pytest.mark.parametrize("pos_label", ["b", GREATER])
@pytest.mark.parametrize(
    "labels",
    [
        ["b", "b"],
        ["a", "b", "c"],
        ["c", "a", "b"],
        ["b", "a", "a", "c"],
        ["b", None, "b"],
        [None, "b"],
        ["b", "a", None],
        ["b", "a", np.nan],
        ["b", 1],
        ["b", "a", pd.NA],
        ["b", pd.NA],
        ["b", "a", ["a"]],
        ["b", np.ones(2)],
        ["b", "a", {}],
        [b"a", "b"],
        [0, 1],
    ],
)
def test_what_is_not_two_texts_is_left_to_others(labels, pos_label):
    objects = np.empty(len(labels), object)
    objects[:] = labels
    assert plain_outcomes(objects, pos_label) is None
    if all(isinstance(label, str) for label in labels):
        assert plain_outcomes(np.array(labels), pos_label) is None


def test_the_positive_text_has_to_occur():
    for dtype in ("U", object):
        y_true = np.array(["a", "b", "a"], dtype)
        for pos_label in (None, "c", "", 1, ["a"]):
            assert plain_outcomes(y_true, pos_label) is None
    assert plain_outcomes(np.array(["a", "b"]).astype(">U1"), "a") is None


POSITIVE = {"pos_label": "sound"}
FUNCTIONS = {
    "log_loss": {},
    "d2_log_loss_score": {},
    "brier_score_loss": POSITIVE,
    "d2_brier_score": POSITIVE,
    "calibration_curve": POSITIVE,
    "expected_calibration_error": POSITIVE,
}


@pytest.mark.parametrize("weights", [None, SCORES, SCORES.tolist()])
@pytest.mark.parametrize("dtype", ["U6", "U9", object])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_text_is_scored_as_the_integers_it_stands_for(name, dtype, weights):
    function, options = getattr(fm, name), FUNCTIONS[name]
    weighted = {} if weights is None or name == "calibration_curve" else {"sample_weight": weights}
    expected = function(1 - FAULTY, SCORES, **weighted)
    plain = WORDS[FAULTY].astype(dtype)
    for y_true in (plain, np.repeat(plain, 2)[::2], plain.tolist(), pd.Series(plain)):
        np.testing.assert_allclose(function(y_true, SCORES, **options, **weighted), expected, 1e-14)
