"""Areas under ROC curves with their covariance matrix, from placements: DeLong's method.

Conventions
-----------
The placement of a row is the share of the other class's weight that it stands on the right side of,
ties by half. The influence of a row is its weight times the distance of its placement from the
area, over the weight of its class; the variance is made of squares of sums of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.statistics import CONCORDANCE, SweepRequest
from fastmetrics.engine.sweeps.units import Integers, Labels, single_rows
from fastmetrics.kernels import jackknife as _kernels

# singular values below this share of the largest are rounding errors of equal models
RANK_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Areas:
    """Areas of several models on the same rows.

    Parameters
    ----------
    names : of the models
    estimates : (k,) areas, nan where there is one class only
    covariance : (k, k) of the areas
    difference_variances : (k, k) of the pairwise differences, found apart: exactly 0 where two
        models rank the rows alike
    separated : (k,) whether every positive scores higher than every negative, or lower
    """

    names: tuple[str | None, ...]
    estimates: Floats
    covariance: Floats
    difference_variances: Floats
    separated: npt.NDArray[np.bool_]

    def part(self, names: Sequence[str | None]) -> Areas:
        """Return the areas of some models."""
        places = [self.names.index(name) for name in names]
        block = np.ix_(places, places)
        return Areas(
            tuple(names),
            self.estimates[places],
            self.covariance[block],
            self.difference_variances[block],
            self.separated[places],
        )

    def wald(self) -> tuple[float, int]:
        """Wald statistic of the hypothesis that all areas are equal, and its degrees of freedom.

        Differences that the others determine count for nothing (the Moore-Penrose inverse); nan
        where a difference has no variance.
        """
        differences = self.estimates[1:] - self.estimates[0]
        spread = self.difference_variances
        covariance = (spread[1:, :1] + spread[:1, 1:] - spread[1:, 1:]) / 2.0
        if not np.isfinite(covariance).all():
            return float("nan"), 0
        values, vectors = np.linalg.eigh(covariance)
        kept = values > RANK_TOLERANCE * max(values[-1], 0.0)
        along = vectors.T @ differences
        if np.abs(along[~kept]).max(initial=0.0) > RANK_TOLERANCE:
            return float("nan"), 0
        return float(np.sum(along[kept] ** 2 / values[kept])), int(np.count_nonzero(kept))


def estimate_areas(
    names: Sequence[str | None],
    labels: Labels,
    scores: Sequence[npt.NDArray[np.floating]],
    weights: Floats | None,
    groups: Integers | None,
) -> Areas:
    """Return the areas of models and their covariance, in O(n log n) per model.

    Parameters
    ----------
    names : of the models
    labels : (n,) uint8
    scores : (n,) of each model
    weights : (n,) or None; rows of weight 0 are left out
    groups : (n,) cluster of each row, 0 to G - 1, or None
    """
    if weights is not None and not weights.all():
        kept = weights > 0.0
        labels, weights = labels[kept], weights[kept]
        scores = [column[kept] for column in scores]
        groups = None if groups is None else groups[kept]
    k = len(scores)
    estimates, separated = np.full(k, np.nan), np.zeros(k, np.bool_)
    unknown = np.full((k, k), np.nan)
    if labels.all() or not labels.any():
        return Areas(tuple(names), estimates, unknown, unknown, separated)
    layout = _Layout.of(labels, groups)
    influence = []
    for place, column in enumerate(scores):
        found = _influence(labels, column, weights)
        estimates[place], separated[place] = found.estimate, found.separated
        influence.append(layout.sums(found.values))
    spread = np.zeros((k, k))
    for i in range(k):
        for j in range(i):
            spread[i, j] = spread[j, i] = layout.variance(influence[i] - influence[j])
    own = np.array([layout.variance(sums) for sums in influence])
    # by way of the differences: models that rank alike have one covariance, to the last bit
    covariance = (own[:, None] + own[None, :] - spread) / 2.0
    spread[np.diag_indices(k)] = np.where(np.isnan(own), np.nan, 0.0)
    return Areas(tuple(names), estimates, covariance, spread, separated)


@dataclass(frozen=True)
class _Found:
    """Area of a model, and the influence (n,) of every row."""

    estimate: float
    values: Floats
    separated: bool


def _influence(labels: Labels, scores: npt.NDArray[np.floating], weights: Floats | None) -> _Found:
    """Area and influence values of one model."""
    positive = labels == 1
    own = scores[positive], scores[~positive]
    if own[0].min() > own[1].max() or own[0].max() < own[1].min():
        return _Found(float(own[0].min() > own[1].max()), np.zeros(labels.size), True)
    units, order = single_rows(labels, scores, weights, SweepRequest.of([CONCORDANCE]))
    doubled = np.empty(labels.size)
    sorted_pairs = np.empty(labels.size)
    _kernels.pairs_of_row(units.labels, units.row_weights(), units.ends, sorted_pairs)
    doubled[order] = sorted_pairs
    row_weights = np.ones(labels.size) if weights is None else weights
    positives, negatives = row_weights[positive].sum(), row_weights[~positive].sum()
    pairs = (row_weights[positive] * doubled[positive]).sum()
    estimate = min(float(pairs / (2.0 * (positives * negatives))), 1.0)
    values = doubled / (2.0 * np.where(positive, negatives, positives))
    values -= estimate
    values *= row_weights
    values /= np.where(positive, positives, negatives)
    return _Found(estimate, values, False)


@dataclass(frozen=True)
class _Layout:
    """Which influence values belong together, and how many of each kind there are.

    Parameters
    ----------
    labels : (n,)
    groups : (n,) or None where every row stands for itself
    split : number of sums of positives; those of the negatives follow
    corrections : I / (I - 1) of the items with a positive, with a negative, and of all
    """

    labels: Labels
    groups: Integers | None
    split: int
    corrections: tuple[float, float, float]

    @classmethod
    def of(cls, labels: Labels, groups: Integers | None) -> _Layout:
        """Count the items."""
        if groups is None:
            split = int(np.count_nonzero(labels))
            counts = (split, labels.size - split, labels.size)
        else:
            split = int(groups.max()) + 1
            present = np.zeros((2, split), np.bool_)
            present[labels, groups] = True
            either = present.any(axis=0)
            counts = (int(present[1].sum()), int(present[0].sum()), int(either.sum()))
        first, second, third = (size / (size - 1) if size > 1 else math.nan for size in counts)
        return cls(labels, groups, split, (first, second, third))

    def sums(self, influence: Floats) -> Floats:
        """Sums (items with a positive, then with a negative) of the influence (n,) of the rows."""
        positive = self.labels == 1
        chosen = (positive, ~positive)
        if self.groups is None:
            return np.concatenate([influence[mask] for mask in chosen])
        groups, split = self.groups, self.split
        return np.concatenate(
            [np.bincount(groups[mask], influence[mask], split) for mask in chosen]
        )

    def variance(self, sums: Floats) -> float:
        """Variance of an area, or of a difference, from its sums."""
        positives, negatives, both = self.corrections
        first, second = sums[: self.split], sums[self.split :]
        variance = positives * float(first @ first) + negatives * float(second @ second)
        if self.groups is not None:
            variance += 2.0 * both * float(first @ second)
        return variance if math.isnan(variance) else max(variance, 0.0)
