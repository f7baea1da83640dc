"""How well scores rank the labels of each row: precision, coverage and wrong pairs.

Conventions
-----------
A row has k labels, some of them relevant, and a score for each; a label is relevant when its entry
in ``y_true`` is above 0. Ties are exact equality and count against the ranking: a label stands
behind all that score as high. The functions have scikit-learn's signatures, numbers and errors;
every value is a mean over rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Metric, Statistic
from fastmetrics.engine.sweeps.cells import score_bits
from fastmetrics.input.validation import aligned_weights
from fastmetrics.kernels.lists import cover_labels, rank_labels, sum_depths
from fastmetrics.ranking._lists import (
    indicators,
    list_scores,
    mean_of_rows,
    number_array,
    plain_lists,
    relevant_labels,
    require_matrix,
    total_of,
)

_SOURCE = "doi:10.1007/978-0-387-09823-4_34"
Terms = Callable[[Floats, Floats], Floats]


def label_ranking_average_precision_score(
    y_true: Any, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Label ranking average precision.

    The mean, over the relevant labels of a row, of the share of relevant labels among those that
    score at least as high; the mean of that over rows.

    Parameters
    ----------
    y_true : array-like or sparse matrix of shape (n, k)
        Label indicators, above 0 for a relevant label.
    y_score : array-like of shape (n, k)
        Scores of the labels; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        Above 0, at most 1, the best. A row whose labels are all or none relevant counts 1.

    Raises
    ------
    InputError
        Data that cannot be scored.

    Notes
    -----
    Tied labels stand behind each other. One sort of k scores per row.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010), doi:10.1007/978-0-387-09823-4_34.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.label_ranking_average_precision_score(
    ...     [[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]
    ... )
    0.41666666666666663
    """
    truth = indicators(y_true)
    scores = list_scores(y_score, truth)
    relevant = relevant_labels(truth, single=True)
    weights = aligned_weights(sample_weight, y_true=truth, y_score=scores)
    return mean_of_rows(_rank(relevant, scores)[0], weights)


def label_ranking_loss(
    y_true: Any, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Share of wrongly ordered pairs of labels.

    The share, among the pairs of a relevant and another label of a row, of those in which the
    relevant label does not score higher; the mean of that over rows.

    Parameters
    ----------
    y_true : array-like or sparse matrix of shape (n, k)
        Label indicators, above 0 for a relevant label; at least two columns.
    y_score : array-like of shape (n, k)
        Scores of the labels; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        In [0, 1], best 0. A row whose labels are all or none relevant counts 0.

    Raises
    ------
    InputError
        Data that cannot be scored.

    Notes
    -----
    A tied pair is wrong. One sort of k scores per row.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010), doi:10.1007/978-0-387-09823-4_34.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    truth = indicators(y_true)
    scores = list_scores(y_score, truth)
    relevant = relevant_labels(truth)
    weights = aligned_weights(sample_weight, y_true=truth, y_score=scores)
    return mean_of_rows(_rank(relevant, scores)[1], weights)


def coverage_error(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """How far down the ranking all relevant labels are found.

    The number of labels of a row that score at least as high as its lowest relevant one; the mean
    of that over rows.

    Parameters
    ----------
    y_true : array-like of shape (n, k)
        Label indicators, above 0 for a relevant label; at least two columns.
    y_score : array-like of shape (n, k)
        Scores of the labels; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        In labels, from the mean number of relevant ones, the best, up to k. A row without relevant
        labels counts 0.

    Raises
    ------
    InputError
        Data that cannot be scored.

    Notes
    -----
    Labels that tie with the lowest relevant one count. No sort. One more than in Tsoumakas et al.,
    where the first place is 0.

    References
    ----------
    Tsoumakas, Katakis & Vlahavas (2010), doi:10.1007/978-0-387-09823-4_34.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    plain = plain_lists(y_true, y_score, sample_weight)
    if plain is not None:
        scores, labels, weights = plain
        total, fine = sum_depths(scores, labels, weights)
        if fine:
            return float(total) / total_of(weights, len(scores))
    truth = number_array(y_true, "y_true")
    require_matrix(truth, "y_true")
    scores = list_scores(y_score, truth)
    relevant = relevant_labels(truth)
    row_weights = aligned_weights(sample_weight, y_true=truth, y_score=scores)
    return mean_of_rows(_cover(relevant, scores), row_weights)


def _rank(relevant: NDArray[np.uint8], scores: NDArray[Any]) -> tuple[Floats, Floats]:
    """Precision and loss (n,) of each row."""
    precisions, losses = np.empty(len(relevant)), np.empty(len(relevant))
    rank_labels(score_bits(scores), relevant, precisions, losses)
    return precisions, losses


def _cover(relevant: NDArray[np.uint8], scores: NDArray[Any]) -> NDArray[np.int64]:
    """Depth (n,) of each row."""
    depths = np.empty(len(relevant), np.int64)
    cover_labels(scores, relevant, depths)
    return depths


def _with_count(values: NDArray[Any]) -> Floats:
    """Values (n,) as terms (n, 2): the value, and one for the row."""
    return np.stack([values, np.ones(len(values))], axis=-1)


def precision_terms(y_true: Floats, y_score: Floats) -> Floats:
    """Label ranking average precision of each row (n, k), and one: (n, 2)."""
    return _with_count(_rank(relevant_labels(y_true, single=True), list_scores(y_score, y_true))[0])


def loss_terms(y_true: Floats, y_score: Floats) -> Floats:
    """Share of wrong pairs of each row (n, k), and one: (n, 2)."""
    return _with_count(_rank(relevant_labels(y_true), list_scores(y_score, y_true))[1])


def coverage_terms(y_true: Floats, y_score: Floats) -> Floats:
    """Depth of each row (n, k), and one: (n, 2)."""
    return _with_count(_cover(relevant_labels(y_true), list_scores(y_score, y_true)))


def mean_of_terms(sums: Floats) -> Floats:
    """Sum of the rows' values over the number of rows."""
    return sums[..., 0] / sums[..., 1]


def _describe(name: str, what: str, terms: Terms, high: float, better: bool) -> Metric:
    """Describe a mean over lists: rows of a matrix, one column per label."""
    return Metric(
        name,
        Statistic(f"sum of {what}, rows", 2, "sums", terms=terms, data="lists"),
        mean_of_terms,
        "score",
        (0.0, high),
        better,
        default_interval="bca",
        source=_SOURCE,
    )


METRICS: tuple[Metric, ...] = (
    _describe("label_ranking_average_precision", "precisions", precision_terms, 1.0, True),
    _describe("label_ranking_loss", "losses", loss_terms, 1.0, False),
    _describe("coverage_error", "depths", coverage_terms, float("inf"), False),
)
