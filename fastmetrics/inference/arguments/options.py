"""Checks of the bootstrap's options; every message names the option and the call that works."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np

from fastmetrics.engine.description import Metric
from fastmetrics.engine.readings.answers import ModelData
from fastmetrics.input.options import is_number

Word = TypeVar("Word", bound=str)


def confidence_level(value: Any) -> float:
    """Return a level as a fraction; 95 is told apart from 0.95."""
    if is_number(value) and value > 0.0 and 1.0 + float(value) < 2.0:
        return float(value)
    hint = f"{value / 100:g}" if is_number(value) and 1.0 < value < 100.0 else "0.95"
    raise ValueError(f"confidence_level={value}: give a fraction, {hint}")


def threshold(value: Any) -> Any:
    """Return a threshold, a mapping of models to thresholds, or None."""
    if value is None:
        return None
    cuts = list(value.values()) if isinstance(value, Mapping) else [value]
    if not cuts or not all(is_number(cut) and cut == cut for cut in cuts):
        raise ValueError(f"threshold={value!r}: give a number, or a mapping of models to them")
    if isinstance(value, Mapping):
        return {str(model): cut for model, cut in value.items()}
    return value


def one_of(value: Any, name: str, words: tuple[Word, ...]) -> Word:
    """Return the word that a value spells, in any case."""
    for word in words:
        if isinstance(value, str) and value.lower() == word:
            return word
    raise ValueError(f"{name}={value!r}: give one of {', '.join(words)}")


def interval_method(value: Any, words: tuple[Word, ...]) -> Word | None:
    """Return an interval method, or None for each metric's own."""
    if value is None:
        return None
    return one_of(value, "method", words)


def n_resamples(value: Any) -> int | None:
    """Return the number of replicates; None for "auto"."""
    if isinstance(value, str) and value.lower() == "auto":
        return None
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 0:
        return int(value)
    raise ValueError(f"n_resamples={value!r}: give a whole number of 0 or more, or 'auto'")


def threads(value: Any) -> int:
    """Return the number of threads: None is 1, -1 all cores, -2 all but one."""
    if value is None:
        return 1
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value == 0:
        raise ValueError(f"n_jobs={value!r}: give a number of threads, or -1 for all cores")
    if value > 0:
        return int(value)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (cores or 1) + 1 + int(value))


def jackknife_groups(value: Any) -> int | None:
    """Return the number of groups to leave out in turn."""
    if value is None:
        return None
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 2:
        return int(value)
    raise ValueError(f"jackknife_groups={value!r}: give a whole number of 2 or more")


def require_distinct_names(
    models: Sequence[ModelData], metrics: Sequence[Metric], slices: Sequence[tuple[Any, Any]]
) -> None:
    """Refuse a name that two axes of the result share."""
    axes: dict[str, set[Any]] = {
        "models": {model.name for model in models} - {None},
        "metrics": {metric.name for metric in metrics},
        "slices": {name for name, _ in slices} - {None},
    }
    for (one, first), (other, second) in itertools.combinations(axes.items(), 2):
        shared = first & second
        if shared:
            raise ValueError(
                f"{next(iter(shared))!r} names one of the {one} and one of the {other}: results "
                "are looked up by name, rename one"
            )


def check_callables(metrics: Sequence[Metric], law: str, sample_weight: Any) -> None:
    """Refuse functions without weights where rows cannot be repeated instead."""
    for metric in metrics:
        fractional = law == "bayesian" or sample_weight is not None
        if fractional and not metric.statistic.takes_weights:
            raise ValueError(
                f"{metric.name} takes no sample_weight, and weights that are no counts cannot be "
                "turned into repeated rows: give it a parameter sample_weight"
            )


def only_given_draws(given: dict[str, Any], excluded: dict[str, tuple[Any, Any]]) -> None:
    """Refuse options that draws from outside leave without meaning.

    Parameters
    ----------
    given : the arguments that hold draws, by name
    excluded : value and default of every option that they exclude, by name
    """
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise ValueError("resamples= and counts= are two ways to give the draws: pass one")
    for name, (value, default) in excluded.items():
        if value is not None if default is None else value != default:
            raise ValueError(f"{names[0]}= gives the draws: leave {name}= out")


def frame_library(*inputs: Any) -> Literal["pandas", "polars"]:
    """Return the library that frames of results come in: that of the inputs, else pandas."""
    columns = [
        column
        for value in inputs
        for column in (value.values() if isinstance(value, Mapping) else (value,))
    ]
    names = [type(column).__module__.partition(".")[0] for column in columns]
    return "polars" if "polars" in names else "pandas"
