"""How good probabilities are: log loss and Brier score.

Conventions
-----------
The probability of a binary outcome is that of the positive class; with several classes there is a
column for each, in sorted order. All sums are taken in float64, whatever the type of the
probabilities. The functions have scikit-learn's signatures, numbers, warnings and errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats, Metric, Statistic
from fastmetrics.errors import invalid_parameter
from fastmetrics.input.forecasts import (
    RENAMED,
    plain_forecast,
    read_forecast,
    read_positive_or_all,
    total_weight,
    under_new_name,
)
from fastmetrics.input.options import check_flag, check_pos_label
from fastmetrics.input.outcomes import GREATER
from fastmetrics.probability._losses import (
    outcome_logarithms,
    squared_errors_of_rows,
    sum_logarithms,
    sum_squares,
)


def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike | None = None,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    y_pred: ArrayLike | str = RENAMED,
) -> float:
    """Log loss, or cross-entropy.

    The mean of ``-log(q)``, where q is the probability that was given to the class that occurred.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Labels of two or more classes, of which at least two occur unless ``labels`` names them; or
        a matrix of label indicators.
    y_proba : array-like of shape (n,) or (n, k)
        Probabilities of the greater of two labels, or of each class in sorted order. NaN is
        refused.
    normalize : bool, default=True
        The mean; False returns the sum.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    labels : array-like of shape (k,), optional
        All classes; those that occur by default. The columns of ``y_proba`` are in sorted order
        even where ``labels`` is not, which is warned of.
    y_pred : array-like
        The former name of ``y_proba``.

    Returns
    -------
    float
        0 or more, in nats; ``log(k)`` for equal probabilities of k classes.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], or data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    q is kept within ``[eps, 1 - eps]``, eps being the precision of the type of ``y_proba``:
    2.2e-16 for float64, 1.2e-7 for float32. A single certain error costs up to 36.04 nats.
    Rows that do not sum to 1 are used as they are, with a warning. Cost: one pass.

    References
    ----------
    Good (1952), doi:10.1111/j.2517-6161.1952.tb00104.x.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.log_loss([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.35]), 6)
    0.216162
    """
    if labels is None and y_proba is not None and isinstance(y_pred, str):
        plain = plain_forecast(y_true, y_proba, sample_weight, GREATER)
        if plain is not None and type(normalize) is bool:
            loss = sum_logarithms(plain)
            if loss == loss:
                return loss / total_weight(plain) if normalize else loss
    check_flag("log_loss", "normalize", normalize)
    forecast = read_forecast(y_true, under_new_name(y_proba, y_pred), labels, sample_weight)
    loss = sum_logarithms(forecast)
    return loss / total_weight(forecast) if normalize else loss


def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
    scale_by_half: bool | str = "auto",
) -> float:
    """Brier score, the mean squared error of probabilities.

    For two classes the mean of ``(p - y) ** 2``, where y is 1 for the positive class; for several
    the mean of the squared differences summed over the classes.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Labels, or a matrix of label indicators.
    y_proba : array-like of shape (n,) or (n, k)
        Probabilities of the positive class, or of each class in sorted order. NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class, for ``y_proba`` of shape (n,); 1 for bools, {0, 1} and
        {-1, 1}, else the greater number. Text needs it.
    labels : array-like of shape (k,), optional
        All classes, for ``y_proba`` of shape (n, k); those that occur by default.
    scale_by_half : bool or "auto", default="auto"
        Halve the sum over the classes; "auto" does so for two classes only.

    Returns
    -------
    float
        In [0, 1] when halved, else in [0, 2]; 0 is perfect.

    Raises
    ------
    InputError
        Probabilities outside [0, 1], a ``pos_label`` that does not occur though two labels do, or
        data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Rows that do not sum to 1 are used as they are, with a warning. Cost: one pass.

    References
    ----------
    Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> round(fm.brier_score_loss([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 6)
    0.0375
    """
    if labels is None and scale_by_half == "auto":
        plain = plain_forecast(y_true, y_proba, sample_weight, pos_label)
        if plain is not None:
            loss = sum_squares(plain)
            if loss == loss:
                return loss / total_weight(plain)
    check_pos_label("brier_score_loss", pos_label)
    if not (isinstance(scale_by_half, bool | np.bool_) or scale_by_half == "auto"):
        raise invalid_parameter(
            "The 'scale_by_half' parameter of brier_score_loss must be a bool or 'auto'. Got "
            f"{scale_by_half!r} instead."
        )
    forecast = read_positive_or_all(y_true, y_proba, pos_label, labels, sample_weight)
    loss = sum_squares(forecast) / total_weight(forecast)
    if forecast.probabilities.ndim == 1:  # the other class errs by as much
        return loss if scale_by_half else 2.0 * loss
    halved = forecast.probabilities.shape[1] < 3 if scale_by_half == "auto" else scale_by_half
    return loss / 2.0 if halved else loss


def squared_error_terms(y_true: NDArray[Any], y_prob: Floats) -> Floats:
    """1 and the squared error of each row, (n, 2); summed over classes (n, K) of more than two."""
    return np.stack([np.ones(len(y_true)), squared_errors_of_rows(y_true, y_prob)], axis=1)


def logarithm_terms(y_true: NDArray[Any], y_prob: Floats) -> Floats:
    """1 and minus the logarithm of the probability of what happened, (n, 2)."""
    return np.stack([np.ones(len(y_true)), outcome_logarithms(y_true, y_prob)], axis=1)


def mean_loss(sums: Floats) -> Floats:
    """Loss per weight."""
    return sums[..., 1] / sums[..., 0]


METRICS: tuple[Metric, ...] = (
    Metric(
        "brier_score",
        Statistic(
            "rows, squared errors",
            2,
            "sums",
            terms=squared_error_terms,
            data="classes",
        ),
        mean_loss,
        "probability",
        (0.0, 2.0),  # up to 1 for two classes
        False,
        default_interval="bca",
        source="doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    ),
    Metric(
        "log_loss",
        Statistic(
            "rows, minus logarithms",
            2,
            "sums",
            terms=logarithm_terms,
            data="classes",
        ),
        mean_loss,
        "probability",
        (0.0, float("inf")),
        False,
        default_interval="bca",
        source="doi:10.1111/j.2517-6161.1952.tb00104.x",
    ),
)
