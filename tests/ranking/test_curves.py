"""Curves, and counts and metrics at every threshold."""

import inspect

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
INF = float("inf")

CURVES = {
    "roc_curve": ({}, {"drop_intermediate": False}),
    "precision_recall_curve": ({}, {"drop_intermediate": True}),
    "det_curve": ({}, {"drop_intermediate": True}),
    "confusion_matrix_at_thresholds": ({},),
}


def assert_same(ours, theirs):
    assert len(ours) == len(theirs)
    for mine, expected in zip(ours, theirs):
        assert mine.dtype == expected.dtype
        np.testing.assert_allclose(mine, expected, rtol=1e-9, atol=1e-12)


def test_worked_example_at_every_threshold():
    tns, fps, fns, tps, thresholds = fm.confusion_matrix_at_thresholds(FAULTY, SCORES)
    assert thresholds.tolist() == [0.95, 0.85, 0.8, 0.7, 0.65, 0.55, 0.4, 0.3, 0.2, 0.15, 0.1]
    assert tps.tolist() == [1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4]
    assert fps.tolist() == [0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8]
    assert (tps + fns == 4).all()
    assert (fps + tns == 8).all()


def test_worked_example_roc():
    fpr, tpr, thresholds = fm.roc_curve(FAULTY, SCORES, drop_intermediate=False)
    assert tpr.tolist() == [0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1, 1, 1]
    assert fpr.tolist() == [0, 0, 1 / 8, 1 / 8, 2 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 6 / 8, 7 / 8, 1]
    assert thresholds[0] == INF


def test_worked_example_precision():
    precision, recall, thresholds = fm.precision_recall_curve(FAULTY, SCORES)
    descending = [1, 1 / 2, 2 / 3, 2 / 4, 3 / 5, 3 / 6, 4 / 8, 4 / 9, 4 / 10, 4 / 11, 4 / 12]
    assert precision[-2::-1].tolist() == descending
    assert recall[-2::-1].tolist() == [0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1, 1, 1]
    assert (precision[-1], recall[-1]) == (1, 0)
    assert len(thresholds) == 11


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-5, 5), st.floats(0.1, 9)), max_size=40),
    st.sampled_from(["i8", "i4", "f2", "f4", "f8", "g"]),
    st.booleans(),
)
@settings(deadline=None, max_examples=80)
def test_curves_agree_with_scikit_learn(rows, dtype, weighted):
    rows = [(0, 1, 1.0), (1, 2, 1.0), *rows]  # both classes, two thresholds
    labels, scores, weights = (np.array(column) for column in zip(*rows))
    scores = scores.astype(dtype)
    for name, variants in CURVES.items():
        for options in variants:
            options = {**options, "sample_weight": weights if weighted else None}
            expected = getattr(sklearn.metrics, name)(labels, scores, **options)
            assert_same(getattr(fm, name)(labels, scores, **options), expected)


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [((-1, 1), None), ((False, True), None), ((1, 2), 2), (("fine", "bad"), "bad"), ((0, 1), 1.0)],
)
def test_labels_of_curves(name, labels, pos_label):
    function = getattr(fm, name)
    expected = function(FAULTY, SCORES)
    for given_labels in (np.array(labels)[FAULTY], [labels[k] for k in FAULTY]):
        assert_same(function(given_labels, SCORES, pos_label=pos_label), expected)


@pytest.mark.parametrize("name", CURVES)
def test_one_class_against_the_rest(name):
    y_true = np.where(FAULTY, 2, np.arange(12) % 2)
    assert_same(getattr(fm, name)(y_true, SCORES, pos_label=2), getattr(fm, name)(FAULTY, SCORES))


@pytest.mark.parametrize("name", CURVES)
def test_labels_that_curves_refuse(name):
    function = getattr(fm, name)
    with pytest.raises(ValueError, match="multiclass format is not supported"):
        function([0, 1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match=r"takes value in {1, 2} and pos_label is not specified"):
        function([1, 2, 1], [1, 2, 3])
    with pytest.raises(
        ValueError, match="pos_label=7 does not occur in y_true, which holds 0 and 1"
    ):
        function([0, 1, 0], [1, 2, 3], pos_label=7)


@pytest.mark.parametrize("name", CURVES)
def test_rows_of_weight_zero_add_no_threshold(name):
    y_true, y_score = np.array([1, 0, 1, 0, 1, 1]), np.array([0.9, 0.8, 0.6, 0.4, 0.1, 0.8])
    weights = np.array([0, 1, 2, 1, 0, 0])
    kept = weights > 0
    expected = getattr(fm, name)(y_true[kept], y_score[kept], sample_weight=weights[kept])
    assert_same(getattr(fm, name)(y_true, y_score, sample_weight=weights), expected)


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.float32, np.float16, np.longdouble])
def test_thresholds_keep_the_type_of_the_scores(dtype):
    y_score = np.array([9, 5, 2, 1], dtype)
    fpr, tpr, thresholds = fm.roc_curve([0, 1, 1, 0], y_score, drop_intermediate=False)
    assert fpr.tolist() == [0, 0.5, 0.5, 0.5, 1]
    assert tpr.tolist() == [0, 0, 0.5, 1, 1]
    assert thresholds.tolist() == [INF, 9, 5, 2, 1]  # needs a float
    assert fm.precision_recall_curve([0, 1, 1, 0], y_score)[2].dtype == dtype
    assert fm.threshold_sweep([0, 1, 1, 0], y_score).thresholds.dtype == dtype


