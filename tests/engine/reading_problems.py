"""Data of every kind as plans read them, and the value of a metric by its definition."""

import numpy as np

import fastmetrics as fm
from fastmetrics.engine.draws.designs import cluster_items, row_items
from fastmetrics.engine.readings.answers import Asked
from fastmetrics.engine.readings.kinds import Rows, Tile
from fastmetrics.inference.arguments.samples import Arguments, read_sample
from fastmetrics.registry import read_metrics
from tests.law_problems import definition

# what is asked together, by the kind of data
ASKED = {
    "binary": [
        "roc_auc",
        "average_precision",
        fm.metric("f1", threshold=0.5),
        fm.metric("matthews_corrcoef", threshold=0.25),
        fm.metric("partial_auc", max_fpr=0.3),
        "ks",
        "brier_score",
        "log_loss",
        "ece",
        fm.metric("net_benefit", threshold=0.25),
    ],
    "classes": ["f1_macro", "accuracy", "cohen_kappa", "balanced_accuracy"],
    "values": ["mean_squared_error", "r2", "median_absolute_error", "max_error", "mean"],
    "columns": ["log_loss", "roc_auc_ovr", "brier_score"],
    "lists": ["ndcg", "label_ranking_loss"],
}
N = 48


def data(family, n=N, seed=0):
    """Truth and predictions with ties."""
    generator = np.random.default_rng([n, seed])
    if family == "binary":
        labels = generator.permutation(np.arange(n) % 5 < 2).astype(int)
        return labels, ((labels + generator.normal(size=n)) / 8 + 0.5).clip(0, 1).round(1)
    if family == "classes":
        return generator.permutation(np.arange(n) % 3), generator.permutation(np.arange(n) % 3)
    if family == "values":
        return generator.integers(1, 9, n) / 4, generator.integers(1, 9, n) / 4
    if family == "lists":
        return generator.integers(0, 2, (n, 4)), generator.integers(0, 8, (n, 4)) / 8
    return generator.permutation(np.arange(n) % 3), generator.multinomial(8, [1 / 3] * 3, n) / 8


def read(family, truth, predicted, sample_weight=None, metrics=None):
    """The data and the only model as plans take them."""
    classes = family == "classes"
    arguments = Arguments(
        truth,
        None if classes else predicted,
        predicted if classes else None,
        sample_weight,
        None,
        None,
        read_metrics(ASKED[family] if metrics is None else metrics),
    )
    true, (model,) = read_sample(arguments)
    return true, model


def items_of(kind, n=N, seed=0):
    """Items of n rows: single rows in some order, in strata, clusters of unequal sizes."""
    generator = np.random.default_rng([n, seed, 7])
    strata = generator.permutation(np.arange(n) % 3)
    if kind == "rows":
        return row_items(n, None, generator.permutation(n).astype(np.uint32))
    if kind == "rows in strata":
        return row_items(n, strata, generator.permutation(n).astype(np.uint32))
    groups = generator.permutation(np.minimum(np.arange(n) ** 2 // n, n // 3))
    groups = np.unique(groups, return_inverse=True)[1]
    if kind == "clusters":
        return cluster_items(groups, None)
    return cluster_items(groups, groups % 3)


def tile_of(items, dtype, tiles=2, lanes=5, seed=0):
    """Weights (T, m, lanes), the last lane of the last tile nearly empty."""
    weights = np.random.default_rng([seed, items.size]).poisson(1.0, (tiles, items.size, lanes))
    weights[-1, 3:, -1] = 0
    return weights * 0.375 if dtype == np.float64 else weights.astype(dtype)


def answers(items, true, model, rows, weights):
    """Values (T * lanes,) of every metric of the model on the rows of a slice."""
    labels = None if true.labels is None else true.labels
    own = true.weights
    if rows is not None:
        labels = None if labels is None else labels[rows]
        own = None if own is None else own[rows]
    readings, found = Asked.of(Rows(items, rows, labels, own), true, model)
    tile = Tile(weights)
    sums = [reading.read(tile) for reading in readings]
    for reading, part in zip(readings, sums):
        assert part.shape == (len(weights) * weights.shape[2], reading.columns)
    return [answer.values(sums[answer.reading]) for answer in found]


def expected(family, metric, truth, predicted, row_weights):
    """Value of a metric by its definition; nan without any weight."""
    if not row_weights.any():
        return np.nan
    return definition(family, metric, truth, predicted, row_weights)
