"""What a metric is on an endless data set: what intervals are to cover.

Conventions
-----------
Exact where there is a formula: pairs, average precision, counts at a threshold. Elsewhere the
metric is taken of a very large data set that stands for the law: the quantiles of each class at
equal steps, weighted to the prevalence. Its error is twice what halving the number of steps
changes.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.seeds import stream
from fastmetrics.engine.statistics import AT_CUTS, arrange_counts
from fastmetrics.engine.sweeps.units import Labels
from fastmetrics.simulation._asked import Evaluation
from fastmetrics.simulation._drawn import draw_checked
from fastmetrics.simulation._law import Law
from fastmetrics.simulation.derived import CalibratedModel
from fastmetrics.simulation.score_model import ScoreModel

# "true" in letters: a purpose that no other stream has
TRUTH = 0x74727565
STEPS = 2**18
FEWEST_STEPS = 2**10
# a model that only draws: so many data sets of so many rows
DRAWN_SETS, DRAWN_ROWS = 20, 2**17


class Truth(NamedTuple):
    """Value on an endless data set.

    Parameters
    ----------
    value : of the metric
    error : how far it may be off
    source : where it comes from
    """

    value: float
    error: float
    source: Literal["exact", "quantiles", "drawn"]


def exact_value(model: Any, metric: Metric, prevalence: float) -> float | None:
    """Value of a metric by formula; None where there is none.

    Parameters
    ----------
    model : ScoreModel
        Others have no formula.
    metric : with its threshold
    prevalence : share of positives
    """
    if not isinstance(model, ScoreModel):
        return None
    statistic, rest = metric.statistic, 1.0 - prevalence
    if statistic.kind == "concordance":
        sums = np.array([2.0 * model.auc * prevalence * rest, prevalence, rest])
    elif statistic.kind == "precision":
        area = model.average_precision(prevalence)
        sums = np.array([area * prevalence, prevalence, rest])
    elif statistic.kind in AT_CUTS:
        rates = map(np.asarray, model.rates(statistic.parameter))
        true_rate, false_rate = rates
        sums = arrange_counts(
            statistic,
            prevalence * true_rate,
            rest * false_rate,
            prevalence * (1.0 - true_rate),
            rest * (1.0 - false_rate),
        )
    else:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(metric.formula(sums))


def true_value(
    model: Any, metric: Metric, prevalence: float, root: np.random.SeedSequence
) -> Truth:
    """Value of a metric on an endless data set.

    Parameters
    ----------
    model : any model
    metric : with its threshold
    prevalence : share of positives
    root : seed, for models that only draw
    """
    known = exact_value(model, metric, prevalence)
    if known is not None:
        return Truth(known, 0.0, "exact")
    scored = model.model if isinstance(model, CalibratedModel) else model
    if isinstance(scored, ScoreModel) and metric.statistic.takes_weights:
        return _of_quantiles(model, scored, metric, prevalence)
    return _of_draws(model, metric, prevalence, root)


def _of_quantiles(model: Any, scored: ScoreModel, metric: Metric, prevalence: float) -> Truth:
    """Value on the quantiles of both classes."""
    found = []
    for steps in (STEPS // 2, STEPS):
        labels, scores, weights = _quantile_sample(scored, metric, prevalence, steps)
        if isinstance(model, CalibratedModel):
            scores = scored.probability(scores, model.prevalence)
        found.append(float(Evaluation((metric,)).values(labels, scores, weights)[0]))
    if scored.positive.atoms is not None and scored.negative.atoms is not None:
        return Truth(found[1], 0.0, "exact")
    return Truth(found[1], 2.0 * abs(found[1] - found[0]), "quantiles")


def _quantile_sample(
    scored: ScoreModel, metric: Metric, prevalence: float, steps: int
) -> tuple[Labels, Floats, Floats]:
    """Labels, scores and weights of quantiles at equal steps, or of the atoms of discrete laws.

    Where a metric looks at whole rows, as at quantiles of the scores, each class has its share.
    """
    shares = (prevalence, 1.0 - prevalence)
    by_rows = metric.statistic.kind == "rows"
    parts = [
        _quantiles(law, max(FEWEST_STEPS, int(2 * steps * share)) if by_rows else steps)
        for law, share in zip((scored.positive, scored.negative), shares)
    ]
    labels = np.repeat(np.array([1, 0], np.uint8), [values.size for values, _ in parts])
    scores = np.concatenate([values for values, _ in parts])
    weights = np.concatenate([share * masses for share, (_, masses) in zip(shares, parts)])
    return labels, scores, weights


def _quantiles(law: Law, steps: int) -> tuple[Floats, Floats]:
    """Values and masses that stand for a law."""
    if law.atoms is not None:
        return law.atoms.values, law.atoms.masses
    middles = (np.arange(steps) + 0.5) / steps
    lower = middles < 0.5
    values = np.concatenate([law.ppf(middles[lower]), law.isf(middles[lower][::-1])])
    if steps % 2:
        values = np.sort(np.append(values, law.ppf(np.array([0.5]))))
    return values, np.full(steps, 1.0 / steps)


def _of_draws(model: Any, metric: Metric, prevalence: float, root: np.random.SeedSequence) -> Truth:
    """Mean over large data sets, with its standard error."""
    positives = min(max(1, round(prevalence * DRAWN_ROWS)), DRAWN_ROWS - 1)
    found = np.empty(DRAWN_SETS)
    for k in range(DRAWN_SETS):
        generator = np.random.default_rng(stream(root, TRUTH, 0, k))
        labels, scores = draw_checked(model, positives, DRAWN_ROWS - positives, generator)
        found[k] = Evaluation((metric,)).values(labels.view(np.uint8), scores)[0]
    return Truth(float(found.mean()), float(found.std(ddof=1)) / math.sqrt(DRAWN_SETS), "drawn")
