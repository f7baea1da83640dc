"""What every simulated data set is, and where its random numbers come from.

Conventions
-----------
Each data set has a stream of its own, seeded by its number. It gives the scores of the positives
first; so data set i is the same whoever draws it, and however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.seeds import stream
from fastmetrics.engine.statistics import SweepRequest

# "simu" in letters: a purpose that no stream of the bootstrap has
DATA_SETS = 0x73696D75
# one seed sequence makes the seeds of so many data sets: it takes ten times as long as a stream
SEEDED_TOGETHER = 64
SEED_WORDS = 4

DataSet = tuple[npt.NDArray[np.int8], Floats]


@dataclass(frozen=True)
class Task:
    """One simulation.

    Parameters
    ----------
    model : draws data sets
    n_positive, n_negative : rows of each class
    metrics : what is computed of each
    root : seed
    """

    model: Any
    n_positive: int
    n_negative: int
    metrics: tuple[Metric, ...]
    root: np.random.SeedSequence

    def generators(self, first: int, count: int) -> Iterator[np.random.Generator]:
        """Yield the streams of data sets from the first on, each at its start."""
        words: npt.NDArray[Any] = np.empty(0, np.uint64)
        for data_set in range(first, first + count):
            block, place = divmod(data_set, SEEDED_TOGETHER)
            if place == 0 or not words.size:
                seed = stream(self.root, DATA_SETS, 0, block)
                words = seed.generate_state(SEEDED_TOGETHER * SEED_WORDS, np.uint64)
            mine = words[place * SEED_WORDS : (place + 1) * SEED_WORDS]
            ready: Any = _Words(mine)
            yield np.random.Generator(np.random.PCG64(ready))


class _Words(ISeedSequence):
    """Seed words (4,) that are there already."""

    def __init__(self, words: npt.NDArray[Any]) -> None:
        self._words = words

    def generate_state(self, n_words: int, dtype: Any = np.uint64) -> npt.NDArray[Any]:
        """Return the words; a PCG64 asks for four of 64 bits."""
        return self._words


class Path(Protocol):
    """A way to the metrics of data sets."""

    name: str
    block: int

    def values(self, first: int, count: int) -> Floats:
        """Metrics (count, k) of data sets from the first on."""

    def data_set(self, number: int) -> DataSet:
        """Labels and scores (n,) of a data set."""


def swept_request(metrics: tuple[Metric, ...]) -> SweepRequest:
    """Return what one sweep must find for metrics that are swept."""
    return SweepRequest.of(metric.statistic for metric in metrics)
