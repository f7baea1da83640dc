"""The binormal model: both classes score normally, and everything about it has a closed form."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from fastmetrics.input.options import is_number
from fastmetrics.simulation import _options
from fastmetrics.simulation._continuous import NormalLaw
from fastmetrics.simulation._exact import PairMoments
from fastmetrics.simulation.score_model import ScoreModel


class Binormal(ScoreModel):
    """Normal scores: negatives N(0, 1), positives N(separation, scale).

    Parameters
    ----------
    separation : float
        Mean of the positives.
    scale : float
        Standard deviation of the positives, above 0.

    Raises
    ------
    ValueError
        Numbers that are not finite, or a scale of 0 or less.

    Notes
    -----
    The AUC is ``Phi(separation / sqrt(1 + scale**2))``; its variance is in closed form too, by
    Owen's T.

    References
    ----------
    Dorfman & Alf 1969, doi:10.1016/0022-2496(69)90019-4. Owen 1956,
    doi:10.1214/aoms/1177728074.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> model = fm.simulation.Binormal(2)
    >>> round(model.auc, 6)
    0.92135
    >>> round(fm.simulation.Binormal.with_auc(0.9).separation, 4)
    1.8124
    """

    def __init__(self, separation: float, scale: float = 1.0) -> None:
        self.separation = _options.finite(separation, "separation")
        self.scale = _options.positive(scale, "scale")
        super().__init__(NormalLaw(), NormalLaw(self.separation, self.scale))

    @classmethod
    def with_auc(cls, auc: float, scale: float = 1.0) -> Binormal:
        """Return the model with an AUC, between 0 and 1."""
        from scipy.special import ndtri

        if not is_number(auc) or not 0.0 < auc < 1.0:
            raise ValueError(f"auc={auc!r}: give a number between 0 and 1")
        scale = _options.positive(scale, "scale")
        return cls(float(ndtri(auc)) * float(np.hypot(1.0, scale)), scale)

    def __repr__(self) -> str:
        scale = "" if self.scale == 1.0 else f", scale={self.scale:g}"
        return f"Binormal({self.separation:g}{scale})"

    @cached_property
    def _difference(self) -> float:
        """Mean difference of a positive and a negative in standard deviations of it."""
        return self.separation / float(np.hypot(1.0, self.scale))

    @cached_property
    def auc(self) -> float:
        """Phi(separation / sqrt(1 + scale**2))."""
        from scipy.special import ndtr

        return float(ndtr(self._difference))

    @cached_property
    def _pair_moments(self) -> PairMoments:
        from scipy.special import ndtr, owens_t

        # two pairs with a common row: differences correlated by its share of their variance
        shares = np.array([self.scale**2, 1.0]) / (1.0 + self.scale**2)
        slopes = np.sqrt((1.0 - shares) / (1.0 + shares))
        rarer = float(ndtr(-abs(self._difference)))
        by_positive, by_negative = rarer - 2.0 * owens_t(self._difference, slopes)
        return PairMoments(rarer, 0.0, float(by_positive), float(by_negative))
