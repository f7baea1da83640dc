"""Models made of other models: scores rounded, or replaced by calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.simulation import _options
from fastmetrics.simulation.laws import rounded_law
from fastmetrics.simulation.score_model import Labels, ScoreModel

MOST_DECIMALS = 15


class RoundedModel(ScoreModel):
    """The scores of another model, rounded to decimals as NumPy rounds them.

    Parameters
    ----------
    model : ScoreModel
    decimals : int
        From 0 to 15.
    """

    def __init__(self, model: ScoreModel, decimals: int) -> None:
        self.model = model
        self.decimals = _options.whole(decimals, "decimals", 0)
        if self.decimals > MOST_DECIMALS:
            raise ValueError(f"decimals={decimals}: a float has no more than {MOST_DECIMALS}")
        super().__init__(
            rounded_law(model.negative, self.decimals), rounded_law(model.positive, self.decimals)
        )

    def __repr__(self) -> str:
        return f"{self.model!r}.rounded({self.decimals})"


@dataclass(frozen=True)
class CalibratedModel:
    """Another model, its scores replaced by calibrated probabilities at a prevalence.

    Brier score, log loss and calibration errors can be simulated with it. The probabilities are
    right where the data sets have this prevalence, and miscalibrated elsewhere.

    Parameters
    ----------
    model : ScoreModel
    prevalence : float
        Share of positives that the probabilities assume, between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> import fastmetrics as fm
    >>> model = fm.simulation.Binormal(2).calibrated(prevalence=0.01)
    >>> y_true, y_prob = model.draw(100, 9_900, np.random.default_rng(0))
    >>> round(float(y_prob.mean()), 4)
    0.0099
    """

    model: ScoreModel
    prevalence: float

    def __post_init__(self) -> None:
        _options.prevalence(self.prevalence)

    def __repr__(self) -> str:
        return f"{self.model!r}.calibrated({self.prevalence:g})"

    def support(self) -> tuple[float, float]:
        """Probabilities lie between 0 and 1."""
        return 0.0, 1.0

    def draw(
        self, n_positive: int, n_negative: int, generator: np.random.Generator
    ) -> tuple[Labels, Floats]:
        """Draw one data set: labels and probabilities (n,), positives first."""
        y_true, scores = self.model.draw(n_positive, n_negative, generator)
        return y_true, self.model.probability(scores, self.prevalence)
