"""What a curve is made of: sums over tie cells, from the highest score down.

Conventions
-----------
``positives`` and ``negatives`` (U,) are the weight of each class at the U distinct scores, int64
counts or float64 sums of weights. ``tp`` and ``fp`` are their running totals, so that entry k is
what a threshold at the k-th score flags. Counts give exact integer arithmetic until the last
division. Weighted values are means of numbers within [0, 1], summed in one order above and below
the line, so that they never leave [0, 1] and a perfect ranking is exactly 1.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmetrics.engine.sweeps.cells import tie_cells
from fastmetrics.input.validation import in_range
from fastmetrics.kernels.cells import add_down
from fastmetrics.kernels.curves import corners
from fastmetrics.kernels.sums import total_and_lowest

Floats = NDArray[np.float64]


class Cells(NamedTuple):
    """One entry per distinct score, descending."""

    thresholds: NDArray[Any]
    positives: NDArray[Any]
    negatives: NDArray[Any]

    @property
    def one_class(self) -> bool:
        """Whether one of the classes has no rows."""
        return not (self.positives.any() and self.negatives.any())


def cells_of(
    labels: NDArray[Any], scores: NDArray[Any], weights: NDArray[np.float64] | None
) -> Cells:
    """Labels, scores and weights (n,) to cells; a row of weight zero is not there."""
    if weights is not None:
        labels, scores, weights = rows_that_count(labels, scores, weights)
    return Cells(*tie_cells(labels, scores, weights))


def rows_that_count(
    labels: NDArray[Any], scores: NDArray[Any], weights: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    """Labels, scores and weights (n,) without the rows of weight zero."""
    if total_and_lowest(weights)[1] > 0.0:
        return labels, scores, weights
    kept = weights != 0
    return labels[kept], scores[kept], weights[kept]


def totals_down(cells: Cells) -> tuple[Floats, Floats]:
    """``tp`` and ``fp`` (U,), float64."""
    # arrays of NumPy's lie on large pages, unlike those that a kernel makes
    tp, fp = np.empty(len(cells.positives)), np.empty(len(cells.positives))
    add_down(cells.positives, cells.negatives, tp, fp)
    return tp, fp


def roc_area(cells: Cells) -> float:
    """Share of pairs in which the positive scores higher, ties as one half; both classes occur."""
    positives, negatives = cells.positives, cells.negatives
    flagged_last = np.append(negatives[::-1].cumsum()[::-1], 0)  # (U + 1,) weight at or below
    doubled = 2 * flagged_last[1:] + negatives
    if positives.dtype.kind == "i":
        pairs = int(positives.sum()) * int(flagged_last[0])
        return int((positives * doubled).sum()) / (2 * pairs)
    placements = doubled / (2 * flagged_last[0])
    positives = in_range(positives)  # the smallest numbers have no fractions
    return float((positives * placements).sum() / positives.sum())


def swapped(cells: Cells) -> Cells:
    """The same rows with the classes exchanged and the order reversed."""
    reversed_cells = (-cells.thresholds[::-1], cells.negatives[::-1], cells.positives[::-1])
    return Cells(*map(np.ascontiguousarray, reversed_cells))


def partial_roc_area(cells: Cells, max_fpr: float) -> float:
    """Area up to max_fpr, standardised to 0.5 for chance and 1 for a perfect ranking (McClish)."""
    if max_fpr == 1:
        return roc_area(cells)
    fpr, tpr = rates(cells)
    stop = int(np.searchsorted(fpr, max_fpr, "right"))
    edge = np.interp(max_fpr, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1])
    area = np.trapezoid(np.append(tpr[:stop], edge), np.append(fpr[:stop], max_fpr))
    chance = max_fpr**2 / 2
    return float(0.5 * (1 + (area - chance) / (max_fpr - chance)))


def rates(cells: Cells) -> tuple[Floats, Floats]:
    """False and true positive rate (U + 1,), from the point where nothing is flagged."""
    fp = np.append(0.0, cells.negatives.cumsum())
    tp = np.append(0.0, cells.positives.cumsum())
    return fp / fp[-1], tp / tp[-1]


def mean_precision(cells: Cells) -> float:
    """Mean over the positives of the precision at their score; nan where none occurs."""
    tp, fp = totals_down(cells)
    precision = tp / (tp + fp)
    total = cells.positives.sum()
    if not total > 0:
        return math.nan
    positives = in_range(cells.positives) if cells.positives.dtype.kind == "f" else cells.positives
    return float((positives * precision).sum() / positives.sum())


def led_by(first: float, values: NDArray[Any]) -> Floats:
    """Values (U,) after one that comes first, (U + 1,) float64."""
    led = np.empty(len(values) + 1)
    led[0] = first
    led[1:] = values
    return led


def lean_steps(tp: Floats, fp: Floats, thresholds: NDArray[Any]) -> tuple[Floats, Floats, Any]:
    """Without the inner points of runs of one ``tp``."""
    if len(tp) <= 2:
        return tp, fp, thresholds
    moves = tp[1:] != tp[:-1]
    kept = np.ones(len(tp), np.bool_)
    np.logical_or(moves[:-1], moves[1:], out=kept[1:-1])
    return tp[kept], fp[kept], thresholds[kept]


def roc_points(
    tp: Floats, fp: Floats, thresholds: NDArray[Any], drop_intermediate: bool
) -> tuple[Floats, Floats, Floats]:
    """``fpr``, ``tpr`` and thresholds from infinity down; nan where a class is absent."""
    if drop_intermediate and len(fp) > 2:
        kept = corners(fp, tp)
        tp, fp, thresholds = tp[kept], fp[kept], thresholds[kept]
    return _rates_of(fp), _rates_of(tp), led_by(np.inf, thresholds)


def _rates_of(totals: Floats) -> Floats:
    """Running totals (U,) to rates (U + 1,) from 0 up; nan where the class is absent."""
    if not totals[-1] > 0:
        return np.full(len(totals) + 1, np.nan)
    found = np.empty(len(totals) + 1)
    found[0] = 0.0
    np.divide(totals, totals[-1], out=found[1:])
    return found


def precision_recall_points(
    tp: Floats, fp: Floats, thresholds: NDArray[Any], drop_intermediate: bool
) -> tuple[Floats, Floats, NDArray[Any]]:
    """Precision and recall from everything flagged up to nothing; recall 1 without positives."""
    if drop_intermediate:
        tp, fp, thresholds = lean_steps(tp, fp, thresholds)
    precision, recall = np.empty(len(tp) + 1), np.empty(len(tp) + 1)
    precision[-1], recall[-1] = 1.0, 0.0
    np.divide(tp, tp + fp, out=precision[-2::-1])
    if tp[-1] > 0:
        np.divide(tp, tp[-1], out=recall[-2::-1])
    else:
        recall[:-1] = 1.0
    return precision, recall, thresholds[::-1].copy()
