"""Slow, obvious versions of what is computed from labels of several classes.

Conventions
-----------
Labels are any values that compare, ``weight=None`` is a weight of 1 each. Matrices are lists of
rows, rows are true. 0/0 is nan. Nothing here calls fastmetrics or scikit-learn.
"""

import math

NAN = float("nan")


def classes(y_true, y_pred):
    """Labels that occur, ascending."""
    return sorted({*y_true, *y_pred})


def confusion(y_true, y_pred, weight=None, labels=None):
    """Weight of the rows of each true class (rows) and predicted class (columns)."""
    labels = classes(y_true, y_pred) if labels is None else list(labels)
    weight = [1] * len(y_true) if weight is None else weight
    matrix = [[0] * len(labels) for _ in labels]
    for true, predicted, w in zip(y_true, y_pred, weight):
        if true in labels and predicted in labels:
            matrix[labels.index(true)][labels.index(predicted)] += w
    return matrix


def one_versus_rest(matrix):
    """Counts tp, fp, fn, tn of each class."""
    total = sum(map(sum, matrix))
    counts = []
    for k, row in enumerate(matrix):
        tp = row[k]
        fp = sum(other[k] for i, other in enumerate(matrix) if i != k)
        fn = sum(value for j, value in enumerate(row) if j != k)
        counts.append((tp, fp, fn, total - tp - fp - fn))
    return counts


def ratio(numerator, denominator):
    return numerator / denominator if denominator != 0 else NAN


RATES = {
    "precision": lambda tp, fp, fn, tn: ratio(tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: ratio(tp, tp + fn),
    "f1": lambda tp, fp, fn, tn: ratio(2 * tp, 2 * tp + fp + fn),
    "jaccard": lambda tp, fp, fn, tn: ratio(tp, tp + fp + fn),
    "specificity": lambda tp, fp, fn, tn: ratio(tn, tn + fp),
    "negative_predictive_value": lambda tp, fp, fn, tn: ratio(tn, tn + fn),
    "false_positive_rate": lambda tp, fp, fn, tn: ratio(fp, tn + fp),
}


def macro(rate, matrix):
    values = [rate(*counts) for counts in one_versus_rest(matrix)]
    return sum(values) / len(values)


def micro(rate, matrix):
    return rate(*(sum(column) for column in zip(*one_versus_rest(matrix))))


def weighted(rate, matrix):
    counts = [cells for cells in one_versus_rest(matrix) if cells[0] + cells[2] > 0]
    support = [tp + fn for tp, _, fn, _ in counts]
    return ratio(sum(n * rate(*cells) for n, cells in zip(support, counts)), sum(support))


def accuracy(matrix):
    return ratio(sum(matrix[k][k] for k in range(len(matrix))), sum(map(sum, matrix)))


def error_rate(matrix):
    return 1 - accuracy(matrix)


def balanced_accuracy(matrix):
    recalls = [matrix[k][k] / sum(row) for k, row in enumerate(matrix) if sum(row) > 0]
    return sum(recalls) / len(recalls) if len(recalls) > 1 else NAN


def matthews(matrix):
    """Covariance of the indicators of the classes over the geometric mean of their variances."""
    n = sum(map(sum, matrix))
    counts = one_versus_rest(matrix)
    covariance = sum(tp / n - (tp + fn) / n * (tp + fp) / n for tp, fp, fn, _ in counts)
    true = sum((tp + fn) / n * (fp + tn) / n for tp, fp, fn, tn in counts)
    predicted = sum((tp + fp) / n * (fn + tn) / n for tp, fp, fn, tn in counts)
    return ratio(covariance, math.sqrt(true * predicted))


def kappa(matrix, power=0):
    """1 - disagreement over the disagreement expected from the totals; power 0 is unweighted."""
    size = range(len(matrix))
    n = sum(map(sum, matrix))
    observed = expected = 0.0
    for i in size:
        for j in size:
            distance = abs(i - j) ** power if i != j else 0
            observed += distance * matrix[i][j] / n
            expected += distance * sum(matrix[i]) / n * sum(row[j] for row in matrix) / n
    return 1 - ratio(observed, expected)


def f1_of_macro_averages(matrix):
    precision, recall = macro(RATES["precision"], matrix), macro(RATES["recall"], matrix)
    return 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)


OF_MATRIX = {
    "accuracy": accuracy,
    "zero_one_loss": error_rate,
    "hamming_loss": error_rate,
    "balanced_accuracy": balanced_accuracy,
    "matthews_corrcoef": matthews,
    "cohen_kappa": kappa,
    "cohen_kappa_linear": lambda matrix: kappa(matrix, 1),
    "cohen_kappa_quadratic": lambda matrix: kappa(matrix, 2),
    "f1_of_macro_averages": f1_of_macro_averages,
    **{
        f"{name}_{mean.__name__}": lambda matrix, mean=mean, rate=rate: mean(rate, matrix)
        for name, rate in RATES.items()
        for mean in (macro, micro, weighted)
    },
}
