"""A model of one's own scores, to be asked what they would look like elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.inputs import read_binary
from fastmetrics.errors import LabelError
from fastmetrics.simulation._discrete import DiscreteLaw
from fastmetrics.simulation._law import Law
from fastmetrics.simulation.score_model import ScoreModel


class EmpiricalModel(ScoreModel):
    """Scores drawn with replacement from one's own, each class from its own.

    The question it answers: what would these scores look like on many more rows, or at another
    prevalence?

    Parameters
    ----------
    negative_scores, positive_scores : array-like of shape (n,)
        Scores of each class, finite. ``EmpiricalModel.fit`` takes labels and scores.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> model = fm.simulation.EmpiricalModel.fit([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> model.auc
    0.75
    >>> round(model.expected_precision(0.3, prevalence=0.01), 4)
    0.0198
    """

    def __init__(self, negative_scores: npt.ArrayLike, positive_scores: npt.ArrayLike) -> None:
        super().__init__(
            _sample(negative_scores, "negative_scores"), _sample(positive_scores, "positive_scores")
        )

    @classmethod
    def fit(
        cls, y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, pos_label: Any = None
    ) -> EmpiricalModel:
        """Return the model of labels and scores (n,).

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Labels: bool, {0, 1} or {-1, 1}, anything else with ``pos_label``.
        y_score : array-like of shape (n,)
            Scores, finite.
        pos_label : label, optional
            The positive class.

        Raises
        ------
        ValueError
            Data that cannot be scored, or rows of one class only.
        """
        data = read_binary(y_true, y_score, pos_label=pos_label)
        positive = data.labels == 1
        if positive.all() or not positive.any():
            raise LabelError("y_true holds one class only: a model needs scores of both")
        return cls(data.scores[~positive], data.scores[positive])

    def __repr__(self) -> str:
        return f"EmpiricalModel({self.negative!r}, {self.positive!r})"


def _sample(scores: npt.ArrayLike, name: str) -> Law:
    """Law of drawing from scores (n,)."""
    array = np.array(scores, np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a vector of finite scores, at least one")
    return DiscreteLaw.of_sample(array)
