"""The threshold of each model: given, chosen by cost or by a metric, and what else there is.

Conventions
-----------
A row is flagged when its score reaches the threshold; at infinity none is. A threshold that was
searched on the rows of the report is marked: what it reaches there is optimistic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fastmetrics.decisions.costs import CostCurve, bayes_threshold
from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.statistics import BINARY_COUNTS
from fastmetrics.errors import InputError
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.input.options import check_cost, is_number
from fastmetrics.ranking.sweep import BinaryCounts, ThresholdSweep, count_metric
from fastmetrics.report.sample import Model, Name, Sample

DEFAULT = 0.5
# where a threshold comes from
LOWEST_COST, BAYES, BY_DEFAULT, GIVEN = "lowest cost", "Bayes, by the costs", "default", "given"
MEAN_COST = "mean_cost"
RATES = ("precision", "recall", "specificity", "f1", "accuracy")
# searched beside the chosen threshold, so that a reader sees what others would give
_ALSO_SEARCHED = ("f1", "balanced_accuracy")


@dataclass(frozen=True)
class Costs:
    """What errors cost.

    Parameters
    ----------
    fp, fn : costs of a false alarm and of a miss
    """

    fp: float
    fn: float

    def mean(self, counts: Floats) -> Floats:
        """Mean cost of a row from tp, fp, fn, tn on the last axis."""
        total: Floats = self.fp * counts[..., 1] + self.fn * counts[..., 2]
        mean: Floats = total / counts.sum(axis=-1)
        return mean

    def curve(self, sweep: ThresholdSweep) -> CostCurve:
        """Mean cost of a row at every threshold, from flagging nothing down."""
        flagged_nothing = np.array([[0.0, 0.0, sweep.tp[-1], sweep.fp[-1]]])
        counts = np.stack((sweep.tp, sweep.fp, sweep.fn, sweep.tn), axis=-1).astype(np.float64)
        costs = self.mean(np.concatenate([flagged_nothing, counts]))
        return CostCurve(np.append(np.inf, sweep.thresholds.astype(np.float64)), costs)

    def metric(self) -> Metric:
        """Describe the mean cost of a row as a metric of decisions."""
        return Metric(
            MEAN_COST,
            BINARY_COUNTS,
            self.mean,
            "label",
            (0.0, max(self.fp, self.fn)),
            greater_is_better=False,
            default_interval="bca",
            source=f"(cost_fp={self.fp:g} * fp + cost_fn={self.fn:g} * fn) / n",
        )


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold of a model, and what it gives on the rows of the report.

    Parameters
    ----------
    model : name, None where there is one without a name
    rule : where the threshold comes from, in words
    threshold : rows with scores of at least this are flagged; nan where decisions were given
    counts : rows, or their weight, by truth and verdict
    rates : values of the metrics in ``RATES``, nan for 0/0
    mean_cost : of a row, None without costs
    searched : whether the threshold was searched on these very rows
    chosen : whether the report's metrics are those at this threshold
    """

    model: Name
    rule: str
    threshold: float
    counts: BinaryCounts
    rates: dict[str, float]
    mean_cost: float | None
    searched: bool
    chosen: bool

    @property
    def n_flagged(self) -> float:
        """Rows, or their weight, that are flagged."""
        return self.counts.tp + self.counts.fp


@dataclass(frozen=True)
class Choice:
    """The threshold of a model before anything is counted at it.

    Parameters
    ----------
    threshold : nan where decisions were given
    rule : in words
    searched : whether on the rows of the report
    """

    threshold: float
    rule: str
    searched: bool = False


@dataclass(frozen=True)
class Thresholds:
    """The thresholds of a report.

    Parameters
    ----------
    points : the chosen threshold of each model, followed by others to compare it with
    costs : of the errors, or None
    metric : name of the metric that thresholds were searched by, or None
    intervals : threshold and value of each model, chosen anew in every replicate; where searched
    """

    points: tuple[OperatingPoint, ...]
    costs: Costs | None
    metric: str | None
    intervals: dict[Name, BootstrapResult] = field(default_factory=dict)

    @property
    def chosen(self) -> dict[Name, OperatingPoint]:
        """The chosen threshold of each model that has one."""
        return {point.model: point for point in self.points if point.chosen}

    @property
    def searched(self) -> bool:
        """Whether a chosen threshold was searched on the rows of the report."""
        return any(point.searched for point in self.chosen.values())


def read_costs(cost_fp: Any, cost_fn: Any) -> Costs | None:
    """Return the costs of errors, both or none."""
    if cost_fp is None and cost_fn is None:
        return None
    if cost_fp is None or cost_fn is None:
        raise ValueError("pass both cost_fp= and cost_fn=: a cost means nothing alone")
    costs = Costs(check_cost("cost_fp", cost_fp), check_cost("cost_fn", cost_fn))
    if not (costs.fp or costs.fn):
        raise InputError("cost_fp and cost_fn are both 0: no decision is cheaper than another")
    return costs


