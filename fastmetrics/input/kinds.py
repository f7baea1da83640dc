"""What labels are: told from their range where they are integers, and from a sort where text.

Conventions
-----------
The kinds are those of scikit-learn's ``type_of_target``, which costs as much as a hundred kernels
and is asked only about what is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.input.arrays import as_array, check_not_empty, for_kernels
from fastmetrics.input.labels import FEW, Target, few_classes, target
from fastmetrics.kernels.confusion import mark_present, span

_NEARBY = 4_096  # a table of integer labels up to this range


def judge(y_true: ArrayLike) -> Target:
    """As ``target``, which is asked about what is neither integers nor text."""
    array = as_array(y_true, "y_true")
    check_not_empty(array, "y_true")
    if array.ndim == 1 or array.shape[1:] == (1,):
        flat = array.ravel()
        classes = _text_classes(flat) if array.dtype.kind == "U" else _integer_classes(flat)
        if classes is not None:
            return Target("binary" if len(classes) < 3 else "multiclass", flat, classes)
    elif array.ndim == 2:
        classes = _integer_classes(array.ravel())
        if classes is not None and len(classes) < 3:
            return Target("multilabel-indicator", array, classes)
    return target(array)


def _text_classes(values: NDArray[Any]) -> NDArray[Any] | None:
    """The distinct texts of (n,), sorted; None for many of two classes, which need no sort."""
    classes = few_classes(values[:FEW])
    if len(values) <= FEW:
        return classes
    return None if len(classes) < 3 else np.unique(values)


def _integer_classes(values: NDArray[Any]) -> NDArray[Any] | None:
    """The distinct integers of (n,), sorted, without a sort of the rows; None for what is wider."""
    if values.dtype.kind not in "iu":
        return None
    # of 64 bits without a sign, those beyond the ones with a sign are negative as such
    wide = values.dtype == np.uint64
    readable = for_kernels(values.view(np.int64) if wide else values)
    low, high = (int(value) for value in span(readable, readable))
    if high - low >= _NEARBY or (wide and low < 0):
        return None
    present = np.zeros(high - low + 1, np.bool_)
    mark_present(readable, low, present)
    return (present.nonzero()[0] + low).astype(values.dtype)


def codes_of(values: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """The place (n,) of each label among the sorted classes, all of which it is one of."""
    if classes.dtype.kind in "iu" and values.dtype.kind in "iu":
        first = int(classes[0])
        if int(classes[-1]) - first == len(classes) - 1:
            codes = values.astype(np.intp, copy=False)
            return for_kernels(codes if first == 0 else codes - first)
    return np.searchsorted(classes, values)


def indicators_of(codes: NDArray[np.intp], size: int) -> NDArray[np.uint8]:
    """Which of so many classes each row has, (n, size) of 0 and 1."""
    flags: NDArray[np.bool_] = codes[:, None] == np.arange(size)
    return flags.view(np.uint8)
