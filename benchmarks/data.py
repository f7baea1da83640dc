"""The data of the benchmarks, made from a seed and so the same in every process.

Conventions
-----------
Labels are int64, scores float64 in [0, 1] and, unless ties are asked for, all distinct: what most
people hold. Positives score 1.5 standard deviations higher on the logit scale (AUC about 0.86).
Classes are of different sizes and strings are NumPy's own; targets are positive, log-normal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
    """What is true (n,) and what was predicted (n,): labels, probabilities or targets."""

    true: NDArray[Any]
    predicted: NDArray[Any]


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


def index_draws(n: int, n_resamples: int) -> Iterator[NDArray[np.int64]]:
    """Rows (n,) of each resample, one at a time."""
    generator = np.random.default_rng(SEED)
    for _ in range(n_resamples):
        yield generator.integers(0, n, n)