def choose_thresholds(sample: Sample, threshold: Any, costs: Costs | None) -> dict[Name, Choice]:
    """Return the threshold of each model that has one.

    Parameters
    ----------
    sample : the rows
    threshold : a number, a mapping of models to numbers, the name of a metric, or None
    costs : of the errors, or None
    """
    names = [model.name for model in sample.models]
    if isinstance(threshold, Mapping):
        unknown = [name for name in threshold if name not in names]
        if unknown:
            listed = ", ".join(map(repr, names))
            raise ValueError(f"threshold names the model {unknown[0]!r}, the models are {listed}")
    elif threshold is not None and not isinstance(threshold, str):
        threshold = dict.fromkeys(names, threshold)
    found: dict[Name, Choice] = {}
    for model in sample.models:
        choice = _choose(sample, model, threshold, costs)
        if choice is not None:
            found[model.name] = choice
    return found


def _choose(sample: Sample, model: Model, threshold: Any, costs: Costs | None) -> Choice | None:
    """Return the threshold of a model, None where nothing tells it."""
    if model.decisions is not None:
        return Choice(math.nan, "y_pred")
    if isinstance(threshold, str):
        name = count_metric(threshold).name
        best = sample.sweep(model).best(threshold).threshold
        return Choice(best, f"best {name}", searched=True)
    if isinstance(threshold, Mapping) and model.name in threshold:
        cut = threshold[model.name]
        if not is_number(cut) or np.isnan(cut):
            raise ValueError(
                f"threshold={cut!r}: give a number, a mapping of models to numbers, or the name "
                "of a metric such as 'f1'"
            )
        return Choice(float(cut), GIVEN)
    if costs is not None:
        best = sample.sweep(model).best(cost_fp=costs.fp, cost_fn=costs.fn).threshold
        return Choice(best, LOWEST_COST, searched=True)
    return Choice(DEFAULT, BY_DEFAULT) if model.has_probabilities else None


def tabulate_thresholds(
    sample: Sample, choices: Mapping[Name, Choice], threshold: Any, costs: Costs | None
) -> Thresholds | None:
    """Return the chosen threshold of each model, and others beside it."""
    points: list[OperatingPoint] = []
    for model in sample.models:
        choice = choices.get(model.name)
        if choice is not None:
            points.append(_point(sample, model, choice, costs, chosen=True))
        if model.scores is not None and model.decisions is None and sample.has_both_classes:
            others = _others(sample, model, choice, costs)
            points += [_point(sample, model, other, costs, chosen=False) for other in others]
    if not points:
        return None
    searched_by = count_metric(threshold).name if isinstance(threshold, str) else None
    return Thresholds(tuple(points), costs, searched_by)


def _others(
    sample: Sample, model: Model, chosen: Choice | None, costs: Costs | None
) -> list[Choice]:
    """Thresholds to compare the chosen one with."""
    rules = {chosen.rule} if chosen is not None else set()
    sweep = sample.sweep(model)
    found: list[Choice] = []
    if costs is not None:
        if model.has_probabilities:
            share = bayes_threshold(costs.fp, costs.fn)
            found.append(Choice(share, BAYES))
        best = sweep.best(cost_fp=costs.fp, cost_fn=costs.fn).threshold
        found.append(Choice(best, LOWEST_COST, searched=True))
    for name in _ALSO_SEARCHED:
        best = sweep.best(name).threshold
        found.append(Choice(best, f"best {name}", searched=True))
    if model.has_probabilities:
        found.append(Choice(DEFAULT, BY_DEFAULT))
    return [other for other in found if other.rule not in rules and not math.isnan(other.threshold)]


def _point(
    sample: Sample, model: Model, choice: Choice, costs: Costs | None, *, chosen: bool
) -> OperatingPoint:
    """Count at a threshold."""
    counts = (
        _decided(sample, model)
        if model.decisions is not None
        else sample.sweep(model).at(choice.threshold)
    )
    sums = np.array(counts, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = {name: float(count_metric(name).formula(sums)) for name in RATES}
    return OperatingPoint(
        model.name,
        choice.rule,
        choice.threshold,
        counts,
        rates,
        None if costs is None else float(costs.mean(sums)),
        choice.searched,
        chosen,
    )


def _decided(sample: Sample, model: Model) -> BinaryCounts:
    """Counts of decisions that were given."""
    codes = 2 * sample.truth.astype(np.int64)
    if model.decisions is not None:
        codes += model.decisions
    tn, fp, fn, tp = np.bincount(codes, sample.weights, minlength=4).tolist()
    return BinaryCounts(tp, fp, fn, tn)
