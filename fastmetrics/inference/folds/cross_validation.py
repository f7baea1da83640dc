"""Scores of a cross validation, by either of two routes, and the predictions that they judge.

Conventions
-----------
Every row has one out-of-fold score, from a model that was not trained on it. A metric is taken in
each fold and averaged, or once on the pooled rows; both are reported. Folds are the label of each
row, (train, test) pairs of row numbers, or one of scikit-learn's splitters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, warn
from fastmetrics.inference.arguments.options import frame_library
from fastmetrics.inference.arguments.options import threshold as read_threshold
from fastmetrics.inference.folds._problems import read_problem
from fastmetrics.inference.folds._splits import Fold, read_folds
from fastmetrics.inference.folds.results import FoldEntry, FoldInfo, FoldScores
from fastmetrics.input.arrays import as_array
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.options import is_number
from fastmetrics.registry import read_metrics


def fold_scores(
    y_true: ArrayLike,
    y_score: ArrayLike,
    folds: Any,
    metrics: Any = "roc_auc",
    *,
    groups: ArrayLike | None = None,
    threshold: float | None = None,
    undefined: float | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> FoldScores:
    """Metrics of out-of-fold scores: per fold, as the mean over folds, and pooled.

    The mean over folds is the unweighted mean of the metric in each fold; pooled is the metric of
    all tested rows as one problem.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``. Numbers for metrics of values,
        labels of any number of classes for metrics of several.
    y_score : array-like of shape (n,)
        Out-of-fold scores, values or predicted labels; NaN is refused in rows that are tested.
    folds : array-like of shape (n,), iterable of (train, test) pairs, or splitter
        The fold of each row, the row numbers of each split, or an object with ``split``, which
        must split as it did when the scores were made (an integer ``random_state``).
    metrics : str, Metric, function of ours, or several of these; default="roc_auc"
        Names of the registry, as ``["roc_auc", "f1"]``, or a mapping of names to metrics.
    groups : array-like of shape (n,), optional
        Groups of a splitter that keeps them together.
    threshold : float, optional
        Cut of metrics of decisions; 0.5 where all scores lie in [0, 1].
    undefined : float, optional
        What a fold counts in the mean where a metric is undefined, 0 as scikit-learn's precision
        has it; such folds are left out by default.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    FoldScores
        Keyed by metric: ``per_fold``, ``mean``, ``pooled``, ``n_undefined``, and the ``message``
        where the two routes differ.

    Raises
    ------
    InputError
        Data that cannot be scored, or folds that are none.

    Warns
    -----
    UserWarning
        Some fold has no positive row.

    Notes
    -----
    Fold scores share training rows and are not independent: their spread over the root of their
    number understates the error. Rows in no fold are left out, a row in several counts once in the
    pooled value. Cost: two sorts of n scores.

    References
    ----------
    Forman & Scholz (2010), doi:10.1145/1882471.1882479. Bengio & Grandvalet (2004), JMLR 5.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> y_true, y_score = [1, 0, 1, 0, 1, 0], [0.9, 0.6, 0.8, 0.2, 0.4, 0.1]
    >>> fm.fold_scores(y_true, y_score, [0, 0, 1, 1, 2, 2], ["accuracy", "f1"])
    metric    mean over folds  pooled  undefined
    accuracy           0.6667  0.6667  0 of 3 folds
    f1                 0.5556  0.6667  0 of 3 folds
    6 rows in 3 folds of 2 · 1 positive per fold
    f1: mean over folds and pooled differ; a mean of ratios is no ratio of sums.
    """
    read = read_metrics(metrics)
    cut = read_threshold(threshold)
    if undefined is not None and not is_number(undefined):
        raise InputError(f"undefined={undefined!r}: give a number, or None to leave folds out")
    frame = frame_library(y_true, y_score)
    n = len(as_array(y_true, "y_true"))
    found = read_folds(folds, y_true, n, groups)
    in_a_fold = np.zeros(n, np.bool_)
    for fold in found:
        in_a_fold[fold.rows] = True
    predicted = _without_untested(y_score, in_a_fold)
    data = read_problem(read, y_true, predicted, sample_weight, cut, pos_label)
    positives = _positives(data.truth if data.binary else None, found)
    if positives is not None:
        _warn_of_folds([fold.name for fold, p in zip(found, positives) if not p], len(found))
    tested = np.flatnonzero(in_a_fold)
    per_fold = np.array([data.values(fold.rows) for fold in found])  # (folds, metrics)
    pooled = data.values(tested)
    sizes = np.array([len(fold.rows) for fold in found])
    names = tuple(fold.name for fold in found)
    info = FoldInfo(names, sizes, positives, len(tested), n - len(tested), frame)
    entries = {
        metric.name: FoldEntry(per_fold[:, k], pooled[k], metric.input == "score", undefined)
        for k, metric in enumerate(data.metrics)
    }
    return FoldScores(entries, info)


def _without_untested(y_score: ArrayLike, in_a_fold: NDArray[np.bool_]) -> ArrayLike:
    """Return predictions (n,) whose NaN in rows that no fold tests is a number nobody reads."""
    array = as_array(y_score, "y_score")
    if array.dtype.kind != "f" or array.shape[:1] != in_a_fold.shape or in_a_fold.all():
        return y_score
    array = array.copy()
    array[~in_a_fold] = array[np.argmax(in_a_fold)]
    return array


def folds_without_positives(
    y_true: ArrayLike,
    folds: Any,
    *,
    groups: ArrayLike | None = None,
    pos_label: object = None,
) -> tuple[Any, ...]:
    """Folds that test no positive row.

    Recall, precision-recall curves and AUC are undefined in them.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    folds : array-like of shape (n,), iterable of (train, test) pairs, or splitter
        The fold of each row, the row numbers of each split, or an object with ``split``.
    groups : array-like of shape (n,), optional
        Groups of a splitter that keeps them together.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    tuple
        Labels of these folds, or their numbers from 0; empty where all is well.

    Raises
    ------
    InputError
        Labels whose positive class is not named, or folds that are none.

    Notes
    -----
    A plain fold of m of n rows misses all P positives with probability
    ``C(n - P, m) / C(n, m)``; stratified folds miss them only where there are more folds than
    positives.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> fm.folds_without_positives([1, 1, 0, 1, 0, 0], [0, 0, 1, 1, 2, 2])
    (2,)
    """
    labels = binary_labels(y_true, pos_label)
    found = read_folds(folds, y_true, len(labels), groups)
    return tuple(fold.name for fold in found if not labels[fold.rows].any())


def out_of_fold_predictions(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    cv: Any = None,
    *,
    groups: ArrayLike | None = None,
    method: str = "predict_proba",
    pos_label: object = None,
) -> NDArray[Any]:
    """Prediction of every row by a model that was not trained on it.

    A clone of the estimator is fitted on the other rows of each fold.

    Parameters
    ----------
    estimator : scikit-learn estimator
        Left unfitted.
    X : array-like of shape (n, features)
        Features.
    y : array-like of shape (n,)
        Labels or targets.
    cv : int, splitter or iterable of (train, test) pairs, optional
        As in scikit-learn; every row must be tested once. Stratified 5-fold by default.
    groups : array-like of shape (n,), optional
        Groups of a splitter that keeps them together.
    method : {"predict_proba", "predict_log_proba", "decision_function", "predict"}
        Method of the estimator.
    pos_label : int, float, bool or str, optional
        The class whose scores are returned.

    Returns
    -------
    ndarray of shape (n,) or (n, classes)
        Scores of the positive class, the greater of two by default; of all classes where there are
        more and none is named. For "predict" the predictions.

    Raises
    ------
    ValueError
        scikit-learn's, for a splitter whose test sets are no partition, as of time series.
    InputError
        A ``pos_label`` that does not occur, or for "predict".

    Notes
    -----
    ``sklearn.model_selection.cross_val_predict`` does the work. Give a shuffling splitter an
    integer ``random_state``, so that ``fold_scores`` sees the same folds.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> fm.out_of_fold_predictions(LogisticRegression(), X, y, 2).shape
    (4,)
    """
    from sklearn.model_selection import cross_val_predict

    if method == "predict" and pos_label is not None:
        raise InputError("pos_label chooses scores of a class: method='predict' returns labels")
    found: NDArray[Any] = cross_val_predict(estimator, X, y, cv=cv, groups=groups, method=method)
    if method not in ("predict_proba", "predict_log_proba", "decision_function"):
        return found
    classes = np.unique(np.asarray(y))
    place = len(classes) - 1
    if pos_label is not None:
        same = np.flatnonzero(classes == pos_label)
        if not same.size:
            raise InputError(f"pos_label={pos_label!r} does not occur in y: {classes.tolist()}")
        place = int(same[0])
    elif len(classes) > 2:
        return found
    if found.ndim == 1:
        return found if place else -found
    return np.ascontiguousarray(found[:, place])


def _positives(labels: NDArray[Any] | None, folds: Sequence[Fold]) -> NDArray[np.int64] | None:
    """Positive rows of each fold, None where there are no classes."""
    if labels is None:
        return None
    return np.array([np.count_nonzero(labels[fold.rows]) for fold in folds], np.int64)


def _warn_of_folds(names: list[Any], n_folds: int) -> None:
    """Warn of folds without positives."""
    if names:
        listed = ", ".join(map(str, names[:5])) + (", ..." if len(names) > 5 else "")
        warn(
            f"{len(names)} of {n_folds} folds test no positive row ({listed}): what needs one is "
            "undefined there. StratifiedKFold spreads the positives."
        )
