"""Unit deviances of powers of the mean, where they exist, and their sums.

Conventions: the deviance is told twice, by kernels for float64 and as a formula for arrays of any
float type, which serves longdouble and the registry.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from fastmetrics.errors import invalid_parameter
from fastmetrics.input.domains import Domain
from fastmetrics.input.targets import LONG, Floats, Targets
from fastmetrics.kernels.deviances import (
    GAMMA,
    POISSON,
    TWEEDIE,
    deviance_sums,
    lowest_pair,
    ratios,
)
from fastmetrics.regression._means import Rows

# from predictions and from a constant
Sums = tuple[float, float]

_FLOAT64 = np.dtype(np.float64)
_MESSAGE = "Mean Tweedie deviance error with power={power} can only be used on "
_ANY_TARGET = Domain(_MESSAGE + "strictly positive y_pred.", 0.0, "any")
_FROM_ZERO = Domain(_MESSAGE + "non-negative y and strictly positive y_pred.", 0.0, "from")
_ABOVE_ZERO = Domain(_MESSAGE + "strictly positive y and y_pred.", 0.0, "above")


def check_power(caller: str, power: Any) -> None:
    """A power for which a distribution exists."""
    # the test for Real is of an abstract class, which costs as much as a kernel on a hundred rows
    is_real = type(power) in (float, int) or isinstance(power, Real)
    if is_real and math.isfinite(power) and not 0.0 < float(power) < 1.0:
        return
    raise invalid_parameter(
        f"The 'power' parameter of {caller} must be a float of 0 or less, or of 1 or more. Got "
        f"{power!r} instead."
    )


def domain_of(power: float) -> Domain:
    """What targets and predictions may be, for a power other than 0."""
    if power < 0:
        return _ANY_TARGET
    return _FROM_ZERO if power < 2 else _ABOVE_ZERO


def deviances_of(targets: Targets, power: float, constant: float = 0.0) -> Sums:
    """Weighted sums of unit deviances, of a power other than 0, from predictions and a constant.

    Refuses predictions and targets outside the domain. Without a constant above 0 the second sum
    is 0.
    """
    if targets.layout == LONG:
        return _long_deviances(targets, power, constant)
    domain = domain_of(power)
    sums_of_block = _logarithmic_sums if power in (1, 2) else _power_sums
    total = reference = 0.0
    for truth, forecast, weights in targets.blocks(bounded=True):
        target, mean = truth[0], forecast[0]
        if target.dtype is not _FLOAT64:
            target, mean = target.astype(_FLOAT64), mean.astype(_FLOAT64)
        sums = sums_of_block(target, mean, weights, power, constant, domain)
        if sums is None:
            domain.refuse(targets, power)
            return math.nan, math.nan
        total += sums[0]
        reference += sums[1]
    if not math.isfinite(total + reference):
        targets.require_finite()
    if power == 2:  # quotients beyond float64
        return _or_infinite(total), _or_infinite(reference)
    return total, reference


def _or_infinite(value: float) -> float:
    return math.inf if math.isnan(value) else value


def _logarithmic_sums(
    target: Floats, mean: Floats, weights: Floats, power: float, constant: float, domain: Domain
) -> Sums | None:
    """Sums of Poisson or gamma deviances of a block (m,); None outside the domain."""
    # a Poisson target of 0 needs no logarithm; for gamma the quotient is out of range
    kind, instead = (POISSON, 1.0) if power == 1 else (GAMMA, math.nan)
    logs = np.empty((2 if constant else 1, target.size))
    if not domain.holds(*ratios(target, mean, constant, instead, logs)):
        return None
    np.log(logs, logs)
    sums: Sums = deviance_sums(kind, 0.0, target, mean, constant, logs[0], logs[-1], weights)
    return sums


def _power_sums(
    target: Floats, mean: Floats, weights: Floats, power: float, constant: float, domain: Domain
) -> Sums | None:
    """Sums of the deviances of any other power of a block (m,); None outside the domain."""
    lowest = lowest_pair(target, mean)
    if not domain.holds(*lowest):
        return None
    base = target if lowest[0] >= 0.0 else np.maximum(target, 0.0)
    first, second = _raised(base, 2.0 - power), _raised(mean, 2.0 - power)
    sums: Sums = deviance_sums(
        TWEEDIE, float(power), target, mean, constant, first, second, weights
    )
    return sums


def _raised(values: Floats, exponent: float) -> Floats:
    """Values to a power, by what is faster than one where that is known."""
    if exponent == 3.0:
        return values * values * values
    if exponent == -1.0:
        return 1.0 / values
    raised: Floats = values**exponent  # NumPy knows of 1/2 and 2
    return raised


def _long_deviances(targets: Targets, power: float, constant: float) -> Sums:
    """As ``deviances_of``, in the type of the data."""
    domain_of(power).require(targets, power)
    target, weights = targets.y_true[0], targets.weights
    total = (weights * unit_deviance(target, targets.y_pred[0], power)).sum()
    if not constant:
        return float(total), 0.0
    known = targets.float_type.type(constant)
    return float(total), float((weights * unit_deviance(target, known, power)).sum())


def unit_deviance(y_true: Rows, y_pred: Rows, power: float) -> Rows:
    """Deviance of each row."""
    half: Rows
    if power == 0:
        half = np.square(y_true - y_pred) / 2.0
    elif power == 1:
        ratio = y_true / y_pred
        half = y_pred - y_true + y_true * np.log(np.where(ratio == 0.0, 1.0, ratio))
    elif power == 2:
        ratio = y_true / y_pred
        half = ratio - 1.0 - np.log(ratio)
    else:
        base = np.maximum(y_true, 0.0) if power < 0 else y_true
        slope = np.power(y_pred, 1.0 - power)
        half = (
            np.power(base, 2.0 - power) / ((1.0 - power) * (2.0 - power))
            - y_true * slope / (1.0 - power)
            + y_pred * slope / (2.0 - power)
        )
    return 2.0 * half
