"""Whether the true class is among the k that score highest.

Conventions
-----------
Columns of scores stand in the order of the sorted classes. Of tied classes the last comes first,
as in scikit-learn, whose signature, numbers, warnings and errors the function has.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Metric, Statistic
from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.input.arrays import as_array, check_lengths, column, for_kernels
from fastmetrics.input.kinds import codes_of, judge
from fastmetrics.input.labels import Target, named_labels
from fastmetrics.input.options import check_flag
from fastmetrics.input.validation import aligned_weights, encode_scores
from fastmetrics.kernels.confusion import span
from fastmetrics.kernels.lists import place_classes, sum_hits
from fastmetrics.ranking._binary import plain_bits
from fastmetrics.ranking._lists import check_whole, mean_of_rows, plain_lists, total_of


def top_k_accuracy_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Share of the rows whose class is among the k with the highest scores.

    A row counts when fewer than k other classes come before its own.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two or more classes.
    y_score : array-like of shape (n,) or (n, c)
        Scores of the greater of two classes, or of each class. NaN is refused.
    k : int, default=2
        How many classes a row may name.
    normalize : bool, default=True
        Whether to return the share, else the number (or weight) of the rows.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    labels : array-like of shape (c,), optional
        The classes of the columns of ``y_score``, sorted; those that occur by default.

    Returns
    -------
    float
        In [0, 1], best 1; with ``normalize=False`` up to n, or the total weight.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option out of its range.

    Notes
    -----
    Of tied classes the last comes first. With two classes and ``k=1`` a row is called positive
    when its score exceeds 0.5, or 0 where some score lies outside [0, 1]. No sort: n * c steps.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_score = [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]]
    >>> fm.top_k_accuracy_score([0, 1, 2, 2], y_score, k=2)
    0.75
    """
    allowed = check_whole("top_k_accuracy_score", "k", k, none=False) or 1
    check_flag("top_k_accuracy_score", "normalize", normalize)
    plain = _plain_hits(y_true, y_score, sample_weight, allowed) if labels is None else None
    if plain is not None:
        return plain[0] / plain[1] if normalize else plain[0]
    found = judge(y_true)
    named = None if labels is None else named_labels(labels)
    kind = found.kind
    if kind == "binary" and named is not None and len(named) > 2:
        kind = "multiclass"
    if kind not in ("binary", "multiclass"):
        raise InputError(f"y type must be 'binary' or 'multiclass', got '{kind}' instead.")
    scores = _scores(y_score, found.values, kind)
    classes = _classes(found, named, scores.shape[1] if scores.ndim == 2 else 2)
    weights = aligned_weights(sample_weight, y_true=found.values, y_score=scores)
    if allowed >= len(classes):
        warn_undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({len(classes)}) will result in a "
            "perfect score and is therefore meaningless."
        )
    hits = _hits(codes_of(found.values, classes), scores, allowed)
    if normalize:
        return mean_of_rows(hits, weights)
    return float(hits.sum() if weights is None else hits @ weights)


def _plain_hits(
    y_true: Any, y_score: Any, sample_weight: ArrayLike | None, k: int
) -> tuple[float, float] | None:
    """Weight of the rows that hit, and of all, of plain arrays; None for what needs a look."""
    if k == 1 and sample_weight is None and getattr(y_score, "ndim", 0) == 1:
        return _plain_verdicts(y_true, y_score)
    plain = plain_lists(y_true, y_score, sample_weight, dimensions=1)
    if plain is None or plain[0].shape[1] <= max(k, 2):
        return None
    scores, codes, weights = plain
    hits, fine = sum_hits(scores, codes, k, weights)
    return (float(hits), total_of(weights, len(codes))) if fine else None


def _plain_verdicts(y_true: Any, y_score: Any) -> tuple[float, float] | None:
    """As ``_plain_hits`` of two classes, labelled 0 and 1, and the scores of the greater."""
    plain = plain_bits(y_true, y_score)
    if plain is None or span(plain[0], plain[0]) != (0, 1):
        return None
    low, high = y_score.min(), y_score.max()
    if not (low > -np.inf and high < np.inf):
        return None
    hits = _verdicts(plain[0], y_score, low, high)
    return float(np.count_nonzero(hits)), float(hits.size)


