"""Closed forms that a search for a sample size starts from.

Conventions
-----------
Classes are ``n_positive`` and ``n_negative`` rows. The formulas are approximations: the first takes
scores to be exponential, the second an estimate to be a share of the positives.
"""

from __future__ import annotations

from collections.abc import Callable

Variance = Callable[[int, int], float]


def area_variance(area: float, n_positive: int, n_negative: int) -> float:
    """Variance of an AUC by Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747."""
    by_positive = area / (2.0 - area) - area * area
    by_negative = 2.0 * area * area / (1.0 + area) - area * area
    single = area * (1.0 - area)
    pairs = n_positive * n_negative
    return (single + (n_positive - 1) * by_positive + (n_negative - 1) * by_negative) / pairs


def share_variance(place: float, n_positive: int) -> float:
    """Variance of a share of the positives, ``place`` between its bounds."""
    return place * (1.0 - place) / n_positive


def smallest_size(
    variance: Variance, largest_variance: float, split: Callable[[int], tuple[int, int]], cap: int
) -> int:
    """Smallest number of rows, up to a cap, whose variance is small enough; it falls with n."""
    low, high = 1, 2
    while high < cap and variance(*split(high)) > largest_variance:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if variance(*split(middle)) > largest_variance:
            low = middle
        else:
            high = middle
    return min(high, cap)
