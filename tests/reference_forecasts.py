"""Slow, obvious versions of what is measured on probabilities: loops over rows and bins.

Conventions
-----------
``y_true`` holds 0 and 1, ``y_prob`` the probability of 1, ``weight=None`` is a weight of 1 each.
0/0 is nan. Nothing here calls fastmetrics or scikit-learn.
"""

import bisect
import math

import numpy as np

NAN = float("nan")
EPS = 2.0**-52


def _rows(y_true, y_prob, weight):
    """Outcome, probability and weight of each row, as Python numbers."""
    weights = [1.0] * len(y_true) if weight is None else [float(w) for w in weight]
    return list(zip([int(y) for y in y_true], [float(p) for p in y_prob], weights))


def _mean(pairs):
    """Weighted mean of (value, weight)."""
    pairs = list(pairs)
    total = math.fsum(w for _, w in pairs)
    return math.fsum(v * w for v, w in pairs) / total if total else NAN


def _base_rate(rows):
    return _mean((y, w) for y, _, w in rows)


def brier_score(y_true, y_prob, weight=None):
    """Mean squared difference of probability and outcome."""
    return _mean(((p - y) ** 2, w) for y, p, w in _rows(y_true, y_prob, weight))


def log_loss(y_true, y_prob, weight=None, eps=EPS):
    """Mean of minus the logarithm of the probability of what happened."""
    losses = []
    for y, p, w in _rows(y_true, y_prob, weight):
        q = p if y else 1.0 - p
        losses.append((-math.log(min(max(q, eps), 1.0 - eps)), w))
    return _mean(losses)


def _skill(loss, y_true, y_prob, weight):
    rate = _base_rate(_rows(y_true, y_prob, weight))
    if not 0 < rate < 1:
        return NAN
    return 1 - loss(y_true, y_prob, weight) / loss(y_true, [rate] * len(y_true), weight)


def d2_brier_score(y_true, y_prob, weight=None):
    """Share of the base rate's Brier score that is explained."""
    return _skill(brier_score, y_true, y_prob, weight)


def d2_log_loss_score(y_true, y_prob, weight=None):
    """Share of the base rate's log loss that is explained."""
    return _skill(log_loss, y_true, y_prob, weight)


def edges(y_prob, n_bins, strategy):
    """Edges of bins of one width, or at the quantiles."""
    shares = np.linspace(0, 1, n_bins + 1)
    return list(shares if strategy == "uniform" else np.percentile(y_prob, shares * 100))


def bins(y_true, y_prob, weight=None, n_bins=10, strategy="uniform"):
    """Rows of each bin that is not empty; an edge belongs to the bin on its left."""
    inner = edges(y_prob, n_bins, strategy)[1:-1]
    found = {}
    for row in _rows(y_true, y_prob, weight):
        if row[2] > 0:
            found.setdefault(bisect.bisect_left(inner, row[1]), []).append(row)
    return [found[place] for place in sorted(found)]


def gaps(y_true, y_prob, weight=None, **options):
    """Weight and gap of each bin that is not empty."""
    result = []
    for rows in bins(y_true, y_prob, weight, **options):
        gap = _mean((p, w) for _, p, w in rows) - _base_rate(rows)
        result.append((abs(gap), math.fsum(w for _, _, w in rows)))
    return result


def ece(y_true, y_prob, weight=None, **options):
    """Mean gap over the rows."""
    return _mean(gaps(y_true, y_prob, weight, **options))


def mce(y_true, y_prob, weight=None, **options):
    """Largest gap."""
    return max((gap for gap, _ in gaps(y_true, y_prob, weight, **options)), default=NAN)


def _decompose(groups):
    """Reliability, resolution, uncertainty and the terms within groups of rows."""
    everything = [row for rows in groups for row in rows]
    overall = _base_rate(everything)
    terms = {"reliability": [], "resolution": [], "variance": [], "covariance": []}
    for rows in groups:
        mean, share = _mean((p, w) for _, p, w in rows), _base_rate(rows)
        for y, p, w in rows:
            terms["reliability"].append(((mean - share) ** 2, w))
            terms["resolution"].append(((share - overall) ** 2, w))
            terms["variance"].append(((p - mean) ** 2, w))
            terms["covariance"].append((2 * (p - mean) * (y - share), w))
    means = {name: _mean(values) for name, values in terms.items()}
    return (
        means["reliability"],
        means["resolution"],
        overall * (1 - overall),
        means["variance"],
        means["covariance"],
    )


def decomposition(y_true, y_prob, weight=None, n_bins=None, strategy="uniform"):
    """Murphy's terms by distinct forecast or by bin."""
    if n_bins is not None:
        return _decompose(bins(y_true, y_prob, weight, n_bins, strategy))
    groups = {}
    for row in _rows(y_true, y_prob, weight):
        if row[2] > 0:
            groups.setdefault(row[1], []).append(row)
    return _decompose(list(groups.values()))


def _log_odds(p, eps=EPS):
    p = min(max(p, eps), 1 - eps)
    return math.log(p) - math.log1p(-p)


def _sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def calibration_intercept(y_true, y_prob, weight=None):
    """Shift of the log-odds that makes their mean probability the base rate, by bisection."""
    rows = [(y, _log_odds(p), w) for y, p, w in _rows(y_true, y_prob, weight) if w > 0]
    if not rows or not 0 < _base_rate(rows) < 1:
        return NAN
    low, high = -100.0, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        if math.fsum(w * (_sigmoid(x + middle) - y) for y, x, w in rows) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def calibration_slope(y_true, y_prob, weight=None):
    """Slope of a logistic regression on the log-odds, by Newton's steps, halved where too long."""
    rows = [(y, _log_odds(p), w) for y, p, w in _rows(y_true, y_prob, weight) if w > 0]
    positives = [x for y, x, _ in rows if y]
    negatives = [x for y, x, _ in rows if not y]
    if not positives or not negatives:
        return NAN
    if max(negatives) <= min(positives) or max(positives) <= min(negatives):
        return NAN

    def loss(a, b):
        return math.fsum(w * np.logaddexp(0, -(2 * y - 1) * (a + b * x)) for y, x, w in rows)

    a = b = 0.0
    for _ in range(200):
        ga = gb = haa = hab = hbb = 0.0
        for y, x, w in rows:
            q = _sigmoid(a + b * x)
            ga, gb = ga + w * (y - q), gb + w * (y - q) * x
            h = w * q * (1 - q)
            haa, hab, hbb = haa + h, hab + h * x, hbb + h * x * x
        determinant = haa * hbb - hab * hab
        da, db = (hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant
        step = 1.0
        while loss(a + step * da, b + step * db) > loss(a, b) and step > 1e-9:
            step /= 2
        a, b = a + step * da, b + step * db
        if max(abs(da), abs(db)) < 1e-13:
            break
    return b


# every metric of probabilities, by its name in the registry
OF_PROBABILITY = {
    "brier_score": brier_score,
    "log_loss": log_loss,
    "d2_brier_score": d2_brier_score,
    "d2_log_loss_score": d2_log_loss_score,
    "ece": ece,
    "mce": mce,
    "calibration_slope": calibration_slope,
    "calibration_intercept": calibration_intercept,
}


def value(metric, y_true, y_prob, weight=None):
    """Value of a described metric: its name and options say which definition."""
    return OF_PROBABILITY[metric.name](y_true, y_prob, weight, **dict(metric.options))
