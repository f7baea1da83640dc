"""A handful of kernels on tiny data; run as a program it prints their results as JSON."""

import json

import numpy as np

from fastmetrics.engine.draws.sorted_rows import place_rows
from fastmetrics.kernels import (
    cells,
    curves,
    jackknife,
    problems,
    random,
    resample,
    simulation,
    sorting,
    sweep,
    terms,
    units,
)
from fastmetrics.kernels.binomial import draw_units, next_binomial, split_draws
from tests.chance import lane_states, wide_states


def results():
    """Name and numbers of everything that ran."""
    generator = np.random.default_rng(0)
    n = 90
    labels = generator.integers(0, 2, n).astype(np.uint8)
    scores = (generator.normal(size=n) + labels).round(1)
    bits = scores.view(np.uint64)
    weights = generator.integers(0, 9, n) / 4
    found = {"auc_counts": cells.auc_counts(labels, bits, bits[:0])}
    found["count_cells"] = cells.count_cells(labels, bits, bits[:0])
    found["weigh_cells"] = cells.weigh_cells(labels, bits, weights)
    keys, order = np.empty(n, np.uint64), np.empty(n, np.uint32)
    found["argsort"] = (sorting.argsort_descending(bits, keys, order), keys, order)
    marks = units.mark_rows(order, keys, labels)
    slots, pool_rows = place_rows(marks & np.uint8(1))
    found["rows"] = (marks, slots, pool_rows)

    lanes, wide = lane_states(1), wide_states(1)
    found["below"] = [random.next_below(lanes, 3, 10) for _ in range(20)]
    found["binomial"] = [next_binomial(lanes, 1, 50 * k, 1, 3) for k in range(20)]
    shares = np.empty((1, 2, 64), np.int64)
    split_draws(np.tile(pool_rows[0][:, None], (1, 64)), pool_rows, lanes, shares)
    counts = np.zeros((3, 64), np.int64)
    total = np.full(64, 100)
    draw_units(counts, np.arange(3), np.array([5, 50, 500]), total, lanes)
    found["draw_units"] = counts
    tiles = np.empty((1, n, 64), np.uint8)
    tables = (
        np.array([32]),
        np.array([[35000, 55000, 62000, 64500, 65300, 65500]], np.uint16),
        np.array([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9, np.inf]]),
    )
    resample.draw_tiles(tiles, pool_rows[0], shares, tables, wide, lanes)
    found["tiles"] = tiles

    few = np.ascontiguousarray(tiles[:, :, :2])
    zeros = np.zeros(2, np.uint32)
    discordance, precision = np.zeros((1, 4, 2), np.int64), np.zeros((1, 5, 2))
    sweep.sweep_discordance(few, slots, marks, zeros, discordance)
    sweep.sweep_precision(few, slots, marks, zeros, precision)
    classes = np.zeros((1, 2, 2), np.int64)
    sweep.sweep_classes(few, slots, marks, zeros, classes)
    points = np.zeros((1, 6, 2))
    requests = np.array([[sweep.KS, 0.0], [sweep.AREA_FROM_RECALL, 0.5]])
    sweep.sweep_points(few, slots, marks, requests, classes.astype(float), points)
    found["sweeps"] = (discordance, precision, classes, points)
    grid, read = np.linspace(0, 1, 7), np.zeros((2, 1, 7, 2))
    for curve in (curves.RECALL_AT_RATE, curves.PRECISION_AT_RECALL):
        curves.sweep_curve(few, slots, marks, curve, grid, classes.astype(float), read[curve])
    found["curves"] = read
    added, coded = np.zeros((1, 2, 2)), np.zeros((1, 3, 2))
    terms.sum_terms(few, slots, np.stack([scores, weights], axis=1), added)
    terms.sum_codes(few, slots, (np.arange(n) % 3).astype(np.uint32), weights, coded)
    found["terms"] = (added, coded)
    areas, precisions = np.empty(2), np.empty(2)
    one_class = np.stack([labels, np.zeros_like(labels)])
    problems.rank_problems(np.stack([bits, bits]), one_class, weights[None], areas, precisions)
    found["problems"] = (areas, precisions)
    ends = (marks & sweep.ENDS).astype(bool)
    slopes = np.empty(n)
    jackknife.precision_slopes(labels[order], weights[order], ends, slopes)
    found["slopes"] = slopes
    found["cells of negatives"] = simulated_cells(lanes)
    return {name: plain(value) for name, value in found.items()}


def simulated_cells(states):
    """Cells of two data sets with a tied positive and a threshold, without ties and with."""
    positives = np.array([[0.9, 0.9, 0.4], [0.8, 0.6, 0.1]])
    places = np.array([[2], [2]])
    cuts = np.array([[0.5], [0.5]])
    found = []
    for atoms in (1, 2):
        below = np.stack([positives - 0.05 * atom for atom in range(atoms)])
        bounds = np.stack([below, 1.0 - below])
        weights = np.empty(((atoms + 1) * 3 + 1, 2), np.int64)
        flagged = np.empty((1, 2), np.int64)
        simulation.draw_cells(
            (positives, bounds, places), cuts, 500, states[:, :2].copy(), weights, flagged
        )
        found.append((weights, flagged))
    return found


def plain(value):
    """Arrays and scalars as lists and numbers."""
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return np.asarray(value).tolist()


if __name__ == "__main__":
    print(json.dumps(results()))  # noqa: T201
