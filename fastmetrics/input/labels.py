"""Which rows are positive: scikit-learn's rules for the drop-ins, ours for everything else.

Conventions
-----------
- Labels come out as uint8, 1 for a positive row.
- ``roc_auc_score`` takes the greater of two labels as positive. The curves take 1 out of {0, 1} or
  {-1, 1} and want ``pos_label`` otherwise, as scikit-learn has it; unlike it they refuse a
  ``pos_label`` that occurs nowhere among two or more labels.
- ``binary_labels``, the rule of all functions of our own, is the rule of the curves, with the
  column of a data frame in mind: it also takes numbers held as objects, and a class that is
  absent altogether only where the labels can be nothing but 0 or -1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.arrays import all_text, as_array, check_not_empty, column
from fastmetrics.input.validation import numbers, require_finite, require_no_missing

FEW = 1_000  # labels that are told apart by Python, not by comparisons of arrays
_CONVENTIONAL: tuple[list[int], ...] = ([0, 1], [-1, 1], [0], [-1], [1])


class Target(NamedTuple):
    """Labels and what they are."""

    kind: str  # scikit-learn's type_of_target
    values: NDArray[Any]  # (n,), or (n, k) for label indicators
    classes: NDArray[Any]  # sorted


def target(y_true: ArrayLike, name: str = "y_true") -> Target:
    """Judge labels as scikit-learn does, without it where they are plainly binary."""
    array = as_array(y_true, name)
    check_not_empty(array, name)
    if array.dtype.kind == "O":
        holds_text(array, name)  # or is refused
    if array.ndim == 1 or array.shape[1:] == (1,):
        flat = array.ravel()
        classes = _two_classes(flat)
        if classes is not None:
            return Target("binary", flat, classes)
    if array.dtype.kind == "f":
        require_finite(array, name)
    from sklearn.utils.multiclass import type_of_target

    kind = str(type_of_target(array, input_name=name))
    if kind in ("binary", "multiclass"):
        return Target(kind, array.ravel(), np.unique(array))
    return Target(kind, array, np.unique(array) if kind == "multilabel-indicator" else array[:0])


def named_labels(labels: ArrayLike) -> NDArray[Any]:
    """Labels (L,) as an option names them: numbers, or text, in the caller's order."""
    array = column(as_array(labels, "labels"), "labels")
    if array.dtype.kind == "O":
        array = _plain(array, "labels")
    if array.dtype.kind == "f":
        require_finite(array, "labels")
    return array


def holds_text(array: NDArray[Any], name: str) -> bool:
    """Whether objects are text; refuses missing labels, and text among others."""
    if all_text(array.ravel().tolist()):
        return True
    kinds = require_no_missing(array, name)
    if any(issubclass(kind, str) for kind in kinds):
        named = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise LabelError(f"{name} mixes {named}: give labels of one type")
    return False


def few_classes(flat: NDArray[Any]) -> NDArray[Any]:
    """The distinct labels of a few (n,), sorted; Python's set costs a third of NumPy's."""
    return np.array(sorted(set(flat.tolist())), flat.dtype)


