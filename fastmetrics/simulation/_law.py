"""What a model must know of how the scores of one class are distributed.

Conventions
-----------
A law is continuous (``atoms`` is None) or discrete (``atoms`` are its values and their masses). The
four probabilities ``cdf`` P(X <= x), ``sf`` P(X > x), ``cdf_below`` P(X < x) and ``sf_below``
P(X >= x) are each computed on their own side, so that neither tail is lost to rounding. Functions
take and return arrays of one shape.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from fastmetrics.engine.description import Floats


class Atoms(NamedTuple):
    """Values (k,) of a discrete law, ascending, and their masses (k,)."""

    values: Floats
    masses: Floats


class Law(Protocol):
    """How the scores of one class are distributed."""

    @property
    def atoms(self) -> Atoms | None:
        """Values and masses of a discrete law; None where the law is continuous."""

    @property
    def discrete(self) -> bool:
        """Whether two scores may be equal."""

    def support(self) -> tuple[float, float]:
        """Lowest and highest score."""

    def cdf(self, x: Floats) -> Floats:
        """P(X <= x)."""

    def sf(self, x: Floats) -> Floats:
        """P(X > x)."""

    def cdf_below(self, x: Floats) -> Floats:
        """P(X < x)."""

    def sf_below(self, x: Floats) -> Floats:
        """P(X >= x)."""

    def ppf(self, q: Floats) -> Floats:
        """Lowest score with P(X <= x) >= q."""

    def isf(self, q: Floats) -> Floats:
        """Lowest score with P(X > x) <= q."""

    def log_density(self, x: Floats) -> Floats:
        """Logarithm of the density, or of the mass of a discrete law."""

    def draw(self, n: int, generator: np.random.Generator) -> Floats:
        """Independent scores (n,)."""
