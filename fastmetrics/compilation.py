"""Compile everything ahead, for those who deploy."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable

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
    package, or where ``NUMBA_CACHE_DIR`` points. With two cores or more a second process compiles
    half of them.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.warmup() > 0.0
    True
    """
    start = time.perf_counter()
    helper = _start_helper()
    first_half = [name for name in _STEPS if name not in _SECOND_HALF]
    _run(first_half, verbose)
    if helper is not None:
        helper.wait()
    _run(_SECOND_HALF, verbose)
    return time.perf_counter() - start


def compile_second_half() -> None:
    """Compile half of everything; the process that ``warmup`` starts does this."""
    _run(_SECOND_HALF, verbose=False)


def _run(names: Iterable[str], verbose: bool) -> None:
    """Take the steps of these names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            if verbose:
                sys.stderr.write(f"compiling {name}\n")
            _STEPS[name]()


def _start_helper() -> subprocess.Popen[bytes] | None:
    """Start a process that compiles half into the cache, where there is a second core.

    The compiler holds one lock, so threads would not do. What the process could not store is
    compiled here afterwards.
    """
    from fastmetrics.inference.arguments.options import threads

    if not sys.executable or threads(-1) < 2:
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _IN_A_PROCESS],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:  # processes are not allowed here
        return None


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
        fm.roc_curve(y_true, y_score, sample_weight=scores)
    fm.auc(np.sort(scores), labels)


def _classification() -> None:
    """Compile the counts of labels for the integer types, text and weights."""
    import fastmetrics as fm

    labels, scores = _data(100)
    for label_type in (np.int64, np.uint8, np.bool_, np.str_):
        y_true, y_pred = labels.astype(label_type), (scores > 0.5).astype(int).astype(label_type)
        fm.confusion_matrix(y_true, y_pred)
        fm.confusion_matrix(y_true, y_pred, sample_weight=scores)
        fm.accuracy_score(y_true, y_pred)
        fm.accuracy_score(y_true, y_pred, sample_weight=scores)
        fm.classification_report(y_true, y_pred)
    classes = (scores * 5).astype(np.int64)
    fm.f1_score(classes, classes[::-1], average="macro")
    fm.matthews_corrcoef(classes, classes[::-1])
    fm.metric("f1", average="macro")(classes, classes[::-1])
    flags = classes.reshape(-1, 5) > 2
    for weights in (None, scores[:20]):
        fm.accuracy_score(flags, flags[::-1], sample_weight=weights)
        fm.f1_score(flags, flags[::-1], average="macro", sample_weight=weights)


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
    classes, columns = np.arange(100) % 5, np.full((100, 5), 0.2)
    fm.d2_brier_score(classes, columns, sample_weight=scores[:100])
    fm.log_loss(classes, columns)
    fm.hinge_loss(classes, columns)
    fm.calibration_curve(labels.astype(str), scores, pos_label="1")


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


def _designs() -> None:
    """Compile what several models, clusters, weights and curves read off whole tiles."""
    import fastmetrics as fm

    labels, scores = _data(200)
    models = {"first": scores, "second": scores[::-1].copy()}
    metrics = ["roc_auc", "average_precision", "brier_score"]
    groups = np.arange(labels.size) // 4
    for options in ({}, {"groups": groups, "sample_weight": scores}, {"resampling": "bayesian"}):
        fm.bootstrap(labels, models, metrics, n_resamples=1, **options)
    fm.bootstrap(labels, None, "f1", y_pred={"first": labels, "second": 1 - labels}, n_resamples=1)
    for curve in ("roc", "calibration", "net_benefit"):
        fm.curve_band(labels, scores, curve, n_resamples=2)
    fm.curve_band(labels, scores, "precision_recall", n_resamples=1, sample_weight=scores)
    fm.delong_test(labels, models)


def _simulation() -> None:
    """Compile the draws of negatives that are never there."""
    from fastmetrics import simulation

    model = simulation.Binormal(1.0)
    simulation.simulate(model, n_positive=20, n_negative=10**6, n_datasets=2)


# the two halves take about as long as each other
_STEPS = {
    "bootstrap": _bootstrap,
    "designs": _designs,
    "rows": _rows,
    "simulation": _simulation,
    "lists": _lists,
    "batch": _batch,
    "ranking": _ranking,
    "classification": _classification,
    "probability": _probability,
    "regression": _regression,
}
_SECOND_HALF = ("batch", "ranking", "classification", "probability", "regression")
_IN_A_PROCESS = "from fastmetrics.compilation import compile_second_half as run; run()"
