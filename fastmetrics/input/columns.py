"""Two columns of labels, or two matrices of label indicators, made comparable.

Conventions
-----------
Labels are integers, bools, floats that are whole numbers, or text, as scikit-learn has it; rows
match by position. Columns come out in one type, integers as integers, and never copied where both
are of one type already. Label indicators hold 0 and 1 only: scikit-learn takes any two values for
them, and counts -1 as set.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, LabelError, invalid_parameter
from fastmetrics.input.arrays import all_text, as_array, check_lengths, check_not_empty, for_kernels
from fastmetrics.input.labels import holds_text
from fastmetrics.input.validation import aligned_weights, require_finite

Weights = NDArray[Any]

# one weight for every row, as the kernels take it
UNIT: Weights = np.ones(1, np.int64)
# types that need no preparation, and what the kernels see of them
_PLAIN: dict[Any, Any] = {
    np.dtype(kind): kind
    for kind in (np.int64, np.uint8, np.int32, np.int8, np.int16, np.uint16, np.uint32)
}
_PLAIN[np.dtype(np.bool_)] = np.uint8
_LARGEST = np.iinfo(np.int64).max


class Columns(NamedTuple):
    """Labels (n,) of both columns in one type: integers, text, or objects with an order."""

    y_true: NDArray[Any]
    y_pred: NDArray[Any]
    dtypes: tuple[Any, Any]  # of the labels as handed in


class Indicators(NamedTuple):
    """Which labels (n, k) each row has: bools in an array or in a csr_array, both of one kind."""

    y_true: Any
    y_pred: Any


def plain_columns(y_true: Any, y_pred: Any) -> Columns | None:
    """Columns of plain arrays of integers, bools, text or texts; None for a closer look."""
    if type(y_true) is not np.ndarray or type(y_pred) is not np.ndarray:
        return None
    dtype = y_true.dtype
    kind = _PLAIN.get(dtype, dtype.kind in "UO" and dtype.isnative)
    if not kind or y_pred.dtype != dtype or y_true.ndim != 1 or y_true.shape != y_pred.shape:
        return None
    if not (y_true.size and y_true.flags.carray and y_pred.flags.carray):
        return None
    if dtype.kind == "b":
        return Columns(y_true.view(kind), y_pred.view(kind), (dtype, dtype))
    if dtype.kind == "O" and not (all_text(y_true.tolist()) and all_text(y_pred.tolist())):
        return None
    return Columns(y_true, y_pred, (dtype, dtype))


def read_targets(
    y_true: Any, y_pred: Any, sample_weight: ArrayLike | None
) -> tuple[Columns | Indicators, Weights]:
    """Both targets and the weights, (n,) of int64 or float64, or ``UNIT``."""
    targets: Columns | Indicators | None = plain_columns(y_true, y_pred)
    if targets is None:
        targets = _read(y_true, y_pred)
    if sample_weight is None:
        return targets, UNIT
    return targets, _row_weights(sample_weight, targets)


def read_columns(
    y_true: Any, y_pred: Any, sample_weight: ArrayLike | None
) -> tuple[Columns, Weights]:
    """As ``read_targets``, where label indicators have no meaning."""
    targets, weights = read_targets(y_true, y_pred, sample_weight)
    if isinstance(targets, Indicators):
        raise InputError("multilabel-indicator is not supported")
    return targets, weights


def _row_weights(sample_weight: ArrayLike, targets: Columns | Indicators) -> Weights:
    """Weights (n,); integers stay integers, so that counts do."""
    rows = targets.y_true
    if not isinstance(rows, np.ndarray):  # a sparse matrix has no len()
        rows = np.broadcast_to(UNIT, rows.shape[0])
    given = as_array(sample_weight, "sample_weight")
    checked = aligned_weights(given, y_true=rows, y_pred=rows)
    if given.dtype.kind in "biu":
        return for_kernels(given.ravel().astype(np.int64, copy=False))
    return UNIT if checked is None else checked


def _read(y_true: Any, y_pred: Any) -> Columns | Indicators:
    """Targets of any kind."""
    if _is_sparse(y_true) or _is_sparse(y_pred):
        return _sparse_indicators(y_true, y_pred)
    y_true, y_pred = as_array(y_true, "y_true"), as_array(y_pred, "y_pred")
    if len(y_true) != len(y_pred):
        check_lengths(y_true=y_true, y_pred=y_pred)  # which says so
    check_not_empty(y_true, "y_true")
    check_not_empty(y_pred, "y_pred")
    if _is_column(y_true) and _is_column(y_pred):
        return _columns(y_true.ravel(), y_pred.ravel())
    flags = _flags(y_true), _flags(y_pred)
    if flags[0] is None or flags[1] is None:
        raise _no_indicators(y_true, y_pred)
    return _indicators(*flags)


def _is_column(array: NDArray[Any]) -> bool:
    return array.ndim == 1 or array.shape[1:] == (1,)


def _is_sparse(value: Any) -> bool:
    return type(value).__module__.startswith("scipy.sparse")


def _kind(array: Any, name: str) -> str:
    """scikit-learn's type_of_target."""
    from sklearn.utils.multiclass import type_of_target

    return str(type_of_target(array, input_name=name))


