"""Labels and scores to tie cells: the one sort behind every ranking number."""

from __future__ import annotations

import numpy as np

from fastmetrics.kernels import cells as _kernels

_BITS = {"f": np.uint32, "d": np.uint64}
_NONE = {np.dtype(kind): np.empty(0, kind) for kind in (np.uint32, np.uint64)}
LARGE = 2**17


def score_bits(scores: np.ndarray) -> np.ndarray:
    """View contiguous float64 or float32 scores (n,) as unsigned integers."""
    return scores.view(_BITS[scores.dtype.char])


def key_space(bits: np.ndarray) -> np.ndarray:
    """Room for the keys of a large sort; a small one makes its own."""
    return np.empty(2 * bits.size + 2, bits.dtype) if bits.size >= LARGE else _NONE[bits.dtype]


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
        cell_bits, positives, negatives, _ = _kernels.count_cells(labels, bits, key_space(bits))
    else:
        cell_bits, positives, negatives, _ = _kernels.weigh_cells(labels, bits, weights)
    return cell_bits.view(scores.dtype), positives, negatives
