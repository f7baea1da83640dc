"""The result of a prevalence shift."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.simulation._study import Study, Table, listed, percent, shown

NAMES = ("estimate", "low", "high", "standard_error", "method", "n_undefined")


class PrevalenceShift(Study):
    """Metrics of one's own data at other prevalences; a row per prevalence and metric.

    Parameters
    ----------
    results : bootstrap of the weighted rows, by prevalence
    own : prevalence of the data
    seed : what reproduces it as ``rng``
    """

    columns = ("prevalence", "metric", *NAMES)

    def __init__(self, results: Mapping[float, BootstrapResult], own: float, seed: Any) -> None:
        self.results = dict(results)
        self.own_prevalence = own
        first = next(iter(self.results.values()))
        self.metrics = first.metrics
        super().__init__(
            {
                "own_prevalence": own,
                "n_rows": first.info.n_rows,
                "n_positive": first.info.n_positive,
                "n_resamples": first.info.n_resamples,
                "confidence_level": first.info.confidence_level,
            },
            seed,
        )
        self._rows = {
            (share, row["metric"]): {
                "prevalence": share,
                "metric": row["metric"],
                **{name: row[name] for name in NAMES},
            }
            for share, result in self.results.items()
            for row in result.to_dict()["entries"]
        }

    @property
    def prevalence(self) -> tuple[float, ...]:
        """Target prevalences."""
        return tuple(self.results)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per prevalence and metric, with estimate and interval."""
        return [dict(row) for row in self._rows.values()]

    def __getitem__(self, key: tuple[float, str]) -> dict[str, Any]:
        """Return the row of a prevalence and a metric."""
        if key not in self._rows:
            shares = ", ".join(f"{share:g}" for share in self.prevalence)
            raise UnknownNameError(
                f"no row {key!r} here (prevalence: {shares}; metrics: {', '.join(self.metrics)})"
            )
        return dict(self._rows[key])

    @property
    def conclusion(self) -> str:
        """How far each metric moves."""
        common, rare = max(self.prevalence), min(self.prevalence)
        if common == rare:
            moved = [f"{m} is {self[common, m]['estimate']:.3g}" for m in self.metrics]
            return f"At {percent(common)} positives, {listed(moved)}."
        moved = [
            f"{metric} goes from {self[common, metric]['estimate']:.3g} to "
            f"{self[rare, metric]['estimate']:.3g}"
            for metric in self.metrics
        ]
        return f"From {percent(common)} to {percent(rare)} positives, {listed(moved)}."

    def plot(self, ax: Any = None) -> Any:
        """Draw every metric with its interval against the prevalence; return the axes."""
        from fastmetrics.plots.studies import plot_prevalence_study

        return plot_prevalence_study(self.rows(), value="estimate", ax=ax)

    def _table(self, digits: int) -> Table:
        level = f"{100 * self.settings['confidence_level']:g} % CI"
        header = ["prevalence", "metric", "estimate", level, "SE", "method"]
        cells = [
            [
                percent(row["prevalence"]),
                row["metric"],
                shown(row["estimate"], digits),
                f"{shown(row['low'], digits)} to {shown(row['high'], digits)}",
                shown(row["standard_error"], digits),
                row["method"],
            ]
            for row in self._rows.values()
        ]
        return header, cells

    def _run(self) -> str:
        first = next(iter(self.results.values()))
        described = first.info.describe().split(", seed ")[0]
        return f"{described} · {percent(self.own_prevalence)} positive before weighting"
