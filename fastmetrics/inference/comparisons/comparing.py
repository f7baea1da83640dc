"""Comparing models: on shared draws of the same rows, or on independent draws of two samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.draws.seeds import UNPAIRED, root_sequence, stream
from fastmetrics.engine.inputs import column_names
from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.inference.bootstraps.bootstrapping import DEFAULT_RESAMPLES, bootstrap
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.comparisons._pairs import check_comparison, read_margins, warn_of_pairs
from fastmetrics.inference.comparisons.differences import (
    Difference,
    Margin,
    PairKey,
    describe_difference,
    difference_of,
)
from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.inference.entries import Entry, Key
from fastmetrics.inference.intervals import Alternative, IntervalRule
from fastmetrics.input.options import is_number
from fastmetrics.registry import read_metrics


def compare(
    y_true: npt.ArrayLike | None,
    y_score: Any = None,
    metrics: Any = "roc_auc",
    *,
    baseline: str | None = None,
    margin: Any = None,
    adjust: Literal["holm", "none"] = "holm",
    y_pred: Any = None,
    n_resamples: int | Literal["auto"] = DEFAULT_RESAMPLES,
    confidence_level: float = 0.95,
    method: str | None = None,
    alternative: Alternative = "two-sided",
    threshold: Any = None,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    resampling: Literal["multinomial", "poisson", "bayesian"] = "multinomial",
    resamples: Iterable[npt.ArrayLike] | None = None,
    counts: Iterable[npt.ArrayLike] | None = None,
    by: Any = None,
    pos_label: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
    jackknife_groups: int | None = None,
) -> ComparisonResult:
    """Compare two models or more on shared draws of the same rows.

    The same as ``bootstrap(...).compare(baseline, margin, adjust)``; ``.scores`` is the bootstrap.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        As in ``bootstrap``.
    y_score : mapping or frame
        Scores, probabilities or values, one column per model.
    metrics : str, Metric, callable, sequence or mapping of these
        What to compare.
    baseline : str, optional
        The model that all others are compared with; None compares all pairs.
    margin : float, pair of floats, or mapping of metrics to these, optional
        The largest loss that does not matter, for a test of non-inferiority; a lower and an upper
        margin of the difference, for a test of equivalence. Each is one-sided, at
        ``(1 + confidence_level) / 2``.
    adjust : {"holm", "none"}
        Adjustment of the p-values over the pairs of one metric and slice.
    y_pred : array-like of shape (n,), or mapping, optional
        Predicted labels for label metrics, predictions for value metrics.
    n_resamples : int or "auto"
        Replicates; 0 gives estimates only. "auto" looks after 1,000, 2,000, 4,000, ... and stops
        when chance moves the limits by at most 5 % of the standard error, or at 64,000.
    confidence_level : float
        As a fraction, between 0 and 1.
    method : str, optional
        "percentile", "basic", "normal", "logit", "bca" or "studentized". None picks per metric: bca
        where the jackknife has a closed form; basic for ECE, MCE and the largest error, which
        resampling biases upwards; else percentile.
    alternative : {"two-sided", "less", "greater"}
        One-sided intervals are open below or above.
    threshold : float, or mapping of models to these, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1].
    sample_weight : array-like of shape (n,), optional
        Importance weights of 0 or more: rows are drawn equally, and count times their weight.
    groups : array-like of shape (n,), optional
        Cluster of each row. Clusters are drawn whole, as many as there are.
    strata : "class", or array-like of shape (n,), optional
        Every stratum keeps its number of rows, or of clusters, in every replicate.
    resampling : {"multinomial", "poisson", "bayesian"}
        Law of the weights: counts of exactly n draws, independent Poisson counts, or exponential
        weights (which are Dirichlet weights, for no metric depends on their scale).
    resamples : iterable of integer arrays, optional
        Draws from outside: the rows of each replicate.
    counts : iterable of integer arrays of shape (n,), optional
        Draws from outside: how often each row is drawn.
    by : array-like of shape (n,), mapping or frame of these, optional
        Slices: every metric is computed on the rows of each value, too, on the same draws.
    pos_label : label, optional
        The positive class.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same replicates for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.
    progress : bool
        Show a progress bar.
    jackknife_groups : int, optional
        For BCa intervals of a metric without a closed jackknife, such as a callable: leave out
        this many groups of rows in turn, instead of single rows.

    Returns
    -------
    ComparisonResult
        Differences, model less baseline, keyed by model, baseline, metric and slice.

    Raises
    ------
    ValueError
        One model only, or bad data or options; the message names the argument.

    Notes
    -----
    Identical models have difference 0, interval [0, 0] and p = 1. The p-value inverts the interval
    that is reported and is never 0. Two intervals that overlap say nothing of the difference.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1] * 3
    >>> first = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6] * 3
    >>> second = [0.3, 0.2, 0.1, 0.9, 0.4, 0.5, 0.8, 0.7] * 3
    >>> comparison = fm.compare(y_true, {"first": first, "second": second}, rng=0)
    >>> comparison.estimate
    0.25
    >>> comparison["second", "first", "roc_auc"].estimate
    -0.25
    >>> bool(0.0 < comparison.pvalue <= 1.0)
    True
    """
    chosen = read_metrics(metrics)
    # nothing is drawn for a comparison that cannot be made
    read_margins(margin, tuple(metric.name for metric in chosen))
    models = y_pred if y_score is None else y_score
    if isinstance(models, Mapping):
        check_comparison([str(name) for name in models], baseline, adjust)
    elif models is not None and not column_names(models):
        check_comparison([], baseline, adjust)
    result = bootstrap(
        y_true,
        y_score,
        chosen,
        y_pred=y_pred,
        n_resamples=n_resamples,
        confidence_level=confidence_level,
        method=method,
        alternative=alternative,
        threshold=threshold,
        sample_weight=sample_weight,
        groups=groups,
        strata=strata,
        resampling=resampling,
        resamples=resamples,
        counts=counts,
        by=by,
        pos_label=pos_label,
        rng=rng,
        n_jobs=n_jobs,
        progress=progress,
        jackknife_groups=jackknife_groups,
    )
    return result.compare(baseline, margin, adjust)


# what compare_unpaired takes for each of the samples; everything else is shared
DATA = ("y_true", "y_score", "y_pred", "sample_weight", "groups", "strata", "threshold")


def compare_unpaired(
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    metrics: Any = "roc_auc",
    *,
    margin: Any = None,
    n_resamples: int = DEFAULT_RESAMPLES,
    confidence_level: float = 0.95,
    method: str | None = None,
    alternative: Alternative = "two-sided",
    resampling: Literal["multinomial", "poisson", "bayesian"] = "multinomial",
    pos_label: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> ComparisonResult:
    """Compare a model on two samples: cohorts, periods, sites.

    The two are drawn independently; a difference is first less second.

    Parameters
    ----------
    first, second : mapping
        The data arguments of ``bootstrap``: y_true, y_score, y_pred, sample_weight, groups, strata
        and threshold, those that there are.
    metrics : str, Metric, callable, sequence or mapping of these
        What to compare.
    margin : float, pair of floats, or mapping of metrics to these, optional
        As in ``compare``.
    n_resamples, confidence_level, method, alternative, resampling, pos_label
        As in ``bootstrap``, for both.
    rng : None, int, SeedSequence or Generator
        Seed; the two samples get streams of their own.
    n_jobs, progress
        As in ``bootstrap``.

    Returns
    -------
    ComparisonResult
        Differences of "first" and "second", keyed by metric.

    Raises
    ------
    ValueError
        An argument that is no data argument, or bad data or options.

    Notes
    -----
    BCa takes the two samples as two strata (DiCiccio & Efron 1996).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1] * 3
    >>> spring = {"y_true": y_true, "y_score": [0.1, 0.4, 0.35, 0.8, 0.2, 0.7] * 3}
    >>> autumn = {"y_true": y_true, "y_score": [0.3, 0.2, 0.1, 0.9, 0.4, 0.5] * 3}
    >>> difference = fm.compare_unpaired(spring, autumn, n_resamples=500, rng=0)
    >>> round(difference.estimate, 4)
    0.2222
    """
    samples = {"first": first, "second": second}
    for name, sample in samples.items():
        if not isinstance(sample, Mapping):
            raise TypeError(
                f"{name} is a {type(sample).__name__}: give a dict of {', '.join(DATA)}"
            )
        unknown = [key for key in sample if key not in DATA]
        if unknown:
            raise ValueError(f"{name} holds {unknown[0]!r}: it takes {', '.join(DATA)}")
        if isinstance(sample.get("y_score"), Mapping) or isinstance(sample.get("y_pred"), Mapping):
            raise ValueError(f"{name} holds several models: compare one at a time")
    if isinstance(method, str) and method.lower() == "studentized":
        raise ValueError("method='studentized' has no standard error of a difference: use 'bca'")
    if not is_number(n_resamples):
        raise ValueError(f"n_resamples={n_resamples!r}: give a number, the same for both samples")
    root = root_sequence(rng)
    results = [
        bootstrap(
            sample.get("y_true"),
            metrics=metrics,
            **{key: value for key, value in sample.items() if key != "y_true"},
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            method=method,
            alternative=alternative,
            resampling=resampling,
            pos_label=pos_label,
            rng=stream(root, UNPAIRED, 0, k),
            n_jobs=n_jobs,
            progress=progress,
        )
        for k, sample in enumerate(samples.values())
    ]
    for name, result in zip(samples, results):
        if result.models:
            raise ValueError(f"{name} holds several models: compare one at a time")
    margins = read_margins(margin, results[0].metrics)
    differences: dict[PairKey, Difference] = {}
    for name in results[0].metrics:
        found = _unpaired(results[0], results[1], name, margins.get(name))
        found = dataclasses.replace(found, pvalue_adjusted=found.pvalue)
        differences["first", "second", name, None] = found
    seed = int(rng) if isinstance(rng, (int, np.integer)) else root
    info = dataclasses.replace(results[0].info, seed=seed, other=results[1].info)
    warn_of_pairs(differences, info, 1)
    return ComparisonResult(differences, info, adjustment="none")


def _unpaired(
    first: BootstrapResult, second: BootstrapResult, metric: str, margin: Margin | None
) -> Difference:
    """Return first less second on independent draws."""
    key: Key = (None, metric, None)
    one, other = first.entries()[key], second.entries()[key]
    estimate, replicates = difference_of(one, other)
    acceleration = float("nan")
    if one.rule.method == "bca":
        sources = [result.delete_one_of([key]) for result in (first, second)]
        parts = [source[0]() for source in sources if source is not None]
        acceleration = _two_samples(parts, (one, other)).acceleration()
    (low, high), (other_low, other_high) = one.rule.bounds, other.rule.bounds
    rule = IntervalRule(
        one.rule.method,
        one.rule.level,
        one.rule.alternative,
        estimate,
        (low - other_high, high - other_low),
        acceleration,
    )
    return describe_difference(rule, replicates, one.greater_is_better, margin)


def _two_samples(parts: list[DeleteOne], entries: tuple[Entry, Entry]) -> DeleteOne:
    """Delete-one values of a difference: the items of both samples, each a stratum or several."""
    first, second = parts
    pools = [
        np.zeros(part.values.size, np.int64) if part.pools is None else part.pools.astype(np.int64)
        for part in parts
    ]
    rows = [
        np.ones(part.values.size, np.int64) if part.rows is None else part.rows for part in parts
    ]
    return DeleteOne(
        np.concatenate([first.values - entries[1].estimate, entries[0].estimate - second.values]),
        np.concatenate(rows),
        np.concatenate([pools[0], pools[1] + pools[0].max() + 1]),
        first.exact and second.exact,
    )
