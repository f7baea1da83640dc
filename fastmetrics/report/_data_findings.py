"""What the rows say before any model is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from fastmetrics.report.data_summary import DataSummary, ScoreSummary
from fastmetrics.report.finding import Finding
from fastmetrics.report.names import printable
from fastmetrics.report.wording import listed, percent, plural

# below these, percentiles of replicates are a guess
FEW_ROWS_OF_A_CLASS = 30
FEW_GROUPS = 30
# a rarer class below this makes accuracy and the ROC curve look good by themselves
RARE = 0.1
FEW_PER_SLICE = 10
MUCH_TIED = 0.5


def data_findings(data: DataSummary) -> Iterator[Finding]:
    """Yield what is to be said of the rows."""
    yield from _dropped(data)
    yield from _classes(data)
    if data.n_groups is not None and data.n_groups < FEW_GROUPS:
        yield Finding(
            "caution",
            "data",
            f"Only {plural(data.n_groups, 'group')} were drawn: intervals from so few clusters "
            "are too short.",
        )
    if data.weighted and data.effective_n < 0.5 * data.n_rows:
        yield Finding(
            "caution",
            "data",
            f"The weights are uneven: {data.n_rows:,} rows tell as much as "
            f"{data.effective_n:,.0f} of equal weight.",
        )
    for scores in data.scores:
        yield from _ties(scores, data.n_rows)
    yield from _slices(data)


def _dropped(data: DataSummary) -> Iterator[Finding]:
    dropped = data.dropped
    if dropped.n_dropped:
        where = ", ".join(
            f"{count:,} in {printable(name)}" for name, count in dropped.by_column.items()
        )
        yield Finding(
            "note",
            "data",
            f"{dropped.n_dropped:,} of {dropped.n_given:,} rows have something missing ({where}) "
            "and were dropped for every model: all are judged on the same rows.",
        )


def _classes(data: DataSummary) -> Iterator[Finding]:
    if data.n_positive is None or data.rarer is None or data.prevalence is None:
        return
    rarer = "positive" if data.n_positive == data.rarer else "negative"
    if not data.rarer:
        yield Finding(
            "caution",
            "data",
            f"No row is {rarer}: metrics that compare the classes are undefined.",
        )
        return
    if data.rarer < FEW_ROWS_OF_A_CLASS:
        yield Finding(
            "caution",
            "data",
            f"Only {plural(data.rarer, 'row is', 'rows are')} {rarer}: one row more or less moves "
            "every metric of that class, and intervals are rough.",
        )
    if data.prevalence < RARE:
        yield Finding(
            "note",
            "data",
            f"{percent(data.prevalence)} of the rows are positive: accuracy and ROC AUC look good "
            "by themselves here. Read precision, recall and average precision, whose value "
            f"without a model is the prevalence, {data.prevalence:.2g}.",
        )
    elif data.prevalence > 1.0 - RARE:
        yield Finding(
            "note",
            "data",
            f"{percent(data.prevalence)} of the rows are positive: precision, F1 and average "
            "precision look good by themselves here. Read specificity, or name the rarer class "
            "as the positive one.",
        )


def _ties(scores: ScoreSummary, n_rows: int) -> Iterator[Finding]:
    """Yield what to say of a model that gives most rows a score that many share."""
    if scores.n_distinct == 1:
        yield Finding(
            "caution",
            "data",
            f"{_called(scores)} gives every row the same score: it ranks nothing.",
        )
    elif scores.n_tied > MUCH_TIED * n_rows and scores.n_distinct < n_rows / 10:
        yield Finding(
            "note",
            "data",
            f"{_called(scores)} gives {n_rows:,} rows {scores.n_distinct:,} different scores. "
            "Equal scores count half in ROC AUC, and no threshold separates them.",
        )


def _called(scores: ScoreSummary) -> str:
    return "The model" if scores.model is None else printable(scores.model)


def _slices(data: DataSummary) -> Iterator[Finding]:
    if data.n_positive is None:
        return
    small = [
        part.name
        for part in data.slices
        if part.n_positive is not None
        and min(part.n_positive, part.n_rows - part.n_positive) < FEW_PER_SLICE
    ]
    if small:
        yield Finding(
            "caution",
            "slices",
            f"{plural(len(small), 'slice has', 'slices have')} fewer than {FEW_PER_SLICE} rows of "
            f"a class ({listed(small)}): do not read much into them.",
        )
