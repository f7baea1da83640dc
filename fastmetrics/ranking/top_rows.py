"""How many positives the top of the ranking holds: precision, recall and lift at the first k rows.

Conventions
-----------
The rows are taken from the highest score down. Rows that tie at the cut count by their expected
share, the mean over all orders of the tie: of 4 tied rows with 1 positive and 2 places left, half
a positive. ``k`` is a whole number of rows, or a share of them between 0 and 1. With weights, k
rows are a weight of k, so that a weight of 2 stands for two equal rows. Labels are bools, {0, 1}
or {-1, 1}, others with ``pos_label``.
"""

from __future__ import annotations

from functools import lru_cache, partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats, Formula, Metric, Statistic, Weighing
from fastmetrics.engine.sweeps.units import sort_rows
from fastmetrics.errors import InputError, invalid_parameter, warn_undefined
from fastmetrics.kernels.lanes import class_lanes, top_lanes
from fastmetrics.ranking._binary import binary_cells
from fastmetrics.ranking._curves import Cells, cells_of


def precision_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: float,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Share of positives among the k rows with the highest scores.

    ``tp / k``, where tp counts the positives of the first k rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    k : int, or float in (0, 1)
        Number of rows, up to n, or a share of them.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more: a weight of 2 stands for two equal rows.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1]; the prevalence for scores without information.

    Raises
    ------
    InputError
        Data that cannot be scored, or fewer than k rows.
    InvalidParameterError
        ``k`` is neither.

    Notes
    -----
    Rows that tie at the cut count by their expected share, so the order of the rows is of no
    account. One sort of n scores.

    References
    ----------
    Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, section 8.4. Ties:
    McSherry & Najork (2008), doi:10.1007/978-3-540-78646-7_38.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.precision_at_k([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], k=3)
    0.6666666666666666
    """
    sums = _public_sums("precision_at_k", y_true, y_score, k, sample_weight, pos_label)
    return float(precision_of_top(sums))


def recall_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: float,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """Share of the positives that are among the k rows with the highest scores.

    ``tp / P``, where tp counts the positives of the first k rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    k : int, or float in (0, 1)
        Number of rows, up to n, or a share of them.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more: a weight of 2 stands for two equal rows.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        In [0, 1], and at most ``k / P``. nan, with a warning, without positives.

    Raises
    ------
    InputError
        Data that cannot be scored, or fewer than k rows.
    InvalidParameterError
        ``k`` is neither.

    Notes
    -----
    Rows that tie at the cut count by their expected share. One sort of n scores.

    References
    ----------
    Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, section 8.4.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.recall_at_k([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], k=1)
    0.5
    """
    sums = _public_sums("recall_at_k", y_true, y_score, k, sample_weight, pos_label)
    return _defined("recall_at_k", recall_of_top, sums)


def lift_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: float,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> float:
    """How many times more positives the k highest scores hold than k rows drawn blindly.

    ``(tp / k) / (P / n)``, where tp counts the positives of the first k rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    k : int, or float in (0, 1)
        Number of rows, up to n, or a share of them: 0.1 is the lift of the top tenth.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more: a weight of 2 stands for two equal rows.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    float
        From 0 to the smaller of ``n / k`` and ``n / P``; 1 for scores without information. nan,
        with a warning, without positives.

    Raises
    ------
    InputError
        Data that cannot be scored, or fewer than k rows.
    InvalidParameterError
        ``k`` is neither.

    Notes
    -----
    Rows that tie at the cut count by their expected share. One sort of n scores. A lift depends on
    the prevalence: compare lifts on the same rows only.

    References
    ----------
    Vuk & Curk (2006), ROC curve, lift chart and calibration plot, Metodološki zvezki 3(1).

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.lift_at_k([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8], k=0.25)
    2.0
    """
    sums = _public_sums("lift_at_k", y_true, y_score, k, sample_weight, pos_label)
    return _defined("lift_at_k", lift_of_top, sums)


def _public_sums(
    caller: str,
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: float,
    sample_weight: ArrayLike | None,
    pos_label: object,
) -> Floats:
    """Sums of the top rows of a caller's data; too large a k is refused."""
    _check_k(caller, k)
    cells = binary_cells(y_true, y_score, sample_weight, pos_label)
    sums = _sums_of_top(cells, k)
    if np.isnan(sums[0]):
        total = f"{sums[3]:g}"
        what = "weight" if sample_weight is not None else "rows"
        raise InputError(f"k={k} exceeds the {what} of the data, {total}")
    return sums


