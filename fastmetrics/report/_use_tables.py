"""Tables of thresholds, confusion matrices, calibration and folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fastmetrics.inference.folds.results import FoldScores
from fastmetrics.report.calibration_summary import Calibration
from fastmetrics.report.document import Table, without_empty_columns
from fastmetrics.report.sample import Name
from fastmetrics.report.thresholds import RATES, OperatingPoint, Thresholds
from fastmetrics.report.wording import (
    count_text,
    interval_text,
    percent,
    threshold_text,
    value_text,
)

SEARCHED = "*"
CHOSEN = "chosen: "


def threshold_table(thresholds: Thresholds) -> Table:
    """Return the chosen threshold of each model, and others beside it."""
    rows, last = [], None
    for point in thresholds.points:
        mark = SEARCHED if point.searched else ""
        rows.append(
            (
                (point.model or "") if point.model != last else "",
                f"{CHOSEN if point.chosen else ''}{point.rule}{mark}",
                threshold_text(point.threshold),
                "" if point.mean_cost is None else value_text(point.mean_cost),
                count_text(point.n_flagged),
                *(count_text(count) for count in point.counts),
                *(value_text(point.rates[name], 3) for name in RATES),
            )
        )
        last = point.model
    header, cells = without_empty_columns(
        (
            "model", "rule", "threshold", "cost per row", "flagged", "TP", "FP", "FN", "TN",
            *RATES,
        ),
        rows,
    )  # fmt: skip
    words = 2 if "model" in header else 1
    note = "A row is flagged when its score reaches the threshold."
    if any(point.searched for point in thresholds.points):
        note += f" {SEARCHED} Searched on these very rows: optimistic."
    return Table(
        "thresholds",
        "Thresholds",
        header,
        cells,
        words,
        note,
        optional=("accuracy", "flagged", "f1", "specificity"),
    )


def interval_table(thresholds: Thresholds) -> Table | None:
    """Return thresholds and values chosen anew in every replicate; None where none was searched."""
    rows, last = [], None
    level = ""
    for model, result in thresholds.intervals.items():
        level = f"{100 * result.info.confidence_level:g} % CI"
        for name in result.metrics:
            entry = result[name]
            low, high = entry.confidence_interval
            cut = name == "threshold"
            rows.append(
                (
                    (model or "") if model != last else "",
                    name if cut or name != "cost" else "cost per row",
                    threshold_text(entry.estimate) if cut else value_text(entry.estimate),
                    f"{threshold_text(low)} to {threshold_text(high)}"
                    if cut
                    else interval_text(low, high),
                )
            )
            last = model
    if not rows:
        return None
    header, cells = without_empty_columns(("model", "quantity", "estimate", level), rows)
    return Table(
        "threshold-intervals",
        "The threshold chosen anew in every replicate",
        header,
        cells,
        len(header) - 2,
    )


def confusion_tables(thresholds: Thresholds) -> Iterator[Table]:
    """Yield the confusion matrix of each model at its threshold."""
    for k, point in enumerate(thresholds.chosen.values()):
        tp, fp, fn, tn = point.counts
        name = "" if point.model is None else f", {point.model}"
        yield Table(
            f"confusion-{k + 1}",
            f"Confusion matrix{name}{_at(point)}",
            ("", "flagged", "not flagged", "all"),
            (
                ("positive", count_text(tp), count_text(fn), count_text(tp + fn)),
                ("negative", count_text(fp), count_text(tn), count_text(fp + tn)),
                ("all", count_text(tp + fp), count_text(fn + tn), count_text(tp + fp + fn + tn)),
            ),
        )


def _at(point: OperatingPoint) -> str:
    if point.threshold != point.threshold:
        return ", decisions as given"
    return f", threshold {threshold_text(point.threshold)}"


def calibration_table(calibration: Mapping[Name, Calibration]) -> Table:
    """Return how far the probabilities of each model can be taken at their word."""
    quantities: dict[str, Callable[[Calibration], str]] = {
        "mean probability": lambda c: value_text(c.mean_probability),
        "prevalence": lambda c: value_text(c.prevalence),
        "Brier score": lambda c: value_text(c.brier_score),
        "  reliability (calibration error)": lambda c: value_text(c.decomposition.reliability),
        "  resolution": lambda c: value_text(c.decomposition.generalized_resolution),
        "  uncertainty": lambda c: value_text(c.decomposition.uncertainty),
        "Brier skill": lambda c: value_text(c.skill),
        "ECE": lambda c: value_text(c.ece),
        "largest bin error": lambda c: value_text(c.mce),
        "calibration slope": lambda c: value_text(c.slope, 3),
        "  interval": lambda c: interval_text(c.slope_low, c.slope_high, 3),
        "calibration in the large": lambda c: value_text(c.intercept, 3, signed=True),
    }
    names = [name or "" for name in calibration]
    return Table(
        "calibration",
        "Calibration",
        ("", *names),
        tuple(
            (label, *(show(found) for found in calibration.values()))
            for label, show in quantities.items()
        ),
        note="Brier score = reliability - resolution + uncertainty, in ten equal bins, resolution "
        "with the terms within bins. A calibrated model has slope 1 and 0 in the large.",
    )


def bin_tables(calibration: Mapping[Name, Calibration]) -> Iterator[Table]:
    """Yield the reliability diagram of each model in numbers."""
    for k, (name, found) in enumerate(calibration.items()):
        rows = tuple(
            (
                f"{entry.low:.1f} to {entry.high:.1f}",
                count_text(entry.n),
                value_text(entry.mean_probability),
                percent(entry.observed_share),
                ""
                if entry.share_low != entry.share_low
                else f"{percent(entry.share_low)} to {percent(entry.share_high)}",
            )
            for entry in found.bins
            if entry.n
        )
        yield Table(
            f"bins-{k + 1}",
            "Reliability diagram in numbers" + ("" if name is None else f", {name}"),
            ("bin", "rows", "mean probability", "positive", "Wilson interval"),
            rows,
            detail=True,
        )


def fold_table(folds: Mapping[Name, FoldScores]) -> Table:
    """Return metrics as the mean over folds and pooled."""
    rows, last = [], None
    for model, found in folds.items():
        for name in found.metrics:
            entry = found[name]
            rows.append(
                (
                    (model or "") if model != last else "",
                    name,
                    value_text(entry.mean),
                    value_text(entry.pooled),
                    value_text(entry.difference, signed=True),
                    f"{entry.n_undefined} of {len(found.folds)}" if entry.n_undefined else "",
                )
            )
            last = model
    header, cells = without_empty_columns(
        ("model", "metric", "mean over folds", "pooled", "difference", "undefined folds"), rows
    )
    note = next(iter(folds.values())).info.describe()
    return Table("folds", "Folds", header, cells, 2 if "model" in header else 1, note)


def per_fold_tables(folds: Mapping[Name, FoldScores]) -> Iterator[Table]:
    """Yield every metric in every fold."""
    for k, (name, found) in enumerate(folds.items()):
        values = [found[metric].per_fold for metric in found.metrics]
        yield Table(
            f"per-fold-{k + 1}",
            "Each fold" + ("" if name is None else f", {name}"),
            ("fold", *found.metrics),
            tuple(
                (str(fold), *(value_text(float(column[place])) for column in values))
                for place, fold in enumerate(found.folds)
            ),
            detail=True,
        )
