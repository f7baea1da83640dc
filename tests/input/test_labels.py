"""Which rows are positive."""

import decimal

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.labels import binary_labels, target


@pytest.mark.parametrize(
    "dtype", ["?", "b", "B", "h", "i", "l", "L", "e", "f", "d", "g", "O", ">i8"]
)
def test_zeros_and_ones_of_any_type(dtype):
    labels = binary_labels(np.array([0, 1, 1, 0], dtype))
    assert labels.dtype == np.uint8
    assert labels.tolist() == [0, 1, 1, 0]


def test_minus_one_and_one():
    assert binary_labels([-1, 1, 1]).tolist() == [0, 1, 1]
    assert binary_labels([-1.0, 1.0]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("y_true", "expected"), [([0, 0], [0, 0]), ([1, 1], [1, 1]), ([-1, -1], [0, 0])]
)
def test_one_conventional_class(y_true, expected):
    assert binary_labels(y_true).tolist() == expected
    assert binary_labels(y_true, pos_label=1).tolist() == expected


def test_plain_labels_are_not_copied():
    labels = np.array([0, 1, 1], np.uint8)
    assert binary_labels(labels) is labels


@pytest.mark.parametrize(
    ("y_true", "message"),
    [
        (
            ["benign", "malignant", "benign"],
            "y_true holds 'benign' and 'malignant': name the positive one, pos_label='malignant'",
        ),
        ([1, 2, 1], "y_true holds 1 and 2: name the positive one, pos_label=2"),
        ([0, 2, 2], "y_true holds 0 and 2: name the positive one, pos_label=2"),
        ([-1, 0, 1], "y_true holds 3 classes (-1, 0 and 1): name the positive one, pos_label=1"),
        (["a", "a"], "y_true holds only 'a': name the positive class, pos_label='a'"),
        (
            list(range(1, 40)),
            "y_true holds 39 classes (1, 2, 3, ...): name the positive one, pos_label=39",
        ),
        ([0.1, 0.7, 0.1], "y_true holds the numbers 0.1 and 0.7: labels are needed"),
    ],
)
def test_labels_that_need_the_positive_one(y_true, message):
    with pytest.raises(LabelError) as caught:
        binary_labels(y_true)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("y_true", "pos_label", "expected"),
    [
        (["benign", "malignant", "benign"], "benign", [1, 0, 1]),
        ([1, 2, 1], 1, [1, 0, 1]),
        ([0, 1, 1], 0, [1, 0, 0]),
        ([True, False], False, [0, 1]),
        ([0.0, 1.0], 1, [0, 1]),
        (["a", "b", "c", "b"], "b", [0, 1, 0, 1]),
        (["a", "a"], "a", [1, 1]),
        ([5, 5], 5, [1, 1]),
    ],
)
def test_named_positive_class(y_true, pos_label, expected):
    assert binary_labels(y_true, pos_label).tolist() == expected
    assert binary_labels(np.array(y_true, object), pos_label).tolist() == expected


@pytest.mark.parametrize(
    ("y_true", "pos_label", "held"),
    [
        (["benign", "malignant"], "Malignant", "'benign' and 'malignant'"),
        (["benign", "benign"], "malignant", "'benign'"),
        ([0, 1], 7, "0 and 1"),
        ([0, 1], "1", "0 and 1"),
        (["0", "1"], 1, "'0' and '1'"),
        ([0, 0], 7, "0"),
    ],
)
def test_absent_positive_class(y_true, pos_label, held):
    with pytest.raises(LabelError) as caught:
        binary_labels(y_true, pos_label)
    expected = f"pos_label={pos_label!r} does not occur in y_true, which holds {held}"
    assert str(caught.value) == expected


def test_labels_of_another_name():
    with pytest.raises(InputError, match="Input label contains NaN: label has 1 NaN"):
        binary_labels([0, 1, np.nan], name="label")
    with pytest.raises(LabelError, match="label holds 1 and 2"):
        binary_labels([2, 1], name="label")