def _check_k(caller: str, k: Any) -> None:
    """A whole number of rows, or a share of them."""
    if not isinstance(k, bool | np.bool_):
        if isinstance(k, int | np.integer) and k >= 1:
            return
        if isinstance(k, Real) and 0 < float(k) < 1:
            return
    raise invalid_parameter(
        f"The 'k' parameter of {caller} must be an int in the range [1, inf), a number of rows, or "
        f"a float in the range (0, 1), a share of them. Got {k!r} instead."
    )


def _sums_of_top(cells: Cells, k: float) -> Floats:
    """Positives among the first k rows, these rows, all positives, all rows; nan if too few."""
    sizes = cells.positives + cells.negatives
    flagged, tp = sizes.cumsum(), cells.positives.cumsum()
    rows = k * flagged[-1] if k < 1 else float(k)
    if rows > flagged[-1]:
        return np.array([np.nan, rows, tp[-1], flagged[-1]])
    cut = int(np.searchsorted(flagged, rows))
    left = rows - (flagged[cut] - sizes[cut])
    found = tp[cut] - cells.positives[cut] + left * cells.positives[cut] / sizes[cut]
    # weights are rounded sums: no more than the group holds, and no more than was taken
    found = min(found, tp[cut], rows)
    return np.array([found, rows, tp[-1], flagged[-1]], np.float64)


def _defined(caller: str, formula: Formula, sums: Floats) -> float:
    """Value of a formula; nan and a warning without positives."""
    if sums[2] > 0:
        return float(formula(sums))
    warn_undefined(f"No positive rows in y_true: {caller} is undefined")
    return float("nan")


def precision_of_top(sums: Floats) -> Floats:
    """Share of positives among the top rows."""
    return sums[..., 0] / sums[..., 1]


def recall_of_top(sums: Floats) -> Floats:
    """Share of the positives among the top rows."""
    return sums[..., 0] / sums[..., 2]


def lift_of_top(sums: Floats) -> Floats:
    """Share of positives among the top rows over that among all."""
    return precision_of_top(sums) / (sums[..., 2] / sums[..., 3])


def measure_top(y_true: Floats, y_score: Floats, weights: Floats, k: float) -> Floats:
    """Sums (4,) of the top rows of labels 0 and 1, scores and weights, each (n,)."""
    if not weights.any():
        return np.array([np.nan, 0.0 if k < 1 else k, 0.0, 0.0])
    scores = np.ascontiguousarray(y_score)
    cells = cells_of(
        np.ascontiguousarray(y_true, np.uint8), scores, np.ascontiguousarray(weights, np.float64)
    )
    return _sums_of_top(cells, k)


def prepare_top(y_true: Floats, y_score: Floats, k: float) -> Weighing:
    """Sort the scores once."""
    order, keys = sort_rows(np.ascontiguousarray(y_score))
    labels = np.ascontiguousarray(y_true, np.uint8)
    sorted_labels, ends = labels[order], np.append(keys[1:] != keys[:-1], True)

    def sums_of_lanes(weights: Floats) -> Floats:
        totals = np.zeros((2, weights.shape[1]))
        class_lanes(labels, weights, totals)
        total = totals.sum(axis=0)
        rows = k * total if k < 1 else np.full(total.size, float(k))
        reached = (rows <= total) & (total > 0.0)
        found = np.full(total.size, np.nan)
        top_lanes(order, sorted_labels, ends, weights, np.where(reached, rows, np.inf), found)
        found[~reached] = np.nan
        return np.stack([found, rows, totals[1], total], axis=1)

    return sums_of_lanes


@lru_cache(maxsize=64)
def top_statistic(k: float) -> Statistic:
    """Describe the sums of the top rows; one description per k, so that metrics share it."""
    return Statistic(
        "positives at the top, rows at the top, positives, rows",
        4,
        "rows",
        measure=partial(measure_top, k=k),
        prepare=partial(prepare_top, k=k),
    )


def _describe(name: str, formula: Formula, k: float, highest: float) -> Metric:
    """Describe a metric of the top rows."""
    _check_k(name, k)
    source = "top of the ranking, ties by their expected share"
    return Metric(
        name,
        top_statistic(k),
        formula,
        "score",
        (0.0, highest),
        True,
        source=source,
        options=(("k", k),),
    )


def describe_precision(*, k: float) -> Metric:
    """Describe the share of positives among the first k rows."""
    return _describe("precision_at_k", precision_of_top, k, 1.0)


def describe_recall(*, k: float) -> Metric:
    """Describe the share of the positives among the first k rows."""
    return _describe("recall_at_k", recall_of_top, k, 1.0)


def describe_lift(*, k: float) -> Metric:
    """Describe precision among the first k rows over prevalence."""
    return _describe("lift_at_k", lift_of_top, k, float("inf"))
