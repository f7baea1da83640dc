"""The general plan: whole tiles of weights, read by any number of models, slices and metrics."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.designs import Items, Law
from fastmetrics.engine.draws.whole_tiles import Drawing
from fastmetrics.engine.jackknife.delete_items import delete_groups, delete_items
from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.engine.readings.answers import Answer
from fastmetrics.engine.readings.kinds import Reading, Tile
from fastmetrics.kernels.random import LANES

GIVEN_TILE_BYTES = 64 * 2**20


@dataclass(frozen=True)
class TilePlan:
    """Readings of one set of items, and the answers they give.

    Parameters
    ----------
    items : what is drawn
    law : how
    readings : what is taken from every tile
    answers : where each entry finds its numbers
    """

    items: Items
    law: Law
    readings: Sequence[Reading]
    answers: Sequence[Answer]

    @cached_property
    def _bounds(self) -> list[int]:
        """First column of each reading, and the end."""
        return list(itertools.accumulate((r.columns for r in self.readings), initial=0))

    @property
    def columns(self) -> int:
        """Number of sums per replicate."""
        return self._bounds[-1]

    @cached_property
    def estimate(self) -> Floats:
        """Sums (columns,) of the data as they are."""
        sums: Floats = self._read(self.items.ones())[0]
        return sums

    def prepare(self) -> None:
        """Make, in one thread, what all threads read."""
        _ = self.estimate

    def _read(self, weights: npt.NDArray[Any], wanted: int | None = None) -> Floats:
        """Sums (T * lanes, columns) of a tile by all readings."""
        tile = Tile(weights, wanted)
        return np.concatenate([reading.read(tile) for reading in self.readings], axis=1)

    def block(self, root: np.random.SeedSequence, data_set: int, k: int, size: int) -> Floats:
        """Sums (at least size, columns) of the replicates of a block."""
        drawing = Drawing(self.items, self.law, root, data_set)
        found: list[Floats] = []
        for tile in drawing.tiles(k, size):
            found.append(self._read(tile, size - sum(map(len, found))))
        return np.concatenate(found)

    def given(self, counts: Iterable[npt.NDArray[np.int64]]) -> Floats:
        """Sums (B, columns) of draws from outside: counts (n,) of the rows."""
        places = self.items.places
        found = []
        for tile in _tiles(counts, places):
            found.append(self._read(tile[None]))
        return np.concatenate(found) if found else np.empty((0, self.columns))

    def values(self, sums: Floats) -> list[Floats]:
        """Values (...) of every answer from the sums (..., columns)."""
        return [answer.values(self._part(answer, sums)) for answer in self.answers]

    def _part(self, answer: Answer, sums: Floats) -> Floats:
        first, last = self._bounds[answer.reading : answer.reading + 2]
        return sums[..., first:last]

    def delete_one(self, place: int, groups: int | None = None) -> DeleteOne:
        """Delete-one values of the answer at a place, by items or by so many groups of them."""
        answer = self.answers[place]
        reading = self.readings[answer.reading]
        if groups is not None and answer.metric.jackknife is None:
            return delete_groups(answer, reading, self.items, groups)
        return delete_items(answer, reading, self.items, self._part(answer, self.estimate))


def _tiles(
    counts: Iterable[npt.NDArray[np.int64]], places: npt.NDArray[np.uint32]
) -> Iterator[npt.NDArray[np.int64]]:
    """Gather counts (n,) of rows into tiles (n, lanes) of bounded size, in the order of places."""
    n = places.size
    lanes = max(1, min(LANES, GIVEN_TILE_BYTES // (8 * n)))
    tile = np.empty((n, lanes), np.int64)
    filled = 0
    for column in counts:
        tile[places, filled] = column
        filled += 1
        if filled == lanes:
            yield tile
            filled = 0
    if filled:
        yield np.ascontiguousarray(tile[:, :filled])
