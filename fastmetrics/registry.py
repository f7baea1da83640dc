"""The registry: every named metric, its aliases, and how options make a metric of a name."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.classification import confusion_formulas, hinge
from fastmetrics.classification import formulas as classification
from fastmetrics.decisions import net_benefits
from fastmetrics.engine.description import Metric
from fastmetrics.engine.functions import describe_function
from fastmetrics.input.options import is_number
from fastmetrics.probability import calibration, calibration_line, skill
from fastmetrics.probability import losses as probability
from fastmetrics.ranking import areas as ranking
from fastmetrics.ranking import (
    class_areas,
    label_ranking,
    lists,
    operating_points,
    pairs,
    top_classes,
    top_rows,
)
from fastmetrics.regression import (
    _means,
    absolute_errors,
    deviance,
    explained,
    pinball,
    scaled_errors,
    squared_errors,
)

_MODULES = (
    classification,
    confusion_formulas,
    hinge,
    ranking,
    class_areas,
    pairs,
    operating_points,
    lists,
    label_ranking,
    top_classes,
    probability,
    skill,
    calibration,
    calibration_line,
    net_benefits,
    _means,
    squared_errors,
    absolute_errors,
    scaled_errors,
    explained,
    deviance,
    pinball,
)
_PLAIN: dict[str, Metric] = {
    metric.name: metric for module in _MODULES for metric in module.METRICS
}
# metrics that are made of options
# options whose descriptions compare them with a bound and no more
_NUMBERS = {"beta", "max_fpr", "min_tpr", "min_recall"}
_PARAMETRIC: dict[str, Callable[..., Metric]] = {
    "fbeta": classification.fbeta,
    "partial_auc": ranking.partial_auc,
    "recall_at_false_positive_rate": operating_points.describe_recall,
    "precision_at_recall": operating_points.describe_precision,
    "precision_at_k": top_rows.describe_precision,
    "recall_at_k": top_rows.describe_recall,
    "lift_at_k": top_rows.describe_lift,
    "top_k_accuracy": top_classes.describe_top_k,
    "net_benefit": net_benefits.describe_net_benefit,
    "mean_absolute_scaled_error": scaled_errors.describe_scaled_error,
    "mean_pinball_loss": pinball.describe_pinball_loss,
    "d2_pinball_score": pinball.describe_pinball_score,
    "mean_tweedie_deviance": deviance.describe_tweedie_deviance,
    "d2_tweedie_score": deviance.describe_tweedie_score,
    "ece": calibration.ece,
    "mce": calibration.mce,
    "dcg": lists.dcg,
    "ndcg": lists.ndcg,
}
ALIASES = {
    "mcc": "matthews_corrcoef",
    "kappa": "cohen_kappa",
    "cohen_kappa_score": "cohen_kappa",
    "auc": "roc_auc",
    "ap": "average_precision",
    "rank_auc": "roc_auc",
    "pairwise_auc": "roc_auc",
    "sensitivity": "recall",
    "brier": "brier_score",
    "brier_score_loss": "brier_score",
    "mse": "mean_squared_error",
    "rmse": "root_mean_squared_error",
    "mae": "mean_absolute_error",
    "mape": "mean_absolute_percentage_error",
    "expected_calibration_error": "ece",
    "maximum_calibration_error": "mce",
    "ks_statistic": "ks",
    "label_ranking_average_precision_score": "label_ranking_average_precision",
}


def metric_names() -> tuple[str, ...]:
    """Return the canonical names of all metrics, in alphabetical order."""
    return tuple(sorted({*_PLAIN, *_PARAMETRIC}))


def metric(
    metric: str | Metric,
    /,
    *,
    average: str | None = None,
    threshold: float | None = None,
    beta: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    min_recall: float | None = None,
    k: float | None = None,
    alpha: float | None = None,
    power: float | None = None,
    n_bins: int | None = None,
    strategy: str | None = None,
    y_train: ArrayLike | None = None,
    seasonality: int | None = None,
    name: str | None = None,
) -> Metric:
    """Look a metric up by name and set its options.

    Parameters
    ----------
    metric : a canonical name, an alias, or a metric
    average : "macro", "micro" or "weighted" over classes, for precision, recall, f1, fbeta,
        jaccard, specificity, negative_predictive_value and false_positive_rate
    threshold : cut of a label metric, a row is flagged when its score reaches it
    beta : weight of recall in ``fbeta``
    max_fpr : limit of ``partial_auc`` and ``recall_at_false_positive_rate``
    min_tpr : limit of ``partial_auc``
    min_recall : limit of ``precision_at_recall``
    k : rows, or their share, of ``precision_at_k``, ``recall_at_k``, ``lift_at_k``; entries of
        ``dcg`` and ``ndcg``, classes of ``top_k_accuracy``
    alpha : level of ``mean_pinball_loss`` and ``d2_pinball_score``
    power : of ``mean_tweedie_deviance`` and ``d2_tweedie_score``
    n_bins, strategy : of ``ece`` and ``mce``
    y_train, seasonality : of ``mean_absolute_scaled_error``; its scale is not resampled
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
    >>> fm.metric("f1", average="macro").name
    'f1_macro'
    """
    given: dict[str, Any] = {
        "beta": beta,
        "max_fpr": max_fpr,
        "min_tpr": min_tpr,
        "min_recall": min_recall,
        "k": k,
        "alpha": alpha,
        "power": power,
        "n_bins": n_bins,
        "strategy": strategy,
        "y_train": y_train,
        "seasonality": seasonality,
    }
    options = {key: value for key, value in given.items() if value is not None}
    for key in _NUMBERS & options.keys():
        _require_number(key, options[key])
    if average is not None:
        metric = _averaged(metric, average, options.pop("beta", None))
    if isinstance(metric, Metric) and options:
        raise ValueError(f"{metric.name} is a metric already: it takes no {next(iter(options))}")
    if metric == "net_benefit" and threshold is not None:
        options["threshold"] = threshold
        threshold = None
    found = metric if isinstance(metric, Metric) else _find(metric, options)
    if threshold is not None:
        found = _cut(found, threshold)
    return dataclasses.replace(found, name=name, options=()) if name else found


def _averaged(metric: str | Metric, average: str, beta: float | None) -> Metric:
    """Return a metric averaged over classes."""
    name = metric.name if isinstance(metric, Metric) else _canonical(metric)
    if average in confusion_formulas.AVERAGES:
        if beta is not None and name == "fbeta":
            return confusion_formulas.averaged_fbeta(beta, average)
        if beta is None and name in confusion_formulas.AVERAGED:
            return _PLAIN[f"{name}_{average}"]
    raise ValueError(
        f"{name} has no average {average!r}: {', '.join(confusion_formulas.AVERAGES)} exist for "
        f"{', '.join(confusion_formulas.AVERAGED)} and, with beta=, fbeta"
    )


def _require_number(name: str, value: Any) -> None:
    if not is_number(value) or np.isnan(value):
        raise ValueError(f"{name}={value!r}: give a number")


def _cut(found: Metric, threshold: Any) -> Metric:
    """Return a label metric at a threshold."""
    _require_number("threshold", threshold)
    if found.statistic.kind != "counts":
        raise ValueError(f"{found.name} takes no threshold: it is no metric of flagged rows")
    return dataclasses.replace(
        found,
        statistic=found.statistic.with_parameter(float(threshold)),
        options=(*found.options, ("threshold", threshold)),
    )


def _find(name: str, options: dict[str, Any]) -> Metric:
    """Return the metric of a name, built from options where it is parametric."""
    if not isinstance(name, str):
        raise TypeError(f"a metric is a name or a Metric, not {type(name).__name__}")
    canonical = _canonical(name)
    if canonical in _PARAMETRIC and (options or canonical not in _PLAIN):
        build = _PARAMETRIC[canonical]
        takes = inspect.signature(build).parameters
        wrong = [option for option in options if option not in takes]
        if wrong:
            raise ValueError(f"{canonical} takes no {wrong[0]}; it takes {', '.join(takes)}")
        for option, parameter in takes.items():
            if option not in options and parameter.default is parameter.empty:
                raise ValueError(
                    f"{canonical} needs its options: metric({canonical!r}, {option}=...)"
                )
        return build(**options)
    if canonical not in _PLAIN:
        near = difflib.get_close_matches(name, [*metric_names(), *ALIASES], n=3)
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ValueError(f"no metric is called {name!r}{hint}")
    if options:
        raise ValueError(f"{canonical} takes no {next(iter(options))}")
    return _PLAIN[canonical]


def _canonical(name: str) -> str:
    """Return the registry's name for an alias or the name of a function of ours."""
    if name in ALIASES:
        return ALIASES[name]
    known = name in _PLAIN or name in _PARAMETRIC
    return name if known or not name.endswith("_score") else name.removesuffix("_score")


