"""How many rows it takes: for an interval that is narrow enough, or to see a difference.

Conventions
-----------
Sizes have a prevalence: of n rows ``round(n * prevalence)`` are positive. A half-width is that of a
normal interval with the true standard error, which the other intervals have on average. Power is
that of a two-sided test of the difference of two models on the same rows, by its true standard
error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from fastmetrics.engine.description import Metric
from fastmetrics.engine.draws.seeds import read_seed, root_sequence
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.input.options import is_number
from fastmetrics.simulation import _hanley_mcneil, _options
from fastmetrics.simulation._asked import read_asked
from fastmetrics.simulation._nested import is_area
from fastmetrics.simulation._paired import read_correlation
from fastmetrics.simulation._search import answer, search
from fastmetrics.simulation._sizes import DifferenceTrials, SpreadTrials, split_rows
from fastmetrics.simulation._truth import true_value
from fastmetrics.simulation.binormal import Binormal
from fastmetrics.simulation.planning_results import SampleSize

LARGEST_PLAN = 2**40
LARGEST_PAIRED_PLAN = 10_000_000
FEWEST_OF_A_CLASS = 2
FARTHEST = 20.0


def sample_size(
    model: Any,
    metric: Any = "roc_auc",
    *,
    half_width: float | None = None,
    difference: float | None = None,
    power: float | None = None,
    prevalence: float,
    other: Any = None,
    correlation: Any = 0.5,
    confidence_level: float = 0.95,
    threshold: float | None = None,
    n_datasets: int = 2000,
    rng: Any = None,
    n_jobs: int | None = None,
) -> SampleSize:
    """Find how many positives and negatives an evaluation needs.

    Either for an interval of a given half-width, or for the power to see that one of two models on
    the same rows is better.

    Parameters
    ----------
    model : Binormal, ScoreModel, EmpiricalModel, RoundedModel, CalibratedModel
        What the scores are expected to be like; for a half-width, anything that ``simulate`` takes.
    metric : str, Metric or function of this library
        What is estimated.
    half_width : float, optional
        Wanted half-width of the interval, above 0.
    difference : float, optional
        True difference to be seen: a second ``Binormal`` model whose metric is larger by this
        much (or smaller, below 0) is made of the first.
    power : float, optional
        Wanted probability that the test sees the difference, between 0 and 1.
    prevalence : float
        Share of positives, between 0 and 1.
    other : model, optional
        The second model, instead of a difference.
    correlation : float, or pair of floats
        How far the scores of the two models go together within the negatives, and within the
        positives: of normal numbers, from 0 to 1.
    confidence_level : float
        Of the interval; the level of the test is 1 less it.
    threshold : float, optional
        Rows with scores of at least this are flagged; 0.5 where all scores lie in [0, 1].
    n_datasets : int
        Data sets that every size is tried on; more make the answer more certain.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same numbers for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    SampleSize
        Positives and negatives, what they achieve, the Monte-Carlo error of both, the closed form
        it started from, and every size that was tried.

    Raises
    ------
    ValueError
        Neither a half-width nor a power, or both; options out of range; no size that would do.

    Notes
    -----
    The search starts from a closed form (Hanley & McNeil 1982 for AUC, with their correlation of
    1983 for a difference; a binomial share of the positives for other metrics), goes on by
    simulation, and ends where Monte-Carlo error hides the rest. The half-width of an AUC of a model
    with two laws is exact and is not simulated. Power draws every row of both models: n_datasets
    times the rows of each size tried.

    References
    ----------
    Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747, and 1983,
    doi:10.1148/radiology.148.3.6878708. Obuchowski & McClish 1997,
    doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> model = fm.simulation.Binormal.with_auc(0.9)
    >>> plan = fm.simulation.sample_size(model, half_width=0.03, prevalence=0.1)
    >>> plan.n_positive, plan.n_negative
    (107, 959)
    >>> plan.start.n_positive, plan.start.n_negative
    (186, 1669)
    """
    share = _options.prevalence(prevalence)
    asked = read_asked(model, metric, threshold)
    if len(asked) > 1:
        raise ValueError("metric holds several metrics: plan for one at a time")
    level = _bootstrap_options.confidence_level(confidence_level)
    size = _options.whole(n_datasets, "n_datasets", 2)
    threads = _bootstrap_options.threads(n_jobs)
    root, seed = read_seed(rng)
    if half_width is not None:
        if difference is not None or power is not None or other is not None:
            raise ValueError(
                "half_width plans an interval, power= a comparison: pass one of the two"
            )
        wanted = _options.positive(half_width, "half_width")
        trials = SpreadTrials(model, asked[0], share, level, wanted, size, root, threads)
        return _plan(trials, _spread_variance(trials), (wanted / trials.z) ** 2, LARGEST_PLAN, seed)
    if power is None:
        raise ValueError("pass half_width=, or power= with difference= or other=")
    if not is_number(power) or not 0.0 < power < 1.0:
        raise ValueError(f"power={power!r}: give a fraction between 0 and 1")
    if (difference is None) == (other is None):
        raise ValueError("power needs one of difference= and other=")
    pair = read_correlation(correlation)
    if other is None:
        other = shifted_model(model, asked[0], _options.finite(difference, "difference"), share)
    compared = (asked[0], read_asked(other, metric, threshold)[0])
    differences = DifferenceTrials(
        (model, other), compared, share, level, float(power), pair, size, root, threads
    )
    target = (differences.difference / (differences.z + differences.z_power)) ** 2
    return _plan(differences, _difference_variance(differences), target, LARGEST_PAIRED_PLAN, seed)


def _plan(
    trials: SpreadTrials | DifferenceTrials,
    variance: _hanley_mcneil.Variance,
    target: float,
    largest: int,
    seed: Any,
) -> SampleSize:
    """Start where the closed form says, then search."""
    split = partial(split_rows, prevalence=trials.prevalence)
    share = min(trials.prevalence, 1.0 - trials.prevalence)
    smallest = math.ceil(FEWEST_OF_A_CLASS / share)
    start = max(_hanley_mcneil.smallest_size(variance, target, split, largest), smallest)
    tried = search(trials.run, start, smallest, largest)
    found = answer(tried)
    if found is None:
        raise ValueError(
            f"{trials.wanted_in_words()} takes more than {largest:,} rows: {tried[-1].size:,} rows "
            f"give {tried[-1].value:.4g}"
        )
    return SampleSize(trials, tried, found, split(start), seed)


def _closed_form(metric: Metric, value: float) -> Callable[[int, int], float]:
    """Variance of an estimate of a value, for the start of a search."""
    low, high = metric.bounds
    if is_area(metric):
        return partial(_hanley_mcneil.area_variance, value)
    if not math.isfinite(high - low):
        return lambda n_positive, n_negative: value * value / n_positive
    place = min(max((value - low) / (high - low), 0.01), 0.99)
    scale = (high - low) ** 2
    return lambda n_positive, n_negative: scale * _hanley_mcneil.share_variance(place, n_positive)


def _spread_variance(trials: SpreadTrials) -> _hanley_mcneil.Variance:
    return _closed_form(trials.metric, trials.value)


def _difference_variance(trials: DifferenceTrials) -> _hanley_mcneil.Variance:
    """Variance of a difference, its parts correlated as their scores are on average."""
    first, second = (
        _closed_form(metric, value) for metric, value in zip(trials.metrics, trials.values)
    )
    shared = sum(trials.correlation) / 2.0

    def variance(n_positive: int, n_negative: int) -> float:
        one, two = first(n_positive, n_negative), second(n_positive, n_negative)
        return max(one + two - 2.0 * shared * math.sqrt(one * two), 1e-3 * (one + two))

    return variance


def shifted_model(model: Any, metric: Metric, difference: float, prevalence: float) -> Binormal:
    """Return a binormal model of the same scale whose metric is larger by a difference.

    Raises
    ------
    ValueError
        The model is not binormal, or no separation gives such a metric.
    """
    if not isinstance(model, Binormal):
        raise ValueError(
            f"difference makes a second model of a Binormal one, {model!r} is none: pass other="
        )
    if difference == 0.0:
        raise ValueError("difference=0: there is nothing to see")
    root = root_sequence(0)
    target = true_value(model, metric, prevalence, root).value + difference

    def excess(separation: float) -> float:
        moved = Binormal(separation, model.scale)
        return true_value(moved, metric, prevalence, root).value - target

    from scipy.optimize import brentq

    upward = (difference > 0.0) == metric.greater_is_better
    reach = FARTHEST * model.scale if upward else -FARTHEST * model.scale
    ends = sorted((model.separation, model.separation + reach))
    if not excess(ends[0]) * excess(ends[1]) < 0.0:
        raise ValueError(
            f"difference={difference:g}: no Binormal of this scale has {metric.name} {target:.4g}"
        )
    return Binormal(float(brentq(excess, *ends, xtol=1e-10)), model.scale)
