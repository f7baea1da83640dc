"""The kernels of bins and forecasts on probabilities at every edge; prints its findings as JSON."""

import json

import numpy as np

from fastmetrics.kernels.bins import (
    bin_means,
    bin_sums,
    collect_slots,
    count_slots,
    quantiles,
    slot_width,
)
from fastmetrics.kernels.forecasts import (
    add_class_weights,
    check_probabilities,
    column_probabilities,
    outcome_probabilities,
    squared_errors,
    tell_texts,
)

ONE = np.ones(1)


def results():
    """Sums of bins of edges and their neighbours, and everything else at 0 and 1."""
    found = {}
    for bins in (1, 2, 3, 10, 15, 100):
        edges = np.linspace(0.0, 1.0, bins + 1)
        near = np.concatenate([edges, np.nextafter(edges, 2), np.nextafter(edges, -1)])
        near = np.append(near[(near >= 0) & (near <= 1)], [-0.0, 5e-324])
        outcomes = (np.arange(near.size) % 2).astype(np.uint8)
        for name, p in (("near", near), ("ends", np.array([0.0, 1.0])), ("one", ONE)):
            sums = np.zeros((bins, 3))
            bin_sums(outcomes[: p.size], p, ONE, edges[1:-1], sums)
            means = np.empty((2, bins))
            held = bin_means(sums, means)
            found[f"{name} {bins}"] = [sums.tolist(), means[:, :held].tolist()]
        sums = np.zeros((bins, 3))
        bad = np.array([np.nan, -1.0, 2.0, np.inf, -np.inf, 1e300])
        found[f"bad {bins}"] = bool(bin_sums(np.zeros(6, np.uint8), bad, ONE, edges[1:-1], sums))
    p = np.array([0.0, -0.0, 0.25, 0.5, 1.0])
    lowest, highest = 0, int(np.float64(1).view(np.int64))
    shift = slot_width(lowest, highest, 64)
    counts = np.zeros((highest >> shift) + 1, np.int64)
    count_slots(p, lowest, shift, counts)
    collected = np.empty(p.size + 1)
    count = collect_slots(p, lowest, shift, np.ones(counts.size, np.int64), collected)
    found["slots"] = [counts.tolist(), collected[:count].tolist()]
    told = np.empty(p.size)
    outcomes = np.array([0, 1, 1, 0, 1])
    found["told"] = [outcome_probabilities(outcomes, p, 2.0**-52, told), told.tolist()]
    found["squares"] = squared_errors(outcomes, p, ONE)
    return found | edges_and_classes(p)


def edges_and_classes(p):
    """Quantiles of (n,) probabilities, columns of them, and texts."""
    found = {"checked": [check_probabilities(p, width, 0.1) for width in (1, 5)]}
    edges = np.empty(3)
    values = np.sort(p)[np.array([[0, 2, 4], [1, 3, 4], [0, 2, 4]])]
    found["quantiles"] = [quantiles(values, np.array([0.0, 0.5, 0.0]), edges), edges.tolist()]
    told, classes, codes = np.empty(5), np.zeros(3), np.array([0, 2, 1, 2, 0])
    column_probabilities(codes, np.stack([p, p, 1 - p], axis=1), 2.0**-52, told)
    add_class_weights(codes, ONE, classes)
    add_class_weights(codes, p, classes)
    found["columns"] = [told.tolist(), classes.tolist()]
    for texts in (["a"], ["ab", "ac", "ab"], ["a", "b", "c"]):
        words, flags = np.array(texts).view(np.uint32), np.zeros(len(texts), np.uint8)
        found[" ".join(texts)] = [tell_texts(words, 1, flags), flags.tolist()]
    return found


def as_json():
    """The results as text."""
    return json.dumps(results(), default=lambda number: number.item())


if __name__ == "__main__":
    print(as_json())  # noqa: T201 - the caller reads it
