"""The bootstrap's designs: paired models, clusters, several metrics at once, functions of the user.

Conventions
-----------
A rival that draws rows or clusters itself hands its draws to ours too; both then agree, replicate
by replicate; one that is ours with another design is there to say what the design costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fastmetrics as fm
from benchmarks import agreement, own
from benchmarks.data import SEED, Problem, index_draws, make_problem
from benchmarks.kinds import Group, RatioCase, Rival, Size
from benchmarks.lines import Bar
from benchmarks.rivals import Call

ROWS_PER_CLUSTER = 100
TINY = Size(4_000, 1_200, n_resamples=128, rounds=1)
SEVERAL = ("roc_auc", "average_precision", "brier_score", "f1", "log_loss")


@dataclass(frozen=True, eq=False)
class Designed:
    """A problem with a second model and with clusters of about a hundred rows."""

    problem: Problem
    second: NDArray[np.float64]
    clusters: NDArray[np.int64]

    @property
    def models(self) -> dict[str, NDArray[np.float64]]:
        """Scores of both models by name."""
        return {"first": self.problem.scores, "second": self.second}

    @cached_property
    def rows_of(self) -> list[NDArray[np.intp]]:
        """Rows of each cluster."""
        order = np.argsort(self.clusters, kind="stable")
        ends = np.cumsum(np.bincount(self.clusters))
        return np.split(order, ends[:-1])


def make_designed(size: Size) -> Designed:
    """Half of the second model's scores are the first's, half are drawn anew."""
    problem = make_problem(size.n, size.positives)
    other = make_problem(size.n, size.positives)
    generator = np.random.default_rng(SEED + 1)
    fresh = generator.random(size.n) < 0.5
    scores = np.where(fresh, generator.permutation(other.scores), problem.scores)
    clusters = generator.integers(0, size.n // ROWS_PER_CLUSTER, size.n)
    # every cluster occurs, so that their numbers are the places of a count
    clusters[: size.n // ROWS_PER_CLUSTER] = np.arange(size.n // ROWS_PER_CLUSTER)
    return Designed(problem, scores, clusters)


def _bootstrap(
    data: Designed,
    n_resamples: int,
    metrics: Any = own.RANKING,
    clustered: bool = False,
    paired: bool = False,
) -> Call:
    """Percentile intervals of one design."""
    return partial(
        fm.bootstrap,
        data.problem.labels,
        data.models if paired else data.problem.scores,
        metrics,
        groups=data.clusters if clustered else None,
        n_resamples=n_resamples,
        method="percentile",
        rng=SEED,
    )


def _replicates(call: Call) -> Call:
    """The replicates (B, k) of a call."""
    return lambda: _of_result(call())


def _of_result(result: fm.BootstrapResult) -> NDArray[np.float64]:
    """Replicates (B, k) of every entry."""
    columns = [entry.replicates for entry in result.entries().values()]
    return np.stack(columns, axis=1)


def paired_areas(data: Designed, n_resamples: int) -> Call:
    """AUC of both models on shared draws."""
    return _replicates(_bootstrap(data, n_resamples, "roc_auc", paired=True))


def sklearn_paired(data: Designed, n_resamples: int) -> Call:
    """AUC of both models by scikit-learn on the same resampled rows."""
    from sklearn.metrics import roc_auc_score

    def call() -> NDArray[np.float64]:
        replicates = np.empty((n_resamples, 2))
        for k, rows in enumerate(index_draws(data.problem.n, n_resamples)):
            labels = data.problem.labels[rows]
            for model, scores in enumerate(data.models.values()):
                replicates[k, model] = roc_auc_score(labels, scores[rows])
        return replicates

    return call


def same_pairs(data: Designed, ours: Any, theirs: Any) -> None:
    """Both models on the rival's rows."""
    result = fm.bootstrap(
        data.problem.labels,
        data.models,
        "roc_auc",
        resamples=index_draws(data.problem.n, len(theirs)),
        method="percentile",
    )
    agreement.same_numbers(data, _of_result(result), theirs)
    agreement.same_law(data.problem, ours, theirs)


def cluster_draws(data: Designed, n_resamples: int) -> Iterator[NDArray[np.intp]]:
    """Rows of as many drawn clusters as there are, one resample at a time."""
    generator = np.random.default_rng(SEED)
    clusters = len(data.rows_of)
    for _ in range(n_resamples):
        drawn = generator.integers(0, clusters, clusters)
        yield np.concatenate([data.rows_of[cluster] for cluster in drawn])


def clustered_brier(data: Designed, n_resamples: int) -> Call:
    """Brier score and log loss of whole clusters, from their sums."""
    call = _bootstrap(data, n_resamples, ("brier_score", "log_loss"), clustered=True)
    return _replicates(call)


def gathered_brier(data: Designed, n_resamples: int) -> Call:
    """The same by gathering the terms of all rows of the drawn clusters."""

    def call() -> NDArray[np.float64]:
        labels, scores = data.problem.labels, data.problem.scores
        terms = np.empty((labels.size, 2))
        terms[:, 0] = (scores - labels) ** 2
        terms[:, 1] = -np.log(np.where(labels == 1, scores, 1 - scores))
        replicates = np.empty((n_resamples, 2))
        for k, rows in enumerate(cluster_draws(data, n_resamples)):
            replicates[k] = terms[rows].mean(axis=0)
        return replicates

    return call


