"""The screening task: breast tumours, two classifiers, and a calibrated copy of the second.

Conventions: the positive class is malignant. Every splitter shuffles with the seed of its own that
it is given, so that folds are the same wherever they are asked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import fastmetrics as fm


class Split(NamedTuple):
    """A development set and a test set; `rows` are the test set's places in the data."""

    features: NDArray[Any]
    malignant: NDArray[Any]
    test_features: NDArray[Any]
    test_malignant: NDArray[Any]
    rows: NDArray[Any]


def split_tumours(seed: int = 0) -> Split:
    """Put a quarter of the tumours away, the first of four stratified folds."""
    features, benign = load_breast_cancer(return_X_y=True)
    malignant = 1 - benign
    folds = StratifiedKFold(4, shuffle=True, random_state=seed)
    development, test = next(folds.split(features, malignant))
    return Split(
        features[development], malignant[development], features[test], malignant[test], test
    )


def logistic_regression(penalty: float = 1.0) -> Pipeline:
    """Logistic regression on standardised features."""
    return make_pipeline(
        StandardScaler(), LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-12)
    )


class NaiveBayes(GaussianNB):
    """Gaussian naive Bayes that keeps the order of the cases it is sure of.

    scikit-learn's probabilities saturate at 0 and 1 and tie; those of the log-odds tie later.
    """

    def decision_function(self, features: Any) -> NDArray[np.float64]:
        """Log-odds of the second class."""
        joint = self.predict_joint_log_proba(features)
        return joint[:, 1] - joint[:, 0]

    def predict_proba(self, features: Any) -> NDArray[np.float64]:
        """Probabilities of both classes."""
        log_odds = self.decision_function(features)
        return np.column_stack([expit(-log_odds), expit(log_odds)])


class PlattCalibrated(ClassifierMixin, BaseEstimator):
    """A classifier whose log-odds are mapped to probabilities by Platt scaling.

    The map is fitted to out-of-fold log-odds of the training rows, then applied to the classifier
    fitted to all of them.

    Parameters
    ----------
    classifier : with a `decision_function`
    inner : splitter of the training rows
    """

    def __init__(self, classifier: Any, inner: Any) -> None:
        self.classifier = classifier
        self.inner = inner

    def fit(self, features: Any, labels: Any) -> Self:
        """Fit the map on inner folds, and the classifier on all rows."""
        log_odds = fm.out_of_fold_predictions(
            self.classifier, features, labels, self.inner, method="decision_function"
        )
        self.platt_ = fm.PlattScaling().fit(log_odds, labels)
        self.classifier_ = clone(self.classifier).fit(features, labels)
        self.classes_ = self.classifier_.classes_
        return self

    def predict_proba(self, features: Any) -> NDArray[np.float64]:
        """Probabilities of both classes."""
        probability = self.platt_.predict(self.classifier_.decision_function(features))
        return np.column_stack([1 - probability, probability])

    def predict(self, features: Any) -> NDArray[Any]:
        """The likelier class."""
        return self.classes_[self.predict_proba(features).argmax(axis=1)]


def build_models(penalty: float = 1.0, inner_seed: int = 2) -> dict[str, Any]:
    """Return the three unfitted models by name."""
    inner = StratifiedKFold(3, shuffle=True, random_state=inner_seed)
    return {
        "logistic_regression": logistic_regression(penalty),
        "naive_bayes": NaiveBayes(),
        "naive_bayes_platt": PlattCalibrated(NaiveBayes(), inner),
    }
