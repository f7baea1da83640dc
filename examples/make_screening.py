"""Write the screening data set: two models' predictions for 143 breast tumours.

A logistic regression and a Gaussian naive Bayes are trained on three quarters of the Breast
Cancer Wisconsin data and asked for the probability that each remaining tumour is malignant.

Conventions: the positive class is malignant; rows keep the order of the test fold; numbers are
written so that reading them back gives the same float64.

    python examples/make_screening.py              # rewrites examples/data/screening.csv
    python examples/make_screening.py other.csv    # writes somewhere else
"""

import csv
import sys
from pathlib import Path

import numpy as np
from scipy.special import expit
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

DEFAULT_FILE = Path(__file__).parent / "data" / "screening.csv"
COLUMNS = ("row", "diagnosis", "malignant", "logistic_regression", "naive_bayes")


def naive_bayes_probability(model: GaussianNB, features: np.ndarray) -> np.ndarray:
    """Return the probability of class 1 from the log-odds, which do not saturate.

    `predict_proba` rounds many of these probabilities to exactly 0 or 1 and so invents ties.
    """
    joint_log_likelihood = model.predict_joint_log_proba(features)
    return expit(joint_log_likelihood[:, 1] - joint_log_likelihood[:, 0])


def screening_rows() -> list[tuple[int, str, int, float, float]]:
    """Train both models and return one row per tumour of the test fold."""
    features, target = load_breast_cancer(return_X_y=True)
    malignant = (target == 0).astype(int)
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    train, test = next(folds.split(features, malignant))

    logistic_regression = make_pipeline(
        StandardScaler(), LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-12)
    ).fit(features[train], malignant[train])
    naive_bayes = GaussianNB().fit(features[train], malignant[train])

    logistic_probability = logistic_regression.predict_proba(features[test])[:, 1]
    bayes_probability = naive_bayes_probability(naive_bayes, features[test])
    diagnosis = np.where(malignant[test] == 1, "malignant", "benign")
    return list(
        zip(
            test.tolist(),
            diagnosis.tolist(),
            malignant[test].tolist(),
            logistic_probability.tolist(),
            bayes_probability.tolist(),
            strict=True,
        )
    )


def write_screening(file: Path) -> None:
    """Write the screening data set to `file`."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(screening_rows())


if __name__ == "__main__":
    write_screening(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_FILE)
