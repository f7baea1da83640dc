"""Functions of the user as metrics: called with the weights of every replicate."""

from __future__ import annotations

import contextlib
import functools
import inspect
import reprlib
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
    if not weighted:
        call = _repeat
    elif "sample_weight" in inspect.signature(function).parameters:
        call = _by_keyword
    else:
        call = _by_position
    measure: Any = functools.partial(_measured, call, function, name)
    statistic = Statistic(
        "function of the user",
        1,
        "callable",
        measure=measure,
        takes_weights=weighted,
    )
    return Metric(
        name, statistic, _value, "value", (-np.inf, np.inf), True, source="function of the user"
    )


def _takes_weights(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter for weights: by name, or the third that it cannot miss.

    One that takes any keyword may well ignore them, so it gets repeated rows.
    """
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in, says nothing
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [
        parameter
        for parameter in parameters.values()
        if parameter.kind in positional and parameter.default is parameter.empty
    ]
    return "sample_weight" in parameters or len(needed) == 3


def _measured(
    call: Callable[..., Any],
    function: Callable[..., Any],
    name: str,
    y_true: npt.NDArray[Any] | None,
    y_score: npt.NDArray[Any],
    weights: Floats,
) -> float:
    """The number that a function gives; nan where no row was drawn."""
    if not weights.any():
        return float("nan")
    value = call(function, y_true, y_score, weights)
    if not isinstance(value, str | bytes):
        with contextlib.suppress(TypeError):
            return float(value)
    raise TypeError(f"{name} returned {reprlib.repr(value)}: a metric is one number")


def _by_position(
    function: Callable[..., Any],
    y_true: npt.NDArray[Any] | None,
    y_score: npt.NDArray[Any],
    weights: Floats,
) -> Any:
    """Call with weights."""
    return function(y_true, y_score, weights)


def _by_keyword(
    function: Callable[..., Any],
    y_true: npt.NDArray[Any] | None,
    y_score: npt.NDArray[Any],
    weights: Floats,
) -> Any:
    """Call with weights by their name."""
    return function(y_true, y_score, sample_weight=weights)


def _repeat(
    function: Callable[..., Any],
    y_true: npt.NDArray[Any] | None,
    y_score: npt.NDArray[Any],
    weights: Floats,
) -> Any:
    """Call with every row as often as it was drawn: the one place where rows are copied."""
    rows = np.repeat(np.arange(weights.size), weights.astype(np.int64))
    truth = None if y_true is None else y_true[rows]
    return function(truth, y_score[rows])


def _value(sums: Floats) -> Floats:
    return sums[..., 0]
