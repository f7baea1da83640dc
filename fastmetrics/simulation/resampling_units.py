"""Rows against clusters: what an interval is worth that resamples the wrong unit.

Conventions
-----------
The metric is the share of right answers. Rows are single answers, clusters are people with all of
their answers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.designs import Design
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.plans.running import run_blocks
from fastmetrics.engine.readings.answers import ModelData, TrueData
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.registry import metric as find_metric
from fastmetrics.simulation import _options
from fastmetrics.simulation._limits import Replicates, limits_of
from fastmetrics.simulation._replicates import TileSource, pairs_of
from fastmetrics.simulation._study import Study, Table, percent, shown
from fastmetrics.simulation._task import Task
from fastmetrics.simulation.clusters import Answers, ClusteredAnswers

UNITS = ("rows", "clusters")
# the replicates of the two designs are drawn apart
STREAMS = 2
BLOCK = 8


class ClusterStudy(Study):
    """Intervals by resampled rows and by resampled clusters; a row for each.

    Parameters
    ----------
    model : that was drawn from
    task : seeds of the data sets
    estimates : (data sets,) share of right answers
    errors : (data sets, 2) standard errors by rows and by clusters
    limits : (data sets, 2, 2) lower and upper limits by rows and by clusters
    n_resamples, level : of the bootstrap
    seed : what reproduces it as ``rng``
    """

    columns = (
        "unit",
        "coverage",
        "coverage_error",
        "standard_error",
        "true_standard_error",
        "mean_width",
        "n_datasets",
    )

    def __init__(
        self,
        model: ClusteredAnswers,
        task: Task,
        estimates: Floats,
        errors: Floats,
        limits: Floats,
        n_resamples: int,
        level: float,
        seed: Any,
    ) -> None:
        super().__init__(
            {
                "model": repr(model),
                "accuracy": model.accuracy,
                "n_datasets": estimates.size,
                "n_resamples": n_resamples,
                "confidence_level": level,
            },
            seed,
        )
        self.model = model
        self.estimates = estimates
        self.standard_errors = errors
        self.limits = limits
        self._task = task

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for rows and for clusters.

        ``coverage`` is the share of the intervals that hold the true accuracy, ``coverage_error``
        its binomial standard error, ``standard_error`` the mean one of the bootstrap and
        ``true_standard_error`` the standard deviation over data sets by the law of the answers.
        """
        truth, size = self.model.accuracy, self.estimates.size
        found = []
        for k, unit in enumerate(UNITS):
            low, high = self.limits[:, k].T
            coverage = float(((low <= truth) & (truth <= high)).mean())
            found.append(
                {
                    "unit": unit,
                    "coverage": coverage,
                    "coverage_error": math.sqrt(coverage * (1.0 - coverage) / size),
                    "standard_error": float(self.standard_errors[:, k].mean()),
                    "true_standard_error": self.model.standard_deviation,
                    "mean_width": float((high - low).mean()),
                    "n_datasets": size,
                }
            )
        return found

    def __getitem__(self, unit: str) -> dict[str, Any]:
        """Return the row of "rows" or of "clusters"."""
        for row in self.rows():
            if row["unit"] == unit:
                return row
        raise UnknownNameError(f"no unit {unit!r} here ({', '.join(map(repr, UNITS))})")

    def data_set(self, i: int) -> Answers:
        """Answers and people of data set i, from 0."""
        if not 0 <= i < self.estimates.size:
            raise IndexError(f"i={i}: there are data sets 0 to {self.estimates.size - 1:,}")
        return self.model.draw(next(self._task.generators(i, 1)))

    @property
    def conclusion(self) -> str:
        """What each unit claims, and what is true."""
        rows, clusters = self["rows"], self["clusters"]
        level = percent(self.settings["confidence_level"])
        return (
            f"The accuracy varies by {rows['true_standard_error']:.4f} from one group of people to "
            f"the next. Resampled answers claim {rows['standard_error']:.4f} and their {level} "
            f"intervals hold the truth in {percent(round(rows['coverage'], 3))} of the data sets; "
            f"resampled people claim {clusters['standard_error']:.4f} and hold it in "
            f"{percent(round(clusters['coverage'], 3))}."
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw both coverages beside the promise; return the axes."""
        from fastmetrics.plots.studies import plot_coverage

        rows = [{**row, "metric": "accuracy", "method": row["unit"]} for row in self.rows()]
        return plot_coverage(rows, confidence_level=self.settings["confidence_level"], ax=ax)

    def _table(self, digits: int) -> Table:
        header = ["resampled", "coverage", "±", "standard error", "true", "width"]
        names = self.columns[1:6]
        cells = [
            [row["unit"], *(shown(row[name], digits) for name in names)] for row in self.rows()
        ]
        return header, cells

    def _run(self) -> str:
        settings = self.settings
        return (
            f"{settings['n_datasets']:,} data sets of {self.model.n_people:,} people with "
            f"{self.model.questions:,} answers each x {settings['n_resamples']:,} resamples · true "
            f"accuracy {self.model.accuracy:.4f}"
        )


def cluster_study(
    model: ClusteredAnswers,
    *,
    n_datasets: int = 1000,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Any = None,
    n_jobs: int | None = None,
) -> ClusterStudy:
    """Compare intervals that resample answers with intervals that resample people.

    Percentile intervals of the share of right answers, on data set after data set.

    Parameters
    ----------
    model : ClusteredAnswers
        People with answers that are alike within a person.
    n_datasets, n_resamples : int
        Data sets, and replicates of each.
    confidence_level : float
        As a fraction, between 0 and 1.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same numbers for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    ClusterStudy
        Coverage, standard errors and widths by either unit, beside the true standard error.

    Raises
    ------
    TypeError
        Another model.
    ValueError
        Options out of range.

    References
    ----------
    Field & Welsh 2007, doi:10.1111/j.1467-9868.2007.00593.x.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> people = fm.simulation.ClusteredAnswers(n_people=30, questions=20, mean=1, spread=1.2)
    >>> study = fm.simulation.cluster_study(people, n_datasets=100, n_resamples=200, rng=0)
    >>> study["rows"]["coverage"] < 0.8 < study["clusters"]["coverage"]
    True
    """
    if not isinstance(model, ClusteredAnswers):
        raise TypeError(f"model is {model!r}: give fm.simulation.ClusteredAnswers(...)")
    size = _options.whole(n_datasets, "n_datasets", 1)
    n_resamples = _options.whole(n_resamples, "n_resamples", 2)
    level = _bootstrap_options.confidence_level(confidence_level)
    metric = find_metric("mean")
    root, seed = read_seed(rng)
    task = Task(model, 0, 0, (metric,), root)
    source = TileSource((metric,), Design(), n_resamples, False, False, task.root)
    estimates, errors = np.empty(size), np.empty((size, 2))
    limits = np.empty((size, 2, 2))

    def block(place: int) -> None:
        first = place * BLOCK
        count = min(BLOCK, size - first)
        drawn = np.empty((2, count, n_resamples))
        for row, generator in enumerate(task.generators(first, count)):
            answers = model.draw(generator)
            estimates[first + row] = answers.correct.mean()
            drawn[:, row] = _replicates(source, answers, first + row)
        for k in range(2):
            rows = slice(first, first + count)
            found = Replicates.of(estimates[rows], drawn[k], (0.0, 1.0))
            errors[rows, k] = found.standard_errors()
            limits[rows, k] = np.stack(limits_of("percentile", level, found), axis=1)

    run_blocks(block, -(-size // BLOCK), _bootstrap_options.threads(n_jobs))
    return ClusterStudy(model, task, estimates, errors, limits, n_resamples, level, seed)


def _replicates(source: TileSource, answers: Answers, number: int) -> Floats:
    """Replicates (2, B) of a data set by rows and by clusters."""
    scores = answers.correct.astype(np.float64)
    true = TrueData(scores.size)
    pairs = pairs_of(source.metrics, None, scores)
    model = ModelData(None, source.metrics, pairs=pairs, given=scores)
    designs = (Design(), Design(groups=answers.people))
    return np.stack(
        [
            source.draw_data(true, model, design, STREAMS * number + k).values[0]
            for k, design in enumerate(designs)
        ]
    )
