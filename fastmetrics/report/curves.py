"""Curves with bands, and intervals of searched thresholds: what costs most per replicate.

Conventions
-----------
They are drawn with the seed of the report. Reading a whole curve off every replicate takes about
ten times as long as reading an area, and searching a threshold in it a hundred times as long, so
that of very many rows there are fewer replicates; the method line of the report says how many. The
search is left out where two hundred would take too long: so many rows pin a threshold down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fastmetrics.inference.bootstraps.band_results import Curve, CurveBand
from fastmetrics.inference.bootstraps.bands import curve_band
from fastmetrics.inference.bootstraps.operating import operating_point
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.report.sample import Model, Name, Sample
from fastmetrics.report.thresholds import Choice, Costs

# row-replicates: two models of 100,000 rows get 2,000 replicates, of 1,000,000 rows 200
CURVE_BUDGET = 400_000_000
# a model of 20,000 rows gets 2,000 replicates, of 200,000 rows 200
SEARCH_BUDGET = 40_000_000
FEWEST = 200


@dataclass(frozen=True)
class Draws:
    """How replicates are drawn, as the bootstrap's options.

    Parameters
    ----------
    n_resamples : of the metrics
    confidence_level, resampling, rng, n_jobs, progress : as of `evaluate`
    """

    n_resamples: int
    confidence_level: float
    resampling: Literal["multinomial", "poisson", "bayesian"]
    rng: Any
    n_jobs: int | None
    progress: bool


def affordable_resamples(n_resamples: int, n_rows: int, n_models: int) -> int:
    """Return how many replicates of whole curves are drawn where n_resamples are asked for."""
    return min(n_resamples, max(FEWEST, CURVE_BUDGET // max(1, n_rows * n_models)))


def affordable_searches(n_resamples: int, n_rows: int) -> int:
    """Return in how many replicates a threshold is searched; 0 where it would take too long."""
    size = SEARCH_BUDGET // n_rows
    return min(n_resamples, size) if size >= FEWEST else 0


def bands_of(sample: Sample, draws: Draws) -> dict[str, CurveBand]:
    """Return the curves of the models with pointwise bands.

    Parameters
    ----------
    sample : the rows
    draws : how they are drawn

    Returns
    -------
    dict
        "roc" and "precision_recall" of models with scores, "calibration" and "net_benefit" of
        those with probabilities. Empty where one class is all there is.
    """
    size = affordable_resamples(draws.n_resamples, sample.n, len(sample.scored))
    if not sample.has_both_classes or not size:
        return {}
    wanted: dict[Curve, tuple[Model, ...]] = {
        "roc": sample.scored,
        "precision_recall": sample.scored,
        "calibration": sample.probable,
        "net_benefit": sample.probable,
    }
    return {
        curve: curve_band(
            sample.truth,
            _columns(models),
            curve,
            n_resamples=size,
            confidence_level=draws.confidence_level,
            **_drawn(sample, draws),
        )
        for curve, models in wanted.items()
        if models
    }


def threshold_intervals(
    sample: Sample,
    choices: dict[Name, Choice],
    metric: str | None,
    costs: Costs | None,
    draws: Draws,
) -> dict[Name, BootstrapResult]:
    """Return threshold and value of each model whose threshold was searched.

    Parameters
    ----------
    sample, choices : the rows, and the threshold of each model
    metric : that thresholds were searched by, or None for the costs
    costs : of the errors
    draws : how replicates are drawn
    """
    size = affordable_searches(draws.n_resamples, sample.n)
    if not sample.has_both_classes or not size:
        return {}
    criterion: dict[str, Any] = {"metric": metric}
    if metric is None and costs is not None:
        criterion = {"cost_fp": costs.fp, "cost_fn": costs.fn}
    return {
        model.name: operating_point(
            sample.truth,
            model.values,
            **criterion,
            n_resamples=size,
            confidence_level=draws.confidence_level,
            **_drawn(sample, draws),
        )
        for model in sample.scored
        if model.name in choices and choices[model.name].searched
    }


def _columns(models: tuple[Model, ...]) -> Any:
    """Scores as the bootstrap takes them."""
    if len(models) == 1 and models[0].name is None:
        return models[0].values
    return {model.label: model.values for model in models}


def _drawn(sample: Sample, draws: Draws) -> dict[str, Any]:
    """Arguments that say how rows are drawn."""
    return {
        "sample_weight": sample.weights,
        "groups": sample.given.groups,
        "strata": sample.given.strata,
        "resampling": draws.resampling,
        "rng": draws.rng,
        "n_jobs": draws.n_jobs,
        "progress": draws.progress,
    }