def same_clusters(data: Designed, ours: Any, theirs: Any) -> None:
    """Replicate by replicate on the rival's rows, and the same law when ours draw clusters."""
    result = fm.bootstrap(
        data.problem.labels,
        data.problem.scores,
        ("brier_score", "log_loss"),
        resamples=cluster_draws(data, len(theirs)),
        method="percentile",
    )
    agreement.same_numbers(data, _of_result(result), theirs)
    agreement.same_law(data.problem, ours, theirs)


def mean_of_scores(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    """A metric that nobody knows: the mean score of the positives less that of the negatives."""
    positive = sample_weight * y_true
    negative = sample_weight - positive
    return float(positive @ y_score / positive.sum() - negative @ y_score / negative.sum())


def own_function(data: Designed, n_resamples: int) -> Call:
    """A function of the user on our draws."""
    return _replicates(_bootstrap(data, n_resamples, mean_of_scores))


def joblib_loop(data: Designed, n_resamples: int) -> Call:
    """The same function on resampled rows, as joblib's users loop over it."""
    from joblib import Parallel, delayed

    labels, scores = data.problem.labels, data.problem.scores
    ones = np.ones(labels.size)

    def one(rows: NDArray[np.int64]) -> float:
        return mean_of_scores(labels[rows], scores[rows], ones)

    def call() -> NDArray[np.float64]:
        draws = index_draws(labels.size, n_resamples)
        values = Parallel(n_jobs=1)(delayed(one)(rows) for rows in draws)
        return np.array(values)[:, None]

    return call


def same_function(data: Designed, ours: Any, theirs: Any) -> None:
    """The function on the rival's rows."""
    result = fm.bootstrap(
        data.problem.labels,
        data.problem.scores,
        mean_of_scores,
        resamples=index_draws(data.problem.n, len(theirs)),
    )
    np.testing.assert_allclose(_of_result(result), theirs, rtol=1e-9)
    agreement.same_law(data.problem, ours, theirs)


def _against_rows(name: str, limit: float, metrics: Any) -> Rival:
    """Ours on single rows, which a design is measured by."""

    def bind(data: Designed, n_resamples: int) -> Call:
        return _replicates(_bootstrap(data, n_resamples, metrics))

    return Rival(name, "fastmetrics", bind, _same_columns, Bar("cost", limit))


def _same_columns(data: Designed, ours: Any, theirs: Any) -> None:
    """Means of the shared metrics agree; deviations differ where clusters are drawn."""
    off = np.abs(ours[:, : theirs.shape[1]].mean(axis=0) - theirs.mean(axis=0))
    assert (off < 0.01).all(), f"means are {off} apart"


MILLION = Size(1_000_000, 500_000, n_resamples=1_000, rounds=3)

DESIGNS = Group(
    "designs",
    "Paired models, clusters, several metrics",
    (
        RatioCase(
            "paired_1m",
            "AUC of two models on shared draws, 1,000,000 rows x 1,000 replicates",
            MILLION,
            TINY,
            paired_areas,
            (
                Rival(
                    "scikit-learn in a loop over both",
                    "sklearn",
                    sklearn_paired,
                    same_pairs,
                    Bar("speedup", 300),
                    few=3,
                    rounds=3,
                ),
            ),
            make=make_designed,
        ),
        RatioCase(
            "several_metrics",
            "AUC, AP, Brier, F1 and log loss together, 1,000,000 rows x 1,000 replicates",
            MILLION,
            TINY,
            lambda data, n: _replicates(_bootstrap(data, n, SEVERAL)),
            (_against_rows("AUC alone", 3, "roc_auc"),),
            make=make_designed,
        ),
        RatioCase(
            "clusters_1m",
            "AUC and AP of 10,000 clusters, 1,000,000 rows x 1,000 replicates",
            MILLION,
            TINY,
            lambda data, n: _replicates(_bootstrap(data, n, own.RANKING, clustered=True)),
            (_against_rows("the bootstrap of rows", 2, own.RANKING),),
            make=make_designed,
        ),
        RatioCase(
            "cluster_sums",
            "Brier score and log loss of 10,000 clusters, 1,000,000 rows x 1,000 replicates",
            MILLION,
            TINY,
            clustered_brier,
            (
                Rival(
                    "gathering the rows of the drawn clusters",
                    "numpy",
                    gathered_brier,
                    same_clusters,
                    Bar("speedup", 20),
                    few=10,
                    rounds=3,
                ),
            ),
            make=make_designed,
        ),
        RatioCase(
            "own_function",
            "A function of the user, 100,000 rows x 512 replicates",
            Size(100_000, 50_000, n_resamples=512, rounds=5),
            TINY,
            own_function,
            (
                Rival(
                    "joblib over resampled rows",
                    "joblib",
                    joblib_loop,
                    same_function,
                    Bar("speedup", 1),
                ),
            ),
            make=make_designed,
        ),
    ),
)
