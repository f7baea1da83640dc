"""Weighted means of what each row adds: the road of every error that is an average.

Conventions
-----------
A term is told twice: by the number of a kernel's loop, and as a formula for arrays of any float
type, which serves longdouble and the registry. The sums of a described mean are total weight and
weighted terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Formula, Metric, Statistic
from fastmetrics.input.targets import (
    LONG,
    TABLES,
    Floats,
    Targets,
    average_outputs,
    check_multioutput,
    output_weights,
    read_targets,
)
from fastmetrics.kernels.sums import error_sums, table_error_sums

Rows = NDArray[Any]


class Term(NamedTuple):
    """What a row adds to a mean: the kernel's loop, its parameter, and the formula."""

    kind: int
    formula: Callable[..., Rows]  # (y_true, y_pred) to the terms, all (n,)
    parameter: float = 0.0


def error_means(targets: Targets, term: Term) -> Sequence[float]:
    """Weighted mean of a term of each column."""
    if targets.layout == LONG:
        return targets.checked([float(mean) for mean in targets.wide_means(term.formula)])
    sums = np.zeros(len(targets.y_true))
    if targets.layout == TABLES:
        for truth, forecast, weights in targets.tables():
            table_error_sums(term.kind, term.parameter, truth, forecast, weights, sums)
    else:
        for truth, forecast, weights in targets.blocks():
            error_sums(term.kind, term.parameter, truth, forecast, weights, sums)
    return targets.checked([value / targets.total for value in sums.tolist()])


def mean_error(
    caller: str,
    term: Term,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    multioutput: Any,
) -> float | Floats:
    """Weighted mean of a term, averaged over outputs."""
    check_multioutput(caller, multioutput)
    targets = read_targets(y_true, y_pred, sample_weight)
    outputs = output_weights(multioutput, len(targets.y_true))
    return average_outputs(error_means(targets, term), outputs)


def with_weight(*columns: Rows) -> Rows:
    """Row terms (n, k + 1): the constant 1, whose sum is the total weight, and k columns."""
    return np.stack([np.ones_like(columns[0]), *columns], axis=-1)


def mean(sums: Floats) -> Floats:
    """Weighted mean: the sum of the terms by the total weight."""
    return sums[..., 1] / sums[..., 0]


def root_mean(sums: Floats) -> Floats:
    """Square root of the weighted mean."""
    return np.sqrt(mean(sums))


def _mean_terms(y_true: Rows, y_pred: Rows, term: Callable[..., Rows]) -> Rows:
    """Row terms (n, 2) of a mean."""
    return with_weight(term(y_true, y_pred))


def describe_mean(
    name: str,
    term: Callable[..., Rows],
    source: str,
    *,
    formula: Formula = mean,
    options: tuple[tuple[str, Any], ...] = (),
) -> Metric:
    """Describe the mean of a row term, an error of 0 or more."""
    statistic = Statistic(
        f"total weight, sum of the terms of {name}",
        2,
        "sums",
        terms=partial(_mean_terms, term=term),
    )
    return describe(name, statistic, formula, source, options=options)


def describe(
    name: str,
    statistic: Statistic,
    formula: Formula,
    source: str,
    *,
    score: bool = False,
    interval: Literal["bca", "basic", "percentile"] | None = None,
    options: tuple[tuple[str, Any], ...] = (),
) -> Metric:
    """Describe an error of 0 or more, or a score of at most 1; sums lose a row by subtraction."""
    return Metric(
        name,
        statistic,
        formula,
        "value",
        (float("-inf"), 1.0) if score else (0.0, float("inf")),
        score,
        default_interval=interval or ("bca" if statistic.additive else "percentile"),
        source=source,
        options=options,
    )


def _prediction_terms(y_true: Rows, y_pred: Rows) -> Rows:
    """1 and the prediction of each row, (n, 2)."""
    return with_weight(y_pred)


METRICS: tuple[Metric, ...] = (
    Metric(
        "mean",
        Statistic(
            "total weight, values",
            2,
            "sums",
            terms=_prediction_terms,
            data="alone",
        ),
        mean,
        "value",
        (float("-inf"), float("inf")),
        True,
        default_interval="bca",
        source="weighted mean of what is given as the score",
    ),
)
