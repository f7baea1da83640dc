"""Which rows of a yes-or-no forecast came true, by the rule of the Brier score.

Conventions
-----------
Outcomes are 1 for a positive row and 0 for others. Plain integers stay as they are, unchecked, for
the kernels that notice any other number; two texts are told apart in one pass.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmetrics.errors import LabelError
from fastmetrics.input.labels import Target, conventional_labels, is_positive
from fastmetrics.kernels.forecasts import tell_texts

GREATER = object()  # as pos_label: of two labels the greater one is positive

# types of labels that need no preparation
PLAIN = frozenset(np.dtype(kind) for kind in (np.int64, np.uint8, np.bool_))
_WORD = np.dtype(np.uint32)


def plain_outcomes(y_true: NDArray[Any], pos_label: object) -> NDArray[Any] | None:
    """Integers and bools (n,) as they are, unchecked, or which of two texts is positive.

    None for all that needs a closer look.
    """
    dtype = y_true.dtype
    if dtype in PLAIN:
        if not (pos_label is GREATER or is_one(pos_label)):
            return None
        return y_true.view(np.uint8) if dtype == np.bool_ else y_true
    if type(pos_label) is not str and pos_label is not GREATER:
        return None
    if dtype.kind == "O":
        return _positive_objects(y_true, pos_label)
    return _positive_texts(y_true, pos_label) if dtype.kind == "U" and dtype.isnative else None


def _positive_texts(y_true: NDArray[Any], pos_label: object) -> NDArray[np.uint8] | None:
    """1 where text (n,) is positive; None unless there are two, of which one is."""
    first = y_true.item(0)
    outcomes: NDArray[np.uint8] = np.empty(len(y_true), np.uint8)
    row = tell_texts(y_true.view(_WORD), int(first == pos_label), outcomes)
    if row == 0 or row == len(outcomes):
        return None
    other = y_true.item(row)
    if pos_label is GREATER:
        return outcomes if first < other else 1 - outcomes
    return outcomes if pos_label in (first, other) else None


def _positive_objects(y_true: NDArray[Any], pos_label: object) -> NDArray[np.uint8] | None:
    """As ``_positive_texts``, of Python's strings (n,), by loops in C."""
    values = y_true.tolist()
    first = values[0]
    try:
        other = next((value for value in values if value != first), first)
        if not type(first) is type(other) is str or first == other:
            return None
        positive = max(first, other) if pos_label is GREATER else pos_label
        if positive not in (first, other):
            return None
        found = itemgetter(*values)({first: positive == first, other: positive == other})
    except (KeyError, TypeError, ValueError):  # a third text, or what is none
        return None
    return np.frombuffer(bytearray(found), np.uint8)


def is_one(pos_label: object) -> bool:
    """Whether the positive label is 1 or left open."""
    return pos_label is None or (type(pos_label) is int and pos_label == 1)


def positive_outcomes(found: Target, pos_label: object) -> NDArray[np.uint8]:
    """1 where a row has the positive label: 1, else the greater number, else the one named."""
    classes = found.classes
    if pos_label is None:
        text = classes.dtype.kind in "OUS"
        if text or classes.tolist() in ([0], [-1], [1], [0, 1], [-1, 1]):
            return conventional_labels(found.values, classes)
        return is_positive(found.values, classes[-1])
    outcomes = is_positive(found.values, pos_label)
    if len(classes) > 1 and not outcomes.any():
        shown = " and ".join(repr(value) for value in classes.tolist())
        raise LabelError(f"pos_label={pos_label!r} does not occur in y_true, which holds {shown}")
    return outcomes
