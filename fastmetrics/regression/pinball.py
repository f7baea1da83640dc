"""Losses of forecast quantiles, and the share of them that is explained.

Conventions
-----------
The loss of level alpha costs alpha for each unit that a target lies above its prediction, 1 - alpha
for each below; at 1/2 it is half the absolute error. The best constant forecast is the weighted
quantile of that level. The functions have scikit-learn's signatures, numbers, warnings and errors.
Everything is computed in float64, whatever type the arrays have (longdouble stays longdouble).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Metric, Statistic, Weighing
from fastmetrics.input.options import check_share
from fastmetrics.input.targets import (
    LONG,
    Floats,
    Targets,
    check_multioutput,
    output_weights,
    read_targets,
)
from fastmetrics.kernels.lanes import constant_losses
from fastmetrics.kernels.sums import PINBALL, error_sums
from fastmetrics.regression._means import (
    Rows,
    Term,
    describe,
    describe_mean,
    error_means,
    mean_error,
)
from fastmetrics.regression._quantiles import Sorted, columns_together, quantile
from fastmetrics.regression.explained import average_scores, share_explained


def _pinball(y_true: Rows, y_pred: Rows, alpha: float) -> Rows:
    error = y_true - y_pred
    return error * np.where(error >= 0.0, alpha, alpha - 1.0)


def pinball_term(alpha: float) -> Term:
    """Term of the pinball loss of a level."""
    return Term(PINBALL, partial(_pinball, alpha=alpha), alpha)


def mean_pinball_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Mean pinball loss, the error of a forecast quantile.

    The weighted mean of alpha (y - p) where the target y is above the prediction p, and of
    (1 - alpha) (p - y) where it is below.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predicted quantiles, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    alpha : float in [0, 1], default=0.5
        Level of the quantile.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the losses of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        0 or more, in the unit of the targets; 0 is perfect. Half the mean absolute error at the
        level 0.5.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    One pass over n rows.

    References
    ----------
    Koenker & Bassett (1978), doi:10.2307/1913643.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_pinball_loss([1, 2, 3], [0, 2, 3], alpha=0.9)
    0.3
    """
    alpha = check_share("mean_pinball_loss", "alpha", alpha, lowest=True, highest=True)
    term = pinball_term(alpha)
    return mean_error("mean_pinball_loss", term, y_true, y_pred, sample_weight, multioutput)


