"""A report as plain data: what JSON and CSV are written from.

Conventions
-----------
`schema.json` beside this file describes the result. Undefined numbers are None, infinite ones the
words "infinity" and "-infinity"; a model without a name, and the slice of all rows, are None.
Nothing is rounded. A change that breaks readers raises the first number of ``SCHEMA_VERSION``, an
addition the second.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmetrics.inference.bootstraps.band_results import CurveBand
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.entries import plain_seed
from fastmetrics.report.calibration_summary import Calibration
from fastmetrics.report.data_summary import DataSummary
from fastmetrics.report.method_line import Method
from fastmetrics.report.thresholds import OperatingPoint, Thresholds

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

SCHEMA_VERSION = "1.0"


def json_schema() -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of `as_dict`."""
    text = files("fastmetrics.report").joinpath("schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def as_dict(report: EvaluationReport) -> dict[str, Any]:
    """Return a report as nested dicts and lists."""
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "title": report.title,
        "models": list(report.scores.models),
        "data": _data(report.data),
        "metrics": _metrics(report.scores),
        "comparison": None if report.comparison is None else report.comparison.rows(),
        "thresholds": None if report.thresholds is None else _thresholds(report.thresholds),
        "calibration": [_calibration(entry) for entry in report.calibration.values()],
        "curves": [_curve(band) for band in report.curves.values()],
        "folds": [{"model": model, **folds.to_dict()} for model, folds in report.folds.items()],
        "findings": [
            {"kind": finding.kind, "topic": finding.topic, "text": finding.text}
            for finding in report.findings
        ],
        "left_out": list(report.left_out),
        "method": _method(report.method),
    }
    plain: dict[str, Any] = plain_value(found)
    return plain


def plain_value(value: Any) -> Any:
    """Return a value in the types that JSON has."""
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "infinity" if value > 0 else "-infinity"
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)


def _data(data: DataSummary) -> dict[str, Any]:
    return {
        "n_rows": data.n_rows,
        "n_positive": data.n_positive,
        "prevalence": data.prevalence,
        "n_given": data.dropped.n_given,
        "n_dropped": data.dropped.n_dropped,
        "missing": data.dropped.by_column,
        "n_groups": data.n_groups,
        "n_strata": data.n_strata,
        "weighted": data.weighted,
        "effective_n": float(data.effective_n),
        "scores": [vars(scores) for scores in data.scores],
        "slices": [
            {"slice": part.name, "n_rows": part.n_rows, "n_positive": part.n_positive}
            for part in data.slices
        ],
    }


def _metrics(scores: BootstrapResult) -> list[dict[str, Any]]:
    """Return the entries; of slices without Monte-Carlo errors, which cost most of the time."""
    resampled = scores.info.n_resamples > 0
    return [
        {
            "model": model,
            "metric": name,
            "slice": part,
            "estimate": entry.estimate,
            "low": entry.interval.limits.low,
            "high": entry.interval.limits.high,
            "standard_error": entry.standard_error,
            "bias": entry.bias,
            "method": entry.interval.method,
            "n_undefined": entry.n_undefined,
            "monte_carlo_error": entry.monte_carlo_error if resampled and part is None else None,
            "greater_is_better": entry.greater_is_better,
        }
        for (model, name, part), entry in scores.entries().items()
    ]


def _thresholds(thresholds: Thresholds) -> dict[str, Any]:
    costs = thresholds.costs
    return {
        "cost_fp": None if costs is None else costs.fp,
        "cost_fn": None if costs is None else costs.fn,
        "searched_by": thresholds.metric,
        "searched_on_these_rows": thresholds.searched,
        "points": [_point(point) for point in thresholds.points],
        "intervals": [
            {"model": model, **row}
            for model, result in thresholds.intervals.items()
            for row in _interval_rows(result)
        ],
    }


def _interval_rows(result: BootstrapResult) -> list[dict[str, Any]]:
    return [
        {
            "quantity": key[1],
            "estimate": entry.estimate,
            "low": entry.interval.limits.low,
            "high": entry.interval.limits.high,
            "standard_error": entry.standard_error,
            "method": entry.interval.method,
        }
        for key, entry in result.entries().items()
    ]


def _point(point: OperatingPoint) -> dict[str, Any]:
    return {
        "model": point.model,
        "rule": point.rule,
        "chosen": point.chosen,
        "searched_on_these_rows": point.searched,
        "threshold": point.threshold,
        "flagged": point.n_flagged,
        **point.counts._asdict(),
        **point.rates,
        "mean_cost": point.mean_cost,
    }


def _calibration(found: Calibration) -> dict[str, Any]:
    terms = found.decomposition
    return {
        "model": found.model,
        "mean_probability": found.mean_probability,
        "prevalence": found.prevalence,
        "brier_score": found.brier_score,
        **terms._asdict(),
        "skill": found.skill,
        "ece": found.ece,
        "mce": found.mce,
        "slope": found.slope,
        "slope_low": found.slope_low,
        "slope_high": found.slope_high,
        "intercept": found.intercept,
        "z": found.z,
        "bins": [vars(entry) for entry in found.bins],
    }


def _curve(band: CurveBand) -> dict[str, Any]:
    return {
        **band.to_dict(),
        "n_resamples": band.info.n_resamples,
        "prevalence": band.prevalence,
    }


def _method(method: Method) -> dict[str, Any]:
    info = method.info
    return {
        "line": method.line,
        "version": method.version,
        "resampling": info.resampling,
        "n_resamples": info.n_resamples,
        "curve_resamples": method.curve_resamples,
        "search_resamples": method.search_resamples,
        "seed": plain_seed(info.seed),
        "confidence_level": info.confidence_level,
        "interval_methods": method.interval_methods,
        "undefined_replicates": [
            {"model": model, "metric": name, "slice": part, "count": count}
            for (model, name, part), count in method.n_undefined.items()
        ],
        "monte_carlo_error": method.monte_carlo_error,
    }
