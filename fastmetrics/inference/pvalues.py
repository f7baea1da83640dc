"""P-values that invert the interval that is reported.

Conventions
-----------
The p-value of a null value is the error probability at which the interval, by its own rule, ends at
the null, but for the interpolation of its quantiles. Shares of replicates count one more than there
are, of one more in all (Davison & Hinkley 1997, section 4.2), so that no p-value is 0.
"""

from __future__ import annotations

import sys
from statistics import NormalDist

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.inference.intervals import Alternative, Interval, IntervalRule, spread_of

SMALLEST = sys.float_info.min

_NORMAL = NormalDist()


def invert(
    rule: IntervalRule,
    interval: Interval,
    replicates: Floats,
    null: float = 0.0,
    alternative: Alternative | None = None,
) -> float:
    """P-value of the value ``null``, by the method that the interval was made with.

    Parameters
    ----------
    rule : how the interval was made
    interval : the interval, with the method that was used in the end
    replicates : (B,) what it was made of; nan is left out
    null : value that is tested
    alternative : None takes that of the rule; "greater" tests whether the value lies above null

    Returns
    -------
    float
        In (0, 1]; nan where there is nothing to test.
    """
    values = replicates[~np.isnan(replicates)]
    if values.size == 0 or np.isnan(rule.estimate):
        return float("nan")
    above, below = _tails(rule, interval, values, null)
    alternative = alternative or rule.alternative
    if alternative == "greater":
        return min(above, 1.0)
    if alternative == "less":
        return min(below, 1.0)
    return min(2.0 * min(above, below), 1.0)


def _tails(
    rule: IntervalRule, interval: Interval, values: Floats, null: float
) -> tuple[float, float]:
    """P-values against "not above null" and against "not below null"."""
    if interval.method in ("normal", "logit"):
        z = _distance(rule, interval.method, values, null)
        if not np.isinf(z):
            return _share_below(-z, SMALLEST), _share_below(z, SMALLEST)
        # without any spread, or beyond a bound, the shares of the replicates are all there is
    elif interval.method in ("basic", "studentized"):
        # the limits are those of the replicates mirrored about the estimate
        values = 2.0 * rule.estimate - values
    size = values.size + 1
    not_above = (np.count_nonzero(values <= null) + 1) / size
    not_below = (np.count_nonzero(values >= null) + 1) / size
    if interval.method == "bca" and not np.isnan(interval.z0):
        return (
            _share_below(_uncorrected(not_above, interval), 1.0 / size),
            _share_below(-_uncorrected(1.0 - not_below, interval), 1.0 / size),
        )
    return float(not_above), float(not_below)


def _share_below(z: float, least: float) -> float:
    """Probability below a normal quantile; what rounds to 0 is the least that can be told."""
    return _NORMAL.cdf(z) or least


def _uncorrected(level: float, interval: Interval) -> float:
    """Normal quantile of the tail that BCa turns into this level of the replicates."""
    if not 0.0 < level < 1.0:
        return np.inf if level >= 1.0 else -np.inf
    shifted = _NORMAL.inv_cdf(level) - interval.z0
    denominator = 1.0 + interval.acceleration * shifted
    if denominator <= 0.0:
        return np.inf if shifted > 0.0 else -np.inf
    return shifted / denominator - interval.z0


def _distance(rule: IntervalRule, method: str, values: Floats, null: float) -> float:
    """Standard errors between the estimate and the null, on the scale of the method."""
    error = spread_of(values)
    if error == 0.0:
        return float(np.sign(rule.estimate - null)) * np.inf if rule.estimate != null else 0.0
    if method == "normal":
        return (rule.estimate - null) / error
    low, high = rule.bounds
    place, other = (rule.estimate - low) / (high - low), (null - low) / (high - low)
    if not 0.0 < other < 1.0:
        return np.inf if other <= 0.0 else -np.inf
    scaled = error / (high - low) / (place * (1.0 - place))
    distance: float = np.log(place / (1.0 - place)) - np.log(other / (1.0 - other))
    return distance / scaled


def holm(pvalues: list[float]) -> list[float]:
    """Adjust p-values by Holm's step-down method; nan stays and counts for nothing.

    Holm 1979, Scandinavian Journal of Statistics 6, 65-70.
    """
    defined = sorted((p, k) for k, p in enumerate(pvalues) if not np.isnan(p))
    adjusted = [float("nan")] * len(pvalues)
    largest = 0.0
    for place, (p, k) in enumerate(defined):
        largest = max(largest, min(1.0, (len(defined) - place) * p))
        adjusted[k] = largest
    return adjusted
