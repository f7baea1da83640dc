"""What the functions of our own read: labels, scores and weights of one binary problem."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics._labels import binary_labels
from fastmetrics._validation import check_lengths
from fastmetrics._validation import scores as read_scores
from fastmetrics._validation import weights as read_weights
from fastmetrics.metric import Floats, Metric
from fastmetrics.units import Labels


@dataclass(frozen=True)
class BinaryData:
    """Validated labels (n,), scores (n,) and weights (n,) or None."""

    labels: Labels
    scores: npt.NDArray[np.floating]
    weights: Floats | None

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.labels.size

    def with_thresholds(
        self, metrics: Sequence[Metric], threshold: float | None
    ) -> list[Metric]:
        """Return the metrics with a threshold set in each label metric that has none yet."""
        return [
            dataclasses.replace(
                metric, statistic=metric.statistic.with_parameter(self._default_cut(metric, threshold))
            )
            if metric.input == "label" and np.isnan(metric.statistic.parameter)
            else metric
            for metric in metrics
        ]

    def _default_cut(self, metric: Metric, threshold: float | None) -> float:
        """Return the call's threshold, or 0.5 where all scores lie in [0, 1]."""
        if threshold is not None:
            return threshold
        low, high = float(self.scores.min()), float(self.scores.max())
        if low < 0.0 or high > 1.0:
            reached = low if low < 0.0 else high
            raise ValueError(
                f"scores reach {reached:.4g}, so {metric.name} has no default cut: "
                "pass threshold= or y_pred="
            )
        return 0.5


def read_binary(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    pos_label: Any = None,
    score_name: str = "y_score",
) -> BinaryData:
    """Validate labels, scores and weights; rows match by position."""
    labels = binary_labels(y_true, pos_label)
    scores = read_scores(y_score, name=score_name)
    check_lengths(**{"y_true": labels, score_name: scores})
    return BinaryData(labels, scores, read_weights(sample_weight, labels.size))
