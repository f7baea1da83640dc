"""Checks of what models and simulations are asked for; every message names the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.input.options import is_number

# counts beyond this have no exact float64
MOST_ROWS = 2**53


def finite(value: Any, name: str) -> float:
    """Return a finite number."""
    if not is_number(value) or not np.isfinite(value):
        raise ValueError(f"{name}={value!r}: give a finite number")
    return float(value)


def positive(value: Any, name: str) -> float:
    """Return a finite number above 0."""
    if not finite(value, name) > 0.0:
        raise ValueError(f"{name}={value!r}: give a number above 0")
    return float(value)


def whole(value: Any, name: str, lowest: int) -> int:
    """Return a whole number that is not too small, nor too large to be exact."""
    fits = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not fits or not lowest <= value < MOST_ROWS:
        at_most = f", below {MOST_ROWS:,}" * (fits and value >= MOST_ROWS)
        raise ValueError(f"{name}={value!r}: give a whole number of {lowest} or more{at_most}")
    return int(value)


def prevalence(value: Any) -> float:
    """Return a prevalence as a fraction; 5 is told apart from 0.05."""
    if is_number(value) and 0.0 < value < 1.0:
        return float(value)
    hint = f", {value / 100:g}" if is_number(value) and 1.0 < value < 100.0 else ""
    raise ValueError(f"prevalence={value!r}: give a fraction between 0 and 1{hint}")


def rates(values: npt.ArrayLike, name: str) -> Floats:
    """Return rates as an array, each from 0 to 1."""
    array = np.asarray(values, np.float64)
    if not ((array >= 0.0) & (array <= 1.0)).all():
        raise ValueError(f"{name} holds {_first_outside(array)}: rates lie in [0, 1]")
    return array


def _first_outside(array: Floats) -> float:
    return float(array[~((array >= 0.0) & (array <= 1.0))].flat[0])


def numbers(values: npt.ArrayLike, name: str) -> Floats:
    """Return numbers as an array without NaN."""
    array = np.asarray(values, np.float64)
    if np.isnan(array).any():
        raise ValueError(f"{name} holds NaN")
    return array


def plain(values: Floats) -> Any:
    """Return a single number as a float, an array as it is."""
    return float(values) if np.ndim(values) == 0 else values