def _plain(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Objects (n,) as the numbers, bools or text that they are."""
    holds_text(array, name)  # or is refused
    try:
        plain = np.array(array.tolist())
    except ValueError:  # lists of several lengths
        plain = array
    if plain.shape == array.shape and plain.dtype.kind in "biufUS":
        return plain
    return numbers(array, name)


def _two_classes(flat: NDArray[Any]) -> NDArray[Any] | None:
    """The one or two classes of (n,) labels, None where there are more or none can be told.

    No sort: with two values every entry equals the lowest or the highest.
    """
    if flat.dtype.kind in "biuf":
        low, high = flat.min(), flat.max()
        if flat.dtype.kind == "f" and not (float(low).is_integer() and float(high).is_integer()):
            return None
    elif flat.dtype.kind == "U" or isinstance(flat[0], str):
        if len(flat) <= FEW:
            classes = few_classes(flat)
            return classes if len(classes) < 3 else None
        low = flat[0]
        other = flat != low
        high = flat[np.argmax(other)]
    else:
        return None
    if not ((flat == low) | (flat == high)).all():
        return None
    return np.array(sorted({low, high}), dtype=flat.dtype)


def is_positive(values: NDArray[Any], positive: object) -> NDArray[np.uint8]:
    """1 where a label equals the positive one, same shape."""
    same = np.asarray(values == positive, dtype=bool)
    if same.shape != values.shape:  # NumPy's one answer for types that never are equal
        return np.zeros(values.shape, np.uint8)
    return same.view(np.uint8)


def _is_conventional(classes: NDArray[Any]) -> bool:
    return classes.dtype.kind in "biuf" and classes.tolist() in _CONVENTIONAL


def _quoted(classes: NDArray[Any], last: str = " and ") -> str:
    """The classes as Python would write them; the middle of many left out."""
    shown = [repr(value) for value in classes[:10].tolist()]
    if len(classes) > len(shown):
        return ", ".join(shown[:3]) + ", ..."
    return last.join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _require_present(labels: NDArray[np.uint8], pos_label: object, classes: NDArray[Any]) -> None:
    if not labels.any():
        raise LabelError(
            f"pos_label={pos_label!r} does not occur in y_true, which holds {_quoted(classes)}"
        )


def conventional_labels(values: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.uint8]:
    """Labels out of {0, 1} or {-1, 1}, any shape; scikit-learn's message for all others."""
    if not _is_conventional(classes):
        listed = ", ".join(repr(value) for value in classes.tolist())
        raise LabelError(
            f"y_true takes value in {{{listed}}} and pos_label is not specified: either make "
            "y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
        )
    return is_positive(values, 1)


def curve_labels(y_true: ArrayLike, pos_label: object) -> Target:
    """Labels of one curve by scikit-learn's rule; the values come out as uint8."""
    found = target(y_true)
    if not (found.kind == "binary" or (found.kind == "multiclass" and pos_label is not None)):
        raise InputError(f"{found.kind} format is not supported")
    if pos_label is None:
        return found._replace(values=conventional_labels(found.values, found.classes))
    labels = is_positive(found.values, pos_label)
    if len(found.classes) > 1:
        _require_present(labels, pos_label, found.classes)
    return found._replace(values=labels)


def binary_labels(
    y_true: ArrayLike, pos_label: object = None, *, name: str = "y_true"
) -> NDArray[np.uint8]:
    """Labels of a binary problem.

    Bools, {0, 1} and {-1, 1} need no ``pos_label``; anything else does, and more than two labels
    become one against the rest.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, 1)
        Numbers, bools or text; nothing may be missing.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    name : str
        What messages call the labels.

    Returns
    -------
    uint8 ndarray of shape (n,)
        1 for a positive row. The same array where it already is one.

    Raises
    ------
    LabelError
        The positive class cannot be told, or does not occur.
    InputError
        Empty or missing entries, or more than one column.
    """
    array = column(as_array(y_true, name), name)
    if array.dtype.kind == "O":
        array = _plain(array, name)
    if array.dtype.kind == "f":
        require_finite(array, name)
    if pos_label is None and array.dtype == np.uint8 and array.max() <= 1:
        return np.ascontiguousarray(array)
    two = _two_classes(array)
    classes = np.unique(array) if two is None else two
    conventional = _is_conventional(classes)
    if pos_label is None:
        if not conventional:
            raise _ask_for_positive(classes, name)
        return is_positive(array, 1)
    labels = is_positive(array, pos_label)
    if not (conventional and pos_label == 1):
        _require_present(labels, pos_label, classes)
    return labels


def _ask_for_positive(classes: NDArray[Any], name: str) -> LabelError:
    """What to say when the positive class is not named."""
    if classes.dtype.kind == "f" and (classes % 1 != 0).any():
        return LabelError(f"{name} holds the numbers {_quoted(classes)}: labels are needed")
    if len(classes) == 1:
        found = f"only {_quoted(classes)}: name the positive class"
    elif len(classes) == 2:
        found = f"{_quoted(classes)}: name the positive one"
    else:
        found = f"{len(classes):,} classes ({_quoted(classes)}): name the positive one"
    return LabelError(f"{name} holds {found}, pos_label={classes.tolist()[-1]!r}")
