"""Classes as clouds of points, for what happens when there are more than two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.simulation import _options


class LabelledPoints(NamedTuple):
    """Classes (n,) and points (n, d), class after class."""

    y_true: npt.NDArray[np.int64]
    points: Floats


@dataclass(frozen=True)
class GaussianClasses:
    """Normal clouds of points, one per class, round and of one size.

    Parameters
    ----------
    means : array-like of shape (K, d) or (K,)
        Centre of each class; numbers for points on a line.
    scale : float
        Standard deviation in every direction, above 0.

    Raises
    ------
    ValueError
        Fewer than two classes, or numbers that are not finite.

    Examples
    --------
    >>> import numpy as np
    >>> import fastmetrics as fm
    >>> model = fm.simulation.GaussianClasses([[0, 0], [2, 0], [0, 2]])
    >>> y_true, points = model.draw([1500, 400, 100], np.random.default_rng(0))
    >>> points.shape
    (2000, 2)
    >>> model.probability([[1, 1]], prevalence=[0.5, 0.25, 0.25])
    array([[0.5 , 0.25, 0.25]])
    """

    means: npt.ArrayLike
    scale: float = 1.0

    def __post_init__(self) -> None:
        centres = self._centres
        if centres.ndim != 2 or len(centres) < 2 or not np.isfinite(centres).all():
            raise ValueError("means must hold the finite centres of two classes or more, (K, d)")
        _options.positive(self.scale, "scale")

    @property
    def _centres(self) -> Floats:
        centres = np.asarray(self.means, np.float64)
        return centres[:, None] if centres.ndim == 1 else centres

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self._centres)

    def draw(self, class_sizes: Sequence[int], generator: np.random.Generator) -> LabelledPoints:
        """Draw points of every class, class after class.

        Parameters
        ----------
        class_sizes : (K,) rows of each class
        generator : drawn from
        """
        sizes = [_options.whole(size, f"class_sizes[{k}]", 0) for k, size in enumerate(class_sizes)]
        centres = self._centres
        if len(sizes) != len(centres):
            raise ValueError(f"class_sizes has {len(sizes)} entries for {len(centres)} classes")
        clouds = [
            centre + self.scale * generator.normal(size=(size, centres.shape[1]))
            for size, centre in zip(sizes, centres)
        ]
        return LabelledPoints(np.repeat(np.arange(len(sizes)), sizes), np.concatenate(clouds))

    def probability(self, points: npt.ArrayLike, prevalence: npt.ArrayLike) -> Floats:
        """Calibrated probability of every class, given the point.

        Parameters
        ----------
        points : array-like of shape (n, d), or (n,) on a line
        prevalence : array-like of shape (K,)
            Share of each class, 0 or more, together 1.

        Returns
        -------
        ndarray of shape (n, K)
        """
        from scipy.special import softmax

        centres, shares = self._centres, np.asarray(prevalence, np.float64)
        if shares.shape != (len(centres),) or (shares < 0).any() or not np.isclose(shares.sum(), 1):
            raise ValueError(f"prevalence must hold {len(centres)} shares that sum to 1")
        places = np.asarray(points, np.float64)
        if places.ndim == 1 and centres.shape[1] == 1:
            places = places[:, None]
        if places.ndim != 2 or places.shape[1] != centres.shape[1]:
            raise ValueError(f"points have shape {places.shape}: give (n, {centres.shape[1]})")
        distances = ((places[:, None, :] - centres) ** 2).sum(axis=2)
        with np.errstate(divide="ignore"):
            probability: Floats = softmax(
                np.log(shares) - distances / (2.0 * self.scale**2), axis=1
            )
        return probability
