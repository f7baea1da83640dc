"""What else does the work: other packages, used the way their authors recommend, and a recipe.

Conventions
-----------
A rival takes a problem and a number of replicates and returns a call without arguments. What lies
outside the call (conversion to a data frame where a package lives on frames) is not timed.
Packages load when they are first asked, so that those that are not installed can be left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import SEED, Columns, Problem, index_draws

Call = Callable[[], Any]


def sklearn_auc(problem: Problem, n_resamples: int) -> Call:
    """One AUC by scikit-learn."""
    from sklearn.metrics import roc_auc_score

    return partial(roc_auc_score, problem.labels, problem.scores)


def scors_auc(problem: Problem, n_resamples: int) -> Call:
    """One AUC of unsorted scores by scors, compiled Rust with a parallel sort."""
    import scors

    return partial(scors.roc_auc, problem.labels, problem.scores)


def polars_ds_auc(problem: Problem, n_resamples: int) -> Call:
    """One AUC by polars-ds, a query on a data frame that is there already."""
    import polars
    import polars_ds

    frame = polars.DataFrame({"label": problem.labels.astype(np.uint32), "score": problem.scores})
    query = polars_ds.query_roc_auc("label", "score")
    return lambda: frame.select(query).item()


def sklearn_loop(problem: Problem, n_resamples: int) -> Call:
    """AUC and AP of resampled rows by scikit-learn, the loop that everybody writes."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    def call() -> NDArray[np.float64]:
        replicates = np.empty((n_resamples, 2))
        for k, rows in enumerate(index_draws(problem.n, n_resamples)):
            labels, scores = problem.labels[rows], problem.scores[rows]
            replicates[k] = roc_auc_score(labels, scores), average_precision_score(labels, scores)
        return replicates

    return call


def scipy_bootstrap(problem: Problem, n_resamples: int) -> Call:
    """AUC and AP by ``scipy.stats.bootstrap`` over scikit-learn; memory of one resample."""
    from scipy.stats import bootstrap
    from sklearn.metrics import average_precision_score, roc_auc_score

    def statistic(labels: Any, scores: Any) -> NDArray[np.float64]:
        return np.array([roc_auc_score(labels, scores), average_precision_score(labels, scores)])

    def call() -> NDArray[np.float64]:
        result = bootstrap(
            (problem.labels, problem.scores),
            statistic,
            n_resamples=n_resamples,
            batch=1,
            paired=True,
            vectorized=False,
            method="percentile",
            rng=SEED,
        )
        return np.asarray(result.bootstrap_distribution).T

    return call


def rapidstats_bootstrap(problem: Problem, n_resamples: int) -> Call:
    """AUC and AP by rapidstats, multinomial; it has no call for both.

    The call returns estimate, mean and standard deviation of each (2, 3): rapidstats gives
    intervals, not replicates, and its standard interval holds these.
    """
    import rapidstats

    engine = rapidstats.Bootstrap(
        iterations=n_resamples, method="standard", sampling_method="multinomial", seed=SEED
    )
    quantile = NormalDist().inv_cdf(0.975)

    def call() -> NDArray[np.float64]:
        moments = np.empty((2, 3))
        for k, bootstrap in enumerate((engine.roc_auc, engine.average_precision)):
            low, estimate, high = bootstrap(problem.labels, problem.scores)
            moments[k] = estimate, (low + high) / 2, (high - low) / 2 / quantile
        return moments

    return call


def sort_once_recipe(problem: Problem, n_resamples: int) -> Call:
    """AUC and AP by NumPy: sort once, count the drawn rows, cumulative sums; exact on ties.

    What careful users write by hand: no copy of rows, no sort per replicate.
    """

    def call() -> NDArray[np.float64]:
        n = problem.n
        order = np.argsort(-problem.scores, kind="stable")
        labels, scores = problem.labels[order], problem.scores[order]
        last_of_ties = np.flatnonzero(np.append(np.diff(scores) != 0, True))
        tied = last_of_ties.size < n
        replicates = np.empty((n_resamples, 2))
        for k, rows in enumerate(index_draws(n, n_resamples)):
            counts = np.bincount(rows, minlength=n)
            tp, flagged = np.cumsum(counts * labels), np.cumsum(counts)
            if tied:
                tp, flagged = tp[last_of_ties], flagged[last_of_ties]
            replicates[k] = _areas(tp, flagged)
        return replicates

    return call


