"""Data that the tests of probabilities share."""

import csv
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

# twelve units of an inspection line: score, and whether the unit is faulty
SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
SCREENING = Path(__file__).parent.parent / "examples" / "data" / "screening.csv"


def screening():
    """Labels, and the probabilities of two models, of the screening data."""
    with SCREENING.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    columns = ("malignant", "logistic_regression", "naive_bayes")
    labels, *models = (np.array([float(row[name]) for row in rows]) for name in columns)
    return labels.astype(int), *models


def synthetic_scores():
    """Labels, calibrated probabilities and a sigmoid that ignores the prevalence of a tenth."""
    rng = np.random.default_rng(1)
    n, prevalence = 20_000, 0.10
    y_true = (rng.uniform(size=n) < prevalence).astype(int)
    positive, negative = rng.normal(1, 1, n), rng.normal(0, 1, n)
    scores = np.where(y_true == 1, positive, negative)
    ratio = np.exp(scores - 0.5) * prevalence / (1 - prevalence)
    return y_true, ratio / (1 + ratio), 1 / (1 + np.exp(-scores))


@st.composite
def problems(draw, weighted=False):
    """Labels with both classes, probabilities with ties and ends, and weights if asked for."""
    n = draw(st.integers(2, 40))
    outcomes = draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))
    y_true = np.array([0, 1, *outcomes])
    probability = st.one_of(st.floats(0, 1).map(abs), st.integers(0, 20).map(lambda k: k / 20))
    y_prob = np.array(draw(st.lists(probability, min_size=n, max_size=n)))
    if not weighted:
        return y_true, y_prob
    weights = draw(st.lists(st.floats(0.01, 100), min_size=n, max_size=n))
    return y_true, y_prob, np.array(weights)
