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

from fastmetrics.engine.sweeps.cells import key_space, tie_cells
from fastmetrics.input.arrays import for_kernels
from fastmetrics.input.validation import in_range
from fastmetrics.kernels import curves as _kernels
from fastmetrics.kernels.sums import total_and_lowest

Floats = NDArray[np.float64]

# the smallest weights have no fractions; times this, they have
_TINY, _MAGNIFIED = 2.0**-256, 2.0**512


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


def totals_down(
    labels: NDArray[Any], bits: NDArray[Any], weights: NDArray[np.float64] | None
) -> tuple[Floats, Floats, NDArray[Any], int]:
    """Labels, score bits and weights (n,) above 0 to ``tp``, ``fp``, bits (U,) and the status."""
    # arrays of NumPy's lie on large pages, unlike those that a kernel makes
    tp, fp, found = np.empty(len(bits)), np.empty(len(bits)), np.empty(len(bits), bits.dtype)
    if weights is None:
        size, status = _kernels.count_totals(labels, bits, key_space(bits), tp, fp, found)
    else:
        size, status = _kernels.weigh_totals(labels, bits, weights, tp, fp, found)
    if size < len(bits):
        return tp[:size], fp[:size], found[:size], status
    return tp, fp, found, status


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


def partial_roc_area(cells: Cells, max_fpr: float | None) -> float:
    """Area up to max_fpr, standardised to 0.5 for chance and 1 for a perfect ranking (McClish).

    The whole area up to None; nan for one class.
    """
    if max_fpr is None or max_fpr == 1:
        return math.nan if cells.one_class else roc_area(cells)
    area = _kernels.area_to_rate(cells.positives, cells.negatives, float(max_fpr))
    chance = max_fpr**2 / 2
    return float(0.5 * (1 + (area - chance) / (max_fpr - chance)))


def rates(cells: Cells) -> tuple[Floats, Floats]:
    """False and true positive rate (U + 1,), from the point where nothing is flagged."""
    fp = np.append(0.0, cells.negatives.cumsum())
    tp = np.append(0.0, cells.positives.cumsum())
    return fp / fp[-1], tp / tp[-1]


def mean_precision(cells: Cells) -> float:
    """Mean over the positives of the precision at their score; nan where none occurs."""
    precise, total = _kernels.precision_sums(cells.positives, cells.negatives, 1.0)
    if total < _TINY:
        precise, total = _kernels.precision_sums(cells.positives, cells.negatives, _MAGNIFIED)
    return float(precise / total) if total > 0.0 else math.nan


def _led_by(first: float, values: NDArray[Any]) -> Floats:
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
    size = len(tp) + 1
    fpr, tpr, levels = np.empty(size), np.empty(size), np.empty(size)
    given = for_kernels(thresholds.astype(np.float64, copy=False))
    count = _kernels.roc_points(fp, tp, given, drop_intermediate, fpr, tpr, levels)
    if count == size:
        return fpr, tpr, levels
    return fpr[:count].copy(), tpr[:count].copy(), levels[:count].copy()


def precision_recall_points(
    tp: Floats, fp: Floats, thresholds: NDArray[Any], drop_intermediate: bool
) -> tuple[Floats, Floats, NDArray[Any]]:
    """Precision and recall from everything flagged up to nothing; recall 1 without positives."""
    if drop_intermediate:
        tp, fp, thresholds = lean_steps(tp, fp, thresholds)
    precision, recall = np.empty(len(tp) + 1), np.empty(len(tp) + 1)
    _kernels.precision_recall_points(fp, tp, precision, recall)
    return precision, recall, thresholds[::-1].copy()


def det_points(
    tp: Floats, fp: Floats, thresholds: NDArray[Any], drop_intermediate: bool
) -> tuple[Floats, Floats, Floats]:
    """Both error rates and ascending thresholds, without the parts where either is zero."""
    if drop_intermediate:
        # the point where nothing is flagged is the first of its run, and comes back by itself
        led = _led_by(0.0, tp), _led_by(0.0, fp), _led_by(np.inf, thresholds)
        tp, fp, thresholds = (values[1:] for values in lean_steps(*led))
    given = for_kernels(thresholds.astype(np.float64, copy=False))
    return _kernels.det_points(fp, tp, given)  # type: ignore[no-any-return]
