"""Targets and predictions of any container, for the kernels that add up their rows.

Conventions
-----------
Columns come first: one row of (k, n) per output. Kernels take contiguous arrays of float64, or of
float32, as they are, and the rows of wide tables (n, k) too. Whatever else is turned into float64,
at once where it is one block, and else block by block, so that nothing of the size of many data is
copied. Entries that are not finite show
in a sum: they are looked for only then. longdouble stays as wide as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, invalid_parameter
from fastmetrics.input.arrays import as_array, check_not_empty, for_kernels
from fastmetrics.input.validation import (
    NARROW,
    aligned_weights,
    in_range,
    numbers,
    plain_weights,
    require_finite,
)
from fastmetrics.kernels.sums import total_and_lowest

Floats = NDArray[np.float64]
Block = tuple[Floats, Floats, Floats]
Outputs = str | Floats | None

RAW, UNIFORM, VARIANCE = "raw_values", "uniform_average", "variance_weighted"
# a few such arrays of float64 stay in the second-level cache
BLOCK_ENTRIES = 2**15
# outputs from which on a loop over the outputs of a row is faster than one over rows
WIDE = 6
# entries of a table up to which it costs more to turn rows into columns than it gains
_SMALL = 1_000
# how rows are read: column by column, row by row of a table, or in longdouble, by NumPy
COLUMNS, TABLES, LONG = range(3)
_FLOAT64, _FLOAT32 = np.dtype(np.float64), np.dtype(np.float32)
_ONE = np.ones(1)


class Targets(NamedTuple):
    """Columns of targets and predictions with the weights of their rows."""

    y_true: NDArray[Any]  # (k, n) of any number type
    y_pred: NDArray[Any]  # (k, n)
    weights: Floats  # (n,), or (1,) where rows weigh 1 each
    total: float  # of the weights
    layout: int  # COLUMNS, TABLES or LONG
    ready: bool  # kernels take the arrays as they are, in float64

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.y_true.shape[1])

    @property
    def float_type(self) -> np.dtype[Any]:
        """float64, or longdouble where one of the arrays is."""
        return np.dtype(np.longdouble) if self.layout == LONG else _FLOAT64

    @property
    def rows_that_count(self) -> int:
        """Number of rows with a weight above 0."""
        return self.n if self.weights is _ONE else int(np.count_nonzero(self.weights))

    def blocks(self, *, bounded: bool = False) -> Iterable[Block]:
        """Targets and predictions (k, m), both in float64 or in float32, and weights (m,) or (1,).

        Arrays that kernels take as they are are one block unless ``bounded`` asks for small ones.
        """
        if not self.ready and not _direct(self.y_true, self.y_pred):
            return self._converted()
        if not bounded or self.y_true.size <= BLOCK_ENTRIES:
            return ((self.y_true, self.y_pred, self.weights),)
        return self._cut() if len(self.y_true) == 1 else self._converted()

    def tables(self, *, bounded: bool = False) -> Iterable[Block]:
        """As ``blocks``, of tables (m, k), all in float64."""
        truth, forecast = self.y_true.T, self.y_pred.T
        floats = self.ready or (truth.dtype == _FLOAT64 and _direct(truth, forecast))
        if floats and not (bounded and truth.size > BLOCK_ENTRIES):
            return ((truth, forecast, self.weights),)
        return self._converted_rows(truth, forecast)

    def _converted_rows(self, truth: NDArray[Any], forecast: NDArray[Any]) -> Iterator[Block]:
        """Copies of blocks of tables (n, k)."""
        size = max(1, BLOCK_ENTRIES // truth.shape[1])
        for start in range(0, self.n, size):
            rows = slice(start, start + size)
            block = truth[rows].astype(np.float64), forecast[rows].astype(np.float64)
            yield *block, self._weights_of(rows)

    def _cut(self) -> Iterator[Block]:
        """Views of one column."""
        for start in range(0, self.n, BLOCK_ENTRIES):
            rows = slice(start, start + BLOCK_ENTRIES)
            yield self.y_true[:, rows], self.y_pred[:, rows], self._weights_of(rows)

    def _converted(self) -> Iterator[Block]:
        """Copies of blocks, in two buffers that are used again."""
        k, n = self.y_true.shape
        size = min(n, max(1, BLOCK_ENTRIES // k))
        buffers = np.empty((2, k * size))
        for start in range(0, n, size):
            rows = slice(start, min(start + size, n))
            m = rows.stop - start
            truth, forecast = (buffer[: k * m].reshape(k, m) for buffer in buffers)
            truth[...] = self.y_true[:, rows]
            forecast[...] = self.y_pred[:, rows]
            yield truth, forecast, self._weights_of(rows)

    def _weights_of(self, rows: slice) -> Floats:
        return self.weights if self.weights is _ONE else self.weights[rows]

    def require_finite(self) -> None:
        """Refuse entries that are not finite."""
        for array, name in zip(self[:2], ("y_true", "y_pred")):
            if array.dtype.kind == "f":
                require_finite(array.T, name)

    def checked(self, values: Sequence[float]) -> Sequence[float]:
        """Values as they are, unless one is not finite for what the data hold."""
        if not math.isfinite(sum(values)):
            self.require_finite()
        return values

    def wide_means(
        self, term: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
    ) -> list[NDArray[Any]]:
        """Weighted mean of a row term of each column, in the type of the data."""
        return [
            (self.weights * term(truth, forecast)).sum() / self.total
            for truth, forecast in zip(self.y_true, self.y_pred)
        ]


def _direct(y_true: NDArray[Any], y_pred: NDArray[Any]) -> bool:
    """Whether kernels take both arrays as they are."""
    dtype = y_true.dtype
    return bool(
        dtype == y_pred.dtype
        and dtype in (_FLOAT64, _FLOAT32)
        and y_true.flags.carray
        and y_pred.flags.carray
    )


def read_targets(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
) -> Targets:
    """Targets, predictions and weights of any container; an error for what cannot be scored."""
    truth, forecast = _few_or_plain(y_true), _few_or_plain(y_pred)
    if truth is None or forecast is None:
        y_true, y_pred = table(y_true, "y_true"), table(y_pred, "y_pred")
        truth, forecast = _few_or_plain(y_true), _few_or_plain(y_pred)
        if truth is None or forecast is None:
            return _read_tables(y_true, y_pred, sample_weight)
    columns, n = truth.shape
    if sample_weight is None and truth.shape == forecast.shape:
        weights, total = _ONE, float(n)
    else:
        weights, total = _weigh(truth, forecast, sample_weight)
    if columns == 1:
        return Targets(truth, forecast, weights, total, COLUMNS, True)
    return Targets(truth, forecast, weights, total, *_layout_of_floats(truth, forecast))


def _read_tables(
    y_true: NDArray[Any], y_pred: NDArray[Any], sample_weight: ArrayLike | None
) -> Targets:
    """Targets and predictions (n, k) that stay as they are until a block of them is read."""
    weights, total = _weigh(y_true.T, y_pred.T, sample_weight)
    truth, forecast = _columns(y_true), _columns(y_pred)
    targets = Targets(truth, forecast, weights, total, _layout_of(truth, forecast), False)
    if targets.layout == LONG:
        targets.require_finite()  # NumPy warns where kernels do not
    return targets


def _layout_of(y_true: NDArray[Any], y_pred: NDArray[Any]) -> int:
    """How columns (k, n) of any number type are read."""
    if np.result_type(y_true, y_pred, _FLOAT64) != _FLOAT64:
        return LONG
    by_rows = y_true.flags.f_contiguous and y_pred.flags.f_contiguous
    return TABLES if len(y_true) >= WIDE and by_rows else COLUMNS


def _layout_of_floats(y_true: Floats, y_pred: Floats) -> tuple[int, bool]:
    """Layout of columns (k, n) that ``_few_or_plain`` found, and whether they are ready."""
    by_rows = y_true.flags.f_contiguous
    if by_rows != y_pred.flags.f_contiguous:
        return COLUMNS, False
    return TABLES if by_rows else COLUMNS, True


def _weigh(
    y_true: NDArray[Any], y_pred: NDArray[Any], sample_weight: ArrayLike | None
) -> tuple[Floats, float]:
    """Weights (n,) or (1,) of columns (k, n), and their total, after a check of the shapes."""
    if y_true.shape == y_pred.shape:
        n = y_true.shape[1]
        if sample_weight is None:
            return _ONE, float(n)
        weighed = plain_weights(sample_weight, n)
        if weighed is not None:
            return weighed[:2]
    weights = in_range(aligned_weights(sample_weight, y_true=y_true.T, y_pred=y_pred.T))
    if len(y_true) != len(y_pred):
        raise InputError(
            f"y_true and y_pred have different number of output ({len(y_true)}!={len(y_pred)})"
        )
    return (
        (_ONE, float(y_true.shape[1]))
        if weights is None
        else (weights, total_and_lowest(weights)[0])
    )


def _few_or_plain(array: Any) -> Floats | None:
    """Columns (k, n) of a plain array in float64: contiguous, or those of a small table as it is.

    None for what needs a closer look, for many entries that would have to be copied, and for wide
    tables, which are read by rows.
    """
    if type(array) is not np.ndarray or not array.size:
        return None
    if array.ndim == 1:
        if array.dtype is _FLOAT64 and array.flags.carray:
            return array[None]
        few = array.size <= BLOCK_ENTRIES and array.dtype in NARROW
        return array.astype(_FLOAT64)[None] if few else None
    if array.ndim != 2:
        return None
    columns = array.T
    if array.dtype is _FLOAT64:
        flags = columns.flags
        if flags.carray or (flags.farray and array.size <= _SMALL):
            return columns
    if array.size > BLOCK_ENTRIES or array.dtype not in NARROW:
        return None
    if len(columns) >= WIDE and columns.flags.f_contiguous:
        return None
    return columns.astype(_FLOAT64, "C")


def _columns(array: NDArray[Any]) -> NDArray[Any]:
    """Columns (k, n) of a table (n, k); a contiguous one is not marked read-only."""
    if array.flags.writeable:
        return array.T
    if array.flags.c_contiguous:
        return for_kernels(array).T
    return for_kernels(array.T) if array.flags.f_contiguous else array.T


def unweighted(y_true: NDArray[Any], y_pred: NDArray[Any]) -> Targets:
    """Columns (k, n) whose rows weigh 1 each."""
    layout = _layout_of(y_true, y_pred)
    return Targets(y_true, y_pred, _ONE, float(y_true.shape[1]), layout, False)


def table(value: ArrayLike, name: str) -> NDArray[Any]:
    """Numbers of any container, (n, k); ``(n,)`` is one column."""
    array = as_array(value, name)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise InputError(
            f"Found array with dim {array.ndim}, while dim <= 2 is required: {name} has shape "
            f"{array.shape}"
        )
    check_not_empty(array, name)
    if array.dtype.kind == "O":
        return numbers(array, name)
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name} has dtype {array.dtype}: targets are numbers")
    return array


def check_multioutput(
    caller: str, multioutput: object, choices: tuple[str, ...] = (RAW, UNIFORM), none: bool = False
) -> None:
    """Refuse what is neither one of a few words nor weights of the outputs."""
    if isinstance(multioutput, str):
        fine = multioutput in choices
    else:
        fine = none if multioutput is None else hasattr(multioutput, "__len__")
    if fine:
        return
    listed = ", ".join(repr(choice) for choice in choices)
    raise invalid_parameter(
        f"The 'multioutput' parameter of {caller} must be one of {listed}, or an array-like"
        f"{' or None' * none}. Got {multioutput!r} instead."
    )


def output_weights(multioutput: Any, k: int) -> Outputs:
    """How k outputs are averaged: a word, weights (k,), or None for equal ones."""
    if multioutput is None or isinstance(multioutput, str):
        return multioutput
    weights = table(multioutput, "multioutput")
    if k == 1:
        raise InputError("Custom weights are useful only in multi-output cases.")
    if weights.shape != (k, 1):
        raise InputError(
            f"There must be equally many custom weights ({len(weights)}) as outputs ({k})."
        )
    values: Floats = weights[:, 0].astype(np.float64)
    require_finite(values, "multioutput")
    if values.sum() == 0.0:
        raise InputError("multioutput sums to 0: at least one output has to count")
    return values


def average_outputs(values: Sequence[float], outputs: Outputs) -> float | Floats:
    """Values of the outputs (k,), averaged as told."""
    if isinstance(outputs, str) and outputs == RAW:
        return np.array(values, np.float64)
    if len(values) == 1:
        return float(values[0])
    if outputs is None or isinstance(outputs, str):
        return sum(values) / len(values)
    return float(np.average(values, weights=outputs))
