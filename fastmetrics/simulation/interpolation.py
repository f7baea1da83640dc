"""Areas under precision-recall curves: steps, as average precision, or trapezoids.

Conventions
-----------
Trapezoids join the points of the curve by straight lines, and begin at precision 1 and recall 0 as
scikit-learn's curve does. Decisions are the scores 1 and 0 of rows above and below a threshold.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.plans.running import run_blocks
from fastmetrics.engine.sweeps.units import Labels
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.ranking.areas import average_precision_score
from fastmetrics.ranking.curves import auc, precision_recall_curve
from fastmetrics.simulation import _options
from fastmetrics.simulation._asked import in_unit_interval
from fastmetrics.simulation._drawn import draw_checked
from fastmetrics.simulation._study import Study, Table, percent, shown
from fastmetrics.simulation._task import Task
from fastmetrics.simulation.score_model import ScoreModel

SOURCES = ("scores", "decisions")
BLOCK = 16


class InterpolationStudy(Study):
    """Areas by steps and by trapezoids; a row for the scores and one for the decisions.

    Parameters
    ----------
    task : what was drawn
    threshold : of the decisions
    values : (data sets, 2, 2) areas of scores and of decisions, by steps and by trapezoids
    expected : the true average precision of the scores, and of the decisions
    seed : what reproduces it as ``rng``
    """

    columns = (
        "source",
        "steps",
        "trapezoids",
        "difference",
        "standard_deviation",
        "trapezoids_above",
        "expected",
    )

    def __init__(
        self,
        task: Task,
        threshold: float,
        values: Floats,
        expected: tuple[float, float],
        seed: Any,
    ) -> None:
        super().__init__(
            {
                "model": repr(task.model),
                "n_positive": task.n_positive,
                "n_negative": task.n_negative,
                "n_datasets": len(values),
                "threshold": threshold,
            },
            seed,
        )
        self.values = values
        self._expected = expected

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for scores and for decisions.

        ``steps`` and ``trapezoids`` are means over data sets, ``difference`` is trapezoids less
        steps with its ``standard_deviation``, ``trapezoids_above`` the share of the data sets in
        which they are larger, ``expected`` the average precision of an endless data set.
        """
        found = []
        for k, source in enumerate(SOURCES):
            steps, trapezoids = self.values[:, k].T
            moved = trapezoids - steps
            found.append(
                {
                    "source": source,
                    "steps": float(steps.mean()),
                    "trapezoids": float(trapezoids.mean()),
                    "difference": float(moved.mean()),
                    "standard_deviation": float(moved.std(ddof=1)) if moved.size > 1 else math.nan,
                    "trapezoids_above": float((moved > 0.0).mean()),
                    "expected": self._expected[k],
                }
            )
        return found

    def __getitem__(self, source: str) -> dict[str, Any]:
        """Return the row of "scores" or of "decisions"."""
        for row in self.rows():
            if row["source"] == source:
                return row
        raise UnknownNameError(f"no source {source!r} here ({', '.join(map(repr, SOURCES))})")

    @property
    def conclusion(self) -> str:
        """On which side of the steps the trapezoids lie."""
        said = []
        for source in SOURCES:
            row = self[source]
            side = "above" if row["difference"] > 0.0 else "below"
            share = row["trapezoids_above"] if side == "above" else 1.0 - row["trapezoids_above"]
            said.append(
                f"{abs(row['difference']):.4f} {side} the steps for {source} ({side} in "
                f"{percent(round(share, 3))} of the data sets)"
            )
        return (
            f"Trapezoids lie on average {' and '.join(said)}: they join points that no threshold "
            "lies between. Average precision is the area under the steps."
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw means and middle 95 % of the data sets; return the axes."""
        from fastmetrics.plots.forests import plot_estimates

        rows = []
        for k, source in enumerate(SOURCES):
            for j, rule in enumerate(("steps", "trapezoids")):
                values = self.values[:, k, j]
                low, high = np.quantile(values, [0.025, 0.975]).tolist()
                estimate = float(values.mean())
                row = {"metric": f"area of {source}", "model": rule, "estimate": estimate}
                rows.append({**row, "low": low, "high": high})
        return plot_estimates(rows, ax=ax)

    def _table(self, digits: int) -> Table:
        header = ["", "steps", "trapezoids", "difference", "SD", "above in", "true steps"]
        names = ("steps", "trapezoids", "difference", "standard_deviation")
        cells = [
            [
                row["source"],
                *(shown(row[name], digits) for name in names),
                percent(round(row["trapezoids_above"], 3)),
                shown(row["expected"], digits),
            ]
            for row in self.rows()
        ]
        return header, cells

    def _run(self) -> str:
        settings = self.settings
        return (
            f"{settings['n_datasets']:,} data sets of {settings['n_positive']:,} positive and "
            f"{settings['n_negative']:,} negative rows · {settings['model']} · decisions from "
            f"{settings['threshold']:g} on"
        )


def interpolation_study(
    model: Any,
    *,
    n_positive: int = 20,
    n_negative: int = 1_980,
    n_datasets: int = 1000,
    threshold: float | None = None,
    rng: Any = None,
    n_jobs: int | None = None,
) -> InterpolationStudy:
    """Compare the areas under the steps and under the trapezoids of precision-recall curves.

    Parameters
    ----------
    model : Binormal, ScoreModel, EmpiricalModel, RoundedModel, CalibratedModel
        Or anything with a method ``draw(n_positive, n_negative, generator)``.
    n_positive, n_negative : int
        Rows of each class, 1 or more.
    n_datasets : int
        Data sets.
    threshold : float, optional
        Decisions flag rows with scores of at least this; 0.5 where all scores lie in [0, 1].
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same numbers for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    InterpolationStudy
        Both areas of the scores and of the decisions, and how they differ.

    Raises
    ------
    ValueError
        Options out of range, or no threshold where there is no default.

    References
    ----------
    Davis & Goadrich 2006, doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> study = fm.simulation.interpolation_study(
    ...     fm.simulation.Binormal(2.5), threshold=2, n_datasets=200, rng=0
    ... )
    >>> study["scores"]["difference"] < 0 < study["decisions"]["difference"]
    True
    """
    if not hasattr(model, "draw"):
        raise TypeError(f"model is {model!r}: it has no draw(n_positive, n_negative, generator)")
    cut = _bootstrap_options.threshold(threshold)
    if cut is None and not in_unit_interval(model):
        raise ValueError(f"the scores of {model!r} reach beyond [0, 1]: pass threshold=")
    cut = 0.5 if cut is None else float(cut)
    positives = _options.whole(n_positive, "n_positive", 1)
    negatives = _options.whole(n_negative, "n_negative", 1)
    root, seed = read_seed(rng)
    task = Task(model, positives, negatives, (), root)
    size = _options.whole(n_datasets, "n_datasets", 1)
    values = np.empty((size, 2, 2))

    def block(place: int) -> None:
        first = place * BLOCK
        count = min(BLOCK, size - first)
        for row, generator in enumerate(task.generators(first, count)):
            labels, scores = draw_checked(model, positives, negatives, generator)
            values[first + row] = areas_of_both(labels.view(np.uint8), scores, cut)

    run_blocks(block, -(-size // BLOCK), _bootstrap_options.threads(n_jobs))
    expected = _true_areas(model, positives / (positives + negatives), cut)
    return InterpolationStudy(task, cut, values, expected, seed)


def areas_of_both(labels: Labels, scores: Floats, threshold: float) -> Floats:
    """Areas (2, 2) of the scores and of the decisions, by steps and by trapezoids."""
    return np.array(
        [areas(labels, scores), areas(labels, (scores >= threshold).astype(np.float64))]
    )


def areas(labels: Labels, scores: Floats) -> tuple[float, float]:
    """Areas by steps and by trapezoids."""
    precision, recall, _ = precision_recall_curve(labels, scores)
    return float(average_precision_score(labels, scores)), float(auc(recall, precision))


def _true_areas(model: Any, prevalence: float, threshold: float) -> tuple[float, float]:
    """Average precision of an endless data set, of scores and of decisions; nan if not known."""
    if not isinstance(model, ScoreModel):
        return math.nan, math.nan
    recall = model.rates(threshold).true_positive_rate
    precision = model.expected_precision(threshold, prevalence)
    decisions = (recall * precision if recall else 0.0) + (1.0 - recall) * prevalence
    return model.average_precision(prevalence), decisions
