"""Small problems for the bootstrap, and draws from outside."""

import numpy as np

import fastmetrics as fm

SEVERAL = ["roc_auc", "average_precision", "f1"]
METRICS = {
    "roc_auc": fm.metric("roc_auc"),
    "average_precision": fm.metric("average_precision"),
    "f1": fm.metric("f1", threshold=0.5),
    "matthews_corrcoef": fm.metric("matthews_corrcoef", threshold=0.5),
}


def problem(n=120, share=0.35, digits=2, seed=0):
    """Labels and scores between 0 and 1."""
    generator = np.random.default_rng(seed)
    labels = (generator.random(n) < share).astype(int)
    return labels, (1 / (1 + np.exp(-generator.normal(size=n) - labels))).round(digits)


def index_draws(n, size):
    """Rows of each replicate, from a fresh generator."""
    generator = np.random.default_rng(0)
    return (generator.integers(0, n, n) for _ in range(size))


def three_models(n=150):
    """Labels, a good model, one much like it, and one by chance."""
    labels, first = problem(n)
    generator = np.random.default_rng(4)
    second = (first + generator.normal(0, 0.08, n)).clip(0, 1)
    return labels, {"first": first, "second": second, "third": generator.random(n)}
