"""From a caller's arrays to the cells of one binary problem.

Conventions
-----------
Plain arrays, as models hand them out, reach a kernel within a microsecond: the kernel itself says
whether labels other than 0 and 1 or scores that are not finite need a closer look.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.sweeps.cells import key_space, score_bits
from fastmetrics.errors import warn, warn_undefined
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.labels import binary_labels, curve_labels
from fastmetrics.input.validation import aligned_weights, encode_scores, plain_weights, scores
from fastmetrics.kernels.cells import FINE, auc_counts, count_cells, weigh_cells
from fastmetrics.kernels.curves import average_precision
from fastmetrics.ranking._curves import (
    Cells,
    Floats,
    cells_of,
    mean_precision,
    partial_roc_area,
    rows_that_count,
    totals_down,
)

# types that need no preparation, and what the kernels see of them
_LABELS: dict[Any, Any] = {np.dtype(np.int64): np.int64, np.dtype(np.uint8): np.uint8}
_LABELS[np.dtype(np.bool_)] = np.uint8
_SCORES: dict[Any, Any] = {np.dtype(np.float64): np.uint64, np.dtype(np.float32): np.uint32}


def plain_bits(y_true: Any, y_score: Any) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Labels and score bits (n,) of plain arrays; None for all that needs a closer look."""
    if type(y_true) is not np.ndarray or type(y_score) is not np.ndarray:
        return None
    label, bits = _LABELS.get(y_true.dtype), _SCORES.get(y_score.dtype)
    if label is None or bits is None or y_true.ndim != 1 or y_true.shape != y_score.shape:
        return None
    if not (y_true.size and y_true.flags.carray and y_score.flags.carray):
        return None
    return y_true.view(label), y_score.view(bits)


def _plain_rows(
    y_true: Any, y_score: Any, sample_weight: ArrayLike | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64] | None] | None:
    """As ``plain_bits``, with weights (n,) above 0: what weighs nothing is looked at, too."""
    plain = plain_bits(y_true, y_score)
    if plain is None:
        return None
    if sample_weight is None:
        return *plain, None
    weighed = plain_weights(sample_weight, len(y_true))
    return None if weighed is None or weighed[2] == 0.0 else (*plain, weighed[0])


def plain_area(
    y_true: Any,
    y_score: Any,
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
) -> float | None:
    """ROC area of plain arrays with labels 0 and 1, both of which occur; else None."""
    if sample_weight is not None or max_fpr is not None:
        cells = plain_cells(y_true, y_score, sample_weight)
        return None if cells is None else _defined(partial_roc_area(cells, max_fpr))
    plain = plain_bits(y_true, y_score)
    if plain is None:
        return None
    doubled, p, q, status = auc_counts(*plain, key_space(plain[1]))
    return float(doubled / (2 * p * q)) if status == FINE and p and q else None


def plain_precision(
    y_true: Any, y_score: Any, sample_weight: ArrayLike | None = None
) -> float | None:
    """Average precision of plain arrays with labels 0 and 1, the latter of which occurs."""
    if sample_weight is not None:
        cells = plain_cells(y_true, y_score, sample_weight)
        return None if cells is None else _defined(mean_precision(cells))
    plain = plain_bits(y_true, y_score)
    if plain is None:
        return None
    precision, status = average_precision(*plain, key_space(plain[1]))
    return _defined(precision) if status == FINE else None


def _defined(value: float) -> float | None:
    """None for nan, which needs a closer look and a warning."""
    return value if value == value else None


def plain_cells(y_true: Any, y_score: Any, sample_weight: ArrayLike | None = None) -> Cells | None:
    """Cells of plain arrays with labels 0 and 1; None for all that needs a closer look."""
    rows = _plain_rows(y_true, y_score, sample_weight)
    if rows is None:
        return None
    labels, bits, weights = rows
    if weights is None:
        found, positives, negatives, status = count_cells(labels, bits, key_space(bits))
    else:
        found, positives, negatives, status = weigh_cells(labels, bits, weights)
    return Cells(found.view(y_score.dtype), positives, negatives) if status == FINE else None


def binary_area(
    labels: NDArray[Any],
    values: NDArray[Any],
    row_weights: NDArray[np.float64] | None,
    max_fpr: float | None = None,
) -> float:
    """ROC area of labels, scores and weights (n,); nan and scikit-learn's warning for one class."""
    if row_weights is None and max_fpr is None:
        bits = score_bits(values)
        doubled, p, q, _ = auc_counts(labels, bits, key_space(bits))
        if p and q:
            return float(doubled / (2 * p * q))
    else:
        area = partial_roc_area(cells_of(labels, values, row_weights), max_fpr)
        if area == area:
            return area
    warn_undefined(
        "Only one class is present in y_true. ROC AUC score is not defined in that case."
    )
    return float("nan")


def binary_precision(
    labels: NDArray[Any], values: NDArray[Any], row_weights: NDArray[np.float64] | None
) -> float:
    """Average precision of labels, scores and weights (n,); 0 and a warning without positives."""
    if row_weights is None:
        bits = score_bits(values)
        precision, _ = average_precision(labels, bits, key_space(bits))
    else:
        precision = mean_precision(cells_of(labels, values, row_weights))
    if precision == precision:
        return float(precision)
    warn_no_positives()
    return 0.0


def warn_no_positives() -> None:
    """scikit-learn's warning of a precision-recall curve without positives."""
    warn("No positive class found in y_true, recall is set to one for all thresholds.")


def binary_cells(
    y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None, pos_label: object
) -> Cells:
    """Cells of any arrays, the labels by the rule of our own functions."""
    if pos_label is None:
        cells = plain_cells(y_true, y_score, sample_weight)
        if cells is not None:
            return cells
    labels = binary_labels(y_true, pos_label)
    values = scores(y_score)
    row_weights = aligned_weights(sample_weight, y_true=labels, y_score=values)
    return cells_of(labels, values, row_weights)


def both_classes(
    y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None, pos_label: object
) -> Cells | None:
    """As ``binary_cells``; None, with a warning, where only one class occurs."""
    cells = binary_cells(y_true, y_score, sample_weight, pos_label)
    if not cells.one_class:
        return cells
    warn_undefined("Only one class is present in y_true: the value is undefined")
    return None


def running_totals(
    y_true: ArrayLike, y_score: Any, pos_label: object, sample_weight: ArrayLike | None
) -> tuple[Floats, Floats, NDArray[Any]]:
    """True and false positives and thresholds (U,), labels by scikit-learn's rule for curves."""
    if pos_label is None or (type(pos_label) is int and pos_label == 1):
        rows = _plain_rows(y_true, y_score, sample_weight)
        if rows is not None:
            tp, fp, bits, status = totals_down(*rows)
            if status == FINE:
                return tp, fp, bits.view(y_score.dtype)
    labels = curve_labels(y_true, pos_label).values
    scored = encode_scores(column(as_array(y_score, "y_score"), "y_score"), "y_score")
    bits = score_bits(scored.values)
    row_weights = aligned_weights(sample_weight, y_true=labels, y_score=scored.values)
    if row_weights is not None:
        labels, bits, row_weights = rows_that_count(labels, bits, row_weights)
    tp, fp, bits, _ = totals_down(labels, bits, row_weights)
    return tp, fp, scored.restore(bits.view(scored.values.dtype))
