"""The data of the benchmarks, made from a seed and so the same in every process.

Conventions
-----------
Labels are int64, scores float64 in [0, 1] and, unless ties are asked for, all distinct: what most
people hold. Positives score 1.5 standard deviations higher on the logit scale (AUC about 0.86).
Classes are of different sizes and strings are NumPy's own; targets are positive, log-normal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

SEED = 20_240
SEPARATION = 1.5
RIGHT = 0.7
RELATIVE_ERROR = 0.3
THRESHOLD = 0.5

Ties = Literal["none", "rounded", "pairs"]


@dataclass(frozen=True, eq=False)
class Problem:
    """Labels (n,) and scores (n,) of one model."""

    labels: NDArray[np.int64]
    scores: NDArray[np.float64]

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.labels.size

    @cached_property
    def flagged(self) -> NDArray[np.int64]:
        """Predicted labels (n,) at the threshold."""
        return (self.scores >= THRESHOLD).astype(np.int64)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Rows (n,) from the highest score down."""
        return np.argsort(-self.scores, kind="stable")


def make_problem(n: int, positives: int, ties: Ties = "none") -> Problem:
    """Labels and scores of ``n`` rows in random order.

    Parameters
    ----------
    n : number of rows
    positives : how many of them are positive
    ties : "rounded" to three decimals, or every score held by a "pairs" of rows

    Returns
    -------
    Problem
    """
    generator = np.random.default_rng(SEED)
    labels = np.zeros(n, np.int64)
    labels[:positives] = 1
    generator.shuffle(labels)
    logits = generator.standard_normal(n)
    logits += SEPARATION * labels
    scores = 1 / (1 + np.exp(-logits))
    if ties == "rounded":
        scores = scores.round(3)
    elif ties == "pairs":
        order = np.argsort(scores)
        second = order[1::2]
        scores[second] = scores[order[::2][: second.size]]
    return Problem(labels, scores)


@dataclass(frozen=True, eq=False)
class Columns:
    """What is true (n, ...) and what was predicted (n, ...): labels, probabilities or targets."""

    true: NDArray[Any]
    predicted: NDArray[Any]
    weights: NDArray[np.float64] | None = None


def make_classes(n: int, classes: int, strings: bool = False) -> Columns:
    """Labels of ``n`` rows, int64 or strings, and predictions of which most are right."""
    generator = np.random.default_rng(SEED)
    true = _uneven_classes(generator, n, classes)
    others = _uneven_classes(generator, n, classes)
    predicted = np.where(generator.random(n) < RIGHT, true, others)
    if not strings:
        return Columns(true, predicted)
    names = np.array([f"class {label}" for label in range(classes)])
    return Columns(names[true], names[predicted])


def _uneven_classes(generator: np.random.Generator, n: int, classes: int) -> NDArray[np.int64]:
    """Labels (n,) from 0 up, the lower the more frequent."""
    return (classes * generator.random(n) ** 1.5).astype(np.int64)


def make_probabilities(n: int, positives: int) -> Columns:
    """Labels {0, 1} and probabilities of ``n`` rows."""
    problem = make_problem(n, positives)
    return Columns(problem.labels, problem.scores)


def make_targets(n: int) -> Columns:
    """Positive targets of ``n`` rows, and predictions with errors in proportion to them."""
    generator = np.random.default_rng(SEED)
    true = np.exp(generator.standard_normal(n))
    return Columns(true, true * np.exp(RELATIVE_ERROR * generator.standard_normal(n)))


def weighted(make: Callable[[int], Columns]) -> Callable[[int], Columns]:
    """The same data with fractional weights of the rows."""

    def make_weighted(n: int) -> Columns:
        weights = np.random.default_rng(SEED + 1).uniform(0.5, 1.5, n)
        return replace(make(n), weights=weights)

    return make_weighted


def make_objects(n: int) -> Columns:
    """Five classes of Python strings, as a column of a frame holds them."""
    columns = make_classes(n, 5, strings=True)
    return Columns(columns.true.astype(object), columns.predicted.astype(object))


def make_indicators(n: int) -> Columns:
    """Which of five labels each row has, and which were predicted."""
    generator = np.random.default_rng(SEED)
    true = generator.integers(0, 2, (n, 5))
    predicted = np.where(generator.random((n, 5)) < RIGHT, true, 1 - true)
    for labels in (true, predicted):  # no row without any, of which scikit-learn would warn
        labels[~labels.any(axis=1), 0] = 1
    return Columns(true, predicted)


def make_class_columns(n: int) -> Columns:
    """Five classes, and a probability (n, 5) of each."""
    generator = np.random.default_rng(SEED)
    true = make_classes(n, 5).true
    scores = np.exp(generator.standard_normal((n, 5)) + 1.5 * (true[:, None] == np.arange(5)))
    return Columns(true, scores / scores.sum(axis=1, keepdims=True))


def make_label_scores(n: int) -> Columns:
    """Which of five labels each row has, and a score of each."""
    true = make_indicators(n).true
    return Columns(true, np.random.default_rng(SEED + 1).standard_normal((n, 5)) + true)


def make_lists(n: int) -> Columns:
    """Lists of five documents: their relevance, and scores to rank them by."""
    generator = np.random.default_rng(SEED)
    return Columns(
        generator.integers(0, 4, (n, 5)).astype(np.float64), generator.standard_normal((n, 5))
    )


def make_scores(n: int) -> Columns:
    """Labels and probabilities of two classes, three rows in ten positive."""
    return make_probabilities(n, n * 3 // 10)


def make_small_targets(n: int) -> Columns:
    """Targets and predictions in float32."""
    columns = make_targets(n)
    return Columns(columns.true.astype(np.float32), columns.predicted.astype(np.float32))


def make_outputs(n: int) -> Columns:
    """Targets and predictions of three outputs, in float64."""
    columns = make_targets(3 * n)
    return Columns(columns.true.reshape(n, 3), columns.predicted.reshape(n, 3))


def index_draws(n: int, n_resamples: int) -> Iterator[NDArray[np.int64]]:
    """Rows (n,) of each resample, one at a time."""
    generator = np.random.default_rng(SEED)
    for _ in range(n_resamples):
        yield generator.integers(0, n, n)
