"""Confidence intervals for a proportion: how many of n independent trials came out right.

Conventions
-----------
``count`` of ``n`` trials, numbers or arrays that broadcast. z is the normal quantile of
(1 + confidence level) / 2. Limits are nan, with a warning, where n is 0. Rows of one person or one
household are no independent trials: bootstrap them with ``groups``.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.input.arrays import as_array
from fastmetrics.input.options import check_choice
from fastmetrics.input.validation import require_finite

Floats = NDArray[np.float64]
Limits = tuple[Floats, Floats]


class ProportionInterval(NamedTuple):
    """Lower and upper limit."""

    low: float | Floats
    high: float | Floats


def proportion_interval(
    count: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95, method: str = "wilson"
) -> ProportionInterval:
    """Confidence interval for a proportion.

    "wilson": all proportions that a normal test of the observed one would not reject. "wald": the
    observed one plus and minus z standard errors. "agresti-coull": the same after z^2 / 2 successes
    and as many failures are added. "clopper-pearson": all that an exact binomial test would not
    reject. "jeffreys": quantiles of the beta distribution that follows from the prior
    Beta(1/2, 1/2).

    Parameters
    ----------
    count : int, float or array-like
        Successes, from 0 to n.
    n : int, float or array-like
        Trials.
    confidence_level : float in (0, 1), default=0.95
        Two-sided level.
    method : {"wilson", "wald", "clopper-pearson", "jeffreys", "agresti-coull"}, default="wilson"
        Which interval.

    Returns
    -------
    ProportionInterval
        ``(low, high)``, floats, or arrays of the common shape. Within [0, 1] but for "wald" and
        "agresti-coull", which are not cut there. nan, with a warning, where n is 0.

    Raises
    ------
    InputError
        Counts outside [0, n], or a level that is no fraction.
    InvalidParameterError
        A method that does not exist.

    Notes
    -----
    Wilson's interval is a good choice throughout. Wald's is too short for small n and near 0 and
    1. Clopper-Pearson never covers less than its level, and is long for it. Jeffreys' lower limit
    is 0 for no successes and its upper limit 1 for no failures.

    References
    ----------
    Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> low, high = fm.proportion_interval(8, 12)
    >>> round(low, 4), round(high, 4)
    (0.3906, 0.8619)
    >>> fm.proportion_interval([0, 6, 12], 12, method="jeffreys").low.round(4)
    array([0.    , 0.243 , 0.8147])
    """
    check_choice("proportion_interval", "method", method, tuple(_LIMITS))
    level = read_level(confidence_level)
    counts, trials = np.broadcast_arrays(_numbers(count, "count"), _numbers(n, "n"))
    wrong = (counts < 0) | (counts > trials)
    if wrong.any():
        raise InputError(
            f"count is {counts[wrong][0]:g} of n={trials[wrong][0]:g}: give 0 to n successes"
        )
    if (trials == 0).any():
        warn_undefined("n is 0: a proportion of no trials is undefined")
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = _LIMITS[method](counts, np.where(trials == 0, np.nan, trials), level)
    if counts.ndim == 0:
        return ProportionInterval(float(low), float(high))
    return ProportionInterval(low, high)


def wald_interval(
    count: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95
) -> ProportionInterval:
    """Textbook normal interval for a proportion.

    ``p +- z sqrt(p (1 - p) / n)`` with ``p = count / n``.

    Parameters
    ----------
    count : int, float or array-like
        Successes, from 0 to n.
    n : int, float or array-like
        Trials.
    confidence_level : float in (0, 1), default=0.95
        Two-sided level.

    Returns
    -------
    ProportionInterval
        ``(low, high)``, not cut at 0 and 1; a single point at either end. nan, with a warning,
        where n is 0.

    Raises
    ------
    InputError
        Counts outside [0, n], or a level that is no fraction.

    Notes
    -----
    Too short for small n and for proportions near 0 and 1: prefer ``wilson_interval``.

    References
    ----------
    Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> low, high = fm.wald_interval(8, 12)
    >>> round(low, 4), round(high, 4)
    (0.3999, 0.9334)
    """
    return proportion_interval(count, n, confidence_level=confidence_level, method="wald")


def wilson_interval(
    count: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95
) -> ProportionInterval:
    """Wilson's score interval for a proportion.

    ``(p + z^2/(2n) +- z sqrt(p (1 - p)/n + z^2/(4n^2))) / (1 + z^2/n)`` with ``p = count / n``.

    Parameters
    ----------
    count : int, float or array-like
        Successes, from 0 to n.
    n : int, float or array-like
        Trials.
    confidence_level : float in (0, 1), default=0.95
        Two-sided level.

    Returns
    -------
    ProportionInterval
        ``(low, high)`` in [0, 1]. nan, with a warning, where n is 0.

    Raises
    ------
    InputError
        Counts outside [0, n], or a level that is no fraction.

    Notes
    -----
    All proportions that a normal test with its own standard error would not reject.

    References
    ----------
    Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> low, high = fm.wilson_interval(8, 12)
    >>> round(low, 4), round(high, 4)
    (0.3906, 0.8619)
    """
    return proportion_interval(count, n, confidence_level=confidence_level, method="wilson")


def read_level(value: Any) -> float:
    """Return a confidence level as a fraction; 95 is told apart from 0.95."""
    number = np.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    if number > 0 and 1 + number < 2:
        return number
    hint = f"{number / 100:g}" if 1 < number < 100 else "0.95"
    raise InputError(f"confidence_level={value}: give a fraction, {hint}")


def normal_quantile(level: float) -> float:
    """Z of a two-sided level."""
    return NormalDist().inv_cdf((1 + level) / 2)


def _numbers(value: ArrayLike, name: str) -> Floats:
    """A number or an array of numbers as float64."""
    array = np.asarray(value) if np.isscalar(value) else as_array(value, name)
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}={value!r}: numbers are needed") from None
    if numbers.size:
        require_finite(np.atleast_1d(numbers), name)
    return numbers


def _wald(count: Floats, n: Floats, level: float) -> Limits:
    share = count / n
    reach = normal_quantile(level) * np.sqrt(share * (1 - share) / n)
    return share - reach, share + reach


def _wilson(count: Floats, n: Floats, level: float) -> Limits:
    z = normal_quantile(level)
    share = count / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    reach = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    # at the ends centre and reach are the same number, rounded twice
    low = np.where(count == 0, 0.0 * n, centre - reach)
    return low, np.where(count == n, 1.0, centre + reach)


def _agresti_coull(count: Floats, n: Floats, level: float) -> Limits:
    z = normal_quantile(level)
    return _wald(count + z * z / 2, n + z * z, level)


def _clopper_pearson(count: Floats, n: Floats, level: float) -> Limits:
    return _beta_limits((count, n - count + 1), (count + 1, n - count), count, n, level)


def _jeffreys(count: Floats, n: Floats, level: float) -> Limits:
    shape = (count + 0.5, n - count + 0.5)
    return _beta_limits(shape, shape, count, n, level)


def _beta_limits(lower: Limits, upper: Limits, count: Floats, n: Floats, level: float) -> Limits:
    """Quantiles of two beta distributions; 0 without successes, 1 without failures."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = np.where(count == 0, 0.0 * n, betaincinv(*lower, tail))
    return low, np.where(count == n, 1.0, betaincinv(*upper, 1 - tail))


_LIMITS: dict[str, Callable[[Floats, Floats, float], Limits]] = {
    "wilson": _wilson,
    "wald": _wald,
    "clopper-pearson": _clopper_pearson,
    "jeffreys": _jeffreys,
    "agresti-coull": _agresti_coull,
}
