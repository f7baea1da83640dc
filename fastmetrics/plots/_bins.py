"""Bins of histograms that follow the values: rounded numbers do not fall between two bins."""

from __future__ import annotations

import numpy as np

from fastmetrics.engine.description import Floats

_MOST_STEPS = 5000


def bin_edges(values: Floats, most: int) -> Floats:
    """Return the edges of at most ``most`` bins of equal width.

    Values that are multiples of one step, as rounded scores or shares of n rows are, lie in the
    middle of their bins, and each bin holds as many multiples: else some bins would hold one more
    than others, and the histogram would look like a comb. Infinite values and nan are left out.

    Parameters
    ----------
    values : in any order
    most : number of bins, 1 or more
    """
    points = np.unique(values[np.isfinite(values)])
    if points.size == 0:
        return np.array([-0.5, 0.5])
    low, high = float(points[0]), float(points[-1])
    if low == high:
        half = 0.05 * abs(low) or 0.5
        return np.array([low - half, low + half])
    step = _step(points)
    if step is None:
        shares = np.arange(most + 1) / most
        # both ends come out exactly
        return low * (1.0 - shares) + high * shares
    size = round((high - low) / step) + 1
    per_bin = -(-size // most)
    count = -(-size // per_bin)
    multiples = per_bin * np.arange(count + 1.0)
    return low + step * (multiples - 0.5)


def _step(points: Floats) -> float | None:
    """The step that distinct ascending values are multiples of, counted from the first, or None."""
    span = float(points[-1] - points[0])
    # sums of roundings can bring two equal values apart
    gaps = np.diff(points)
    gaps = gaps[gaps > 1e-9 * span]
    step = float(gaps.min())
    if span / step > _MOST_STEPS:
        return None
    multiples = (points - points[0]) / step
    return step if np.abs(multiples - np.rint(multiples)).max() < 1e-3 else None
