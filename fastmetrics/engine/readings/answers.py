"""What a set of metrics asks of one model on the rows of a slice: readings, and where to look.

Conventions
-----------
Metrics that sweep the same scores share one sort, sums of terms share one pass, decisions share one
confusion matrix. A metric keeps its formula; only the place of its numbers is found here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.engine.readings.kinds import (
    CodesReading,
    LaneReading,
    Reading,
    Rows,
    SumsReading,
    SweepReading,
    WeightsReading,
)
from fastmetrics.engine.statistics import AT_CUTS, SWEPT, SweepRequest
from fastmetrics.engine.sweeps.units import Integers, Labels

Select = Callable[[Floats], Floats]


# what decides which arrays the terms or the measure of a metric read
Reads = tuple[str, bool]
# truth and forecast, each (n,) or (n, k), of each
Pairs = dict[Reads, tuple[npt.NDArray[Any], npt.NDArray[Any]]]


def reads(metric: Metric) -> Reads:
    """Return what a metric of terms or a measure reads: the form of the data, and probabilities."""
    return metric.statistic.data, metric.input == "probability"


@dataclass(frozen=True)
class ModelData:
    """What one model says of the rows.

    Parameters
    ----------
    name : of the model, None where there is one without a name
    metrics : the entries, label metrics with this model's threshold
    scores : (n,) scores of a binary problem, or None
    decisions : (n,) codes of the predicted classes, or None
    pairs : truth and forecast, each (n,) or (n, k), of the metrics of terms and measures
    given : what user functions get: the argument as an array, or None
    """

    name: str | None
    metrics: tuple[Metric, ...]
    scores: npt.NDArray[np.floating] | None = None
    decisions: Integers | None = None
    pairs: Pairs = field(default_factory=dict)
    given: npt.NDArray[Any] | None = None


@dataclass(frozen=True)
class TrueData:
    """What is true of the rows.

    Parameters
    ----------
    n : rows
    labels : (n,) uint8, 1 for positives, or None where there are not two classes
    codes : (n,) class of each row, the labels where there are two, or None without classes
    n_classes : classes
    weights : (n,) float64, or None
    given : what user functions get, or None
    """

    n: int
    labels: Labels | None = None
    codes: npt.NDArray[Any] | None = None
    n_classes: int = 0
    weights: Floats | None = None
    given: npt.NDArray[Any] | None = None


@dataclass(frozen=True)
class Answer:
    """Where a metric finds its numbers.

    Parameters
    ----------
    metric : the metric
    reading : place of its reading
    select : sums (..., columns) of the reading to the metric's numbers (..., size)
    """

    metric: Metric
    reading: int
    select: Select

    def values(self, sums: Floats) -> Floats:
        """Value (...) of the metric on the sums (..., columns) of its reading."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return self.metric.formula(self.select(sums))


def from_scores(metric: Metric, model: ModelData) -> bool:
    """Whether a metric is found by a sweep over scores."""
    kind = metric.statistic.kind
    return model.decisions is None if kind in AT_CUTS else kind in SWEPT


