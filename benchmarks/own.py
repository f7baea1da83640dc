"""What fastmetrics does in each case: a call without arguments, and its answer as an array."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import fastmetrics as fm
from benchmarks.data import SEED, THRESHOLD, Problem
from benchmarks.rivals import Call

RANKING = ("roc_auc", "average_precision")
DECISIONS = ("f1", "mcc", "kappa")


def auc(problem: Problem, n_resamples: int) -> Call:
    """One AUC."""
    return partial(fm.roc_auc_score, problem.labels, problem.scores)


def ranking_bootstrap(
    problem: Problem,
    n_resamples: int,
    method: Literal["percentile", "bca"] = "percentile",
    n_jobs: int = 1,
) -> Call:
    """AUC and AP on joint replicates, exact multinomial."""
    return partial(
        fm.bootstrap,
        problem.labels,
        problem.scores,
        RANKING,
        n_resamples=n_resamples,
        method=method,
        rng=SEED,
        n_jobs=n_jobs,
    )


def decision_bootstrap(problem: Problem, n_resamples: int) -> Call:
    """F1, MCC and kappa at the threshold, with the default intervals (BCa)."""
    return partial(
        fm.bootstrap,
        problem.labels,
        problem.scores,
        DECISIONS,
        n_resamples=n_resamples,
        threshold=THRESHOLD,
        rng=SEED,
    )


def f1_at_thresholds(problem: Problem, n_resamples: int) -> Call:
    """F1 at every threshold."""
    f1 = fm.metric("f1")
    return lambda: fm.metric_at_thresholds(problem.labels, problem.scores, f1)[0]


def replicates_given(problem: Problem, metrics: tuple[str, ...], draws: Any) -> NDArray[np.float64]:
    """Replicates (B, k) of metrics on index vectors from outside."""
    result = fm.bootstrap(
        problem.labels, problem.scores, metrics, resamples=draws, method="percentile"
    )
    return answer(result)


def answer(result: Any) -> NDArray[np.float64]:
    """The answer of a call: replicates (B, k) of a bootstrap, else the numbers as they are."""
    if isinstance(result, fm.BootstrapResult):
        columns = [result[name].bootstrap_distribution for name in result.metrics]
        return np.stack(columns, axis=1)
    if isinstance(result, dict):
        return np.array(list(_numbers_in(result)), np.float64)
    if isinstance(result, tuple):  # curves, whose thresholds are of another length
        return np.concatenate([answer(part).ravel() for part in result])
    return np.asarray(result, np.float64)


def _numbers_in(report: dict[str, Any]) -> Iterator[float]:
    """The numbers of a classification report, class by class."""
    for value in report.values():
        if isinstance(value, dict):
            yield from value.values()
        else:
            yield value
