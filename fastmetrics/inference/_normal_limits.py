"""Intervals and p-values of areas and their differences from a standard error.

Conventions
-----------
A value whose standard error is 0 has an interval without width. A difference of 0 with a standard
error of 0 is that of two models that rank the rows alike, and certain; any other has no p-value.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from fastmetrics.inference.intervals import (
    Alternative,
    ConfidenceInterval,
    Interval,
    IntervalRule,
)

_NORMAL = NormalDist()


def area_interval(rule: IntervalRule, error: float, separated: bool) -> Interval:
    """Interval of an area, on the logit scale where the rule asks for it and the logit is finite.

    Parameters
    ----------
    rule : "logit" or "normal"
    error : standard error of the area
    separated : whether the classes are perfectly separated
    """
    estimate = rule.estimate
    on_bound = not 0.0 < estimate < 1.0
    remarks: tuple[str, ...] = ()
    if math.isnan(error) and not math.isnan(estimate):
        remarks = ("the variance takes two rows, or clusters, of each class: no interval",)
    elif error == 0.0:
        found = "the classes are perfectly separated" if separated else "all placements are equal"
        scale = ", the logit infinite" if rule.method == "logit" and on_bound else ""
        remarks = (
            f"{found}, the standard error is 0{scale}: [{estimate:g}, {estimate:g}] is not "
            "certainty",
        )
    if rule.method == "normal" or on_bound or math.isnan(error):
        limits = _around(rule, estimate, error)
    else:
        centre = math.log(estimate / (1.0 - estimate))
        low, high = _around(rule, centre, error / (estimate * (1.0 - estimate)))
        limits = ConfidenceInterval(_expit(low), _expit(high))
    return Interval(_opened(rule, limits), "delong", remarks=remarks)


def difference_interval(rule: IntervalRule, error: float) -> Interval:
    """Interval of a difference of two areas."""
    remarks: tuple[str, ...] = ()
    if error == 0.0 and rule.estimate != 0.0:
        remarks = ("the standard error of the difference is 0: no p-value",)
    return Interval(_opened(rule, _around(rule, rule.estimate, error)), "delong", remarks=remarks)


def _around(rule: IntervalRule, centre: float, error: float) -> ConfidenceInterval:
    low, high = (centre + _NORMAL.inv_cdf(tail) * error for tail in rule.tails())
    return ConfidenceInterval(low, high)


def _opened(rule: IntervalRule, limits: ConfidenceInterval) -> ConfidenceInterval:
    """Limits within the bounds, the one that the alternative leaves open at infinity."""
    if math.isnan(limits.low):
        return limits
    least, most = rule.bounds
    low, high = (min(max(limit, least), most) for limit in limits)
    if rule.alternative == "less":
        low = -math.inf
    elif rule.alternative == "greater":
        high = math.inf
    return ConfidenceInterval(low, high)


def _expit(value: float) -> float:
    """Place between 0 and 1 of a logit of any size."""
    if value < 0.0:
        return math.exp(value) / (1.0 + math.exp(value))
    return 1.0 / (1.0 + math.exp(-value))


def distance(value: float, error: float, null: float) -> float:
    """Standard errors between a value and the null; nan where a value off 0 has none."""
    if error > 0.0:
        return (value - null) / error
    if math.isnan(error) or value == null:
        return error
    return math.copysign(math.inf, value - null) if value == 0.0 else math.nan


def pvalue(value: float, error: float, null: float, alternative: Alternative) -> float:
    """P-value of a null value under the normal distribution; 1 where the two are equal for sure."""
    if error == 0.0 and value == null:
        return 1.0
    z = distance(value, error, null)
    if alternative == "two-sided":
        return math.erfc(abs(z) / math.sqrt(2.0))
    return 0.5 * math.erfc((z if alternative == "greater" else -z) / math.sqrt(2.0))