def read_metrics(metrics: Any) -> list[Metric]:
    """Return the metrics of a ``metrics`` argument under the names that results show.

    Raises
    ------
    ValueError
        None at all, or the same metric twice.
    """
    single = isinstance(metrics, (str, Metric)) or callable(metrics)
    if not single and not isinstance(metrics, Iterable):
        raise TypeError(f"metrics is {metrics!r}: give a name, a Metric, or several of these")
    found = [_read(value) for value in ([metrics] if single else _values(metrics))]
    if not found:
        raise ValueError("metrics is empty: name at least one metric")
    if isinstance(metrics, Mapping):
        names = [str(key) for key in metrics]
    else:
        plain = [metric.name for metric in found]
        names = [metric.label if plain.count(metric.name) > 1 else metric.name for metric in found]
    shown = [dataclasses.replace(metric, name=name) for metric, name in zip(found, names)]
    for metric in shown:
        if sum(other.name == metric.name for other in shown) > 1:
            raise ValueError(f"metrics holds {metric.name!r} twice")
    return shown


def _values(metrics: Iterable[Any]) -> list[Any]:
    """Return what a mapping holds, or any other collection."""
    return list(metrics.values() if isinstance(metrics, Mapping) else metrics)


def _read(value: Any) -> Metric:
    """Return the metric that a name, a metric, or a function of ours stands for."""
    if isinstance(value, (str, Metric)):
        return metric(value)
    function, options = value, {}
    if isinstance(value, functools.partial):
        function, options = value.func, dict(value.keywords)
    if not callable(function):
        raise TypeError(f"a metric is a name, a Metric or a function, not {value!r}")
    name = getattr(function, "__name__", type(function).__name__)
    home = getattr(function, "__module__", "").split(".")[0]
    if home == "fastmetrics" or (home == "sklearn" and _is_known(name)):
        if name == "auc":
            raise ValueError("auc is the area under given points: name 'roc_auc'")
        options = {key: value for key, value in options.items() if value is not None}
        name = _special_name(name, options)
        unknown = options.keys() - inspect.signature(metric).parameters.keys()
        if unknown:
            raise ValueError(f"{name} takes no {min(unknown)} here: pass it to the call")
        return metric(name, **options)
    return describe_function(value, "function" if name == "<lambda>" else name)


def _is_known(name: str) -> bool:
    """Whether a function of scikit-learn is a metric here, which then takes its place."""
    canonical = _canonical(name)
    return canonical in _PLAIN or canonical in _PARAMETRIC or name == "auc"


def _special_name(name: str, options: dict[str, Any]) -> str:
    """Return the name that a function of ours has under options that are part of the name here.

    These options are taken out.
    """
    if name == "roc_auc_score" and "max_fpr" in options:
        return "partial_auc"
    if name == "roc_auc_score" and options.get("multi_class") in ("ovr", "ovo"):
        means = {"macro": "", "weighted": "_weighted"}
        average = options.pop("average", "macro")
        if average not in means:
            raise ValueError(f"roc_auc_score has no average={average!r} here: macro or weighted")
        return f"roc_auc_{options.pop('multi_class')}{means[average]}"
    if name == "cohen_kappa_score" and options.get("weights") in confusion_formulas.POWERS:
        return f"cohen_kappa_{options.pop('weights')}"
    return name
