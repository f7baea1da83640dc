"""Compile everything ahead, for those who deploy."""

from __future__ import annotations

import itertools
import sys
import time
import warnings

import numpy as np


def warmup(*, verbose: bool = False) -> float:
    """Compile and cache every kernel for the types that calls meet.

    Parameters
    ----------
    verbose : bool
        Say on standard error what is being compiled.

    Returns
    -------
    float
        Seconds it took; a fraction of a second once the cache is filled.

    Notes
    -----
    Kernels are otherwise compiled by the first call that needs them. The cache lies beside the
    package, or where ``NUMBA_CACHE_DIR`` points.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.warmup() > 0.0
    True
    """
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, step in (("metrics", _metrics), ("batch", _batch), ("bootstrap", _bootstrap)):
            if verbose:
                sys.stderr.write(f"compiling {name}\n")
            step()
    return time.perf_counter() - start


def _data(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and untied scores (n,)."""
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 2, n)
    return labels, generator.random(n)


def _metrics() -> None:
    """Compile the sorts and cells for both widths of scores and labels."""
    import fastmetrics as fm

    labels, scores = _data(100)
    for label_type, score_type in itertools.product((np.int64, np.uint8), (np.float64, np.float32)):
        y_true, y_score = labels.astype(label_type), scores.astype(score_type)
        fm.roc_auc_score(y_true, y_score)
        fm.roc_curve(y_true, y_score)
        fm.roc_auc_score(y_true, y_score, sample_weight=scores)


def _batch() -> None:
    """Compile the batches."""
    import fastmetrics as fm

    labels, scores = _data(100)
    for score_type in (np.float64, np.float32):
        fm.batch.roc_auc_score(labels, scores.reshape(1, -1).astype(score_type))


def _bootstrap() -> None:
    """Compile the draws and sweeps of rows, merged units and weighted rows."""
    import fastmetrics as fm

    metrics = ["roc_auc", "average_precision", "ks", fm.metric("f1", threshold=0.5)]
    labels, scores = _data(10_000)
    weights = np.random.default_rng(1).random(labels.size)
    for score_type in (np.float64, np.float32):
        y_score = scores.astype(score_type)
        fm.bootstrap(labels, y_score, metrics, n_resamples=1)
        fm.bootstrap(labels, y_score.round(1), metrics, n_resamples=1)
        fm.bootstrap(labels, y_score, metrics, n_resamples=1, sample_weight=weights)
    rare = (np.arange(labels.size) % 100 == 0).astype(np.uint8)
    fm.bootstrap(rare, scores, metrics, n_resamples=1)
    fm.bootstrap(labels, scores, metrics, counts=[np.ones(labels.size, np.int64)])
