"""What the comparison of the models says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.report._score_findings import overall_entries
from fastmetrics.report.finding import Finding
from fastmetrics.report.names import printable
from fastmetrics.report.wording import (
    decimals,
    interval_text,
    joined,
    listed,
    p_text,
    plural,
    value_text,
)

# with more pairs than these, metrics are told about, not pairs
MOST_PAIRS = 3
# metrics of which a sentence tells the differences
MOST_DETAILS = 3
RANKINGS = ("roc_auc", "average_precision")

Row = dict[str, Any]


def comparison_findings(comparison: ComparisonResult, n_rows: int) -> Iterator[Finding]:
    """Yield what the paired differences on all rows say."""
    rows = [row for row in comparison.rows() if row["slice"] is None]
    pairs = list(dict.fromkeys((row["model"], row["baseline"]) for row in rows))
    if len(pairs) <= MOST_PAIRS:
        for pair in pairs:
            own = [row for row in rows if (row["model"], row["baseline"]) == pair]
            yield from _pair(own, comparison, n_rows, only=len(comparison.models) == 2)
    else:
        yield from _summary(rows, comparison, len(pairs))
    yield from _margins(rows, len(pairs))
    yield from _two_orders(comparison)


def _pair(
    rows: list[Row], comparison: ComparisonResult, n_rows: int, *, only: bool
) -> Iterator[Finding]:
    """Yield which metrics rank two models, and which do not."""
    names = f"{printable(rows[0]['model'])} and {printable(rows[0]['baseline'])}"
    both = "the two models" if only else names
    undecided = [row["metric"] for row in rows if _includes_zero(row)]
    if len(undecided) == 1:
        yield Finding(
            "result",
            "comparison",
            f"The interval of the difference in {undecided[0]} includes zero: these {n_rows:,} "
            f"rows cannot rank {both} by it.",
        )
    elif undecided:
        by = "" if len(undecided) == len(rows) else " by them"
        yield Finding(
            "result",
            "comparison",
            f"The intervals of the differences in {joined(undecided)} include zero: these "
            f"{n_rows:,} rows cannot rank {both}{by}.",
        )
    decided = [row for row in rows if row["low"] > 0.0 or row["high"] < 0.0]
    yield from _decided(decided, comparison)


def _includes_zero(row: Row) -> bool:
    return bool(row["low"] <= 0.0 <= row["high"])


def _decided(rows: list[Row], comparison: ComparisonResult) -> Iterator[Finding]:
    """Yield the metrics in which one of two models is better."""
    by_winner: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        first = (row["low"] > 0.0) == _greater_is_better(comparison, row["metric"])
        told = row if first else _mirrored(row)
        by_winner.setdefault((told["model"], told["baseline"]), []).append(told)
    for (winner, loser), won in by_winner.items():
        better = f"{printable(winner)} is better than {printable(loser)} by"
        if len(won) > MOST_DETAILS:
            names = joined([row["metric"] for row in won])
            largest = p_text(max(row["pvalue"] for row in won))
            text = f"{better} {names}, each with p at most {largest}."
        else:
            text = f"{better} {joined([_detail(row) for row in won])}."
        yield Finding("result", "comparison", text)
    yield from _overlaps(rows, comparison)
    alpha = 1.0 - comparison.info.confidence_level
    fragile = [row["metric"] for row in rows if row["pvalue"] <= alpha < row["pvalue_adjusted"]]
    if fragile:
        yield Finding(
            "caution",
            "comparison",
            f"After {comparison.adjustment.capitalize()}'s adjustment for the number of pairs "
            f"{listed(fragile)} no longer {'tells' if len(fragile) == 1 else 'tell'} "
            f"{printable(rows[0]['model'])} and {printable(rows[0]['baseline'])} apart.",
        )


def _mirrored(row: Row) -> Row:
    """Return a difference the other way round."""
    return {
        **row,
        "model": row["baseline"],
        "baseline": row["model"],
        "difference": -row["difference"],
        "low": -row["high"],
        "high": -row["low"],
    }


def _detail(row: Row) -> str:
    """Return the difference of winner less loser with its interval."""
    digits = decimals(row["standard_error"])
    return (
        f"{row['metric']} (difference {value_text(row['difference'], digits, signed=True)}, "
        f"{interval_text(row['low'], row['high'], digits)}, p = {p_text(row['pvalue'])})"
    )


def _greater_is_better(comparison: ComparisonResult, metric: str) -> bool:
    """Direction of a metric."""
    if comparison.scores is None:
        return True
    entries = overall_entries(comparison.scores)[metric].values()
    return next(iter(entries)).greater_is_better


def _overlaps(rows: list[Row], comparison: ComparisonResult) -> Iterator[Finding]:
    """Yield decided metrics whose separate intervals overlap, which readers take for a tie."""
    if comparison.scores is None:
        return
    overall = overall_entries(comparison.scores)
    names = []
    for row in rows:
        first, second = (
            overall[row["metric"]][row[side]].interval.limits for side in ("model", "baseline")
        )
        if first.low <= second.high and second.low <= first.high:
            names.append(row["metric"])
    if names:
        yield Finding(
            "note",
            "comparison",
            f"The separate intervals of {listed(names)} overlap all the same: both models err on "
            "the same rows, and only the paired difference takes that into account.",
        )


def _summary(rows: list[Row], comparison: ComparisonResult, pairs: int) -> Iterator[Finding]:
    """Yield how many of many pairs each metric tells apart."""
    alpha = 1.0 - comparison.info.confidence_level
    texts = []
    for name in comparison.metrics:
        own = [row for row in rows if row["metric"] == name]
        apart = sum(row["low"] > 0.0 or row["high"] < 0.0 for row in own)
        adjusted = sum(row["pvalue_adjusted"] <= alpha for row in own)
        texts.append(f"{name} {apart} ({adjusted})")
    adjustment = comparison.adjustment.capitalize()
    yield Finding(
        "result",
        "comparison",
        f"Of {plural(pairs, 'pair')} of models these are told apart, in brackets after "
        f"{adjustment}'s adjustment for their number: {', '.join(texts)}.",
    )


def _margins(rows: list[Row], pairs: int) -> Iterator[Finding]:
    """Yield what the margins decide."""
    judged = [row for row in rows if not math.isnan(row["margin_pvalue"])]
    if pairs > MOST_PAIRS:
        counts = Counter(f"{row['verdict']} in {row['metric']}" for row in judged)
        told = [f"{count} {what}" for what, count in counts.items()]
        texts = [f"By the margin given, of {pairs} pairs are {'; '.join(told)}."] if told else []
    else:
        metrics: dict[tuple[str, str, str], list[str]] = {}
        for row in judged:
            key = (row["model"], row["baseline"], row["verdict"])
            metrics.setdefault(key, []).append(row["metric"])
        texts = [
            f"{printable(model)} against {printable(baseline)}, by the margin given: {verdict} in "
            f"{joined(names)}."
            for (model, baseline, verdict), names in metrics.items()
        ]
    for text in texts:
        yield Finding("result", "comparison", text)


def _two_orders(comparison: ComparisonResult) -> Iterator[Finding]:
    """Yield that two metrics of ranking put different models first."""
    if comparison.scores is None:
        return
    overall = overall_entries(comparison.scores)
    if not all(name in overall for name in RANKINGS):
        return
    first = [
        max(overall[name], key=lambda model: overall[name][model].estimate) for name in RANKINGS
    ]
    if first[0] != first[1]:
        yield Finding(
            "note",
            "comparison",
            f"roc_auc puts {printable(first[0])} first, average_precision {printable(first[1])}: "
            "the former weighs all ranks alike, the latter those at the top.",
        )
