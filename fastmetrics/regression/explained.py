"""How much better than the mean: shares of the squared error that predictions explain.

Conventions
-----------
A score is 1 - loss / loss of the best constant: 1 for perfect predictions, 0 for the constant, and
negative for what is worse. The functions have scikit-learn's signatures, numbers, warnings and
errors. Squares are taken of deviations from the mean, so that an offset of all targets does not
matter, and targets that are all equal have a spread of exactly 0. A formula returns nan for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Metric, Statistic
from fastmetrics.errors import warn_undefined
from fastmetrics.input.options import check_flag
from fastmetrics.input.targets import (
    LONG,
    RAW,
    TABLES,
    UNIFORM,
    VARIANCE,
    Floats,
    Outputs,
    Targets,
    average_outputs,
    check_multioutput,
    output_weights,
    read_targets,
)
from fastmetrics.kernels.sums import add_moments, add_table_moments
from fastmetrics.regression._means import Rows, describe, with_weight

_CHOICES = (RAW, UNIFORM, VARIANCE)
# below this share of the squares around the centre a spread is rounding, not variance
_ROUNDING = 1e-12


def r2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> float | Floats:
    """Coefficient of determination, R squared.

    One minus the sum of squared errors by the sum of squared deviations of the targets from their
    own weighted mean.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average", "variance_weighted"}, array-like or None
        How the scores of several outputs are averaged: equally (also None), by the variance of
        the targets, or by weights of shape (k,); "raw_values" returns all of them.
    force_finite : bool, default=True
        Score targets that are all equal as 1 where they are met exactly and as 0 elsewhere,
        instead of nan and minus infinity.

    Returns
    -------
    float or ndarray of shape (k,)
        1 or less, without unit; 1 is perfect, 0 as good as the mean. nan, with a warning, for
        fewer than two rows.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    Negative on new data is no bug: the mean of that data is a forecast that no model was given.
    Rows of weight 0 are not there. One pass over n rows.

    References
    ----------
    Kvalseth (1985), doi:10.1080/00031305.1985.10479448.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.r2_score([1, 2, 3, 4], [1, 2, 3, 5])
    0.8
    """
    if multioutput is not UNIFORM or force_finite is not True:
        check_multioutput("r2_score", multioutput, _CHOICES, none=True)
        check_flag("r2_score", "force_finite", force_finite)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    moments = moments_of(targets)
    losses, spreads = moments.squared_error, moments.spread
    return average_scores(targets, losses, spreads, outputs, "R^2 score", force_finite=force_finite)


def explained_variance_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> float | Floats:
    """Explained variance.

    One minus the weighted variance of the errors by the weighted variance of the targets: R
    squared of the predictions without their bias.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, k)
        Targets. NaN and infinity are refused.
    y_pred : array-like of shape (n,) or (n, k)
        Predictions, in the unit of the targets.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    multioutput : {"raw_values", "uniform_average", "variance_weighted"} or array-like
        How the scores of several outputs are averaged: equally, by the variance of the targets, or
        by weights of shape (k,); "raw_values" returns all of them.
    force_finite : bool, default=True
        Score targets that are all equal as 1 where the errors are equal too and as 0 elsewhere,
        instead of nan and minus infinity.

    Returns
    -------
    float or ndarray of shape (k,)
        1 or less, without unit; 1 where predictions are right up to a constant. nan, with a
        warning, for fewer than two rows.

    Raises
    ------
    InputError
        Data that cannot be scored.
    InvalidParameterError
        An option that does not exist.

    Notes
    -----
    A bias costs nothing here: prefer ``r2_score`` where it matters. Rows of weight 0 are not
    there. One pass over n rows.

    References
    ----------
    Kvalseth (1985), doi:10.1080/00031305.1985.10479448.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.explained_variance_score([1, 2, 3, 4], [2, 3, 4, 5])
    1.0
    """
    check_multioutput("explained_variance_score", multioutput, _CHOICES)
    check_flag("explained_variance_score", "force_finite", force_finite)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    moments = moments_of(targets)
    losses, spreads = moments.error_spread, moments.spread
    return average_scores(
        targets, losses, spreads, outputs, "Explained variance", force_finite=force_finite
    )


class Moments(NamedTuple):
    """Of each column (k,) the weight, and of its targets and its errors the three of ``sums``.

    They are the mean, the rounding error of the mean, and the spread, the sum of squared
    deviations from the mean.
    """

    weight: Sequence[float]
    mean: Sequence[float]
    mean_rest: Sequence[float]
    spread: Sequence[float]
    bias: Sequence[float]
    bias_rest: Sequence[float]
    error_spread: Sequence[float]

    @property
    def squared_error(self) -> list[float]:
        """Sums of the squared errors."""
        columns = zip(self.error_spread, self.weight, self.bias, self.bias_rest)
        return [spread + weight * (bias + rest) ** 2 for spread, weight, bias, rest in columns]


def moments_of(targets: Targets) -> Moments:
    """Moments of each column."""
    if targets.layout == LONG:
        columns = zip(targets.y_true, targets.y_pred)
        return Moments(*zip(*[_long_moments(*column, targets) for column in columns]))
    sums = np.zeros((len(targets.y_true), 7))
    if targets.layout == TABLES:
        for truth, forecast, weights in targets.tables():
            add_table_moments(truth, forecast, weights, sums)
    else:
        for truth, forecast, weights in targets.blocks():
            add_moments(truth, forecast, weights, sums)
    moments = Moments(*sums.T.tolist())
    targets.checked(moments.error_spread)  # not finite where an entry of either is not
    return moments


def _long_moments(truth: Rows, forecast: Rows, targets: Targets) -> list[float]:
    """As the kernel, of one column in the type of the data."""
    row = int(np.argmax(targets.weights > 0.0))  # of a weight above 0
    found = [targets.total]
    for values in (truth, truth - forecast):
        mean = values[row] + (targets.weights * (values - values[row])).sum() / targets.total
        spread = (targets.weights * np.square(values - mean)).sum()
        found += [float(mean), 0.0, float(spread)]
    return found


def average_scores(
    targets: Targets,
    losses: Sequence[float],
    references: Sequence[float],
    outputs: Outputs,
    name: str,
    *,
    force_finite: bool = True,
) -> float | Floats:
    """1 - loss / reference of each output, averaged; nan for fewer than two rows."""
    if 0.0 in references and targets.rows_that_count < 2:
        warn_undefined(f"{name} is not well-defined with less than two samples.")
        return float("nan")
    scores = [_score(loss, reference, force_finite) for loss, reference in zip(losses, references)]
    if isinstance(outputs, str) and outputs == VARIANCE:
        outputs = np.array(references) if any(references) else None
    return average_outputs(scores, outputs)


def _score(loss: float, reference: float, force_finite: bool) -> float:
    """1 - loss / reference, with scikit-learn's rule for a reference of 0."""
    if reference != 0.0:
        return 1.0 - loss / reference
    if force_finite:
        return 1.0 if loss == 0.0 else 0.0
    return float("nan") if loss == 0.0 else float("-inf")


