"""Deviances of counts and amounts: errors whose size is judged by what is usual at that level.

Conventions
-----------
The unit deviance of power p belongs to a distribution whose variance grows like the mean to the
power p: 0 normal, 1 Poisson, 2 gamma, 3 inverse Gaussian, between 1 and 2 a compound of Poisson
and gamma. The best constant forecast is the mean for every power. The functions have
scikit-learn's signatures, numbers, warnings and errors. Everything is computed in float64,
whatever type the arrays have (longdouble stays longdouble).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Metric, Statistic
from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.input.targets import Floats, Targets, read_targets
from fastmetrics.regression._deviance import check_power, deviances_of, domain_of, unit_deviance
from fastmetrics.regression._means import Rows, describe, describe_mean, error_means, with_weight
from fastmetrics.regression.explained import moments_of, share_explained
from fastmetrics.regression.squared_errors import SQUARED_ERROR


def mean_poisson_deviance(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean Poisson deviance.

    The weighted mean of 2 (y log(y / p) - y + p) for targets y and predictions p.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Counts, or other targets of 0 or more. NaN and infinity are refused.
    y_pred : array-like of shape (n,)
        Predicted means, above 0.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more, such as exposures.

    Returns
    -------
    float
        0 or more, in the unit of the targets; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored, several outputs, or entries outside the limits above.

    Notes
    -----
    The same relative error costs more at a greater target. Cost: one logarithm a row.

    References
    ----------
    McCullagh & Nelder (1989), Generalized Linear Models, doi:10.1201/9780203753736.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_poisson_deviance([2, 0, 1, 4], [0.5, 0.5, 2.0, 2.0])
    1.4260151319...
    """
    return _mean_deviance(y_true, y_pred, sample_weight, 1)


