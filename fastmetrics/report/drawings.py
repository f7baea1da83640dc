"""The figures of a report: which there are, and what draws each."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fastmetrics.inference.folds.results import FoldScores
from fastmetrics.report._score_findings import overall_entries
from fastmetrics.report.names import file_name
from fastmetrics.report.sample import Model
from fastmetrics.report.thresholds import OperatingPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fastmetrics.report.results import EvaluationReport

# of models beyond these only the figures that show all of them are drawn
MOST_ALONE = 6
# metrics whose folds are drawn, side by side
MOST_FOLD_METRICS = 3
_CURVE_CAPTIONS = {
    "roc": "ROC curve",
    "precision_recall": "Precision and recall",
    "net_benefit": "Net benefit",
}


@dataclass(frozen=True)
class Drawing:
    """A figure.

    Parameters
    ----------
    key : name that is safe for files, unique in the report
    section : key of the section that shows it
    caption : what it shows
    draw : draws it on axes, or on a new figure for None
    """

    key: str
    section: str
    caption: str
    draw: Callable[[Any], Any]


@contextmanager
def drawn(drawing: Drawing) -> Iterator[Figure]:
    """Draw a figure, and close it in the end."""
    from fastmetrics.plots.style import require_matplotlib

    require_matplotlib()
    from matplotlib import pyplot

    with warnings.catch_warnings():
        # a sign of a name that no font holds is drawn as a box
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        # a session with windows shall not see figures come and go
        with pyplot.ioff():
            figure = drawing.draw(None).get_figure(root=True)
        try:
            yield figure
        finally:
            pyplot.close(figure)


def drawings_of(report: EvaluationReport) -> list[Drawing]:
    """Return the figures of a report, in the order of its sections."""
    found: list[Drawing] = []
    found += _of_metrics(report)
    found += _of_comparison(report)
    if report.sample.has_both_classes:
        found += _of_thresholds(report)
        found += _of_calibration(report)
        found += _of_curves(report)
    found += _of_slices(report)
    found += _of_folds(report)
    return _with_distinct_keys(found)


def _with_distinct_keys(drawings: list[Drawing]) -> list[Drawing]:
    """Give figures whose names came out alike a number."""
    taken: dict[str, Drawing] = {}
    for drawing in drawings:
        key = file_name(drawing.key, taken)
        taken[key] = Drawing(key, drawing.section, drawing.caption, drawing.draw)
    return list(taken.values())


def _key(what: str, model: str | None) -> str:
    return what if model is None else f"{what}-{file_name(model)}"


def _called(what: str, model: str | None) -> str:
    return what if model is None else f"{what}, {model}"


def _of_metrics(report: EvaluationReport) -> Iterator[Drawing]:
    from fastmetrics.plots.results import plot_entries

    level = report.scores.info.confidence_level
    overall = {
        key: entry
        for key, entry in report.scores.entries().items()
        if key[2] is None and np.isfinite(entry.estimate)
    }
    if not overall or not report.scores.info.n_resamples:
        return
    if len(overall) > 1:
        yield Drawing(
            "metrics",
            "metrics",
            "Metrics with intervals",
            lambda ax: plot_entries(overall, level, ax),
        )
    name = report.scores.metrics[0]
    own = {key: entry for key, entry in overall.items() if key[1] == name}
    for key, entry in list(own.items())[:MOST_ALONE]:
        yield Drawing(
            _key(f"distribution-{file_name(name)}", key[0]),
            "metrics",
            _called(f"Replicates of {name}", key[0]),
            partial(plot_entries, {key: entry}, level),
        )


def _of_comparison(report: EvaluationReport) -> Iterator[Drawing]:
    comparison = report.comparison
    if comparison is None:
        return
    rows = [row for row in comparison.rows() if row["slice"] is None]
    rows = [row for row in rows if np.isfinite(row["difference"])]
    first = [row for row in rows if row["metric"] == report.scores.metrics[0]]
    if len(rows) > 1:
        yield Drawing(
            "differences", "comparison", "Paired differences", partial(_draw_forest, report, rows)
        )
    if len(first) == 1:
        name = first[0]["metric"]
        yield Drawing(
            f"difference-{file_name(name)}",
            "comparison",
            f"Replicates of the difference in {name}",
            partial(_draw_difference, report, first[0]),
        )


def _draw_forest(report: EvaluationReport, rows: list[dict[str, Any]], ax: Any) -> Any:
    from fastmetrics.plots.forests import plot_differences

    entries = report.scores.entries()
    return plot_differences(
        rows,
        confidence_level=report.scores.info.confidence_level,
        greater_is_better={key[1]: entry.greater_is_better for key, entry in entries.items()},
        ax=ax,
    )


def _draw_difference(report: EvaluationReport, row: dict[str, Any], ax: Any) -> Any:
    from fastmetrics.plots.distributions import plot_difference

    entries = report.scores.entries()
    model, baseline = (entries[row[side], row["metric"], None] for side in ("model", "baseline"))
    return plot_difference(
        model.replicates - baseline.replicates,
        estimate=row["difference"],
        low=row["low"],
        high=row["high"],
        confidence_level=report.scores.info.confidence_level,
        method=row["method"],
        name=f"difference in {row['metric']}",
        title=f"{row['model']} - {row['baseline']}",
        ax=ax,
    )


def _of_thresholds(report: EvaluationReport) -> Iterator[Drawing]:
    from fastmetrics.plots.costs import plot_cost_curves
    from fastmetrics.plots.thresholds import plot_metrics_of_sweeps

    thresholds, sample = report.thresholds, report.sample
    if thresholds is None:
        return
    cut = [model for model in sample.scored if model.decisions is None]
    costs = thresholds.costs
    if costs is not None and cut:
        curves = {model.name: costs.curve(sample.sweep(model)) for model in cut}
        yield Drawing(
            "costs",
            "thresholds",
            "Cost per row at every threshold",
            lambda ax: plot_cost_curves(curves, ax, "cost per row"),
        )
    if cut:
        name = thresholds.metric or "f1"
        sweeps = {model.name: sample.sweep(model) for model in cut}
        yield Drawing(
            "thresholds",
            "thresholds",
            f"{name} at every threshold",
            lambda ax: plot_metrics_of_sweeps(sweeps, name, ax),
        )
    for model in cut[:MOST_ALONE]:
        yield Drawing(
            _key("scores", model.name),
            "thresholds",
            _called("Scores by class", model.name),
            partial(_draw_scores, report, model),
        )
    for point in list(thresholds.chosen.values())[:MOST_ALONE]:
        yield Drawing(
            _key("confusion", point.model),
            "thresholds",
            _called("Confusion matrix", point.model),
            partial(_draw_confusion, point),
        )


def _draw_scores(report: EvaluationReport, model: Model, ax: Any) -> Any:
    from fastmetrics.plots.scores import plot_score_histograms

    points = {} if report.thresholds is None else report.thresholds.chosen
    cut = points[model.name].threshold if model.name in points else None
    sample = report.sample
    return plot_score_histograms(
        sample.truth,
        model.values,
        threshold=None if cut is None or not np.isfinite(cut) else cut,
        sample_weight=sample.weights,
        ax=ax,
    )


def _draw_confusion(point: OperatingPoint, ax: Any) -> Any:
    from fastmetrics.plots.confusion import plot_confusion_matrix

    tp, fp, fn, tn = point.counts
    return plot_confusion_matrix([[tn, fp], [fn, tp]], labels=["negative", "positive"], ax=ax)


def _of_calibration(report: EvaluationReport) -> Iterator[Drawing]:
    sample, band = report.sample, report.curves.get("calibration")
    if not sample.probable:
        return
    given = sample.given
    # Wilson's intervals of the diagram are those of single rows that count alike
    if band is not None and (given.groups is not None or sample.weights is not None):
        yield Drawing("reliability", "calibration", "Reliability, with bootstrap band", band.plot)
    else:
        yield Drawing(
            "reliability", "calibration", "Reliability", partial(_draw_reliability, report)
        )


def _draw_reliability(report: EvaluationReport, ax: Any) -> Any:
    from fastmetrics.plots.reliability import plot_reliability

    models = report.sample.probable
    columns: Any = {model.label: model.values for model in models}
    if models[0].name is None:
        columns = models[0].values
    return plot_reliability(
        report.sample.truth,
        columns,
        confidence_level=report.scores.info.confidence_level,
        sample_weight=report.sample.weights,
        ax=ax,
    )


def _of_curves(report: EvaluationReport) -> Iterator[Drawing]:
    for name, caption in _CURVE_CAPTIONS.items():
        if name in report.curves:
            yield Drawing(
                file_name(name), "curves", f"{caption}, with bands", report.curves[name].plot
            )


def _of_slices(report: EvaluationReport) -> Iterator[Drawing]:
    if not report.scores.slices:
        return
    name = report.scores.metrics[0]
    entries = overall_entries(report.scores)[name]
    if any(np.isfinite(entry.estimate) for entry in entries.values()):
        yield Drawing("slices", "slices", f"{name} by slice", report.scores[name].plot)


def _of_folds(report: EvaluationReport) -> Iterator[Drawing]:
    for model, found in list(report.folds.items())[:MOST_ALONE]:
        yield Drawing(
            _key("folds", model), "folds", _called("Folds", model), partial(_draw_folds, found)
        )


def _draw_folds(found: FoldScores, ax: Any) -> Any:
    from fastmetrics.plots.folds import plot_fold_values

    shown = {name: found[name] for name in found.metrics[:MOST_FOLD_METRICS]}
    return plot_fold_values(shown, found.folds, ax)
