"""A difference of two models in one metric: its interval, its p-value, and what it says.

Conventions
-----------
A difference is model less baseline. Replicates in which either is undefined are left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.inference.entries import Entry
from fastmetrics.inference.intervals import (
    ConfidenceInterval,
    IntervalRule,
    rounding_of,
    spread_of,
    with_ties,
)
from fastmetrics.inference.pvalues import invert

NO_REPLICATES = np.empty(0)
# a margin, or the two margins of an equivalence test
Margin = float | tuple[float, float]
# model, baseline, metric, slice or None
PairKey = tuple[str, str, str, Any]


@dataclass(frozen=True)
class Difference:
    """Model less baseline.

    Parameters
    ----------
    estimate : on the data
    limits : of the confidence interval
    method : of the interval
    standard_error : of the difference
    pvalue : that inverts the interval, two-sided unless the call asked for a side
    win_share : share of the replicates in which the model is strictly better
    greater_is_better : direction of the metric
    replicates : (B,) differences, nan where undefined; empty where there are none
    pvalue_adjusted : for the number of pairs
    margin : what the model may lose, or the two margins between which it is equivalent
    margin_pvalue : against losing more than the margin, or lying outside both
    remarks : what a reader must know of the interval
    """

    estimate: float
    limits: ConfidenceInterval
    method: str
    standard_error: float
    pvalue: float
    win_share: float
    greater_is_better: bool
    replicates: Floats = field(default_factory=lambda: NO_REPLICATES)
    pvalue_adjusted: float = float("nan")
    margin: Margin | None = None
    margin_pvalue: float = float("nan")
    remarks: tuple[str, ...] = ()

    def mirrored(self) -> Difference:
        """Return baseline less model; a margin only has a meaning one way round."""
        ties = np.count_nonzero(self.replicates == 0.0)
        defined = np.count_nonzero(~np.isnan(self.replicates))
        share = 1.0 - self.win_share - (ties / defined if defined else 0.0)
        return dataclasses.replace(
            self,
            estimate=0.0 - self.estimate,
            limits=ConfidenceInterval(0.0 - self.limits.high, 0.0 - self.limits.low),
            replicates=0.0 - self.replicates,
            win_share=share,
            margin=None,
            margin_pvalue=float("nan"),
        )

    def verdict(self, level: float) -> str:
        """Return the finding in a word; the margin speaks first where there is one."""
        if np.isnan(self.pvalue):
            return "undefined"
        if self.margin is not None:
            shown = self.margin_pvalue <= (1.0 - level) / 2.0
            if isinstance(self.margin, tuple):
                return "equivalent" if shown else "equivalence not shown"
            return "not inferior" if shown else "may be inferior"
        if self.limits.low <= 0.0 <= self.limits.high or self.pvalue > 1.0 - level:
            return "undecided"
        return "better" if (self.limits.low > 0.0) == self.greater_is_better else "worse"


def difference_of(first: Entry, second: Entry) -> tuple[float, Floats]:
    """Return the estimate and the replicates (B,) of first less second.

    Differences that are 0, or the estimate, but for rounding are equal to it.
    """
    slack = rounding_of(first.replicates, second.replicates)
    estimate = first.estimate - second.estimate
    estimate = 0.0 if abs(estimate) <= slack else estimate
    with np.errstate(invalid="ignore"):  # of two infinite values there is no difference
        replicates = first.replicates - second.replicates
    replicates = with_ties(replicates, estimate, slack)
    return estimate, with_ties(replicates, 0.0, slack)


def subtract(
    model: Entry, baseline: Entry, delete_one: Callable[[], DeleteOne] | None, margin: Margin | None
) -> Difference:
    """Return the difference of two entries on the same draws.

    Parameters
    ----------
    model, baseline : entries of one metric and slice
    delete_one : delete-one values of the difference, for BCa; None where there are none
    margin : see ``Difference``
    """
    estimate, replicates = difference_of(model, baseline)
    method = model.rule.method
    acceleration = float("nan")
    if method == "bca" and delete_one is not None and np.any(replicates != 0.0):
        acceleration = delete_one().acceleration()
    low, high = model.rule.bounds
    other_low, other_high = baseline.rule.bounds
    rule = IntervalRule(
        method,
        model.rule.level,
        model.rule.alternative,
        estimate,
        (low - other_high, high - other_low),
        acceleration,
    )
    return describe_difference(rule, replicates, model.greater_is_better, margin)


def describe_difference(
    rule: IntervalRule, replicates: Floats, greater_is_better: bool, margin: Margin | None
) -> Difference:
    """Return interval, p-value and margins of replicates (B,) of a difference."""
    interval = rule.apply(replicates)
    values = replicates[~np.isnan(replicates)]
    ahead = values > 0.0 if greater_is_better else values < 0.0
    return Difference(
        rule.estimate,
        interval.limits,
        interval.method,
        spread_of(values),
        invert(rule, interval, replicates),
        float(ahead.mean()) if values.size else float("nan"),
        greater_is_better,
        replicates,
        margin=margin,
        margin_pvalue=margin_pvalue(
            lambda null, side: invert(rule, interval, replicates, null, side),
            greater_is_better,
            margin,
        ),
        remarks=interval.remarks,
    )


def margin_pvalue(
    test: Callable[[float, Any], float], greater_is_better: bool, margin: Margin | None
) -> float:
    """P-value against losing more than a margin, or against lying outside two.

    Parameters
    ----------
    test : null value and side to a one-sided p-value
    greater_is_better : direction of the metric
    margin : largest loss, 0 or more, or lower and upper margin of the difference
    """
    if margin is None:
        return float("nan")
    if isinstance(margin, tuple):
        return max(test(margin[0], "greater"), test(margin[1], "less"))
    return test(-margin, "greater") if greater_is_better else test(margin, "less")
