"""Kinds of labels against scikit-learn's, and codes against a search."""

import numpy as np
import pytest
from sklearn.utils.multiclass import type_of_target

from fastmetrics.errors import InputError
from fastmetrics.input import kinds
from fastmetrics.input.kinds import codes_of, indicators_of, judge

FEW = np.random.default_rng(0).integers(0, 5, 60)
LETTERS = np.array(list("cabde"))
TARGETS = {
    "one class": np.full(4, 7),
    "two classes": np.array([3, -1, 3]),
    "several": FEW - 2,
    "narrow": (FEW * 60).astype(np.uint8),
    "lowest and highest": np.array([-128, 127, 0], np.int8),
    "unsigned": FEW.astype(np.uint64),
    "large unsigned": np.array([2**63 + 1, 2**63, 0], np.uint64),
    "far apart": np.array([0, 2**62, 5]),
    "bools": FEW > 2,
    "whole floats": FEW.astype(float),
    "column": FEW[:, None],
    "text": LETTERS[FEW],
    "two texts": LETTERS[FEW % 2],
    "objects": LETTERS[FEW].astype(object),
    "every other": FEW[::2],
    "indicators": np.stack([FEW % 2, FEW // 3], axis=1),
    "indicators by column": np.asfortranarray(np.stack([FEW % 2, FEW // 3], axis=1)),
    "flags": np.stack([FEW > 1, FEW > 2], axis=1),
    "several outputs": np.stack([FEW, FEW], axis=1),
}


@pytest.mark.parametrize("few", [1_000, 20])
@pytest.mark.parametrize("name", TARGETS)
def test_kinds_are_those_of_scikit_learn(name, few, monkeypatch):
    monkeypatch.setattr(kinds, "FEW", few)
    y_true = TARGETS[name]
    found = judge(y_true)
    assert found.kind == type_of_target(y_true)
    if found.kind in ("binary", "multiclass", "multilabel-indicator"):
        np.testing.assert_array_equal(found.classes, np.unique(y_true))
        assert found.classes.dtype == y_true.dtype or y_true.dtype == object


def test_read_only_labels():
    y_true = FEW.copy()
    y_true.setflags(write=False)
    assert judge(y_true).classes.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["several", "lowest and highest", "unsigned", "far apart", "text"])
def test_codes_are_places_among_the_classes(name):
    classes, expected = np.unique(TARGETS[name], return_inverse=True)
    codes = codes_of(TARGETS[name], classes)
    np.testing.assert_array_equal(codes, expected)
    np.testing.assert_array_equal(
        indicators_of(codes, len(classes)), np.eye(len(classes))[expected]
    )


def test_codes_of_the_narrowest_integers_do_not_wrap():
    y_true = np.arange(-128, 128).astype(np.int8)
    np.testing.assert_array_equal(codes_of(y_true, y_true), np.arange(256))


def test_empty_labels_are_refused():
    with pytest.raises(InputError, match="y_true"):
        judge([])
