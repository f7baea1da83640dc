"""A threshold chosen by cost on out-of-fold probabilities, and what it costs on a test set.

Breast tumours, malignant positive; a missed one costs twenty false alarms.
"""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fastmetrics as fm

COSTS = {"cost_fp": 1, "cost_fn": 20}
FOLDS = StratifiedKFold(5, shuffle=True, random_state=1)


@pytest.fixture(scope="module")
def split():
    features, benign = load_breast_cancer(return_X_y=True)
    malignant = 1 - benign
    outer = StratifiedKFold(4, shuffle=True, random_state=0)
    train, test = next(outer.split(features, malignant))
    assert (len(test), malignant[test].sum()) == (143, 53)
    return features[train], malignant[train], features[test], malignant[test]


def logistic_regression():
    return make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky", tol=1e-12))


def regression_probabilities(split):
    features, labels, test_features, _ = split
    searched = fm.out_of_fold_predictions(logistic_regression(), features, labels, FOLDS)
    fitted = logistic_regression().fit(features, labels)
    return searched, fitted.predict_proba(test_features)[:, 1]


class LogOdds(GaussianNB):
    """Naive Bayes scored by log-odds: the probabilities that it returns saturate and tie."""

    def decision_function(self, features):
        joint = self.predict_joint_log_proba(features)
        return joint[:, 1] - joint[:, 0]


def bayes_probabilities(split):
    features, labels, test_features, _ = split
    searched = fm.out_of_fold_predictions(
        LogOdds(), features, labels, FOLDS, method="decision_function"
    )
    fitted = LogOdds().fit(features, labels)
    return expit(searched), expit(fitted.decision_function(test_features))


# threshold and cost on the folds; costs on the test set at 0.5, at that threshold, and at 1/21
@pytest.mark.parametrize(
    ("probabilities", "threshold", "lowest", "costs"),
    [
        (regression_probabilities, 0.0520863, 33, [82, 34, 34]),
        (bayes_probabilities, 1.83647e-7, 59, [143, 54, 144]),
    ],
)
def test_threshold_chosen_by_cost(split, probabilities, threshold, lowest, costs):
    searched, scores = probabilities(split)
    best = fm.best_threshold(split[1], searched, **COSTS)
    assert best.threshold == pytest.approx(threshold, rel=1e-5)
    assert best.value == lowest
    assert best.value == fm.cost_curve(split[1], searched, **COSTS).costs.min()
    sweep = fm.threshold_sweep(split[3], scores)
    found = []
    for cut in (0.5, best.threshold, fm.bayes_threshold(1, 20)):
        counts = sweep.at(cut)
        found.append(counts.fp + 20 * counts.fn)
    assert found == costs


def test_folds_hold_positives(split):
    features, labels, *_ = split
    scores = fm.out_of_fold_predictions(logistic_regression(), features, labels, FOLDS)
    assert fm.folds_without_positives(labels, FOLDS) == ()
    result = fm.fold_scores(labels, scores, FOLDS, ["roc_auc", "average_precision"])
    assert result["roc_auc"].n_undefined == 0
    assert result["roc_auc"].pooled == fm.roc_auc_score(labels, scores)
    assert np.ptp(result["roc_auc"].per_fold) > 0
