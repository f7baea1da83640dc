"""Intervals of many data sets at once, by the rules of ``inference.intervals``.

Conventions
-----------
Rows are data sets. Replicates are sorted along their row, undefined ones last. Where an estimate or
all replicates are undefined, so are the limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.inference.intervals import Method

Limits = tuple[Floats, Floats]


@dataclass(frozen=True)
class Replicates:
    """Estimates of data sets and their replicates.

    Parameters
    ----------
    estimates : (D,)
    values : (D, B) sorted
    counts : (D,) replicates that are defined
    bounds : smallest and largest value of the metric
    """

    estimates: Floats
    values: Floats
    counts: npt.NDArray[np.intp]
    bounds: tuple[float, float]

    @classmethod
    def of(cls, estimates: Floats, values: Floats, bounds: tuple[float, float]) -> Replicates:
        """Sort the values (D, B)."""
        ordered = np.sort(values, axis=1)
        return cls(estimates, ordered, np.count_nonzero(ordered == ordered, axis=1), bounds)

    def quantiles(self, levels: Floats) -> Floats:
        """Quantiles (D,) at a level, or at one (D,) for each data set, as ``np.quantile``."""
        last = np.maximum(self.counts - 1, 0)
        places = levels * last
        low = np.minimum(places.astype(np.intp), last)
        rows = np.arange(len(self.values))
        first, second = self.values[rows, low], self.values[rows, np.minimum(low + 1, last)]
        share, step = places - low, second - first
        upper = share >= 0.5
        found: Floats = np.where(upper, second - step * (1.0 - share), first + step * share)
        return found

    def standard_errors(self) -> Floats:
        """Standard deviations (D,) of the defined replicates; nan where there is one only."""
        if self.counts.min(initial=2) == self.values.shape[1] > 1:
            errors: Floats = self.values.std(axis=1, ddof=1)
            return errors
        size = self.counts.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.nansum(self.values, axis=1) / size
            squares = np.nansum((self.values - means[:, None]) ** 2, axis=1)
            return np.where(size > 1.0, np.sqrt(squares / (size - 1.0)), np.nan)


def limits_of(
    method: Method, level: float, found: Replicates, accelerations: Floats | None = None
) -> Limits:
    """Lower and upper limits (D,) by a method that reads replicates.

    Parameters
    ----------
    method : one of ``inference.intervals.METHODS``; for "studentized" the values are pivots
    level : confidence level as a fraction
    found : estimates and replicates
    accelerations : (D,) of BCa, nan where they are undefined
    """
    tails = np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    if method == "bca":
        low, high = _bca(tails, found, accelerations)
    elif method == "normal":
        low, high = _around(tails, found.estimates, found.standard_errors())
    elif method == "logit":
        low, high = _on_logits(tails, found)
    else:
        low, high = found.quantiles(tails[0]), found.quantiles(tails[1])
    if method in ("basic", "studentized"):
        least, most = found.bounds
        low, high = (np.clip(2.0 * found.estimates - limit, least, most) for limit in (high, low))
    undefined = np.isnan(found.estimates) | (found.counts == 0)
    return np.where(undefined, np.nan, low), np.where(undefined, np.nan, high)


def _around(tails: Floats, centres: Floats, errors: Floats) -> Limits:
    from scipy.special import ndtri

    z = ndtri(tails)
    return centres + z[0] * errors, centres + z[1] * errors


def _on_logits(tails: Floats, found: Replicates) -> Limits:
    """Normal limits on the logit scale; percentile ones where it is infinite."""
    least, most = found.bounds
    if not np.isfinite(found.bounds).all():
        return found.quantiles(tails[0]), found.quantiles(tails[1])
    place = (found.estimates - least) / (most - least)
    inside = (place > 0.0) & (place < 1.0)
    errors = found.standard_errors()
    limits = area_limits(tails, np.where(inside, place, 0.5), errors / (most - least))
    chosen = []
    for tail, limit, centred in zip(
        tails, limits, _around(tails, found.estimates, np.zeros_like(errors))
    ):
        moved = least + (most - least) * limit
        moved = np.where(errors == 0.0, centred, moved)
        chosen.append(np.where(inside | (errors == 0.0), moved, found.quantiles(tail)))
    return chosen[0], chosen[1]


def area_limits(tails: Floats, areas: Floats, errors: Floats) -> Limits:
    """Limits (D,) of areas with known standard errors on the logit scale, as DeLong's.

    Areas of 0 and 1 have linear limits within [0, 1].
    """
    from scipy.special import expit

    inside = (areas > 0.0) & (areas < 1.0)
    safe = np.where(inside, areas, 0.5)
    linear = _around(tails, areas, errors)
    moved = _around(tails, np.log(safe / (1.0 - safe)), errors / (safe * (1.0 - safe)))
    low, high = (
        np.where(inside, expit(limit), np.clip(straight, 0.0, 1.0))
        for limit, straight in zip(moved, linear)
    )
    return low, high


def _bca(tails: Floats, found: Replicates, accelerations: Floats | None) -> Limits:
    """Percentile limits at corrected levels; ties with the estimate count one half."""
    from scipy.special import ndtr, ndtri

    own = found.estimates[:, None]
    below = np.count_nonzero(found.values < own, axis=1)
    tied = np.count_nonzero(found.values == own, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (2 * below + tied) / (2.0 * found.counts)
    possible = (share > 0.0) & (share < 1.0)
    z0 = ndtri(np.where(possible, share, 0.5))
    a = np.zeros_like(z0) if accelerations is None else np.nan_to_num(accelerations, nan=0.0)
    limits = []
    for tail in tails:
        shifted = z0 + ndtri(tail)
        rest = 1.0 - a * shifted
        with np.errstate(divide="ignore", invalid="ignore"):
            corrected = ndtr(z0 + shifted / rest)
        corrected = np.where(rest > 0.0, corrected, np.where(shifted > 0.0, 1.0, 0.0))
        limits.append(found.quantiles(np.where(possible, corrected, tail)))
    return limits[0], limits[1]