@dataclass
class Asked:
    """Readings and answers as they are collected for one model on one slice."""

    shared: Rows
    true: TrueData
    model: ModelData
    readings: list[Reading] = field(default_factory=list)
    answers: dict[int, Answer] = field(default_factory=dict)

    @classmethod
    def of(
        cls, shared: Rows, true: TrueData, model: ModelData
    ) -> tuple[list[Reading], list[Answer]]:
        """Collect what the model's metrics need; an answer's reading counts from 0."""
        asked = cls(shared, true, model)
        numbered = dict(enumerate(model.metrics))
        swept = {k: metric for k, metric in numbered.items() if from_scores(metric, model)}
        decided = {
            k: metric
            for k, metric in numbered.items()
            if metric.statistic.kind in AT_CUTS and k not in swept
        }
        summed = {k: metric for k, metric in numbered.items() if metric.statistic.kind == "sums"}
        asked._sweep(swept)
        asked._decide(decided)
        asked._sum(summed)
        for k, metric in numbered.items():
            if k not in swept and k not in decided and k not in summed:
                asked._measure(k, metric)
        return asked.readings, [asked.answers[k] for k in numbered]

    def _rows(self, array: npt.NDArray[Any] | None) -> Any:
        """Return the rows of the slice."""
        if array is None or self.shared.rows is None:
            return array
        return array[self.shared.rows]

    def _pair(self, metric: Metric) -> tuple[Any, Any]:
        """Return the truth and the forecast that a metric reads, on the rows of the slice."""
        truth, forecast = self.model.pairs[reads(metric)]
        return self._rows(truth), self._rows(forecast)

    def _sweep(self, metrics: dict[int, Metric]) -> None:
        if not metrics:
            return
        request = SweepRequest.of(metric.statistic for metric in metrics.values())
        scores = np.ascontiguousarray(self._rows(self.model.scores))
        self.readings.append(SweepReading.of(self.shared, scores, request))
        for k, metric in metrics.items():
            self._answer(k, metric, selects_from(request, metric))

    def _decide(self, metrics: dict[int, Metric]) -> None:
        if not metrics:
            return
        true, decided = self._rows(self.true.codes), self._rows(self.model.decisions)
        classes = self.true.n_classes
        if self.true.labels is None:
            true, decided, classes = _present(true, decided, classes, self.shared.weights)
        self.readings.append(CodesReading.of(self.shared, true * classes + decided, classes**2))
        for k, metric in metrics.items():
            counts = metric.statistic.kind == "counts"
            self._answer(k, metric, _counts_of_pairs if counts else _all)

    def _sum(self, metrics: dict[int, Metric]) -> None:
        if not metrics:
            return
        columns = TermColumns(self.shared.places.size)
        for k, metric in metrics.items():
            truth, forecast = self._pair(metric)
            self.answers[k] = Answer(
                metric, len(self.readings), columns.add(metric, truth, forecast)
            )
        self.readings.append(SumsReading.of(self.shared, columns.stacked()))

    def _measure(self, k: int, metric: Metric) -> None:
        self.readings.append(self._reading_of(metric))
        self._answer(k, metric, _all)

    def _reading_of(self, metric: Metric) -> Reading:
        """Return what calls a function of the user, or the measure of a metric."""
        statistic = metric.statistic
        measure: Any = statistic.measure
        if statistic.kind == "callable":
            y_true, y_score = map(_read_only, (self.true.given, self.model.given))
            y_true, y_score = self._rows(y_true), self._rows(y_score)
            return LaneReading(self.shared, lambda weights: measure(y_true, y_score, weights), 1)
        truth, forecast = self._pair(metric)
        if statistic.prepare is not None:
            return WeightsReading(self.shared, statistic.prepare(truth, forecast), statistic.size)
        return LaneReading(
            self.shared, lambda weights: measure(truth, forecast, weights), statistic.size
        )

    def _answer(self, k: int, metric: Metric, select: Select) -> None:
        self.answers[k] = Answer(metric, len(self.readings) - 1, select)


def _present(
    true: Integers, decided: Integers, classes: int, weights: Floats | None
) -> tuple[Integers, Integers, int]:
    """Return codes (r,) among the classes that occur here, and how many there are.

    A class that only another model or another slice knows is none, so that an entry is that of a
    call of its own. A class whose rows all weigh 0 is absent, too.
    """
    counted = slice(None) if weights is None else weights > 0.0
    occurs = np.zeros(classes, np.bool_)
    occurs[true[counted]] = True
    occurs[decided[counted]] = True
    codes = np.maximum(np.cumsum(occurs) - 1, 0)
    return codes[true], codes[decided], max(int(occurs.sum()), 1)


def _read_only(array: npt.NDArray[Any] | None) -> npt.NDArray[Any] | None:
    """Return a view that a function of the user cannot write to, for threads share it."""
    if array is None:
        return None
    view = array.view()
    view.flags.writeable = False
    return view


def selects_from(request: SweepRequest, metric: Metric) -> Select:
    """Return what finds the numbers of a metric among the sums of a sweep."""
    return lambda sums: request.select(sums, metric.statistic)


def _all(sums: Floats) -> Floats:
    return sums


def _counts_of_pairs(sums: Floats) -> Floats:
    """Pairs (true, predicted) of two classes to tp, fp, fn, tn."""
    return sums[..., [3, 1, 2, 0]]


class TermColumns:
    """Terms of several metrics side by side, each column once."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._columns: list[Floats] = []
        self._of_function: dict[Any, list[int]] = {}

    def add(self, metric: Metric, truth: npt.NDArray[Any], forecast: npt.NDArray[Any]) -> Select:
        """Add a metric's terms; returns what selects them."""
        function: Any = metric.statistic.terms
        if function not in self._of_function:
            terms = function(truth, forecast)
            self._of_function[function] = [self._place(column) for column in terms.T]
        places = self._of_function[function]
        return lambda sums: sums[..., places]

    def _place(self, column: Floats) -> int:
        for place, known in enumerate(self._columns):
            if np.array_equal(known, column):
                return place
        self._columns.append(np.ascontiguousarray(column))
        return len(self._columns) - 1

    def stacked(self) -> Floats:
        """Terms (r, k) of all metrics."""
        if not self._columns:
            return np.empty((self._rows, 0))
        return np.stack(self._columns, axis=1)
