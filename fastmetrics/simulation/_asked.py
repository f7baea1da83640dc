"""The metrics that are asked of a model's data sets: checked, cut at thresholds, and evaluated."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.evaluation import estimate_units, evaluate_metrics
from fastmetrics.engine.statistics import AT_CUTS, SWEPT, SweepRequest
from fastmetrics.engine.sweeps.units import Labels, build_units
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.registry import read_metrics


def read_asked(model: Any, metrics: Any, threshold: Any) -> tuple[Metric, ...]:
    """Return the metrics of a ``metrics`` argument, every one of flagged rows with a threshold.

    Raises
    ------
    ValueError
        No threshold where there is no default, or metrics that a model's data sets do not have.
    """
    cut = _bootstrap_options.threshold(threshold)
    return tuple(_cut_metric(model, metric, cut) for metric in read_metrics(metrics))


def _cut_metric(model: Any, metric: Metric, threshold: float | None) -> Metric:
    statistic = metric.statistic
    if statistic.kind == "callable":
        return metric
    if statistic.data == "lists" or (metric.input == "value" and statistic.data != "alone"):
        reads = "lists of scores" if statistic.data == "lists" else "predicted values"
        raise ValueError(f"{metric.name} reads {reads}: a model draws labels and scores")
    if metric.input == "probability" and not in_unit_interval(model):
        raise ValueError(
            f"{metric.name} reads probabilities, and the scores of {model!r} are none: simulate "
            "model.calibrated(prevalence)"
        )
    if metric.input != "label" or not np.isnan(statistic.parameter):
        return metric
    if threshold is None and not in_unit_interval(model):
        raise ValueError(
            f"the scores of {model!r} reach beyond [0, 1], so {metric.name} has no default cut: "
            "pass threshold="
        )
    cut = 0.5 if threshold is None else threshold
    return dataclasses.replace(metric, statistic=statistic.with_parameter(cut))


def in_unit_interval(model: Any) -> bool:
    """Whether a model says that its scores lie in [0, 1]."""
    if not hasattr(model, "support"):
        return False
    low, high = model.support()
    return bool(low >= 0.0 and high <= 1.0)


def is_swept(metric: Metric) -> bool:
    """Whether a sweep over sorted scores gives the numbers of a metric."""
    return metric.statistic.kind in SWEPT or metric.statistic.kind in AT_CUTS


class Evaluation:
    """Evaluates metrics on labels and scores; those of a sweep share one sort.

    Parameters
    ----------
    metrics : as ``read_asked`` returns them
    """

    def __init__(self, metrics: tuple[Metric, ...]) -> None:
        self.metrics = metrics
        self._swept = [k for k, metric in enumerate(metrics) if is_swept(metric)]
        self._others = [k for k, metric in enumerate(metrics) if not is_swept(metric)]
        self._request = SweepRequest.of(metrics[k].statistic for k in self._swept)

    def values(self, labels: Labels, scores: Floats, weights: Floats | None = None) -> Floats:
        """Values (k,) on labels, uint8 1 or 0, and finite scores, each (n,)."""
        values = np.empty(len(self.metrics))
        if self._swept:
            units = build_units(labels, scores, weights, self._request)
            swept = [self.metrics[k] for k in self._swept]
            values[self._swept] = self._request.values(estimate_units(units, self._request), swept)
        for k in self._others:
            values[k] = _value_of(self.metrics[k], labels, scores, weights)
        return values


def _value_of(metric: Metric, labels: Labels, scores: Floats, weights: Floats | None) -> float:
    """Value of a metric of rows, or of a function of the user."""
    if metric.statistic.kind == "callable":
        given = np.ones(labels.size) if weights is None else weights
        called: Any = metric.statistic.measure
        return float(called(labels, scores, given))
    return float(evaluate_metrics([metric], labels, scores, weights, pos_label=1)[0])
