"""The registry: every named metric, its aliases, and how options make a metric of a name."""

from __future__ import annotations

import dataclasses
import difflib
import functools
from collections.abc import Callable, Mapping
from typing import Any

from fastmetrics import classification, operating_points, pairs, ranking
from fastmetrics.description import Metric

_PLAIN: dict[str, Metric] = {
    metric.name: metric
    for module in (classification, ranking, pairs, operating_points)
    for metric in module.METRICS
}
# metrics that need an option before they mean anything
_PARAMETRIC: dict[str, Callable[..., Metric]] = {
    "fbeta": classification.fbeta,
    "partial_auc": ranking.partial_auc,
    "recall_at_false_positive_rate": operating_points.describe_recall,
    "precision_at_recall": operating_points.describe_precision,
}
ALIASES = {
    "mcc": "matthews_corrcoef",
    "kappa": "cohen_kappa",
    "auc": "roc_auc",
    "ap": "average_precision",
    "roc_auc_score": "roc_auc",
    "average_precision_score": "average_precision",
    "gini_score": "gini",
    "ks_statistic": "ks",
    "rank_auc": "roc_auc",
    "sensitivity": "recall",
}


def metric_names() -> tuple[str, ...]:
    """Return the canonical names of all metrics, in alphabetical order."""
    return tuple(sorted([*_PLAIN, *_PARAMETRIC]))


def metric(
    metric: str | Metric,
    /,
    *,
    threshold: float | None = None,
    beta: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    min_recall: float | None = None,
    name: str | None = None,
) -> Metric:
    """Look a metric up by name and set its options.

    Parameters
    ----------
    metric : a canonical name, an alias, or a metric
    threshold : cut of a label metric, a row is flagged when its score reaches it
    beta : weight of recall in ``fbeta``
    max_fpr : limit of ``partial_auc`` and ``recall_at_false_positive_rate``
    min_tpr : limit of ``partial_auc``
    min_recall : limit of ``precision_at_recall``
    name : the name that results show

    Returns
    -------
    Metric

    Raises
    ------
    ValueError
        Unknown name (the nearest are listed), or an option that the metric does not take.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.metric("f1", threshold=0.3).label
    'f1[threshold=0.3]'
    """
    options = {
        key: value
        for key, value in (
            ("beta", beta),
            ("max_fpr", max_fpr),
            ("min_tpr", min_tpr),
            ("min_recall", min_recall),
        )
        if value is not None
    }
    found = metric if isinstance(metric, Metric) else _find(metric, options)
    if isinstance(metric, Metric) and options:
        raise ValueError(f"{metric.name} is a metric already: it takes no {next(iter(options))}")
    if threshold is not None:
        if found.input != "label":
            raise ValueError(f"{found.name} reads scores: it takes no threshold")
        found = dataclasses.replace(
            found,
            statistic=found.statistic.with_parameter(threshold),
            options=(*found.options, ("threshold", threshold)),
        )
    return dataclasses.replace(found, name=name, options=()) if name else found


def _find(name: str, options: dict[str, Any]) -> Metric:
    """Return the metric of a name, built from options where it is parametric."""
    if not isinstance(name, str):
        raise TypeError(f"a metric is a name or a Metric, not {type(name).__name__}")
    canonical = ALIASES.get(name, name)
    if canonical in _PARAMETRIC:
        try:
            return _PARAMETRIC[canonical](**options)
        except TypeError:
            raise ValueError(f"{canonical} needs its options: {_USAGE[canonical]}") from None
    if canonical not in _PLAIN:
        near = difflib.get_close_matches(name, [*metric_names(), *ALIASES], n=3)
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ValueError(f"no metric is called {name!r}{hint}")
    if options:
        raise ValueError(f"{canonical} takes no {next(iter(options))}")
    return _PLAIN[canonical]


def read_metrics(metrics: Any) -> list[Metric]:
    """Return the metrics of a ``metrics`` argument under the names that results show.

    Raises
    ------
    ValueError
        None at all, or the same metric twice.
    """
    if isinstance(metrics, Mapping):
        return [dataclasses.replace(_read(value), name=str(key)) for key, value in metrics.items()]
    single = isinstance(metrics, (str, Metric)) or callable(metrics)
    found = [_read(value) for value in ([metrics] if single else list(metrics))]
    if not found:
        raise ValueError("metrics is empty: name at least one metric")
    names = [metric.name for metric in found]
    shown = [
        dataclasses.replace(metric, name=metric.label) if names.count(metric.name) > 1 else metric
        for metric in found
    ]
    for metric in shown:
        if sum(other.name == metric.name for other in shown) > 1:
            raise ValueError(f"metrics holds {metric.name!r} twice")
    return shown


def _read(value: Any) -> Metric:
    """Return the metric that a name, a metric, or a function of ours stands for."""
    if isinstance(value, (str, Metric)):
        return metric(value)
    function, options = value, {}
    if isinstance(value, functools.partial):
        function, options = value.func, dict(value.keywords)
    if not callable(function):
        raise TypeError(f"a metric is a name, a Metric or a function, not {value!r}")
    name = getattr(function, "__name__", "")
    if getattr(function, "__module__", "").split(".")[0] == "fastmetrics":
        if name == "roc_auc_score" and options:
            return metric("partial_auc", **options)
        return metric(name, **options)
    raise NotImplementedError(
        f"metrics of your own ({name or value!r}) are not there yet: name one of the registry"
    )


_USAGE = {
    "fbeta": "metric('fbeta', beta=2)",
    "partial_auc": "metric('partial_auc', max_fpr=0.1) or min_tpr=0.9",
    "recall_at_false_positive_rate": "metric('recall_at_false_positive_rate', max_fpr=0.01)",
    "precision_at_recall": "metric('precision_at_recall', min_recall=0.9)",
}
