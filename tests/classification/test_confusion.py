"""Confusion matrices: scikit-learn's, worked ones, and odd requests."""

from contextlib import nullcontext

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError
from tests import reference_classes
from tests.label_problems import (
    FAULTY,
    FLAGGED,
    GRADES,
    agree,
    chosen_labels,
    columns_of,
    problems,
)


def test_worked_example():
    assert fm.confusion_matrix(FAULTY, FLAGGED).tolist() == [[5, 3], [1, 3]]
    y_true, y_pred = columns_of(GRADES)
    matrix = fm.confusion_matrix(y_true, y_pred)
    assert matrix.tolist() == GRADES.tolist()
    assert matrix.sum(axis=0).tolist() == [52, 14, 4]


@given(problems(), st.data())
@settings(deadline=None, max_examples=150)
def test_as_scikit_learn(problem, data):
    y_true, y_pred, weights, names = problem
    labels = data.draw(chosen_labels(names))
    normalize = data.draw(st.sampled_from([None, "true", "pred", "all"]))
    options = {"labels": labels, "sample_weight": weights}
    agree("confusion_matrix", y_true, y_pred, normalize=normalize, **options)
    agree("multilabel_confusion_matrix", y_true, y_pred, **options)


@given(problems())
@settings(deadline=None, max_examples=60)
def test_as_a_loop_over_the_rows(problem):
    y_true, y_pred, weights, _ = problem
    expected = reference_classes.confusion(y_true.tolist(), y_pred.tolist(), weights)
    single = len(expected) == 1
    warned = pytest.warns(UserWarning, match="A single label") if single else nullcontext()
    with warned:
        assert fm.confusion_matrix(y_true, y_pred, sample_weight=weights).tolist() == expected


def test_counts_are_64_bit():
    y = [0, 1, 1]
    largest = np.full(3, 2**32 - 1, np.uint32)
    assert fm.confusion_matrix(y, y, sample_weight=largest)[1, 1] == 2 * (2**32 - 1)
    for dtype, expected in (("?", np.int64), ("i", np.int64), ("f", np.float64), ("O", np.float64)):
        weights = np.ones(3, dtype)
        assert fm.confusion_matrix(y, y, sample_weight=weights).dtype == expected


def test_labels_subset_superset_permutation():
    y_true, y_pred = [0, 1, 2, 2, 1], [1, 1, 2, 0, 1]
    assert fm.confusion_matrix(y_true, y_pred, labels=[1, 2]).tolist() == [[2, 0], [0, 1]]
    superset = fm.confusion_matrix(y_true, y_pred, labels=[0, 1, 2, 3])
    assert superset[:3, :3].tolist() == [[0, 1, 0], [0, 2, 0], [1, 0, 1]]
    assert not superset[3].any()
    permuted = fm.confusion_matrix(y_true, y_pred, labels=[2, 1, 0])
    assert permuted.tolist() == superset[2::-1, 2::-1].tolist()


def test_a_label_that_is_asked_for_twice():
    y_true, y_pred = ["a", "b", "a"], ["a", "b", "b"]
    twice = {"labels": ["a", "b", "a"]}
    agree("confusion_matrix", y_true, y_pred, **twice)
    agree("multilabel_confusion_matrix", y_true, y_pred, **twice)


def test_labels_that_cannot_be_meant():
    with pytest.raises(LabelError, match="'labels' should contain at least one label"):
        fm.confusion_matrix([0, 1], [0, 1], labels=[])
    with pytest.raises(LabelError, match="must be in y_true: labels holds .3, 4., y_true and y"):
        fm.confusion_matrix([0, 1], [0, 1], labels=[3, 4])
    with pytest.raises(LabelError, match="At least one label specified must be in y_true"):
        fm.confusion_matrix([0, 1], [0, 3], labels=[3])
    # scikit-learn answers a matrix of zeros
    with pytest.raises(LabelError, match="At least one label specified must be in y_true"):
        fm.confusion_matrix([1, 2], [1, 2], labels=["1", "2"])
    with pytest.raises(LabelError, match="text and numbers are never equal"):
        fm.multilabel_confusion_matrix([1, 2], [1, 2], labels=["1", "2"])


