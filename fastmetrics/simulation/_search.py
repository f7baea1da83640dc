"""The smallest size that is enough, where enough can only be told by simulation.

Conventions
-----------
A shortfall is above 1 where a size is too small and at most 1 where it is enough. It falls with the
size, about as one over its root, which is what steps are made of; it comes with a relative error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

MOST_TRIALS = 40
LARGEST_STEP = 8.0


class Trial(NamedTuple):
    """What a size gives.

    Parameters
    ----------
    size : rows
    value : half-width or power
    error : its Monte-Carlo error
    shortfall : above 1 where the size is too small
    doubt : relative Monte-Carlo error of the shortfall
    """

    size: int
    value: float
    error: float
    shortfall: float
    doubt: float


def search(run: Callable[[int], Trial], start: int, smallest: int, largest: int) -> list[Trial]:
    """Try sizes until the smallest that is enough is known to within Monte-Carlo error.

    Parameters
    ----------
    run : tries a size
    start : first size
    smallest, largest : where to look

    Returns
    -------
    list of Trial
        In ascending order of size; the first that is enough is the answer, and there is none where
        the largest size is too small.
    """
    trials: dict[int, Trial] = {}
    size = min(max(start, smallest), largest)
    while size not in trials and len(trials) < MOST_TRIALS:
        trials[size] = run(size)
        size = _next(trials, smallest, largest)
    return [trials[size] for size in sorted(trials)]


def answer(trials: list[Trial]) -> Trial | None:
    """The smallest size from which on all that were tried are enough."""
    enough = None
    for trial in reversed(trials):
        if trial.shortfall > 1.0:
            break
        enough = trial
    return enough


def _next(trials: dict[int, Trial], smallest: int, largest: int) -> int:
    """Next size to try; one that was tried where the search is over."""
    ordered = [trials[size] for size in sorted(trials)]
    high = answer(ordered)
    below = [trial for trial in ordered if high is None or trial.size < high.size]
    low = below[-1] if below else None
    if high is None:
        return min(_scaled(ordered[-1]), largest)
    if low is None:
        return max(_scaled(high), smallest)
    # sizes that chance could not tell apart are not told apart
    if high.size - low.size <= max(1.0, 2.0 * high.doubt * high.size):
        return high.size
    span = math.log(high.size / low.size)
    share = 0.5
    if math.isfinite(low.shortfall) and high.shortfall > 0.0:
        share = math.log(low.shortfall) / math.log(low.shortfall / high.shortfall)
    guess = round(low.size * math.exp(span * min(max(share, 0.1), 0.9)))
    return min(max(guess, low.size + 1), high.size - 1)


def _scaled(trial: Trial) -> int:
    """Size at which the shortfall would be about 1, a little on the other side of it."""
    factor = trial.shortfall**2 if math.isfinite(trial.shortfall) else LARGEST_STEP
    margin = 1.0 + max(2.0 * trial.doubt, 0.01)
    factor = factor * margin if trial.shortfall > 1.0 else factor / margin
    factor = min(max(factor, 1.0 / LARGEST_STEP), LARGEST_STEP)
    size = round(trial.size * factor)
    return max(size, trial.size + 1) if trial.shortfall > 1.0 else min(size, trial.size - 1)
