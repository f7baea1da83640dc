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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmetrics.engine.sweeps.cells import tie_cells

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
        kept = weights != 0
        if not kept.all():
            labels, scores, weights = labels[kept], scores[kept], weights[kept]
    return Cells(*tie_cells(labels, scores, weights))


def roc_area(cells: Cells) -> float:
    """Share of pairs in which the positive scores higher, ties as one half; both classes occur."""
    positives, negatives = cells.positives, cells.negatives
    flagged_last = np.append(negatives[::-1].cumsum()[::-1], 0)  # (U + 1,) weight at or below
    doubled = 2 * flagged_last[1:] + negatives
    if positives.dtype.kind == "i":
        pairs = int(positives.sum()) * int(flagged_last[0])
        return int((positives * doubled).sum()) / (2 * pairs)
    placements = doubled / (2 * flagged_last[0])
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
    """Mean over the positives of the precision at their score; a positive occurs."""
    tp = cells.positives.cumsum()
    precision = tp / (tp + cells.negatives.cumsum())
    return float((cells.positives * precision).sum() / cells.positives.sum())


def turning_points(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.intp]:
    """Both ends, and where one of two arrays (U - 2,) says that the curve turns."""
    inner = np.flatnonzero((first != 0) | (second != 0)) + 1
    return np.concatenate(([0], inner, [len(first) + 1]))


def lean_steps(tp: Floats, fp: Floats, thresholds: NDArray[Any]) -> tuple[Floats, Floats, Any]:
    """Without the inner points of runs of one ``tp``."""
    if len(tp) <= 2:
        return tp, fp, thresholds
    moves = np.diff(tp)
    kept = turning_points(moves[:-1], moves[1:])
    return tp[kept], fp[kept], thresholds[kept]


def roc_points(
    tp: Floats, fp: Floats, thresholds: NDArray[Any], drop_intermediate: bool
) -> tuple[Floats, Floats, Floats]:
    """``fpr``, ``tpr`` and thresholds from infinity down; nan where a class is absent."""
    if drop_intermediate and len(fp) > 2:
        kept = turning_points(np.diff(fp, 2), np.diff(tp, 2))
        tp, fp, thresholds = tp[kept], fp[kept], thresholds[kept]
    fpr, tpr = np.append(0.0, fp), np.append(0.0, tp)
    return (
        fpr / fp[-1] if fp[-1] > 0 else np.full(len(fpr), np.nan),
        tpr / tp[-1] if tp[-1] > 0 else np.full(len(tpr), np.nan),
        np.append(np.inf, thresholds.astype(np.float64)),
    )


def precision_recall_points(
    tp: Floats, fp: Floats, thresholds: NDArray[Any], drop_intermediate: bool
) -> tuple[Floats, Floats, NDArray[Any]]:
    """Precision and recall from everything flagged up to nothing; recall 1 without positives."""
    if drop_intermediate:
        tp, fp, thresholds = lean_steps(tp, fp, thresholds)
    precision = tp / (tp + fp)
    recall = tp / tp[-1] if tp[-1] > 0 else np.ones(len(tp))
    return (
        np.append(precision[::-1], 1.0),
        np.append(recall[::-1], 0.0),
        thresholds[::-1].copy(),
    )