def test_options_that_do_not_exist():
    with pytest.raises(ValueError, match="'normalize' parameter of confusion_matrix"):
        fm.confusion_matrix([0, 1], [0, 1], normalize="rows")
    with pytest.raises(ValueError, match="'samplewise' parameter"):
        fm.multilabel_confusion_matrix([0, 1], [0, 1], samplewise=None)


def test_indicators_have_no_confusion_matrix():
    with pytest.raises(InputError, match="multilabel-indicator is not supported"):
        fm.confusion_matrix(np.eye(2), np.eye(2))
    with pytest.raises(InputError, match="Samplewise metrics are not available"):
        fm.multilabel_confusion_matrix([0, 1], [0, 1], samplewise=True)


@pytest.mark.parametrize("labels", [None, [2, 0], [1], [0, 0, 1]])
@pytest.mark.parametrize("samplewise", [False, True])
@pytest.mark.parametrize("kind", ["none", "integers", "fractions"])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_indicators_as_scikit_learn(make, kind, samplewise, labels):
    generator = np.random.default_rng(0)
    y_true, y_pred = generator.integers(0, 2, (2, 30, 4))
    weights = {
        "none": None,
        "integers": generator.integers(0, 4, 30),
        "fractions": generator.integers(0, 90, 30) / 16,
    }[kind]
    options = {"sample_weight": weights, "samplewise": samplewise, "labels": labels}
    expected = sklearn.metrics.multilabel_confusion_matrix(make(y_true), make(y_pred), **options)
    found = fm.multilabel_confusion_matrix(make(y_true), make(y_pred), **options)
    assert found.dtype == expected.dtype
    assert (found == expected).all()


def test_columns_of_indicators_that_are_not_there():
    for labels, message in (([4], r"\[0, n labels\).* Got 4 > 1"), ([-1], "Got -1 < 0")):
        with pytest.raises(LabelError, match=message):
            fm.multilabel_confusion_matrix(np.eye(2), np.eye(2), labels=labels)


def test_the_field_guides_zoo():
    """Scores of 20,000 rows, a tenth positive, and their posterior at three thresholds."""
    generator = np.random.default_rng(1)
    n, prevalence = 20_000, 0.10
    y = (generator.uniform(size=n) < prevalence).astype(int)
    positives, negatives = generator.normal(1, 1, n), generator.normal(0, 1, n)
    scores = np.where(y == 1, positives, negatives)
    odds = prevalence / (1 - prevalence) * np.exp(scores - 0.5)
    posterior = odds / (1 + odds)
    printed = {
        0.10: ((1442, 5480, 599, 12479), "0.696 0.208 0.707 0.695 0.322 0.255"),
        0.25: ((541, 961, 1500, 16998), "0.877 0.360 0.265 0.946 0.305 0.243"),
        0.50: ((80, 56, 1961, 17903), "0.899 0.588 0.039 0.997 0.073 0.133"),
    }
    zoo = (
        fm.accuracy_score,
        fm.precision_score,
        fm.recall_score,
        fm.specificity_score,
        fm.f1_score,
        fm.matthews_corrcoef,
    )
    for threshold, (counts, line) in printed.items():
        flagged = (posterior >= threshold).astype(int)
        tn, fp, fn, tp = fm.confusion_matrix(y, flagged).ravel().tolist()
        assert (tp, fp, fn, tn) == counts
        assert " ".join(f"{metric(y, flagged):.3f}" for metric in zoo) == line


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_shares_of_nothing_are_zero(normalize):
    shares = fm.confusion_matrix([0, 0, 2], [0, 0, 0], labels=[0, 1, 2], normalize=normalize)
    assert shares.dtype == np.float64
    assert np.isfinite(shares).all()


def test_one_label_only():
    with pytest.warns(UserWarning, match="A single label was found"):
        assert fm.confusion_matrix(["a", "a"], ["a", "a"]).tolist() == [[2]]
    with pytest.warns(UndefinedMetricWarning), pytest.warns(UserWarning, match="A single label"):
        assert np.isnan(fm.cohen_kappa_score([3, 3], [3, 3]))
