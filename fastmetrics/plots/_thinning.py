"""Curves of millions of points, drawn with a few thousand that look the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmetrics.engine.description import Floats

MOST_POINTS = 2000
# a monotone curve is 2 long, in units of the ranges of its two axes; a saw is longer
_LONGEST_SMOOTH = 4.0
_MOST_GAPS = 100


def kept_points(x: Floats, y: Floats, most: int = MOST_POINTS) -> NDArray[np.intp]:
    """Return the places of about ``most`` points that draw the curve.

    Parameters
    ----------
    x : (n,) sorted in either direction
    y : (n,) nan where the curve has a gap, which stays a gap
    most : points to keep, besides the ends of gaps and of jumps

    Notes
    -----
    A smooth curve keeps points at equal distances along itself, and both ends of each jump: none
    that is dropped lies further than 4 / most of the picture from one that is kept. A saw keeps the
    first, lowest, highest and last point of each column of pixels, which cover what the whole curve
    would.
    """
    if x.size <= most:
        return np.arange(x.size)
    finite = np.isfinite(x) & np.isfinite(y)
    ends = np.flatnonzero(finite[1:] != finite[:-1])[:_MOST_GAPS]
    places = np.flatnonzero(finite)
    if places.size > most:
        places = places[_drawing(x[places], y[places], most)]
    return np.unique(np.concatenate((places, ends, ends + 1)))


def _drawing(x: Floats, y: Floats, most: int) -> NDArray[np.intp]:
    """Places of the points (n,), all finite, that draw the curve."""
    width, height = np.ptp(x) or 1.0, np.ptp(y) or 1.0
    steps = np.abs(np.diff(x)) / width + np.abs(np.diff(y)) / height
    along = np.append(0.0, steps.cumsum())
    if along[-1] > _LONGEST_SMOOTH:
        return _columns(x, y, width, most // 4)
    marks = np.searchsorted(along, np.linspace(0.0, along[-1], most), "left")
    jumps = np.flatnonzero(steps > along[-1] / most)
    ends = np.array([0, y.argmin(), y.argmax(), x.size - 1])
    return np.unique(np.concatenate((np.minimum(marks, x.size - 1), jumps, jumps + 1, ends)))


def _columns(x: Floats, y: Floats, width: float, count: int) -> NDArray[np.intp]:
    """First, lowest, highest and last place in each of ``count`` columns."""
    column = np.minimum((x - x.min()) * (count / width), count - 1).astype(np.intp)
    starts = np.flatnonzero(np.append(True, column[1:] != column[:-1]))
    run = np.repeat(np.arange(starts.size), np.diff(np.append(starts, x.size)))
    chosen: list[Any] = [starts, np.append(starts[1:], x.size) - 1]
    for extreme in (np.minimum, np.maximum):
        at = np.flatnonzero(y == extreme.reduceat(y, starts)[run])
        chosen.append(at[np.unique(run[at], return_index=True)[1]])
    return np.unique(np.concatenate(chosen))
