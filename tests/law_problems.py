"""The metrics of the registry with small problems for them, and their values by definition."""

import itertools
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import fastmetrics as fm
from tests import (
    reference,
    reference_classes,
    reference_columns,
    reference_forecasts,
    reference_lists,
    reference_regression,
)

SERIES = [1.0, 3.0, 2.0, 5.0, 4.5]
# options of the metrics that need some; every other metric is taken by its name
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "fbeta": [{"beta": 3}],
    "partial_auc": [{"max_fpr": 0.3}, {"min_tpr": 0.6}],
    "recall_at_false_positive_rate": [{"max_fpr": 0.25}],
    "precision_at_recall": [{"min_recall": 0.5}],
    "precision_at_k": [{"k": 0.25}],
    "recall_at_k": [{"k": 0.25}],
    "lift_at_k": [{"k": 0.25}],
    "net_benefit": [{"threshold": 0.5}],
    "top_k_accuracy": [{}, {"k": 1}],
    "ndcg": [{}, {"k": 2}],
    "dcg": [{}, {"k": 2}],
    "mean_pinball_loss": [{"alpha": 0.3}],
    "d2_pinball_score": [{"alpha": 0.3}],
    "mean_tweedie_deviance": [{"power": 1.5}],
    "d2_tweedie_score": [{"power": 1.5}],
    "mean_absolute_scaled_error": [{"y_train": SERIES, "seasonality": 2}],
}
TOP_ROWS = {"precision_at_k", "recall_at_k", "lift_at_k"}
# found by iteration
FITTED = {"calibration_slope", "calibration_intercept"}
# metrics of class columns that also take one score where there are two classes
OF_COLUMNS_ONLY = ("roc_auc_ovr", "roc_auc_ovo")


def described(name):
    """Return the metrics of a name, decisions at a threshold that scores hit."""
    for options in OPTIONS.get(name, [{}]):
        metric = fm.metric(name, **options)
        cut = metric.input == "label" and metric.statistic.kind == "counts"
        yield fm.metric(metric, threshold=0.5) if cut else metric


METRICS = [metric for name in fm.metric_names() for metric in described(name)]


def families(metric):
    """What the metric can be measured on."""
    data = metric.statistic.data
    if data == "lists":
        return ["lists"]
    if data == "classes":
        # the first two of two classes always hold the right one
        both = metric.name == "top_k_accuracy" and not metric.options
        only = both or metric.name.startswith(OF_COLUMNS_ONLY)
        return ["columns"] if only else ["binary", "columns"]
    if metric.statistic.kind == "confusion":
        return ["classes"]
    return ["values" if metric.input == "value" else "binary"]


def measured(family, metric, truth, predicted, weights=None):
    """Value of a metric; columns are named, so that a class may be absent."""
    if family == "columns":
        predicted = pd.DataFrame(predicted, columns=range(CLASSES))
    return metric(truth, predicted, weights)


def definition(family, metric, *data):
    """Value of a described metric by its slow, obvious version."""
    name, options = metric.name, dict(metric.options)
    if family == "lists":
        return reference_lists.mean_over_lists(name, *data, **options)
    if family == "columns" or name in ("hinge_loss", "top_k_accuracy"):
        return reference_columns.OF_COLUMNS[name](*data, **options)
    if name in TOP_ROWS:
        return reference.OF_TOP_ROWS[name](*data, k=options["k"])
    if name == "net_benefit":
        y_true, y_prob, *weight = data
        return reference_lists.net_benefit(y_true, y_prob, options["threshold"], *weight)
    if metric.input == "probability":
        return reference_forecasts.value(metric, *data)
    if metric.input == "value":
        if name == "mean_absolute_scaled_error":
            options["y_train"] = SERIES
        return getattr(reference_regression, name)(*data, **options)
    if metric.statistic.kind == "confusion":
        # a class whose rows all weigh 0 is absent
        counted = [column[data[2] > 0] for column in data] if len(data) > 2 else data
        return reference_classes.OF_MATRIX[name](reference_classes.confusion(*counted))
    return reference.value(metric, *data)


class Problem(NamedTuple):
    """A small problem with ties; its sums of weights are exact."""

    truth: np.ndarray
    predicted: np.ndarray
    weights: np.ndarray  # multiples of 1/4, some of them 0
    seed: int

    @property
    def n(self):
        return len(self.truth)

    @property
    def repeats(self):
        return (4 * self.weights).astype(int)

    @property
    def uneven(self):
        """Weights that are rounded when they are added up."""
        return np.random.default_rng(self.seed).uniform(0.1, 1, self.n)

    def rows(self, rows):
        return Problem(self.truth[rows], self.predicted[rows], self.weights[rows], self.seed)

    def repeated(self):
        """Truth and predictions, each row as often as it weighs."""
        return [np.repeat(column, self.repeats, axis=0) for column in self[:2]]

    def perfect(self, family):
        """What a perfect model says."""
        return np.eye(CLASSES)[self.truth] if family == "columns" else self.truth.astype(float)


CLASSES, ENTRIES = 3, 4
eighths = st.integers(0, 8).map(lambda k: k / 8)
distributions = st.sampled_from(
    [
        (a / 8, b / 8, (8 - a - b) / 8)
        for a, b in itertools.product(range(9), repeat=2)
        if a + b <= 8
    ]
)
CELLS = {
    # what is true, and what is predicted
    "binary": (st.integers(0, 1), eighths),
    "classes": (st.integers(0, 2), st.integers(0, 2)),
    "columns": (st.integers(0, CLASSES - 1), distributions),
    "values": (st.integers(1, 9).map(lambda k: k / 4), st.integers(1, 9).map(lambda k: k / 4)),
    "lists": (st.tuples(*[st.integers(0, 1)] * ENTRIES), st.tuples(*[eighths] * ENTRIES)),
}


@st.composite
def problems(draw, family="binary"):
    row = st.tuples(*CELLS[family], st.integers(0, 4))
    rows = draw(st.lists(row, min_size=1, max_size=25 if family != "lists" else 8))
    truth, predicted, repeats = map(np.array, zip(*rows, strict=True))
    return Problem(truth, predicted, repeats / 4, draw(st.integers(0, 2**32)))
