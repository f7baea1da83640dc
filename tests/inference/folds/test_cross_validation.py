"""Fold scores: the worked example, both routes by hand, other metrics, and predictions."""

import functools
import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)

import fastmetrics as fm
from fastmetrics.classification import confusion_formulas
from fastmetrics.engine.description import Metric, Statistic
from tests import reference

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
BLOCKS = np.repeat(np.arange(4), 3)
METRICS = ["precision", "recall", "f1"]


def squared_error():
    """A metric of values that is a root of a mean of row terms."""

    def terms(y_true, y_pred):
        return np.stack([(y_true - y_pred) ** 2, np.ones(len(y_true))], axis=-1)

    statistic = Statistic("squares, rows", 2, "sums", terms=terms)
    return Metric(
        "rmse",
        statistic,
        lambda sums: np.sqrt(sums[..., 0] / sums[..., 1]),
        "value",
        (0.0, np.inf),
        False,
    )


class TestWorkedExample:
    """Four folds of the twelve units."""

    def test_plain_folds(self):
        assert fm.folds_without_positives(FAULTY, KFold(4)) == (3,)
        with pytest.warns(UserWarning, match=r"1 of 4 folds test no positive row \(3\)"):
            result = fm.fold_scores(FAULTY, SCORES, KFold(4), "recall")
        assert result.info.n_positive.tolist() == [2, 1, 1, 0]
        assert np.isnan(result.per_fold).tolist() == [False, False, False, True]
        assert result.n_undefined == 1

    def test_stratified_folds(self):
        splitter = StratifiedKFold(4)
        tested = [(test + 1).tolist() for _, test in splitter.split(SCORES, FAULTY)]
        assert tested == [[1, 2, 4], [3, 6, 7], [5, 9, 10], [8, 11, 12]]
        result = fm.fold_scores(FAULTY, SCORES, splitter, METRICS, threshold=0.5, undefined=0)
        rounded = {name: result[name].per_fold.round(4).tolist() for name in METRICS}
        assert rounded["precision"][:3] == [0.3333, 0.5, 1]
        assert np.isnan(rounded["precision"][3])
        assert rounded["recall"] == [1, 1, 1, 0]
        assert rounded["f1"] == [0.5, 0.6667, 1, 0]
        means = [round(result[name].mean, 4) for name in METRICS]
        assert means == [0.4583, 0.75, 0.5417]
        pooled = [round(result[name].pooled, 4) for name in METRICS]
        assert pooled == [0.5, 0.75, 0.6]

    def test_printed(self):
        result = fm.fold_scores(FAULTY, SCORES, StratifiedKFold(4), METRICS, undefined=0)
        assert repr(result) == (
            "metric     mean over folds  pooled  undefined\n"
            "precision           0.4583  0.5000  1 of 4 folds, counted as 0\n"
            "recall              0.7500  0.7500  0 of 4 folds\n"
            "f1                  0.5417  0.6000  0 of 4 folds\n"
            "12 rows in 4 folds of 3 · 1 positive per fold\n"
            "precision, f1: mean over folds and pooled differ; a mean of ratios is no ratio of "
            "sums."
        )

    def test_undefined_folds_are_left_out(self):
        result = fm.fold_scores(FAULTY, SCORES, StratifiedKFold(4), "precision")
        assert result.mean == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)
        assert "1 of 4 folds, left out" in repr(result)


def test_folds_without_positives_among_two_hundred_shuffles():
    # ten positives among 200 rows: 679.5 of 2,000 folds expected
    labels = np.repeat([1, 0], [10, 190])
    empty = [
        len(fm.folds_without_positives(labels, KFold(10, shuffle=True, random_state=seed)))
        for seed in range(200)
    ]
    assert sum(empty) == 665