def d2_absolute_error_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Share of the absolute error that is explained.

    One minus the mean absolute error by that of the targets' own weighted median.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the scores of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        1 or less, without unit; 1 is perfect, 0 as good as the median. Targets that are all equal
        score 1 where they are met exactly and 0 elsewhere. nan, with a warning, for fewer than two
        rows.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Cost: one selection among n targets; with weights, a sort.

    References
    ----------
    Koenker & Machado (1999), doi:10.1080/01621459.1999.10473882.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.d2_absolute_error_score([1, 2, 3, 4], [1, 2, 3, 5])
    0.75
    """
    check_multioutput("d2_absolute_error_score", multioutput)
    return _pinball_score(y_true, y_pred, sample_weight, 0.5, multioutput)


def d2_pinball_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> float | Floats:
    """Share of the pinball loss that is explained.

    One minus the mean pinball loss by that of the targets' own weighted quantile of the same level.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predicted quantiles, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    alpha : float in [0, 1], default=0.5
        Level of the quantile.
    multioutput : {"raw_values", "uniform_average"} or array-like of shape (k,)
        How the scores of several outputs are averaged; "raw_values" returns all of them.

    Returns
    -------
    float or ndarray of shape (k,)
        1 or less, without unit; 1 is perfect, 0 as good as the quantile. Targets that are all equal
        score 1 where they are met exactly and 0 elsewhere. nan, with a warning, for fewer than two
        rows.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Cost: one selection among n targets; with weights, a sort.

    References
    ----------
    Koenker & Machado (1999), doi:10.1080/01621459.1999.10473882.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.d2_pinball_score([1, 2, 3], [1, 3, 3], alpha=0.9)
    0.66666666666666...
    """
    alpha = check_share("d2_pinball_score", "alpha", alpha, lowest=True, highest=True)
    check_multioutput("d2_pinball_score", multioutput)
    return _pinball_score(y_true, y_pred, sample_weight, alpha, multioutput)


def _pinball_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    alpha: float,
    multioutput: Any,
) -> float | Floats:
    """Share of the pinball loss of a level that is explained."""
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    term = pinball_term(alpha)
    losses = error_means(targets, term)
    references: list[float] = []
    for truth, _ in columns_together(targets):
        references += _constant_losses(truth, targets, term)
    return average_scores(targets, losses, references, outputs, "D^2 score")


def _constant_losses(truth: Rows, targets: Targets, term: Term) -> list[float]:
    """Mean pinball loss of the best constant of a column (n,), or of each of columns (k, n)."""
    values = truth.astype(targets.float_type)
    # reorders the values only where rows weigh alike
    constant = quantile(values, targets.weights, term.parameter)
    if targets.layout == LONG:
        losses = targets.weights * term.formula(values, constant)
        return [float(losses.sum() / targets.total)]
    columns = values.reshape(-1, targets.n)
    sums = np.zeros(len(columns))
    best = np.array(constant).reshape(-1, 1)
    error_sums(term.kind, term.parameter, columns, best, targets.weights, sums)
    return [loss / targets.total for loss in sums.tolist()]


def _losses_of_rows(y_true: Floats, y_pred: Floats, weights: Floats, alpha: float) -> Floats:
    """Weighted losses of the predictions and of the best constant, (2,)."""
    if not weights.any():
        return np.full(2, np.nan)
    best = quantile(y_true, weights, alpha)
    return np.array([weights @ _pinball(y_true, p, alpha) for p in (y_pred, best)])


def _prepare_losses(y_true: Floats, y_pred: Floats, alpha: float) -> Weighing:
    """Sort the targets once, and find the losses of the predictions."""
    targets = Sorted.of(y_true)
    losses = _pinball(y_true, y_pred, alpha)

    def both(weights: Floats) -> Floats:
        best = targets.quantiles(weights, alpha)
        references = np.zeros(best.size)
        constant_losses(y_true, weights, alpha, best, references)
        totals = np.einsum("i,ij->j", losses, weights)
        return np.stack([np.where(np.isnan(best), np.nan, totals), references], axis=1)

    return both


def _share_explained(losses: Floats) -> Floats:
    return share_explained(losses[..., 0], losses[..., 1])


def _describe_score(name: str, alpha: float, options: tuple[tuple[str, Any], ...] = ()) -> Metric:
    """Describe the share of the pinball loss that is explained."""
    statistic = Statistic(
        "pinball loss of predictions and of the best constant",
        2,
        "rows",
        measure=partial(_losses_of_rows, alpha=alpha),
        prepare=partial(_prepare_losses, alpha=alpha),
    )
    source = "doi:10.1080/01621459.1999.10473882"
    return describe(name, statistic, _share_explained, source, score=True, options=options)


def describe_pinball_loss(*, alpha: float = 0.5) -> Metric:
    """Describe the mean pinball loss of a level."""
    alpha = check_share("mean_pinball_loss", "alpha", alpha, lowest=True, highest=True)
    term, source = partial(_pinball, alpha=alpha), "doi:10.2307/1913643"
    return describe_mean("mean_pinball_loss", term, source, options=(("alpha", alpha),))


def describe_pinball_score(*, alpha: float = 0.5) -> Metric:
    """Describe the share of the pinball loss of a level that is explained."""
    alpha = check_share("d2_pinball_score", "alpha", alpha, lowest=True, highest=True)
    return _describe_score("d2_pinball_score", alpha, (("alpha", alpha),))


METRICS: tuple[Metric, ...] = (_describe_score("d2_absolute_error_score", 0.5),)
