"""The functions that carry scikit-learn's names, each beside scikit-learn's, and their compilation.

Conventions
-----------
Both functions get the same two arrays and the same options. With two classes averages are
"binary", with ten "macro". Sizes are so small at "tiny" that all cases together take seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks import agreement, rivals
from benchmarks.agreement import Answer
from benchmarks.data import Columns, make_classes, make_probabilities, make_targets
from benchmarks.kinds import Group, RatioCase, Rival, Size
from benchmarks.lines import Bar
from benchmarks.processes import CompileCase
from benchmarks.rivals import Call

ROWS, TINY_ROWS = 1_000_000, 5_000

WARMUP = """
import numba
import fastmetrics as fm
fm.warmup()
print(numba.get_num_threads())
"""


@dataclass(frozen=True)
class Function:
    """A function of both packages.

    Parameters
    ----------
    name : in both
    bar : how many times faster ours has to be
    options : of every call
    averaged : whether it takes ``average`` and ``pos_label``
    home : where scikit-learn keeps it
    bind_theirs : data and replicates to a call, where scikit-learn has no function of that name
    check : whether two answers are the same
    """

    name: str
    bar: float | None
    options: Mapping[str, Any] = field(default_factory=dict)
    averaged: bool = False
    home: str = "sklearn.metrics"
    bind_theirs: Callable[[Columns, int], Call] | None = None
    check: Callable[[object, Answer, Answer], None] = agreement.same_digits


def bind(
    home: str, name: str, options: Mapping[str, Any], columns: Columns, n_resamples: int
) -> Call:
    """A call of the function that a module holds under a name."""
    function = getattr(import_module(home), name)
    weights = {} if columns.weights is None else {"sample_weight": columns.weights}
    return partial(function, columns.true, columns.predicted, **options, **weights)


def function_case(
    function: Function,
    make: Callable[[Size], Columns],
    size: Size,
    suffix: str = "",
    work: str = "",
    options: Mapping[str, Any] | None = None,
) -> RatioCase:
    """A function on the data of ``make``; ``suffix`` and ``work`` tell its cases apart."""
    given = {**function.options, **(options or {})}
    theirs = function.bind_theirs or partial(bind, function.home, function.name, given)
    rows = min(size.n, TINY_ROWS)
    return RatioCase(
        function.name + suffix,
        function.name + work,
        size,
        Size(rows, rows * 3 // 10, rounds=1, calls=min(size.calls, 10)),
        partial(bind, "fastmetrics", function.name, given),
        (
            Rival(
                "scikit-learn",
                "sklearn",
                theirs,
                function.check,
                Bar("speedup", function.bar),
            ),
        ),
        make=make,
    )


def label_cases(
    functions: tuple[Function, ...], strings: bool, rounds: int
) -> tuple[RatioCase, ...]:
    """Functions of labels, with two classes and with ten."""
    cases = []
    for function in functions:
        for classes in (2, 10):
            options: dict[str, Any] = {}
            if function.averaged and classes > 2:
                options["average"] = "macro"
            elif function.averaged and strings:
                options["pos_label"] = "class 1"
            make = partial(_classes, classes=classes, strings=strings)
            suffix = f"_{'strings' if strings else 'integers'}_{classes}"
            size = Size(ROWS, rounds=rounds)
            work = f", {classes} classes"
            cases.append(function_case(function, make, size, suffix, work, options))
    return tuple(cases)


def _classes(size: Size, classes: int, strings: bool) -> Columns:
    """Labels of a size."""
    return make_classes(size.n, classes, strings)


def _probabilities(size: Size) -> Columns:
    """Labels and probabilities of a size."""
    return make_probabilities(size.n, size.positives)


def _targets(size: Size) -> Columns:
    """Targets of a size."""
    return make_targets(size.n)


def counted(bar: float) -> tuple[Function, ...]:
    """The functions of the confusion matrix that most reports hold."""
    return (
        Function("confusion_matrix", bar),
        Function("f1_score", bar, averaged=True),
        Function("fbeta_score", bar, {"beta": 2.0}, averaged=True),
        Function("matthews_corrcoef", bar),
        Function("cohen_kappa_score", bar),
        Function("classification_report", bar, {"output_dict": True}),
    )


ACCURACIES = (
    Function("accuracy_score", 15),
    Function("zero_one_loss", 15),
    Function("hamming_loss", 15),
    Function("balanced_accuracy_score", 15),
    Function("jaccard_score", 15, averaged=True),
)

PROBABILITIES = (
    Function("log_loss", 15),
    Function("brier_score_loss", 40),
    Function("calibration_curve", 10, {"n_bins": 10}, home="sklearn.calibration"),
    Function(
        "expected_calibration_error",
        10,
        {"n_bins": 10},
        bind_theirs=rivals.sklearn_calibration_error,
    ),
)

TARGETS = (
    Function("mean_squared_error", 3),
    Function("mean_absolute_error", 3),
    Function("r2_score", 3),
    Function("max_error", 3),
    Function("mean_absolute_percentage_error", 1),
    Function("median_absolute_error", 1),
    Function("mean_poisson_deviance", 1),
    Function("mean_gamma_deviance", 1),
    Function("mean_tweedie_deviance", 1, {"power": 1.5}),
)

COMPILATION = CompileCase(
    "compile",
    "Everything compiled by warmup() in a new process",
    WARMUP,
    Bar("seconds", 60),
)

CATALOGUE = (
    Group(
        "integers",
        f"Integer labels, {ROWS:,} rows",
        label_cases(counted(50), strings=False, rounds=5),
    ),
    Group(
        "strings",
        f"Strings as labels, {ROWS:,} rows",
        label_cases(counted(5), strings=True, rounds=3),
    ),
    Group(
        "accuracies",
        f"Accuracies of integer labels, {ROWS:,} rows",
        label_cases(ACCURACIES, strings=False, rounds=7),
    ),
    Group(
        "probabilities",
        f"Probabilities, {ROWS:,} rows",
        tuple(
            function_case(function, _probabilities, Size(ROWS, ROWS * 3 // 10, rounds=7))
            for function in PROBABILITIES
        ),
    ),
    Group(
        "targets",
        f"Regression, {ROWS:,} rows",
        tuple(function_case(function, _targets, Size(ROWS, rounds=15)) for function in TARGETS),
    ),
)
