"""Laws of scores from what a user has: a distribution of scipy, another law, rounded scores."""

from __future__ import annotations

from typing import Any

from fastmetrics.simulation._continuous import ContinuousLaw, NormalLaw
from fastmetrics.simulation._discrete import DiscreteLaw, RoundedLaw
from fastmetrics.simulation._law import Law

__all__ = [
    "ContinuousLaw",
    "DiscreteLaw",
    "Law",
    "NormalLaw",
    "RoundedLaw",
    "is_law",
    "law_of",
    "rounded_law",
]
_METHODS = ("support", "cdf", "sf", "cdf_below", "sf_below", "ppf", "isf", "log_density", "draw")


def is_law(value: Any) -> bool:
    """Whether a value has what a law has; its atoms are not looked at, they may be many."""
    return all(hasattr(type(value), name) for name in (*_METHODS, "discrete"))


def law_of(distribution: Any, name: str) -> Law:
    """Return the law of a frozen distribution of scipy.stats; a law is returned as it is."""
    if is_law(distribution):
        law: Law = distribution
        return law
    if hasattr(distribution, "xk"):  # rv_discrete(values=...) has nothing left to be set
        distribution = distribution.freeze()
    kind = getattr(distribution, "dist", None)
    if hasattr(kind, "pmf"):
        return DiscreteLaw.of_distribution(distribution)
    if hasattr(kind, "pdf"):
        return ContinuousLaw(distribution)
    raise TypeError(
        f"{name} is {distribution!r}: give a frozen distribution of scipy.stats, as norm(0, 1)"
    )


def rounded_law(law: Law, decimals: int) -> Law:
    """Return the law of rounded scores."""
    return law.rounded(decimals) if isinstance(law, DiscreteLaw) else RoundedLaw(law, decimals)
