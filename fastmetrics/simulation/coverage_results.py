"""The result of a coverage study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.proportions.binomial import wilson_interval
from fastmetrics.simulation._nested import Intervals, Nesting, is_area
from fastmetrics.simulation._study import Study, Table, listed, percent, shown
from fastmetrics.simulation._task import DataSet
from fastmetrics.simulation._truth import Truth

# a coverage is told from the promise where it lies outside this interval of its own
VERDICT_LEVEL = 0.99
KEPT, SELDOM, OFTEN = "as promised", "too seldom", "more often"


class CoverageStudy(Study):
    """How often intervals hold the truth; a row per metric and method.

    Parameters
    ----------
    nesting : what was run
    truths : of the metrics
    found : intervals of all data sets
    seed : what reproduces them as ``rng``
    """

    columns = (
        "metric",
        "method",
        "truth",
        "truth_error",
        "mean_estimate",
        "coverage",
        "coverage_error",
        "mean_width",
        "too_low",
        "too_high",
        "n_datasets",
        "n_undefined",
        "verdict",
    )

    def __init__(
        self, nesting: Nesting, truths: Sequence[Truth], found: Intervals, seed: Any
    ) -> None:
        task, asked = nesting.task, nesting.asked
        super().__init__(
            {
                "model": repr(task.model),
                "n_positive": task.n_positive,
                "n_negative": task.n_negative,
                "n_datasets": len(found.estimates),
                "n_resamples": asked.n_resamples,
                "confidence_level": asked.level,
                "strata": "class" if asked.by_class else None,
                "class_sizes": "random" if asked.random_sizes else "fixed",
            },
            seed,
        )
        self._nesting = nesting
        self._found = found
        self._truths = dict(zip((metric.name for metric in task.metrics), truths))
        self._rows = {(row["metric"], row["method"]): row for row in self._summed_up()}

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(self._truths)

    @property
    def methods(self) -> tuple[str, ...]:
        """Interval methods."""
        return self._nesting.asked.methods

    @property
    def confidence_level(self) -> float:
        """What the intervals promise."""
        return self._nesting.asked.level

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per metric and method.

        ``coverage`` is the share of the defined intervals that hold the truth, ``coverage_error``
        its binomial standard error; ``too_low`` and ``too_high`` are the shares that miss it.
        ``verdict`` compares it with the confidence level, at 99 % confidence.
        """
        return [dict(row) for row in self._rows.values()]

    def __getitem__(self, key: tuple[str, str]) -> dict[str, Any]:
        """Return the row of a metric and a method."""
        if key not in self._rows:
            names = ", ".join(map(repr, self._rows))
            raise UnknownNameError(f"no row {key!r} here ({names})")
        return dict(self._rows[key])

    def estimates(self, metric: str) -> Floats:
        """Estimates (n_datasets,) of a metric."""
        return self._found.estimates[:, self._place(metric)]

    def limits(self, metric: str, method: str) -> Floats:
        """Lower and upper limits (n_datasets, 2) of a metric by a method."""
        self[metric, method]
        places = self._place(metric), self.methods.index(method)
        return np.stack([self._found.low[:, *places], self._found.high[:, *places]], axis=1)

    def _place(self, metric: str) -> int:
        if metric not in self._truths:
            raise UnknownNameError(f"no metric {metric!r} here ({', '.join(self.metrics)})")
        return self.metrics.index(metric)

    def data_set(self, i: int) -> DataSet:
        """Labels and scores of data set i, from 0."""
        size = self.settings["n_datasets"]
        if not 0 <= i < size:
            raise IndexError(f"i={i}: there are data sets 0 to {size - 1:,}")
        return self._nesting.data_set(i)

    def _summed_up(self) -> Iterator[dict[str, Any]]:
        for k, metric in enumerate(self._nesting.task.metrics):
            for m, method in enumerate(self.methods):
                if method == "delong" and not is_area(metric):
                    continue
                yield self._row(metric.name, method, self._found.low[:, k, m], k, m)

    def _row(self, metric: str, method: str, low: Floats, k: int, m: int) -> dict[str, Any]:
        """Sum up the intervals of a metric by a method."""
        truth, high = self._truths[metric], self._found.high[:, k, m]
        defined = ~(np.isnan(low) | np.isnan(high))
        size = int(np.count_nonzero(defined))
        too_low, too_high = _share(high < truth.value, size), _share(low > truth.value, size)
        coverage = 1.0 - too_low - too_high if size else math.nan
        estimates = self._found.estimates[:, k]
        return {
            "metric": metric,
            "method": method,
            "truth": truth.value,
            "truth_error": truth.error,
            "mean_estimate": _mean(estimates[~np.isnan(estimates)]),
            "coverage": coverage,
            "coverage_error": math.sqrt(max(coverage * (1.0 - coverage), 0.0) / max(size, 1)),
            "mean_width": _mean((high - low)[defined]),
            "too_low": too_low,
            "too_high": too_high,
            "n_datasets": size,
            "n_undefined": low.size - size,
            "verdict": self._verdict(coverage, size),
        }

    def _verdict(self, coverage: float, size: int) -> str:
        if not size:
            return "undefined"
        limits = wilson_interval(round(coverage * size), size, confidence_level=VERDICT_LEVEL)
        if limits.high < self.confidence_level:
            return SELDOM
        return OFTEN if limits.low > self.confidence_level else KEPT

    @property
    def conclusion(self) -> str:
        """Which methods keep their promise, metric by metric."""
        said = []
        for metric in self.metrics:
            rows = [row for (name, _), row in self._rows.items() if name == metric]
            parts = []
            for verdict in (KEPT, SELDOM, OFTEN):
                named = [_named(row, verdict) for row in rows if row["verdict"] == verdict]
                if named:
                    parts.append(f"{listed(named)} {verdict}")
            said.append(f"{metric}: {'; '.join(parts) or 'nothing is defined'}.")
        level = percent(self.confidence_level)
        return f"How often {level} intervals hold the truth: " + " ".join(said)

    def plot(self, ax: Any = None) -> Any:
        """Draw every coverage with its interval beside the promise; return the axes."""
        from fastmetrics.plots.studies import plot_coverage

        rows = [row for row in self._rows.values() if row["n_datasets"]]
        return plot_coverage(rows, confidence_level=self.confidence_level, ax=ax)

    def _table(self, digits: int) -> Table:
        header = ["metric", "method", "coverage", "±", "width", "too low", "too high", "undefined"]
        cells = [
            [
                row["metric"],
                row["method"],
                shown(row["coverage"], digits),
                shown(row["coverage_error"], digits),
                shown(row["mean_width"], digits),
                shown(row["too_low"], digits),
                shown(row["too_high"], digits),
                f"{row['n_undefined']:,}",
            ]
            for row in self._rows.values()
        ]
        return header, cells

    def _run(self) -> str:
        task, asked = self._nesting.task, self._nesting.asked
        truths = ", ".join(
            f"{name} {truth.value:.4f}{_doubt(truth)}" for name, truth in self._truths.items()
        )
        sizes = f"{task.n_positive:,} positive and {task.n_negative:,} negative rows"
        if asked.random_sizes:
            n = task.n_positive + task.n_negative
            sizes = f"{n:,} rows, {percent(task.n_positive / n)} positive"
        strata = " by class" if asked.by_class else ""
        return (
            f"true {truths}\n{self.settings['n_datasets']:,} data sets of {sizes} x "
            f"{asked.n_resamples:,} resamples{strata} · {task.model!r}"
        )


def _share(missed: npt.NDArray[np.bool_], size: int) -> float:
    """Share of the defined intervals that miss; a comparison with nan is False."""
    return int(np.count_nonzero(missed)) / size if size else math.nan


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else math.nan


def _named(row: dict[str, Any], verdict: str) -> str:
    """Return a method, with its coverage where that is news."""
    name: str = row["method"]
    return name if verdict == KEPT else f"{name} ({100.0 * row['coverage']:.1f} %)"


def _doubt(truth: Truth) -> str:
    return f" ± {truth.error:.1g}" if truth.error else ""
