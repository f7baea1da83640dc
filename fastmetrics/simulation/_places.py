"""Scores of negatives of whom only the cell is known.

Conventions
-----------
Boundaries run from the highest score down. Each has the probability below it and above it; a cell
is what lies between two neighbours, and its lowest and highest score belong to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.sweeps.units import Integers
from fastmetrics.simulation._law import Law

TRIES = 100


@dataclass(frozen=True)
class Boundaries:
    """Boundaries (b,) between the cells of one data set.

    Parameters
    ----------
    below, above : probability on either side
    lowest : lowest score of the cell above
    highest : highest score of the cell below
    passed : negatives above
    """

    below: Floats
    above: Floats
    lowest: Floats
    highest: Floats
    passed: Integers

    @classmethod
    def at_positives(cls, scores: Floats, bounds: Floats, passed: Integers) -> Boundaries:
        """Boundaries at scores (P,) with bounds (2, A, P), after which passed (P * A,) lie above.

        Where A is 1 a positive is a boundary, else there is a cell for what ties with it.
        """
        over, under = np.nextafter(scores, np.inf), np.nextafter(scores, -np.inf)
        ties = bounds.shape[1] == 2
        lowest = [over, scores] if ties else [over]
        highest = [scores, under] if ties else [under]
        below, above = bounds.transpose(0, 2, 1).reshape(2, -1)
        return cls(below, above, np.stack(lowest, 1).ravel(), np.stack(highest, 1).ravel(), passed)

    @classmethod
    def at_cuts(cls, thresholds: Floats, bounds: Floats, passed: Integers) -> Boundaries:
        """Boundaries at thresholds (T,) with bounds (2, T), after which passed (T,) lie above."""
        return cls(bounds[0], bounds[1], thresholds, np.nextafter(thresholds, -np.inf), passed)

    def merged(self, cuts: Boundaries, after: Integers) -> Boundaries:
        """Insert cuts (T,), each after so many of these boundaries."""
        order = np.argsort(np.concatenate([np.arange(self.below.size) + 0.5, after]), kind="stable")
        columns = [
            np.concatenate([getattr(self, name), getattr(cuts, name)])[order]
            for name in ("below", "above", "lowest", "highest", "passed")
        ]
        return Boundaries(*columns)

    def draw(self, law: Law, n: int, generator: np.random.Generator) -> Floats:
        """Scores (n,) of all negatives, in random order."""
        counts = np.diff(np.concatenate([[0], self.passed, [n]]))
        # differences of what was computed apart may fall short of 0 by rounding
        below = np.minimum.accumulate(np.concatenate([[1.0], self.below, [0.0]]))
        above = np.maximum.accumulate(np.concatenate([[0.0], self.above, [1.0]]))
        cells = np.repeat(np.arange(counts.size), counts)
        lowest = np.concatenate([self.lowest, [-np.inf]])[cells]
        highest = np.concatenate([[np.inf], self.highest])[cells]
        scores = np.empty(n)
        left = np.arange(n)
        for _ in range(TRIES):
            within = cells[left]
            scores[left] = _quantiles(law, below, above, within, generator.random(left.size))
            drawn = scores[left]
            fits = (drawn >= lowest[left]) & (drawn <= highest[left]) & np.isfinite(drawn)
            left = left[~fits]
            if not left.size:
                break
        # a cell without room for a float between its ends: the nearest there is
        scores[left] = np.clip(scores[left], lowest[left], highest[left])
        generator.shuffle(scores)
        return scores


def _quantiles(
    law: Law, below: Floats, above: Floats, cells: npt.NDArray[np.intp], uniform: Floats
) -> Floats:
    """Score (m,) at a uniform share of each cell, from the side on which it keeps its digits."""
    share = 1.0 - uniform  # above 0, so that no end of an open line is hit
    scores = np.empty(cells.size)
    upper = below[cells + 1] > 0.5
    cell = cells[upper]
    scores[upper] = law.isf(above[cell] + share[upper] * (above[cell + 1] - above[cell]))
    cell = cells[~upper]
    scores[~upper] = law.ppf(below[cell + 1] + share[~upper] * (below[cell] - below[cell + 1]))
    return scores