def test_thresholds_beyond_float64_come_back_whole():
    y_score = np.array([2**60 + 1, 2**60, 2**60 + 3, 5])
    tns, *_, thresholds = fm.confusion_matrix_at_thresholds([1, 0, 1, 0], y_score)
    assert thresholds.tolist() == [2**60 + 3, 2**60 + 1, 2**60, 5]
    assert tns.tolist() == [2, 2, 1, 0]


def test_precision_recall_end_points():
    # everything flagged comes first, also when recall was full before
    precision, recall, thresholds = fm.precision_recall_curve([0, 0, 1], [1, 2, 3])
    assert precision.tolist() == [1 / 3, 1 / 2, 1, 1]
    assert recall.tolist() == [1, 1, 1, 0]
    assert thresholds.tolist() == [1, 2, 3]
    # a negative on top
    precision, recall, _ = fm.precision_recall_curve([1, 0], [1, 2])
    assert precision.tolist() == [0.5, 0, 1]
    assert recall.tolist() == [1, 0, 0]


def test_one_class():
    with pytest.warns(UndefinedMetricWarning, match="No positive samples"):
        fpr, tpr, _ = fm.roc_curve([0, 0, 0], [1, 2, 2])
    assert np.isnan(tpr).all()
    assert fpr[-1] == 1
    with pytest.warns(UndefinedMetricWarning, match="No negative samples"):
        assert np.isnan(fm.roc_curve([1, 1, 1], [1, 2, 2])[0]).all()
    with pytest.warns(UserWarning, match="No positive class found"):
        precision, recall, _ = fm.precision_recall_curve([0, 0, 0], [1, 2, 2])
    assert precision.tolist() == [0, 0, 1]
    assert recall.tolist() == [1, 1, 0]
    with pytest.raises(ValueError, match="Only one class is present"):
        fm.det_curve([0, 0, 0], [1, 2, 2])
    with pytest.raises(ValueError, match="Only one class is present"):
        fm.det_curve([0, 1, 0], [1, 2, 2], sample_weight=[1, 0, 1])


def test_a_label_that_is_absent_for_want_of_rows_is_fine():
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(fm.roc_curve(["fine"] * 3, [1, 2, 2], pos_label="bad")[1]).all()


def test_area_of_points():
    assert fm.auc([0, 0.5, 1], [0, 1, 1]) == 0.75
    assert fm.auc([1, 0.5, 0], [1, 1, 0]) == 0.75
    assert fm.auc(np.array([0, 2], np.uint8), np.array([1, 1], np.uint8)) == 2
    assert fm.auc(np.array([2, 0], np.uint8), np.array([1, 1], np.uint8)) == 2  # no wrap-around
    with pytest.raises(ValueError, match="neither increasing nor decreasing"):
        fm.auc([0, 2, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="At least 2 points"):
        fm.auc([0], [1])
    with pytest.raises(ValueError, match="x has dtype <U1: numbers are needed"):
        fm.auc(["0", "1"], [1, 2])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fm.auc([0, 1], [1])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, bool])
def test_plain_points_are_read_as_others(dtype):
    generator = np.random.default_rng(0)
    for order in (1, -1):
        x = np.sort(generator.random(30) * 90).astype(dtype)[::order]
        y = (generator.random(30) * 90).astype(dtype)
        assert fm.auc(x, y) == fm.auc(x.tolist(), y.tolist())


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_points_are_numbers(value, place):
    fine, steady = np.arange(3.0), np.zeros(3)
    bad = fine.copy()
    bad[place] = value
    for points, name in (((bad, fine), "x"), ((fine, bad), "y"), ((steady, bad), "y")):
        with pytest.raises(ValueError, match=f"Input {name} contains"):
            fm.auc(*points)


def test_an_area_beyond_the_numbers_is_infinite():
    with np.errstate(over="ignore"):
        assert fm.auc(np.array([0.0, 1e200]), np.array([1e200, 1e200])) == np.inf


def count_flagged(y_true, y_pred, sample_weight=None):
    return np.average(y_pred, weights=sample_weight), (y_true * y_pred).sum()


