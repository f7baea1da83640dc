"""The result of a ranking study."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation._study import Study, Table, listed, percent, shown
from fastmetrics.simulation._task import Task

LOW, HIGH = 0.025, 0.975


class RankingStudy(Study):
    """Metrics of models on the same rows; a row per metric and model.

    Parameters
    ----------
    task : what was drawn
    values : (data sets, models, k) metrics
    expected : (models, k) values on an endless data set
    seed : what reproduces it as ``rng``
    """

    columns = (
        "metric",
        "model",
        "mean",
        "standard_deviation",
        "low",
        "high",
        "expected",
        "best_in",
        "n_undefined",
    )

    def __init__(self, task: Task, values: Floats, expected: Floats, seed: Any) -> None:
        super().__init__(
            {
                "models": {name: repr(model) for name, model in task.model.models.items()},
                "n_positive": task.n_positive,
                "n_negative": task.n_negative,
                "n_datasets": len(values),
                "correlation": list(task.model.correlation),
            },
            seed,
        )
        self._task = task
        self.values = values
        self._greater = [metric.greater_is_better for metric in task.metrics]
        self._rows = {
            (name, metric): self._row(i, k, name, metric, float(expected[i, k]))
            for k, metric in enumerate(self.metrics)
            for i, name in enumerate(self.models)
        }

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(self._task.model.models)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(metric.name for metric in self._task.metrics)

    def _row(self, i: int, k: int, model: str, metric: str, expected: float) -> dict[str, Any]:
        """Sum up the values of a metric of a model."""
        values = self.values[:, i, k]
        defined = values[~np.isnan(values)]
        low, high = np.quantile(defined, [LOW, HIGH]) if defined.size else (math.nan, math.nan)
        return {
            "metric": metric,
            "model": model,
            "mean": float(defined.mean()) if defined.size else math.nan,
            "standard_deviation": float(defined.std(ddof=1)) if defined.size > 1 else math.nan,
            "low": float(low),
            "high": float(high),
            "expected": expected,
            "best_in": self._best_in(i, k),
            "n_undefined": values.size - defined.size,
        }

    def _best_in(self, i: int, k: int) -> float:
        """Share of the data sets in which a model is the best; several best ones share it."""
        values = self.values[:, :, k] if self._greater[k] else -self.values[:, :, k]
        best = values == values.max(axis=1, keepdims=True)
        return float((best[:, i] / np.maximum(best.sum(axis=1), 1)).mean())

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per metric and model.

        ``expected`` is the value on an endless data set, ``best_in`` the share of the data sets in
        which the model is the best; ``low`` and ``high`` hold the middle 95 % of the data sets.
        """
        return [dict(row) for row in self._rows.values()]

    def __getitem__(self, key: tuple[str, str]) -> dict[str, Any]:
        """Return the row of a model and a metric."""
        if key not in self._rows:
            raise UnknownNameError(
                f"no row {key!r} here (models: {', '.join(self.models)}; metrics: "
                f"{', '.join(self.metrics)})"
            )
        return dict(self._rows[key])

    def best(self, metric: str) -> str:
        """Return the model that a metric prefers on an endless data set."""
        return self.order(metric)[0]

    def order(self, metric: str) -> tuple[str, ...]:
        """Return the models from the best to the worst by a metric on an endless data set."""
        expected = {name: self[name, metric]["expected"] for name in self.models}
        greater = self._greater[self.metrics.index(metric)]
        return tuple(sorted(expected, key=lambda name: expected[name], reverse=greater))

    @property
    def opposite(self) -> bool:
        """Whether two of the metrics prefer different models."""
        return len({self.best(metric) for metric in self.metrics}) > 1

    @property
    def conclusion(self) -> str:
        """Which model each metric prefers, and whether they agree."""
        said = []
        for name in self.models:
            chosen = [metric for metric in self.metrics if self.best(metric) == name]
            if chosen:
                shares = [percent(round(self[name, metric]["best_in"], 3)) for metric in chosen]
                also = [f"{metric} ({share})" for metric, share in zip(chosen, shares)]
                prefers = "prefers" if len(chosen) == 1 else "prefer"
                said.append(f"{listed(also)} {prefers} {name}")
        verdict = "The metrics do not agree" if self.opposite else "The metrics agree"
        return f"{verdict}: {'; '.join(said)} (share of the data sets in which it is ahead)."

    def plot(self, ax: Any = None) -> Any:
        """Draw means and middle 95 % of the data sets, a panel per metric; return the axes."""
        from fastmetrics.plots.forests import plot_estimates

        rows = [{**row, "estimate": row["mean"]} for row in self._rows.values()]
        return plot_estimates(rows, ax=ax)

    def _table(self, digits: int) -> Table:
        header = ["metric", "model", "expected", "mean", "SD", "2.5 %", "97.5 %", "best in"]
        names = ("expected", "mean", "standard_deviation", "low", "high")
        cells = [
            [
                row["metric"],
                row["model"],
                *(shown(row[name], digits) for name in names),
                percent(round(row["best_in"], 3)),
            ]
            for row in self._rows.values()
        ]
        return header, cells

    def _run(self) -> str:
        task = self._task
        models = ", ".join(f"{name}: {model!r}" for name, model in task.model.models.items())
        return (
            f"{len(self.values):,} data sets of {task.n_positive:,} positive and "
            f"{task.n_negative:,} negative rows · {models}"
        )
