"""Slow, obvious versions of the rankings of lists and of the top rows: orders, pairs and counts.

Conventions
-----------
A list is one row of scores; a higher score comes first. What ties leave open is averaged over
every order of the entries. Nothing here calls fastmetrics or scikit-learn.
"""

import itertools
import math

import numpy as np


def orders(scores):
    """Every order of the entries in which no score rises."""
    groups = [
        [j for j in range(len(scores)) if scores[j] == value]
        for value in sorted(set(scores), reverse=True)
    ]
    for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [j for part in parts for j in part]


def gain_in_order(gains, order, k=None, log_base=2.0):
    """Sum of gain over log(1 + place), the first place being 1."""
    places = order if k is None else order[:k]
    return math.fsum(
        gains[j] / math.log(1 + place, log_base) for place, j in enumerate(places, start=1)
    )


def dcg(gains, scores, k=None, log_base=2.0):
    """Mean over all orders of the ties."""
    found = [gain_in_order(gains, order, k, log_base) for order in orders(scores)]
    return math.fsum(found) / len(found)


def ndcg(gains, scores, k=None):
    """Over the best of all orders."""
    best = gain_in_order(gains, next(orders(gains)), k)
    return dcg(gains, scores, k) / best if best > 0 else 0.0


def label_precision(relevant, scores):
    """Mean share of relevant labels among those that score as high as each relevant one."""
    wanted = [j for j in range(len(scores)) if relevant[j]]
    if len(wanted) in (0, len(scores)):
        return 1.0
    shares = []
    for j in wanted:
        as_high = [i for i in range(len(scores)) if scores[i] >= scores[j]]
        shares.append(sum(relevant[i] > 0 for i in as_high) / len(as_high))
    return math.fsum(shares) / len(shares)


def label_loss(relevant, scores):
    """Share of pairs in which the relevant label does not score higher."""
    pairs = [
        scores[i] <= scores[j]
        for i in range(len(scores))
        for j in range(len(scores))
        if relevant[i] and not relevant[j]
    ]
    return sum(pairs) / len(pairs) if pairs else 0.0


def depth(relevant, scores):
    """How many labels score as high as the lowest relevant one."""
    wanted = [scores[j] for j in range(len(scores)) if relevant[j]]
    return sum(score >= min(wanted) for score in scores) if wanted else 0


def place(scores, code):
    """Place of an entry, 0 for the first; of equal scores the last comes first."""
    order = sorted(range(len(scores)), key=lambda j: (scores[j], j), reverse=True)
    return order.index(code)


def found_at_top(y_true, y_score, k):
    """Mean number of positives among the first k rows, over all orders of the ties."""
    found = [sum(y_true[row] for row in order[:k]) for order in orders(list(y_score))]
    return sum(found) / len(found)


def net_benefit(y_true, y_prob, threshold, weight=None):
    """True positives per row, less false positives at the odds of the threshold."""
    weight = np.ones(len(y_true)) if weight is None else weight
    tp = fp = 0.0
    for y, p, w in zip(y_true, y_prob, weight):
        if p >= threshold:
            tp, fp = tp + w * y, fp + w * (1 - y)
    n = math.fsum(weight)
    return tp / n - fp / n * threshold / (1 - threshold)


# metrics of one list (truth, scores), averaged over lists
OF_LIST = {
    "dcg": dcg,
    "ndcg": ndcg,
    "label_ranking_average_precision": label_precision,
    "label_ranking_loss": label_loss,
    "coverage_error": depth,
}


def mean_over_lists(name, truth, scores, weight=None, **options):
    """Weighted mean of a metric of each list."""
    weights = [1.0] * len(truth) if weight is None else [float(w) for w in weight]
    values = [OF_LIST[name](list(t), list(s), **options) for t, s in zip(truth, scores)]
    total = math.fsum(weights)
    return math.fsum(v * w for v, w in zip(values, weights)) / total if total else math.nan
