"""Data sets drawn row by row, each sorted and swept as any data are."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.simulation._asked import Evaluation
from fastmetrics.simulation._task import DataSet, Task


class DrawnPath:
    """Draws all rows.

    Parameters
    ----------
    task : what to simulate
    """

    name = "drawn"
    block = 4

    def __init__(self, task: Task) -> None:
        self.task = task
        self._evaluation = Evaluation(task.metrics)

    def values(self, first: int, count: int) -> Floats:
        """Metrics (count, k) of data sets from the first on."""
        values = np.empty((count, len(self.task.metrics)))
        for row in range(count):
            y_true, y_score = self.data_set(first + row)
            values[row] = self._evaluation.values(y_true.view(np.uint8), y_score)
        return values

    def data_set(self, number: int) -> DataSet:
        """Labels and scores (n,) of a data set."""
        task = self.task
        generator = next(task.generators(number, 1))
        return draw_checked(task.model, task.n_positive, task.n_negative, generator)


def draw_checked(
    model: Any, n_positive: int, n_negative: int, generator: np.random.Generator
) -> DataSet:
    """Draw a data set from a model, and refuse what is none."""
    drawn = model.draw(n_positive, n_negative, generator)
    y_true, y_score = (np.asarray(column) for column in drawn)
    if y_true.ndim != 1 or y_true.shape != y_score.shape:
        raise InputError(
            f"{model!r} drew labels of shape {y_true.shape} and scores of shape "
            f"{y_score.shape}: give two vectors of one length"
        )
    positive = y_true == 1
    if not (positive | (y_true == 0)).all():
        raise InputError(f"{model!r} drew labels other than 0 and 1")
    scores = np.ascontiguousarray(y_score, np.float64)
    if not np.isfinite(scores).all():
        raise InputError(f"{model!r} drew scores that are not finite")
    return positive.astype(np.int8), scores