def _deviations(values: Rows) -> Rows:
    """Deviations from the mean, so that squares do not drown in an offset."""
    deviations: Rows = values - values.mean()
    return deviations


def _r2_terms(y_true: Rows, y_pred: Rows) -> Rows:
    deviations = _deviations(y_true)
    return with_weight(deviations, np.square(deviations), np.square(y_true - y_pred))


def _explained_terms(y_true: Rows, y_pred: Rows) -> Rows:
    columns = [_deviations(y_true), _deviations(y_true - y_pred)]
    return with_weight(columns[0], np.square(columns[0]), columns[1], np.square(columns[1]))


def _spread(sums: Floats, at: int) -> Floats:
    """Sum of squared deviations from the weighted mean, from sums around another centre."""
    first, second = sums[..., at], sums[..., at + 1]
    spread = second - first * first / sums[..., 0]
    return np.where(spread > _ROUNDING * second, spread, 0.0)


def share_explained(loss: Floats, reference: Floats) -> Floats:
    """1 - loss / reference; nan without a reference."""
    return 1.0 - loss / np.where(reference > 0.0, reference, np.nan)


def _r2(sums: Floats) -> Floats:
    return share_explained(sums[..., 3], _spread(sums, 1))


def _explained_variance(sums: Floats) -> Floats:
    return share_explained(_spread(sums, 3), _spread(sums, 1))


METRICS: tuple[Metric, ...] = (
    describe(
        "r2",
        Statistic(
            "total weight, deviations and their squares, squared errors",
            4,
            "sums",
            terms=_r2_terms,
        ),
        _r2,
        "doi:10.1080/00031305.1985.10479448",
        score=True,
    ),
    describe(
        "explained_variance",
        Statistic(
            "total weight, deviations and their squares of targets and of errors",
            5,
            "sums",
            terms=_explained_terms,
        ),
        _explained_variance,
        "doi:10.1080/00031305.1985.10479448",
        score=True,
    ),
)
