"""Slow, obvious versions of everything: loops over pairs, thresholds and rows.

Conventions
-----------
``y_true`` holds 0 and 1, larger scores mean more likely positive, ``weight=None`` is a weight of 1
each. A row is flagged when its score is at least the threshold. 0/0 is nan. Nothing here calls
fastmetrics or scikit-learn.
"""

import itertools
import math
from statistics import NormalDist

import numpy as np

NAN = float("nan")


def _rows(y_true, y_score, weight):
    """Label, score and weight of each row, as Python numbers."""
    weights = [1.0] * len(y_true) if weight is None else [float(w) for w in weight]
    return list(zip([int(y) for y in y_true], [float(s) for s in y_score], weights))


def _ratio(numerator, denominator):
    return numerator / denominator if denominator != 0 else NAN


def class_weights(y_true, y_score, weight=None):
    """Total weight of the positives and of the negatives."""
    rows = _rows(y_true, y_score, weight)
    return math.fsum(w for y, _, w in rows if y), math.fsum(w for y, _, w in rows if not y)


def auc(y_true, y_score, weight=None):
    """Share of the weighted pairs in which the positive scores higher, ties as one half."""
    rows = _rows(y_true, y_score, weight)
    won = pairs = 0.0
    for y, score, w in rows:
        if y != 1:
            continue
        for other_y, other_score, other_w in rows:
            if other_y == 1:
                continue
            pairs += w * other_w
            if score > other_score:
                won += w * other_w
            elif score == other_score:
                won += w * other_w / 2
    return _ratio(won, pairs)


def gini(y_true, y_score, weight=None):
    """2 AUC - 1."""
    return 2 * auc(y_true, y_score, weight) - 1


def counts(y_true, y_score, threshold, weight=None):
    """Weights tp, fp, fn, tn at a threshold."""
    cells = {"tp": 0.0, "fp": 0.0, "fn": 0.0, "tn": 0.0}
    for y, score, w in _rows(y_true, y_score, weight):
        flagged = score >= threshold
        cells[("tp" if y else "fp") if flagged else ("fn" if y else "tn")] += w
    return tuple(cells.values())


def thresholds(y_score):
    """Distinct scores, from the highest down."""
    return sorted({float(s) for s in y_score}, reverse=True)


def average_precision(y_true, y_score, weight=None):
    """Sum over the thresholds of precision times the recall gained there."""
    positives, _ = class_weights(y_true, y_score, weight)
    total = found = 0.0
    for threshold in thresholds(y_score):
        tp, fp, _, _ = counts(y_true, y_score, threshold, weight)
        if tp + fp > 0:
            total += (tp - found) * tp / (tp + fp)
        found = tp
    return _ratio(total, positives)


def roc_points(y_true, y_score, weight=None):
    """Points (false positive rate, recall) from (0, 0) on; None where a class is missing."""
    positives, negatives = class_weights(y_true, y_score, weight)
    if positives == 0 or negatives == 0:
        return None
    points = [(0.0, 0.0)]
    for threshold in thresholds(y_score):
        tp, fp, _, _ = counts(y_true, y_score, threshold, weight)
        points.append((fp / negatives, tp / positives))
    return points


def ks(y_true, y_score, weight=None):
    """Largest distance between recall and false positive rate."""
    points = roc_points(y_true, y_score, weight)
    return NAN if points is None else max(abs(recall - rate) for rate, recall in points)


def recall_at_false_positive_rate(y_true, y_score, weight=None, *, max_fpr):
    """Largest recall among the points whose false positive rate is at most max_fpr."""
    points = roc_points(y_true, y_score, weight)
    return NAN if points is None else max(recall for rate, recall in points if rate <= max_fpr)


def precision_at_recall(y_true, y_score, weight=None, *, min_recall):
    """Largest precision among the thresholds whose recall is at least min_recall."""
    positives, _ = class_weights(y_true, y_score, weight)
    if positives == 0:
        return NAN
    best = 0.0
    for threshold in thresholds(y_score):
        tp, fp, _, _ = counts(y_true, y_score, threshold, weight)
        if tp / positives >= min_recall and tp + fp > 0:
            best = max(best, tp / (tp + fp))
    return best


def _area_up_to(points, limit):
    """Area under a polyline of rising x from 0 to limit."""
    area = 0.0
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 >= limit or x1 == x0:
            continue
        end = min(x1, limit)
        y_end = y0 + (y1 - y0) * (end - x0) / (x1 - x0)
        area += (end - x0) * (y0 + y_end) / 2
    return area


def _mcclish(area, width):
    """A partial area scaled so that chance is 1/2 and the best is 1."""
    return (1 + (area - width**2 / 2) / (width - width**2 / 2)) / 2


