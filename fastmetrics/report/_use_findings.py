"""What thresholds, probabilities and folds say about using a model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from fastmetrics.inference.folds.results import FoldScores
from fastmetrics.report._score_findings import of_model
from fastmetrics.report.calibration_summary import Calibration
from fastmetrics.report.data_summary import DataSummary
from fastmetrics.report.finding import Finding
from fastmetrics.report.names import printable
from fastmetrics.report.sample import Name
from fastmetrics.report.thresholds import (
    BAYES,
    BY_DEFAULT,
    LOWEST_COST,
    OperatingPoint,
    Thresholds,
)
from fastmetrics.report.wording import (
    joined,
    percent,
    plural,
    threshold_text,
    value_text,
)

# outcome less probability, in standard errors
FAR = 3.0
# and as a share of the prevalence, so that millions of rows do not make every trifle a finding
MUCH = 0.1
SLOPES = (0.8, 1.25)
DEARER = 1.25


def threshold_findings(thresholds: Thresholds, data: DataSummary) -> Iterator[Finding]:
    """Yield what is to be said of the thresholds."""
    chosen = thresholds.chosen
    if thresholds.searched:
        several = len(chosen) > 1
        yield Finding(
            "caution",
            "thresholds",
            f"The threshold{'s were' if several else ' was'} chosen on the same rows that judge "
            f"{'them' if several else 'it'}: the figures there are optimistic. Choose on "
            "validation or out-of-fold data, and pass the number as threshold=.",
        )
    yield from _moved(thresholds)
    for model, point in chosen.items():
        yield from _extreme(point, data)
        if thresholds.costs is not None:
            yield from _bayes(thresholds, model, point)
    if thresholds.costs is None and any(point.rule == BY_DEFAULT for point in chosen.values()):
        yield Finding(
            "note",
            "thresholds",
            "The threshold 0.5 is a default, not a decision: pass threshold=, or what errors cost "
            "as cost_fp= and cost_fn=.",
        )


def _moved(thresholds: Thresholds) -> Iterator[Finding]:
    """Yield how far the search moves from replicate to replicate."""
    spans, level = [], ""
    for model, result in thresholds.intervals.items():
        low, high = result["threshold"].confidence_interval
        level = f"{100 * result.info.confidence_level:g} %"
        if low < high:
            named = "" if model is None else f" ({printable(model)})"
            spans.append(f"{threshold_text(low)} and {threshold_text(high)}{named}")
    if spans:
        yield Finding(
            "note",
            "thresholds",
            f"Chosen anew in every replicate, the threshold lies between {joined(spans)} in "
            f"{level} of them.",
        )


def _extreme(point: OperatingPoint, data: DataSummary) -> Iterator[Finding]:
    total = sum(point.counts)
    if math.isnan(point.threshold) or not total:
        return
    if point.n_flagged == 0:
        text = f"flags no row{of_model(point.model)}: precision and F1 mean nothing there."
    elif point.n_flagged == total:
        text = f"flags every row{of_model(point.model)}: that needs no model."
    else:
        return
    yield Finding("caution", "thresholds", f"The threshold {text}")


def _bayes(thresholds: Thresholds, model: Name, point: OperatingPoint) -> Iterator[Finding]:
    """Yield that the threshold calculated from the costs does worse than the searched one."""
    own = [other for other in thresholds.points if other.model == model]
    bayes = next((other for other in own if other.rule == BAYES), None)
    best = next((other for other in own if other.rule == LOWEST_COST), None)
    if bayes is None or best is None or bayes.mean_cost is None or best.mean_cost is None:
        return
    if bayes.mean_cost > DEARER * best.mean_cost:
        yield Finding(
            "note",
            "thresholds",
            f"At the threshold that the costs alone call for, {threshold_text(bayes.threshold)}, a "
            f"row costs {value_text(bayes.mean_cost)}{of_model(model)}; at the cheapest one on "
            f"these rows, {threshold_text(best.threshold)}, {value_text(best.mean_cost)}. The "
            "former is right for calibrated probabilities, the latter was searched here.",
        )


def calibration_findings(calibration: Mapping[Name, Calibration]) -> Iterator[Finding]:
    """Yield what is to be said of the probabilities."""
    for model, found in calibration.items():
        whose = "The probabilities" + of_model(model)
        if found.skill < 0.0:
            yield Finding(
                "caution",
                "calibration",
                f"The Brier score{of_model(model)} is worse than that of always saying the "
                f"prevalence: {value_text(found.brier_score)} against "
                f"{value_text(found.decomposition.uncertainty)}.",
            )
        off = found.mean_probability - found.prevalence
        if abs(found.z) > FAR and abs(off) > MUCH * found.prevalence:
            yield Finding(
                "caution",
                "calibration",
                f"{whose} are too {'high' if off > 0 else 'low'} on average: "
                f"{percent(found.mean_probability)} expected, {percent(found.prevalence)} "
                "observed.",
            )
        yield from _slope(found, whose)


def _slope(found: Calibration, whose: str) -> Iterator[Finding]:
    low, high = SLOPES
    if (found.slope < low and 0.0 < found.slope_high < 1.0) or (
        found.slope > high and found.slope_low > 1.0
    ):
        how = (
            "too extreme: they lie nearer to 0 and 1 than the outcomes bear out"
            if found.slope < low
            else "too timid: they lie nearer to the prevalence than the outcomes bear out"
        )
        yield Finding(
            "caution",
            "calibration",
            f"{whose} are {how} (calibration slope {found.slope:.2f}, "
            f"{found.slope_low:.2f} to {found.slope_high:.2f}; ECE {found.ece:.3f}). "
            "Recalibrate them on other data before a threshold is calculated from costs.",
        )


def fold_findings(folds: Mapping[Name, FoldScores]) -> Iterator[Finding]:
    """Yield what is to be said of the folds."""
    entries = [
        (model, name, found[name]) for model, found in folds.items() for name in found.metrics
    ]
    apart = [entry for entry in entries if entry[2].message]
    if apart:
        model, name, worst = max(apart, key=lambda entry: _distance(entry[2]))
        yield Finding(
            "note",
            "folds",
            f"Mean over folds and pooled value differ, most in {name}{of_model(model)} "
            f"({value_text(worst.mean)} and {value_text(worst.pooled)}): a mean of ratios is no "
            "ratio of sums, and pooled ranks also compare rows of different models.",
        )
    holes = [entry for entry in entries if entry[2].n_undefined]
    if holes:
        model, name, worst = max(holes, key=lambda entry: entry[2].n_undefined)
        yield Finding(
            "caution",
            "folds",
            f"{name}{of_model(model)} is undefined in {worst.n_undefined} of "
            f"{plural(len(worst.folds), 'fold')}, which the mean leaves out.",
        )


def _distance(found: FoldScores) -> float:
    """How far the mean over folds lies from the pooled value, as a share of it."""
    return abs(found.difference) / max(abs(found.pooled), 1e-12)