@pytest.mark.parametrize("weights", [None, np.array([1, 2, 0, 1, 1, 3, 1, 1, 2, 0, 1, 1])])
def test_any_callable_at_every_threshold(weights):
    order = np.random.default_rng(0).permutation(12)
    y_true, y_score = FAULTY[order], SCORES[order].astype(np.float32)
    expected = sklearn.metrics.metric_at_thresholds(
        y_true, y_score, count_flagged, sample_weight=weights
    )
    values, thresholds = fm.metric_at_thresholds(
        y_true, y_score, count_flagged, sample_weight=weights
    )
    np.testing.assert_allclose(values, expected[0])
    np.testing.assert_array_equal(thresholds, expected[1])
    assert thresholds.dtype == np.float32


def test_callable_may_keep_and_change_its_arguments():
    kept = []

    def meddle(y_true, y_pred):
        kept.append(y_pred)
        return y_pred.sum()

    values, _ = fm.metric_at_thresholds([0, 1, 1], [1, 2, 2], meddle)
    assert values.tolist() == [2, 3]
    assert [prediction.tolist() for prediction in kept] == [[1, 1, 0], [1, 1, 1]]


def test_own_metric_at_every_threshold_is_one_sweep():
    f1 = fm.metric("f1")
    values, thresholds = fm.metric_at_thresholds(FAULTY, SCORES, f1)
    expected, same = fm.metric_at_thresholds(FAULTY, SCORES, sklearn.metrics.f1_score)
    np.testing.assert_allclose(values, expected)
    assert thresholds.tolist() == same.tolist()


def test_what_metric_at_thresholds_refuses():
    with pytest.raises(ValueError, match="'metric_func' parameter"):
        fm.metric_at_thresholds(FAULTY, SCORES, "f1")
    with pytest.raises(ValueError, match="y_true contains NaN"):
        fm.metric_at_thresholds([0, np.nan], [1, 2], count_flagged)
    with pytest.raises(ValueError, match="y_true contains NaN"):
        fm.metric_at_thresholds(["a", None], [1, 2], count_flagged)


def test_options_by_position_are_deprecated():
    expected = fm.confusion_matrix_at_thresholds(1 - FAULTY, SCORES, pos_label=1)
    with pytest.warns(FutureWarning, match="Pass pos_label=0 as keyword args"):
        counts = fm.confusion_matrix_at_thresholds(FAULTY, SCORES, 0)
    assert_same(counts, expected)
    with pytest.raises(TypeError, match="at most 4 positional arguments"):
        fm.confusion_matrix_at_thresholds(FAULTY, SCORES, 0, None, None)


@pytest.mark.parametrize(
    "name",
    [
        "auc",
        "average_precision_score",
        "det_curve",
        "metric_at_thresholds",
        "precision_recall_curve",
        "roc_auc_score",
        "roc_curve",
    ],
)
def test_signatures_are_those_of_scikit_learn(name):
    ours = inspect.signature(getattr(fm, name)).parameters.values()
    theirs = inspect.signature(getattr(sklearn.metrics, name)).parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [
        (p.name, p.kind, p.default) for p in theirs
    ]


@pytest.mark.parametrize(
    ("name", "options"),
    [("roc_curve", {"drop_intermediate": "no"}), ("det_curve", {"pos_label": [1]})],
)
def test_options_of_another_type(name, options):
    with pytest.raises(ValueError, match=f"parameter of {name} must be"):
        getattr(fm, name)(FAULTY, SCORES, **options)


@pytest.mark.parametrize("zeros", [None, 0, 20])
@pytest.mark.parametrize("label_dtype", [np.int64, np.uint8, bool])
@pytest.mark.parametrize(
    "name",
    [
        "roc_curve",
        "precision_recall_curve",
        "det_curve",
        "confusion_matrix_at_thresholds",
        "roc_auc_score",
        "average_precision_score",
    ],
)
def test_plain_arrays_are_read_as_others(name, label_dtype, zeros):
    function = getattr(fm, name)
    generator = np.random.default_rng(0)
    y_true = generator.integers(0, 2, 90).astype(label_dtype)
    y_score, weights = generator.normal(size=90).round(1), generator.random(90)
    weights[:zeros] = 0.0
    given = (None, None) if zeros is None else (weights, weights.tolist())
    for options in ({}, {"max_fpr": 0.3} if name == "roc_auc_score" else {}):
        plain = function(y_true, y_score, sample_weight=given[0], **options)
        other = function(y_true.tolist(), y_score.tolist(), sample_weight=given[1], **options)
        pairs = [(plain, other)] if isinstance(plain, float) else zip(plain, other, strict=True)
        for one, another in pairs:
            np.testing.assert_array_equal(one, another)
            base = getattr(one, "base", None)
            assert not isinstance(base, np.ndarray) or base.nbytes == one.nbytes
