"""All pairs of the models of a result, or those with a baseline, and their differences."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.errors import UnknownNameError, warn
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.comparisons.differences import Difference, Margin, PairKey, subtract
from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.inference.entries import Entry, Key, RunInfo
from fastmetrics.inference.pvalues import holm
from fastmetrics.input.options import is_number

ADJUSTMENTS = ("holm", "none")


def compare_models(
    result: BootstrapResult, baseline: Any, margin: Any, adjust: str
) -> ComparisonResult:
    """Compare the models of a result on its replicates.

    Parameters
    ----------
    result : with two or more models
    baseline : model that all others are compared with; None compares all pairs
    margin : see ``read_margins``
    adjust : "holm" or "none"
    """
    models = result.models
    if baseline is not None and baseline not in models:
        baseline = str(baseline)  # names of models are text, whatever the mapping held
    check_comparison(models, baseline, adjust)
    if any(entry.rule.method == "studentized" for entry in result.entries().values()):
        raise ValueError(
            "method='studentized' has no standard error of a difference: compare results of "
            "'bca', 'percentile' or 'basic'"
        )
    margins = read_margins(margin, result.metrics)
    pairs = (
        list(itertools.combinations(models, 2))
        if baseline is None
        else [(model, baseline) for model in models if model != baseline]
    )
    differences: dict[PairKey, Difference] = {}
    for metric, part in dict.fromkeys(key[1:] for key in result.entries()):
        found = {
            pair: _difference(result, pair, metric, part, margins.get(metric)) for pair in pairs
        }
        adjusted = [difference.pvalue for difference in found.values()]
        if adjust == "holm":
            adjusted = holm(adjusted)
        for (pair, difference), p in zip(found.items(), adjusted):
            differences[(*pair, metric, part)] = dataclasses.replace(difference, pvalue_adjusted=p)
    warn_of_pairs(differences, result.info, len(pairs) if adjust == "holm" else 1)
    return ComparisonResult(differences, result.info, result, adjustment=adjust)


def check_comparison(models: Collection[str], baseline: Any, adjust: str) -> None:
    """Refuse what cannot be compared.

    Raises
    ------
    ValueError
        Fewer than two models, or an unknown adjustment.
    UnknownNameError
        A baseline that is no model.
    """
    if adjust not in ADJUSTMENTS:
        raise ValueError(f"adjust={adjust!r}: give 'holm' or 'none'")
    if len(models) < 2:
        raise ValueError(
            "comparing takes two models or more: pass y_score as a mapping of names to scores"
        )
    if baseline is not None and baseline not in models:
        raise UnknownNameError(
            f"baseline={baseline!r} is no model here: {', '.join(map(repr, models))}"
        )


def _difference(
    result: BootstrapResult, pair: tuple[str, str], metric: str, part: Any, margin: Margin | None
) -> Difference:
    """Return the difference of a pair in one metric."""
    keys: list[Key] = [(name, metric, part) for name in pair]
    first, second = (result.entries()[key] for key in keys)
    return subtract(first, second, _delete_one_of(result, keys, (first, second)), margin)


def _delete_one_of(
    result: BootstrapResult, keys: list[Key], entries: tuple[Entry, Entry]
) -> Callable[[], DeleteOne] | None:
    """Return what makes the delete-one values of a difference."""
    if entries[0].rule.method != "bca":
        return None
    sources = result.delete_one_of(keys)
    if sources is None:
        raise ValueError(
            "BCa differences need the data, and an unpickled result has none: compare before "
            "pickling, or ask for method='percentile'"
        )

    def difference() -> DeleteOne:
        first, second = (source() for source in sources)
        return dataclasses.replace(
            first, values=first.values - second.values, exact=first.exact and second.exact
        )

    return difference


def read_margins(margin: Any, metrics: tuple[str, ...]) -> dict[str, Margin]:
    """Return the margin of each metric.

    Parameters
    ----------
    margin : None; the largest loss, 0 or more; a lower and an upper margin of the difference; or a
        mapping of metrics to these
    metrics : names

    Raises
    ------
    ValueError
        A negative loss, margins that do not hold 0 between them, or an unknown metric.
    """
    if margin is None:
        return {}
    if isinstance(margin, Mapping):
        unknown = [name for name in margin if name not in metrics]
        if unknown:
            raise ValueError(f"margin names {unknown[0]!r}, the metrics are {', '.join(metrics)}")
        return {name: _margin(value) for name, value in margin.items()}
    return {name: _margin(margin) for name in metrics}


def _margin(value: Any) -> Margin:
    """Return one margin, checked."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        low, high = float(value[0]), float(value[1])
        if low < 0.0 < high:
            return low, high
        raise ValueError(f"margin={value!r}: the lower lies below 0, the upper above")
    if is_number(value) and value >= 0.0:
        return float(value)
    raise ValueError(
        f"margin={value!r}: give the largest loss that does not matter, 0 or more, or a lower and "
        "an upper margin"
    )


def warn_of_pairs(differences: dict[PairKey, Difference], info: RunInfo, pairs: int) -> None:
    """Warn where no adjusted p-value can be small enough, and of limits that need a word."""
    size = info.n_resamples
    error = 1.0 - info.confidence_level
    # the others take their p-values from a normal distribution
    counted = {difference.method for difference in differences.values()} - {"normal", "logit"}
    if size and counted and 2.0 * pairs / (size + 1) >= error:
        least = min(1.0, 2 * pairs / (size + 1))
        warn(
            f"{pairs} pair{'s' if pairs > 1 else ''} on {size:,} replicates: no adjusted p-value "
            f"can lie below {least:.2g}; n_resamples={math.ceil(2 * pairs / error):,} would do"
        )
    remarks: dict[str, list[str]] = {}
    for key, difference in differences.items():
        for remark in difference.remarks:
            name = f"{key[0]} - {key[1]} {key[2]}"
            remarks.setdefault(remark, []).append(name)
    for remark, names in remarks.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        warn(f"{names[0]}{more}: {remark}")
