"""Data that the tests of the report share."""

import csv
from pathlib import Path

import numpy as np

SCREENING = Path(__file__).parents[2] / "examples" / "data" / "screening.csv"
MODELS = ("logistic_regression", "naive_bayes")
# names that would do harm where they are not escaped
NASTY = (
    "<script>alert(1)</script>",
    "a|b",
    "../../x",
    "$x$",
    '"><img src=x onerror=alert(2)>',
    "_under_ `code` *bold* [link](http://example.org)",
    "crab 🦀\n\x1b[31mred",
    "=1+1",
    "-->",
    " ",
)


def screening():
    """Labels and the scores of two models, of 143 tumours."""
    with SCREENING.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    y_true = np.array([int(row["malignant"]) for row in rows])
    return y_true, {name: np.array([float(row[name]) for row in rows]) for name in MODELS}


def problem(n=300, models=2, prevalence=0.3, seed=0):
    """Labels, and probabilities of models that are about equally good."""
    generator = np.random.default_rng(seed)
    y_true = (generator.random(n) < prevalence).astype(int)
    y_true[:2] = 0, 1
    signal = generator.normal(size=n) + 1.2 * y_true
    scores = {
        f"model {k}": 1 / (1 + np.exp(1.5 - signal - 0.4 * generator.normal(size=n)))
        for k in range(models)
    }
    return y_true, scores


def nasty_problem(n=120):
    """A problem whose models and slices have names that do harm."""
    y_true, scores = problem(n, len(NASTY))
    generator = np.random.default_rng(1)
    slices = {NASTY[0]: np.array(NASTY, object)[generator.integers(0, 3, n)]}
    return y_true, dict(zip(NASTY, scores.values())), slices
