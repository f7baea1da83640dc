"""The arguments that say what is drawn: groups, strata, slices, and draws from outside."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.draws.designs import Design, Law
from fastmetrics.engine.inputs import column_names
from fastmetrics.engine.readings.answers import TrueData
from fastmetrics.engine.sweeps.units import Integers
from fastmetrics.errors import InputError, warn
from fastmetrics.inference.arguments.options import one_of
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.validation import require_no_missing

LARGEST_COUNT = 2**53
LARGEST_CLASSES = 100  # distinct values of y_true that may be labels where no metric says so

Slice = tuple[Any, Integers | None]


def read_design(resampling: Any, strata: Any, groups: Any, true: TrueData) -> Design:
    """Return how the rows are drawn.

    Raises
    ------
    ValueError
        Columns of another length, a group in two strata, or Poisson counts by stratum.
    """
    law: Law = one_of(resampling, "resampling", get_args(Law))
    if strata is not None and law == "poisson":
        raise ValueError("Poisson counts have no fixed total: leave strata= or resampling= out")
    by_class = isinstance(strata, str)
    stratum = None
    if by_class:
        if strata != "class":
            raise ValueError(f"strata is the string {strata!r}: give 'class', or the column itself")
        codes = true.codes if true.codes is not None else _classes(true)
        stratum = codes if groups is not None or true.labels is None else None
    elif strata is not None:
        stratum = _codes(strata, "strata", true.n)[1]
    cluster = None
    if groups is not None:
        names, cluster = _codes(groups, "groups", true.n)
        if stratum is not None:
            _require_one_stratum(names, cluster, stratum)
        if names.size == 1:
            warn("groups holds one group: every replicate is the data, no interval has a width")
    return Design(law, by_class, stratum, cluster)


def _classes(true: TrueData) -> Integers:
    """Class (n,) of each row where no metric reads labels."""
    if true.given is not None and true.given.ndim == 1:
        names, codes = np.unique(true.given, return_inverse=True)
        if names.size <= LARGEST_CLASSES:
            return codes
    raise ValueError("strata='class' needs labels: these metrics compare values")


def _codes(value: Any, name: str, n: int) -> tuple[npt.NDArray[Any], Integers]:
    """Distinct entries of a column, and the place (n,) of each row's entry."""
    if isinstance(value, str):
        raise ValueError(f"{name} is the string {value!r}: pass the column itself")
    if isinstance(value, (list, tuple)) and _of_several_kinds(value):
        value = _objects(list(value))
    array = column(as_array(value, name), name)
    require_no_missing(array, name)
    if array.size != n:
        raise InputError(f"{name} has {array.size:,} rows, the data {n:,}")
    if array.dtype.kind == "O":
        entries = array.tolist()
        try:
            distinct = list(dict.fromkeys(entries))
        except TypeError as error:
            raise InputError(f"{name} holds what cannot be told apart: {error}") from error
        with contextlib.suppress(TypeError):  # of several types: as they come
            distinct.sort()
        places = {entry: place for place, entry in enumerate(distinct)}
        return _objects(distinct), np.array([places[entry] for entry in entries])
    names, codes = np.unique(array, return_inverse=True)
    return names, codes.astype(np.int64, copy=False)


def _of_several_kinds(entries: Sequence[Any]) -> bool:
    """Whether an array would take entries apart, or make 1 and "1" the same."""
    kinds = {type(entry) for entry in entries}
    return tuple in kinds or (str in kinds and len(kinds) > 1)


def _objects(entries: list[Any]) -> npt.NDArray[Any]:
    """Entries of any kind, tuples too, as an array of objects (n,)."""
    array = np.empty(len(entries), object)
    array[:] = entries
    return array


def _require_one_stratum(names: npt.NDArray[Any], cluster: Integers, stratum: Integers) -> None:
    """Refuse a group that lies in two strata."""
    first = np.empty(names.size, np.int64)
    first[cluster] = stratum
    wrong = np.flatnonzero(first[cluster] != stratum)
    if wrong.size:
        group = names.tolist()[cluster[wrong[0]]]
        raise ValueError(
            f"groups: {group!r} lies in more than one stratum: a group is drawn whole, so it needs "
            "one; leave strata= out"
        )


def slice_columns(by: Any) -> dict[str, Any]:
    """Return the columns of a ``by`` argument, and what the names of their slices begin with."""
    if by is None:
        return {}
    keys = list(by) if isinstance(by, Mapping) else column_names(by)
    return {f"{key}=": by[key] for key in keys} if keys else {"": by}


def read_slices(by: Any, n: int) -> list[Slice]:
    """Return the slices of a ``by`` argument: names and rows; first the whole, without a name."""
    slices: list[Slice] = [(None, None)]
    for prefix, values in slice_columns(by).items():
        names, codes = _codes(values, f"by[{prefix[:-1]!r}]" if prefix else "by", n)
        order = np.argsort(codes, kind="stable")
        bounds = np.searchsorted(codes[order], np.arange(names.size + 1))
        for name, first, last in zip(names.tolist(), bounds[:-1], bounds[1:]):
            slices.append((f"{prefix}{name}" if prefix else name, order[first:last]))
    return slices


def given_counts(
    resamples: Iterable[npt.ArrayLike] | None, counts: Iterable[npt.ArrayLike] | None, n: int
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield counts (n,) of draws from outside, checked one by one."""
    name, draws = ("counts", counts) if resamples is None else ("resamples", resamples)
    try:
        numbered = enumerate(() if draws is None else draws)
    except TypeError:
        raise ValueError(f"{name}={draws!r}: give an iterable of vectors of integers") from None
    for k, draw in numbered:
        array = np.asarray(draw)
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise ValueError(f"{name}[{k}] is no vector of integers: {array.dtype}, {array.shape}")
        if name == "counts":
            if array.size != n or (array.size and array.min() < 0):
                raise ValueError(f"counts[{k}] must hold {n:,} integers of 0 or more")
            if float(array.sum(dtype=np.float64)) >= LARGEST_COUNT:
                raise ValueError(f"counts[{k}] sum to 2**53 or more: no number holds that exactly")
            yield array.astype(np.int64)
        else:
            if array.size and not (int(array.min()) >= 0 and int(array.max()) < n):
                raise ValueError(f"resamples[{k}] names rows outside 0 to {n - 1:,}")
            yield np.bincount(array.astype(np.int64), minlength=n)
