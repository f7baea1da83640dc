"""Metrics of several classes, as formulas on the confusion matrix.

Conventions
-----------
The matrix of K classes, rows are true, stands flattened on the last axis: K * K numbers, which may
be sums of weights. Each class is taken one against the rest. A class that is neither true nor
predicted anywhere is none, as where a replicate drew none of its rows. A formula returns nan for
0/0, and so does the macro average of anything that is nan in one class; a class without true rows
counts for nothing in a weighted average. Only the drop-in functions turn nan into something else.
"""

from __future__ import annotations

import functools
from functools import partial
from math import isqrt

import numpy as np
import numpy.typing as npt

from fastmetrics.classification import formulas as classification
from fastmetrics.engine.description import Floats, Formula, Metric, Statistic

CONFUSION = Statistic("confusion matrix", 0, "confusion")


def _pairs(sums: Floats) -> Floats:
    """Split the last axis (K * K) into rows and columns."""
    classes = isqrt(sums.shape[-1])
    return sums.reshape(*sums.shape[:-1], classes, classes)


def _total(numbers: Floats) -> Floats:
    """Sum over the last axis."""
    total: Floats = np.add.reduce(numbers, axis=-1)  # half the time of sum() for a few classes
    return total


def class_counts(sums: Floats) -> Floats:
    """Matrices (..., K * K) to tp, fp, fn and tn of each class (..., K, 4)."""
    from fastmetrics.kernels.confusion import one_versus_rest_of_each

    pairs = _pairs(sums)
    counts = np.zeros((*pairs.shape[:-1], 4))
    classes = pairs.shape[-1]
    flat = np.ascontiguousarray(pairs, np.float64).reshape(-1, classes, classes)
    one_versus_rest_of_each(flat, counts.reshape(-1, classes, 4))
    return counts


def _occurs(counts: Floats) -> npt.NDArray[np.bool_]:
    """Whether a class (..., K) is true or predicted anywhere."""
    occurs: npt.NDArray[np.bool_] = counts[..., 0] + counts[..., 1] + counts[..., 2] > 0
    return occurs


def _mean(values: Floats, counts: Floats) -> Floats:
    """Mean of values (..., K) over the classes that occur in the counts (..., K, 4)."""
    occurs = _occurs(counts)
    mean: Floats = _total(np.where(occurs, values, 0.0)) / occurs.sum(axis=-1)
    return mean


def accuracy(sums: Floats) -> Floats:
    """Share of the rows on the diagonal."""
    counts = class_counts(sums)
    return _total(counts[..., 0]) / _total(counts[..., 0] + counts[..., 2])


def error_rate(sums: Floats) -> Floats:
    """Share of the rows off the diagonal."""
    counts = class_counts(sums)
    return _total(counts[..., 2]) / _total(counts[..., 0] + counts[..., 2])


def balanced_accuracy(sums: Floats) -> Floats:
    """Mean recall of the classes that have true rows, of which there must be two."""
    counts = class_counts(sums)
    present = counts[..., 0] + counts[..., 2] > 0
    recalls = np.where(present, classification.recall(counts), 0.0)
    classes = present.sum(axis=-1)
    return np.where(classes > 1, _total(recalls) / classes, np.nan)


def macro(sums: Floats, formula: Formula) -> Floats:
    """Mean of a formula over the classes."""
    counts = class_counts(sums)
    return _mean(formula(counts), counts)


def micro(sums: Floats, formula: Formula) -> Floats:
    """Formula of the counts of all classes together."""
    counts = class_counts(sums)
    return formula((counts * _occurs(counts)[..., None]).sum(axis=-2))


def weighted(sums: Floats, formula: Formula) -> Floats:
    """Mean of a formula over the classes by their true rows."""
    counts = class_counts(sums)
    support = counts[..., 0] + counts[..., 2]
    values = np.where(support > 0, formula(counts), 0.0)
    return _total(values * support) / _total(support)


def f1_of_macro_averages(sums: Floats) -> Floats:
    """Harmonic mean of macro precision and macro recall."""
    counts = class_counts(sums)
    precision = _mean(classification.precision(counts), counts)
    recall = _mean(classification.recall(counts), counts)
    both = precision + recall
    return np.where(both == 0, 0.0, 2.0 * precision * recall / both)


