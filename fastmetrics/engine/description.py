"""What a metric is: a statistic of the data and a formula on it.

Conventions
-----------
A formula is pure and works on the last axis of its sums, so one estimate ``(k,)`` and B replicates
``(B, k)`` go through the same code. It returns nan for every 0/0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Formula = Callable[[Floats], Floats]
# weights (n, lanes) to the numbers (lanes, size) of each lane
Weighing = Callable[[Floats], Floats]
Kind = Literal[
    "concordance", "precision", "point", "counts", "confusion", "sums", "rows", "callable"
]
Level = Literal["counts", "cells", "rows"]
Input = Literal["score", "probability", "label", "value"]

# the coarsest data that still answer
_LEVELS: dict[Kind, Level] = {
    "counts": "counts",
    "confusion": "counts",
    "concordance": "cells",
    "precision": "cells",
    "point": "cells",
    "sums": "rows",
    "rows": "rows",
    "callable": "rows",
}
# values of disjoint sets of rows add up
_ADDITIVE = ("counts", "confusion", "sums")
# not additive, but with a closed form of what a row, left out or weighed more, changes
_CLOSED = ("concordance", "precision")


@dataclass(frozen=True)
class Statistic:
    """Numbers of the data that a replicate must recompute.

    Parameters
    ----------
    name : what the numbers are
    size : how many there are; a confusion matrix of K classes has K * K whatever is said here, and
        sums of several classes have as many as there are terms
    kind : where they come from: the sums of a sweep (``"concordance"``, ``"precision"``,
        ``"point"``, ``"counts"``), a confusion matrix of K classes (``"confusion"``, K * K numbers,
        rows are true), sums of row terms (``"sums"``), all rows at once (``"rows"``), or a function
        of the user (``"callable"``)
    code : what a point of the curve is kept for
    parameter : the threshold or limit the sweep needs, nan where it needs none
    merges_positives : whether runs of positives between two negatives may be merged
    terms : of sums: (y_true, y_pred), each (n,), to the terms (n, size) that are added up
    measure : of rows: (y_true, y_pred, weights), each (n,), to the numbers (size,)
    prepare : of rows, where something is found once for all weights, such as an order: (y_true,
        y_pred) to a function that is ``measure`` for each lane of weights (n, lanes) of 0 or more
    data : what y_true and y_pred are, in all of these: ``"pairs"``, two columns (n,); ``"lists"``,
        relevances and scores (n, m), one list per row; ``"classes"``, the number of the row's class
        (n,) and a number for each class (n, K), or ``"pairs"`` where there are two classes;
        ``"alone"``, any first column and the numbers (n,) that are read
    takes_weights : of a function of the user: False where it gets repeated rows instead
    """

    name: str
    size: int
    kind: Kind
    code: int = -1
    parameter: float = float("nan")
    merges_positives: bool = True
    terms: Callable[[Floats, Floats], Floats] | None = None
    measure: Callable[[Floats, Floats, Floats], Floats] | None = None
    prepare: Callable[[Floats, Floats], Weighing] | None = None
    data: Literal["pairs", "lists", "classes", "alone"] = "pairs"
    takes_weights: bool = True

    @property
    def level(self) -> Level:
        """The coarsest data that still answer: ``"counts"``, ``"cells"`` or ``"rows"``."""
        return _LEVELS[self.kind]

    @property
    def additive(self) -> bool:
        """Whether the values of disjoint sets of rows add up."""
        return self.kind in _ADDITIVE

    @property
    def closed_form(self) -> str | None:
        """What says how a single row changes the numbers, without a loop over the rows; or None.

        The numbers themselves where they are ``"additive"``, else the kind.
        """
        if self.additive:
            return "additive"
        return self.kind if self.kind in _CLOSED else None

    def with_parameter(self, parameter: float) -> Statistic:
        """Return the same statistic at another threshold or limit."""
        return dataclasses.replace(self, parameter=float(parameter))


@dataclass(frozen=True)
class Metric:
    """A named metric: a statistic, a formula on it, and what is known of the result.

    Parameters
    ----------
    name : the key of results; the registry's canonical name unless renamed
    statistic : what a replicate recomputes
    formula : sums (..., k) to values (...)
    input : what the metric reads: a score, a probability, a label or a value
    bounds : smallest and largest possible value
    greater_is_better : direction
    default_interval : what ``method=None`` means for this metric
    source : where the definition comes from
    options : the options that were set, as pairs, shown where two metrics share a name
    """

    name: str
    statistic: Statistic
    formula: Formula
    input: Input
    bounds: tuple[float, float]
    greater_is_better: bool
    default_interval: Literal["bca", "basic", "percentile"] = "percentile"
    source: str = ""
    options: tuple[tuple[str, Any], ...] = ()

    def __call__(
        self,
        y_true: npt.ArrayLike | None,
        y_score: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        pos_label: Any = None,
    ) -> float:
        """Value of the metric on labels and scores; nan where it is undefined.

        y_true may be None for a metric that does not compare, as ``mean``.
        """
        from fastmetrics.engine.evaluation import evaluate_metrics

        values = evaluate_metrics([self], y_true, y_score, sample_weight, pos_label=pos_label)
        return float(values[0])

    @property
    def jackknife(self) -> str | None:
        """What leaves a row out: ``"additive"``, ``"concordance"``, ``"precision"``, or None."""
        return self.statistic.closed_form

    @property
    def influence(self) -> str | None:
        """The closed influence values, of the same forms; or None."""
        return self.statistic.closed_form

    @property
    def label(self) -> str:
        """The name with its options, ``f1[threshold=0.3]``."""
        if not self.options:
            return self.name
        return f"{self.name}[{', '.join(f'{key}={value}' for key, value in self.options)}]"
