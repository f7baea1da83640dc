"""Functions of the user as metrics: called with the weights of every replicate."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric, Statistic


def describe_function(function: Callable[..., Any], name: str) -> Metric:
    """Describe a function ``(y_true, y_score, sample_weight) -> float``.

    Parameters
    ----------
    function : gets the data as they were passed and float64 weights (n,), zeros included; without
        a parameter ``sample_weight`` it gets every row as often as it was drawn
    name : what results show
    """
    weighted = _takes_weights(function)
    measure: Any = functools.partial(_weigh if weighted else _repeat, function)
    statistic = Statistic(
        "function of the user",
        1,
        "rows",
        False,
        "callable",
        measure=measure,
        takes_weights=weighted,
    )
    return Metric(
        name, statistic, _value, "value", (-np.inf, np.inf), True, source="function of the user"
    )


def _takes_weights(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter for weights: its name, or a third position."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in, says nothing
        return False
    if "sample_weight" in parameters:
        return True
    kinds = [parameter.kind for parameter in parameters.values()]
    return inspect.Parameter.VAR_KEYWORD in kinds


def _weigh(
    function: Callable[..., Any],
    y_true: npt.NDArray[Any] | None,
    y_score: npt.NDArray[Any],
    weights: Floats,
) -> float:
    """Call with weights."""
    return float(function(y_true, y_score, sample_weight=weights))


def _repeat(
    function: Callable[..., Any],
    y_true: npt.NDArray[Any] | None,
    y_score: npt.NDArray[Any],
    weights: Floats,
) -> float:
    """Call with every row as often as it was drawn: the one place where rows are copied."""
    rows = np.repeat(np.arange(weights.size), weights.astype(np.int64))
    truth = None if y_true is None else y_true[rows]
    return float(function(truth, y_score[rows]))


def _value(sums: Floats) -> Floats:
    return sums[..., 0]
