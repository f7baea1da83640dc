"""Answers of people: right or wrong, and alike within a person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.simulation import _options
from fastmetrics.simulation._continuous import NormalLaw
from fastmetrics.simulation._exact import mean_over


class Answers(NamedTuple):
    """Answers (n,), 1 where right, and the person (n,) that gave each; person after person."""

    correct: npt.NDArray[np.int8]
    people: npt.NDArray[np.int64]


@dataclass(frozen=True)
class ClusteredAnswers:
    """Answers of people who differ in ability, so that rows are not independent.

    Each person answers all questions, each rightly with the probability
    ``expit(mean + spread * z)``, where z is standard normal and belongs to the person.

    Parameters
    ----------
    n_people : int
        People, 1 or more.
    questions : int
        Answers of each person, 1 or more.
    mean : float
        Log-odds of a right answer of the middle person.
    spread : float
        Standard deviation of the log-odds over people, 0 or more.

    Raises
    ------
    ValueError
        Numbers out of range; the message names the argument.

    Examples
    --------
    >>> import numpy as np
    >>> import fastmetrics as fm
    >>> model = fm.simulation.ClusteredAnswers(n_people=30, questions=20, mean=1, spread=1.2)
    >>> correct, people = model.draw(np.random.default_rng(0))
    >>> correct.shape, round(float(correct.mean()), 6)
    ((600,), 0.651667)
    >>> round(model.standard_deviation, 4), round(model.standard_deviation_of_rows, 4)
    (0.0421, 0.0189)
    """

    n_people: int
    questions: int
    mean: float
    spread: float

    def __post_init__(self) -> None:
        _options.whole(self.n_people, "n_people", 1)
        _options.whole(self.questions, "questions", 1)
        _options.finite(self.mean, "mean")
        if _options.finite(self.spread, "spread") < 0.0:
            raise ValueError(f"spread={self.spread!r}: give a number of 0 or more")

    def draw(self, generator: np.random.Generator) -> Answers:
        """Draw abilities, then all answers, person after person."""
        ability = self._ability(generator.normal(size=self.n_people))
        answers = generator.uniform(size=(self.n_people, self.questions)) < ability[:, None]
        people = np.repeat(np.arange(self.n_people), self.questions)
        return Answers(answers.ravel().astype(np.int8), people)

    def _ability(self, z: Floats) -> Floats:
        from scipy.special import expit

        ability: Floats = expit(self.mean + self.spread * z)
        return ability

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """Mean of the ability, and of its square."""
        normal = NormalLaw()
        return (
            mean_over(normal, normal, self._ability),
            mean_over(normal, normal, lambda z: self._ability(z) ** 2),
        )

    @property
    def accuracy(self) -> float:
        """Expected share of right answers."""
        return self._moments[0]

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the share of right answers over data sets."""
        mean, square = self._moments
        within = (mean - square) / self.questions
        return float(np.sqrt((square - mean * mean + within) / self.n_people))

    @property
    def standard_deviation_of_rows(self) -> float:
        """What the standard deviation would be if all answers were independent."""
        mean = self._moments[0]
        return float(np.sqrt(mean * (1.0 - mean) / (self.n_people * self.questions)))
