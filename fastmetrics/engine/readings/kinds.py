"""Readings: what a model, on all rows or a slice, takes from a tile of weights.

Conventions
-----------
A tile holds the weights (T, m, lanes) of the items of a design. A reading knows the place of every
row's item, and turns a tile into sums (T * lanes, columns). Readings of one slice share the weight
of each class. What adds up over rows is added up within an item beforehand, so that clusters cost
no more than their number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.draws.designs import Items, Places, sum_by
from fastmetrics.engine.statistics import SweepRequest
from fastmetrics.engine.sweeps.passes import (
    LARGEST_EXACT_TOTAL,
    Pass,
    Tiles,
    class_totals,
    scaled_pieces,
)
from fastmetrics.engine.sweeps.units import Integers, Labels, flagged_rows, sort_rows
from fastmetrics.kernels import terms as _terms
from fastmetrics.kernels import units as _unit_kernels
from fastmetrics.kernels.sweep import ENDS

# lanes of which a reading that needs all weights of a replicate makes float64 copies at a time
COPIED_BYTES = 2**26


@dataclass
class Tile:
    """Weights (T, m, lanes), and what several readings need of them.

    Of the replicates only the first ``wanted`` are kept; None keeps all.
    """

    weights: Tiles
    wanted: int | None = None
    totals: dict[int, npt.NDArray[Any]] = field(default_factory=dict)

    @property
    def replicates(self) -> int:
        """Replicates in the tile."""
        return len(self.weights) * int(self.weights.shape[2])


class Reading(Protocol):
    """Turns tiles into sums."""

    @property
    def columns(self) -> int:
        """Number of sums per replicate."""

    def read(self, tile: Tile) -> Floats:
        """Sums (T * lanes, columns) of a tile."""


@dataclass(frozen=True)
class Rows:
    """The rows of a slice with what all of its models share.

    Parameters
    ----------
    items : what is drawn
    rows : (r,) rows of the slice, ascending, or None for all
    labels : (r,) uint8 of a binary problem, else None
    weights : (r,) float64 or None
    """

    items: Items
    rows: Integers | None
    labels: Labels | None
    weights: Floats | None

    @cached_property
    def places(self) -> Places:
        """Place (r,) of the item of each row."""
        return self.items.places if self.rows is None else self.items.places[self.rows]

    @cached_property
    def _by_place(self) -> tuple[Places, npt.NDArray[np.uint8], Floats | None]:
        """Places in ascending order, which is fast to read, with marks and weights."""
        if self.rows is None and not self.items.clustered and self.items.rows is None:
            order = np.empty(self.places.size, np.uint32)
            order[self.places] = np.arange(self.places.size, dtype=np.uint32)
        else:
            order = np.argsort(self.places, kind="stable").astype(np.uint32)
        labels = np.zeros(0, np.uint8) if self.labels is None else self.labels[order]
        return self.places[order], labels, None if self.weights is None else self.weights[order]

    def class_totals(self, tile: Tile) -> npt.NDArray[Any]:
        """Negatives and positives (T, 2, lanes), found once per tile."""
        key = id(self)
        if key not in tile.totals:
            places, marks, weights = self._by_place
            if weights is None:
                totals = class_totals(tile.weights, places, marks)
            else:
                shape = (len(tile.weights), 2, tile.weights.shape[2])
                totals = np.zeros(shape)
                for scaled, slots, piece in scaled_pieces(tile.weights, places, weights):
                    totals += class_totals(scaled, slots, marks[piece])
            tile.totals[key] = totals
        return tile.totals[key]


@dataclass(frozen=True)
class SweepReading:
    """One pass over the rows in the order of a model's scores.

    Parameters
    ----------
    shared : the rows
    request : what to compute
    order : (r,) rows of the slice from the highest score down
    marks : (r,) uint8 for the sweeps
    slots : (r,) places in the tile
    cuts : (c,) rows flagged at each threshold
    weights : (r,) float64 or None
    """

    shared: Rows
    request: SweepRequest
    order: Places
    marks: npt.NDArray[np.uint8]
    slots: Places
    cuts: Integers
    weights: Floats | None

    @classmethod
    def of(
        cls, shared: Rows, scores: npt.NDArray[np.floating], request: SweepRequest
    ) -> SweepReading:
        """Sort the scores (r,) of the slice."""
        order, keys = sort_rows(scores)
        return cls(
            shared,
            request,
            order,
            _unit_kernels.mark_rows(order, keys, shared.labels),
            shared.places[order],
            flagged_rows(scores[order], request.thresholds),
            None if shared.weights is None else shared.weights[order],
        )

    @property
    def columns(self) -> int:
        """Number of sums per replicate."""
        return self.request.columns

    @property
    def ends(self) -> npt.NDArray[np.bool_]:
        """Whether a row (r,) ends its group of equal scores."""
        return (self.marks & ENDS) > 0

    def read(self, tile: Tile) -> Floats:
        """Sums (T * lanes, columns) of a tile."""
        totals = self.shared.class_totals(tile)
        weights = tile.weights
        exact = totals.dtype == np.int64 and (
            weights.dtype != np.int64 or totals.sum(axis=1).max() <= LARGEST_EXACT_TOTAL
        )
        if not exact and self.weights is None:
            weights, totals = weights.astype(np.float64, copy=False), totals.astype(np.float64)
        dtype = weights.dtype if self.weights is None else np.float64
        shape = (len(weights), weights.shape[2])
        run = Pass(self.request, self.cuts, shape, dtype, totals.astype(np.float64))
        if self.weights is None:
            run.feed(weights, self.slots, self.marks)
        else:
            for scaled, slots, piece in scaled_pieces(weights, self.slots, self.weights):
                run.feed(scaled, slots, self.marks[piece])
        return run.finish(totals)


@dataclass(frozen=True)
class SumsReading:
    """Sums of terms of the rows.

    Parameters
    ----------
    slots : (i,) places of the items that have rows here
    terms : (i, k) sums of the terms of their rows, times the sample weights
    """

    slots: Places
    terms: Floats

    @classmethod
    def of(cls, shared: Rows, terms: Floats) -> SumsReading:
        """Add terms (r, k) up within the items."""
        if shared.weights is not None:
            terms = terms * shared.weights[:, None]
        slots, summed = _add_up(shared, terms)
        return cls(slots, summed)

    @property
    def columns(self) -> int:
        """Number of sums per replicate."""
        return int(self.terms.shape[1])

    def read(self, tile: Tile) -> Floats:
        """Sums (T * lanes, columns) of a tile."""
        shape = (len(tile.weights), self.columns, tile.weights.shape[2])
        sums = np.zeros(shape)
        _terms.sum_terms(tile.weights, self.slots, self.terms, sums)
        return sums.transpose(0, 2, 1).reshape(-1, self.columns)


def _add_up(shared: Rows, terms: Floats) -> tuple[Places, Floats]:
    """Places (i,) in ascending order, and terms (i, k) of their items."""
    places = shared.places
    if not shared.items.clustered:
        order = np.argsort(places, kind="stable")
        return places[order], np.ascontiguousarray(terms[order])
    size = shared.items.size
    present = np.flatnonzero(np.bincount(places, minlength=size))
    summed = [sum_by(places, column, size)[present] for column in terms.T]
    return present.astype(np.uint32), np.ascontiguousarray(np.stack(summed, axis=1))


@dataclass(frozen=True)
class CodesReading:
    """Weight of each code: the cells of a confusion matrix.

    Parameters
    ----------
    slots, codes, amounts : (e,) the weight that a draw of the item adds to the code
    columns : codes
    """

    slots: Places
    codes: npt.NDArray[np.uint32]
    amounts: Floats
    columns: int

    @classmethod
    def of(cls, shared: Rows, codes: Integers, n_codes: int) -> CodesReading:
        """Collect codes (r,) of the rows by item."""
        items = shared.items
        pairs = shared.places.astype(np.int64) * n_codes + codes
        weights = np.ones(codes.size) if shared.weights is None else shared.weights
        if items.rows is None and not items.clustered:
            order = np.argsort(shared.places, kind="stable")
            return cls(
                shared.places[order], codes[order].astype(np.uint32), weights[order], n_codes
            )
        present, inverse = np.unique(pairs, return_inverse=True)
        amounts = sum_by(inverse, weights, present.size)
        if items.rows is not None:
            amounts = amounts / np.bincount(inverse)
        slots = (present // n_codes).astype(np.uint32)
        return cls(slots, (present % n_codes).astype(np.uint32), amounts, n_codes)

    def read(self, tile: Tile) -> Floats:
        """Sums (T * lanes, columns) of a tile."""
        sums = np.zeros((len(tile.weights), self.columns, tile.weights.shape[2]))
        _terms.sum_codes(tile.weights, self.slots, self.codes, self.amounts, sums)
        return sums.transpose(0, 2, 1).reshape(-1, self.columns)


@dataclass(frozen=True)
class WeightsReading:
    """Numbers that need all weights of a replicate at once.

    Parameters
    ----------
    shared : the rows
    measure : weights (r, lanes) float64 to numbers (lanes, columns)
    columns : numbers per replicate
    copies : arrays as large as the weights that the measure makes
    """

    shared: Rows
    measure: Callable[[Floats], Floats]
    columns: int
    copies: int = 1

    def read(self, tile: Tile) -> Floats:
        """Numbers (T * lanes, columns) of a tile."""
        lanes = tile.weights.shape[2]
        places, own = self.shared.places, self.shared.weights
        step = max(1, min(lanes, COPIED_BYTES // max(8 * self.copies * places.size, 1)))
        found = []
        for weights in tile.weights:
            for first in range(0, lanes, step):
                part = np.ascontiguousarray(weights[:, first : first + step])
                taken = part[places].astype(np.float64)
                if own is not None:
                    taken *= own[:, None]
                found.append(self.measure(taken))
        return np.concatenate(found)


@dataclass(frozen=True)
class LaneReading:
    """Numbers that are found for one replicate after the other.

    Parameters
    ----------
    shared : the rows
    measure : weights (r,) float64 to numbers (columns,), or to one number
    columns : numbers per replicate
    """

    shared: Rows
    measure: Callable[[Floats], Floats | float]
    columns: int

    def read(self, tile: Tile) -> Floats:
        """Numbers (T * lanes, columns) of a tile."""
        places, own = self.shared.places, self.shared.weights
        in_order = bool(np.array_equal(places, np.arange(tile.weights.shape[1])))
        found = np.full((tile.replicates, self.columns), np.nan)
        wanted = tile.replicates if tile.wanted is None else tile.wanted
        replicate = 0
        for weights in tile.weights:
            # eight lanes at a time: a column of a tile is read faster beside its neighbours
            for first in range(0, weights.shape[1], 8):
                for lane in np.ascontiguousarray(weights[:, first : first + 8].T):
                    if replicate >= wanted:
                        return found
                    taken = (lane if in_order else lane[places]).astype(np.float64)
                    found[replicate] = self.measure(taken if own is None else taken * own)
                    replicate += 1
        return found
