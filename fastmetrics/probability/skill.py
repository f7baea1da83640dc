"""Skill: the share of a loss that is explained, against forecasting the base rate.

Conventions
-----------
The null model gives every row the shares of the classes in the same data, as R2 does for values.
Signatures, numbers, warnings and errors are scikit-learn's; see ``probability`` for the losses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Formula, Metric, Statistic
from fastmetrics.errors import warn_undefined
from fastmetrics.input.arrays import as_array, check_lengths
from fastmetrics.input.forecasts import (
    RENAMED,
    Forecast,
    plain_forecast,
    read_forecast,
    read_positive_or_all,
    under_new_name,
)
from fastmetrics.input.options import check_pos_label
from fastmetrics.input.outcomes import GREATER
from fastmetrics.probability._losses import (
    null_forecast,
    outcome_logarithms,
    squared_errors_of_rows,
    sum_logarithms,
    sum_squares,
)

Terms = Callable[[NDArray[Any], Floats], Floats]


def d2_log_loss_score(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: ArrayLike | str = RENAMED,
) -> float:
    """Share of the log loss that is explained.

    1 minus the log loss over that of the null model, which gives every row the shares of the
    classes in ``y_true``.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Labels of two or more classes, or a matrix of label indicators.
    y_proba : array-like of shape (n,) or (n, k)
        Probabilities of the greater of two labels, or of each class in sorted order. NaN is
        refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    labels : array-like of shape (k,), optional
        All classes; those that occur by default.
    y_pred : array-like
        The former name of ``y_proba``.

    Returns
    -------
    float
        At most 1; 0 for the null model, negative below it. nan, with a warning, for a single row.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or data that cannot be scored.

    Notes
    -----
    Probabilities are bounded as in ``log_loss``. Where ``labels`` names more classes than occur
    and only one does, the null model is nearly perfect and the score hugely negative. Cost: three
    passes.

    References
    ----------
    McFadden (1974), in Zarembka (ed.), Frontiers in Econometrics, pp. 105-142.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.d2_log_loss_score([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 6)
    0.714873
    """
    if labels is None and y_proba is not None and isinstance(y_pred, str):
        plain = plain_forecast(y_true, y_proba, sample_weight, GREATER)
        if plain is not None:
            loss = sum_logarithms(plain)
            if loss == loss:
                return _explained(plain, loss, sum_logarithms)
    y_proba = as_array(under_new_name(y_proba, y_pred), "y_proba")
    y_true = as_array(y_true, "y_true")
    if _too_few(y_true, y_proba):
        return float("nan")
    forecast = read_forecast(y_true, y_proba, labels, sample_weight)
    return _explained(forecast, sum_logarithms(forecast), sum_logarithms)


def d2_brier_score(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
) -> float:
    """Share of the Brier score that is explained, the Brier skill score.

    1 minus the Brier score over that of the null model, which gives every row the shares of the
    classes in ``y_true``.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Labels, or a matrix of label indicators.
    y_proba : array-like of shape (n,) or (n, k)
        Probabilities of the positive class, or of each class in sorted order. NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class, as in ``brier_score_loss``.
    labels : array-like of shape (k,), optional
        All classes, for ``y_proba`` of shape (n, k); those that occur by default.

    Returns
    -------
    float
        At most 1; 0 for the null model, negative below it. nan, with a warning, for a single row;
        -inf or nan, with a warning, when only one class occurs.

    Raises
    ------
    InputError
        As in ``brier_score_loss``.

    Notes
    -----
    Cost: three passes.

    References
    ----------
    Murphy (1973), doi:10.1175/1520-0450(1973)012<0215:HASSFP>2.0.CO;2.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.d2_brier_score([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 6)
    0.85
    """
    if labels is None:
        plain = plain_forecast(y_true, y_proba, sample_weight, pos_label)
        if plain is not None and len(plain.outcomes) > 1:
            loss = sum_squares(plain)
            if loss == loss:
                return _explained(plain, loss, sum_squares)
    check_pos_label("d2_brier_score", pos_label)
    y_proba, y_true = as_array(y_proba, "y_proba"), as_array(y_true, "y_true")
    if _too_few(y_true, y_proba):
        return float("nan")
    forecast = read_positive_or_all(y_true, y_proba, pos_label, labels, sample_weight)
    return _explained(forecast, sum_squares(forecast), sum_squares)


def _too_few(y_true: NDArray[Any], y_proba: NDArray[Any]) -> bool:
    """Whether there are fewer than two rows, which is warned of."""
    rows = check_lengths(y_proba=y_proba, y_true=y_true)
    if rows < 2:
        warn_undefined("D^2 score is not well-defined with less than two samples.")
    return rows < 2


def _explained(forecast: Forecast, loss: float, total: Callable[[Forecast], float]) -> float:
    """Share of the null model's loss that is not left."""
    null = total(null_forecast(forecast))
    if null == 0.0:
        warn_undefined("Only one class is present in y_true: the null model is perfect")
        return float("nan") if loss == 0.0 else float("-inf")
    return 1.0 - loss / null


def _with_classes(y_true: NDArray[Any], y_prob: Floats, losses: Floats) -> Floats:
    """Loss and indicators of the classes of each row, (n, 1 + K)."""
    classes = 2 if y_prob.ndim == 1 else y_prob.shape[1]
    terms = np.zeros((len(losses), 1 + classes))
    terms[:, 0] = losses
    terms[np.arange(len(losses)), 1 + y_true.astype(np.intp, copy=False)] = 1.0
    return terms


def squared_error_terms(y_true: NDArray[Any], y_prob: Floats) -> Floats:
    """Squared error and indicators of the classes of each row, (n, 1 + K)."""
    return _with_classes(y_true, y_prob, squared_errors_of_rows(y_true, y_prob))


def logarithm_terms(y_true: NDArray[Any], y_prob: Floats) -> Floats:
    """Minus the logarithm of what happened, and indicators of the classes, (n, 1 + K)."""
    return _with_classes(y_true, y_prob, outcome_logarithms(y_true, y_prob))


def brier_skill(sums: Floats) -> Floats:
    """1 minus the squared errors over those of the base rates; nan for one class."""
    classes = sums[..., 1:]
    total = classes.sum(axis=-1)
    null = (classes * (total[..., None] - classes)).sum(axis=-1) / total
    return _skill(sums, null / 2.0 if classes.shape[-1] == 2 else null)


def logarithmic_skill(sums: Floats) -> Floats:
    """1 minus the log loss over that of the base rates; nan for one class."""
    classes = sums[..., 1:]
    shares = classes / classes.sum(axis=-1, keepdims=True)
    null = -(classes * np.log(np.where(classes > 0.0, shares, 1.0))).sum(axis=-1)
    return _skill(sums, null)


def _skill(sums: Floats, null: Floats) -> Floats:
    """1 minus loss over the null model's loss."""
    several = (sums[..., 1:] > 0.0).sum(axis=-1) > 1
    return np.where(several, 1.0 - sums[..., 0] / null, np.nan)


def _describe(name: str, terms: Terms, formula: Formula, source: str) -> Metric:
    """Describe the share of a loss that is explained."""
    statistic = Statistic("losses, rows of each class", 3, "sums", terms=terms, data="classes")
    return Metric(
        name,
        statistic,
        formula,
        "probability",
        (float("-inf"), 1.0),
        True,
        default_interval="bca",
        source=source,
    )


METRICS: tuple[Metric, ...] = (
    _describe(
        "d2_brier_score",
        squared_error_terms,
        brier_skill,
        "doi:10.1175/1520-0450(1973)012<0215:HASSFP>2.0.CO;2",
    ),
    _describe("d2_log_loss_score", logarithm_terms, logarithmic_skill, "McFadden 1974"),
)
