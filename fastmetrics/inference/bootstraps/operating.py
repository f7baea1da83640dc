"""The best threshold and what it gives, with intervals: chosen anew in every replicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric, Statistic
from fastmetrics.engine.plans.choosing import choose_items
from fastmetrics.engine.plans.tile_plan import TilePlan
from fastmetrics.engine.readings.answers import Answer
from fastmetrics.engine.readings.kinds import Rows, SweepReading, WeightsReading
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.errors import InputError
from fastmetrics.inference.arguments import options as _options
from fastmetrics.inference.arguments.draws import read_design
from fastmetrics.inference.arguments.samples import Arguments, read_sample
from fastmetrics.inference.bootstraps._runs import Run, Settings
from fastmetrics.inference.bootstraps.bootstrapping import DEFAULT_RESAMPLES
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.input.options import check_cost
from fastmetrics.ranking.sweep import count_metric
from fastmetrics.registry import metric as find_metric

METHODS: tuple[Literal["percentile", "basic", "normal"], ...] = ("percentile", "basic", "normal")


def operating_point(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    metric: str | Metric | None = None,
    *,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    n_resamples: int = DEFAULT_RESAMPLES,
    confidence_level: float = 0.95,
    method: Literal["percentile", "basic", "normal"] = "percentile",
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    resampling: Literal["multinomial", "poisson", "bayesian"] = "multinomial",
    pos_label: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> BootstrapResult:
    """Best threshold by a metric or by costs, and the value at it, with intervals.

    The threshold is chosen anew in every replicate, so that the intervals hold the uncertainty of
    the choice.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, {0, 1} or {-1, 1}, anything else with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class.
    metric : str or Metric, optional
        A metric of decisions, as ``"f1"``, that the threshold is to make best.
    cost_fp, cost_fn : float, optional
        Costs of a false alarm and of a miss, instead of a metric; the value is the mean cost of a
        row.
    n_resamples : int
        Replicates.
    confidence_level : float
        As a fraction, between 0 and 1.
    method : {"percentile", "basic", "normal"}
        Of both intervals.
    sample_weight, groups, strata, resampling, pos_label, rng, n_jobs, progress
        As in ``bootstrap``.

    Returns
    -------
    BootstrapResult
        Entries "threshold" and the name of the metric, or "cost".

    Raises
    ------
    InputError
        Neither a metric nor both costs, or a metric of all scores.
    ValueError
        Bad data or options; the message names the argument.

    Notes
    -----
    Of several best thresholds the highest. Where it is best to flag nothing, the threshold is the
    smallest number above all scores. The value is optimistic on the rows that chose the threshold;
    ``bias`` shows how much more optimistic replicates are. About 20 ns per row and replicate.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1]
    >>> y_score = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6]
    >>> point = fm.operating_point(y_true, y_score, cost_fp=1, cost_fn=5, rng=0)
    >>> point["threshold"].estimate, point["cost"].estimate
    (0.35, 0.25)
    >>> low, high = point["threshold"].confidence_interval
    >>> bool(low <= 0.35 <= high)
    True
    """
    name, value_of, greater = _criterion(metric, cost_fp, cost_fn)
    settings = Settings(
        level=_options.confidence_level(confidence_level),
        method=_options.one_of(method, "method", METHODS),
        alternative="two-sided",
        n_jobs=_options.threads(n_jobs),
        progress=bool(progress),
        frame=_options.frame_library(y_true, y_score),
    )
    asked = [find_metric("roc_auc")]
    true, models = read_sample(
        Arguments(y_true, y_score, None, sample_weight, pos_label, None, asked)
    )
    if len(models) > 1:
        raise ValueError("y_score holds several models: give one at a time")
    design = read_design(resampling, strata, groups, true)
    size = _options.n_resamples(n_resamples)
    if size is None:
        raise ValueError("n_resamples='auto' is not for thresholds: give a number")
    items = choose_items(true, models, [(None, None)], design, whole=True)
    scores: Any = models[0].scores
    reading = _reading(Rows(items, None, true.labels, true.weights), scores, value_of, greater)
    entries = [_entry("threshold", 0, True), _entry(name, 1, greater)]
    plan = TilePlan(items, design.law, [reading], entries)
    return Run.of_plan(plan, true, design, settings, rng).drawn(size)


Values = Callable[[Floats], Floats]


def _criterion(
    metric: str | Metric | None, cost_fp: float | None, cost_fn: float | None
) -> tuple[str, Values, bool]:
    """Return the name of what is optimised, its value on counts (..., 4), and its direction."""
    if metric is not None and cost_fp is None and cost_fn is None:
        found = count_metric(metric)
        return found.name, found.formula, found.greater_is_better
    if metric is None and cost_fp is not None and cost_fn is not None:
        costs = check_cost("cost_fp", cost_fp), check_cost("cost_fn", cost_fn)

        def mean_cost(counts: Floats) -> Floats:
            total: Floats = costs[0] * counts[..., 1] + costs[1] * counts[..., 2]
            mean: Floats = total / counts.sum(axis=-1)
            return mean

        return "cost", mean_cost, False
    raise InputError(
        "pass a metric, as in operating_point(y_true, y_score, 'f1'), or both cost_fp= and cost_fn="
    )


def _entry(name: str, column: int, greater_is_better: bool) -> Answer:
    """Answer that hands out a column as it is."""
    statistic = Statistic("best threshold and its value", 2, "rows")
    metric = Metric(
        name,
        statistic,
        lambda sums: sums[..., column],
        "score",
        (-np.inf, np.inf),
        greater_is_better,
        source="searched over the distinct scores",
    )
    return Answer(metric, 0, lambda sums: sums)


def _reading(
    shared: Rows, scores: npt.NDArray[np.floating], value_of: Values, greater: bool
) -> WeightsReading:
    """Return what searches the thresholds of every replicate."""
    sweep = SweepReading.of(shared, scores, SweepRequest(0, (), (), True))
    ends = np.flatnonzero(sweep.ends)
    positive = (sweep.marks & 1).astype(np.float64)[:, None]
    candidates = scores[sweep.order][ends].astype(np.float64)
    candidates = np.concatenate([[np.nextafter(candidates[0], np.inf)], candidates])

    def search(weights: Floats) -> Floats:
        ordered = weights[sweep.order]
        found = np.empty((weights.shape[1], 2))
        flagged = _from_nothing(np.cumsum(ordered, axis=0)[ends])
        tp = _from_nothing(np.cumsum(ordered * positive, axis=0)[ends])
        fp = flagged - tp
        counts = np.stack([tp, fp, tp[-1] - tp, fp[-1] - fp], axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = value_of(counts)
        gains = np.where(np.isnan(values), -np.inf, values if greater else -values)
        best = np.argmax(gains, axis=0)
        lanes = np.arange(best.size)
        found[:, 1] = values[best, lanes]
        found[:, 0] = np.where(np.isnan(found[:, 1]), np.nan, candidates[best])
        return found

    return WeightsReading(shared, search, 2, copies=12)


def _from_nothing(sums: Floats) -> Floats:
    """Put a row of zeros, where nothing is flagged, before sums (u, lanes)."""
    return np.concatenate([np.zeros((1, sums.shape[1])), sums])