def mean_gamma_deviance(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean gamma deviance.

    The weighted mean of 2 (log(p / y) + y / p - 1) for targets y and predictions p.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Targets above 0. NaN and infinity are refused.
    y_pred : array-like of shape (n,)
        Predicted means, above 0.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.

    Returns
    -------
    float
        0 or more, without unit; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored, several outputs, or entries outside the limits above.

    Notes
    -----
    The same relative error costs the same at any target. Cost: one logarithm a row.

    References
    ----------
    McCullagh & Nelder (1989), Generalized Linear Models, doi:10.1201/9780203753736.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_gamma_deviance([2, 0.5, 1, 4], [0.5, 0.5, 2.0, 2.0])
    1.056852...
    """
    return _mean_deviance(y_true, y_pred, sample_weight, 2)


def mean_tweedie_deviance(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    power: float = 0,
) -> float:
    """Mean Tweedie deviance.

    The weighted mean of 2 (max(y, 0)^(2 - power) / ((1 - power) (2 - power))
    - y p^(1 - power) / (1 - power) + p^(2 - power) / (2 - power)) for targets y and predictions p;
    its limits at 1 and 2 are the Poisson and the gamma deviance, 0 is the squared error.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Targets: any below power 1, 0 or more from 1, above 0 from 2 on. NaN and infinity are
        refused.
    y_pred : array-like of shape (n,)
        Predicted means: any for power 0, above 0 for all others.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    power : float, 0 or less or 1 or more, default=0
        How the variance grows with the mean.

    Returns
    -------
    float
        0 or more, in the unit of the targets to the power 2 - power; 0 is perfect.

    Raises
    ------
    InputError
        Data that cannot be scored, several outputs, or entries outside the limits above.
    InvalidParameterError
        A power for which no distribution exists.

    Notes
    -----
    The higher the power, the less an error at a great target costs. Cost: two powers a row.

    References
    ----------
    Jorgensen (1987), doi:10.1111/j.2517-6161.1987.tb01685.x.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.mean_tweedie_deviance([2, 0, 1, 4], [0.5, 0.5, 2.0, 2.0], power=1)
    1.4260151319...
    """
    check_power("mean_tweedie_deviance", power)
    return _mean_deviance(y_true, y_pred, sample_weight, power)


def d2_tweedie_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    power: float = 0,
) -> float:
    """Share of the Tweedie deviance that is explained.

    One minus the mean Tweedie deviance by that of the targets' own weighted mean.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Targets: any below power 1, 0 or more from 1, above 0 from 2 on. NaN and infinity are
        refused.
    y_pred : array-like of shape (n,)
        Predicted means: any for power 0, above 0 for all others.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    power : float, 0 or less or 1 or more, default=0
        How the variance grows with the mean.

    Returns
    -------
    float
        1 or less, without unit; 1 is perfect, 0 as good as the mean. nan, with a warning, for fewer
        than two rows, for targets that are all equal, and for a mean of 0 or less below power 0.

    Raises
    ------
    InputError
        Data that cannot be scored, several outputs, or entries outside the limits above.
    InvalidParameterError
        A power for which no distribution exists.

    Notes
    -----
    Power 0 is R squared. Cost: up to three powers or two logarithms a row.

    References
    ----------
    Hastie, Tibshirani & Wainwright (2015), Statistical Learning with Sparsity,
    doi:10.1201/b18401.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.d2_tweedie_score([0.5, 1, 2.5, 7], [1, 1, 5, 3.5], power=1)
    0.4879151349...
    """
    check_power("d2_tweedie_score", power)
    targets = _one_output("d2_tweedie_score", y_true, y_pred, sample_weight)
    if targets.rows_that_count < 2:
        targets.require_finite()
        warn_undefined("D^2 score is not well-defined with less than two samples.")
        return float("nan")
    moments = moments_of(targets)
    (spread,) = moments.spread
    if power == 0:
        (loss,), reference = moments.squared_error, spread
    else:
        mean = moments.mean[0] + moments.mean_rest[0]
        loss, reference = deviances_of(targets, power, mean if spread and mean > 0.0 else 0.0)
    if reference > 0.0:
        return 1.0 - loss / reference
    warn_undefined(
        "D^2 score is not defined where the mean of y_true has no deviance to compare with"
    )
    return float("nan")


def _one_output(
    caller: str, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None
) -> Targets:
    targets = read_targets(y_true, y_pred, sample_weight)
    if len(targets.y_true) > 1:
        raise InputError(f"Multioutput not supported in {caller}")
    return targets


def _mean_deviance(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None, power: float
) -> float:
    """Weighted mean of the unit deviances."""
    targets = _one_output("mean_tweedie_deviance", y_true, y_pred, sample_weight)
    if power == 0:
        return error_means(targets, SQUARED_ERROR)[0]
    return deviances_of(targets, power)[0] / targets.total


def _deviance_terms(y_true: Rows, y_pred: Rows, power: float) -> Rows:
    if power != 0:
        domain_of(power).require_rows(y_true, y_pred, power)
    return unit_deviance(y_true, y_pred, power)


def _score_terms(y_true: Rows, y_pred: Rows, power: float) -> Rows:
    """Row terms (n, 5): 1, a centre, deviation from it, deviance, deviance from the centre."""
    centre = np.full_like(y_true, y_true.mean())
    deviances = _deviance_terms(y_true, y_pred, power)
    with np.errstate(invalid="ignore", divide="ignore"):
        around = unit_deviance(y_true, centre, power)
    return with_weight(centre, y_true - centre, deviances, around)


def _share_explained(sums: Floats, power: float) -> Floats:
    """1 - deviance / deviance from the mean, which is found from that around the centre.

    The deviances around two constants differ by the weight times the deviance of the one from
    the other where the first is the mean: they are Bregman divergences.
    """
    weight, centre = sums[..., 0], sums[..., 1] / sums[..., 0]
    mean = centre + sums[..., 2] / weight
    with np.errstate(invalid="ignore", divide="ignore"):
        reference = sums[..., 4] - weight * unit_deviance(mean, centre, power)
    return share_explained(
        sums[..., 3], np.where(reference > 1e-12 * np.abs(sums[..., 4]), reference, 0.0)
    )


_SOURCE = "doi:10.1111/j.2517-6161.1987.tb01685.x"


def _describe(name: str, power: float, options: tuple[tuple[str, Any], ...] = ()) -> Metric:
    return describe_mean(name, partial(_deviance_terms, power=power), _SOURCE, options=options)


def describe_tweedie_deviance(*, power: float = 0) -> Metric:
    """Describe the mean Tweedie deviance of a power."""
    check_power("mean_tweedie_deviance", power)
    return _describe("mean_tweedie_deviance", power, (("power", power),))


def describe_tweedie_score(*, power: float = 0) -> Metric:
    """Describe the share of the Tweedie deviance of a power that is explained."""
    check_power("d2_tweedie_score", power)
    statistic = Statistic(
        "total weight, centre, deviations, deviances from predictions and from the centre",
        5,
        "sums",
        terms=partial(_score_terms, power=power),
    )
    formula = partial(_share_explained, power=power)
    return describe(
        "d2_tweedie_score", statistic, formula, _SOURCE, score=True, options=(("power", power),)
    )


METRICS: tuple[Metric, ...] = (
    _describe("mean_poisson_deviance", 1),
    _describe("mean_gamma_deviance", 2),
)
