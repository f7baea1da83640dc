"""Bands around ROC, precision-recall, calibration and decision curves from the bootstrap."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.plans.choosing import choose_items
from fastmetrics.engine.plans.running import draw_replicates
from fastmetrics.engine.plans.tile_plan import TilePlan
from fastmetrics.engine.readings.answers import ModelData, TrueData
from fastmetrics.engine.readings.curves import CurveReading
from fastmetrics.engine.readings.kinds import CodesReading, Reading, Rows, SweepReading
from fastmetrics.engine.statistics import NEGATIVES, POINTS, POSITIVES, SweepRequest
from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.inference.arguments import options as _options
from fastmetrics.inference.arguments.draws import read_design
from fastmetrics.inference.arguments.samples import Arguments, read_sample
from fastmetrics.inference.bootstraps._progress import progress_bar
from fastmetrics.inference.bootstraps._runs import describe_run
from fastmetrics.inference.bootstraps.band_results import CURVES, Band, Curve, CurveBand
from fastmetrics.inference.bootstraps.bootstrapping import DEFAULT_RESAMPLES
from fastmetrics.registry import metric

KINDS: tuple[Literal["pointwise", "simultaneous"], ...] = ("pointwise", "simultaneous")
# quotients, so that 0.35 is the number that a score of 0.35 is
DEFAULT_GRIDS: dict[str, Floats] = {
    "roc": np.arange(101) / 100.0,
    "precision_recall": np.arange(101) / 100.0,
    "calibration": np.arange(11) / 10.0,
    "net_benefit": np.arange(1, 100) / 100.0,
}


def curve_band(
    y_true: npt.ArrayLike,
    y_score: Any,
    curve: Curve = "roc",
    *,
    grid: npt.ArrayLike | None = None,
    kind: Literal["pointwise", "simultaneous"] = "pointwise",
    n_resamples: int = DEFAULT_RESAMPLES,
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    resampling: Literal["multinomial", "poisson", "bayesian"] = "multinomial",
    pos_label: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> CurveBand:
    """Bootstrap a curve, with a band around it.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, {0, 1} or {-1, 1}, anything else with ``pos_label``.
    y_score : array-like of shape (n,), mapping or frame
        Scores of one model, or a column per model; probabilities for "calibration" and
        "net_benefit".
    curve : {"roc", "precision_recall", "calibration", "net_benefit"}
        Recall at false positive rates; precision at recalls; the share of positives in bins of the
        probability; net benefit at threshold probabilities.
    grid : array-like of shape (g,), optional
        Where the curve is read, ascending: false positive rates, recalls or thresholds; for
        "calibration" the edges of the bins. By default 101 points, 10 equal bins, or the 99 whole
        percentages.
    kind : {"pointwise", "simultaneous"}
        Limits that hold at each point, or for the whole curve at once.
    n_resamples : int
        Replicates.
    confidence_level : float
        As a fraction, between 0 and 1.
    sample_weight : array-like of shape (n,), optional
        Importance weights of 0 or more: rows are drawn equally, and count times their weight.
    groups : array-like of shape (n,), optional
        Cluster of each row. Clusters are drawn whole, as many as there are.
    strata : "class", or array-like of shape (n,), optional
        Every stratum keeps its number of rows, or of clusters, in every replicate.
    resampling : {"multinomial", "poisson", "bayesian"}
        Law of the weights: counts of exactly n draws, independent Poisson counts, or exponential
        weights (which are Dirichlet weights, for no metric depends on their scale).
    pos_label : label, optional
        The positive class.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same replicates for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.
    progress : bool
        Show a progress bar.

    Returns
    -------
    CurveBand
        ``grid``, ``estimate``, ``low`` and ``high``, each (g,); for "calibration" ``grid`` are the
        mean probabilities of the bins.

    Raises
    ------
    ValueError
        Bad data or options; the message names the argument.

    Notes
    -----
    Recall is linear between the points of the ROC curve, and the highest one where it jumps.
    Precision is that of the first point which reaches the recall, as average precision sums it.
    A pointwise band holds the percentiles of the replicates. A simultaneous one is the estimate
    with the same multiple of the standard error at every point, the multiple being the quantile of
    the largest deviation (sup-t, Montiel Olea & Plagborg-Moller 2019); points without spread keep
    their estimate. Limits are clipped to [0, 1], except those of net benefit. Memory is O(B g).

    References
    ----------
    doi:10.1002/jae.2656. Vickers & Elkin 2006, doi:10.1177/0272989X06295361 (net benefit).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1]
    >>> y_score = [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.5, 0.6]
    >>> band = fm.curve_band(y_true, y_score, grid=[0.0, 0.25, 0.5], rng=0)
    >>> band.estimate.tolist()
    [0.75, 0.75, 1.0]
    >>> bool((band.low <= band.estimate).all() and (band.estimate <= band.high).all())
    True
    """
    curve = _options.one_of(curve, "curve", CURVES)
    kind = _options.one_of(kind, "kind", KINDS)
    points = _grid(grid, curve)
    level = _options.confidence_level(confidence_level)
    needs = "brier_score" if curve in ("calibration", "net_benefit") else "roc_auc"
    asked = [metric("roc_auc"), metric(needs)] if needs != "roc_auc" else [metric("roc_auc")]
    arguments = Arguments(y_true, y_score, None, sample_weight, pos_label, None, asked)
    true, models = read_sample(arguments)
    if true.labels is None:
        raise InputError("y_true holds several classes: name the positive one, pos_label=")
    design = read_design(resampling, strata, groups, true)
    size = _options.n_resamples(n_resamples)
    if size is None:
        raise ValueError("n_resamples='auto' looks at limits of single numbers: give a number")
    items = choose_items(true, models, [(None, None)], design, whole=True)
    shared = Rows(items, None, true.labels, true.weights)
    readings = [_reading(curve, points, shared, model) for model in models]
    plan = TilePlan(items, design.law, readings, [])
    root, seed = read_seed(rng)
    with progress_bar(size, bool(progress)) as advance:
        sums = draw_replicates(plan, size, root, n_jobs=_options.threads(n_jobs), advance=advance)
    bands: dict[str | None, Band] = {}
    first = 0
    for model, reading in zip(models, readings):
        part = slice(first, first + reading.columns)
        estimate = _values(curve, points, plan.estimate[None, part])[0]
        replicates = _values(curve, points, sums[:, part])
        place = _bin_means(model, points, true) if curve == "calibration" else points
        bands[model.name] = _band(place, estimate, replicates, kind, level, curve)
        first += reading.columns
    undefined = [name or curve for name, band in bands.items() if np.isnan(band.estimate).all()]
    if undefined:
        warn_undefined(f"{', '.join(undefined)} undefined on these data: nan, no band")
    prevalence = float(np.average(true.labels, weights=true.weights))
    return CurveBand(
        curve,
        kind,
        bands,
        describe_run(true, design, size, seed, level, _options.frame_library(y_true, y_score)),
        prevalence,
        _references(curve, points, prevalence),
    )


def _grid(grid: npt.ArrayLike | None, curve: str) -> Floats:
    """Return the points of a grid, checked."""
    if grid is None:
        return DEFAULT_GRIDS[curve]
    try:
        points = np.asarray(grid, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"grid={grid!r}: give a vector of numbers") from None
    if points.ndim != 1 or not points.size or np.isnan(points).any():
        raise ValueError("grid: give a vector of numbers")
    if (np.diff(points) <= 0).any() or points[0] < 0.0 or points[-1] > 1.0:
        raise ValueError("grid: give ascending points in [0, 1]")
    if curve == "net_benefit" and points[-1] == 1.0:
        raise ValueError(
            "grid reaches 1, where one false positive outweighs everything: stop below"
        )
    if curve == "calibration" and points.size < 2:
        raise ValueError("grid: give the edges of at least one bin")
    return points


def _reading(curve: str, points: Floats, shared: Rows, model: ModelData) -> Reading:
    """Return what finds the numbers of a curve in every replicate."""
    scores = model.scores
    if scores is None or shared.labels is None:
        raise InputError("y_score: give scores of two classes")
    if curve == "calibration":
        codes = 2 * _bins(scores, points) + shared.labels
        return CodesReading.of(shared, codes.astype(np.int64), 2 * (points.size - 1))
    request = SweepRequest(0, (), (), True)
    if curve == "net_benefit":
        request = SweepRequest(0, (), tuple(points[::-1].tolist()), True)
        return SweepReading.of(shared, scores, request)
    sweep = SweepReading.of(shared, scores, request)
    return CurveReading(sweep, "roc" if curve == "roc" else "precision_recall", points)


def _bins(scores: npt.NDArray[Any], edges: Floats) -> npt.NDArray[np.int64]:
    """Bin (n,) of each probability, closed on the right; the first holds its left edge, too."""
    if scores.min() < edges[0] or scores.max() > edges[-1]:
        raise ValueError("grid: the edges of the bins must hold all probabilities between them")
    return np.clip(np.searchsorted(edges, scores, side="left") - 1, 0, edges.size - 2)


def _bin_means(model: ModelData, edges: Floats, true: TrueData) -> Floats:
    """Mean probability of each bin, the middle of one that is empty."""
    scores = np.asarray(model.scores, np.float64)
    bins, size = _bins(scores, edges), edges.size - 1
    weights = np.ones(true.n) if true.weights is None else true.weights
    total = np.bincount(bins, weights, size)
    with np.errstate(invalid="ignore"):
        means = np.bincount(bins, weights * scores, size) / total
    return np.where(total > 0, means, (edges[1:] + edges[:-1]) / 2.0)


def _values(curve: str, points: Floats, sums: Floats) -> Floats:
    """Curves (B, g) from the sums (B, columns) of their reading."""
    if curve in ("roc", "precision_recall"):
        return sums
    with np.errstate(divide="ignore", invalid="ignore"):
        if curve == "calibration":
            values: Floats = sums[:, 1::2] / (sums[:, 0::2] + sums[:, 1::2])
            return values
        # columns per threshold from the highest down: true and false positives
        tp, fp = sums[:, POINTS::2][:, ::-1], sums[:, POINTS + 1 :: 2][:, ::-1]
        rows = (sums[:, POSITIVES] + sums[:, NEGATIVES])[:, None]
        benefit: Floats = (tp - fp * (points / (1.0 - points))) / rows
        return benefit


def _band(
    grid: Floats, estimate: Floats, replicates: Floats, kind: str, level: float, curve: str
) -> Band:
    """Return the limits of replicates (B, g) around an estimate (g,)."""
    undefined = np.isnan(replicates).sum(axis=0)
    low, high = np.full(estimate.size, np.nan), np.full(estimate.size, np.nan)
    defined = (undefined < len(replicates) - 1) & ~np.isnan(estimate)
    values = replicates[:, defined]
    if values.size and kind == "pointwise":
        tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
        low[defined], high[defined] = np.nanquantile(values, tails, axis=0)
    elif values.size:
        errors = np.nanstd(values, axis=0, ddof=1)
        spread = errors > 0.0
        deviations = np.abs(values - estimate[defined])[:, spread] / errors[spread]
        # a replicate that lacks a class has no deviation at all
        deviations = deviations[~np.isnan(deviations).all(axis=1)]
        largest = np.nanmax(deviations, axis=1) if spread.any() else np.zeros(1)
        reach = np.nanquantile(largest, level) * errors
        low[defined], high[defined] = estimate[defined] - reach, estimate[defined] + reach
    if curve != "net_benefit":
        low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
    return Band(grid, estimate, low, high, undefined)


def _references(curve: str, points: Floats, prevalence: float) -> dict[str, Floats]:
    """Return the curves of the policies that need no model."""
    if curve != "net_benefit":
        return {}
    treat_all = prevalence - (1.0 - prevalence) * points / (1.0 - points)
    return {"treat all": treat_all, "treat none": np.zeros(points.size)}
