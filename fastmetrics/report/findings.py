"""All findings of a report: results first, then cautions, then notes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from fastmetrics.report._data_findings import data_findings
from fastmetrics.report._model_findings import comparison_findings
from fastmetrics.report._score_findings import score_findings
from fastmetrics.report._use_findings import (
    calibration_findings,
    fold_findings,
    threshold_findings,
)
from fastmetrics.report.finding import Finding

if TYPE_CHECKING:
    from fastmetrics.report.results import EvaluationReport

_ORDER = ("result", "caution", "note")


def find(report: EvaluationReport) -> tuple[Finding, ...]:
    """Return what the numbers of a report say, each thing once."""
    found = dict.fromkeys(chain.from_iterable(_all(report)))
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.kind)))


def _all(report: EvaluationReport) -> Iterator[Iterator[Finding]]:
    if report.comparison is not None:
        yield comparison_findings(report.comparison, report.data.n_rows)
    yield data_findings(report.data)
    yield score_findings(report.scores, report.data, report.method)
    if report.thresholds is not None:
        yield threshold_findings(report.thresholds, report.data)
    yield calibration_findings(report.calibration)
    yield fold_findings(report.folds)
    yield iter([Finding("note", "data", sentence) for sentence in report.left_out])
