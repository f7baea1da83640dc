"""Areas under the ROC curve of several classes, as metrics that can be resampled.

Conventions
-----------
y_true is the column (n,) of each row's class, y_score the probabilities (n, K). A class against the
rest is told by its own column; two classes against each other by the mean of both directions, in
rows of the two alone (Hand & Till 2001, doi:10.1023/A:1010920819831). A pair of rows counts the
product of its weights. A class without weight has no area: the mean over the classes is nan, while
pairs of classes are those that occur.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmetrics.engine.description import Floats, Formula, Metric, Statistic, Weighing
from fastmetrics.engine.statistics import CONCORDANCE, SweepRequest
from fastmetrics.engine.sweeps.passes import sweep_once
from fastmetrics.engine.sweeps.units import sort_rows
from fastmetrics.errors import InputError
from fastmetrics.kernels.units import mark_rows
from fastmetrics.ranking._curves import cells_of, roc_area
from fastmetrics.ranking.areas import area_under_roc

_REQUEST = SweepRequest.of([CONCORDANCE])
_NO_CUTS = np.empty(0, np.int64)


class Contest(NamedTuple):
    """Rows in which a class is to be told from others."""

    rows: NDArray[np.intp]  # (m,)
    labels: NDArray[np.uint8]  # (m,) 1 for the class
    scores: Floats  # (m,)


def _against_the_rest(y_true: NDArray[Any], y_score: Floats) -> Iterator[Contest]:
    """Each class, in the order of the columns."""
    rows = np.arange(len(y_true))
    for code in range(_classes(y_score)):
        labels = (y_true == code).view(np.uint8)
        yield Contest(rows, labels, np.ascontiguousarray(y_score[:, code]))


def _against_each_other(y_true: NDArray[Any], y_score: Floats) -> Iterator[Contest]:
    """Each pair of classes twice: by the column of the first, and by that of the second."""
    for pair in combinations(range(_classes(y_score)), 2):
        rows = np.flatnonzero((y_true == pair[0]) | (y_true == pair[1]))
        for code in pair:
            labels = (y_true[rows] == code).view(np.uint8)
            yield Contest(rows, labels, np.ascontiguousarray(y_score[rows, code]))


def _classes(y_score: Floats) -> int:
    """Number of columns."""
    if y_score.ndim != 2:
        raise InputError(
            f"y_score has shape {y_score.shape}: an area of several classes needs a column for each"
        )
    return int(y_score.shape[1])


Contests = Callable[[NDArray[Any], Floats], Iterator[Contest]]
# areas (..., contests) with the weights of their positives and of their negatives to two means
Average = Callable[[Floats, Floats, Floats], Floats]


def mean_of_classes(areas: Floats, positives: Floats, negatives: Floats) -> Floats:
    """Mean over the classes, and by their weight: (..., 2)."""
    kept = np.where(positives > 0.0, areas, 0.0)
    weighted = (kept * positives).sum(axis=-1) / positives.sum(axis=-1)
    return np.stack([areas.mean(axis=-1), weighted], axis=-1)


def mean_of_pairs(areas: Floats, positives: Floats, negatives: Floats) -> Floats:
    """Mean over the pairs of classes that occur, and by their weight: (..., 2)."""
    there = (positives > 0.0) & (negatives > 0.0)
    kept = np.where(there, areas, 0.0)
    sizes = np.where(there, positives + negatives, 0.0)
    plain = kept.sum(axis=-1) / there.sum(axis=-1)
    return np.stack([plain, (kept * sizes).sum(axis=-1) / sizes.sum(axis=-1)], axis=-1)


def _measure(contests: Contests, average: Average) -> Callable[[Any, Floats, Floats], Floats]:
    """Areas from tie cells, one after another."""

    def measure(y_true: NDArray[Any], y_score: Floats, weights: Floats) -> Floats:
        found = []
        for contest in contests(y_true, y_score):
            own = weights[contest.rows]
            positives, negatives = own @ contest.labels, own @ (1 - contest.labels)
            area = np.nan
            if positives > 0.0 and negatives > 0.0:
                area = roc_area(cells_of(contest.labels, contest.scores, own))
            found.append((area, positives, negatives))
        with np.errstate(divide="ignore", invalid="ignore"):
            return average(*np.array(found, np.float64).reshape(-1, 3).T)

    return measure


def _prepare(contests: Contests, average: Average) -> Callable[[Any, Floats], Weighing]:
    """Sort the scores of every contest once; then one sweep each for all lanes."""

    def prepare(y_true: NDArray[Any], y_score: Floats) -> Weighing:
        sorted_rows = []
        for contest in contests(y_true, y_score):
            if contest.rows.size:
                order, keys = sort_rows(contest.scores)
                marks = mark_rows(order, keys, contest.labels)
                sorted_rows.append((contest.rows[order].astype(np.uint32), marks))

        def averaged(weights: Floats) -> Floats:
            found = np.zeros((3, weights.shape[1], len(sorted_rows)))
            with np.errstate(divide="ignore", invalid="ignore"):
                for k, (slots, marks) in enumerate(sorted_rows):
                    sums = sweep_once(weights[None], slots, marks, _REQUEST, _NO_CUTS)
                    concordant = _REQUEST.select(sums, CONCORDANCE)  # (lanes, 3)
                    found[:, :, k] = (
                        area_under_roc(concordant),
                        concordant[:, 1],
                        concordant[:, 2],
                    )
                return average(*found)

        return averaged

    return prepare


def _first(means: Floats) -> Floats:
    return means[..., 0]


def _second(means: Floats) -> Floats:
    return means[..., 1]


def _statistic(name: str, contests: Contests, average: Average) -> Statistic:
    """Describe two means of areas, which two metrics share."""
    return Statistic(
        f"means of the areas of {name}",
        2,
        "rows",
        measure=_measure(contests, average),
        prepare=_prepare(contests, average),
        data="classes",
    )


_RATES = (
    ("roc_auc_ovr", _statistic("classes", _against_the_rest, mean_of_classes)),
    ("roc_auc_ovo", _statistic("pairs of classes", _against_each_other, mean_of_pairs)),
)
_MEANS: tuple[tuple[str, Formula], ...] = (("", _first), ("_weighted", _second))

METRICS: tuple[Metric, ...] = tuple(
    Metric(
        name + suffix,
        statistic,
        formula,
        "probability",
        (0.0, 1.0),
        True,
        source="doi:10.1023/A:1010920819831",
    )
    for name, statistic in _RATES
    for suffix, formula in _MEANS
)
