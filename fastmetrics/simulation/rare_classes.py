"""A class that is never predicted: which averages over classes show it, and which hide it.

Conventions
-----------
Points are classified by Bayes' rule, the best there is; once among all classes, once as if one
class did not exist. Metrics are those of all classes, of both predictions on the same points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fastmetrics.classification.confusion_formulas import SEVERAL_CLASSES
from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.engine.plans.running import run_blocks
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.arguments import options as _bootstrap_options
from fastmetrics.registry import read_metrics
from fastmetrics.simulation import _options
from fastmetrics.simulation._study import Study, Table, listed, shown
from fastmetrics.simulation._task import Task
from fastmetrics.simulation.classes import GaussianClasses, LabelledPoints

DEFAULT_METRICS = (
    "accuracy",
    "f1_macro",
    "f1_weighted",
    "balanced_accuracy",
    "matthews_corrcoef",
    "cohen_kappa",
)
PREDICTIONS = ("all classes", "without one")
BLOCK = 8
# a loss is small or large beside this one
HIDDEN = 0.05


class RareClassStudy(Study):
    """Metrics with and without a class; a row per metric.

    Parameters
    ----------
    task : seeds of the data sets
    class_sizes : rows of each class
    forbidden : the class that is never predicted
    values : (data sets, 2, k + 1) metrics of both predictions, the recall of the class last
    metrics : names of the k + 1
    confusion : (2, K, K) mean confusion matrices of both predictions, rows are true
    seed : what reproduces it as ``rng``
    """

    columns = ("metric", "all_classes", "without_one", "loss", "standard_deviation")

    def __init__(
        self,
        task: Task,
        class_sizes: Sequence[int],
        forbidden: int,
        values: Floats,
        metrics: Sequence[str],
        confusion: Floats,
        seed: Any,
    ) -> None:
        super().__init__(
            {
                "model": repr(task.model),
                "class_sizes": list(class_sizes),
                "forbidden": forbidden,
                "n_datasets": len(values),
            },
            seed,
        )
        self.values = values
        self.metrics = tuple(metrics)
        self._greater = [*(metric.greater_is_better for metric in task.metrics), True]
        self.confusion = confusion
        self._task = task

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per metric: means over data sets, and what giving up the class costs.

        A ``loss`` is above 0 where the metric gets worse, in whichever direction that is;
        ``standard_deviation`` is that of the ``loss`` over data sets.
        """
        found = []
        for k, metric in enumerate(self.metrics):
            whole, without = self.values[:, :, k].T
            loss = whole - without if self._greater[k] else without - whole
            found.append(
                {
                    "metric": metric,
                    "all_classes": float(whole.mean()),
                    "without_one": float(without.mean()),
                    "loss": float(loss.mean()),
                    "standard_deviation": float(loss.std(ddof=1)) if loss.size > 1 else math.nan,
                }
            )
        return found

    def __getitem__(self, metric: str) -> dict[str, Any]:
        """Return the row of a metric."""
        for row in self.rows():
            if row["metric"] == metric:
                return row
        raise UnknownNameError(f"no metric {metric!r} here ({', '.join(self.metrics)})")

    def data_set(self, i: int) -> LabelledPoints:
        """Classes and points of data set i, from 0."""
        if not 0 <= i < len(self.values):
            raise IndexError(f"i={i}: there are data sets 0 to {len(self.values) - 1:,}")
        generator = next(self._task.generators(i, 1))
        points: LabelledPoints = self._task.model.draw(self.settings["class_sizes"], generator)
        return points

    @property
    def conclusion(self) -> str:
        """Which metrics hide that a class was given up."""
        rows = [row for row in self.rows() if row["metric"] != self.metrics[-1]]
        lost = self[self.metrics[-1]]["all_classes"]
        parts = {
            "hide it": [_lost(row) for row in rows if row["loss"] < HIDDEN],
            "show it": [_lost(row) for row in rows if row["loss"] >= HIDDEN],
        }
        said = "; ".join(f"{listed(names)} {verb}" for verb, names in parts.items() if names)
        size = self.settings["class_sizes"][self.settings["forbidden"]]
        share = size / sum(self.settings["class_sizes"])
        return (
            f"Never predicting class {self.settings['forbidden']}, {100 * share:.3g} % of the rows,"
            f" costs all of its recall ({lost:.4f}): {said}."
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw means and middle 95 % of the data sets, a panel per metric; return the axes."""
        from fastmetrics.plots.forests import plot_estimates

        rows = []
        for k, metric in enumerate(self.metrics):
            for j, model in enumerate(PREDICTIONS):
                values = self.values[:, j, k]
                low, high = np.quantile(values, [0.025, 0.975]).tolist()
                row = {"metric": metric, "model": model, "estimate": float(values.mean())}
                rows.append({**row, "low": low, "high": high})
        return plot_estimates(rows, ax=ax)

    def _table(self, digits: int) -> Table:
        header = ["metric", "all classes", "without one", "loss", "SD of the loss"]
        cells = [
            [row["metric"], *(shown(row[name], digits) for name in self.columns[1:])]
            for row in self.rows()
        ]
        return header, cells

    def _run(self) -> str:
        sizes = ", ".join(f"{size:,}" for size in self.settings["class_sizes"])
        return (
            f"{len(self.values):,} data sets of classes of {sizes} rows · class "
            f"{self.settings['forbidden']} never predicted"
        )


def rare_class_study(
    model: GaussianClasses,
    *,
    class_sizes: Sequence[int],
    forbidden: int | None = None,
    n_datasets: int = 1000,
    metrics: Any = DEFAULT_METRICS,
    rng: Any = None,
    n_jobs: int | None = None,
) -> RareClassStudy:
    """Measure what it costs, by several averages, never to predict a class.

    Parameters
    ----------
    model : GaussianClasses
        Three classes or more.
    class_sizes : sequence of int
        Rows of each class, 1 or more.
    forbidden : int, optional
        The class that is never predicted, counted from 0; the rarest when left out.
    n_datasets : int
        Data sets.
    metrics : str, Metric, function of this library, sequence or mapping of these
        Metrics of decisions between several classes. The recall of the class follows them.
    rng : None, int, SeedSequence or Generator
        Seed; the same seed gives the same numbers for any ``n_jobs``.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores.

    Returns
    -------
    RareClassStudy
        Every metric with and without the class, and the loss.

    Raises
    ------
    TypeError
        Another model.
    ValueError
        Class sizes or metrics that do not fit.

    Notes
    -----
    Bayes' rule knows the model and the class sizes: no other classifier is right more often. A
    class that is neither there nor predicted would leave the averages; here it is always there.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> clouds = fm.simulation.GaussianClasses([[0, 0], [2.2, 0], [1.5, 2]])
    >>> study = fm.simulation.rare_class_study(
    ...     clouds, class_sizes=[1500, 400, 100], n_datasets=50, rng=0
    ... )
    >>> study["accuracy"]["loss"] < 0.05 < study["f1_macro"]["loss"]
    True
    """
    if not isinstance(model, GaussianClasses):
        raise TypeError(f"model is {model!r}: give fm.simulation.GaussianClasses(...)")
    if model.n_classes < 3:
        raise ValueError("model has two classes: without one of them nothing is left to predict")
    sizes = [_options.whole(size, f"class_sizes[{k}]", 1) for k, size in enumerate(class_sizes)]
    if len(sizes) != model.n_classes:
        raise ValueError(f"class_sizes has {len(sizes)} entries for {model.n_classes} classes")
    rare = _read_class(int(np.argmin(sizes)) if forbidden is None else forbidden, len(sizes))
    chosen = _read_metrics(metrics)
    names = [metric.name for metric in chosen] + [f"recall of class {rare}"]
    root, seed = read_seed(rng)
    task = Task(model, 0, 0, tuple(chosen), root)
    size = _options.whole(n_datasets, "n_datasets", 1)
    values = np.empty((size, 2, len(names)))
    counts = np.empty((size, 2, len(sizes) ** 2))

    def block(place: int) -> None:
        first = place * BLOCK
        count = min(BLOCK, size - first)
        for row, generator in enumerate(task.generators(first, count)):
            counts[first + row] = confusions(model, sizes, rare, generator)
        found = counts[first : first + count]
        for k, metric in enumerate(chosen):
            values[first : first + count, :, k] = metric.formula(found)
        own = found[:, :, rare * len(sizes) + rare] / sizes[rare]
        values[first : first + count, :, -1] = own

    run_blocks(block, -(-size // BLOCK), _bootstrap_options.threads(n_jobs))
    matrices = counts.mean(axis=0).reshape(2, len(sizes), len(sizes))
    return RareClassStudy(task, sizes, rare, values, names, matrices, seed)


def confusions(
    model: GaussianClasses, sizes: Sequence[int], rare: int, generator: np.random.Generator
) -> Floats:
    """Confusion matrices (2, K * K) of a data set, by Bayes' rule with and without a class."""
    y_true, points = model.draw(sizes, generator)
    probability = model.probability(points, np.array(sizes) / sum(sizes))
    found = []
    for _ in PREDICTIONS:
        codes = y_true * len(sizes) + probability.argmax(axis=1)
        found.append(np.bincount(codes, minlength=len(sizes) ** 2))
        probability[:, rare] = -1.0
    return np.array(found, np.float64)


def _read_class(value: Any, size: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < size:
        raise ValueError(f"forbidden={value!r}: the classes are 0 to {size - 1}")
    return int(value)


def _read_metrics(metrics: Any) -> list[Metric]:
    """Return metrics, those of two classes replaced by theirs of several."""
    several = {metric.name: metric for metric in SEVERAL_CLASSES}
    found = [
        metric if metric.statistic.kind == "confusion" else several.get(metric.name, metric)
        for metric in read_metrics(metrics)
    ]
    for metric in found:
        if metric.statistic.kind != "confusion":
            raise ValueError(f"{metric.name} is no metric of decisions between several classes")
    return found


def _lost(row: dict[str, Any]) -> str:
    return f"{row['metric']} ({row['loss']:.4f} less)"
