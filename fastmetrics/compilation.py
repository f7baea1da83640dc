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
        for name, step in _STEPS.items():
            if verbose:
                sys.stderr.write(f"compiling {name}\n")
            step()
    return time.perf_counter() - start


def _data(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and untied scores (n,)."""
    generator = np.random.default_rng(0)
    labels = generator.integers(0, 2, n)
    return labels, generator.random(n)


def _ranking() -> None:
    """Compile the sorts and cells for both widths of scores and labels."""
    import fastmetrics as fm

    labels, scores = _data(100)
    for label_type, score_type in itertools.product((np.int64, np.uint8), (np.float64, np.float32)):
        y_true, y_score = labels.astype(label_type), scores.astype(score_type)
        fm.roc_auc_score(y_true, y_score)
        fm.roc_curve(y_true, y_score)
        fm.roc_auc_score(y_true, y_score, sample_weight=scores)


def _classification() -> None:
    """Compile the counts of labels for the integer types, text and weights."""
    import fastmetrics as fm

    labels, scores = _data(100)
    for label_type in (np.int64, np.uint8, np.bool_, np.str_):
        y_true, y_pred = labels.astype(label_type), (scores > 0.5).astype(int).astype(label_type)
        fm.confusion_matrix(y_true, y_pred)
        fm.confusion_matrix(y_true, y_pred, sample_weight=scores)
        fm.classification_report(y_true, y_pred)
    classes = (scores * 5).astype(np.int64)
    fm.f1_score(classes, classes[::-1], average="macro")
    fm.matthews_corrcoef(classes, classes[::-1])
    fm.metric("f1", average="macro")(classes, classes[::-1])


def _probability() -> None:
    """Compile the losses and bins."""
    import fastmetrics as fm

    labels, scores = _data(20_000)
    for label_type in (np.int64, np.uint8):
        y_true = labels.astype(label_type)
        for weight in (None, scores):
            fm.log_loss(y_true, scores, sample_weight=weight)
            fm.brier_score_loss(y_true, scores, sample_weight=weight)
            fm.expected_calibration_error(y_true, scores, sample_weight=weight)
        fm.expected_calibration_error(y_true, scores, strategy="quantile")


def _regression() -> None:
    """Compile the sums and the selection of medians."""
    import fastmetrics as fm

    scores = _data(20_000)[1] + 1.0
    for value_type in (np.float64, np.float32):
        y_true, y_pred = scores.astype(value_type), scores[::-1].astype(value_type)
        for weight in (None, scores):
            fm.mean_squared_error(y_true, y_pred, sample_weight=weight)
            fm.r2_score(y_true, y_pred, sample_weight=weight)
            fm.median_absolute_error(y_true, y_pred, sample_weight=weight)
            fm.mean_absolute_percentage_error(y_true, y_pred, sample_weight=weight)
            fm.mean_poisson_deviance(y_true, y_pred, sample_weight=weight)
            fm.mean_tweedie_deviance(y_true, y_pred, sample_weight=weight, power=1.5)
        fm.max_error(y_true, y_pred)
        tables = y_true.reshape(-1, 20), y_pred.reshape(-1, 20)
        fm.mean_squared_error(*tables)
        fm.r2_score(*tables)


def _lists() -> None:
    """Compile the ranking of lists for both widths of scores."""
    import fastmetrics as fm

    labels, scores = _data(100)
    relevant = labels.reshape(20, 5)
    for score_type in (np.float64, np.float32):
        y_score = scores.reshape(20, 5).astype(score_type)
        fm.ndcg_score(relevant, y_score)
        fm.label_ranking_loss(relevant, y_score)
        fm.coverage_error(relevant, y_score)
        fm.coverage_error(relevant.astype(np.float64), y_score)
        fm.top_k_accuracy_score(np.arange(20) % 5, y_score)
        fm.top_k_accuracy_score(np.arange(20) % 5, y_score, labels=np.arange(5))


def _rows() -> None:
    """Compile what metrics of all rows prepare for many weights."""
    import fastmetrics as fm

    labels, scores = _data(100)
    y_true = labels.astype(np.float64)
    names = ("median_absolute_error", "d2_absolute_error_score", "ece")
    for metric in (*map(fm.metric, names), fm.metric("precision_at_k", k=0.5)):
        if metric.statistic.prepare is not None:
            metric.statistic.prepare(y_true, scores)(np.ones((100, 2)))


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


_STEPS = {
    "ranking": _ranking,
    "batch": _batch,
    "classification": _classification,
    "probability": _probability,
    "regression": _regression,
    "lists": _lists,
    "rows": _rows,
    "bootstrap": _bootstrap,
}
