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

from screening.models import build_models, split_tumours

DEFAULT_FILE = Path(__file__).parent / "data" / "screening.csv"
MODELS = ("logistic_regression", "naive_bayes")
COLUMNS = ("row", "diagnosis", "malignant", *MODELS)


def screening_rows() -> list[tuple[int, str, int, float, float]]:
    """Train both models and return one row per tumour of the test fold."""
    split = split_tumours()
    models = build_models()
    probabilities = [
        models[name].fit(split.features, split.malignant).predict_proba(split.test_features)[:, 1]
        for name in MODELS
    ]
    diagnosis = np.where(split.test_malignant == 1, "malignant", "benign")
    columns = (split.rows, diagnosis, split.test_malignant, *probabilities)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def write_screening(file: Path) -> None:
    """Write the screening data set to `file`."""
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(screening_rows())


if __name__ == "__main__":
    write_screening(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_FILE)
