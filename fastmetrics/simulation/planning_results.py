"""The result of planning a sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fastmetrics.simulation._search import Trial
from fastmetrics.simulation._sizes import DifferenceTrials, SpreadTrials, split_rows
from fastmetrics.simulation._study import Study, Table, percent, shown


class ClassSizes(NamedTuple):
    """Rows of each class."""

    n_positive: int
    n_negative: int


class SampleSize(Study):
    """How many rows it takes; a row of the table per size that was tried.

    Parameters
    ----------
    trials : what was planned for
    tried : every size, ascending
    found : the answer
    start : class sizes by the closed form
    seed : what reproduces it as ``rng``
    """

    columns = ("n", "n_positive", "n_negative", "value", "monte_carlo_error", "enough")

    def __init__(
        self,
        trials: SpreadTrials | DifferenceTrials,
        tried: Sequence[Trial],
        found: Trial,
        start: tuple[int, int],
        seed: Any,
    ) -> None:
        self._trials = trials
        self._tried = tried
        self._found = found
        self.start = ClassSizes(*start)
        one = isinstance(trials, SpreadTrials)
        models = [trials.model] if isinstance(trials, SpreadTrials) else list(trials.models)
        super().__init__(
            {
                "models": [repr(model) for model in models],
                "metric": self._metric,
                "prevalence": trials.prevalence,
                "confidence_level": trials.level,
                "wanted": {"half_width" if one else "power": trials.wanted},
                "n_datasets": trials.n_datasets,
                "n_positive": self.n_positive,
                "n_negative": self.n_negative,
                "start": list(self.start),
            },
            None if isinstance(trials, SpreadTrials) and trials.exact else seed,
        )

    @property
    def _metric(self) -> str:
        trials = self._trials
        metric = trials.metric if isinstance(trials, SpreadTrials) else trials.metrics[0]
        return metric.name

    @property
    def n(self) -> int:
        """Rows of both classes."""
        return self._found.size

    @property
    def n_positive(self) -> int:
        """Positive rows."""
        return split_rows(self.n, self._trials.prevalence)[0]

    @property
    def n_negative(self) -> int:
        """Negative rows."""
        return split_rows(self.n, self._trials.prevalence)[1]

    @property
    def n_error(self) -> float:
        """Monte-Carlo error of n: rows by which chance moves it."""
        return 2.0 * self._found.doubt * self.n

    @property
    def value(self) -> float:
        """Half-width or power at n rows."""
        return self._found.value

    @property
    def monte_carlo_error(self) -> float:
        """Monte-Carlo error of the value; 0 where it is exact."""
        return self._found.error

    @property
    def wanted(self) -> float:
        """Half-width or power that was wanted."""
        return self._trials.wanted

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per size tried: the half-width or power there, and whether it is enough."""
        found = []
        for trial in self._tried:
            n_positive, n_negative = split_rows(trial.size, self._trials.prevalence)
            found.append(
                {
                    "n": trial.size,
                    "n_positive": n_positive,
                    "n_negative": n_negative,
                    "value": trial.value,
                    "monte_carlo_error": trial.error,
                    "enough": trial.shortfall <= 1.0,
                }
            )
        return found

    @property
    def conclusion(self) -> str:
        """How many rows it takes, how sure that is, and what the closed form says."""
        wanted = self._trials.wanted_in_words()
        doubt = f", give or take {self.n_error:,.0f} rows by chance" if self.n_error else ""
        return (
            f"{wanted[0].upper()}{wanted[1:]} takes {self.n_positive:,} positive and "
            f"{self.n_negative:,} negative rows{doubt}. The closed form says "
            f"{self.start.n_positive:,} and {self.start.n_negative:,}."
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the sizes that were tried, and what was wanted; return the axes."""
        from fastmetrics.plots.planning import plot_sample_size

        name = "half-width" if isinstance(self._trials, SpreadTrials) else "power"
        return plot_sample_size(
            self.rows(), wanted=self.wanted, n=self.n, name=f"{name}, {self._metric}", ax=ax
        )

    def _table(self, digits: int) -> Table:
        name = "half-width" if isinstance(self._trials, SpreadTrials) else "power"
        header = ["rows", "positive", "negative", name, "±", "enough"]
        cells = [
            [
                f"{row['n']:,}",
                f"{row['n_positive']:,}",
                f"{row['n_negative']:,}",
                shown(row["value"], digits),
                shown(row["monte_carlo_error"], digits),
                "yes" if row["enough"] else "no",
            ]
            for row in self.rows()
        ]
        return header, cells

    def _run(self) -> str:
        trials = self._trials
        share = f"{percent(trials.prevalence)} positive"
        if isinstance(trials, SpreadTrials):
            how = "exact" if trials.exact else f"{trials.n_datasets:,} data sets per size"
            return f"{trials.model!r} · {share} · {how}"
        first, second = trials.models
        return (
            f"{first!r} against {second!r}, correlation {trials.correlation[0]:g} among negatives, "
            f"{trials.correlation[1]:g} among positives · {share} · {trials.n_datasets:,} data "
            "sets per size"
        )
