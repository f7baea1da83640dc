"""Simulation: metrics of many data sets of a model whose truth is known.

Conventions
-----------
Data sets are numbered from 0 and have streams of their own: the numbers depend on the seed alone,
not on threads, nor on how many data sets follow.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.plans.running import run_blocks
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.simulation import _options
from fastmetrics.simulation._asked import is_swept, read_asked
from fastmetrics.simulation._drawn import DrawnPath
from fastmetrics.simulation._fast import FastPath
from fastmetrics.simulation._task import Path, Task
from fastmetrics.simulation.laws import is_law
from fastmetrics.simulation.results import SimulationResult


def simulate(
    model: Any,
    *,
    n_positive: int,
    n_negative: int,
    n_datasets: int = 1000,
    metrics: Any = ("roc_auc", "average_precision"),
    threshold: float | None = None,
    method: Literal["auto", "fast", "drawn"] = "auto",
    rng: Any = None,
    n_jobs: int | None = None,
) -> SimulationResult:
    """Compute metrics of many data sets drawn from a model.

    Parameters
    ----------
    model : Binormal, ScoreModel, EmpiricalModel, RoundedModel, CalibratedModel
        Or anything with a method ``draw(n_positive, n_negative, generator)`` that returns labels
        (1 and 0) and scores.
    n_positive, n_negative : int
        Rows of each class in every data set.
    n_datasets : int
        Number of data sets.
    metrics : str, Metric, function of this library, sequence or mapping of these
        What to compute; see ``metric_names``. A mapping names the results.
    threshold : float, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1].
    method : {"auto", "fast", "drawn"}
        "fast" counts the negatives in the cells between the positives and never draws them;
        "drawn" draws every row. "auto" is fast where it can be.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same data sets for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    SimulationResult
        A value per data set and metric, nan where undefined; summaries; the data on request.

    Raises
    ------
    ValueError
        An option out of range; a metric of flagged rows without a threshold; "fast" with a metric
        that reads rows, or a model that does not know its negatives.
    TypeError
        A model that draws nothing.

    Notes
    -----
    The fast path serves AUC, average precision, partial areas, KS, operating points and everything
    that is counted at a threshold. It costs O(P log P) per data set of P positives, whatever the
    number of negatives; the drawn path a sort. Both have the same law, and the same positives for
    the same seed, but not the same negatives.

    References
    ----------
    Devroye 1986, Non-Uniform Random Variate Generation, chapter XI.1.4 (multinomial counts by
    conditional binomials).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> model = fm.simulation.Binormal(2)
    >>> result = fm.simulation.simulate(
    ...     model, n_positive=200, n_negative=19_800, n_datasets=500, rng=0
    ... )
    >>> bool(abs(result.mean[0] - model.auc) < 4 * result.monte_carlo_error[0])
    True
    >>> y_true, y_score = result.data_set(7)
    >>> bool(fm.roc_auc_score(y_true, y_score) == result["roc_auc"][7])
    True

    A billion negatives cost no more than these:

    >>> huge = fm.simulation.simulate(
    ...     model, n_positive=200, n_negative=10**9, n_datasets=10, rng=0
    ... )
    >>> huge.values.shape
    (10, 2)
    """
    if not hasattr(model, "draw"):
        raise TypeError(f"model is {model!r}: it has no draw(n_positive, n_negative, generator)")
    root, seed = read_seed(rng)
    task = Task(
        model,
        _options.whole(n_positive, "n_positive", 0),
        _options.whole(n_negative, "n_negative", 0),
        read_asked(model, metrics, threshold),
        root,
    )
    if not task.n_positive + task.n_negative:
        raise ValueError("n_positive and n_negative are 0: a data set needs rows")
    size = _options.whole(n_datasets, "n_datasets", 1)
    path = _path(task, _bootstrap_options.one_of(method, "method", ("auto", "fast", "drawn")))
    values = _run(path, size, len(task.metrics), _bootstrap_options.threads(n_jobs))
    return SimulationResult(task, path, values, seed)


def _run(path: Path, size: int, metrics: int, n_jobs: int) -> Floats:
    """Values (size, metrics) of all data sets, block by block over threads."""
    values = np.empty((size, metrics))

    def block(place: int) -> None:
        first = place * path.block
        count = min(path.block, size - first)
        values[first : first + count] = path.values(first, count)

    run_blocks(block, -(-size // path.block), n_jobs)
    return values


def _path(task: Task, method: str) -> Path:
    """Return the way to the metrics that a method means."""
    row_metrics = [metric.name for metric in task.metrics if not is_swept(metric)]
    known = is_law(getattr(task.model, "negative", None)) and hasattr(task.model, "draw_positives")
    if method == "fast":
        if row_metrics:
            raise ValueError(
                f"method='fast' never has the rows that {row_metrics[0]} reads: leave method= out"
            )
        if not known:
            raise ValueError(
                f"method='fast' needs a model that knows the law of its negatives, "
                f"{task.model!r} does not: leave method= out"
            )
    if method == "drawn" or row_metrics or not known:
        return DrawnPath(task)
    return FastPath(task)
