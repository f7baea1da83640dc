"""Targets of any type and layout give the numbers of plain columns of float64."""

import functools
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import fastmetrics as fm
from fastmetrics.input import targets

FUNCTIONS = {
    "mean_squared_error": fm.mean_squared_error,
    "root_mean_squared_error": fm.root_mean_squared_error,
    "mean_squared_log_error": fm.mean_squared_log_error,
    "mean_absolute_error": fm.mean_absolute_error,
    "median_absolute_error": fm.median_absolute_error,
    "mean_absolute_percentage_error": fm.mean_absolute_percentage_error,
    "mean_pinball_loss": functools.partial(fm.mean_pinball_loss, alpha=0.2),
    "r2_score": fm.r2_score,
    "explained_variance_score": fm.explained_variance_score,
    "d2_absolute_error_score": fm.d2_absolute_error_score,
}
ONE_COLUMN = {
    **FUNCTIONS,
    "max_error": fm.max_error,
    **{
        f"{function.__name__} {power}": functools.partial(function, power=power)
        for function in (fm.mean_tweedie_deviance, fm.d2_tweedie_score)
        for power in (-0.5, 1, 1.5, 2, 3)
    },
}
LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "every other": lambda table: np.repeat(table, 2, axis=0)[::2],
    "read-only rows": lambda table: read_only(np.array(table, order="C")),
    "read-only columns": lambda table: read_only(np.array(table, order="F")),
    "frame": pd.DataFrame,
}


def read_only(array):
    array.flags.writeable = False
    return array


def problem(n, outputs, seed=0):
    """Targets and predictions (n, outputs) that float32 holds exactly, and weights (n,)."""
    generator = np.random.default_rng([seed, n, outputs])
    y_true = generator.integers(1, 90, (n, outputs)) / 8
    y_pred = y_true + generator.integers(1, 30, (n, outputs)) / 16
    return y_true, y_pred, generator.integers(0, 4, n) / 4


@pytest.mark.parametrize("types", ["dd", "ff", "df", "fd", "ll", "ee"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("outputs", [2, targets.WIDE, 40])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_outputs_of_any_layout(name, outputs, layout, types):
    y_true, y_pred, weights = problem(70, outputs)
    if types == "ll":
        y_true, y_pred = (values * 16 for values in (y_true, y_pred))
    function = functools.partial(FUNCTIONS[name], multioutput="raw_values")
    tables = [LAYOUTS[layout](values.astype(t)) for values, t in zip((y_true, y_pred), types)]
    for options in ({}, {"sample_weight": weights}):
        columns = zip(y_true.T.copy(), y_pred.T.copy())
        expected = [FUNCTIONS[name](*column, **options) for column in columns]
        np.testing.assert_allclose(function(*tables, **options), expected, rtol=1e-12)


@pytest.mark.parametrize("n", [70, 3_000])
@pytest.mark.parametrize("outputs", [2, targets.WIDE])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_targets_by_columns_and_predictions_by_rows(name, outputs, n):
    y_true, y_pred, weights = problem(n, outputs)
    function = functools.partial(FUNCTIONS[name], multioutput="raw_values", sample_weight=weights)
    expected = function(y_true, y_pred)
    mixed = [(np.asfortranarray(y_true), y_pred), (y_true, np.asfortranarray(y_pred))]
    for tables in mixed:
        np.testing.assert_allclose(function(*tables), expected, rtol=1e-12)


@pytest.mark.parametrize("types", ["ff", "df", "ll"])
@pytest.mark.parametrize("name", ONE_COLUMN)
@pytest.mark.parametrize("n", [50, targets.BLOCK_ENTRIES + 7])
def test_one_column_of_any_type(n, name, types):
    y_true, y_pred, weights = problem(n, 1)
    if types == "ll":
        y_true, y_pred = (values * 16 for values in (y_true, y_pred))
    columns = y_true[:, 0], y_pred[:, 0]
    narrow = [values.astype(t) for values, t in zip(columns, types)]
    for options in ({}, {"sample_weight": weights}) if name != "max_error" else ({},):
        expected = ONE_COLUMN[name](*columns, **options)
        assert ONE_COLUMN[name](*narrow, **options) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["d", "f"])
def test_entries_of_wide_tables_that_are_not_finite_are_refused(dtype, order, bad):
    y_true, y_pred, _ = problem(70, 9)
    y_pred[33, 4] = bad
    tables = [np.array(values, dtype, order=order) for values in (y_true, y_pred)]
    for function in FUNCTIONS.values():
        with pytest.raises(ValueError, match=r"y_pred (has|contains) .*(NaN|infin)"):
            function(*tables)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("name", ["y_true", "y_pred"])
@pytest.mark.parametrize(("outputs", "dtype"), [(1, "d"), (1, "f"), (1, "g"), (3, "d"), (8, "d")])
def test_entries_that_are_not_finite_are_refused_whatever_they_weigh(outputs, dtype, name, bad):
    tables = dict(zip(("y_true", "y_pred"), problem(10_000, outputs)))
    weights = np.arange(10_000) // 9_000  # blocks without any weight
    tables[name][33, -1] = bad
    columns = [values.astype(dtype) for values in tables.values()]
    for function in FUNCTIONS.values() if outputs > 1 else ONE_COLUMN.values():
        if function is not fm.max_error:
            with pytest.raises(ValueError, match=rf"{name} (has|contains) .*(NaN|infin)"):
                function(*columns, sample_weight=weights)


@pytest.mark.parametrize(
    "function", [fm.mean_squared_error, fm.r2_score, fm.mean_squared_log_error]
)
@pytest.mark.parametrize(("n", "outputs", "dtype"), [(10_000, 100, "d"), (1_000_000, 1, "f")])
def test_nothing_of_the_size_of_the_data_is_made(n, outputs, dtype, function):
    y_true = np.ones((n, outputs), dtype)
    y_true[0] = 2
    y_pred = y_true + 1
    function(y_true[:100], y_pred[:100])
    tracemalloc.start()
    function(y_true, y_pred)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e6


@pytest.mark.parametrize("n", [2, 70, 600])
@pytest.mark.parametrize("name", ["median_absolute_error", "d2_absolute_error_score"])
def test_quantiles_of_columns_together_are_those_of_each(name, n):
    y_true, y_pred, _ = problem(n, 3)
    function = getattr(fm, name)
    together = function(y_true, y_pred, multioutput="raw_values")
    apart = [function(truth, forecast) for truth, forecast in zip(y_true.T, y_pred.T)]
    assert together.tolist() == apart
