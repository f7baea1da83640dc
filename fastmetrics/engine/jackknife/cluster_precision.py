"""Sum of precisions without each cluster, in one pass over the rows per row of the largest.

Conventions
-----------
Groups of equal scores stand from the highest down, with P_g positives, TP_g positives and R_g rows
up to and with them. Between two groups in which a cluster has rows, leaving it out takes the same
a positives and b rows from every TP_g and R_g, so that the sum over these groups is a difference of
prefix sums of P_g TP_g / (R_g - b) and P_g / (R_g - b).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.engine.sweeps.units import Integers, Labels

# one more prefix sum costs as much as leaving out this many clusters by a sweep of their own
SWEEPS_PER_PREFIX = 20


@dataclass(frozen=True)
class _Groups:
    """Positives, true positives and rows (g,) of the groups of equal scores."""

    positives: Floats
    true_positives: Floats
    rows: Floats

    @classmethod
    def of(cls, labels: Labels, ends: npt.NDArray[np.bool_]) -> _Groups:
        last = np.flatnonzero(ends)
        true_positives: Floats = np.cumsum(labels, dtype=np.float64)[last]
        return cls(
            np.diff(true_positives, prepend=0.0), true_positives, (last + 1).astype(np.float64)
        )


def precision_without_clusters(
    labels: Labels, ends: npt.NDArray[np.bool_], clusters: npt.NDArray[Any], size: int
) -> tuple[Floats, Integers]:
    """Sum of precisions (size,) without each cluster, and the clusters that are too large for it.

    Parameters
    ----------
    labels : (n,) uint8 of the rows from the highest score down
    ends : (n,) whether a row ends its group of equal scores
    clusters : (n,) cluster of each row, 0 to size - 1
    size : clusters
    """
    groups = _Groups.of(labels, ends)
    rows_of = np.bincount(clusters, minlength=size)
    largest = _largest_prefix(rows_of)
    kept = rows_of[clusters] <= largest
    group_of_row = np.concatenate([[0], np.cumsum(ends[:-1])])
    order = np.flatnonzero(kept)[np.argsort(clusters[kept], kind="stable")]
    sums = np.zeros(size)
    if order.size:
        _add_segments(groups, clusters[order], group_of_row[order], labels[order], sums)
    untouched = rows_of == 0
    if untouched.any():
        sums[untouched] = float(np.sum(groups.positives * groups.true_positives / groups.rows))
    return sums, np.flatnonzero(rows_of > largest)


def _largest_prefix(rows_of: Integers) -> int:
    """Rows of the largest cluster that is cheaper by prefix sums than by a sweep."""
    sizes = np.sort(rows_of)
    # larger[k] clusters lie above the k-th smallest
    larger = rows_of.size - 1 - np.arange(rows_of.size)
    return int(sizes[np.argmin(sizes * float(SWEEPS_PER_PREFIX) + larger)])


def _add_segments(
    groups: _Groups, clusters: Any, group_of_row: Integers, labels: Labels, sums: Floats
) -> None:
    """Add, for rows sorted by cluster and score, the terms of all groups to the sums (size,)."""
    last = np.concatenate(
        [(clusters[1:] != clusters[:-1]) | (group_of_row[1:] != group_of_row[:-1]), [True]]
    )
    ends = np.flatnonzero(last)
    cluster, own_group = clusters[ends], group_of_row[ends]
    first_of_cluster = np.concatenate([[True], cluster[1:] != cluster[:-1]])
    # rows and positives of the cluster up to and with each of its groups
    start = np.flatnonzero(first_of_cluster)
    which = np.cumsum(first_of_cluster) - 1
    rows_before = np.concatenate([[0], ends[:-1] + 1])[start]
    total = np.cumsum(labels, dtype=np.float64)[ends]
    positives_before = np.concatenate([[0.0], total[:-1]])
    b = ends + 1 - rows_before[which]
    a = total - positives_before[start][which]
    own = total - positives_before

    rows_left = groups.rows[own_group] - b
    precision = np.divide(
        groups.true_positives[own_group] - a,
        rows_left,
        out=np.zeros(rows_left.size),
        where=rows_left > 0,
    )
    np.add.at(sums, cluster, (groups.positives[own_group] - own) * precision)

    final = np.concatenate([first_of_cluster[1:], [True]])
    until = np.where(final, groups.rows.size, np.concatenate([own_group[1:], [0]]))
    segments = [
        np.concatenate([np.zeros(start.size), values]) for values in (b, a, own_group + 1.0)
    ]
    until = np.concatenate([own_group[start], until])
    cluster = np.concatenate([cluster[start], cluster])
    _add_between(groups, segments, until, cluster, sums)


def _add_between(
    groups: _Groups, segments: list[Floats], until: Integers, cluster: Any, sums: Floats
) -> None:
    """Add the groups between a cluster's own: segments of equal b read the same prefix sums."""
    taken_rows, taken_positives, since = segments
    order = np.argsort(taken_rows, kind="stable")
    values, starts = np.unique(taken_rows[order], return_index=True)
    share, weighted = np.zeros(groups.rows.size + 1), np.zeros(groups.rows.size + 1)
    for b, part in zip(values, np.split(order, starts[1:])):
        inverse = np.divide(
            groups.positives,
            groups.rows - b,
            out=np.zeros(groups.rows.size),
            where=groups.rows > b,
        )
        np.cumsum(inverse, out=share[1:])
        np.cumsum(inverse * groups.true_positives, out=weighted[1:])
        first, last = since[part].astype(np.int64), until[part]
        between = weighted[last] - weighted[first]
        between -= taken_positives[part] * (share[last] - share[first])
        np.add.at(sums, cluster[part], between)
