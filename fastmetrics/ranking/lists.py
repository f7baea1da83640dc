"""How well scores put a list in order: discounted gains, and the true class among the first k.

Conventions
-----------
A row of a matrix is one list; a higher score comes first, and ties are exact equality. Gains are
the relevance of the entries. The functions have scikit-learn's signatures, numbers, warnings and
errors; every value is a mean over rows.
"""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Metric, Statistic
from fastmetrics.engine.sweeps.cells import score_bits
from fastmetrics.errors import InputError, invalid_parameter
from fastmetrics.input.arrays import for_kernels
from fastmetrics.input.options import check_flag
from fastmetrics.input.validation import aligned_weights
from fastmetrics.kernels.lists import discount_gains
from fastmetrics.ranking._lists import check_whole, list_scores, mean_of_rows, number_array
from fastmetrics.ranking.label_ranking import mean_of_terms

_FORMATS = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


def dcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
) -> float:
    """Discounted cumulative gain.

    The sum of the gains of a list, each divided by ``log(1 + place)``; the mean of that over rows.

    Parameters
    ----------
    y_true : array-like of shape (n, m)
        Gains of the entries, at least two per list.
    y_score : array-like of shape (n, m)
        Scores of the entries; NaN is refused.
    k : int, optional
        Only the first k places count.
    log_base : float above 0, default=2
        Base of the logarithm.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    ignore_ties : bool, default=False
        Tied entries take their places from the right instead of sharing their mean gain.

    Returns
    -------
    float
        In units of the gains; higher is better.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option out of its range.

    Notes
    -----
    The mean over all orders of the ties, unless ``ignore_ties``. One sort of m scores per row.

    References
    ----------
    Järvelin & Kekäläinen (2002), doi:10.1145/582415.582418. McSherry & Najork (2008),
    doi:10.1007/978-3-540-78646-7_38.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]])
    9.499457825916874
    >>> fm.dcg_score([[10, 0, 0, 1, 5]], [[1, 0, 0, 0, 1]], k=1)
    7.5
    """
    places = check_whole("dcg_score", "k", k, none=True)
    base = _check_base(log_base)
    check_flag("dcg_score", "ignore_ties", ignore_ties)
    gains, scores = _lists(y_true, y_score)
    weights = aligned_weights(sample_weight, y_true=gains, y_score=scores)
    values = _discounted(gains, scores, places, not ignore_ties, base)
    return mean_of_rows(values, weights)


def ndcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
) -> float:
    """Normalised discounted cumulative gain.

    The discounted cumulative gain of a list over that of its best order; the mean of that over
    rows.

    Parameters
    ----------
    y_true : array-like of shape (n, m)
        Gains of the entries, 0 or more, at least two per list.
    y_score : array-like of shape (n, m)
        Scores of the entries; NaN is refused.
    k : int, optional
        Only the first k places count, in both orders.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    ignore_ties : bool, default=False
        Tied entries take their places from the right instead of sharing their mean gain.

    Returns
    -------
    float
        In [0, 1], best 1. A list without gains counts 0.

    Raises
    ------
    InputError
        Data that cannot be scored, negative gains among them.
    InvalidParameterError
        An option out of its range.

    Notes
    -----
    The mean over all orders of the ties, unless ``ignore_ties``. Two sorts of m numbers per row.

    References
    ----------
    Järvelin & Kekäläinen (2002), doi:10.1145/582415.582418. McSherry & Najork (2008),
    doi:10.1007/978-3-540-78646-7_38.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]])
    0.6956940443813076
    >>> fm.ndcg_score([[10, 0, 0, 1, 5]], [[1, 0, 0, 0, 1]], k=1)
    0.75
    """
    places = check_whole("ndcg_score", "k", k, none=True)
    check_flag("ndcg_score", "ignore_ties", ignore_ties)
    gains, scores = _lists(y_true, y_score, normalised=True)
    weights = aligned_weights(sample_weight, y_true=gains, y_score=scores)
    return mean_of_rows(_normalised(gains, scores, places, not ignore_ties), weights)


