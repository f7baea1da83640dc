"""Bootstrap of metrics on joint replicates.

Conventions
-----------
All metrics, models and slices of a call share the same draws. Nothing is copied: a replicate is a
vector of weights, and every metric is a pass over the data with these. What a call resamples is
the coarsest data that still answer it: counts, merged cells, clusters, or rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy.typing as npt

from fastmetrics.inference.arguments import options as _options
from fastmetrics.inference.arguments.draws import (
    given_counts,
    read_design,
    read_slices,
    slice_columns,
)
from fastmetrics.inference.arguments.samples import Arguments, read_sample
from fastmetrics.inference.bootstraps._runs import Run, Settings
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.intervals import ALTERNATIVES, METHODS, Alternative
from fastmetrics.registry import read_metrics

DEFAULT_RESAMPLES = 2000


def bootstrap(
    y_true: npt.ArrayLike | None,
    y_score: Any = None,
    metrics: Any = "roc_auc",
    *,
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
) -> BootstrapResult:
    """Estimate metrics with confidence intervals from resampled rows or clusters.

    Every replicate draws n rows with replacement (exactly multinomial), or whole clusters, and all
    metrics, models and slices are computed on the same draws.

    Parameters
    ----------
    y_true : array-like of shape (n,), or (n, m)
        Labels: bool, {0, 1} or {-1, 1}, anything else with ``pos_label``; several classes; targets
        of value metrics; relevances of lists. None where no metric reads it.
    y_score : array-like of shape (n,), mapping, frame, or array-like of shape (n, K), optional
        Scores, probabilities or values. A mapping or a frame holds one column per model. Several
        columns of one model belong to the sorted classes, or to those that name them.
    metrics : str, Metric, callable, sequence or mapping of these
        What to compute; see ``metric_names``. A mapping names the results. A callable is
        ``(y_true, y_score, sample_weight) -> float``; without a parameter ``sample_weight`` it gets
        repeated rows.
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
    BootstrapResult
        Estimates, intervals and replicates, keyed by model, metric and slice.

    Raises
    ------
    ValueError
        Bad data or options; the message names the argument.

    Notes
    -----
    A replicate costs O(n), about half a nanosecond per row for AUC, or O(cells) where scores are
    rounded or positives rare; metrics that add up over rows cost O(clusters) under ``groups``.
    Memory is O(n), never O(n B): one model takes a few bytes per row; several models, clusters and
    slices keep a tile of 64 bytes per drawn item and thread, or 32 where there are over four
    million, which takes about twice as long and gives the same numbers.

    References
    ----------
    Efron & Tibshirani 1993, An Introduction to the Bootstrap. DiCiccio & Efron 1996,
    doi:10.1214/ss/1032280214. Rubin 1981, doi:10.1214/aos/1176345338 (Bayesian weights).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1]
    >>> y_score = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6]
    >>> result = fm.bootstrap(y_true, y_score, "roc_auc", n_resamples=500, rng=0)
    >>> result.estimate
    0.875
    >>> low, high = result.confidence_interval
    >>> bool(0.0 <= low < 0.875 < high <= 1.0)
    True
    """
    chosen = read_metrics(metrics)
    arguments = Arguments(
        y_true,
        y_score,
        y_pred,
        sample_weight,
        pos_label,
        _options.threshold(threshold),
        chosen,
    )
    settings = Settings(
        level=_options.confidence_level(confidence_level),
        method=_options.interval_method(method, METHODS),
        alternative=_options.one_of(alternative, "alternative", ALTERNATIVES),
        n_jobs=_options.threads(n_jobs),
        progress=bool(progress),
        frame=_options.frame_library(y_true, y_score, y_pred),
        jackknife_groups=_options.jackknife_groups(jackknife_groups),
        slice_columns=len(slice_columns(by)),
    )
    true, models = read_sample(arguments)
    design = read_design(resampling, strata, groups, true)
    slices = read_slices(by, true.n)
    _options.require_distinct_names(models, chosen, slices)
    _options.check_callables(chosen, design.law, sample_weight)
    if resamples is not None or counts is not None:
        _options.only_given_draws(
            {"resamples": resamples, "counts": counts},
            {
                "n_resamples": (n_resamples, DEFAULT_RESAMPLES),
                "rng": (rng, None),
                "resampling": (resampling, "multinomial"),
                "groups": (groups, None),
                "strata": (strata, None),
            },
        )
        draws = given_counts(resamples, counts, true.n)
        return Run(true, models, slices, design, settings, given=True).given(draws)
    size = _options.n_resamples(n_resamples)
    run = Run(true, models, slices, design, settings, rng)
    return run.drawn_until_precise() if size is None else run.drawn(size)
