"""Designs: what is drawn in a replicate, from which strata, and by which law.

Conventions
-----------
Items are what is drawn: rows, rows merged where nothing tells them apart, or clusters. Items of
one pool (a stratum) stand together, pool after pool; the place of an item is its row in the tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.sweeps.units import Integers

Law = Literal["multinomial", "poisson", "bayesian"]
Places = npt.NDArray[np.uint32]


def sum_by(places: npt.NDArray[Any], values: Floats, size: int) -> Floats:
    """Sums (size,) of values (r,) by their places (r,)."""
    return np.bincount(places, values, size).astype(np.float64, copy=False)


@dataclass(frozen=True)
class Design:
    """How the rows of a call are drawn.

    Parameters
    ----------
    law : exactly n draws, independent Poisson counts, or exponential weights
    by_class : whether each class of binary labels keeps its size
    strata : (n,) stratum of each row, 0 to H - 1, or None
    groups : (n,) cluster of each row, 0 to G - 1, or None
    """

    law: Law = "multinomial"
    by_class: bool = False
    strata: Integers | None = None
    groups: Integers | None = None

    @property
    def plain(self) -> bool:
        """Whether single rows are drawn, at most by class."""
        return self.strata is None and self.groups is None


@dataclass(frozen=True)
class Items:
    """What is drawn, in the order of the tiles.

    Parameters
    ----------
    places : (n,) uint32, place of the item of each row
    pool_sizes : (pools,) items of each pool; they stand pool after pool
    rows : (m,) rows that are drawn as one item but not together, or None where each item is one
    clustered : whether an item brings all of its rows
    """

    places: Places
    pool_sizes: Integers
    rows: Integers | None = None
    clustered: bool = False

    @property
    def size(self) -> int:
        """Number of items."""
        return int(self.pool_sizes.sum())

    @cached_property
    def pools(self) -> Integers:
        """Pool (m,) of each item."""
        return np.repeat(np.arange(self.pool_sizes.size), self.pool_sizes)

    @cached_property
    def pool_draws(self) -> Integers:
        """Draws of each pool in a replicate of the multinomial law: rows, or clusters."""
        if self.rows is None:
            return self.pool_sizes
        return np.bincount(self.pools, self.rows, self.pool_sizes.size).astype(np.int64)

    def ones(self) -> npt.NDArray[np.uint8] | Integers:
        """Weights (1, m, 1) of the data as they are."""
        if self.rows is None:
            return np.ones((1, self.size, 1), np.uint8)
        return self.rows[None, :, None]


def row_items(n: int, strata: Integers | None, order: Places | None = None) -> Items:
    """Every row an item; within a stratum they stand in the given order (n,) of the rows.

    A tile in the order of a model's scores is swept from end to end, every other order gathers.
    """
    rows = np.arange(n, dtype=np.uint32) if order is None else order
    sizes = np.array([n])
    if strata is not None:
        rows = rows[np.argsort(strata[rows], kind="stable")]
        sizes = np.bincount(strata)
    places = np.empty(n, np.uint32)
    places[rows] = np.arange(n, dtype=np.uint32)
    return Items(places, sizes)


def cluster_items(groups: Integers, strata: Integers | None) -> Items:
    """Every cluster an item; a cluster lies in one stratum."""
    size = int(groups.max()) + 1
    if strata is None:
        return Items(groups.astype(np.uint32), np.array([size]), clustered=True)
    stratum = np.empty(size, np.int64)
    stratum[groups] = strata
    order = np.argsort(stratum, kind="stable")
    places = np.empty(size, np.uint32)
    places[order] = np.arange(size, dtype=np.uint32)
    return Items(places[groups], np.bincount(stratum), clustered=True)


def merged_items(codes: Integers, strata: Integers | None) -> Items:
    """Rows of one code (n,), 0 to m - 1, are one item; a code lies in one stratum."""
    items = cluster_items(codes, strata)
    rows = np.bincount(items.places, minlength=items.size)
    return Items(items.places, items.pool_sizes, rows)
