"""Precision, recall, Jaccard index and F-scores: worked numbers, scikit-learn, 0/0."""

import math
import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError
from tests.label_problems import (
    FAULTY,
    FLAGGED,
    FULL,
    GRADES,
    NEVER_RARE,
    agree,
    chosen_labels,
    columns_of,
    problems,
)

NAN = math.nan
AVERAGES = ["binary", "micro", "macro", "weighted", "samples", None]
ONE_RATE = {
    "precision_score": {},
    "recall_score": {},
    "jaccard_score": {},
    "f1_score": {},
    "fbeta_score": {"beta": 0.5},
}


def rounded(values):
    return [round(float(value), 4) for value in values]


def test_worked_example_of_one_threshold():
    assert fm.precision_score(FAULTY, FLAGGED) == 0.5
    assert fm.recall_score(FAULTY, FLAGGED) == 0.75
    assert fm.f1_score(FAULTY, FLAGGED) == 0.6
    assert round(fm.fbeta_score(FAULTY, FLAGGED, beta=2), 4) == 0.6818
    assert round(fm.fbeta_score(FAULTY, FLAGGED, beta=0.5), 4) == 0.5357
    assert fm.fbeta_score(FAULTY, FLAGGED, beta=2) == 15 / 22
    assert fm.fbeta_score(FAULTY, FLAGGED, beta=0.5) == 3.75 / 7


def test_worked_example_of_three_classes():
    problem = columns_of(GRADES)
    precision, recall, f1, support = fm.precision_recall_fscore_support(*problem)
    assert rounded(precision) == [0.8846, 0.6429, 0.5]
    assert rounded(recall) == [0.92, 0.6, 0.4]
    assert rounded(f1) == [0.902, 0.6207, 0.4444]
    assert support.tolist() == [50, 15, 5]
    means = {
        average: rounded(fm.precision_recall_fscore_support(*problem, average=average)[:3])
        for average in ("macro", "weighted", "micro")
    }
    assert means["macro"] == [0.6758, 0.64, 0.6557]
    assert means["weighted"] == [0.8053, 0.8143, 0.809]
    assert means["micro"] == [0.8143] * 3 == [round(fm.accuracy_score(*problem), 4)] * 3


def test_a_grader_that_calls_every_part_good():
    y_true, _ = columns_of(GRADES)
    y_pred = np.zeros_like(y_true)
    assert rounded([fm.accuracy_score(y_true, y_pred)]) == [0.7143]
    assert rounded([fm.f1_score(y_true, y_pred, labels=[0], average="macro")]) == [0.8333]
    f1 = {
        average: fm.f1_score(y_true, y_pred, average=average) for average in ("weighted", "macro")
    }
    assert rounded(f1.values()) == [0.5952, 0.2778]


@pytest.mark.parametrize(
    ("matrix", "macro", "weighted", "rare"),
    [(FULL, 0.7211, 0.8667, 0.41), (NEVER_RARE, 0.5392, 0.8363, 0.0)],
)
def test_a_class_that_is_given_up(matrix, macro, weighted, rare):
    problem = columns_of(matrix)
    assert rounded([fm.f1_score(*problem, average="macro")]) == [macro]
    assert rounded([fm.f1_score(*problem, average="weighted")]) == [weighted]
    assert rounded(fm.recall_score(*problem, labels=[2], average=None)) == [rare]


@given(problems(), st.data())
@settings(deadline=None, max_examples=200)
def test_as_scikit_learn(problem, data):
    y_true, y_pred, weights, names = problem
    average = data.draw(st.sampled_from(AVERAGES))
    options = {
        "average": average,
        "sample_weight": weights,
        "labels": data.draw(chosen_labels(names)),
        "zero_division": data.draw(st.sampled_from(["warn", 0, 1, 0.0, NAN])),
        "pos_label": data.draw(st.sampled_from([*names.tolist(), 1])),
    }
    present = {*y_true.tolist(), *y_pred.tolist()}
    if len(present) == 1 and isinstance(options["pos_label"], str) != isinstance(names[0], str):
        options["pos_label"] = names.tolist()[0]  # see test_a_positive_class_of_another_type
    for name, more in ONE_RATE.items():
        agree(name, y_true, y_pred, **options, **more)
    beta = data.draw(st.sampled_from([0, 0.5, 1, 3.0, math.inf]))
    agree("precision_recall_fscore_support", y_true, y_pred, beta=beta, **options)
    agree("fbeta_score", y_true, y_pred, beta=beta, **options)


