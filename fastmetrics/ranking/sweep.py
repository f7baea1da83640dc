"""One sort, many answers: the confusion counts at every threshold.

Conventions
-----------
A row is flagged when its score reaches the threshold. Thresholds are the distinct scores in
descending order; equal scores enter together. Counts are int64, or float64 sums of weights.
Values that are 0/0 are nan; the areas warn of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.errors import InputError, warn_undefined
from fastmetrics.input.arrays import as_array, column
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.options import check_cost, check_flag, check_share
from fastmetrics.input.validation import aligned_weights, encode_scores, in_range
from fastmetrics.ranking._curves import (
    Cells,
    cells_of,
    mean_precision,
    partial_roc_area,
    precision_recall_points,
    roc_points,
    swapped,
)

if TYPE_CHECKING:
    from fastmetrics.engine.description import Metric

_FLAG_NOTHING = np.inf


class BinaryCounts(NamedTuple):
    """Rows, or their weight, by truth and verdict."""

    tp: float
    fp: float
    fn: float
    tn: float

    def cost(self, *, cost_fp: float, cost_fn: float) -> float:
        """Cost of the errors, ``cost_fp * fp + cost_fn * fn``.

        Parameters
        ----------
        cost_fp, cost_fn : float
            Costs of a false alarm and of a miss, 0 or more.

        Returns
        -------
        float

        Examples
        --------
        >>> import fastmetrics as fm
        >>> sweep = fm.threshold_sweep([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> sweep.at(0.5).cost(cost_fp=1, cost_fn=20)
        21.0
        """
        return float(
            check_cost("cost_fp", cost_fp) * self.fp + check_cost("cost_fn", cost_fn) * self.fn
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the counts as a confusion matrix; return the axes."""
        from fastmetrics.plots.confusion import plot_confusion_matrix

        matrix = [[self.tn, self.fp], [self.fn, self.tp]]
        return plot_confusion_matrix(matrix, labels=["negative", "positive"], ax=ax)


class BestThreshold(NamedTuple):
    """A threshold, and the value that it reaches."""

    threshold: float
    value: float


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdSweep:
    """Confusion counts of one model at every threshold.

    Attributes
    ----------
    thresholds : ndarray of shape (U,)
        The distinct scores, descending.
    tp, fp, fn, tn : ndarray of shape (U,)
        Counts of the rows with score >= threshold (tp, fp) and below it (fn, tn).

    See Also
    --------
    threshold_sweep : Makes one.
    """

    thresholds: NDArray[Any]
    tp: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    tn: NDArray[Any]
    _cells: Cells

    def __repr__(self) -> str:
        positive, negative = self.tp[-1].item(), self.fp[-1].item()
        return (
            f"ThresholdSweep({len(self.thresholds):,} thresholds, {positive:,} positive, "
            f"{negative:,} negative)"
        )

    def roc_auc(self, max_fpr: float | None = None, min_tpr: float | None = None) -> float:
        """Area under the ROC curve, or its standardised part.

        Parameters
        ----------
        max_fpr : float in (0, 1], optional
            Only the part with a false positive rate up to this.
        min_tpr : float in [0, 1), optional
            Only the part with a true positive rate from this on: the part up to
            ``max_fpr = 1 - min_tpr`` of the problem with the classes exchanged.

        Returns
        -------
        float
            In [0, 1]. Parts are standardised by McClish: 0.5 is chance. nan, with a warning, when
            only one class occurs.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> sweep = fm.threshold_sweep([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> sweep.roc_auc()
        0.75
        """
        if max_fpr is not None and min_tpr is not None:
            raise InputError("max_fpr and min_tpr cut the curve in two ways: pass one of them")
        cells, part = self._cells, 1.0
        if max_fpr is not None:
            part = check_share("roc_auc", "max_fpr", max_fpr, lowest=False, highest=True)
        if min_tpr is not None:
            part = 1 - check_share("roc_auc", "min_tpr", min_tpr, lowest=True, highest=False)
            cells = swapped(cells)
        area = partial_roc_area(cells, part)
        if area != area:
            warn_undefined("Only one class is present: the area under the ROC curve is undefined")
        return area

    def average_precision(self) -> float:
        """Mean over the positives of the precision at their score.

        Returns
        -------
        float
            In [0, 1]; the prevalence for scores without information. nan, with a warning, without
            positives.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> fm.threshold_sweep([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).average_precision()
        0.8333333333333333
        """
        precision = mean_precision(self._cells)
        if precision != precision:
            warn_undefined("No positive rows: average precision is undefined")
        return precision

    def roc_curve(
        self, *, drop_intermediate: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """False positive rate, true positive rate and thresholds, as from ``fm.roc_curve``."""
        check_flag("roc_curve", "drop_intermediate", drop_intermediate)
        if self._cells.one_class:
            warn_undefined("Only one class is present: one rate of the ROC curve is undefined")
        tp, fp = self.tp.astype(np.float64), self.fp.astype(np.float64)
        return roc_points(tp, fp, self.thresholds, drop_intermediate)

    def precision_recall_curve(
        self, *, drop_intermediate: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[Any]]:
        """Precision, recall and thresholds, as from ``fm.precision_recall_curve``."""
        check_flag("precision_recall_curve", "drop_intermediate", drop_intermediate)
        if not self._cells.positives.any():
            warn_undefined("No positive rows: recall is set to one for all thresholds")
        tp, fp = self.tp.astype(np.float64), self.fp.astype(np.float64)
        return precision_recall_points(tp, fp, self.thresholds, drop_intermediate)

    def metric(self, metric: str | Metric) -> NDArray[np.float64]:
        """A metric of binary counts at every threshold.

        Parameters
        ----------
        metric : str or Metric
            A name of the registry, as ``"f1"``.

        Returns
        -------
        ndarray of shape (U,)
            Matches ``thresholds``; nan where the metric is 0/0.
        """
        return values_of(count_metric(metric), self._sums())

    def at(self, threshold: float) -> BinaryCounts:
        """Counts when rows with score >= threshold are flagged, compared as NumPy compares.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> fm.threshold_sweep([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]).at(0.5)
        BinaryCounts(tp=1, fp=1, fn=1, tn=1)
        """
        _check_threshold(threshold)
        if threshold != threshold:
            raise InputError("threshold is nan: no row can be flagged or left alone")
        ascending = self.thresholds[::-1]
        with np.errstate(over="ignore"):  # beyond float32 it is infinite
            cut = np.asarray(threshold, np.result_type(ascending, threshold))
        flagged = len(ascending) - int(np.searchsorted(ascending, cut, "left"))
        if flagged == 0:
            nothing = self.tp[0] - self.tp[0]
            counts = (nothing, nothing, self.tp[-1], self.fp[-1])
        else:
            counts = tuple(c[flagged - 1] for c in (self.tp, self.fp, self.fn, self.tn))
        return BinaryCounts(*(count.item() for count in counts))

    def best(
        self,
        metric: str | Metric | None = None,
        *,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
    ) -> BestThreshold:
        """The threshold with the best value of a metric, or with the lowest cost.

        Parameters
        ----------
        metric : str or Metric, optional
            A name of the registry, as ``"f1"``.
        cost_fp, cost_fn : float, optional
            Costs of a false alarm and of a miss, instead of a metric. The value is
            ``cost_fp * fp + cost_fn * fn``.

        Returns
        -------
        BestThreshold
            ``(threshold, value)``. Flagging nothing, at the threshold infinity, takes part. Of
            several best ones the highest threshold. (nan, nan), with a warning, when the metric is
            undefined throughout.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> sweep = fm.threshold_sweep([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
        >>> sweep.best(cost_fp=1, cost_fn=10)
        BestThreshold(threshold=0.4, value=1.0)
        """
        sums = np.vstack((self._nothing(), self._sums()))
        if metric is not None and cost_fp is None and cost_fn is None:
            described = count_metric(metric)
            values = values_of(described, sums)
            gains = values if described.greater_is_better else -values
        elif metric is None and cost_fp is not None and cost_fn is not None:
            false_alarms = check_cost("cost_fp", cost_fp) * sums[:, 1]
            values = false_alarms + check_cost("cost_fn", cost_fn) * sums[:, 2]
            gains = -values
        else:
            raise InputError("pass a metric, as in best('f1'), or both cost_fp= and cost_fn=")
        if np.isnan(gains).all():
            warn_undefined("The metric is undefined at every threshold")
            return BestThreshold(float("nan"), float("nan"))
        k = int(np.nanargmax(gains))
        threshold = _FLAG_NOTHING if k == 0 else self.thresholds[k - 1].item()
        return BestThreshold(threshold, float(values[k]))

    def plot(self, ax: Any = None, *, kind: Any = "roc", label: str | None = None) -> Any:
        """Draw a curve, the scores of both classes, or metrics against the threshold.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure when left out.
        kind : "roc", "precision_recall", "scores", or one or several metrics of binary counts
            What to draw.
        label : str, optional
            Name of the model.

        Returns
        -------
        matplotlib axes
        """
        from fastmetrics.plots.thresholds import plot_sweep

        return plot_sweep(self, ax, kind, label)

    def _sums(self) -> NDArray[np.float64]:
        """The statistic of a metric of binary counts, (U, 4)."""
        # float64: products of four counts, as in MCC, leave int64 at 60,000 rows
        return np.stack((self.tp, self.fp, self.fn, self.tn), axis=-1).astype(np.float64)

    def _nothing(self) -> NDArray[np.float64]:
        """The statistic where nothing is flagged, (1, 4)."""
        return np.array([[0.0, 0.0, self.tp[-1], self.fp[-1]]])


def count_metric(metric: str | Metric) -> Metric:
    """A metric of binary counts, by name or as it is."""
    from fastmetrics.registry import metric as look_up

    found = look_up(metric)
    if found.statistic.kind != "counts":
        raise InputError(f"{found.label} is no metric of one threshold: it reads all scores")
    return found


def _check_threshold(value: object) -> None:
    """A number, or a bool, which scores may be too."""
    if not isinstance(value, Real | np.bool_):
        raise InputError(f"threshold={value!r}: give one number")


def values_of(metric: Metric, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The formula on binary counts (..., 4); 0/0 is nan in silence."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(metric.formula(in_range(sums)), dtype=np.float64)


def threshold_sweep(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: object = None,
) -> ThresholdSweep:
    """Sort once, then answer for every threshold.

    At each distinct score, counts the positives and negatives with a score at or above it.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
    y_score : array-like of shape (n,)
        Scores, higher for the positive class; NaN is refused.
    sample_weight : array-like of shape (n,), optional
        Weights of 0 or more; rows of weight 0 are left out.
    pos_label : int, float, bool or str, optional
        The label of the positive class.

    Returns
    -------
    ThresholdSweep
        Counts at every threshold, and the curves, areas and metrics that follow from them.

    Raises
    ------
    InputError
        Data that cannot be scored, or labels whose positive class is not named.

    Notes
    -----
    Equal scores enter together. One sort of n rows; every answer afterwards is linear in the
    number of distinct scores.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> sweep = fm.threshold_sweep([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    >>> sweep
    ThresholdSweep(4 thresholds, 2 positive, 2 negative)
    >>> sweep.thresholds
    array([0.8, 0.6, 0.4, 0.1])
    >>> sweep.tp
    array([1, 1, 2, 2])
    """
    labels = binary_labels(y_true, pos_label)
    scored = encode_scores(column(as_array(y_score, "y_score"), "y_score"), "y_score")
    row_weights = aligned_weights(sample_weight, y_true=labels, y_score=scored.values)
    cells = cells_of(labels, scored.values, row_weights)
    tp, fp = cells.positives.cumsum(), cells.negatives.cumsum()
    columns = (scored.restore(cells.thresholds), tp, fp, tp[-1] - tp, fp[-1] - fp)
    for values in columns:
        values.setflags(write=False)
    return ThresholdSweep(*columns, _cells=cells)
