"""Hinge loss of the decisions of a classifier with margins.

Conventions
-----------
A decision is a signed number, positive for the greater of two classes, or one number per class. The
function has scikit-learn's signature, numbers and errors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.classification._averaging import label_column
from fastmetrics.engine.description import Floats, Metric, Statistic
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.arrays import as_array, check_lengths, column
from fastmetrics.input.columns import UNIT
from fastmetrics.input.kinds import codes_of, judge
from fastmetrics.input.labels import is_positive
from fastmetrics.input.validation import aligned_weights, encode_scores
from fastmetrics.kernels import hinge as _kernels
from fastmetrics.kernels.sums import total_and_lowest


def hinge_loss(
    y_true: ArrayLike,
    pred_decision: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Hinge loss.

    The mean of max(0, 1 - margin): the margin is the decision, with its sign turned for the lesser
    class, or the decision for the row's class less the highest of the others.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels; the greater of two is positive.
    pred_decision : array-like of shape (n,) or (n, K)
        Decisions, with one column per class where there are more than two.
    labels : array-like of shape (K,), optional
        All classes; those that occur by default.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        From 0 up; lower is better.

    Raises
    ------
    InputError
        Data that cannot be scored, or decisions that do not fit the classes.

    Notes
    -----
    One pass over n rows. Computed in float64 whatever the type of the decisions.

    References
    ----------
    Crammer & Singer (2001), JMLR 2, 265-292.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.hinge_loss([-1, 1, 1, -1], [-8.5, 0.5, 1.5, -0.3])
    0.3
    """
    found = judge(y_true)
    if found.kind not in ("binary", "multiclass"):
        raise InputError(f"{found.kind} format is not supported: y_true holds labels")
    decisions = as_array(pred_decision, "pred_decision")
    check_lengths(y_true=found.values, pred_decision=decisions)
    values = _finite(decisions)
    checked = None
    if sample_weight is not None:
        checked = aligned_weights(sample_weight, y_true=found.values, pred_decision=values)
    weights = UNIT if checked is None else checked
    total = float(len(values) if checked is None else checked.sum())
    classes = found.classes
    if labels is not None:
        classes = np.unique(label_column(labels))
        _require_known(found.classes, classes)
    if len(classes) > 2:
        _check_columns(values, classes, len(values), labels is not None)
        codes = codes_of(found.values, classes)
        return float(_kernels.sum_multiclass(codes, values, weights) / total)
    single = column(values, "pred_decision")
    return float(_kernels.sum_binary(_positive(found.values, classes), single, weights) / total)


def _finite(decisions: NDArray[Any]) -> NDArray[np.float64]:
    """Decisions as float64, whatever they lose by it; NaN and infinity are refused."""
    plain = decisions.dtype.char == "d" and decisions.flags.carray and decisions.size
    if plain and math.isfinite(total_and_lowest(decisions.reshape(-1))[0]):
        return decisions
    scored = encode_scores(decisions, "pred_decision")
    values = scored.values if scored.distinct is None else decisions
    return values.astype(np.float64, copy=False)


def _check_columns(values: NDArray[np.float64], classes: NDArray[Any], n: int, named: bool) -> None:
    """One decision per class."""
    if values.ndim == 2 and values.shape[1] == len(classes):
        return
    needed = (
        "With a multiclass target, pred_decision shape must be (n_samples, n_classes), that is "
        f"({n}, {len(classes)}). Got: {values.shape}"
    )
    if values.ndim == 1:
        raise InputError(
            "The shape of pred_decision cannot be 1d array"
            "with a multiclass target. pred_decision shape must be (n_samples, n_classes), that is "
            f"({n}, {len(classes)}). Got: {values.shape}"
        )
    if not named:
        raise InputError(
            "Please include all labels in y_true or pass labels as third argument. " + needed
        )
    raise InputError(
        "The shape of pred_decision is not consistent with the number of classes. " + needed
    )


def _require_known(present: NDArray[Any], classes: NDArray[Any]) -> None:
    """Refuse labels that are not among the classes named."""
    unknown = set(present.tolist()).difference(classes.tolist())
    if unknown:
        raise LabelError(
            f"y_true holds {sorted(unknown)}, which labels={classes.tolist()} does not"
        )


def _positive(truth: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.uint8]:
    """1 where a row has the greater of two classes."""
    if len(classes) == 2:
        return is_positive(truth, classes[1])
    only = classes.tolist()[0]
    if only in (-1, 0, 1):
        return is_positive(truth, 1)
    raise LabelError(
        f"y_true holds only {only!r}: name both classes, the positive one last, labels="
    )


def hinge_terms(y_true: NDArray[Any], decisions: Floats) -> Floats:
    """1 and the loss of each row, (n, 2).

    y_true is 0 or 1 for decisions (n,), and the column of the row's class for decisions (n, K).
    """
    if decisions.ndim == 1:
        margins = np.where(y_true == 1, decisions, -decisions)
    else:
        own = (np.arange(len(decisions)), y_true.astype(np.intp, copy=False))
        rivals = decisions.copy()
        rivals[own] = -np.inf
        margins = decisions[own] - rivals.max(axis=1)
    return np.stack([np.ones(len(margins)), np.maximum(1.0 - margins, 0.0)], axis=1)


def mean_loss(sums: Floats) -> Floats:
    """Loss per weight."""
    return sums[..., 1] / sums[..., 0]


METRICS: tuple[Metric, ...] = (
    Metric(
        "hinge_loss",
        Statistic("rows, hinge losses", 2, "sums", terms=hinge_terms, data="classes"),
        mean_loss,
        "score",
        (0.0, float("inf")),
        False,
        default_interval="bca",
        source="Crammer & Singer 2001, JMLR 2, 265-292",
    ),
)
