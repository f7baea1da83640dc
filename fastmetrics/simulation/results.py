"""The result of a simulation: every metric of every data set, summed up, and the data on request.

Conventions
-----------
Rows of ``values`` are data sets, columns metrics; a value is nan where the metric is undefined.
Summaries leave undefined values out and count them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation._study import aligned
from fastmetrics.simulation._task import DataSet, Path, Task
from fastmetrics.tables import latex_table, markdown_table

LOW, HIGH = 0.025, 0.975
COLUMNS = (
    "metric",
    "mean",
    "standard_deviation",
    "low",
    "median",
    "high",
    "monte_carlo_error",
    "n_undefined",
)


class SimulationResult:
    """Metrics of simulated data sets.

    Parameters
    ----------
    task : what was simulated
    path : how
    values : (n_datasets, k) metrics
    seed : what reproduces them as ``rng``
    """

    def __init__(self, task: Task, path: Path, values: Floats, seed: Any) -> None:
        self._task = task
        self._path = path
        self.values = values
        self.seed = seed

    @property
    def model(self) -> Any:
        """The model that data sets were drawn from."""
        return self._task.model

    @property
    def n_positive(self) -> int:
        """Positive rows of each data set."""
        return self._task.n_positive

    @property
    def n_negative(self) -> int:
        """Negative rows of each data set."""
        return self._task.n_negative

    @property
    def n_datasets(self) -> int:
        """Number of data sets."""
        return len(self.values)

    @property
    def method(self) -> str:
        """How: "fast", where the negatives were only counted, or "drawn"."""
        return self._path.name

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the columns."""
        return tuple(metric.name for metric in self._task.metrics)

    @property
    def directions(self) -> tuple[bool, ...]:
        """Whether more is better, of each metric."""
        return tuple(metric.greater_is_better for metric in self._task.metrics)

    def __len__(self) -> int:
        """Return the number of data sets."""
        return len(self.values)

    def __getitem__(self, metric: str) -> Floats:
        """Return the values (n_datasets,) of a metric."""
        if metric not in self.metrics:
            listed = ", ".join(map(repr, self.metrics))
            raise UnknownNameError(f"no metric {metric!r} here ({listed})")
        return self.values[:, self.metrics.index(metric)]

    def _over(self, summary: Any, fewest: int = 1) -> Floats:
        """A summary (k,) of the defined values of each metric; nan where there are too few."""
        columns = [column[~np.isnan(column)] for column in self.values.T]
        return np.array([summary(x) if x.size >= fewest else math.nan for x in columns])

    @property
    def mean(self) -> Floats:
        """Mean (k,) of each metric over data sets."""
        return self._over(np.mean)

    @property
    def standard_deviation(self) -> Floats:
        """Standard deviation (k,) of each metric over data sets: its true standard error."""
        return self._over(lambda x: np.std(x, ddof=1), 2)

    @property
    def monte_carlo_error(self) -> Floats:
        """Standard error (k,) of the means, which more data sets make smaller."""
        return self._over(lambda x: np.std(x, ddof=1) / math.sqrt(x.size), 2)

    @property
    def n_undefined(self) -> npt.NDArray[np.int64]:
        """Data sets (k,) in which each metric is undefined."""
        undefined: npt.NDArray[np.int64] = np.isnan(self.values).sum(axis=0)
        return undefined

    def quantile(self, q: npt.ArrayLike) -> Floats:
        """Quantiles of each metric over data sets.

        Parameters
        ----------
        q : number or array of shape (m,), from 0 to 1

        Returns
        -------
        ndarray of shape (k,), or (m, k) for an array
        """
        shares = np.asarray(q, np.float64)
        if not ((shares >= 0.0) & (shares <= 1.0)).all():
            raise ValueError(f"q={q!r}: quantiles lie between 0 and 1")
        each = [self._over(lambda x, share=share: np.quantile(x, share)) for share in shares.flat]
        return np.array(each).reshape(*shares.shape, len(self.metrics))

    def data_set(self, i: int) -> DataSet:
        """Labels and scores of a data set, the same as when its metrics were computed.

        Parameters
        ----------
        i : number of the data set, from 0; negative numbers count from the end

        Returns
        -------
        y_true : int8 array of shape (n,)
            Ones, then zeros.
        y_score : float64 array of shape (n,)

        Raises
        ------
        IndexError
            There is no such data set.
        ValueError
            The fast path never had the rows, and they are more than 10,000,000.

        Notes
        -----
        The fast path draws each negative within the cell in which it was counted, so the rows have
        the metrics of the simulation: exactly, but for the rounding of partial areas.
        """
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)):
            raise TypeError(f"i={i!r}: give the number of a data set")
        if not -len(self) <= i < len(self):
            raise IndexError(f"i={i}: there are data sets 0 to {len(self) - 1:,}")
        return self._path.data_set(int(i) % len(self))

    def plot(self, ax: Any = None) -> Any:
        """Draw how each metric is distributed over data sets; return the axes."""
        from fastmetrics.plots.simulations import plot_simulation

        return plot_simulation(self.values, self.metrics, ax=ax)

    def summary(self) -> list[dict[str, Any]]:
        """Return a row per metric: mean, standard deviation, quantiles, undefined data sets.

        ``low`` and ``high`` are the quantiles at 2.5 and 97.5 %.
        """
        low, median, high = self.quantile([LOW, 0.5, HIGH])
        columns = (
            self.metrics,
            self.mean.tolist(),
            self.standard_deviation.tolist(),
            low.tolist(),
            median.tolist(),
            high.tolist(),
            self.monte_carlo_error.tolist(),
            self.n_undefined.tolist(),
        )
        return [dict(zip(COLUMNS, row)) for row in zip(*columns)]

    def to_frame(self) -> Any:
        """Return the summary as a pandas frame, one row per metric."""
        import pandas

        return pandas.DataFrame(self.summary(), columns=list(COLUMNS))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the values, in types that JSON knows."""
        return {
            "model": repr(self.model),
            "n_positive": self.n_positive,
            "n_negative": self.n_negative,
            "n_datasets": self.n_datasets,
            "method": self.method,
            "seed": self._seed_as_text(),
            "metrics": self.summary(),
        }

    def _seed_as_text(self) -> Any:
        from fastmetrics.inference.entries import plain_seed

        return plain_seed(self.seed)

    def to_markdown(self, digits: int = 4) -> str:
        """Return a Markdown table with one row per metric."""
        return markdown_table(*self._table(digits))

    def to_latex(self, digits: int = 3) -> str:
        """Return a LaTeX tabular with one row per metric."""
        return latex_table(*self._table(digits))

    def _table(self, digits: int) -> tuple[list[str], list[list[str]]]:
        """Header and cells of the summary."""
        header = ["metric", "mean", "SD", "2.5 %", "median", "97.5 %", "undefined"]
        names = ("mean", "standard_deviation", "low", "median", "high")
        cells = [
            [
                row["metric"],
                *(f"{row[name]:.{digits}f}" for name in names),
                f"{row['n_undefined']:,}",
            ]
            for row in self.summary()
        ]
        return header, cells

    def __repr__(self) -> str:
        """Return the summary at a glance and a line on the run."""
        header, cells = self._table(4)
        lines = aligned([header, *cells])
        error = np.nanmax(self.monte_carlo_error, initial=0.0)
        lines.append(
            f"{self.n_datasets:,} data sets of {self.n_positive:,} positive and "
            f"{self.n_negative:,} negative rows · {self.model!r} · {self.method}, seed "
            f"{self._seed_as_text()} · Monte-Carlo error of means up to {error:.4f}"
        )
        return "\n".join(lines)
