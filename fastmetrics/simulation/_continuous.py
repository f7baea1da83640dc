"""Continuous laws of scores: the normal law, and any continuous distribution of scipy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats


@dataclass(frozen=True)
class NormalLaw:
    """Normal scores.

    Parameters
    ----------
    mean : mean
    scale : standard deviation, above 0
    """

    mean: float = 0.0
    scale: float = 1.0

    @property
    def atoms(self) -> None:
        """No score occurs twice."""
        return None

    @property
    def discrete(self) -> bool:
        """No score occurs twice."""
        return False

    def support(self) -> tuple[float, float]:
        """Every score can occur."""
        return -np.inf, np.inf

    def _standard(self, x: Floats) -> Floats:
        return (x - self.mean) / self.scale

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""
        from scipy.special import ndtr

        probability: Floats = ndtr(self._standard(x))
        return probability

    def sf(self, x: Floats) -> Floats:
        """P(X > x)."""
        from scipy.special import ndtr

        probability: Floats = ndtr(-self._standard(x))
        return probability

    cdf_below = cdf
    sf_below = sf

    def ppf(self, q: Floats) -> Floats:
        """Score with P(X <= x) = q."""
        from scipy.special import ndtri

        score: Floats = self.mean + self.scale * ndtri(q)
        return score

    def isf(self, q: Floats) -> Floats:
        """Score with P(X > x) = q."""
        from scipy.special import ndtri

        score: Floats = self.mean - self.scale * ndtri(q)
        return score

    def log_density(self, x: Floats) -> Floats:
        """Logarithm of the density."""
        z = self._standard(x)
        density: Floats = -0.5 * z * z - np.log(self.scale * np.sqrt(2.0 * np.pi))
        return density

    def draw(self, n: int, generator: np.random.Generator) -> Floats:
        """Independent scores (n,): ``mean + scale * generator.normal(size=n)``."""
        return self.mean + self.scale * generator.normal(size=n)


class ContinuousLaw:
    """A continuous distribution of ``scipy.stats``.

    Parameters
    ----------
    distribution : frozen, as ``scipy.stats.beta(2, 5)``
    """

    def __init__(self, distribution: Any) -> None:
        self.distribution = distribution

    def __repr__(self) -> str:
        return describe(self.distribution)

    @property
    def atoms(self) -> None:
        """No score occurs twice."""
        return None

    @property
    def discrete(self) -> bool:
        """No score occurs twice."""
        return False

    def support(self) -> tuple[float, float]:
        """Lowest and highest score."""
        low, high = self.distribution.support()
        return float(low), float(high)

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""
        return np.asarray(self.distribution.cdf(x))

    def sf(self, x: Floats) -> Floats:
        """P(X > x)."""
        return np.asarray(self.distribution.sf(x))

    cdf_below = cdf
    sf_below = sf

    def ppf(self, q: Floats) -> Floats:
        """Score with P(X <= x) = q."""
        return np.asarray(self.distribution.ppf(q))

    def isf(self, q: Floats) -> Floats:
        """Score with P(X > x) = q."""
        return np.asarray(self.distribution.isf(q))

    def log_density(self, x: Floats) -> Floats:
        """Logarithm of the density."""
        return np.asarray(self.distribution.logpdf(x))

    def draw(self, n: int, generator: np.random.Generator) -> Floats:
        """Independent scores (n,), as scipy draws them."""
        return np.asarray(self.distribution.rvs(size=n, random_state=generator), np.float64)


def describe(distribution: Any) -> str:
    """Return a frozen distribution of scipy as it was written, ``beta(2, 5)``."""
    if hasattr(distribution.dist, "xk"):
        return f"{len(distribution.dist.xk):,} values"
    parts = [f"{value:g}" for value in distribution.args]
    parts += [f"{key}={value:g}" for key, value in distribution.kwds.items()]
    return f"{distribution.dist.name}({', '.join(parts)})"
