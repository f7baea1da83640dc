"""Bins of probabilities: where their edges are, and what each of them holds.

Conventions
-----------
``edges`` (bins + 1,) rise from 0 to 1, or from the lowest probability to the highest where bins
hold equal numbers of rows. Bins are closed on the right as in scikit-learn: an edge belongs to the
bin on its left, and 0 to the first. ``sums`` (bins, 3) are the weight, the weighted probabilities
and the weighted outcomes of a bin's rows; they add up over disjoint sets of rows.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import invalid_parameter
from fastmetrics.input.forecasts import (
    BLOCK,
    BinaryForecast,
    Floats,
    plain_forecast,
    read_labelled,
)
from fastmetrics.input.options import check_choice
from fastmetrics.kernels.bins import bin_sums, collect_slots, count_slots, quantiles, slot_width

STRATEGIES = ("uniform", "quantile")
Labels = Callable[[ArrayLike, object], NDArray[Any]]

# below, one sort of all rows is cheaper than counting them
SORTED_ROWS = 16_384
SLOTS = 65_536


class Bins(NamedTuple):
    """What the bins hold."""

    sums: Floats  # (bins, 3)
    edges: Floats  # (bins + 1,)
    forecast: BinaryForecast


def read_bins(
    caller: str,
    y_true: ArrayLike,
    y_prob: ArrayLike,
    n_bins: Any,
    strategy: str,
    *,
    labels: Labels,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> Bins:
    """Sort rows into bins; ``labels`` is the rule by which a label is positive."""
    n_bins = check_bins(caller, n_bins, strategy)
    plain = plain_forecast(y_true, y_prob, sample_weight, pos_label)
    if plain is not None:
        bins, fine = fill_bins(plain, n_bins, strategy)
        if fine:
            return bins
    forecast = read_labelled(y_true, y_prob, labels, pos_label, sample_weight)
    return fill_bins(forecast, n_bins, strategy)[0]


def check_bins(caller: str, n_bins: Any, strategy: object) -> int:
    """The number of bins, with scikit-learn's error for one that is none."""
    if type(n_bins) is int and n_bins > 0 and strategy in STRATEGIES:
        return n_bins
    if type(n_bins) is bool or not isinstance(n_bins, Integral) or int(n_bins) < 1:
        raise invalid_parameter(
            f"The 'n_bins' parameter of {caller} must be an int in the range [1, inf). Got "
            f"{n_bins!r} instead."
        )
    check_choice(caller, "strategy", strategy, STRATEGIES)
    return int(n_bins)


def fill_bins(forecast: BinaryForecast, n_bins: int, strategy: str) -> tuple[Bins, bool]:
    """What each bin holds, and whether the data are fine."""
    edges, inner = uniform_edges(n_bins)
    if strategy == "quantile":
        edges = quantile_edges(forecast.probabilities, n_bins)
        inner = edges[1:-1]
    sums = np.zeros((n_bins, 3))
    fine = True
    for outcomes, probabilities, weights in forecast.blocks():
        fine &= bin_sums(outcomes, probabilities, weights, inner, sums)
    return Bins(sums, edges, forecast), fine


@functools.lru_cache(maxsize=64)
def uniform_edges(n_bins: int) -> tuple[Floats, Floats]:
    """Edges of bins of one width, and those between bins; shared, so copy before handing out."""
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    return edges, edges[1:-1]


def quantile_edges(probabilities: NDArray[Any], n_bins: int) -> Floats:
    """Edges of bins of equal numbers of rows, to the last bit as ``np.percentile`` has them.

    The first is the lowest probability and the last the highest; equal edges are possible, and
    leave bins empty. All are nan where some probability is not from 0 to 1.
    """
    ranks, steps = _ranks(len(probabilities), n_bins)
    edges = np.empty(n_bins + 1)
    if not quantiles(order_statistics(probabilities, ranks), steps, edges):
        edges.fill(np.nan)
    return edges


@functools.lru_cache(maxsize=64)
def _ranks(n: int, n_bins: int) -> tuple[NDArray[np.intp], Floats]:
    """Ranks (3, bins + 1) of the rows before, after and nearest to each edge, and the steps to it.

    A step (bins + 1,) is the share of the gap between the former two from the latter. Shares of the
    rows go by way of per cent, with its rounding.
    """
    places = np.linspace(0.0, 1.0, n_bins + 1) * 100.0 / 100.0 * (n - 1)
    before = places.astype(np.intp)
    after = np.minimum(before + 1, n - 1)
    share = places - before
    upper = share >= 0.5
    nearest = np.where(upper, after, before)
    return np.stack([before, after, nearest]), np.where(upper, share - 1.0, share)


def order_statistics(probabilities: NDArray[Any], ranks: NDArray[np.intp]) -> NDArray[Any]:
    """The values of the given ranks (any shape), counted from 0 at the lowest."""
    if len(probabilities) <= SORTED_ROWS:
        ordered = probabilities.copy()
        ordered.sort()
        few: NDArray[Any] = ordered[ranks]
        return few
    ends = np.array([probabilities.min(), probabilities.max()], np.float64) + 0.0
    if not (ends[0] >= 0.0 and ends[1] <= 1.0):
        return np.full(ranks.shape, np.nan)
    lowest, highest = ends.view(np.int64).tolist()
    shift = slot_width(lowest, highest, SLOTS)
    counts = np.zeros(((highest - lowest) >> shift) + 1, np.int64)
    for block in _blocks(probabilities):
        count_slots(block, lowest, shift, counts)
    through = counts.cumsum()
    slot_of_rank = np.searchsorted(through, ranks, "right")
    slots = np.unique(slot_of_rank)
    wanted = np.zeros(len(counts), np.int64)
    wanted[slots] = 1
    collected = np.empty(counts[slots].sum() + 1)
    found = 0
    for block in _blocks(probabilities):
        found += collect_slots(block, lowest, shift, wanted, collected[found:])
    # a rank is as far into its slot among the rows collected as among all
    skipped = np.zeros(len(counts), np.int64)
    skipped[slots] = through[slots] - counts[slots].cumsum()
    values: NDArray[Any] = np.sort(collected[:found])[ranks - skipped[slot_of_rank]]
    return values.astype(probabilities.dtype)


def _blocks(probabilities: NDArray[Any]) -> Iterator[Floats]:
    """Blocks of float64."""
    for start in range(0, len(probabilities), BLOCK):
        yield probabilities[start : start + BLOCK].astype(np.float64, copy=False)