@given(st.integers(0, 1000), st.booleans())
@settings(deadline=None, max_examples=30)
def test_both_routes_by_hand(seed, weighted):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, 30)
    labels[:2] = 0, 1
    scores = rng.random(30).round(1)
    folds = rng.integers(0, 3, 30)
    weights = rng.integers(1, 4, 30).astype(float) if weighted else None
    names = ["roc_auc", "average_precision", "ks", "accuracy", "f1"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = fm.fold_scores(labels, scores, folds, names, sample_weight=weights)
    for name in names:
        metric = fm.metric(name, threshold=0.5) if name in ("accuracy", "f1") else fm.metric(name)
        values = []
        for fold in range(3):
            rows = folds == fold
            weight = None if weights is None else weights[rows]
            values.append(reference.value(metric, labels[rows], scores[rows], weight))
        np.testing.assert_allclose(result[name].per_fold, values, rtol=1e-12, atol=1e-15)
        pooled = reference.value(metric, labels, scores, weights)
        assert result[name].pooled == pytest.approx(pooled, rel=1e-12)
        assert result[name].mean == pytest.approx(np.nanmean(values), rel=1e-12, nan_ok=True)
        assert result[name].n_undefined == np.isnan(values).sum()


def test_equal_folds_agree_for_means_of_rows():
    result = fm.fold_scores(FAULTY, SCORES, StratifiedKFold(4), "accuracy")
    assert result.difference == pytest.approx(0, abs=1e-15)
    assert result.message == ""


def test_message_for_rankings():
    result = fm.fold_scores(FAULTY, SCORES, StratifiedKFold(4), "roc_auc")
    assert result.mean != result.pooled
    assert result.message.startswith("roc_auc: mean over folds and pooled differ; pooled also")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_score": SCORES[:11]}, "inconsistent numbers of samples"),
        ({"y_score": np.where(SCORES > 0.9, np.nan, SCORES)}, "y_score contains NaN"),
        ({"y_score": np.ma.masked_array(SCORES, SCORES > 0.9)}, "masked"),
        ({"y_score": 5 * SCORES, "metrics": "f1"}, "scores reach 4.75, so f1 has no default cut"),
        ({"metrics": "nothing"}, "no metric is called 'nothing'"),
        ({"metrics": []}, "metrics is empty"),
        ({"metrics": ["roc_auc", squared_error()]}, "do not mix"),
        ({"undefined": "omit"}, "undefined='omit': give a number"),
        ({"threshold": "half", "metrics": "f1"}, "threshold='half'"),
        ({"y_true": np.array(["a", "b"])[FAULTY]}, "name the positive one"),
    ],
)
def test_bad_data(arguments, message):
    data = {"y_true": FAULTY, "y_score": SCORES, "folds": BLOCKS} | arguments
    with pytest.raises(ValueError, match=message):
        fm.fold_scores(**data)


@pytest.mark.filterwarnings("ignore:1 of 4 folds")
def test_named_positive_class_and_inputs():
    names = np.array(["fine", "faulty"])[FAULTY]
    scores, folds = SCORES.copy(), BLOCKS.copy()
    result = fm.fold_scores(names, scores, folds, METRICS, pos_label="faulty")
    expected = fm.fold_scores(FAULTY, SCORES, BLOCKS, METRICS)
    np.testing.assert_array_equal(result["f1"].per_fold, expected["f1"].per_fold)
    assert fm.folds_without_positives(names, folds, pos_label="faulty") == (3,)
    np.testing.assert_array_equal(scores, SCORES)
    np.testing.assert_array_equal(folds, BLOCKS)


def test_the_default_cut_is_that_of_all_rows():
    # the last fold alone would pass for probabilities
    scores = np.where(BLOCKS == 3, SCORES, 5 * SCORES)
    with pytest.raises(ValueError, match="no default cut"):
        fm.fold_scores(FAULTY, scores, BLOCKS, "accuracy")
    with pytest.warns(UserWarning, match="no positive"):
        assert fm.fold_scores(FAULTY, scores, BLOCKS, "accuracy", threshold=2).pooled == 8 / 12


def test_a_fold_without_weight_is_undefined():
    weights = np.where(BLOCKS == 1, 0.0, 1.0)
    with pytest.warns(UserWarning, match="no positive"):
        result = fm.fold_scores(FAULTY, SCORES, BLOCKS, "accuracy", sample_weight=weights)
    assert np.isnan(result.per_fold).tolist() == [False, True, False, False]


