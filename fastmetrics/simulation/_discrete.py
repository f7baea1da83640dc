"""Laws of scores that tie: those of samples, discrete distributions of scipy, rounded scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.simulation._continuous import describe
from fastmetrics.simulation._law import Atoms, Law

# mass that the atoms of a law without end may leave out
NEGLIGIBLE = 1e-18
MOST_ATOMS = 10_000_000
MASS_ERROR = 1e-9


class DiscreteLaw:
    """Scores that take single values only.

    Parameters
    ----------
    values : (k,) ascending
    masses : (k,) above 0; what they sum to counts as 1
    sample : (n,) scores to draw from with replacement, where the law is that of a sample
    name : how it is printed
    """

    discrete = True

    def __init__(
        self, values: Floats, masses: Floats, *, sample: Floats | None = None, name: str = ""
    ) -> None:
        rising = np.concatenate([[0.0], np.cumsum(masses)])
        falling = np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])
        self.atoms = Atoms(values, masses / rising[-1])
        self._sample = sample
        self._name = name
        # P(X < value k) and P(X >= value k) for k = 0 to size
        self._lower: Floats = rising / rising[-1]
        self._upper: Floats = falling / falling[0]

    @classmethod
    def of_sample(cls, scores: Floats) -> DiscreteLaw:
        """Return the law of drawing from scores (n,) with replacement."""
        values, counts = np.unique(scores, return_counts=True)
        return cls(values, counts.astype(np.float64), sample=scores, name=f"{scores.size:,} scores")

    @classmethod
    def of_distribution(cls, distribution: Any) -> DiscreteLaw:
        """Return the law of a frozen discrete distribution of ``scipy.stats``."""
        values, masses = _table_of(distribution)
        if not abs(masses.sum() - 1.0) < MASS_ERROR:
            raise ValueError(
                f"the masses of {describe(distribution)} sum to {masses.sum():.6g}: give a "
                "discrete distribution a whole loc"
            )
        kept = masses > 0.0
        return cls(values[kept], masses[kept], name=describe(distribution))

    def __repr__(self) -> str:
        return self._name

    def rounded(self, decimals: int) -> DiscreteLaw:
        """Return the law of the scores rounded to so many decimals."""
        values, place = np.unique(np.round(self.atoms.values, decimals), return_inverse=True)
        masses = np.bincount(place, self.atoms.masses, values.size).astype(np.float64)
        sample = None if self._sample is None else np.round(self._sample, decimals)
        return DiscreteLaw(values, masses, sample=sample, name=self._name)

    def support(self) -> tuple[float, float]:
        """Lowest and highest score."""
        return float(self.atoms.values[0]), float(self.atoms.values[-1])

    def _at(self, totals: Floats, x: Floats, side: Literal["left", "right"]) -> Floats:
        found: Floats = totals[np.searchsorted(self.atoms.values, x, side=side)]
        return found

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""
        return self._at(self._lower, x, "right")

    def sf(self, x: Floats) -> Floats:
        """P(X > x)."""
        return self._at(self._upper, x, "right")

    def cdf_below(self, x: Floats) -> Floats:
        """P(X < x)."""
        return self._at(self._lower, x, "left")

    def sf_below(self, x: Floats) -> Floats:
        """P(X >= x)."""
        return self._at(self._upper, x, "left")

    def _value(self, place: Any) -> Floats:
        values: Floats = self.atoms.values[np.minimum(place, self.atoms.values.size - 1)]
        return values

    def ppf(self, q: Floats) -> Floats:
        """Lowest score with P(X <= x) >= q."""
        return self._value(np.searchsorted(self._lower[1:], q, side="left"))

    def isf(self, q: Floats) -> Floats:
        """Lowest score with P(X > x) <= q."""
        reaching = np.searchsorted(self._upper[:0:-1], q, side="right")
        return self._value(self.atoms.values.size - reaching)

    def log_density(self, x: Floats) -> Floats:
        """Logarithm of the mass."""
        place = np.minimum(np.searchsorted(self.atoms.values, x), self.atoms.values.size - 1)
        mass = np.where(self.atoms.values[place] == x, self.atoms.masses[place], 0.0)
        return _logarithm(mass)

    def draw(self, n: int, generator: np.random.Generator) -> Floats:
        """Independent scores (n,)."""
        if self._sample is not None:
            return self._sample[generator.integers(0, self._sample.size, n)]
        return self.ppf(1.0 - generator.random(n))


def _table_of(distribution: Any) -> tuple[Floats, Floats]:
    """Values and masses (k,) of a frozen discrete distribution of scipy."""
    kind = distribution.dist
    if hasattr(kind, "xk"):
        order = np.argsort(kind.xk)
        values = np.asarray(kind.xk, np.float64)[order]
        shift = float(distribution.support()[0]) - values[0]
        return values + shift, np.asarray(kind.pk, np.float64)[order]
    low, high = map(float, distribution.support())
    middle = float(distribution.median())
    step = 1.0
    while step <= MOST_ATOMS and not np.isfinite([low, high]).all():
        if np.isinf(low) and distribution.cdf(middle - step) <= NEGLIGIBLE:
            low = middle - step
        if np.isinf(high) and distribution.sf(middle + step) <= NEGLIGIBLE:
            high = middle + step
        step *= 2.0
    if not high - low < MOST_ATOMS:
        raise InputError(f"{describe(distribution)} has more than {MOST_ATOMS:,} values")
    values = np.arange(low, high + 1.0)
    return values, np.asarray(distribution.pmf(values))


@dataclass(frozen=True)
class RoundedLaw:
    """Scores of a continuous law, rounded to decimals as NumPy rounds them.

    Parameters
    ----------
    law : continuous
    decimals : 0 or more
    """

    law: Law
    decimals: int

    @property
    def discrete(self) -> bool:
        """Rounded scores tie."""
        return True

    @cached_property
    def atoms(self) -> Atoms:
        """Values that occur, up to a mass of 1e-18 in each tail, and their masses."""
        ends = np.array([NEGLIGIBLE])
        low = self._place_of(self.ppf(ends))[0]
        high = self._place_of(self.isf(ends))[0]
        if not high - low < MOST_ATOMS:
            raise InputError(
                f"{self} has {high - low + 1:.3g} values, more than {MOST_ATOMS:,}: round to "
                "fewer decimals, or ask the model before rounding"
            )
        values = np.arange(low, high + 1.0) / self._step
        masses = self._mass(values)
        kept = masses > 0.0
        return Atoms(values[kept], masses[kept])

    @property
    def _step(self) -> float:
        return 10.0**self.decimals

    def _place_of(self, x: Floats) -> Floats:
        """Return the whole number k of the highest value k / 10**decimals that is at most x."""
        place = np.rint(x * self._step)
        return place - (place / self._step > x)

    def _edge(self, x: Floats) -> Floats:
        """Return where the scores end that are rounded to at most x."""
        return (self._place_of(x) + 0.5) / self._step

    def _edge_below(self, x: Floats) -> Floats:
        """Return where the scores end that are rounded to less than x."""
        place = self._place_of(x)
        return (place + np.where(place / self._step == x, -0.5, 0.5)) / self._step

    def support(self) -> tuple[float, float]:
        """Lowest and highest score."""
        low, high = np.round(self.law.support(), self.decimals)
        return float(low), float(high)

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""
        return self.law.cdf(self._edge(x))

    def sf(self, x: Floats) -> Floats:
        """P(X > x)."""
        return self.law.sf(self._edge(x))

    def cdf_below(self, x: Floats) -> Floats:
        """P(X < x)."""
        return self.law.cdf(self._edge_below(x))

    def sf_below(self, x: Floats) -> Floats:
        """P(X >= x)."""
        return self.law.sf(self._edge_below(x))

    def ppf(self, q: Floats) -> Floats:
        """Lowest score with P(X <= x) >= q."""
        return np.round(self.law.ppf(q), self.decimals)

    def isf(self, q: Floats) -> Floats:
        """Lowest score with P(X > x) <= q."""
        return np.round(self.law.isf(q), self.decimals)

    def _mass(self, x: Floats) -> Floats:
        below = self.cdf_below(x)
        # above the median the difference of the upper tails keeps its digits
        return np.where(below > 0.5, self.sf_below(x) - self.sf(x), self.cdf(x) - below)

    def log_density(self, x: Floats) -> Floats:
        """Logarithm of the mass."""
        return _logarithm(self._mass(x))

    def draw(self, n: int, generator: np.random.Generator) -> Floats:
        """Independent scores (n,)."""
        return np.round(self.law.draw(n, generator), self.decimals)


def _logarithm(mass: Floats) -> Floats:
    """Logarithm, -inf for 0."""
    with np.errstate(divide="ignore"):
        logarithm: Floats = np.log(mass)
    return logarithm