def _verdicts(
    codes: NDArray[Any], scores: NDArray[Any], low: float, high: float
) -> NDArray[np.bool_]:
    """Whether rows (n,) of classes 0 and 1 lie on their side of the cut, given the range."""
    cut = 0.5 if low >= 0 and high <= 1 else 0.0
    return np.asarray((scores > cut) == codes)


def _scores(y_score: ArrayLike, y_true: NDArray[Any], kind: str) -> NDArray[Any]:
    """Scores (n,) of two classes or (n, c) of more."""
    array = as_array(y_score, "y_score")
    if kind == "binary":
        if array.ndim == 2 and array.shape[1] != 1:
            raise InputError(
                f"`y_true` is binary while y_score is 2d with {array.shape[1]} classes. If "
                "`y_true` does not contain all the labels, `labels` must be provided."
            )
        array = column(array, "y_score")
    elif array.ndim != 2:
        raise InputError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            f"multiple classes. Got `y_score.shape={array.shape}`."
        )
    check_lengths(y_true=y_true, y_score=array)
    return encode_scores(array, "y_score").values


def _classes(found: Target, labels: NDArray[Any] | None, n_columns: int) -> NDArray[Any]:
    """The class of each column: ``labels``, else those that occur."""
    if labels is None:
        if len(found.classes) != n_columns:
            raise InputError(
                f"Number of classes in 'y_true' ({len(found.classes)}) not equal to the number of "
                f"classes in 'y_score' ({n_columns}). You can provide a list of all known classes "
                "by assigning it to the `labels` parameter."
            )
        return found.classes
    classes = np.unique(labels)
    if len(classes) != len(labels):
        raise InputError("Parameter 'labels' must be unique.")
    if not np.array_equal(classes, labels):
        raise InputError("Parameter 'labels' must be ordered.")
    if len(classes) != n_columns:
        raise InputError(
            f"Number of given labels ({len(classes)}) not equal to the number of classes in "
            f"'y_score' ({n_columns})."
        )
    if len(np.setdiff1d(found.classes, classes)):
        raise InputError("'y_true' contains labels not in parameter 'labels'.")
    return classes


def _hits(codes: NDArray[np.int64], scores: NDArray[Any], k: int) -> NDArray[np.bool_]:
    """Whether the class of each row (n,) is among its first k."""
    if scores.ndim == 2:
        places = np.empty(len(codes), np.int64)
        place_classes(scores, codes, places)
        return places < k
    if k > 1:
        return np.ones(len(codes), np.bool_)
    return _verdicts(codes, scores, scores.min(), scores.max())


def hit_terms(y_true: NDArray[Any], y_score: Floats, k: int) -> Floats:
    """1, and whether the class of a row is among its first k, (n, 2)."""
    hits = _hits(y_true.astype(np.int64, copy=False), for_kernels(y_score), k)
    return np.stack([np.ones(len(hits)), hits], axis=1)


def share_of_hits(sums: Floats) -> Floats:
    """Share of the rows that hit."""
    return sums[..., 1] / sums[..., 0]


def describe_top_k(*, k: int = 2) -> Metric:
    """Describe the share of the rows whose class is among the first k."""
    places = check_whole("top_k_accuracy", "k", k, none=False) or 1
    statistic = Statistic(
        "rows, rows whose class is among the first",
        2,
        "sums",
        terms=partial(hit_terms, k=places),
        data="classes",
    )
    return Metric(
        "top_k_accuracy",
        statistic,
        share_of_hits,
        "score",
        (0.0, 1.0),
        True,
        default_interval="bca",
        source="share of the rows whose class is among the k with the highest scores",
        options=() if places == 2 else (("k", places),),
    )


METRICS: tuple[Metric, ...] = (describe_top_k(),)
