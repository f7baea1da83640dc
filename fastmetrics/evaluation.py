"""Values of metrics on given weights: the data as they are, or draws from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.description import Floats, Metric
from fastmetrics.kernels import units as _unit_kernels
from fastmetrics.passes import sweep_once
from fastmetrics.statistics import SweepRequest
from fastmetrics.units import Labels, Units, build_units, flagged_rows, sort_rows

LANES = 64
GIVEN_TILE_BYTES = 64 * 2**20


def sum_units(units: Units, request: SweepRequest, weights: npt.NDArray[Any]) -> Floats:
    """Sums (lanes, columns) of weights (units, lanes): uint8 ones, int64 or float64."""
    slots = np.arange(units.size, dtype=np.uint32)
    return sweep_once(weights[None], slots, units.marks, request, units.cuts)


def estimate_units(units: Units, request: SweepRequest) -> Floats:
    """Sums (columns,) of the data themselves."""
    weights: npt.NDArray[Any]
    if units.weights is not None:
        weights = units.row_weights()
    elif units.size == units.n:
        weights = np.ones(units.size, np.uint8)
    else:
        weights = units.rows
    estimate: Floats = sum_units(units, request, weights[:, None])[0]
    return estimate


def given_replicates(
    labels: Labels,
    scores: npt.NDArray[np.floating],
    weights: Floats | None,
    request: SweepRequest,
    counts: Iterable[npt.NDArray[np.int64]],
) -> Floats:
    """Sums (B, columns) of replicates drawn elsewhere, each as counts (n,) of the rows."""
    order, keys = sort_rows(scores)
    marks = _unit_kernels.mark_rows(order, keys, labels)
    cuts = flagged_rows(scores[order], request.thresholds)
    tiles = []
    for tile in _tiles(counts, labels.size):
        weighted = tile if weights is None else tile * weights[:, None]
        tiles.append(sweep_once(weighted[None], order, marks, request, cuts))
    return np.concatenate(tiles) if tiles else np.empty((0, request.columns))


def _tiles(counts: Iterable[npt.NDArray[np.int64]], n: int) -> Iterator[npt.NDArray[np.int64]]:
    """Gather counts (n,) into tiles (n, lanes) of bounded size."""
    lanes = max(1, min(LANES, GIVEN_TILE_BYTES // (8 * n)))
    columns: list[npt.NDArray[np.int64]] = []
    for column in counts:
        columns.append(column)
        if len(columns) == lanes:
            yield np.stack(columns, axis=1)
            columns = []
    if columns:
        yield np.stack(columns, axis=1)


def evaluate_metrics(
    metrics: Sequence[Metric],
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None = None,
    *,
    pos_label: Any = None,
) -> list[Floats]:
    """Value of each metric on labels and scores, from one sort."""
    from fastmetrics.inputs import read_binary

    data = read_binary(y_true, y_score, sample_weight, pos_label=pos_label)
    metrics = data.with_thresholds(metrics, None)
    request = SweepRequest.of(metric.statistic for metric in metrics)
    units = build_units(data.labels, data.scores, data.weights, request)
    return request.values(estimate_units(units, request), metrics)
