"""Simulations and studies of coverage: data set after data set, most of them small.

Conventions
-----------
``n_resamples`` counts data sets here. Rivals of a study get the data sets that it draws, so that
estimates are the same; their own replicates, and data sets that they draw, have the same law.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastmetrics as fm
from benchmarks import agreement
from benchmarks.data import SEED
from benchmarks.kinds import Group, RatioCase, Rival, SecondsCase, Size
from benchmarks.lines import Bar
from benchmarks.rivals import Call

MODEL = fm.simulation.Binormal(1.5)
RANKING = ("roc_auc", "average_precision")
SMALL_ROWS = 200
REPLICATES, FEW_REPLICATES = 2_000, 256


def replicates_of(size: Size) -> int:
    """Replicates of every data set."""
    return REPLICATES if size.n >= SMALL_ROWS else FEW_REPLICATES


def itself(size: Size) -> Size:
    """The size is all that a simulation needs."""
    return size


def class_sizes(size: Size) -> dict[str, int]:
    """Positive and negative rows of a data set."""
    return {"n_positive": size.positives, "n_negative": size.n - size.positives}


def coverage(size: Size, n_datasets: int, n_jobs: int = 1) -> Call:
    """Estimates and percentile limits (data sets, 3) of a study of coverage."""

    def call() -> NDArray[np.float64]:
        study = fm.simulation.coverage_study(
            MODEL,
            **class_sizes(size),
            n_datasets=n_datasets,
            n_resamples=replicates_of(size),
            methods="percentile",
            rng=SEED,
            n_jobs=n_jobs,
        )
        estimates = study.estimates("roc_auc")[:, None]
        return np.hstack([estimates, study.limits("roc_auc", "percentile")])

    return call


def coverage_recipe(size: Size, n_datasets: int) -> Call:
    """The loop that users write: scores sorted once, resamples as counts of the sorted rows."""
    drawn = fm.simulation.simulate(
        MODEL,
        **class_sizes(size),
        n_datasets=n_datasets,
        metrics="roc_auc",
        method="drawn",
        rng=SEED,
    )
    data_sets = [drawn.data_set(i) for i in range(n_datasets)]
    replicates = replicates_of(size)

    def call() -> NDArray[np.float64]:
        generator = np.random.default_rng(SEED)
        found = np.empty((n_datasets, 3))
        for k, (y_true, y_score) in enumerate(data_sets):
            labels = y_true[np.argsort(-y_score)].astype(np.float64)
            areas = np.empty(replicates)
            for b in range(replicates):
                rows = generator.integers(0, size.n, size.n)
                areas[b] = sorted_area(labels, np.bincount(rows, minlength=size.n))
            found[k, 0] = sorted_area(labels, np.ones(size.n))
            found[k, 1:] = np.quantile(areas, [0.025, 0.975])
        return found

    return call


def sorted_area(labels: NDArray[np.float64], weights: NDArray[Any]) -> float:
    """AUC of untied rows, sorted from the highest score down."""
    positive = weights * labels
    negative = weights - positive
    area: float = (negative @ positive.cumsum()) / (positive.sum() * negative.sum())
    return area


def same_intervals(size: Size, ours: Any, theirs: Any) -> None:
    """The same estimates, and limits that differ by what chance does to quantiles."""
    agreement.same_numbers(size, ours[: len(theirs), 0], theirs[:, 0])
    # a limit's Monte-Carlo error is about 2.7 standard errors over the root of the replicates
    spread = MODEL.auc_variance(size.positives, size.n - size.positives) ** 0.5
    limit = 8.0 * 2.7 * spread / replicates_of(size) ** 0.5
    off = np.abs(ours[: len(theirs), 1:] - theirs[:, 1:]).max()
    assert off < limit, f"limits are {off} apart"


def simulated(size: Size, n_datasets: int) -> Call:
    """AUC and AP (data sets, 2) of simulated data sets."""
    return partial(_values, size, n_datasets)


def _values(size: Size, n_datasets: int) -> NDArray[np.float64]:
    result = fm.simulation.simulate(
        MODEL, **class_sizes(size), n_datasets=n_datasets, metrics=RANKING, rng=SEED
    )
    return result.values


def sklearn_simulated(size: Size, n_datasets: int) -> Call:
    """The same by drawing every row and asking scikit-learn."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    labels = np.repeat([1, 0], [size.positives, size.n - size.positives])

    def call() -> NDArray[np.float64]:
        generator = np.random.default_rng(SEED)
        values = np.empty((n_datasets, 2))
        for k in range(n_datasets):
            scores = generator.normal(size=size.n)
            scores[: size.positives] += MODEL.separation
            values[k] = roc_auc_score(labels, scores), average_precision_score(labels, scores)
        return values

    return call


STUDIES = Group(
    "studies",
    "Simulation and coverage",
    (
        RatioCase(
            "coverage",
            "Coverage study of the AUC, 2,000 data sets of 200 rows x 2,000 replicates",
            Size(200, 60, n_resamples=2_000, rounds=3),
            Size(60, 20, n_resamples=16, rounds=1),
            coverage,
            (
                Rival(
                    "NumPy recipe, sorted once",
                    "numpy",
                    coverage_recipe,
                    same_intervals,
                    Bar("speedup", 20),
                    few=10,
                ),
            ),
            make=itself,
            unit="data sets",
        ),
        RatioCase(
            "coverage_two_threads",
            "The same on two threads",
            Size(200, 60, n_resamples=2_000, rounds=3),
            Size(60, 20, n_resamples=16, rounds=1),
            partial(coverage, n_jobs=2),
            (Rival("one thread", "fastmetrics", coverage, agreement.identical, Bar("speedup")),),
            make=itself,
            unit="data sets",
        ),
        RatioCase(
            "simulation",
            "AUC and AP of 10,000 simulated data sets of 20,000 rows, 1 % positive",
            Size(20_000, 200, n_resamples=10_000, rounds=3),
            Size(2_000, 20, n_resamples=40, rounds=1),
            simulated,
            (
                Rival(
                    "scikit-learn in a loop",
                    "sklearn",
                    sklearn_simulated,
                    agreement.same_law,
                    Bar("speedup", 100),
                    few=20,
                ),
            ),
            make=itself,
            unit="data sets",
        ),
        SecondsCase(
            "billion_negatives",
            "AUC and AP of a simulated data set of 1,000 positives and a billion negatives",
            "one data set",
            Size(1_000_001_000, 1_000, n_resamples=500, rounds=7),
            Size(1_000_001_000, 50, n_resamples=5, rounds=1),
            simulated,
            Bar("seconds", 0.0002),
        ),
    ),
)
