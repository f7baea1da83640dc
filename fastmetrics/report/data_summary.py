"""What the rows of a report are: how many, how rare the positives, how tied the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmetrics.inference.arguments.draws import read_slices
from fastmetrics.inference.entries import RunInfo
from fastmetrics.ranking.sweep import threshold_sweep
from fastmetrics.report.missing import Dropped
from fastmetrics.report.sample import Model, Name, Sample


@dataclass(frozen=True)
class ScoreSummary:
    """The scores of one model.

    Parameters
    ----------
    model : name, None where there is one without a name
    low, high : smallest and largest score
    n_distinct : different scores
    n_tied : rows that share their score with another row
    probabilities : whether all lie in [0, 1]
    """

    model: Name
    low: float
    high: float
    n_distinct: int
    n_tied: int
    probabilities: bool


@dataclass(frozen=True)
class SliceSummary:
    """A slice of the rows.

    Parameters
    ----------
    name : of the slice
    n_rows, n_positive : its size; None positive where there are no two classes
    """

    name: Any
    n_rows: int
    n_positive: int | None


@dataclass(frozen=True)
class DataSummary:
    """The rows of a report.

    Parameters
    ----------
    n_rows : rows that are evaluated
    n_positive : of these, None where there are no two classes
    prevalence : share of the positives' weight, None where there are no two classes
    dropped : rows in which something was missing
    n_groups, n_strata : clusters and strata, or None
    weighted : whether rows have weights
    effective_n : rows of equal weight that tell as much: sum of weights squared by sum of squares
    scores : of each model that has any
    slices : in the order of the results
    """

    n_rows: int
    n_positive: int | None
    prevalence: float | None
    dropped: Dropped
    n_groups: int | None
    n_strata: int | None
    weighted: bool
    effective_n: float
    scores: tuple[ScoreSummary, ...]
    slices: tuple[SliceSummary, ...]

    @property
    def n_negative(self) -> int | None:
        """Rows that are not positive."""
        return None if self.n_positive is None else self.n_rows - self.n_positive

    @property
    def rarer(self) -> int | None:
        """Rows of the rarer class."""
        if self.n_positive is None:
            return None
        return min(self.n_positive, self.n_rows - self.n_positive)


def summarize_data(sample: Sample, info: RunInfo) -> DataSummary:
    """Describe the rows.

    Parameters
    ----------
    sample : the rows
    info : of the bootstrap, which knows groups and strata
    """
    labels, weights = sample.labels, sample.weights
    return DataSummary(
        sample.n,
        None if labels is None else int(labels.sum()),
        None if labels is None else float(np.average(labels, weights=weights)),
        sample.dropped,
        info.n_groups,
        info.n_strata,
        weights is not None,
        sample.n if weights is None else float(weights.sum() ** 2 / (weights @ weights)),
        tuple(_scores(sample, model) for model in sample.scored),
        tuple(_slices(sample)),
    )


def _scores(sample: Sample, model: Model) -> ScoreSummary:
    """Describe the scores of a model."""
    rows = _rows_per_score(sample, model)
    scores = model.values
    return ScoreSummary(
        model.name,
        float(scores.min()),
        float(scores.max()),
        int(rows.size),
        int(rows[rows > 1].sum()),
        model.has_probabilities,
    )


def _rows_per_score(sample: Sample, model: Model) -> NDArray[np.int64]:
    """Rows (U,) of each distinct score."""
    sweep = sample.sweep(model)
    if sample.weights is not None:
        sweep = threshold_sweep(sample.truth, model.values)
    flagged = np.concatenate([[0], sweep.tp + sweep.fp])
    return np.diff(flagged).astype(np.int64)


def _slices(sample: Sample) -> list[SliceSummary]:
    """Describe the slices."""
    found = []
    for name, rows in read_slices(sample.given.by, sample.n)[1:]:
        positive = None if sample.labels is None else int(sample.labels[rows].sum())
        found.append(SliceSummary(name, sample.n if rows is None else len(rows), positive))
    return found


def majority_share(data: DataSummary) -> float:
    """Accuracy of always answering the class of most rows; nan without two classes."""
    if data.prevalence is None:
        return math.nan
    return max(data.prevalence, 1.0 - data.prevalence)
