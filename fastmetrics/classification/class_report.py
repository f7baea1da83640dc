"""Table of precision, recall and F1 of every class, and their averages.

Conventions
-----------
The text and the dictionary are scikit-learn's, to the letter. Each thing that is undefined is
warned of once; scikit-learn repeats it for every average.
"""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification._averaging import (
    PRECISION,
    RECALL,
    Groups,
    any_nan,
    averaged,
    check_zero_division,
    f_score,
    group,
    ill_defined,
    label_column,
    rates,
    shown_counts,
    target_counts,
)
from fastmetrics.errors import InputError, invalid_parameter, warn, warn_undefined
from fastmetrics.input.codes import count
from fastmetrics.input.columns import Columns, Indicators, Weights, read_targets
from fastmetrics.input.options import check_flag

_HEADERS = ("precision", "recall", "f1-score", "support")
_RATES = (PRECISION, RECALL, f_score(1.0))
_LAST_HEADING = "weighted avg"
Report = dict[str, Any]


class _Problem(NamedTuple):
    """What the table is about."""

    labels: list[Any]
    counts: NDArray[Any]  # (K, 4) of the classes
    samples: Groups | None  # of the rows, for label indicators
    all_classes: bool  # whether the micro average is the accuracy


def classification_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    target_names: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: float | str = "warn",
) -> str | Report:
    """Report of precision, recall, F1 and support of every class.

    One line per class or label, then the accuracy (or the micro average) and the macro and weighted
    averages.

    Parameters
    ----------
    y_true : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Labels, or label indicators of 0 and 1.
    y_pred : array-like of shape (n,), or array-like or sparse matrix of shape (n, k)
        Predicted labels or indicators.
    labels : array-like of shape (K,), optional
        The classes, or the columns of indicators, in this order; all by default.
    target_names : array-like of shape (K,), optional
        What to call them.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    digits : int, default=2
        Decimals of the text.
    output_dict : bool, default=False
        Return a dictionary of unrounded numbers.
    zero_division : {0, 1, nan or "warn"}, default="warn"
        What 0/0 becomes: 0 with a warning by default; nan is left out of averages.

    Returns
    -------
    str or dict
        Shares in [0, 1]; the support in rows or their weight. The line "accuracy" becomes "micro
        avg" where ``labels`` leaves a class out.

    Raises
    ------
    InputError
        Data that are no labels, or another number of names than classes.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows for the whole table.

    References
    ----------
    Sokolova & Lapalme (2009), doi:10.1016/j.ipm.2009.03.002.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> print(fm.classification_report(["a", "b", "c", "c"], ["a", "b", "c", "b"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
               a       1.00      1.00      1.00         1
               b       0.50      1.00      0.67         1
               c       1.00      0.50      0.67         2
    <BLANKLINE>
        accuracy                           0.75         4
       macro avg       0.83      0.83      0.78         4
    weighted avg       0.88      0.75      0.75         4
    <BLANKLINE>
    """
    check_zero_division("classification_report", zero_division)
    check_flag("classification_report", "output_dict", output_dict)
    whole: Any = digits
    if not (isinstance(whole, Integral) and int(whole) >= 0):
        raise invalid_parameter(
            "The 'digits' parameter of classification_report must be an int of 0 or more. "
            f"Got {digits!r} instead."
        )
    problem = _read(*read_targets(y_true, y_pred, sample_weight), labels)
    names = _names(target_names, problem.labels, labels is not None)
    classes, averages = _lines(problem, zero_division)
    if output_dict:
        return _dictionary(names, classes, averages)
    return _text(names, classes, averages, int(digits))


def _read(targets: Columns | Indicators, weights: Weights, labels: ArrayLike | None) -> _Problem:
    """Counts of the classes asked for."""
    named = None if labels is None else label_column(labels)
    if isinstance(targets, Indicators):
        counts = target_counts(targets, weights, named)
        rows = target_counts(targets, weights, named, samplewise=True)
        columns = list(range(targets.y_true.shape[1])) if named is None else named.tolist()
        return _Problem(columns, counts, group(rows, "samples", weights), all_classes=False)
    found = count(targets, weights)
    shown = found.classes if named is None else named
    complete = named is None or set(named.tolist()) >= set(found.classes.tolist())
    return _Problem(list(shown), shown_counts(found, named), None, complete)