def matthews_of_counts(counts: Floats) -> Floats:
    """Correlation of true and predicted class (Gorodkin) from the counts (..., K, 4)."""
    tp, fp, fn, tn = (counts[..., k] for k in range(4))
    spread = _total((tp + fn) * (tn + fp)) * _total((tp + fp) * (tn + fn))
    # rounded apart where weights are fractional
    correlation = _total(tp * tn - fp * fn) / np.sqrt(spread)
    return np.maximum(np.minimum(correlation, 1.0), -1.0)


def matthews_correlation(sums: Floats) -> Floats:
    """Correlation of true and predicted class."""
    return matthews_of_counts(class_counts(sums))


def kappa_of_counts(counts: Floats) -> Floats:
    """Agreement beyond chance from the counts (..., K, 4)."""
    true = counts[..., 0] + counts[..., 2]
    disagreement = _total(counts[..., 2]) * _total(true)
    return 1.0 - disagreement / _total(true * (counts[..., 2] + counts[..., 3]))


def cohen_kappa(sums: Floats) -> Floats:
    """Agreement beyond what the same totals give by chance."""
    return kappa_of_counts(class_counts(sums))


@functools.lru_cache(maxsize=16)
def _distances(size: int, power: int) -> Floats:
    """How far apart two of so many labels are (K, K), raised to a power; shared, so only read."""
    places = np.arange(size, dtype=np.float64)
    distances: Floats = np.abs(places[:, None] - places) ** power
    distances.flags.writeable = False
    return distances


def weighted_kappa(sums: Floats, power: int) -> Floats:
    """Kappa with disagreements weighed by a power of the distance of the labels' positions."""
    pairs = _pairs(sums)
    distance = _distances(pairs.shape[-1], power)
    true, predicted = _total(pairs), _total(pairs.swapaxes(-2, -1))
    observed = _total(_total(pairs * distance)) * _total(true)
    return 1.0 - observed / _total(true * (predicted @ distance))


def _metric(
    name: str, formula: Formula, *, low: float = 0.0, better: bool = True, source: str
) -> Metric:
    """Describe a metric of the confusion matrix."""
    return Metric(
        name,
        CONFUSION,
        formula,
        "label",
        (low, 1.0),
        better,
        default_interval="bca",
        source=source,
    )


def averaged_fbeta(beta: float, average: str) -> Metric:
    """Describe F-beta averaged over the classes."""
    single = classification.fbeta(beta)
    mean = partial(AVERAGES[average], formula=single.formula)
    return _metric(f"{single.name}_{average}", mean, source=single.source)


POWERS = {"linear": 1, "quadratic": 2}
AVERAGES = {"macro": macro, "micro": micro, "weighted": weighted}
_SOURCE = "doi:10.1016/j.ipm.2009.03.002"
# rates of one class against the rest, which are averaged over the classes
AVERAGED: dict[str, Formula] = {
    "precision": classification.precision,
    "recall": classification.recall,
    "f1": partial(classification.f_beta, beta=1.0),
    "jaccard": classification.jaccard,
    "specificity": classification.specificity,
    "negative_predictive_value": classification.negative_predictive_value,
    "false_positive_rate": classification.false_positive_rate,
}

# metrics that exist for two classes too, under the names they have there
SEVERAL_CLASSES: tuple[Metric, ...] = (
    _metric("accuracy", accuracy, source="share of correct decisions"),
    _metric("zero_one_loss", error_rate, better=False, source="1 - accuracy"),
    _metric("hamming_loss", error_rate, better=False, source="doi:10.4018/jdwm.2007070101"),
    _metric("balanced_accuracy", balanced_accuracy, source="doi:10.1109/ICPR.2010.764"),
    _metric(
        "matthews_corrcoef",
        matthews_correlation,
        low=-1.0,
        source="doi:10.1016/j.compbiolchem.2004.09.006",
    ),
    _metric("cohen_kappa", cohen_kappa, low=-1.0, source="doi:10.1177/001316446002000104"),
)
METRICS: tuple[Metric, ...] = (
    *(
        _metric(
            f"{name}_{average}",
            partial(mean, formula=formula),
            better=name != "false_positive_rate",
            source=_SOURCE,
        )
        for name, formula in AVERAGED.items()
        for average, mean in AVERAGES.items()
    ),
    _metric("f1_of_macro_averages", f1_of_macro_averages, source="arXiv:1911.03347"),
    *(
        _metric(
            f"cohen_kappa_{weights}",
            partial(weighted_kappa, power=power),
            low=-1.0,
            source="doi:10.1037/h0026256",
        )
        for weights, power in POWERS.items()
    ),
)