def test_metrics_of_values():
    rng = np.random.default_rng(0)
    target, forecast = rng.normal(size=(2, 20))
    folds = np.arange(20) % 5
    result = fm.fold_scores(target, forecast, folds, squared_error())
    squares = (target - forecast) ** 2
    expected = [np.sqrt(squares[folds == k].mean()) for k in range(5)]
    np.testing.assert_allclose(result.per_fold, expected, rtol=1e-13)
    # the root is concave: the mean over folds of one size is optimistic
    assert result.mean < result.pooled == pytest.approx(np.sqrt(squares.mean()), rel=1e-13)
    assert result.info.n_positive is None
    assert "positive" not in repr(result)
    weights = rng.random(20)
    weighted = fm.fold_scores(target, forecast, folds, squared_error(), sample_weight=weights)
    assert weighted.pooled == pytest.approx(np.sqrt(np.average(squares, weights=weights)))


MACRO = {metric.name: metric for metric in confusion_formulas.METRICS}


@pytest.mark.parametrize("kind", [int, float, str])
def test_metrics_of_several_classes(kind):
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, 60)
    y_pred = np.where(rng.random(60) < 0.7, y_true, rng.integers(0, 3, 60))
    folds = np.arange(60) % 4
    weights = rng.random(60)
    labels = (
        np.array(["x", "y", "z"])[y] if kind is str else y.astype(kind) for y in (y_true, y_pred)
    )
    metrics = [MACRO["f1_macro"], "accuracy", "matthews_corrcoef"]
    result = fm.fold_scores(*labels, folds, metrics, sample_weight=weights)
    theirs = {
        "f1_macro": functools.partial(sklearn.metrics.f1_score, average="macro"),
        "accuracy": sklearn.metrics.accuracy_score,
        "matthews_corrcoef": sklearn.metrics.matthews_corrcoef,
    }
    for name, function in theirs.items():
        parts = [folds == k for k in range(4)]
        expected = [function(y_true[p], y_pred[p], sample_weight=weights[p]) for p in parts]
        np.testing.assert_allclose(result[name].per_fold, expected, rtol=1e-12)
        pooled = function(y_true, y_pred, sample_weight=weights)
        assert result[name].pooled == pytest.approx(pooled, rel=1e-12)
    assert result.info.n_positive is None


def test_a_class_that_a_fold_lacks_is_none_there():
    y_true = [0, 1, 2, 0, 1, 1]
    result = fm.fold_scores(y_true, y_true, [0, 0, 0, 1, 1, 1], MACRO["f1_macro"])
    assert result.n_undefined == 0
    assert result.per_fold.tolist() == [1.0, 1.0]
    assert result.pooled == 1
    # a class that a fold only predicts has no recall there
    recall = fm.metric("recall", average="macro")
    assert fm.fold_scores([0, 1, 0, 1], [0, 1, 0, 2], [0, 0, 1, 1], recall).n_undefined == 1
    with pytest.raises(ValueError, match="roc_auc is no metric of predicted labels"):
        fm.fold_scores(y_true, y_true, [0, 0, 0, 1, 1, 1], [MACRO["f1_macro"], "roc_auc"])


def test_macro_averages_of_two_classes_cut_scores():
    result = fm.fold_scores(FAULTY, SCORES, StratifiedKFold(4), [MACRO["f1_macro"], "roc_auc"])
    pooled = sklearn.metrics.f1_score(FAULTY, SCORES >= 0.5, average="macro")
    assert result["f1_macro"].pooled == pytest.approx(pooled, rel=1e-14)
    assert result["roc_auc"].pooled == 0.796875


def test_predicted_text_of_two_classes():
    names = np.array(["fine", "faulty"])
    said = names[(SCORES >= 0.5).astype(int)]
    for predicted in (said, said.astype(object)):
        result = fm.fold_scores(
            names[FAULTY], predicted, StratifiedKFold(4), "f1", pos_label="faulty"
        )
        assert result.pooled == pytest.approx(0.6)


def test_metrics_of_all_rows_at_once():
    from fastmetrics.ranking.top_rows import describe_lift

    result = fm.fold_scores(FAULTY, SCORES, StratifiedKFold(4), [describe_lift(k=1), "roc_auc"])
    assert result["lift_at_k"].per_fold.tolist() == [3, 3, 3, 3]
    assert result["lift_at_k"].pooled == fm.lift_at_k(FAULTY, SCORES, k=1)
    assert result["roc_auc"].pooled == 0.796875


