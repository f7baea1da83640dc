"""A report put into sections of sentences and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmetrics.report._score_tables import (
    comparison_table,
    data_table,
    metric_table,
    score_table,
    slice_table,
)
from fastmetrics.report._use_tables import (
    bin_tables,
    calibration_table,
    confusion_tables,
    fold_table,
    interval_table,
    per_fold_tables,
    threshold_table,
)
from fastmetrics.report.document import Section, Table

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport


def sections_of(report: EvaluationReport) -> list[Section]:
    """Return the sections of a report in the order of reading.

    "curves" has no tables, for those who can show figures.
    """
    data: list[Table] = [data_table(report.data)]
    if report.data.scores:
        data.append(score_table(report.data))
    found = [
        Section("findings", "Findings", findings=report.findings),
        Section("data", "Data", tables=tuple(data)),
        Section("metrics", "Metrics", tables=(metric_table(report),)),
    ]
    if report.comparison is not None:
        found.append(
            Section("comparison", "Comparison", tables=(comparison_table(report.comparison),))
        )
    if report.thresholds is not None:
        between = interval_table(report.thresholds)
        tables = [
            threshold_table(report.thresholds),
            *([] if between is None else [between]),
            *confusion_tables(report.thresholds),
        ]
        found.append(Section("thresholds", "Thresholds", tables=tuple(tables)))
    if report.calibration:
        tables = [calibration_table(report.calibration), *bin_tables(report.calibration)]
        found.append(Section("calibration", "Calibration", tables=tuple(tables)))
    if report.sample.scored:
        found.append(Section("curves", "Curves"))
    if report.scores.slices:
        found.append(Section("slices", "Slices", tables=(slice_table(report),)))
    if report.folds:
        tables = [fold_table(report.folds), *per_fold_tables(report.folds)]
        found.append(Section("folds", "Folds", tables=tuple(tables)))
    found.append(Section("method", "Method", tuple(report.method.lines())))
    return found