@pytest.mark.parametrize("zero_division", ["warn", 0, 1])
@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("kind", ["none", "integers", "fractions"])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_matrix])
def test_indicators_as_scikit_learn(make, kind, average, zero_division):
    generator = np.random.default_rng(1)
    y_true, y_pred = (generator.random((2, 20, 4)) < 0.3).astype(int)
    y_true[:, 3] = y_pred[:, 2] = 0
    weights = {
        "none": None,
        "integers": generator.integers(0, 4, 20),
        "fractions": generator.integers(0, 90, 20) / 16,
    }[kind]
    for labels in (None, [2, 0]):
        for name, more in ONE_RATE.items():
            options = {"sample_weight": weights, "average": average, "labels": labels, **more}
            options["zero_division"] = zero_division
            ours, theirs = [], []
            for module, found in ((fm, ours), (sklearn.metrics, theirs)):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    try:
                        found.append(getattr(module, name)(make(y_true), make(y_pred), **options))
                    except ValueError:
                        found.append(ValueError)
                found.append({str(warning.message) for warning in caught})
            assert ours[1] == theirs[1]
            if theirs[0] is ValueError:
                assert ours[0] is ValueError
            else:
                np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)


class TestZeroDivision:
    """Class 3 is predicted but never true, class 2 true but never predicted."""

    Y_TRUE, Y_PRED = (0, 0, 1, 2, 2), (0, 3, 1, 1, 3)

    def support(self, average, value):
        return fm.precision_recall_fscore_support(
            self.Y_TRUE, self.Y_PRED, average=average, zero_division=value
        )

    def test_each_class(self):
        precision, recall, f1, _ = self.support(None, NAN)
        np.testing.assert_array_equal(precision, [1, 0.5, NAN, 0])
        np.testing.assert_array_equal(recall, [0.5, 1, 0, NAN])
        np.testing.assert_allclose(f1, [2 / 3, 2 / 3, 0, 0])

    @pytest.mark.parametrize(
        ("value", "macro", "weighted"),
        [(0, 0.375, 0.5), (1, 0.625, 0.9), (NAN, 0.5, 5 / 6)],
    )
    def test_averages(self, value, macro, weighted):
        assert self.support("macro", value)[:3] == pytest.approx((macro, macro, 1 / 3))
        assert self.support("weighted", value)[:3] == pytest.approx((weighted, 0.4, 0.4))

    def test_f1_is_undefined_only_without_any_positive(self):
        values = [fm.f1_score([0, 0], [0, 0], zero_division=value) for value in (0, 1, NAN)]
        np.testing.assert_array_equal(values, [0, 1, NAN])
        assert [fm.f1_score([1, 0], [0, 0], zero_division=v) for v in (0, 1, NAN)] == [0, 0, 0]

    @pytest.mark.parametrize("name", [*ONE_RATE, "precision_recall_fscore_support"])
    @pytest.mark.parametrize("value", [0.5, 2, "nan", None, "0", [0]])
    def test_other_values_are_refused(self, value, name):
        options = {"zero_division": value, **ONE_RATE.get(name, {})}
        with pytest.raises(ValueError, match=f"'zero_division' parameter of {name}"):
            getattr(fm, name)([0, 1], [0, 1], **options)

    def test_nan_is_refused_where_scikit_learn_does(self):
        with pytest.raises(ValueError, match="must be 0, 1 or 'warn'"):
            fm.jaccard_score([0, 1], [0, 1], zero_division=NAN)

    def test_undefined_is_warned_of(self):
        with pytest.warns(UndefinedMetricWarning, match="Recall is ill-defined .* in labels with"):
            fm.recall_score(self.Y_TRUE, self.Y_PRED, average="macro")
        with pytest.warns(UndefinedMetricWarning, match="F-score is ill-defined .* due to no true"):
            fm.f1_score([0, 0], [0, 0])


