"""Which plan serves a call: the coarsest data that still answer all of its metrics."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from fastmetrics.engine.draws.designs import (
    Design,
    Items,
    Places,
    cluster_items,
    merged_items,
    row_items,
)
from fastmetrics.engine.plans.sorted_plan import SortedPlan
from fastmetrics.engine.plans.tile_plan import TilePlan
from fastmetrics.engine.readings.answers import Answer, Asked, ModelData, TrueData, from_scores
from fastmetrics.engine.readings.kinds import Reading, Rows
from fastmetrics.engine.sweeps.units import DISTINCT_WEIGHTS, MERGED_SHARE, Integers, sort_rows

Slices = Sequence[tuple[Any, Integers | None]]


def make_plan(
    true: TrueData,
    models: Sequence[ModelData],
    slices: Slices,
    design: Design,
    *,
    whole: bool = False,
) -> SortedPlan | TilePlan:
    """Return the plan of a call; its answers go slice by slice, model by model.

    Parameters
    ----------
    true, models : the data
    slices : name and rows of each; the first is the whole
    design : what is drawn
    whole : whether every replicate is read from weights of single rows, or clusters, at once
    """
    model = _as_scores(models[0])
    labels, scores = true.labels, model.scores
    alone = not whole and len(models) == len(slices) == 1 and _is_sorted(true, model, design)
    if alone and labels is not None and scores is not None:
        return SortedPlan.of(model.metrics, labels, scores, true.weights, design, model.pairs)
    return tile_plan(true, models, slices, design, whole=whole)


def tile_plan(
    true: TrueData,
    models: Sequence[ModelData],
    slices: Slices,
    design: Design,
    *,
    whole: bool = False,
) -> TilePlan:
    """Return the general plan of a call."""
    items = choose_items(true, models, slices, design, whole)
    readings: list[Reading] = []
    answers: list[Answer] = []
    for _, rows in slices:
        shared = _rows(items, true, rows)
        for model in models:
            found, placed = Asked.of(shared, true, model)
            answers += [
                Answer(answer.metric, answer.reading + len(readings), answer.select)
                for answer in placed
            ]
            readings += found
    return TilePlan(items, design.law, readings, answers)


def _as_scores(model: ModelData) -> ModelData:
    """Return a model of which only binary decisions are asked as one of scores 0 and 1."""
    if model.decisions is None or model.decisions.max(initial=0) > 1:
        return model
    if not all(metric.statistic.level == "counts" for metric in model.metrics):
        return model
    metrics = tuple(
        dataclasses.replace(metric, statistic=metric.statistic.with_parameter(0.5))
        for metric in model.metrics
    )
    scores = model.decisions.astype(np.float64)
    return dataclasses.replace(model, metrics=metrics, scores=scores, decisions=None)


def _rows(items: Items, true: TrueData, rows: Integers | None) -> Rows:
    """Return what the models share on the rows of a slice."""
    if rows is None:
        return Rows(items, None, true.labels, true.weights)
    labels = None if true.labels is None else true.labels[rows]
    return Rows(items, rows, labels, None if true.weights is None else true.weights[rows])


def _is_sorted(true: TrueData, model: ModelData, design: Design) -> bool:
    """Whether the rows of one model can be drawn in the order of its scores."""
    if not design.plain or design.law == "bayesian" or true.labels is None:
        return False
    swept = [metric for metric in model.metrics if from_scores(metric, model)]
    others = [metric for metric in model.metrics if not from_scores(metric, model)]
    return bool(swept) and all(
        metric.statistic.kind == "sums" and metric.statistic.data != "alone" for metric in others
    )


def choose_items(
    true: TrueData, models: Sequence[ModelData], slices: Slices, design: Design, whole: bool
) -> Items:
    """Return what is drawn: clusters, merged rows, or rows in the order of the first model."""
    strata = design.strata
    if strata is None and design.by_class:
        strata = true.codes
    if design.groups is not None:
        return cluster_items(design.groups, strata)
    codes = _merging_codes(true, models, slices, strata)
    if codes is not None and not whole:
        return merged_items(codes, strata)
    return row_items(true.n, strata, _first_order(models))


def _first_order(models: Sequence[ModelData]) -> Places | None:
    """Rows in the order of the first model that has scores."""
    for model in models:
        if model.scores is not None:
            return sort_rows(model.scores)[0]
    return None


def _merging_codes(
    true: TrueData, models: Sequence[ModelData], slices: Slices, strata: Integers | None
) -> Integers | None:
    """Code (n,) of what the metrics of decisions can tell apart, if that leaves few units."""
    decided = all(
        metric.statistic.level == "counts" and model.decisions is not None
        for model in models
        for metric in model.metrics
    )
    if not decided or true.codes is None:
        return None
    columns = [true.codes, *(model.decisions for model in models if model.decisions is not None)]
    if strata is not None:
        columns.append(strata)
    for _, rows in slices[1:]:
        inside = np.zeros(true.n, np.int64)
        inside[rows] = 1
        columns.append(inside)
    if true.weights is not None:
        distinct, codes = np.unique(true.weights, return_inverse=True)
        if distinct.size > DISTINCT_WEIGHTS:
            return None
        columns.append(codes)
    merged = np.zeros(true.n, np.int64)
    for column in columns:
        merged = merged * (int(column.max()) + 1) + column
        size = int(merged.max()) + 1
        if size > true.n:
            _, merged = np.unique(merged, return_inverse=True)
            size = int(merged.max()) + 1
            if size * MERGED_SHARE > true.n:
                return None
    present = np.bincount(merged, minlength=1) > 0
    if np.count_nonzero(present) * MERGED_SHARE > true.n:
        return None
    return (np.cumsum(present) - 1)[merged]
