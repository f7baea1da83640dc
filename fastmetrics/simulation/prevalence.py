"""Prevalence: what every metric makes of one model where its positives are common, and rare.

Conventions
-----------
The negatives keep their number, the positives follow from the prevalence. The silent classifier
never flags a row and gives all of them one score; of metrics of probabilities it is the one that
says the prevalence every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.simulation import _options
from fastmetrics.simulation._asked import Evaluation, is_swept, read_asked
from fastmetrics.simulation._truth import exact_value
from fastmetrics.simulation.prevalence_results import PrevalenceStudy
from fastmetrics.simulation.simulating import simulate

DEFAULT_PREVALENCE = (0.5, 0.1, 0.01)
DEFAULT_METRICS = (
    "roc_auc",
    "average_precision",
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
    "f1",
    "matthews_corrcoef",
    "cohen_kappa",
)


def prevalence_study(
    model: Any,
    *,
    prevalence: npt.ArrayLike = DEFAULT_PREVALENCE,
    n_negative: int = 20_000,
    n_datasets: int = 1000,
    metrics: Any = DEFAULT_METRICS,
    threshold: float | None = None,
    rng: Any = None,
    n_jobs: int | None = None,
) -> PrevalenceStudy:
    """Compute metrics of one model over a grid of prevalences.

    Parameters
    ----------
    model : Binormal, ScoreModel, EmpiricalModel, RoundedModel, CalibratedModel
        Or anything with a method ``draw(n_positive, n_negative, generator)``.
    prevalence : float or sequence of floats
        Shares of positives, between 0 and 1.
    n_negative : int
        Negative rows of every data set; ``round(n_negative * prevalence / (1 - prevalence))`` are
        positive.
    n_datasets : int
        Data sets at each prevalence.
    metrics : str, Metric, function of this library, sequence or mapping of these
        What to compute; see ``metric_names``.
    threshold : float, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1].
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same numbers for any ``n_jobs``, and the same positives, as
        far as they go, at every prevalence.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    PrevalenceStudy
        Means and spread over data sets; what the law of the scores says of an endless one, as the
        precision by Bayes' rule; and the silent classifier.

    Raises
    ------
    ValueError
        Prevalences that are none, or that leave no positive row.

    Notes
    -----
    The negatives of models with a known law are not drawn, so a billion of them cost nothing; see
    ``simulate``.

    References
    ----------
    Saito & Rehmsmeier 2015, doi:10.1371/journal.pone.0118432.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> study = fm.simulation.prevalence_study(
    ...     fm.simulation.Binormal(2), metrics=["roc_auc", "precision", "accuracy"], threshold=1,
    ...     n_datasets=200, rng=0
    ... )
    >>> [round(study[share, "precision"]["expected"], 4) for share in (0.5, 0.1, 0.01)]
    [0.8413, 0.3708, 0.0508]
    >>> round(study[0.01, "accuracy"]["mean"], 2), round(study[0.01, "accuracy"]["silent"], 2)
    (0.84, 0.99)
    """
    shares = read_prevalences(prevalence)
    n_negative = _options.whole(n_negative, "n_negative", 1)
    positives = [positives_at(share, n_negative) for share in shares]
    asked = read_asked(model, metrics, threshold)
    root, seed = read_seed(rng)
    runs = [
        simulate(
            model,
            n_positive=size,
            n_negative=n_negative,
            n_datasets=n_datasets,
            metrics={metric.name: metric for metric in asked},
            threshold=threshold,
            rng=root,
            n_jobs=n_jobs,
        )
        for size in positives
    ]
    expected = [[_expected(model, metric, share) for metric in asked] for share in shares]
    silent = [silent_values(asked, size, n_negative) for size in positives]
    return PrevalenceStudy(shares, runs, np.array(expected), np.array(silent), seed)


def read_prevalences(prevalence: npt.ArrayLike) -> list[float]:
    """Return prevalences, each once, in the order given."""
    given = list(prevalence) if isinstance(prevalence, Iterable) else [prevalence]
    if not given:
        raise ValueError("prevalence is empty: give at least one")
    shares = [_options.prevalence(value) for value in given]
    if len(set(shares)) < len(shares):
        raise ValueError(f"prevalence={prevalence!r}: give each once")
    return shares


def positives_at(prevalence: float, n_negative: int) -> int:
    """Return the positives that have a prevalence beside so many negatives."""
    positives = round(n_negative * prevalence / (1.0 - prevalence))
    if not positives:
        raise ValueError(
            f"prevalence={prevalence:g} leaves no positive row beside {n_negative:,} negative ones:"
            f" raise n_negative to {math.ceil(0.5 * (1.0 - prevalence) / prevalence) + 1:,}"
        )
    return _options.whole(positives, "n_positive", 1)


def _expected(model: Any, metric: Metric, prevalence: float) -> float:
    """Value on an endless data set by formula, else nan."""
    known = exact_value(model, metric, prevalence)
    return math.nan if known is None else known


def silent_values(metrics: tuple[Metric, ...], n_positive: int, n_negative: int) -> Floats:
    """Values (k,) of the classifier that never flags, by formulas: nan for 0/0."""
    labels = np.array([1, 0], np.uint8)
    rows = np.array([n_positive, n_negative], np.float64)
    values = np.empty(len(metrics))
    for k, metric in enumerate(metrics):
        cut = metric.statistic.parameter if metric.statistic.kind in ("counts", "confusion") else 1
        score = np.nextafter(cut, -np.inf) if is_swept(metric) else rows[0] / rows.sum()
        values[k] = Evaluation((metric,)).values(labels, np.full(2, score), rows)[0]
    return values