def _names(target_names: ArrayLike | None, labels: list[Any], named: bool) -> list[str]:
    """What the lines are called."""
    if target_names is None:
        return [str(label) for label in labels]
    names: list[Any] = list(target_names)  # type: ignore[arg-type]
    if len(names) != len(labels):
        if not named:
            raise InputError(
                f"Number of classes, {len(labels)}, does not match size of target_names, "
                f"{len(names)}. Try specifying the labels parameter"
            )
        warn(f"labels size, {len(labels)}, does not match size of target_names, {len(names)}")
    return names


def _lines(
    problem: _Problem, zero_division: float | str
) -> tuple[list[NDArray[Any]], dict[str, list[Any]]]:
    """Columns of the classes (K,), and lines of the averages, with the support at the end."""
    counts, texts = problem.counts, dict[str, None]()
    replacement = 0.0 if isinstance(zero_division, str) else zero_division
    support = counts[:, 0] + counts[:, 2]
    micro = group(counts, "micro")
    # the micro average goes with the classes, as one class more
    together = np.concatenate([counts, micro.counts])
    found = rates(_RATES, Groups(together, None, None), math.nan, ())
    for rate, values in zip(_RATES, found if any_nan(found) else ()):
        undefined = np.isnan(values)
        if undefined[:-1].any():
            texts[ill_defined(rate, None, len(counts))] = None
        if undefined[-1]:
            texts[ill_defined(rate, "micro", 1)] = None
        values[undefined] = replacement
    columns = found[:, :-1]
    macro, weighted = Groups(counts, "macro", None), Groups(counts, "weighted", support)
    lines = {
        "accuracy" if problem.all_classes else "micro avg": found[:, -1].tolist(),
        "macro avg": averaged(columns, macro),
        _LAST_HEADING: averaged(columns, weighted),
    }
    if problem.samples is not None:
        lines["samples avg"] = _sample_line(problem.samples, replacement, texts)
    if isinstance(zero_division, str):
        for text in texts:
            warn_undefined(text)
    total = support.sum()
    averages = {heading: [*values, total] for heading, values in lines.items()}
    return [*columns, support], averages


def _sample_line(samples: Groups, replacement: float, texts: dict[str, None]) -> list[float]:
    """Averages over the rows; adds what has to be warned of."""
    found = rates(_RATES, samples, math.nan, ())
    for rate, values in zip(_RATES, found if any_nan(found) else ()):
        undefined = np.isnan(values)
        if undefined.any():
            texts[ill_defined(rate, "samples", len(values))] = None
        values[undefined] = replacement
    return averaged(found, samples)


def _dictionary(
    names: list[str], columns: list[NDArray[Any]], averages: dict[str, list[Any]]
) -> Report:
    """The report as a dictionary of dictionaries."""
    lines = {**dict(zip(names, zip(*columns))), **averages}
    report: Report = {
        name: dict(zip(_HEADERS, map(float, values))) for name, values in lines.items()
    }
    if "accuracy" in averages:
        report["accuracy"] = report["accuracy"]["precision"]
    return report


def _text(
    names: list[str],
    columns: list[NDArray[Any]],
    averages: dict[str, list[Any]],
    digits: int,
) -> str:
    """The report as a table."""
    width = max(*map(len, names), len(_LAST_HEADING), digits)
    line = "{:>{width}s} " + " {:>9.{digits}f}" * 3 + " {:>9}\n"
    accuracy = "{:>{width}s} " + " {:>9}" * 2 + " {:>9.{digits}f} {:>9}\n"
    parts = [("{:>{width}s} " + " {:>9}" * 4).format("", *_HEADERS, width=width), "\n\n"]
    for name, *values in zip(names, *columns):
        parts.append(line.format(name, *values, width=width, digits=digits))
    parts.append("\n")
    for heading, values in averages.items():
        if heading == "accuracy":
            shown = accuracy.format(heading, "", "", *values[2:], width=width, digits=digits)
        else:
            shown = line.format(heading, *values, width=width, digits=digits)
        parts.append(shown)
    return "".join(parts)
