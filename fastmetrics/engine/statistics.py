"""The sums of one sweep: which a set of metrics needs, and where each statistic finds its own.

Conventions
-----------
A sweep goes through the rows from the highest score down and returns one row of sums per
replicate: negatives, positives, doubled concordant pairs, sum of precisions, one number per point
of the curve, and true and false positives per cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fastmetrics.engine.description import Floats, Metric, Statistic

# the codes are those of kernels.sweep, held equal by a test, so that describing a metric does not
# load the compiler
NEGATIVES, POSITIVES, DOUBLED_CONCORDANT, PRECISION_SUM, POINTS = range(5)
CONCORDANCE_BIT, PRECISION_BIT = 1, 2
(
    KS,
    AREA_TO_FALSE_POSITIVE_RATE,
    AREA_FROM_RECALL,
    RECALL_AT_FALSE_POSITIVE_RATE,
    PRECISION_AT_RECALL,
) = range(5)

# kinds whose numbers come from a sweep
SWEPT = ("concordance", "precision", "point", "counts")
# kinds whose numbers are counts of decisions, here those at a cut of binary scores
AT_CUTS = ("counts", "confusion")

CONCORDANCE = Statistic("doubled concordant pairs, positives, negatives", 3, "concordance")
PRECISION = Statistic(
    "sum of precisions, positives, negatives",
    3,
    "precision",
    merges_positives=False,
)
BINARY_COUNTS = Statistic("tp, fp, fn, tn", 4, "counts")


def point_statistic(name: str, code: int, limit: float = float("nan")) -> Statistic:
    """Describe what a sweep keeps of the points of the curve, with the class totals."""
    return Statistic(
        f"{name}, positives, negatives",
        3,
        "point",
        code,
        float(limit),
        merges_positives=code != PRECISION_AT_RECALL,
    )


@dataclass(frozen=True)
class SweepRequest:
    """Everything a set of statistics needs from one pass over the sorted rows.

    Parameters
    ----------
    wanted : bits of the running sums
    points : (code, limit) of each number kept of the curve
    thresholds : distinct thresholds from the highest down, a row is flagged at score >= threshold
    merges_positives : whether all of the statistics allow runs of positives to be merged
    """

    wanted: int
    points: tuple[tuple[int, float], ...]
    thresholds: tuple[float, ...]
    merges_positives: bool

    @classmethod
    def of(cls, statistics: Iterable[Statistic]) -> SweepRequest:
        """Collect what the statistics need, each thing once."""
        wanted = 0
        points: dict[tuple[int, float], None] = {}
        thresholds: set[float] = set()
        merges = True
        for statistic in statistics:
            merges &= statistic.merges_positives
            if statistic.kind == "concordance":
                wanted |= CONCORDANCE_BIT
            elif statistic.kind == "precision":
                wanted |= PRECISION_BIT
            elif statistic.kind == "point":
                points[_point_key(statistic)] = None
            elif statistic.kind in AT_CUTS:
                thresholds.add(statistic.parameter)
        return cls(wanted, tuple(points), tuple(sorted(thresholds, reverse=True)), merges)

    @property
    def counts_only(self) -> bool:
        """Whether nothing but counts at thresholds is asked for."""
        return not self.wanted and not self.points

    @property
    def columns(self) -> int:
        """Number of sums per replicate."""
        return POINTS + len(self.points) + 2 * len(self.thresholds)

    def select(self, sums: Floats, statistic: Statistic) -> Floats:
        """Return a statistic's numbers (..., size) from the sums (..., columns) of a sweep."""
        positives = sums[..., POSITIVES]
        negatives = sums[..., NEGATIVES]
        if statistic.kind in AT_CUTS:
            place = self.thresholds.index(statistic.parameter)
            column = POINTS + len(self.points) + 2 * place
            tp = sums[..., column]
            fp = sums[..., column + 1]
            return arrange_counts(statistic, tp, fp, positives - tp, negatives - fp)
        if statistic.kind == "concordance":
            column = DOUBLED_CONCORDANT
        elif statistic.kind == "precision":
            column = PRECISION_SUM
        else:
            column = POINTS + self.points.index(_point_key(statistic))
        return np.stack([sums[..., column], positives, negatives], axis=-1)

    def values(self, sums: Floats, metrics: Iterable[Metric]) -> list[Floats]:
        """Return each metric's values (...) from the sums (..., columns)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return [metric.formula(self.select(sums, metric.statistic)) for metric in metrics]


def arrange_counts(statistic: Statistic, *counts: Floats) -> Floats:
    """Put tp, fp, fn, tn (...) as a statistic has them: in this order, or as a matrix."""
    tp, fp, fn, tn = counts
    if statistic.kind == "confusion":
        return np.stack([tn, fp, fn, tp], axis=-1)
    return np.stack([tp, fp, fn, tn], axis=-1)


def _point_key(statistic: Statistic) -> tuple[int, float]:
    """Code and limit; a statistic without a limit has 0, for nan is not equal to itself."""
    limit = statistic.parameter
    return statistic.code, 0.0 if np.isnan(limit) else limit


def point_value(sums: Floats) -> Floats:
    """The kept number itself, where both classes occur."""
    both = (sums[..., 1] > 0) & (sums[..., 2] > 0)
    return np.where(both, sums[..., 0], np.nan)
