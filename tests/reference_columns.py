"""Slow, obvious versions of what is measured on a number per class: loops over rows and classes.

Conventions
-----------
``y_true`` holds the column of each row's class, or 0 and 1 where there is one score for 1;
``weight=None`` is a weight of 1 each. Columns of a class that does not occur are there. 0/0 is nan.
Nothing here calls fastmetrics or scikit-learn.
"""

import itertools
import math

import numpy as np

from tests import reference

NAN = float("nan")
EPS = 2.0**-52


def _rows(y_true, y_score, weight):
    """Class, scores and weight of the rows that count."""
    weights = [1.0] * len(y_true) if weight is None else [float(w) for w in weight]
    rows = zip([int(y) for y in y_true], np.asarray(y_score, float).tolist(), weights)
    return [row for row in rows if row[2] > 0]


def _mean(pairs):
    pairs = list(pairs)
    total = math.fsum(w for _, w in pairs)
    return math.fsum(v * w for v, w in pairs) / total if total else NAN


def log_loss(y_true, y_prob, weight=None):
    """Mean of minus the logarithm of the probability of what happened."""
    return _mean(
        (-math.log(min(max(p[y], EPS), 1 - EPS)), w) for y, p, w in _rows(y_true, y_prob, weight)
    )


def brier_score(y_true, y_prob, weight=None):
    """Mean of the squared errors of all classes."""
    return _mean(
        (sum((p - (k == y)) ** 2 for k, p in enumerate(row)), w)
        for y, row, w in _rows(y_true, y_prob, weight)
    )


def _skill(loss, y_true, y_prob, weight):
    """Share of the loss of the classes' shares that is explained."""
    rows, classes = _rows(y_true, y_prob, weight), len(y_prob[0])
    shares = [_mean((float(y == k), w) for y, _, w in rows) for k in range(classes)]
    if sum(share > 0 for share in shares) < 2:
        return NAN
    return 1 - loss(y_true, y_prob, weight) / loss(y_true, [shares] * len(y_true), weight)


def d2_log_loss_score(*data):
    return _skill(log_loss, data[0], data[1], data[2] if len(data) > 2 else None)


def d2_brier_score(*data):
    return _skill(brier_score, data[0], data[1], data[2] if len(data) > 2 else None)


def hinge_loss(y_true, decisions, weight=None):
    """Mean lack of a margin of 1: over the rivals, or of the sign of one decision."""
    losses = []
    for y, row, w in _rows(y_true, decisions, weight):
        if isinstance(row, list):
            margin = row[y] - max(d for k, d in enumerate(row) if k != y)
        else:
            margin = row if y else -row
        losses.append((max(0.0, 1 - margin), w))
    return _mean(losses)


def top_k_accuracy(y_true, y_score, weight=None, *, k=2):
    """Share of the rows whose class is among the first k; of equal scores the last comes first."""
    hits = []
    for y, row, w in _rows(y_true, y_score, weight):
        if isinstance(row, list):
            order = sorted(range(len(row)), key=lambda j: (row[j], j), reverse=True)
        else:
            order = [1, 0] if row > 0.5 else [0, 1]  # where all scores lie in [0, 1]
        hits.append((float(y in order[:k]), w))
    return _mean(hits)


def _areas_of_classes(y_true, y_prob, weight):
    """Area and weight of each class against the rest."""
    rows = _rows(y_true, y_prob, weight)
    for k in range(len(y_prob[0])):
        columns = [(int(y == k), p[k], w) for y, p, w in rows]
        own = math.fsum(w for y, _, w in columns if y)
        yield (reference.auc(*zip(*columns)) if rows else NAN), own


def roc_auc_ovr(y_true, y_prob, weight=None):
    """Mean area of the classes."""
    areas = [area for area, _ in _areas_of_classes(y_true, y_prob, weight)]
    return sum(areas) / len(areas)


def roc_auc_ovr_weighted(y_true, y_prob, weight=None):
    """Mean area of the classes by their weight."""
    return _mean(pair for pair in _areas_of_classes(y_true, y_prob, weight) if pair[1] > 0)


def _areas_of_pairs(y_true, y_prob, weight):
    """Area, mean of both directions, and weight of each pair of classes that occurs."""
    rows = _rows(y_true, y_prob, weight)
    for pair in itertools.combinations(sorted({y for y, _, _ in rows}), 2):
        both = [row for row in rows if row[0] in pair]
        areas = [reference.auc(*zip(*((int(y == k), p[k], w) for y, p, w in both))) for k in pair]
        yield sum(areas) / 2, math.fsum(w for _, _, w in both)


def roc_auc_ovo(y_true, y_prob, weight=None):
    """Mean area of the pairs of classes."""
    return _mean((area, 1.0) for area, _ in _areas_of_pairs(y_true, y_prob, weight))


def roc_auc_ovo_weighted(y_true, y_prob, weight=None):
    """Mean area of the pairs of classes by their weight."""
    return _mean(_areas_of_pairs(y_true, y_prob, weight))


OF_COLUMNS = {
    function.__name__: function
    for function in (
        log_loss,
        brier_score,
        d2_log_loss_score,
        d2_brier_score,
        hinge_loss,
        top_k_accuracy,
        roc_auc_ovr,
        roc_auc_ovr_weighted,
        roc_auc_ovo,
        roc_auc_ovo_weighted,
    )
}
