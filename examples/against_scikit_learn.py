"""Every drop-in function beside its model in scikit-learn or SciPy: the largest difference.

Scores with ties, weights, three classes and a regression; where a function returns several arrays,
the largest difference of any entry counts.

    python examples/against_scikit_learn.py
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.stats
import sklearn.calibration
import sklearn.metrics

import fastmetrics as fm

ROWS = 2_000
BINARY = (
    "accuracy_score",
    "balanced_accuracy_score",
    "precision_score",
    "recall_score",
    "f1_score",
    "jaccard_score",
    "matthews_corrcoef",
    "cohen_kappa_score",
    "zero_one_loss",
    "confusion_matrix",
)
OF_SCORES = (
    "roc_auc_score",
    "average_precision_score",
    "roc_curve",
    "precision_recall_curve",
    "det_curve",
    "brier_score_loss",
    "log_loss",
)
OF_CLASSES = ("precision_score", "recall_score", "f1_score", "jaccard_score")
OF_VALUES = (
    "mean_squared_error",
    "root_mean_squared_error",
    "mean_absolute_error",
    "median_absolute_error",
    "mean_absolute_percentage_error",
    "mean_pinball_loss",
    "r2_score",
    "explained_variance_score",
    "max_error",
)
OF_LISTS = (
    "dcg_score",
    "ndcg_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "coverage_error",
)


def largest_difference(ours: Any, theirs: Any) -> float:
    """Return the largest difference of two numbers, arrays, or tuples of arrays."""
    if isinstance(ours, tuple):
        return max(largest_difference(a, b) for a, b in zip(ours, theirs, strict=True))
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    both_infinite = np.isinf(a) & (a == b)  # the first threshold of a curve
    return float(np.abs(np.where(both_infinite, 0, a) - np.where(both_infinite, 0, b)).max())


def compared(name: str, *data: Any, **options: Any) -> tuple[str, float]:
    """Call a function of both libraries on the same data."""
    ours, theirs = (getattr(library, name)(*data, **options) for library in (fm, sklearn.metrics))
    options.pop("sample_weight", None)
    shown = ", ".join(f"{key}={value!r}" for key, value in options.items())
    return f"{name}({shown})" if shown else name, largest_difference(ours, theirs)


def differences() -> Iterator[tuple[str, float]]:
    """Yield every function with its largest difference."""
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 2, ROWS)
    scores = (1 / (1 + np.exp(-labels - generator.normal(size=ROWS)))).round(2)
    weights = generator.uniform(0.1, 3, ROWS)
    weighted = partial(compared, sample_weight=weights)
    yield from (weighted(name, labels, scores >= 0.5) for name in BINARY)
    yield weighted("fbeta_score", labels, scores >= 0.5, beta=2)
    yield from (weighted(name, labels, scores) for name in OF_SCORES)

    classes = generator.integers(0, 3, ROWS)
    predicted = np.where(generator.random(ROWS) < 0.7, classes, generator.integers(0, 3, ROWS))
    for average in ("macro", "weighted", "micro"):
        yield from (weighted(name, classes, predicted, average=average) for name in OF_CLASSES)
    yield weighted("cohen_kappa_score", classes, predicted, weights="quadratic")
    name, difference = weighted("matthews_corrcoef", classes, predicted)
    yield f"{name}, three classes", difference

    target = generator.normal(size=ROWS)
    forecast = target + generator.normal(size=ROWS)
    yield from (compared(name, target, forecast) for name in OF_VALUES)

    relevance, columns = generator.integers(0, 2, (200, 6)), generator.random((200, 6))
    relevance[:, 0] = 1
    yield from (compared(name, relevance, columns) for name in OF_LISTS)

    for strategy in ("uniform", "quantile"):
        ours, theirs = (
            library.calibration_curve(labels, scores, n_bins=10, strategy=strategy)
            for library in (fm, sklearn.calibration)
        )
        yield f"calibration_curve(strategy={strategy!r})", largest_difference(ours, theirs)
    yield from against_scipy(labels, scores)


def against_scipy(labels: np.ndarray, scores: np.ndarray) -> Iterator[tuple[str, float]]:
    """Yield what SciPy has: the statistic of Mann and Whitney, intervals of a proportion."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    pairs = len(positive) * len(negative)
    share = scipy.stats.mannwhitneyu(positive, negative).statistic / pairs
    yield "rank_auc", largest_difference(fm.rank_auc(labels, scores), share)
    test = scipy.stats.binomtest(8, 12)
    for ours, theirs in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        limits = tuple(fm.proportion_interval(8, 12, method=ours))
        expected = tuple(test.proportion_ci(0.95, theirs))
        yield f"proportion_interval(method={ours!r})", largest_difference(limits, expected)


if __name__ == "__main__":
    for name, difference in differences():
        print(f"{name:<48}{difference:.1e}")
