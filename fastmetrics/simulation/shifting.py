"""Prevalence shift: one's own evaluation data, weighted to the prevalence of another place or time.

Conventions
-----------
Within each class the scores are assumed to be distributed there as here: only the share of the
positives differs. Rows of a class share the weight that gives the class its share.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.statistics import BINARY_COUNTS
from fastmetrics.errors import LabelError
from fastmetrics.inference.bootstraps.bootstrapping import DEFAULT_RESAMPLES, bootstrap
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.options import check_cost
from fastmetrics.input.validation import weights as read_weights
from fastmetrics.registry import read_metrics
from fastmetrics.simulation.prevalence import read_prevalences
from fastmetrics.simulation.shift_results import PrevalenceShift

DEFAULT_METRICS = ("precision", "average_precision", "f1")
EXPECTED_COST = "expected_cost"
WEIGHT_BITS = 24


def prevalence_shift(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    prevalence: npt.ArrayLike,
    metrics: Any = None,
    *,
    threshold: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    n_resamples: int = DEFAULT_RESAMPLES,
    confidence_level: float = 0.95,
    method: str | None = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    strata: Literal["class"] | npt.ArrayLike | None = "class",
    resampling: Literal["multinomial", "poisson", "bayesian"] = "multinomial",
    pos_label: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> PrevalenceShift:
    """Estimate what metrics would be at other prevalences, with intervals.

    Positives are weighted by the odds of the target prevalence over those of their own, and the
    rows bootstrapped with these weights.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, {0, 1} or {-1, 1}, anything else with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, finite.
    prevalence : float or sequence of floats
        Target shares of positives, between 0 and 1.
    metrics : str, Metric, function of this library, sequence or mapping of these, optional
        What to compute; "expected_cost" is ``(cost_fp * fp + cost_fn * fn) / n``. Precision,
        average precision, F1 and, where costs are given, the expected cost when left out.
    threshold : float, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1].
    cost_fp, cost_fn : float, optional
        Costs of a false alarm and of a miss, for the expected cost of a row.
    n_resamples, confidence_level, method, groups, resampling, n_jobs, progress
        As in ``bootstrap``.
    sample_weight : array-like of shape (n,), optional
        Importance weights of 0 or more; the own prevalence is that of the weighted rows.
    strata : "class", None or array-like of shape (n,)
        "class" keeps the number of rows of each class, and so the target prevalence, in every
        replicate; None lets it vary as it would in a sample like this one. With groups that hold
        both classes it must be None.
    pos_label : label, optional
        The positive class.
    rng : None, int, SeedSequence or Generator
        Seed; all prevalences share their draws.

    Returns
    -------
    PrevalenceShift
        Estimates and intervals per prevalence and metric.

    Raises
    ------
    ValueError
        Bad data or options; the message names the argument.

    Notes
    -----
    The assumption is called label shift or prior shift: it holds where the positives are the same
    kind of positives and only rarer. Metrics of one class alone, as recall and AUC, do not move.
    A threshold stays where it is; calibrated probabilities are calibrated no longer.

    References
    ----------
    Saerens, Latinne & Decaestecker 2002, doi:10.1162/089976602753284446.

    Examples
    --------
    >>> import numpy as np
    >>> import fastmetrics as fm
    >>> y_true, y_score = fm.simulation.Binormal(2).draw(500, 500, np.random.default_rng(0))
    >>> shift = fm.simulation.prevalence_shift(
    ...     y_true, y_score, [0.5, 0.1, 0.01], "precision", threshold=1, n_resamples=500, rng=0
    ... )
    >>> [round(shift[share, "precision"]["estimate"], 3) for share in (0.5, 0.1, 0.01)]
    [0.866, 0.419, 0.061]
    """
    targets = read_prevalences(prevalence)
    chosen = _with_cost(metrics, cost_fp, cost_fn)
    labels = binary_labels(y_true, pos_label)
    given = read_weights(sample_weight, labels.size)
    own = prevalence_of(labels, given)
    root, seed = read_seed(rng)
    results = {
        target: bootstrap(
            y_true,
            y_score,
            chosen,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            method=method,
            threshold=threshold,
            sample_weight=shifted_weights(labels, given, own, target),
            groups=groups,
            strata=strata,
            resampling=resampling,
            pos_label=pos_label,
            rng=root,
            n_jobs=n_jobs,
            progress=progress,
        )
        for target in targets
    }
    return PrevalenceShift(results, own, seed)


def prevalence_of(labels: npt.NDArray[np.uint8], weights: Floats | None) -> float:
    """Share of the positives in the weight of all rows."""
    own = float(labels.mean() if weights is None else weights @ labels / weights.sum())
    if not 0.0 < own < 1.0:
        raise LabelError("y_true holds one class only: there is no other prevalence to weight to")
    return own


def shifted_weights(
    labels: npt.NDArray[np.uint8], weights: Floats | None, own: float, target: float
) -> Floats | None:
    """Weights (n,) that give the positives a share; None where nothing is to be weighted.

    Negatives keep theirs. The weight of the positives has 24 bits, so that sums of it are exact:
    replicates that tie with the estimate do so to the last bit, which BCa intervals count.
    """
    mantissa, exponent = math.frexp(target / (1.0 - target) * ((1.0 - own) / own))
    ratio = math.ldexp(round(mantissa * 2.0**WEIGHT_BITS), exponent - WEIGHT_BITS)
    if ratio == 1.0:
        return weights
    shifted: Floats = np.where(labels == 1, ratio, 1.0)
    if weights is not None:
        shifted *= weights
    return shifted


def expected_cost(cost_fp: float, cost_fn: float) -> Metric:
    """Describe the mean cost of the errors over rows."""
    return Metric(
        EXPECTED_COST,
        BINARY_COUNTS,
        partial(_mean_cost, cost_fp=cost_fp, cost_fn=cost_fn),
        "label",
        (0.0, max(cost_fp, cost_fn)),
        False,
        default_interval="bca",
        options=(("cost_fp", cost_fp), ("cost_fn", cost_fn)),
    )


def _mean_cost(counts: Floats, cost_fp: float, cost_fn: float) -> Floats:
    """Mean cost of the counts tp, fp, fn, tn on the last axis."""
    costs: Floats = (cost_fp * counts[..., 1] + cost_fn * counts[..., 2]) / counts.sum(axis=-1)
    return costs


def _with_cost(metrics: Any, cost_fp: float | None, cost_fn: float | None) -> list[Metric]:
    """Return the metrics, the expected cost put in where it is named."""
    if (cost_fp is None) != (cost_fn is None):
        missing = "cost_fp" if cost_fp is None else "cost_fn"
        raise ValueError(f"{missing} is missing: the expected cost needs both costs")
    cost = None
    if cost_fp is not None and cost_fn is not None:
        cost = expected_cost(check_cost("cost_fp", cost_fp), check_cost("cost_fn", cost_fn))
    if metrics is None:
        metrics = [*DEFAULT_METRICS, *([EXPECTED_COST] if cost else [])]
    several = [metrics] if isinstance(metrics, (str, Metric)) or callable(metrics) else metrics
    if any(isinstance(metric, str) and metric == EXPECTED_COST for metric in _values(several)):
        if cost is None:
            raise ValueError("expected_cost needs the costs of errors: pass cost_fp= and cost_fn=")
        if hasattr(several, "items"):
            several = {name: _put(metric, cost) for name, metric in several.items()}
        else:
            several = [_put(metric, cost) for metric in several]
    elif cost is not None:
        raise ValueError("cost_fp and cost_fn have no metric: add 'expected_cost' to metrics")
    return read_metrics(several)


def _values(metrics: Any) -> Any:
    return metrics.values() if hasattr(metrics, "values") else metrics


def _put(metric: Any, cost: Metric) -> Any:
    return cost if isinstance(metric, str) and metric == EXPECTED_COST else metric
