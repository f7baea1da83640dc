"""Values of metrics on given weights: the data as they are, or draws from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.inputs import read_binary, read_confusion, read_rows
from fastmetrics.engine.statistics import SWEPT, SweepRequest
from fastmetrics.engine.sweeps.passes import sweep_once
from fastmetrics.engine.sweeps.units import Units, build_units
from fastmetrics.errors import InputError


def sum_units(units: Units, request: SweepRequest, weights: npt.NDArray[Any]) -> Floats:
    """Sums (lanes, columns) of weights (units, lanes): uint8 ones, int64 or float64."""
    slots = np.arange(units.size, dtype=np.uint32)
    return sweep_once(weights[None], slots, units.marks, request, units.cuts)


def estimate_units(units: Units, request: SweepRequest) -> Floats:
    """Sums (columns,) of the data themselves.

    Weights are of the type that replicates of the units have, so that one compilation serves both.
    """
    estimate: Floats
    if units.weights is not None:
        estimate = sum_units(units, request, units.row_weights()[:, None])[0]
        return estimate
    totals = np.array(units.class_rows).reshape(1, 2, 1)
    if units.merged:
        weights, marks, cuts = units.rows, units.marks, units.cuts
    else:
        marks, cuts = units.row_marks
        weights = np.ones(marks.size, np.uint8)
    slots = np.arange(marks.size, dtype=np.uint32)
    estimate = sweep_once(weights[None, :, None], slots, marks, request, cuts, totals)[0]
    return estimate


def evaluate_metrics(
    metrics: Sequence[Metric],
    y_true: npt.ArrayLike | None,
    y_score: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    pos_label: Any = None,
) -> list[Floats]:
    """Value of each metric; those that sweep share one sort.

    Parameters
    ----------
    metrics : what to compute
    y_true : (n,) labels or targets; None where no metric reads them
    y_score : (n,) what the metrics read: scores, probabilities, predicted labels or values
    sample_weight : (n,) or None
    pos_label : the positive class where there are two
    """
    if y_true is None:
        for metric in metrics:
            if metric.statistic.data != "alone":
                raise InputError(f"y_true is None: {metric.name} compares with it")
        y_true = y_score
    values: dict[int, Floats] = {}
    sweeping = [k for k, metric in enumerate(metrics) if metric.statistic.kind in SWEPT]
    if sweeping:
        data = read_binary(y_true, y_score, sample_weight, pos_label=pos_label)
        swept = data.with_thresholds([metrics[k] for k in sweeping], None)
        request = SweepRequest.of(metric.statistic for metric in swept)
        units = build_units(data.labels, data.scores, data.weights, request)
        values.update(
            zip(sweeping, request.values(estimate_units(units, request), swept), strict=True)
        )
    for k, metric in enumerate(metrics):
        if k not in values:
            sums = _row_sums(metric, y_true, y_score, sample_weight, pos_label)
            with np.errstate(divide="ignore", invalid="ignore"):
                values[k] = metric.formula(sums)
    return [values[k] for k in range(len(metrics))]


def _row_sums(
    metric: Metric,
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
) -> Floats:
    """The statistic of a metric that needs no sort."""
    statistic = metric.statistic
    if statistic.kind == "confusion":
        return read_confusion(y_true, y_pred, sample_weight)
    truth, forecast, weights = read_rows(metric, y_true, y_pred, sample_weight, pos_label)
    if statistic.terms is not None:
        sums: Floats = weights @ statistic.terms(truth, forecast)
        return sums
    if statistic.measure is None:
        raise TypeError(f"{metric.name} describes neither terms nor a measure")
    return np.atleast_1d(statistic.measure(truth, forecast, weights))
