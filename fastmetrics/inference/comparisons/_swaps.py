"""Permutations of two models: the rows of both stacked, and weights that choose between them.

Conventions
-----------
Row r of the first model is stacked row r, row r of the second is stacked row n + r. What swaps is a
unit: a row, or a group of rows. Units in which the models agree never swap, for nothing would
change. Lane l of a tile is a permutation; its weights are 1 for the rows that count as the first
model's and 0 for the rest, which are the second's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.draws.designs import row_items
from fastmetrics.engine.draws.seeds import stream
from fastmetrics.engine.draws.whole_tiles import BLOCK_REPLICATES, BLOCK_TILES
from fastmetrics.engine.plans.running import run_blocks
from fastmetrics.engine.readings.answers import Answer, Asked, ModelData, TrueData, reads
from fastmetrics.engine.readings.kinds import Reading, Rows, Tile
from fastmetrics.engine.statistics import AT_CUTS, SWEPT
from fastmetrics.engine.sweeps.units import Integers, sort_rows
from fastmetrics.errors import InputError
from fastmetrics.kernels.random import LANES

# "perm" in letters: a purpose that no other stream has
SWAPS = 0x7065726D
# stacked rows times lanes that are kept at a time
TILE_BYTES = 2**28
# tiles of so few stacked rows are read four at a time
SMALL_ROWS = 4096
BYTE = 8

Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class SwapPlan:
    """Two models stacked, ready to be swapped.

    Parameters
    ----------
    answer, reading : the metric, and what its numbers are read from
    unit_of_place : (2 n,) unit of the stacked row at each place of the tiles; the last never swaps
    first_of_place : (2 n, 1) uint8, whether the stacked row is of the first model
    units : units that can swap
    """

    answer: Answer
    reading: Reading
    unit_of_place: Integers
    first_of_place: Bits
    units: int

    @classmethod
    def of(
        cls, true: TrueData, models: Sequence[ModelData], groups: Integers | None, by_rank: bool
    ) -> SwapPlan:
        """Stack two models with one metric each.

        Parameters
        ----------
        true, models : the data; the metrics may differ in their threshold
        groups : (n,) rows that swap together, or None
        by_rank : whether scores are replaced by their ranks
        """
        columns = [_column(model, by_rank) for model in models]
        if columns[0].shape != columns[1].shape:
            raise InputError(
                f"y_score[{models[0].name!r}] has shape {columns[0].shape}, "
                f"y_score[{models[1].name!r}] {columns[1].shape}: give both the same"
            )
        differs = (columns[0] != columns[1]).reshape(true.n, -1).any(axis=1)
        unit, units = _units(differs, groups)
        model = _stacked_model(models, np.concatenate(columns))
        stacked = dataclasses.replace(
            true,
            n=2 * true.n,
            labels=_twice(true.labels),
            codes=_twice(true.codes),
            given=_twice(true.given),
        )
        order = None if model.scores is None else sort_rows(model.scores)[0]
        items = row_items(stacked.n, None, order)
        rows = Rows(items, None, stacked.labels, None)
        readings, answers = Asked.of(rows, stacked, model)
        unit_of_place = np.empty(stacked.n, np.int64)
        unit_of_place[items.places] = np.concatenate([unit, unit])
        first_of_place = np.empty((stacked.n, 1), np.uint8)
        first_of_place[items.places, 0] = np.arange(stacked.n) < true.n
        return cls(answers[0], readings[answers[0].reading], unit_of_place, first_of_place, units)

    def values(self, swaps: Bits) -> tuple[Floats, Floats]:
        """Metric (T * lanes,) of both models under swaps (T, units + 1, lanes)."""
        weights = np.take(swaps, self.unit_of_place, axis=1)
        weights ^= self.first_of_place
        first = self.answer.values(self.reading.read(Tile(weights)))
        weights ^= np.uint8(1)
        return first, self.answer.values(self.reading.read(Tile(weights)))

    def unswapped(self) -> tuple[float, float]:
        """Metric of both models as they are."""
        first, second = self.values(np.zeros((1, self.units + 1, 1), np.uint8))
        return float(first[0]), float(second[0])

    def all_differences(self, n_jobs: int) -> Floats:
        """First less second (2**units,) under every permutation there is, the identity first."""
        return self._differences(2**self.units, n_jobs, None)

    def random_differences(self, size: int, root: np.random.SeedSequence, n_jobs: int) -> Floats:
        """First less second (size,) under random permutations."""
        return self._differences(size, n_jobs, root)

    def _differences(self, size: int, n_jobs: int, root: np.random.SeedSequence | None) -> Floats:
        found = np.empty(size)

        def block(k: int) -> None:
            start = k * BLOCK_REPLICATES
            stop = min(start + BLOCK_REPLICATES, size)
            for swaps in self._tiles(k, stop - start, root):
                first, second = self.values(swaps)
                taken = min(first.size, stop - start)
                with np.errstate(invalid="ignore"):
                    found[start : start + taken] = (first - second)[:taken]
                start += taken

        run_blocks(block, -(-size // BLOCK_REPLICATES), n_jobs)
        return found

    def _tiles(self, k: int, size: int, root: np.random.SeedSequence | None) -> Iterator[Bits]:
        """Yield swaps (T, units + 1, lanes) that begin with the first of a block."""
        tiles = min(BLOCK_TILES, -(-size // LANES))
        if root is None:
            first = np.arange(tiles) * LANES + k * BLOCK_REPLICATES
            yield from self._in_pieces(self._enumerated(place) for place in first.tolist())
        else:
            generator = np.random.Generator(np.random.PCG64(stream(root, SWAPS, 0, k)))
            yield from self._in_pieces(
                generator.integers(0, 2**64, self.units, np.uint64) for _ in range(tiles)
            )

    def _enumerated(self, first: int) -> npt.NDArray[np.uint64]:
        """Swaps of the permutations first, first + 1, ... as the bits of one word per unit."""
        numbers = first + np.arange(LANES)
        bits = (numbers[None, :] >> np.arange(self.units)[:, None]) & 1
        return np.packbits(bits.astype(np.uint8), axis=1).view(np.uint64)[:, 0]

    def _in_pieces(self, words: Iterator[npt.NDArray[np.uint64]]) -> Iterator[Bits]:
        """Turn words (units,) of 64 swaps each into swaps, as many at a time as memory allows."""
        places = self.unit_of_place.size
        if places <= SMALL_ROWS:
            yield np.stack([self._swaps(word, slice(None)) for word in words])
            return
        width = LANES
        while width > BYTE and places * width > TILE_BYTES:
            width //= 2
        for word in words:
            for first in range(0, LANES // BYTE, width // BYTE):
                yield self._swaps(word, slice(first, first + width // BYTE))[None]

    def _swaps(self, words: npt.NDArray[np.uint64], taken: slice) -> Bits:
        """Swaps (units + 1, lanes) of some bytes of words (units,); the last unit stays."""
        parts = words.view(np.uint8).reshape(-1, LANES // BYTE)[:, taken]
        swaps = np.zeros((self.units + 1, parts.shape[1] * BYTE), np.uint8)
        swaps[:-1] = np.unpackbits(parts, axis=1)
        return swaps


def _twice(array: npt.NDArray[Any] | None) -> Any:
    return None if array is None else np.concatenate([array, array])


def _units(differs: npt.NDArray[np.bool_], groups: Integers | None) -> tuple[Integers, int]:
    """Unit (n,) of each row, and how many can swap; the one after them cannot."""
    swaps = differs if groups is None else np.bincount(groups, differs) > 0.0
    units = int(np.count_nonzero(swaps))
    number = np.where(swaps, np.cumsum(swaps) - 1, units)
    return (number if groups is None else number[groups]), units


def _column(model: ModelData, by_rank: bool) -> npt.NDArray[Any]:
    """Return what the metric reads of a model: (n,), or (n, k)."""
    metric = model.metrics[0]
    kind = metric.statistic.kind
    values: Any
    if kind in AT_CUTS:
        values = model.decisions if model.decisions is not None else _flagged(metric, model)
    elif kind in SWEPT:
        values = model.scores
    elif kind == "callable":
        values = model.given
    else:
        values = model.pairs[reads(metric)][1]
    return midranks(values) if by_rank else values


def _flagged(metric: Metric, model: ModelData) -> Integers:
    """Decisions (n,) of scores at the metric's threshold, compared in the type of the scores."""
    scores: Any = model.scores
    with np.errstate(over="ignore"):
        cut = np.float64(metric.statistic.parameter).astype(scores.dtype)
    flagged: Integers = (scores >= cut).astype(np.int64)
    return flagged


def _stacked_model(models: Sequence[ModelData], column: npt.NDArray[Any]) -> ModelData:
    """Return both models as one, with the column (2 n,) or (2 n, k) that the metric reads."""
    metric = models[0].metrics[0]
    model = ModelData(None, (metric,))
    kind = metric.statistic.kind
    if kind in AT_CUTS:
        return dataclasses.replace(model, decisions=column)
    if kind in SWEPT:
        return dataclasses.replace(model, scores=np.ascontiguousarray(column))
    if kind == "callable":
        return dataclasses.replace(model, given=column)
    truth = np.concatenate([part.pairs[reads(metric)][0] for part in models])
    return dataclasses.replace(model, pairs={reads(metric): (truth, column)})


def midranks(scores: npt.NDArray[Any]) -> Floats:
    """Ranks (n,) from 1 up, the mean rank of its ties for each score."""
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2.0)[place]