def _unsupported(y_true: Any, y_pred: Any) -> InputError:
    """What to say of targets that are no labels, or of two kinds."""
    for name, target in (("y_true", y_true), ("y_pred", y_pred)):
        if target.dtype.kind in "mMV":
            return InputError(
                f"{name} has dtype {target.dtype}: labels are whole numbers, bools or text"
            )
    kinds = [_kind(y_true, "y_true"), _kind(y_pred, "y_pred")]
    if set(kinds) == {"binary", "multiclass"}:
        kinds = ["multiclass"] * 2
    if kinds[0] != kinds[1]:
        return InputError(
            f"Classification metrics can't handle a mix of {kinds[0]} and {kinds[1]} targets"
        )
    return InputError(f"{kinds[0]} is not supported")


def _columns(y_true: NDArray[Any], y_pred: NDArray[Any]) -> Columns:
    """Columns (n,) of one type from two of any types."""
    dtypes = y_true.dtype, y_pred.dtype
    encoded = _encoded(y_true, "y_true"), _encoded(y_pred, "y_pred")
    if encoded[0] is None or encoded[1] is None:
        raise _unsupported(y_true, y_pred)
    y_true, y_pred = encoded
    text = _is_text(y_true), _is_text(y_pred)
    if text[0] != text[1]:
        raise LabelError(
            "Mix of label input types (string and number): "
            f"y_true holds {'text' if text[0] else 'numbers'}, y_pred the other"
        )
    if y_true.dtype != y_pred.dtype and not y_true.dtype.kind == y_pred.dtype.kind == "U":
        common = np.result_type(y_true, y_pred)
        y_true, y_pred = y_true.astype(common), y_pred.astype(common)
    if y_true.dtype.kind != "O":
        y_true, y_pred = for_kernels(y_true), for_kernels(y_pred)
    return Columns(y_true, y_pred, dtypes)


def _is_text(array: NDArray[Any]) -> bool:
    return array.dtype.kind == "U" or (array.dtype.kind == "O" and isinstance(array[0], str))


def _encoded(array: NDArray[Any], name: str) -> Any:
    """Labels (n,) as integers of at most 64 bits, or text; None for what is neither."""
    kind = array.dtype.kind
    if kind == "b":
        return array.view(np.uint8)
    if kind == "u" and array.itemsize == 8:
        return array.astype(object) if array.max() > _LARGEST else array.view(np.int64)
    if kind in "iuU":
        return array
    if kind == "f":
        with np.errstate(invalid="ignore"):
            whole = array.astype(np.int64)
        if (whole == array).all():
            return whole
        require_finite(array, name)
        return None
    if kind != "O":
        return None
    return array if holds_text(array, name) else None


def _flags(array: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Indicators (n, k) of 0 and 1 as bools; None for what is none."""
    if array.ndim != 2 or array.shape[1] == 1 or array.dtype.kind not in "biuf":
        return None
    flags: NDArray[np.bool_] = array if array.dtype.kind == "b" else array == 1
    # as many that are not 0 as there are 1: there are no others
    if flags is not array and np.count_nonzero(array) != np.count_nonzero(flags):
        return None
    return for_kernels(flags)


def _no_indicators(y_true: NDArray[Any], y_pred: NDArray[Any]) -> InputError:
    """What to say of tables (n, k) that are no indicators of 0 and 1."""
    for array, name in ((y_true, "y_true"), (y_pred, "y_pred")):
        if _kind(array, name) != "multilabel-indicator":
            return _unsupported(y_true, y_pred)
    if _flags(y_true) is None:
        return _not_indicators("y_true", np.unique(y_true))
    return _not_indicators("y_pred", np.unique(y_pred))


def _not_indicators(name: str, values: NDArray[Any]) -> LabelError:
    listed = ", ".join(repr(value) for value in values.tolist())
    return LabelError(f"label indicators are 0 and 1, {name} holds {listed}")


def _indicators(y_true: Any, y_pred: Any) -> Indicators:
    """Indicators of one shape."""
    if y_true.shape[1] != y_pred.shape[1]:
        raise InputError(
            "Multi-label binary indicator input with different numbers of labels: "
            f"{y_true.shape[1]} and {y_pred.shape[1]}"
        )
    return Indicators(y_true, y_pred)


def _sparse_indicators(y_true: Any, y_pred: Any) -> Indicators:
    """Indicators of which at least one is sparse, as csr_arrays."""
    targets = {
        name: target if _is_sparse(target) else as_array(target, name)
        for name, target in (("y_true", y_true), ("y_pred", y_pred))
    }
    lengths = [target.shape[0] for target in targets.values()]
    if lengths[0] != lengths[1]:
        raise InputError(
            f"Found input variables with inconsistent numbers of samples: {lengths}: "
            f"y_true has {lengths[0]:,} rows, y_pred has {lengths[1]:,} rows"
        )
    kinds = [_kind(target, name) for name, target in targets.items()]
    if kinds != ["multilabel-indicator"] * 2:
        if set(kinds) <= {"binary", "multiclass"}:
            raise TypeError("Sparse input is only supported when targets are of multilabel type")
        raise _unsupported(*targets.values())
    return _indicators(*(_sparse_flags(target, name) for name, target in targets.items()))


def _sparse_flags(target: Any, name: str) -> Any:
    """Indicators (n, k) as a csr_array of bools, without the zeros that are stored."""
    from scipy.sparse import csr_array

    matrix = csr_array(target)
    if matrix.shape[0] == 0:
        raise invalid_parameter(f"{name} is empty")
    stored = matrix.data[matrix.data != 0]
    if not (stored == 1).all():
        raise _not_indicators(name, np.unique(stored))
    return matrix.astype(bool) if matrix.data.all() else (matrix != 0).tocsr()