def _check_base(value: Any) -> float:
    """Base of a logarithm, a finite number above 0."""
    if isinstance(value, Real) and 0 < float(value) < np.inf:
        return float(value)
    raise invalid_parameter(
        "The 'log_base' parameter of dcg_score must be a float in the range (0.0, inf). Got "
        f"{value!r} instead."
    )


def _lists(
    y_true: ArrayLike, y_score: ArrayLike, *, normalised: bool = False
) -> tuple[Floats, NDArray[Any]]:
    """Gains (n, m) as float64, and scores in step with them."""
    truth = number_array(y_true, "y_true")
    scores = list_scores(y_score, truth)
    if normalised and truth.min() < 0:
        raise InputError("ndcg_score should not be used on negative y_true values.")
    if normalised and truth.ndim == 2 and truth.shape[1] == 1:
        raise InputError(
            "Computing NDCG is only meaningful when there is more than 1 document. Got 1 instead."
        )
    if truth.ndim != 2 or truth.shape[1] == 1:
        from sklearn.utils.multiclass import type_of_target

        kind = type_of_target(truth, input_name="y_true")
        raise InputError(f"Only {_FORMATS} formats are supported. Got {kind} instead")
    return for_kernels(truth.astype(np.float64, copy=False)), scores


def _discounted(
    gains: Floats,
    scores: NDArray[Any],
    k: int | None,
    average_ties: bool,
    log_base: float = 2.0,
) -> Floats:
    """Discounted cumulative gain (n,) of each row."""
    n, m = gains.shape
    places = m if k is None else min(k, m)
    with np.errstate(divide="ignore"):  # a base of 1 discounts everything to nothing
        discount = 1.0 / (np.log(np.arange(places) + 2.0) / np.log(log_base))
    totals = np.empty(n)
    discount_gains(score_bits(scores), gains, discount, places, average_ties, totals)
    return totals


def _normalised(gains: Floats, scores: NDArray[Any], k: int | None, average_ties: bool) -> Floats:
    """Normalised discounted cumulative gain (n,) of each row."""
    found = _discounted(gains, scores, k, average_ties)
    best = _discounted(gains, gains, k, average_ties=False)
    shares = np.divide(found, best, out=np.zeros_like(found), where=best != 0)
    # both sums are rounded: the best order may not exceed 1
    return np.minimum(shares, 1.0)


def gain_terms(y_true: Floats, y_score: Floats, k: int | None, normalised: bool) -> Floats:
    """(Normalised) discounted cumulative gain of each row (n, m), and one: (n, 2)."""
    gains, scores = _lists(y_true, y_score, normalised=normalised)
    function = _normalised if normalised else _discounted
    return np.stack([function(gains, scores, k, True), np.ones(len(gains))], axis=-1)


def dcg(*, k: int | None = None) -> Metric:
    """Describe the discounted cumulative gain of the first k places."""
    return _describe("dcg", k, (float("-inf"), float("inf")))


def ndcg(*, k: int | None = None) -> Metric:
    """Describe the normalised discounted cumulative gain of the first k places."""
    return _describe("ndcg", k, (0.0, 1.0))


def _describe(name: str, k: int | None, bounds: tuple[float, float]) -> Metric:
    """Describe a mean of gains over lists: rows of a matrix, one column per entry."""
    places = check_whole(name, "k", k, none=True)
    terms = partial(gain_terms, k=places, normalised=name == "ndcg")
    return Metric(
        name,
        Statistic("sum of gains, rows", 2, "sums", terms=terms, data="lists"),
        mean_of_terms,
        "score",
        bounds,
        True,
        default_interval="bca",
        source="doi:10.1145/582415.582418",
        options=() if places is None else (("k", places),),
    )


METRICS: tuple[Metric, ...] = (dcg(), ndcg())
