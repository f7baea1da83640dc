"""Confidence intervals from replicates: percentile, basic, normal, logit, BCa, studentized.

Conventions
-----------
Replicates that are nan are left out. Quantiles are linear between order statistics. An
``alternative`` of ``"less"`` leaves the lower limit at minus infinity, ``"greater"`` the upper one
at plus infinity, as in scipy. A studentized interval is the basic one of replicates whose distance
from the estimate was measured in their own standard errors.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np

from fastmetrics.engine.description import Floats

# "delong" is no way to read replicates: its intervals come from a standard error
Method = Literal["percentile", "basic", "normal", "logit", "bca", "studentized", "delong"]
Alternative = Literal["two-sided", "less", "greater"]
METHODS: tuple[Method, ...] = ("percentile", "basic", "normal", "logit", "bca", "studentized")
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "less", "greater")

LARGEST_SPREAD = 10_000
# numbers this close for their size differ by rounding alone
TIED_SHARE = 1e-13

_NORMAL = NormalDist()


class ConfidenceInterval(NamedTuple):
    """Lower and upper limit."""

    low: float
    high: float


@dataclass(frozen=True)
class Interval:
    """An interval and how it came about.

    Parameters
    ----------
    limits : low and high
    method : the method that was used in the end
    z0 : bias correction of BCa, else nan
    acceleration : acceleration of BCa, else nan
    remarks : what a reader must know of it
    by_influence : whether influence values stood in for a closed jackknife
    """

    limits: ConfidenceInterval
    method: Method
    z0: float = float("nan")
    acceleration: float = float("nan")
    remarks: tuple[str, ...] = field(default=())
    by_influence: bool = False

    @property
    def shown(self) -> str:
        """The method as results print it."""
        return f"{self.method} by influence" if self.by_influence else self.method


@dataclass(frozen=True)
class IntervalRule:
    """All that makes an interval of replicates but the replicates themselves.

    Parameters
    ----------
    method : one of ``METHODS``
    level : confidence level as a fraction
    alternative : two-sided, or which limit is left open
    estimate : the value on the data
    bounds : smallest and largest value of the metric
    acceleration : of BCa, nan where it is undefined
    by_influence : whether influence values stood in for a closed jackknife
    """

    method: Method
    level: float
    alternative: Alternative
    estimate: float
    bounds: tuple[float, float]
    acceleration: float = float("nan")
    by_influence: bool = False

    def tails(self) -> tuple[float, float]:
        """Probabilities below the lower and the upper limit."""
        if self.alternative == "two-sided":
            return (1.0 - self.level) / 2.0, (1.0 + self.level) / 2.0
        return 1.0 - self.level, self.level

    def apply(self, replicates: Floats) -> Interval:
        """Make the interval of replicates (B,), nan left out."""
        values = np.sort(replicates[~np.isnan(replicates)])
        if values.size == 0 or np.isnan(self.estimate):
            nan = float("nan")
            return Interval(ConfidenceInterval(nan, nan), self.method)
        if self.method == "bca":
            made = self._bca(values)
        elif self.method == "percentile":
            made = Interval(self._quantiles(values, self.tails()), "percentile")
        elif self.method in ("basic", "studentized"):
            low, high = self._quantiles(values, self.tails())
            limits = ConfidenceInterval(2.0 * self.estimate - high, 2.0 * self.estimate - low)
            made = Interval(self._clip(limits), self.method)
        else:
            made = self._normal(values)
        by_influence = self.by_influence and made.method == "bca"
        return dataclasses.replace(made, limits=self._open(made.limits), by_influence=by_influence)

    @staticmethod
    def _quantiles(values: Floats, tails: tuple[float, float]) -> ConfidenceInterval:
        with np.errstate(invalid="ignore"):
            limits = np.quantile(values, tails)
        between = np.isnan(limits)  # two infinite replicates, or minus infinity and a number
        if between.any():
            limits[between] = np.quantile(values, np.array(tails)[between], method="lower")
        return ConfidenceInterval(float(limits[0]), float(limits[1]))

    def _open(self, limits: ConfidenceInterval) -> ConfidenceInterval:
        if self.alternative == "less":
            return ConfidenceInterval(-np.inf, limits.high)
        if self.alternative == "greater":
            return ConfidenceInterval(limits.low, np.inf)
        return limits

    def _clip(self, limits: ConfidenceInterval) -> ConfidenceInterval:
        low, high = self.bounds
        return ConfidenceInterval(min(max(limits.low, low), high), min(max(limits.high, low), high))

    def _normal(self, values: Floats) -> Interval:
        """Normal limits, on the scale of the metric or on the logit of its place in the bounds."""
        error = spread_of(values)
        z = [_NORMAL.inv_cdf(tail) for tail in self.tails()]
        if self.method == "normal" or error == 0.0:
            limits = ConfidenceInterval(self.estimate + z[0] * error, self.estimate + z[1] * error)
            return Interval(limits, self.method)
        low, high = self.bounds
        place = (self.estimate - low) / (high - low)
        if not 0.0 < place < 1.0:
            remark = (
                "the estimate lies on a bound, where the logit is infinite: percentile limits"
                if np.isfinite(self.bounds).all()
                else "the logit is of metrics between two bounds: percentile limits"
            )
            return Interval(self._quantiles(values, self.tails()), "percentile", remarks=(remark,))
        scaled = error / (high - low) / (place * (1.0 - place))
        centre = np.log(place / (1.0 - place))
        moved = [low + (high - low) / (1.0 + np.exp(-(centre + zi * scaled))) for zi in z]
        return Interval(ConfidenceInterval(float(moved[0]), float(moved[1])), "logit")

    def _bca(self, values: Floats) -> Interval:
        """Percentile limits at corrected levels; ties with the estimate count one half."""
        below = np.searchsorted(values, self.estimate, side="left")
        up_to = np.searchsorted(values, self.estimate, side="right")
        share = (below + up_to) / (2.0 * values.size)
        if not 0.0 < share < 1.0:
            remark = "all replicates lie on one side of the estimate: percentile limits"
            return Interval(self._quantiles(values, self.tails()), "percentile", remarks=(remark,))
        z0 = _NORMAL.inv_cdf(share)
        remarks: tuple[str, ...] = ()
        acceleration = self.acceleration
        if np.isnan(acceleration):
            acceleration = 0.0
            if values[0] != values[-1]:
                remarks += ("the acceleration is undefined and was taken as 0",)
        corrected = tuple(_corrected(tail, z0, acceleration) for tail in self.tails())
        edge = 1.0 / (values.size + 1)
        lower, upper = corrected[0] < edge, corrected[1] > 1.0 - edge
        if (lower and self.alternative != "less") or (upper and self.alternative != "greater"):
            remarks += ("a limit lies beyond the first or last replicate: draw more",)
        limits = self._quantiles(values, (corrected[0], corrected[1]))
        return Interval(limits, "bca", z0, acceleration, remarks)


def spread_of(values: Floats) -> float:
    """Standard deviation of values (B,); nan for fewer than two, or where one is infinite."""
    if values.size < 2:
        return float("nan")
    with np.errstate(invalid="ignore"):
        return float(values.std(ddof=1))


def rounding_of(*replicates: Floats) -> float:
    """Distance within which numbers made of replicates (B,) tie: they may be rounded apart."""
    largest = [np.abs(values[np.isfinite(values)]).max(initial=0.0) for values in replicates]
    return TIED_SHARE * float(max(largest))


def with_ties(replicates: Floats, value: float, slack: float) -> Floats:
    """Return replicates (B,) of which those within slack of a value are equal to it.

    Fractions of weights, and differences of fractions, tie but for rounding; BCa and p-values
    count ties.
    """
    with np.errstate(invalid="ignore"):  # two that are infinite
        return np.where(np.abs(replicates - value) <= slack, value, replicates)


def _corrected(tail: float, z0: float, acceleration: float) -> float:
    """Level of BCa at which the replicates are read."""
    shifted = z0 + _NORMAL.inv_cdf(tail)
    denominator = 1.0 - acceleration * shifted
    if denominator <= 0.0:
        return 1.0 if shifted > 0.0 else 0.0
    return _NORMAL.cdf(z0 + shifted / denominator)


def monte_carlo_error(
    rule: IntervalRule, replicates: Floats, *, rounds: int = 200
) -> tuple[float, float]:
    """Standard deviation of both limits over resamples of the replicates, by the same rule.

    Of more than 10,000 replicates the first 10,000 are resampled, and the result is scaled by the
    square root of the ratio.

    Parameters
    ----------
    rule : the rule of the interval
    replicates : (B,)
    rounds : resamples of the replicates
    """
    values = replicates[~np.isnan(replicates)]
    if values.size < 2:
        return float("nan"), float("nan")
    scale = min(1.0, np.sqrt(LARGEST_SPREAD / values.size))
    values = values[:LARGEST_SPREAD]
    generator = np.random.default_rng(0)
    limits = np.array(
        [
            rule.apply(values[generator.integers(0, values.size, values.size)]).limits
            for _ in range(rounds)
        ]
    )
    with np.errstate(invalid="ignore"):
        low, high = scale * limits.std(axis=0, ddof=1)
    return float(low), float(high)
