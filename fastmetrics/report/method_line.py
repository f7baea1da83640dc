"""How the numbers of a report came about, in a few lines that would let another repeat it."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.entries import Key, RunInfo, plain_seed


@dataclass(frozen=True)
class Method:
    """How the intervals came about.

    Parameters
    ----------
    info : of the bootstrap
    interval_methods : metrics by the interval method that was used
    n_undefined : undefined replicates of each entry that has some, by model, metric, slice
    monte_carlo_error : of each metric, the larger of both limits, the worst model, on all rows
    curve_resamples : replicates behind the bands of curves; 0 where there are none
    search_resamples : replicates in which thresholds were searched; 0 where there are none
    version : of fastmetrics
    """

    info: RunInfo
    interval_methods: dict[str, tuple[str, ...]]
    n_undefined: dict[Key, int]
    monte_carlo_error: dict[str, float]
    curve_resamples: int
    search_resamples: int
    version: str

    @property
    def line(self) -> str:
        """Everything in one line."""
        return " · ".join(self.lines())

    @property
    def seed(self) -> Any:
        """What reproduces the draws as ``rng``."""
        return plain_seed(self.info.seed)

    def lines(self) -> list[str]:
        """Return the statements, one by one."""
        found = [self.info.describe()]
        if not self.info.has_intervals:
            return [*found, f"fastmetrics {self.version}"]
        level = f"{100 * self.info.confidence_level:g} % intervals"
        methods = [
            name if len(self.interval_methods) == 1 else f"{name} ({', '.join(metrics)})"
            for name, metrics in self.interval_methods.items()
        ]
        found.append(f"{level}: {', '.join(methods)}")
        found.append(self._undefined())
        if self.monte_carlo_error:
            name, worst = max(self.monte_carlo_error.items(), key=lambda item: item[1])
            found.append(f"Monte-Carlo error of limits up to {worst:.2g} ({name})")
        if self.curve_resamples not in (0, self.info.n_resamples):
            found.append(f"bands of curves: {self.curve_resamples:,} resamples, for so many rows")
        if self.search_resamples not in (0, self.info.n_resamples):
            found.append(
                f"searched thresholds: {self.search_resamples:,} resamples, for so many rows"
            )
        return [*found, f"fastmetrics {self.version}"]

    def _undefined(self) -> str:
        """Say how many replicates were undefined."""
        if not self.n_undefined:
            return "undefined replicates: none"
        worst = max(self.n_undefined, key=lambda key: self.n_undefined[key])
        name = " ".join(str(part) for part in worst if part is not None)
        return f"undefined replicates: up to {self.n_undefined[worst]:,} ({name}), left out"


def describe_method(scores: BootstrapResult, curve_resamples: int, search_resamples: int) -> Method:
    """Collect what the entries of a bootstrap say of themselves.

    Parameters
    ----------
    scores : the bootstrap
    curve_resamples : replicates behind the bands of curves
    search_resamples : replicates in which thresholds were searched
    """
    entries = scores.entries()
    methods: dict[str, dict[str, None]] = {}
    errors: dict[str, float] = {}
    for (_, name, part), entry in entries.items():
        if part is not None:
            continue
        methods.setdefault(entry.interval.method, {})[name] = None
        if scores.info.n_resamples:
            # of all rows only: each costs two hundred sorts of the replicates
            error = max(map(_or_zero, entry.monte_carlo_error))
            errors[name] = max(error, errors.get(name, 0.0))
    undefined = {key: entry.n_undefined for key, entry in entries.items() if entry.n_undefined}
    return Method(
        scores.info,
        {method: tuple(names) for method, names in methods.items()},
        undefined,
        errors,
        curve_resamples,
        search_resamples,
        _version(),
    )


def _version() -> str:
    """Version of the package, which lies above this layer and has been imported to get here."""
    return str(sys.modules["fastmetrics"].__version__)


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value
