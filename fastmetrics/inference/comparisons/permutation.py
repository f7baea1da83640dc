"""Permutation test of a paired difference: whether two models are exchangeable, row by row.

Conventions
-----------
Under the hypothesis it does not matter which model said what of a row: each row, or each whole
group, swaps with probability one half. The difference is the first model less the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.seeds import root_sequence
from fastmetrics.engine.readings.answers import ModelData
from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.inference.arguments import options as _options
from fastmetrics.inference.arguments.draws import read_design
from fastmetrics.inference.arguments.samples import Arguments, read_sample
from fastmetrics.inference.bootstraps._warnings import WARNED_SHARE
from fastmetrics.inference.comparisons._swaps import SwapPlan
from fastmetrics.inference.entries import plain_seed
from fastmetrics.inference.intervals import ALTERNATIVES, Alternative
from fastmetrics.registry import read_metrics

Scale = Literal["rank", "score"]
SCALES: tuple[Scale, ...] = ("rank", "score")
# kinds of statistic that see nothing of scores but their order
ORDERED = ("concordance", "precision", "point", "rows")
# differences this close to the one observed, as a share of the values, are ties with it
TIE_SHARE = 1e-12


@dataclass(frozen=True, repr=False, eq=False)
class PermutationTestResult:
    """Difference of two models, and what it would be by chance alone.

    Parameters
    ----------
    metric : name
    models : names, first and second
    values : the metric of both
    statistic : first less second
    pvalue : share of the permutations with a difference at least as extreme
    null_distribution : (B,) differences under the permutations, nan where undefined
    alternative : which differences are extreme
    scale : what was swapped: "rank" or "score"
    exact : whether these are all the permutations there are
    n_rows, n_groups : size of the data; None groups where single rows swap
    seed : what reproduces the permutations as ``rng``, None where they are all there
    """

    metric: str
    models: tuple[str, str]
    values: tuple[float, float]
    statistic: float
    pvalue: float
    null_distribution: Floats
    alternative: Alternative
    scale: Scale
    exact: bool
    n_rows: int
    n_groups: int | None
    seed: Any

    @property
    def n_resamples(self) -> int:
        """Number of permutations."""
        return self.null_distribution.size

    @property
    def n_undefined(self) -> int:
        """Permutations in which the metric is undefined for either model."""
        return int(np.isnan(self.null_distribution).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the null distribution, in types that JSON knows."""
        return {
            "metric": self.metric,
            "models": list(self.models),
            "values": list(self.values),
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "alternative": self.alternative,
            "scale": self.scale,
            "exact": self.exact,
            "n_resamples": self.n_resamples,
            "n_undefined": self.n_undefined,
            "n_rows": self.n_rows,
            "n_groups": self.n_groups,
            "seed": plain_seed(self.seed),
        }

    def __repr__(self) -> str:
        """Return the finding and a line on the permutations."""
        both = "  ".join(f"{name} {value:.4f}" for name, value in zip(self.models, self.values))
        data = f"{self.n_rows:,} rows"
        if self.n_groups is not None:
            data += f" in {self.n_groups:,} groups"
        drawn = "all there are" if self.exact else f"seed {plain_seed(self.seed)}"
        return (
            f"{self.metric}  {both}   difference {self.statistic:+.4f}   p {self.pvalue:.2g} "
            f"({self.alternative})\n"
            f"{data} · {self.n_resamples:,} permutations of {self.scale}s, {drawn} · "
            f"{self.n_undefined:,} undefined"
        )