def test_the_two_classes_need_not_be_0_and_1():
    y_true, y_pred = [0, 2, 0, 2, 2], [0, 2, 2, 2, 0]
    with pytest.raises(LabelError, match=r"pos_label=1 is not a valid label. .* one of \[0 2\]"):
        fm.f1_score(y_true, y_pred)
    assert fm.f1_score(y_true, y_pred, pos_label=2) == 2 / 3
    text = ["normal", "abnormal", "normal"]
    with pytest.raises(LabelError, match="pos_label=1 is not a valid label"):
        fm.f1_score(text, text)
    assert fm.f1_score(text, text, pos_label="abnormal") == 1.0


def test_a_positive_class_of_another_type():
    # scikit-learn answers 0, so that a fold with one class passes what others refuse
    for y, pos_label in ((["yes", "yes"], 1), ([1, 1], "1")):
        with pytest.raises(LabelError, match="is not a valid label"):
            fm.f1_score(y, y, pos_label=pos_label)


def test_a_fold_without_positives():
    with pytest.warns(UndefinedMetricWarning):
        assert fm.precision_score([0, 0], [0, 0]) == 0.0
    with pytest.warns(UndefinedMetricWarning):
        assert fm.recall_score(["benign"] * 2, ["benign"] * 2, pos_label="malignant") == 0.0
    assert fm.precision_score([1, 1], [1, 1]) == 1.0


def test_macro_f1_is_the_mean_of_the_classes():
    y_true, y_pred = [0, 0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 2, 1, 0, 2, 2, 2]
    assert fm.f1_score(y_true, y_pred, average="macro") == pytest.approx(9 / 14)
    absent = {"labels": [0, 1, 2, 3], "zero_division": 0}
    assert fm.f1_score(y_true, y_pred, average="macro", **absent) == pytest.approx(27 / 56)
    assert fm.f1_score(y_true, y_pred, average="micro", labels=[1, 2]) == pytest.approx(8 / 11)
    assert fm.f1_score(y_true, y_pred, average="weighted") == pytest.approx(41 / 63)
    assert fm.f1_of_macro_averages(y_true, y_pred) == pytest.approx(0.6524822695035462)


def test_options_that_do_not_exist():
    for name, more in ONE_RATE.items():
        with pytest.raises(ValueError, match=f"'average' parameter of {name}"):
            getattr(fm, name)([0, 1], [0, 1], average="mean", **more)
        with pytest.raises(ValueError, match=f"'pos_label' parameter of {name}"):
            getattr(fm, name)([0, 1], [0, 1], pos_label=[1], **more)
    with pytest.raises(ValueError, match="'beta' parameter of fbeta_score"):
        fm.fbeta_score([0, 1], [0, 1], beta=-1)
    with pytest.raises(ValueError, match="'warn_for' parameter"):
        fm.precision_recall_fscore_support([0, 1], [0, 1], warn_for="recall")


@pytest.mark.parametrize("average", ["binary", "samples"])
def test_an_average_that_does_not_fit(average):
    with pytest.raises(InputError, match=r"average='binary'|Samplewise metrics"):
        fm.f1_score([0, 1, 2], [0, 1, 2], average=average)


def test_no_label_at_all():
    assert fm.recall_score([0, 1], [0, 1], labels=[], average=None).shape == (0,)
    assert math.isnan(fm.recall_score([0, 1], [0, 1], labels=[], average="macro"))


@pytest.mark.parametrize("beta", [1e100, 1e150, 1e200])
def test_a_huge_beta_leaves_recall(beta):
    columns = [0, 1, 1, 0], [1, 1, 0, 0]
    assert fm.fbeta_score(*columns, beta=beta) == fm.recall_score(*columns)
