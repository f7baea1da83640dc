"""What is computed of the screening models: on the development set, then once on the test set.

Conventions: everything that is chosen, the threshold too, is chosen on out-of-fold probabilities of
the development set. Models come as a mapping of names, probabilities are those of malignant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

import fastmetrics as fm

Probabilities = dict[str, NDArray[np.float64]]
METRICS = (
    "accuracy",
    "precision",
    "recall",
    "f1",
    "matthews_corrcoef",
    "roc_auc",
    "average_precision",
    "brier_score",
    "ece",
)
TEST_METRICS = ("roc_auc", "average_precision", "brier_score")


class Costs(NamedTuple):
    """Costs of a false alarm and of a missed tumour."""

    cost_fp: float = 1
    cost_fn: float = 20


class TestCost(NamedTuple):
    """What a threshold costs on the test set."""

    name: str
    threshold: float
    cost: float
    missed: int
    false_alarms: int


def out_of_fold(
    models: Mapping[str, Any], features: ArrayLike, labels: ArrayLike, folds: Any
) -> Probabilities:
    """Predict every row of the development set by models that did not see it."""
    return {
        name: fm.out_of_fold_predictions(model, features, labels, folds)
        for name, model in models.items()
    }


def refitted(
    models: Mapping[str, Any], features: ArrayLike, labels: ArrayLike, test_features: ArrayLike
) -> Probabilities:
    """Fit every model to the whole development set and predict the test set."""
    return {
        name: np.ascontiguousarray(model.fit(features, labels).predict_proba(test_features)[:, 1])
        for name, model in models.items()
    }


def summarise(labels: ArrayLike, probability: ArrayLike) -> dict[str, float]:
    """Compute every metric of a model; those of decisions cut probabilities at 0.5."""
    return {name: fm.metric(name)(labels, probability) for name in METRICS}


def test_costs(
    labels: ArrayLike, probability: ArrayLike, chosen: float, costs: Costs
) -> list[TestCost]:
    """Compute what the default, the chosen and the calculated threshold cost on the test set."""
    sweep = fm.threshold_sweep(labels, probability)
    thresholds = {"default": 0.5, "chosen": chosen, "Bayes": fm.bayes_threshold(*costs)}
    rows = []
    for name, threshold in thresholds.items():
        counts = sweep.at(threshold)
        cost = costs.cost_fp * counts.fp + costs.cost_fn * counts.fn
        rows.append(TestCost(name, threshold, cost, int(counts.fn), int(counts.fp)))
    return rows


def compare_models(
    labels: NDArray[Any], probabilities: Probabilities, resamples: int, seed: int
) -> fm.ComparisonResult:
    """Bootstrap all models on the same draws, and their differences from naive Bayes.

    The draws are NumPy's, as a loop over `integers` makes them, so that others can repeat them.
    """
    generator = np.random.default_rng(seed)
    n = len(labels)
    return fm.compare(
        labels,
        probabilities,
        TEST_METRICS,
        baseline="naive_bayes",
        resamples=(generator.integers(0, n, n) for _ in range(resamples)),
        method="percentile",
    )