def permutation_test(
    y_true: npt.ArrayLike | None,
    y_score: Any = None,
    metric: Any = "roc_auc",
    *,
    n_resamples: int = 10_000,
    alternative: Alternative = "two-sided",
    scale: Scale | None = None,
    threshold: Any = None,
    y_pred: Any = None,
    groups: npt.ArrayLike | None = None,
    pos_label: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
) -> PermutationTestResult:
    """Test the difference of two models on the same rows by swapping what they say of a row.

    The p-value is the share of the permutations in which the difference is at least as extreme as
    the one observed: of all permutations where there are at most ``n_resamples``, else of random
    ones and the one observed, ``(count + 1) / (n_resamples + 1)``.

    Parameters
    ----------
    y_true : array-like of shape (n,), or (n, m)
        Labels, targets or relevances, as in ``bootstrap``. None where the metric does not read it.
    y_score : mapping or frame, optional
        Scores, probabilities or values of exactly two models, no NaN.
    metric : str, Metric or callable
        What to compare; see ``metric_names``. A callable is ``(y_true, y_score, sample_weight) ->
        float``; without a parameter ``sample_weight`` it gets the rows of one model.
    n_resamples : int
        The largest number of permutations.
    alternative : {"two-sided", "less", "greater"}
        "greater" tests whether the first model has the larger value.
    scale : {"rank", "score"}, optional
        What is swapped: the ranks of a row's scores within each model, ties sharing their mean
        rank, or the scores themselves. By default ranks for metrics that see only the order of
        scores, which need not be on one scale then; else the scores, probabilities, values or
        decisions.
    threshold : float, or mapping of models to these, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1]. Of label
        metrics the decisions are swapped.
    y_pred : mapping or frame, optional
        Predicted labels for label metrics, predictions for value metrics, of both models.
    groups : array-like of shape (n,), optional
        Group of each row; the rows of a group swap together.
    pos_label : label, optional
        The positive class.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same permutations for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    PermutationTestResult
        ``statistic`` (first model less second), ``pvalue`` in (0, 1], ``null_distribution`` and
        ``values`` of both models. Identical models have p = 1; p is nan, with a warning, where the
        metric is undefined.

    Raises
    ------
    ValueError
        Not exactly two models, or bad data or options; the message names the argument.

    Notes
    -----
    The hypothesis is that the two models are exchangeable within each row, or group: equal ROC
    curves, say, not only equal areas. Two models with one area and curves that cross are rejected
    more or less often than the level says; ``compare`` and ``delong_test`` ask about the value
    alone. Rows on which the models agree need no swap, so the number of all permutations is 2 to
    the number of rows, or groups, on which they differ. Permutations in which the metric is
    undefined are left out. Bins by quantiles are those of both models' probabilities together.

    Cost: two passes over 2 n rows per permutation, and one sort. Memory: the weights of some
    permutations, at most 400 MB per thread (24 bytes per row above 17 million rows).

    References
    ----------
    Bandos, Rockette & Gur (2005), doi:10.1002/sim.2149. Venkatraman & Begg (1996),
    doi:10.1093/biomet/83.4.835. Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1]
    >>> first = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6]
    >>> second = [0.3, 0.2, 0.1, 0.9, 0.4, 0.5, 0.8, 0.7]
    >>> fm.permutation_test(y_true, {"first": first, "second": second})
    roc_auc  first 0.8750  second 0.6250   difference +0.2500   p 0.16 (two-sided)
    8 rows · 64 permutations of ranks, all there are · 0 undefined
    """
    chosen = _read_metric(metric)
    by_rank = _by_rank(chosen, scale)
    size = _read_size(n_resamples)
    side = _options.one_of(alternative, "alternative", ALTERNATIVES)
    threads = _options.threads(n_jobs)
    root = root_sequence(rng)
    arguments = Arguments(
        y_true, y_score, y_pred, None, pos_label, _options.threshold(threshold), [chosen]
    )
    true, models = read_sample(arguments)
    names = _two_names(models, "y_pred" if y_score is None else "y_score")
    group = read_design("multinomial", None, groups, true).groups
    plan = SwapPlan.of(true, models, group, by_rank)
    values = plan.unswapped()
    exact = plan.units < size.bit_length()  # 2**units <= size
    null = plan.all_differences(threads) if exact else plan.random_differences(size, root, threads)
    with np.errstate(invalid="ignore"):
        statistic = float(np.subtract(*values))
    _warn(chosen.name, statistic, null)
    return PermutationTestResult(
        metric=chosen.name,
        models=names,
        values=values,
        statistic=statistic,
        pvalue=_pvalue(statistic, values, null, side, exact),
        null_distribution=null,
        alternative=side,
        scale="rank" if by_rank else "score",
        exact=exact,
        n_rows=true.n,
        n_groups=None if group is None else int(group.max()) + 1,
        seed=None if exact else int(rng) if isinstance(rng, (int, np.integer)) else root,
    )


def _read_metric(metric: Any) -> Metric:
    """Return the one metric of a call."""
    if not isinstance(metric, (str, Metric)) and not callable(metric):
        raise ValueError(f"metric={metric!r}: give one name, Metric or function at a time")
    return read_metrics(metric)[0]


def _by_rank(metric: Metric, scale: Any) -> bool:
    """Whether ranks are swapped."""
    statistic = metric.statistic
    ordered = metric.input == "score" and statistic.kind in ORDERED and statistic.data == "pairs"
    if scale is None:
        return ordered
    by_rank = _options.one_of(scale, "scale", SCALES) == "rank"
    if by_rank and not ordered:
        raise ValueError(
            f"scale='rank': {metric.name} depends on more than the order of the scores, leave "
            "scale= out"
        )
    return by_rank


def _read_size(n_resamples: Any) -> int:
    """Return the largest number of permutations."""
    whole = isinstance(n_resamples, (int, np.integer)) and not isinstance(n_resamples, bool)
    if whole and n_resamples >= 1:
        return int(n_resamples)
    raise ValueError(f"n_resamples={n_resamples!r}: give a whole number of 1 or more")


def _two_names(models: tuple[ModelData, ...], argument: str) -> tuple[str, str]:
    """Return the names of exactly two models."""
    names = [model.name for model in models if model.name is not None]
    if len(names) == 2:
        return names[0], names[1]
    found = f"holds {len(names)} models" if names else "holds one model without a name"
    raise InputError(
        f"{argument} {found}: a paired test takes exactly two, "
        f"{argument}={{'first': ..., 'second': ...}}"
    )


def _warn(name: str, statistic: float, null: Floats) -> None:
    """Warn where the metric is undefined."""
    undefined = int(np.isnan(null).sum())
    if np.isnan(statistic):
        warn_undefined(f"{name} undefined on these data: nan, no p-value")
    elif undefined > WARNED_SHARE * null.size:
        warn_undefined(
            f"{name} is undefined in {undefined:,} of {null.size:,} permutations, which are left "
            "out"
        )


def _pvalue(
    statistic: float,
    values: tuple[float, float],
    null: Floats,
    alternative: Alternative,
    exact: bool,
) -> float:
    """Share of the permutations that are at least as extreme; sums in another order may tie."""
    if np.isnan(statistic):
        return float("nan")
    defined = null[~np.isnan(null)]
    tie = TIE_SHARE * max(map(abs, values)) if np.isfinite(statistic) else 0.0
    if alternative == "two-sided":
        extreme = np.abs(defined) >= abs(statistic) - tie
    elif alternative == "greater":
        extreme = defined >= statistic - tie
    else:
        extreme = defined <= statistic + tie
    count = int(np.count_nonzero(extreme))
    return count / defined.size if exact else (count + 1) / (defined.size + 1)
