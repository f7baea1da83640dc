"""Tables of data, metrics, comparison and slices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.inference.entries import Entry
from fastmetrics.report.data_summary import DataSummary, majority_share
from fastmetrics.report.document import Table, without_empty_columns
from fastmetrics.report.thresholds import MEAN_COST, Costs
from fastmetrics.report.wording import (
    count_text,
    decimals,
    interval_text,
    p_text,
    percent,
    share_text,
    value_text,
)

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

ALL_ROWS = "all rows"
# columns of the metric table, from the one that a narrow terminal misses least
_LEAST_MISSED = ("better", "undefined", "method", "without a model", "SE")


def data_table(data: DataSummary) -> Table:
    """Return what the rows are."""
    facts = {"rows": f"{data.n_rows:,}"}
    if data.dropped.n_dropped:
        facts["dropped, something missing"] = f"{data.dropped.n_dropped:,}"
    if data.n_positive is not None and data.prevalence is not None:
        facts["positive"] = f"{data.n_positive:,}"
        weighted = ", weighted" if data.weighted else ""
        facts[f"prevalence{weighted}"] = percent(data.prevalence)
    if data.n_groups is not None:
        facts["groups"] = f"{data.n_groups:,}"
    if data.n_strata is not None:
        facts["strata"] = f"{data.n_strata:,}"
    if data.weighted:
        facts["effective rows"] = f"{data.effective_n:,.0f}"
    return Table("data", "Rows", ("", ""), tuple(facts.items()))


def score_table(data: DataSummary) -> Table:
    """Return what the scores of each model are."""
    rows = [
        (
            scores.model or "",
            f"{scores.low:.4g}",
            f"{scores.high:.4g}",
            f"{scores.n_distinct:,}",
            f"{scores.n_tied:,}",
        )
        for scores in data.scores
    ]
    header, cells = without_empty_columns(
        ("model", "lowest", "highest", "distinct", "rows in ties"), rows
    )
    return Table("scores", "Scores", header, cells, text_columns=len(header) - 4)


def references(data: DataSummary, costs: Costs | None) -> dict[str, float]:
    """Return what each metric is without a model: constant answers, or flags at random."""
    share = data.prevalence
    if share is None or not 0.0 < share < 1.0:
        return {}
    entropy = -(share * math.log(share) + (1.0 - share) * math.log(1.0 - share))
    found = {
        "roc_auc": 0.5,
        "average_precision": share,
        "brier_score": share * (1.0 - share),
        "log_loss": entropy,
        "accuracy": majority_share(data),
        "balanced_accuracy": 0.5,
        "precision": share,
        "f1": 2.0 * share / (1.0 + share),
        "matthews_corrcoef": 0.0,
        "cohen_kappa": 0.0,
        "gini": 0.0,
    }
    if costs is not None:
        found[MEAN_COST] = min(costs.fp * (1.0 - share), costs.fn * share)
    return found


def metric_table(report: EvaluationReport) -> Table:
    """Return every metric of every model on all rows."""
    costs = None if report.thresholds is None else report.thresholds.costs
    known = references(report.data, costs)
    resampled = report.scores.info.has_intervals
    several = resampled and len(report.method.interval_methods) > 1
    entries = report.scores.entries()
    rows = [
        (
            name if k == 0 else "",
            model or "",
            *_numbers(entries[model, name, None], resampled),
            value_text(known[name]) if name in known else "",
            *_remarks(entries[model, name, None], several),
        )
        for name in report.scores.metrics
        for k, model in enumerate(report.scores.models or (None,))
    ]
    level = f"{100 * report.scores.info.confidence_level:g} % CI"
    header, cells = without_empty_columns(
        (
            "metric", "model", "estimate", level, "SE", "without a model", "better", "method",
            "undefined",
        ),
        rows,
    )  # fmt: skip
    note = "Without a model: the best constant answer, or rows flagged at random."
    return Table(
        "metrics",
        "Metrics",
        header,
        cells,
        2 if "model" in header else 1,
        note if known else "",
        optional=tuple(name for name in _LEAST_MISSED if name in header),
    )


def _numbers(entry: Entry, resampled: bool) -> tuple[str, str, str]:
    """Return estimate, interval and standard error."""
    digits = decimals(entry.standard_error)
    estimate = value_text(entry.estimate, digits)
    if not resampled:
        return estimate, "", ""
    interval = interval_text(*entry.interval.limits, digits)
    return estimate, interval, value_text(entry.standard_error, digits)


def _remarks(entry: Entry, several: bool) -> tuple[str, str, str]:
    """Return direction, interval method where there are several, and undefined replicates."""
    return (
        "higher" if entry.greater_is_better else "lower",
        entry.interval.method if several else "",
        f"{entry.n_undefined:,}" if entry.n_undefined else "",
    )


def comparison_table(comparison: ComparisonResult, part: object = None) -> Table:
    """Return the paired differences on all rows, or on a slice."""
    several = len({(row["model"], row["baseline"]) for row in comparison.rows()}) > 1
    rows, last = [], ""
    for row in comparison.rows():
        if row["slice"] != part:
            continue
        digits = decimals(row["standard_error"])
        rows.append(
            (
                row["metric"] if row["metric"] != last else "",
                f"{row['model']} - {row['baseline']}" if several else "",
                value_text(row["difference"], digits, signed=True),
                interval_text(row["low"], row["high"], digits),
                p_text(row["pvalue"]),
                p_text(row["pvalue_adjusted"]) if several else "",
                share_text(row["win_share"]),
                row["verdict"],
            )
        )
        last = row["metric"]
    first = comparison.rows()[0]
    level = f"{100 * comparison.info.confidence_level:g} % CI"
    header, cells = without_empty_columns(
        ("metric", "models", "difference", level, "p", "p adjusted", "ahead in", "verdict"), rows
    )
    note = "Same draws for both models; ahead in: share of the replicates, by the metric's sense."
    if several:
        note = f"{note} p adjusted by {comparison.adjustment}; intervals are not."
    caption = (
        "Paired differences"
        if several
        else f"Paired differences, {first['model']} - {first['baseline']}"
    )
    return Table("comparison", caption, header, cells, 2 if several else 1, note)


def slice_table(report: EvaluationReport) -> Table:
    """Return every metric on every slice, the models below each other."""
    scores, entries = report.scores, report.scores.entries()
    sizes = {part.name: part for part in report.data.slices}
    rows = []
    for part in (None, *scores.slices):
        for k, model in enumerate(scores.models or (None,)):
            n, positive = report.data.n_rows, report.data.n_positive
            if part is not None:
                n, positive = sizes[part].n_rows, sizes[part].n_positive
            rows.append(
                (
                    (ALL_ROWS if part is None else str(part)) if k == 0 else "",
                    model or "",
                    count_text(n) if k == 0 else "",
                    "" if positive is None or k else count_text(positive),
                    *(_short(entries[model, name, part]) for name in scores.metrics),
                )
            )
    header, cells = without_empty_columns(
        ("slice", "model", "rows", "positive", *scores.metrics), rows
    )
    note = "The same draws for all slices. A slice is small data: mind the intervals."
    return Table(
        "slices",
        "Slices",
        header,
        cells,
        2 if "model" in header else 1,
        note,
        optional=tuple(reversed(scores.metrics[1:])),
    )


def _short(entry: Entry) -> str:
    """Return estimate and interval in a cell."""
    if math.isnan(entry.estimate):
        return value_text(entry.estimate)
    low, high = entry.interval.limits
    if math.isnan(low):
        return value_text(entry.estimate, 3)
    return f"{value_text(entry.estimate, 3)} ({interval_text(low, high, 3)})"
