"""Labels and scores to tie cells: the one sort behind every ranking number."""

from __future__ import annotations

import numpy as np

from fastmetrics.kernels import cells as _kernels

_BITS = {"f": np.uint32, "d": np.uint64}


def score_bits(scores: np.ndarray) -> np.ndarray:
    """View contiguous float64 or float32 scores (n,) as unsigned integers."""
    return scores.view(_BITS[scores.dtype.char])


def tie_cells(
    labels: np.ndarray, scores: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distinct scores from the highest down, with the weight of each class at them.

    Parameters
    ----------
    labels : uint8 or int64 (n,), 1 for a positive row and 0 for a negative one
    scores : contiguous float64 or float32 (n,), finite
    weights : float64 (n,), positive, or None for counts

    Returns
    -------
    thresholds (U,) in the dtype of scores, positives (U,) and negatives (U,): int64 counts, or
    float64 sums of weights.
    """
    bits = score_bits(scores)
    if weights is None:
        cell_bits, positives, negatives, _ = _kernels.count_cells(labels, bits)
    else:
        cell_bits, positives, negatives, _ = _kernels.weigh_cells(labels, bits, weights)
    return cell_bits.view(scores.dtype), positives, negatives
