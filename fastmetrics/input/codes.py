"""Labels to codes, and codes to counts of classes and of pairs.

Conventions
-----------
Classes are the labels that occur in either column, ascending. Integers within a short range are
their own codes, so that encoding costs no more than finding the range; text, and integers spread
wide, go through a hash table.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmetrics.errors import LabelError
from fastmetrics.input.columns import UNIT, Columns, Weights
from fastmetrics.kernels import confusion as _kernels

# a table of all pairs up to this many labels; it stays in the cache of a core
_PAIRS = 256
# a table of all labels in the range up to this many, or one per row
_RANGE = 65_536
_KNOWN = 1024  # distinct rows that the hash table starts with
_BYTE = 256  # numbers that fit into one


class Codes(NamedTuple):
    """Two columns (n,) of integers from ``low`` on, and the label of each."""

    y_true: NDArray[Any]
    y_pred: NDArray[Any]
    low: int
    labels: NDArray[Any]  # (R,) ascending; with gaps only where R is small


class Confusion(NamedTuple):
    """What two columns of labels have in common."""

    classes: NDArray[Any]  # (K,) ascending
    counts: NDArray[Any]  # (K, 4): tp, fp, fn and tn of each class, int64 or float64
    pairs: NDArray[Any] | None  # (K, K), rows are true; None where K is large
    codes: Codes
    weights: Weights


def count(columns: Columns, weights: Weights = UNIT) -> Confusion:
    """Classes and their counts."""
    codes = _encode(columns)
    size = len(codes.labels)
    counts = np.zeros((size, 4), weights.dtype)
    pairs = None
    if size > _PAIRS:
        complete = _kernels.count_classes(codes.y_true, codes.y_pred, weights, counts)
    else:
        pairs = _count_pairs(codes, weights)
        complete = _kernels.one_versus_rest(pairs, counts)
    found = Confusion(codes.labels, counts, pairs, codes, weights)
    if not complete:
        found = _present_only(found)
    dtype = codes.labels.dtype
    if dtype.kind in "iu" and not dtype == columns.dtypes[0] == columns.dtypes[1]:
        return found._replace(classes=_as_handed_in(found, columns.dtypes))
    return found


def _count_pairs(codes: Codes, weights: Weights) -> NDArray[Any]:
    """Counts (R, R) of the pairs of codes."""
    size = len(codes.labels)
    pairs = np.zeros((size, size), weights.dtype)
    if size == 2 and weights.dtype == np.int64:
        _kernels.count_two(codes.y_true, codes.y_pred, codes.low + 1, weights, pairs)
    else:
        _kernels.count_pairs(codes.y_true, codes.y_pred, codes.low, weights, pairs)
    return pairs


def _present_only(found: Confusion) -> Confusion:
    """Without the labels of the range that occur nowhere; a row of weight 0 is a row."""
    codes = found.codes
    present: NDArray[np.bool_]
    if found.weights.size > 1:
        present = np.zeros(len(codes.labels), np.bool_)
        for values in (codes.y_true, codes.y_pred):
            _kernels.mark_present(values, codes.low, present)
    else:
        present = found.counts[:, :3].max(axis=1) > 0
    pairs = None if found.pairs is None else found.pairs[np.ix_(present, present)]
    return found._replace(classes=found.classes[present], counts=found.counts[present], pairs=pairs)


def _as_handed_in(found: Confusion, dtypes: tuple[Any, Any]) -> NDArray[Any]:
    """Classes in the type of y_true where it has them all, else in the common type."""
    if dtypes[0] == dtypes[1] or (found.counts[:, 0] + found.counts[:, 2]).all():
        return found.classes.astype(dtypes[0])
    return found.classes.astype(np.result_type(*dtypes))


def _encode(columns: Columns) -> Codes:
    """Columns of any type to codes."""
    y_true, y_pred = columns.y_true, columns.y_pred
    kind = y_true.dtype.kind
    if kind == "O":
        return _encode_objects(y_true, y_pred)
    if kind == "U":
        if y_true.dtype != y_pred.dtype:
            wide = np.result_type(y_true, y_pred)
            y_true, y_pred = y_true.astype(wide, copy=False), y_pred.astype(wide, copy=False)
        return _encode_rows(y_true, y_pred)
    low, high = map(int, _kernels.span(y_true, y_pred))
    size = high - low + 1
    if size <= _PAIRS:
        return Codes(y_true, y_pred, low, np.arange(low, high + 1))
    if size > max(_RANGE, y_true.size):
        return _encode_rows(y_true, y_pred)
    present = np.zeros(size, np.bool_)
    for values in (y_true, y_pred):
        _kernels.mark_present(values, low, present)
    offsets = np.flatnonzero(present)
    table = np.zeros(size, np.uint16 if len(offsets) <= 65_536 else np.uint32)
    table[offsets] = np.arange(len(offsets))
    codes = [_recoded(values, low, table) for values in (y_true, y_pred)]
    return Codes(codes[0], codes[1], 0, offsets + low)


def _recoded(values: NDArray[Any], low: int, table: NDArray[Any]) -> NDArray[Any]:
    """Codes (n,) in the type of the table (R,)."""
    codes = np.empty(values.size, table.dtype)
    _kernels.recode(values, low, table, codes)
    return codes


def _encode_rows(y_true: NDArray[Any], y_pred: NDArray[Any]) -> Codes:
    """Text and integers (n,) of one width to codes, by the bits of each label."""
    dtype, n = y_true.dtype, y_true.size
    words = y_true.view(np.uint32).reshape(n, -1), y_pred.view(np.uint32).reshape(n, -1)
    codes = np.empty((2, n), np.uint32)
    capacity, filled = _KNOWN, -1
    while filled < 0:
        capacity = min(capacity, 2 * n)
        known = np.empty((capacity, words[0].shape[1]), np.uint32)
        filled = _kernels.encode_columns(*words, known, codes)
        capacity *= 16
    labels = known[:filled].view(dtype).ravel()
    if dtype.kind == "U":  # ascending word for word, as text is
        return Codes(codes[0], codes[1], 0, labels)
    order = np.argsort(labels)
    ranks = np.empty(filled, np.uint32)
    ranks[order] = np.arange(filled)
    for numbers in codes:
        _kernels.recode(numbers, 0, ranks, numbers)
    return Codes(codes[0], codes[1], 0, labels[order])


def _encode_objects(y_true: NDArray[Any], y_pred: NDArray[Any]) -> Codes:
    """Python objects (n,) to codes, by loops in C."""
    numbers: defaultdict[Any, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # labels are numbered as they come
    found = itemgetter(*y_true.tolist(), *y_pred.tolist())(numbers)
    if len(numbers) <= _BYTE:
        codes: NDArray[Any] = np.frombuffer(bytes(found), np.uint8)
    else:
        codes = np.frombuffer(array("I", found), np.uint32)
    ordered = sorted(numbers)
    ranks = np.empty(len(ordered), np.uint32)
    for rank, label in enumerate(ordered):
        ranks[numbers[label]] = rank
    codes = ranks.take(codes)
    n = y_true.size
    return Codes(codes[:n], codes[n:], 0, np.array(ordered))


def true_labels(found: Confusion) -> set[Any]:
    """Labels that occur in y_true, whatever they weigh."""
    if found.weights.size == 1:
        present = (found.counts[:, 0] + found.counts[:, 2]) > 0
        return set(found.classes[present].tolist())
    present = np.zeros(len(found.codes.labels), np.bool_)
    _kernels.mark_present(found.codes.y_true, found.codes.low, present)
    return set(found.codes.labels[present].tolist())


def positions(classes: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.intp]:
    """Where each label (L,) is among the classes (K,), -1 where it is not."""
    if (classes.dtype.kind in "UO") != (labels.dtype.kind in "UO"):
        raise LabelError(
            f"labels holds {labels.tolist()[0]!r}, y_true and y_pred hold "
            f"{classes.tolist()[0]!r}: text and numbers are never equal"
        )
    places = {label: place for place, label in enumerate(classes.tolist())}
    return np.array([places.get(label, -1) for label in labels.tolist()], np.intp)


def counts_of(found: Confusion, labels: NDArray[Any]) -> NDArray[Any]:
    """Counts (L, 4) of the labels asked for; one that does not occur has true negatives only."""
    places = positions(found.classes, labels)
    counts = found.counts[places]
    absent = places < 0
    if absent.any():
        total = found.counts[0].sum()
        counts[absent] = np.array([0, 0, 0, total], counts.dtype)
    return counts


def pairs_of(found: Confusion, labels: NDArray[Any] | None = None) -> NDArray[Any]:
    """Counts (L, L) of the pairs of labels asked for, or (K, K) of all classes."""
    if labels is None and found.pairs is not None:
        return found.pairs
    if labels is None:
        places = np.arange(len(found.classes))
    else:
        places = _last_only(positions(found.classes, labels))
    if found.pairs is None:
        return _recounted(found, places)
    pairs = found.pairs[np.ix_(places, places)]
    pairs[places < 0] = 0
    pairs[:, places < 0] = 0
    return pairs


def _last_only(places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of a label that is asked for twice the last place has the rows, as scikit-learn has it."""
    last = {place: number for number, place in enumerate(places.tolist())}
    if len(last) == len(places):
        return places
    return np.array([p if last[p] == i else -1 for i, p in enumerate(places.tolist())], np.intp)


def _recounted(found: Confusion, places: NDArray[np.intp]) -> NDArray[Any]:
    """Counts (L, L) of the classes at these places out of many; the others share a row more."""
    size = len(places)
    table = np.full(len(found.classes) + 1, size, np.uint32)
    table[places] = np.arange(size)
    table = table[:-1]  # where the labels that do not occur went
    codes = [_recoded(values, 0, table) for values in (found.codes.y_true, found.codes.y_pred)]
    pairs = np.zeros((size + 1, size + 1), found.weights.dtype)
    _kernels.count_pairs(codes[0], codes[1], 0, found.weights, pairs)
    return pairs[:size, :size]
