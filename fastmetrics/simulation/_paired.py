"""Models that score the same rows: every model's scores keep their law, and go together.

Conventions
-----------
Each row of a class has a normal number of every model, any two of them correlated alike; a score is
the quantile of the model's law at its number's probability (a Gaussian copula). A correlation of 1
between models of one law makes their scores equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.sweeps.units import Labels
from fastmetrics.input.options import is_number
from fastmetrics.simulation._continuous import NormalLaw
from fastmetrics.simulation._law import Law
from fastmetrics.simulation.derived import CalibratedModel
from fastmetrics.simulation.score_model import ScoreModel, labels_of


@dataclass(frozen=True)
class Pairing:
    """Draws data sets that all models score.

    Parameters
    ----------
    models : by name, each with two laws
    correlation : of the normal numbers of two models among negatives, and among positives
    """

    models: Mapping[str, Any]
    correlation: tuple[float, float]

    def draw(
        self, n_positive: int, n_negative: int, generator: np.random.Generator
    ) -> tuple[Labels, list[Floats]]:
        """Labels, positives first, and the scores of each model, each (n,); negatives first."""
        negative = self._scores("negative", n_negative, self.correlation[0], generator)
        positive = self._scores("positive", n_positive, self.correlation[1], generator)
        scores = [
            _finished(model, np.concatenate([high, low]))
            for model, high, low in zip(self.models.values(), positive, negative)
        ]
        return labels_of(n_positive, n_negative).view(np.uint8), scores

    def _scores(
        self, label: str, n: int, correlation: float, generator: np.random.Generator
    ) -> list[Floats]:
        """Scores (n,) of each model on the rows of a class."""
        shared = generator.normal(size=n) if correlation > 0.0 else np.zeros(n)
        found = []
        for model in self.models.values():
            z = np.sqrt(correlation) * shared
            if correlation < 1.0:
                z += np.sqrt(1.0 - correlation) * generator.normal(size=n)
            found.append(_at(getattr(laws_of(model), label), z))
        return found


def laws_of(model: Any) -> ScoreModel:
    """Return the model of laws that a model's scores come from."""
    scored = model.model if isinstance(model, CalibratedModel) else model
    if not isinstance(scored, ScoreModel):
        raise TypeError(
            f"{model!r} knows no laws of its scores: give a Binormal, ScoreModel, EmpiricalModel, "
            "RoundedModel or CalibratedModel"
        )
    return scored


def _at(law: Law, z: Floats) -> Floats:
    """Scores at the probabilities of normal numbers z (n,), each tail from its own side."""
    if isinstance(law, NormalLaw):
        return law.mean + law.scale * z
    from scipy.special import ndtr

    below = z < 0.0
    tails = ndtr(-np.abs(z))
    scores = np.empty(z.size)
    scores[below], scores[~below] = law.ppf(tails[below]), law.isf(tails[~below])
    return scores


def _finished(model: Any, scores: Floats) -> Floats:
    """Return what the model makes of the scores of its laws."""
    if isinstance(model, CalibratedModel):
        return np.asarray(model.model.probability(scores, model.prevalence))
    return scores


def read_correlation(value: Any) -> tuple[float, float]:
    """Return the correlations among negatives and among positives; one number stands for both."""
    pair = (value, value) if is_number(value) else value
    valid = isinstance(pair, (tuple, list)) and len(pair) == 2
    if not valid or not all(is_number(part) and 0.0 <= part <= 1.0 for part in pair):
        raise ValueError(
            f"correlation={value!r}: give a number from 0 to 1, or two, among negatives and among "
            "positives"
        )
    return float(pair[0]), float(pair[1])