def partial_auc(y_true, y_score, weight=None, *, max_fpr=None, min_tpr=None):
    """McClish's partial area, up to a false positive rate or from a recall up."""
    points = roc_points(y_true, y_score, weight)
    if points is None:
        return NAN
    if max_fpr is not None:
        return _mcclish(_area_up_to(points, max_fpr), max_fpr)
    # seen from the corner (1, 1): 1 - false positive rate over 1 - recall
    turned = [(1 - recall, 1 - rate) for rate, recall in reversed(points)]
    return _mcclish(_area_up_to(turned, 1 - min_tpr), 1 - min_tpr)


def _f_beta(beta):
    def f(tp, fp, fn, tn):
        precision, recall = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
        if tp == 0 or math.isnan(precision) or math.isnan(recall):
            return 0.0 if fp > 0 or fn > 0 else NAN
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)

    return f


def _matthews(tp, fp, fn, tn):
    """Pearson correlation of the label and the decision, both 0 or 1."""
    n = tp + fp + fn + tn
    labels, decisions, both = (tp + fn) / n, (tp + fp) / n, tp / n
    spread = math.sqrt(labels * (1 - labels) * decisions * (1 - decisions))
    # a margin that is empty leaves rounding noise, not 0
    if 0 in (tp + fp, tp + fn, tn + fp, tn + fn):
        return NAN
    return (both - labels * decisions) / spread


def _kappa(tp, fp, fn, tn):
    """Agreement beyond chance over the largest possible agreement beyond chance."""
    n = tp + fp + fn + tn
    chance = (tp + fp) / n * (tp + fn) / n + (fn + tn) / n * (fp + tn) / n
    if n in (tp, tn):
        return NAN
    return ((tp + tn) / n - chance) / (1 - chance)


def _likelihood_ratio(tp, fp, fn, tn):
    """Share of the positives among the rows of a verdict, over that of the negatives."""
    return _ratio(_ratio(tp, tp + fn), _ratio(fp, tn + fp))


def _balanced(tp, fp, fn, tn):
    return (_ratio(tp, tp + fn) + _ratio(tn, tn + fp)) / 2


