"""Sums of squared errors and of logarithms over the rows of a forecast, block by block.

Conventions
-----------
A logarithm is taken of the probability that was given to what happened, within
``[smallest, 1 - smallest]``, in float64 whatever the type of the probabilities. NumPy's vector
logarithm is several times faster than a compiled loop over the scalar one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmetrics.input.forecasts import (
    BLOCK,
    SMALLEST,
    BinaryForecast,
    ClassForecast,
    Floats,
    Forecast,
    total_weight,
)
from fastmetrics.kernels.forecasts import (
    add_class_weights,
    class_squared_errors,
    column_probabilities,
    outcome_probabilities,
    squared_errors,
)


def sum_squares(forecast: Forecast) -> float:
    """Weighted squared errors, over all columns of classes; nan where plain data are not fine."""
    total = 0.0
    if isinstance(forecast, BinaryForecast):
        for block in forecast.blocks():
            squares, fine = squared_errors(*block)
            if not fine:
                return float("nan")
            total += squares
        return total
    for outcomes, probabilities, weights in forecast.blocks():
        if outcomes.ndim == 2:
            squares = np.square(probabilities - outcomes).sum(axis=1)
            total += _added(squares, weights)
        else:
            total += class_squared_errors(outcomes, probabilities, weights)
    return total


def sum_logarithms(forecast: Forecast) -> float:
    """Weighted minus logarithms; nan where plain data are not fine, or hold one class only."""
    if isinstance(forecast, ClassForecast):
        return _sum_class_logarithms(forecast)
    n = len(forecast.outcomes)
    told = np.empty(min(n, BLOCK))
    total, positives = 0.0, 0
    for outcomes, probabilities, weights in forecast.blocks():
        block = told[: len(outcomes)]
        ones, fine = outcome_probabilities(outcomes, probabilities, forecast.smallest, block)
        if not fine:
            return float("nan")
        positives += ones
        total -= _added(np.log(block, out=block), weights)
    return total if forecast.checked or 0 < positives < n else float("nan")


def squared_errors_of_rows(y_true: NDArray[Any], y_prob: Floats) -> Floats:
    """Squared errors (n,) of the probability (n,) of 1; of columns (n, K) for K classes their sum.

    Halved for two columns, so that it is that of one of them.
    """
    if y_prob.ndim == 1:
        squares: Floats = np.square(y_prob - y_true)
        return squares
    errors = y_prob.astype(np.float64)
    errors[np.arange(len(errors)), y_true.astype(np.intp, copy=False)] -= 1.0
    summed: Floats = np.einsum("ij,ij->i", errors, errors)
    return summed / 2.0 if errors.shape[1] == 2 else summed


def outcome_logarithms(y_true: NDArray[Any], y_prob: Floats) -> Floats:
    """Minus the logarithm (n,) of the probability of what happened.

    y_true is 0 or 1 for probabilities (n,) of 1, else the column that came true.
    """
    smallest = SMALLEST.get(y_prob.dtype, SMALLEST[np.dtype(np.float64)])
    probabilities = y_prob.astype(np.float64, copy=False)
    if y_prob.ndim == 1:
        told = np.where(y_true == 1, probabilities, 1.0 - probabilities)
    else:
        told = probabilities[np.arange(len(y_true)), y_true.astype(np.intp, copy=False)]
    logarithms: Floats = -np.log(told.clip(smallest, 1.0 - smallest))
    return logarithms


def _sum_class_logarithms(forecast: ClassForecast) -> float:
    """Weighted minus logarithms of the columns that came true."""
    total = 0.0
    for outcomes, probabilities, weights in forecast.blocks():
        if outcomes.ndim == 2:
            logarithms = (outcomes * _logarithms(probabilities, forecast.smallest)).sum(axis=1)
        elif len(probabilities) == 1:
            logarithms = _logarithms(probabilities[0], forecast.smallest)[outcomes]
        else:
            told = np.empty(len(outcomes))
            column_probabilities(outcomes, probabilities, forecast.smallest, told)
            logarithms = np.log(told, out=told)
        total -= _added(logarithms, weights)
    return total


def _logarithms(probabilities: Floats, smallest: float) -> Floats:
    """Logarithms of probabilities (any shape) within [smallest, 1 - smallest]."""
    # half the time of a clip, where they are few
    bounded = np.maximum(probabilities, smallest)
    np.minimum(bounded, 1.0 - smallest, out=bounded)
    return np.log(bounded, out=bounded)


def _added(values: NDArray[Any], weights: Floats) -> float:
    """Sum of values (n,) with weights (n,), or (1,) for all of them."""
    return float(values.sum() * weights[0] if weights.size == 1 else values @ weights)


def null_forecast(forecast: Forecast) -> Forecast:
    """The same outcomes, forecast by the share of the weight that fell on each class."""
    total = total_weight(forecast)
    if isinstance(forecast, BinaryForecast):
        positive = sum(_added(outcomes, weights) for outcomes, _, weights in forecast.blocks())
        shares = np.array([positive / total])
        return BinaryForecast(
            forecast.outcomes, shares, forecast.weights, SMALLEST[shares.dtype], checked=True
        )
    classes = np.zeros(forecast.probabilities.shape[1])
    for outcomes, _, weights in forecast.blocks():
        if outcomes.ndim == 2:
            classes += np.broadcast_to(weights, len(outcomes)) @ outcomes
        else:
            add_class_weights(outcomes, weights, classes)
    shares = classes[None, :] / total
    return ClassForecast(forecast.outcomes, shares, forecast.weights, SMALLEST[shares.dtype])