@pytest.mark.parametrize(
    ("y_true", "kind"),
    [
        ([0, 1, 1], "binary"),
        ([3.0, 1.0], "binary"),
        (["a", "b"], "binary"),
        (np.array(["a", "b"], object), "binary"),
        ([[0], [1]], "binary"),
        ([7], "binary"),
        ([0, 1, 2], "multiclass"),
        (["a", "b", "c"], "multiclass"),
        ([0.5, 1.0], "continuous"),
        ([0.5, 0.5], "continuous"),
        ([[0, 1], [1, 1]], "multilabel-indicator"),
        ([[0, 1], [2, 1]], "multiclass-multioutput"),
        (np.array([0, 1], object), "unknown"),
    ],
)
def test_kinds_are_those_of_scikit_learn(y_true, kind):
    from sklearn.utils.multiclass import type_of_target

    assert target(y_true).kind == type_of_target(y_true) == kind


@pytest.mark.parametrize("kind", ["continuous", "unknown"])
def test_kinds_without_areas(kind):
    y_true = {"continuous": [0.5, 1, 2], "unknown": np.array([0, 1, 1], object)}[kind]
    for function in (fm.roc_auc_score, fm.average_precision_score, fm.roc_curve):
        with pytest.raises(ValueError, match=f"{kind} format is not supported"):
            function(y_true, [1, 2, 3])


CLASSES = [0, 2, 1, 0, 2, 1]
DECIDED = [0, 1, 1, 0, 2, 2]
SHARES = np.array([[4, 3, 3], [1, 2, 7], [2, 5, 3], [3, 4, 3], [3, 4, 3], [0, 8, 2]]) / 10
NAMED = {
    "confusion_matrix": (DECIDED, {}),
    "f1_score": (DECIDED, {"average": None}),
    "cohen_kappa_score": (DECIDED, {}),
    "log_loss": (SHARES, {}),
    "roc_auc_score": (SHARES, {"multi_class": "ovr"}),
    "top_k_accuracy_score": (SHARES, {}),
    "hinge_loss": (SHARES, {}),
}


@pytest.mark.parametrize("name", NAMED)
def test_labels_named_as_objects_are_what_they_hold(name):
    predicted, options = NAMED[name]
    function = getattr(fm, name)
    plain = function(CLASSES, predicted, labels=[0, 1, 2], **options)
    found = function(CLASSES, predicted, labels=np.array([0, 1, 2], object), **options)
    np.testing.assert_array_equal(found, plain)
    for bad, message in (
        ([0, 1, None], "labels has 1 missing"),
        ([0, 1, float("nan")], "labels has 1 NaN"),
        ([0, 1, "2"], "labels mixes int and str"),
    ):
        with pytest.raises(ValueError, match=message):
            function(CLASSES, predicted, labels=bad, **options)


@pytest.mark.parametrize("labels", [["0", "1"], [0.5, 1]])
def test_label_indicators_are_named_by_column(labels):
    with pytest.raises(LabelError, match="label indicators are named by column"):
        fm.f1_score(np.eye(3, dtype=int), np.eye(3, dtype=int), labels=labels, average="macro")


@pytest.mark.parametrize(
    "entries",
    [
        [[0], [1], [1]],
        [[0], [1, 2], [1]],
        [{"a": 0}] * 3,
        [(0, 1)] * 3,
        [0j, 1j, 1j],
        [10**400, 1, 1],
        [decimal.Decimal("nan"), decimal.Decimal(1), decimal.Decimal(1)],
    ],
    ids=repr,
)
def test_objects_that_are_no_labels(entries):
    y_true = np.empty(3, object)
    y_true[:] = entries
    with pytest.raises(InputError, match="y_true (holds something that is no number|has 1 NaN)"):
        fm.threshold_sweep(y_true, [0.1, 0.5, 0.3])
