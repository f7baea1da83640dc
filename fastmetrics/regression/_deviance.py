"""Unit deviances of powers of the mean, where they exist, and their sums.

Conventions: the deviance is told twice, by kernels for float64 and as a formula for arrays of any
float type, which serves longdouble and the registry.
"""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from fastmetrics.errors import invalid_parameter
from fastmetrics.input.domains import Domain
from fastmetrics.input.targets import Floats, Targets
from fastmetrics.kernels.sums import (
    GAMMA,
    POISSON,
    TWEEDIE,
    deviance_sum,
    lowest_pair,
    ratios,
)
from fastmetrics.regression._means import Rows

_MESSAGE = "Mean Tweedie deviance error with power={power} can only be used on "
_ANY_TARGET = Domain(_MESSAGE + "strictly positive y_pred.", 0.0, "any")
_FROM_ZERO = Domain(_MESSAGE + "non-negative y and strictly positive y_pred.", 0.0, "from")
_ABOVE_ZERO = Domain(_MESSAGE + "strictly positive y and y_pred.", 0.0, "above")


def check_power(caller: str, power: object) -> None:
    """A power for which a distribution exists."""
    if isinstance(power, Real) and math.isfinite(power) and not 0.0 < float(power) < 1.0:
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


def deviance_of(targets: Targets, power: float, constant: float | None = None) -> float:
    """Weighted sum of the unit deviances, of a power other than 0, from predictions or a constant.

    Refuses predictions and targets outside the domain; a constant is above 0.
    """
    if targets.wide:
        return _wide_deviance(targets, power, constant)
    total = 0.0
    for truth, forecast, weights in targets.blocks(bounded=True):
        mean = forecast[0] if constant is None else np.array([constant])
        part = _block_deviance(truth[0], mean, weights, power, constant is not None)
        if part is None:
            domain_of(power).refuse(targets, power)
            return float("nan")
        total += part
    targets.checked((total,))
    return math.inf if power == 2 and math.isnan(total) else total


def _block_deviance(
    target: Floats, mean: Floats, weights: Floats, power: float, known: bool
) -> float | None:
    """Weighted sum of the unit deviances of (m,) from means (m,) or (1,); None outside."""
    domain = domain_of(power)
    if power in (1, 2):
        first = second = np.empty(target.size)
        # a Poisson target of 0 needs no logarithm; for gamma the quotient is out of range
        instead = 1.0 if power == 1 else math.nan
        if not domain.holds(*ratios(target, mean, instead, first)):
            return None
        np.log(first, out=first)
        kind = POISSON if power == 1 else GAMMA
    else:
        if not (known or domain.holds(*lowest_pair(target, mean))):
            return None
        base = np.maximum(target, 0.0) if power < 0 else target
        kind, first, second = TWEEDIE, np.power(base, 2.0 - power), np.power(mean, 1.0 - power)
    total: float = deviance_sum(kind, float(power), target, mean, first, second, weights)
    return total


def _wide_deviance(targets: Targets, power: float, constant: float | None) -> float:
    """As ``deviance_of``, in the type of the data."""
    if constant is None:
        domain_of(power).require(targets, power)
    mean = targets.y_pred[0] if constant is None else targets.float_type.type(constant)
    deviances = unit_deviance(targets.y_true[0], mean, power)
    return float((targets.weights * deviances).sum())


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
