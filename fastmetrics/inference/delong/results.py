"""Results of DeLong's method: intervals and tests that need no replicates.

Conventions
-----------
Everything follows from the areas and the variances of their differences. Intervals of differences
are linear whatever the scale of the areas is.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any, Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError, warn
from fastmetrics.inference._normal_limits import (
    area_interval,
    difference_interval,
    distance,
    pvalue,
)
from fastmetrics.inference.bootstraps._warnings import warn_of_entries
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.comparisons._pairs import ADJUSTMENTS, read_margins
from fastmetrics.inference.comparisons.differences import Difference, Margin, PairKey, margin_pvalue
from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.inference.delong._placements import Areas
from fastmetrics.inference.entries import Entry, Key, RunInfo
from fastmetrics.inference.intervals import Alternative, IntervalRule
from fastmetrics.inference.pvalues import holm

METRIC = "roc_auc"
NO_REPLICATES = np.empty(0)

Scale = Literal["logit", "linear"]
SCALES: tuple[Scale, ...] = ("logit", "linear")


class DeLongResult(BootstrapResult):
    """Areas under ROC curves with DeLong's intervals; there are no replicates.

    Parameters
    ----------
    entries : by (model or None, "roc_auc", None)
    info : what a reader must know
    areas : what the entries were made of
    """

    def __init__(self, entries: dict[Key, Entry], info: RunInfo, areas: Areas) -> None:
        super().__init__(entries, info)
        self._areas = areas

    @property
    def covariance(self) -> Floats:
        """Covariance matrix (k, k) of the areas, in the order of the models."""
        return self._areas.covariance

    @property
    def statistic(self) -> float:
        """Standard errors between the area and 0.5, that of chance."""
        entry = self._single("statistic")
        return distance(entry.estimate, entry.standard_error, 0.5)

    def _part(self, chosen: dict[Key, Entry]) -> DeLongResult:
        return DeLongResult(chosen, self.info, self._areas.part([key[0] for key in chosen]))

    def __getstate__(self) -> dict[str, Any]:
        """Pickle with all that a comparison needs."""
        return {**super().__getstate__(), "_areas": self._areas}

    def extend(self, n: int) -> BootstrapResult:
        """Refuse: there are no replicates to add to."""
        raise ValueError(f"extend({n}): DeLong's intervals are made of no replicates")

    def compare(
        self, baseline: Any = None, margin: Any = None, adjust: str = "holm"
    ) -> ComparisonResult:
        """Compare the models by DeLong's test; the arguments are those of ``delong_test``."""
        pairs = _read_pairs(self.models, baseline, adjust)
        margins = read_margins(margin, self.metrics)
        found = [self._difference(pair, margins.get(METRIC)) for pair in pairs]
        adjusted = [difference.pvalue for difference in found]
        if adjust == "holm":
            adjusted = holm(adjusted)
        differences: dict[PairKey, Difference] = {
            (*pair, METRIC, None): dataclasses.replace(difference, pvalue_adjusted=p)
            for pair, difference, p in zip(pairs, found, adjusted)
        }
        for key, difference in differences.items():
            for remark in difference.remarks:
                warn(f"{key[0]} - {key[1]} {METRIC}: {remark}")
        statistic, freedom = self._areas.wald()
        return ComparisonResult(
            differences,
            self.info,
            self,
            adjustment=adjust,
            statistic=statistic,
            covariance=self.covariance,
            degrees_of_freedom=freedom,
        )

    def _difference(self, pair: tuple[str, str], margin: Margin | None) -> Difference:
        """Return the first model less the second."""
        model, baseline = (self._entries[name, METRIC, None] for name in pair)
        places = [self._areas.names.index(name) for name in pair]
        error = math.sqrt(self._areas.difference_variances[places[0], places[1]])
        estimate = model.estimate - baseline.estimate
        level, alternative = model.rule.level, model.rule.alternative
        rule = IntervalRule("normal", level, alternative, estimate, (-1.0, 1.0))
        interval = difference_interval(rule, error)
        return Difference(
            estimate,
            interval.limits,
            "delong",
            error,
            pvalue(estimate, error, 0.0, alternative),
            float("nan"),
            True,
            margin=margin,
            margin_pvalue=margin_pvalue(
                lambda null, side: pvalue(estimate, error, null, side), True, margin
            ),
            remarks=interval.remarks,
        )


def _read_pairs(models: tuple[str, ...], baseline: Any, adjust: str) -> list[tuple[str, str]]:
    """Return the pairs of models to compare."""
    if adjust not in ADJUSTMENTS:
        raise ValueError(f"adjust={adjust!r}: give 'holm' or 'none'")
    if len(models) < 2:
        raise ValueError(
            "comparing takes two models or more: pass y_score as a mapping of names to scores"
        )
    if baseline is None:
        return list(itertools.combinations(models, 2))
    if baseline not in models:
        raise UnknownNameError(
            f"baseline={baseline!r} is no model here: {', '.join(map(repr, models))}"
        )
    return [(model, baseline) for model in models if model != baseline]


def make_result(
    areas: Areas, info: RunInfo, scale: Scale, alternative: Alternative
) -> DeLongResult:
    """Return the areas with their intervals, and warn of what needs a word."""
    entries: dict[Key, Entry] = {}
    variances = np.diag(areas.covariance)
    for k, name in enumerate(areas.names):
        estimate, error = float(areas.estimates[k]), math.sqrt(variances[k])
        rule = IntervalRule(
            "logit" if scale == "logit" else "normal",
            info.confidence_level,
            alternative,
            estimate,
            (0.0, 1.0),
        )
        interval = area_interval(rule, error, bool(areas.separated[k]))
        entries[name, METRIC, None] = Entry(
            estimate, NO_REPLICATES, rule, interval, known_error=error
        )
    warn_of_entries(entries, 0)
    remarks: dict[str, list[str]] = {}
    for key, entry in entries.items():
        for remark in entry.interval.remarks:
            remarks.setdefault(remark, []).append(" ".join(part for part in key if part))
    for remark, names in remarks.items():
        warn(f"{', '.join(names)}: {remark}")
    return DeLongResult(entries, info, areas)