@pytest.fixture(scope="module")
def data():
    return make_classification(n_samples=90, n_features=5, random_state=0)


def test_predictions_of_the_greater_class(data):
    X, y = data
    model, splitter = LogisticRegression(), StratifiedKFold(3, shuffle=True, random_state=1)
    expected = cross_val_predict(model, X, y, cv=splitter, method="predict_proba")
    found = fm.out_of_fold_predictions(model, X, y, splitter)
    np.testing.assert_array_equal(found, expected[:, 1])
    assert not hasattr(model, "coef_")
    names = np.array(["no", "yes"])[y]
    for label, column in (("no", 0), ("yes", 1), (None, 1)):
        by_name = fm.out_of_fold_predictions(model, X, names, splitter, pos_label=label)
        np.testing.assert_array_equal(by_name, expected[:, column])
    margins = fm.out_of_fold_predictions(model, X, names, splitter, method="decision_function")
    other = fm.out_of_fold_predictions(
        model, X, names, splitter, method="decision_function", pos_label="no"
    )
    np.testing.assert_array_equal(other, -margins)
    scores = fm.fold_scores(y, found, splitter, ["roc_auc", "f1"])
    assert scores["roc_auc"].pooled == fm.roc_auc_score(y, found)
    assert len(scores.folds) == 3


def test_predictions_with_groups(data):
    X, y = data
    groups = np.arange(90) // 9
    found = fm.out_of_fold_predictions(LogisticRegression(), X, y, GroupKFold(5), groups=groups)
    expected = cross_val_predict(
        LogisticRegression(), X, y, groups=groups, cv=GroupKFold(5), method="predict_proba"
    )
    np.testing.assert_array_equal(found, expected[:, 1])


def test_predictions_of_values_and_of_several_classes(data):
    X, _ = data
    found = fm.out_of_fold_predictions(LinearRegression(), X, X[:, 0], 3, method="predict")
    np.testing.assert_allclose(found, X[:, 0])
    three = np.arange(90) % 3
    every = fm.out_of_fold_predictions(LogisticRegression(), X, three, 3)
    assert every.shape == (90, 3)
    one = fm.out_of_fold_predictions(LogisticRegression(), X, three, 3, pos_label=1)
    np.testing.assert_array_equal(one, every[:, 1])


def test_bad_predictions(data):
    X, y = data
    with pytest.raises(ValueError, match="only works for partitions"):
        fm.out_of_fold_predictions(LogisticRegression(), X, y, TimeSeriesSplit(3))
    with pytest.raises(ValueError, match="pos_label=7 does not occur in y"):
        fm.out_of_fold_predictions(LogisticRegression(), X, y, 3, pos_label=7)
    with pytest.raises(ValueError, match="'predict' returns labels"):
        fm.out_of_fold_predictions(LogisticRegression(), X, y, 3, method="predict", pos_label=1)


def test_rows_that_no_fold_tests_may_lack_predictions():
    labels, scores = [0, 1, 0, 1, 0, 1], [np.nan, np.nan, 0.2, 0.9, 0.4, 0.3]
    folds = [([0, 1], [2, 3]), ([0, 1, 2, 3], [4, 5])]
    found = fm.fold_scores(labels, scores, folds)
    expected = fm.roc_auc_score(labels[2:], scores[2:])
    assert found["roc_auc"].pooled == pytest.approx(expected)
    with pytest.raises(ValueError, match="NaN"):
        fm.fold_scores(labels, scores, [0, 0, 0, 1, 1, 1])


def test_a_function_is_a_metric_too():
    def mean_error(y_true, y_pred, sample_weight):
        return np.average(y_true - y_pred, weights=sample_weight)

    def middle(y_true, y_pred):
        return np.median(y_pred)

    result = fm.fold_scores(FAULTY, SCORES, BLOCKS, [mean_error, middle])
    errors = [(FAULTY - SCORES)[fold == BLOCKS].mean() for fold in range(4)]
    np.testing.assert_allclose(result["mean_error"].per_fold, errors)
    assert result["middle"].pooled == np.median(SCORES)
    with pytest.raises(ValueError, match="middle takes no sample_weight"):
        fm.fold_scores(FAULTY, SCORES, BLOCKS, middle, sample_weight=np.full(12, 0.5))