def _areas(tp: NDArray[np.int64], flagged: NDArray[np.int64]) -> tuple[float, float]:
    """AUC and AP from the true positives and flagged rows at each threshold, descending."""
    fp = flagged - tp
    positives, negatives = tp[-1], fp[-1]
    area = np.trapezoid(tp, fp) + tp[0] * fp[0] / 2
    # thresholds above every drawn row flag nothing and add no positives
    precision = tp / np.maximum(flagged, 1)
    steps = np.diff(tp, prepend=0)
    return float(area / (positives * negatives)), float((steps * precision).sum() / positives)


def positives_only_recipe(problem: Problem, n_resamples: int) -> Call:
    """AUC and AP by NumPy, sorted once, with sums at the groups of ties that hold a positive only.

    Fewer passes than ``sort_once_recipe``, and more thought; exact on ties.
    """

    def call() -> NDArray[np.float64]:
        n = problem.n
        order = np.argsort(-problem.scores, kind="stable")
        labels, scores = problem.labels[order], problem.scores[order]
        edges = np.flatnonzero(np.concatenate(([True], np.diff(scores) != 0, [True])))
        positives = np.flatnonzero(labels)
        ranks = np.concatenate(([0], np.cumsum(labels)))[edges]
        held = np.flatnonzero(np.diff(ranks))
        start, stop = edges[held], edges[held + 1]
        first, last = ranks[held], ranks[held + 1]
        replicates = np.empty((n_resamples, 2))
        for k, rows in enumerate(index_draws(n, n_resamples)):
            counts = np.bincount(rows, minlength=n)
            flagged = np.concatenate(([0], np.cumsum(counts)))
            tp = np.concatenate(([0], np.cumsum(counts[positives])))
            before, after, reached = tp[first], tp[last], flagged[stop]
            step = after - before
            fp_twice = flagged[start] - before + reached - after
            area = (step * (2 * (n - tp[-1]) - fp_twice)).sum() / (2 * tp[-1] * (n - tp[-1]))
            # thresholds above every drawn row flag nothing and add no positives
            replicates[k] = area, (step * after / np.maximum(reached, 1)).sum() / tp[-1]
        return replicates

    return call


def sklearn_confusion_matrix(problem: Problem, n_resamples: int) -> Call:
    """One confusion matrix of ready predictions by scikit-learn, without any resampling."""
    from sklearn.metrics import confusion_matrix

    return partial(confusion_matrix, problem.labels, problem.flagged)


def sklearn_f1_at_thresholds(problem: Problem, n_resamples: int) -> Call:
    """F1 at every threshold by scikit-learn, which calls the metric at each."""
    from sklearn.metrics import f1_score, metric_at_thresholds

    def call() -> NDArray[np.float64]:
        values, _ = metric_at_thresholds(problem.labels, problem.scores, f1_score)
        return np.asarray(values)

    return call


def sklearn_calibration_error(columns: Columns, n_resamples: int, n_bins: int = 10) -> Call:
    """Expected calibration error by the curve of scikit-learn and the rows in each bin."""
    from sklearn.calibration import calibration_curve

    inner_edges = np.linspace(0, 1, n_bins + 1)[1:-1]

    def call() -> float:
        observed, predicted = calibration_curve(columns.true, columns.predicted, n_bins=n_bins)
        rows = np.bincount(np.searchsorted(inner_edges, columns.predicted), minlength=n_bins)
        return float(np.average(np.abs(observed - predicted), weights=rows[rows > 0]))

    return call