# every metric of decisions: its value from tp, fp, fn, tn
OF_COUNTS = {
    "accuracy": lambda tp, fp, fn, tn: _ratio(tp + tn, tp + fp + fn + tn),
    "balanced_accuracy": _balanced,
    "precision": lambda tp, fp, fn, tn: _ratio(tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: _ratio(tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: _ratio(tn, tn + fp),
    "negative_predictive_value": lambda tp, fp, fn, tn: _ratio(tn, tn + fn),
    "false_positive_rate": lambda tp, fp, fn, tn: _ratio(fp, tn + fp),
    "zero_one_loss": lambda tp, fp, fn, tn: _ratio(fp + fn, tp + fp + fn + tn),
    "hamming_loss": lambda tp, fp, fn, tn: _ratio(fp + fn, tp + fp + fn + tn),
    "positive_likelihood_ratio": _likelihood_ratio,
    "negative_likelihood_ratio": lambda tp, fp, fn, tn: _likelihood_ratio(fn, tn, tp, fp),
    "f1": _f_beta(1),
    "f2": _f_beta(2),
    "f0.5": _f_beta(0.5),
    "f3": _f_beta(3),
    "jaccard": lambda tp, fp, fn, tn: _ratio(tp, tp + fp + fn),
    "matthews_corrcoef": _matthews,
    "cohen_kappa": _kappa,
    "youden_index": lambda tp, fp, fn, tn: _ratio(tp, tp + fn) + _ratio(tn, tn + fp) - 1,
}


def found_at_top(y_true, y_score, weight=None, *, k):
    """Weight of the positives in the first share k of all weight, and the share's weight."""
    positives, negatives = class_weights(y_true, y_score, weight)
    left = size = k * (positives + negatives)
    found = 0.0
    for threshold in thresholds(y_score):
        own = [w for w, row in zip(_rows(y_true, y_score, weight), y_score) if row == threshold]
        group = math.fsum(w for _, _, w in own)
        taken = min(left, group)
        if group > 0:
            # of a tie at the cut, the expected share
            found += taken * math.fsum(w for y, _, w in own if y) / group
        left -= taken
    return found, size


def precision_at_k(y_true, y_score, weight=None, *, k):
    """Share of positives at the top."""
    return _ratio(*found_at_top(y_true, y_score, weight, k=k))


def recall_at_k(y_true, y_score, weight=None, *, k):
    """Share of the positives that are at the top."""
    positives, _ = class_weights(y_true, y_score, weight)
    return _ratio(found_at_top(y_true, y_score, weight, k=k)[0], positives)


def lift_at_k(y_true, y_score, weight=None, *, k):
    """Share of positives at the top over their share of all rows."""
    positives, negatives = class_weights(y_true, y_score, weight)
    precision = precision_at_k(y_true, y_score, weight, k=k)
    return _ratio(precision, _ratio(positives, positives + negatives))


OF_TOP_ROWS = {
    "precision_at_k": precision_at_k,
    "recall_at_k": recall_at_k,
    "lift_at_k": lift_at_k,
}
# every ranking metric without an option
OF_RANKING = {"roc_auc": auc, "gini": gini, "average_precision": average_precision, "ks": ks}
# every ranking metric that needs an option
OF_CURVE = {
    "partial_auc": partial_auc,
    "recall_at_false_positive_rate": recall_at_false_positive_rate,
    "precision_at_recall": precision_at_recall,
}


def value(metric, y_true, y_score, weight=None):
    """Value of a described metric: its name, options and threshold say which definition."""
    if metric.name in OF_COUNTS:
        cells = counts(y_true, y_score, metric.statistic.parameter, weight)
        return OF_COUNTS[metric.name](*cells)
    if metric.name in OF_CURVE:
        return OF_CURVE[metric.name](y_true, y_score, weight, **dict(metric.options))
    return OF_RANKING[metric.name](y_true, y_score, weight)


def delete_one(function, y_true, y_score, weight=None):
    """Value of function(y_true, y_score, weight) without each row in turn."""
    y_true, y_score = np.asarray(y_true), np.asarray(y_score)
    values = []
    for row in range(len(y_true)):
        left = [k for k in range(len(y_true)) if k != row]
        kept_weight = None if weight is None else np.asarray(weight)[left]
        values.append(function(y_true[left], y_score[left], kept_weight))
    return np.array(values)


def acceleration(values):
    """Acceleration of BCa from the delete-one values of a single sample."""
    deviations = np.mean(values) - np.asarray(values)
    return np.sum(deviations**3) / (6 * np.sum(deviations**2) ** 1.5)


def acceleration_of_strata(values, strata):
    """Acceleration of BCa where each stratum keeps its size."""
    cubes = squares = 0.0
    for stratum in sorted(set(strata)):
        own = [v for v, s in zip(values, strata) if s == stratum]
        n = len(own)
        for v in own:
            u = (n - 1) * (sum(own) / n - v)
            cubes += u**3 / n**3
            squares += u**2 / n**2
    return cubes / 6 / squares**1.5


def quantile(values, level):
    """Linear between the order statistics, the first at 0 and the last at 1."""
    ordered = sorted(values)
    place = level * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 2) if len(ordered) > 1 else 0
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def percentile_interval(replicates, level):
    """Quantiles of the replicates."""
    return quantile(replicates, (1 - level) / 2), quantile(replicates, (1 + level) / 2)


def basic_interval(replicates, level, estimate, bounds=(-math.inf, math.inf)):
    """The percentile limits mirrored at the estimate, within the bounds."""
    low, high = percentile_interval(replicates, level)
    mirrored = 2 * estimate - high, 2 * estimate - low
    return tuple(min(max(limit, bounds[0]), bounds[1]) for limit in mirrored)


def standard_deviation(values):
    """Sample standard deviation."""
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))


def normal_interval(replicates, level, estimate):
    """Estimate and z standard errors to either side."""
    reach = NormalDist().inv_cdf((1 + level) / 2) * standard_deviation(replicates)
    return estimate - reach, estimate + reach


def logit_interval(replicates, level, estimate, bounds=(0.0, 1.0)):
    """Normal limits of the logit, by the delta method, taken back to the bounds."""
    low, high = bounds
    place = (estimate - low) / (high - low)
    error = standard_deviation([(v - low) / (high - low) for v in replicates])
    reach = NormalDist().inv_cdf((1 + level) / 2) * error / (place * (1 - place))
    logit = math.log(place / (1 - place))
    limits = (1 / (1 + math.exp(-(logit - reach))), 1 / (1 + math.exp(-(logit + reach))))
    return tuple(low + (high - low) * limit for limit in limits)


def bias_correction(replicates, estimate):
    """z0 of BCa; replicates that tie with the estimate count one half."""
    below = sum(v < estimate for v in replicates) + sum(v == estimate for v in replicates) / 2
    return NormalDist().inv_cdf(below / len(replicates))


def bca_interval(replicates, level, estimate, acceleration):
    """Quantiles of the replicates at levels corrected for bias and skewness."""
    normal = NormalDist()
    z0 = bias_correction(replicates, estimate)
    limits = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = normal.inv_cdf(tail)
        corrected = normal.cdf(z0 + (z0 + z) / (1 - acceleration * (z0 + z)))
        limits.append(quantile(replicates, corrected))
    return tuple(limits)
