"""Models ranked by several metrics at once, which may put them in opposite orders."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.plans.running import run_blocks
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.ranking.operating_points import describe_precision, describe_recall
from fastmetrics.simulation import _options
from fastmetrics.simulation._asked import Evaluation, read_asked
from fastmetrics.simulation._paired import Pairing, laws_of, read_correlation
from fastmetrics.simulation._task import Task
from fastmetrics.simulation._truth import true_value
from fastmetrics.simulation.prevalence import positives_at
from fastmetrics.simulation.ranking_results import RankingStudy

BLOCK = 4


def ranking_study(
    models: Mapping[str, Any],
    *,
    prevalence: float = 0.01,
    n_negative: int = 19_800,
    n_datasets: int = 1000,
    metrics: Any = None,
    correlation: Any = 0.5,
    threshold: float | None = None,
    rng: Any = None,
    n_jobs: int | None = None,
) -> RankingStudy:
    """Rank models on the same rows by several metrics.

    Parameters
    ----------
    models : mapping of names to models
        Two or more, each with laws of its scores: Binormal, ScoreModel, EmpiricalModel,
        RoundedModel, CalibratedModel.
    prevalence : float
        Share of positives, between 0 and 1.
    n_negative : int
        Negative rows of every data set.
    n_datasets : int
        Data sets.
    metrics : str, Metric, function of this library, sequence or mapping of these, optional
        What to rank by: AUC, average precision, recall at a false positive rate of 1 % and
        precision at a recall of 50 % when left out.
    correlation : float, or pair of floats
        How far the scores of two models go together within the negatives, and within the positives:
        of normal numbers, from 0 to 1. (1, 0) gives models of one law the same negatives.
    threshold : float, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1].
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same numbers for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    RankingStudy
        Every metric of every model, on an endless data set and over data sets, and how often each
        model is the best one.

    Raises
    ------
    ValueError
        Fewer than two models, or options out of range.
    TypeError
        A model without laws of its scores.

    References
    ----------
    Davis & Goadrich 2006, doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> study = fm.simulation.ranking_study(
    ...     {"A": fm.simulation.Binormal(2), "B": fm.simulation.Binormal(2.6, scale=2)},
    ...     n_datasets=50, metrics=["roc_auc", "average_precision"], rng=0,
    ... )
    >>> study.best("roc_auc"), study.best("average_precision"), study.opposite
    ('A', 'B', True)
    >>> round(study["A", "roc_auc"]["expected"], 4), round(study["B", "roc_auc"]["expected"], 4)
    (0.9214, 0.8775)
    """
    if not hasattr(models, "items") or len(models) < 2:
        raise ValueError("models must be a mapping of names to two models or more")
    share = _options.prevalence(prevalence)
    n_negative = _options.whole(n_negative, "n_negative", 1)
    positives = positives_at(share, n_negative)
    if metrics is None:
        metrics = [
            "roc_auc",
            "average_precision",
            dataclasses.replace(describe_recall(max_fpr=0.01), name="recall at 1 % FPR"),
            dataclasses.replace(
                describe_precision(min_recall=0.5), name="precision at 50 % recall"
            ),
        ]
    asked = [read_asked(model, metrics, threshold) for model in models.values()]
    pairing = Pairing(
        {str(name): model for name, model in models.items()}, read_correlation(correlation)
    )
    for model in models.values():
        laws_of(model)
    root, seed = read_seed(rng)
    task = Task(pairing, positives, n_negative, asked[0], root)
    evaluations = [Evaluation(chosen) for chosen in asked]
    size = _options.whole(n_datasets, "n_datasets", 1)
    values = paired_values(task, evaluations, size, _bootstrap_options.threads(n_jobs))
    exact = positives / (positives + n_negative)
    expected = [
        [true_value(model, metric, exact, root).value for metric in chosen]
        for model, chosen in zip(models.values(), asked)
    ]
    return RankingStudy(task, values, np.array(expected), seed)


def paired_values(
    task: Task, evaluations: list[Evaluation], n_datasets: int, n_jobs: int
) -> Floats:
    """Values (data sets, models, k) of models that score the same rows, over threads."""
    values = np.empty((n_datasets, len(evaluations), len(task.metrics)))

    def block(place: int) -> None:
        first = place * BLOCK
        count = min(BLOCK, n_datasets - first)
        for row, generator in enumerate(task.generators(first, count)):
            labels, scores = task.model.draw(task.n_positive, task.n_negative, generator)
            for k, evaluation in enumerate(evaluations):
                values[first + row, k] = evaluation.values(labels, scores[k])

    run_blocks(block, -(-n_datasets // BLOCK), n_jobs)
    return values
