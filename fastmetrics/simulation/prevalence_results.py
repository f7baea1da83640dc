"""The result of a prevalence study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation._study import Study, Table, aligned, listed, percent, sentences, shown
from fastmetrics.simulation.results import SimulationResult

# relative to the larger of the two
STAYS = 0.02
MOVES = 0.1


class PrevalenceStudy(Study):
    """Metrics of one model over prevalences; a row per prevalence and metric.

    Parameters
    ----------
    prevalence : as it was asked for
    runs : the simulation at each
    expected : (prevalences, k) values on endless data sets, nan where no formula is known
    silent : (prevalences, k) values of the classifier that never flags
    seed : what reproduces it as ``rng``
    """

    columns = (
        "prevalence",
        "metric",
        "mean",
        "standard_deviation",
        "low",
        "median",
        "high",
        "monte_carlo_error",
        "n_undefined",
        "expected",
        "silent",
        "n_positive",
        "n_negative",
    )

    def __init__(
        self,
        prevalence: Sequence[float],
        runs: Sequence[SimulationResult],
        expected: Floats,
        silent: Floats,
        seed: Any,
    ) -> None:
        first = runs[0]
        super().__init__(
            {
                "model": repr(first.model),
                "n_negative": first.n_negative,
                "n_datasets": first.n_datasets,
                "method": first.method,
            },
            seed,
        )
        self.prevalence = tuple(prevalence)
        self.simulations = dict(zip(self.prevalence, runs))
        self._expected = expected
        self._silent = silent
        self._rows = {
            (share, row["metric"]): row
            for place, share in enumerate(self.prevalence)
            for row in self._rows_at(place, share)
        }

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return self.simulations[self.prevalence[0]].metrics

    def _rows_at(self, place: int, share: float) -> list[dict[str, Any]]:
        run = self.simulations[share]
        return [
            {
                "prevalence": share,
                **row,
                "expected": float(self._expected[place, k]),
                "silent": float(self._silent[place, k]),
                "n_positive": run.n_positive,
                "n_negative": run.n_negative,
            }
            for k, row in enumerate(run.summary())
        ]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per prevalence and metric.

        ``mean``, ``standard_deviation`` and the quantiles ``low``, ``median`` and ``high`` (2.5, 50
        and 97.5 %) are over data sets; ``expected`` is the value on an endless data set, where it
        has a formula; ``silent`` that of the classifier that never flags, nan for 0/0.
        """
        return [dict(row) for row in self._rows.values()]

    def __getitem__(self, key: tuple[float, str]) -> dict[str, Any]:
        """Return the row of a prevalence and a metric."""
        if key not in self._rows:
            shares = ", ".join(f"{share:g}" for share in self.prevalence)
            raise UnknownNameError(
                f"no row {key!r} here (prevalence: {shares}; metrics: {', '.join(self.metrics)})"
            )
        return dict(self._rows[key])

    def column(self, metric: str, name: str = "mean") -> Floats:
        """Return a column of a metric, a number per prevalence."""
        return np.array([self[share, metric][name] for share in self.prevalence])

    @property
    def conclusion(self) -> str:
        """What stays, what falls, and where doing nothing wins."""
        return sentences(self._what_moves(), *map(self._where_silence_wins, self.prevalence))

    def _what_moves(self) -> str:
        """Compare the metrics at the highest and at the lowest prevalence."""
        common, rare = max(self.prevalence), min(self.prevalence)
        if common == rare:
            return ""
        stay, move = [], []
        for metric in self.metrics:
            before, after = (self._rows[share, metric]["mean"] for share in (common, rare))
            larger = max(abs(before), abs(after))
            if abs(after - before) <= STAYS * larger:
                stay.append(metric)
            elif abs(after - before) >= MOVES * larger:
                move.append(f"{metric} from {before:.3g} to {after:.3g}")
        span = f"From {percent(common)} to {percent(rare)} positives"
        kept = f"{listed(stay)} {'stay' if len(stay) > 1 else 'stays'}" if stay else ""
        moved = f"{listed(move)} {'move' if len(move) > 1 else 'moves'}" if move else ""
        said = "; ".join(part for part in (kept, moved) if part)
        return f"{span}, {said}." if said else ""

    def _where_silence_wins(self, share: float) -> str:
        """Name the metrics by which the silent classifier is ahead."""
        run = self.simulations[share]
        ahead = []
        for metric, greater in zip(self.metrics, run.directions):
            row = self._rows[share, metric]
            gain = row["silent"] - row["mean"] if greater else row["mean"] - row["silent"]
            if gain > 0.0:
                ahead.append(f"{metric} ({row['silent']:.4f} against {row['mean']:.4f})")
        if not ahead:
            return ""
        return f"At {percent(share)}, never flagging beats the model by {listed(ahead)}."

    def plot(self, ax: Any = None) -> Any:
        """Draw every metric against the prevalence; return the axes."""
        from fastmetrics.plots.studies import plot_prevalence_study

        return plot_prevalence_study(self.rows(), ax=ax)

    def _table(self, digits: int) -> Table:
        header = ["prevalence", "metric", "mean", "SD", "expected", "silent"]
        names = ("mean", "standard_deviation", "expected", "silent")
        cells = [
            [
                percent(row["prevalence"]),
                row["metric"],
                *(shown(row[name], digits) for name in names),
            ]
            for row in self._rows.values()
        ]
        return header, cells

    def _printed(self, digits: int) -> list[str]:
        """A column per prevalence, and a block for data sets, law and silence."""
        runs = self.simulations.values()
        size = self.settings["n_datasets"]
        rows = [
            ["prevalence", *map(percent, self.prevalence)],
            ["positives", *(f"{run.n_positive:,}" for run in runs)],
            [f"mean over {size:,} data sets", *([""] * len(self.prevalence))],
        ]
        blocks = [("mean", ""), ("expected", "expected by the law of the scores")]
        for name, title in [*blocks, ("silent", "a classifier that never flags")]:
            columns = {metric: self.column(metric, name) for metric in self.metrics}
            known = {metric: found for metric, found in columns.items() if not _empty(found)}
            if title and known:
                rows.append([title, *([""] * len(self.prevalence))])
            for metric, found in known.items():
                rows.append([f"  {metric}", *(shown(value, digits) for value in found.tolist())])
        return aligned(rows)

    def _run(self) -> str:
        errors = [row["monte_carlo_error"] for row in self._rows.values()]
        error = max((value for value in errors if not math.isnan(value)), default=0.0)
        settings = self.settings
        return (
            f"{settings['n_negative']:,} negative rows · {settings['model']} · "
            f"{settings['method']} · Monte-Carlo error of means up to {error:.4f}"
        )


def _empty(values: Floats) -> bool:
    return bool(np.isnan(values).all())
