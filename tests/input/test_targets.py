"""What every function of targets and predictions has in common: input, weights, outputs."""

import inspect
import math
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils._param_validation import InvalidParameterError

import fastmetrics as fm
from tests.regression_data import (
    CALLS,
    FORECASTS,
    HOUSEHOLDS,
    MULTIPLE,
    OPTIONS,
    WEIGHTED,
    options_of,
    problems,
)

NAN, INF = float("nan"), float("inf")
every_call = pytest.mark.parametrize(("name", "call"), CALLS, ids=lambda value: str(value)[:60])


def test_every_function_of_scikit_learn_is_there():
    theirs = {
        name
        for name in sklearn.metrics.__all__
        if getattr(getattr(sklearn.metrics, name), "__module__", "").endswith("_regression")
    }
    assert theirs == set(OPTIONS)


@pytest.mark.parametrize("name", OPTIONS)
def test_signatures_are_those_of_scikit_learn(name):
    ours, theirs = (inspect.signature(getattr(m, name)) for m in (fm, sklearn.metrics))
    assert [(p.name, p.kind, p.default) for p in ours.parameters.values()] == [
        (p.name, p.kind, p.default) for p in theirs.parameters.values()
    ]


@every_call
@given(data=st.data())
@settings(deadline=None, max_examples=25)
def test_agrees_with_scikit_learn(name, call, data):
    y_true, y_pred, weights = data.draw(problems())
    theirs = getattr(sklearn.metrics, name)
    for options in [{}, {"sample_weight": weights}] if name in WEIGHTED else [{}]:
        expected = theirs(y_true, y_pred, **options_of(call), **options)
        found = call(y_true, y_pred, **options)
        assert type(found) is float
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", sorted(MULTIPLE))
@given(data=st.data())
@settings(deadline=None, max_examples=25)
def test_several_outputs_agree_with_scikit_learn(name, data):
    y_true, y_pred, weights = data.draw(problems(outputs=3))
    ways = ["raw_values", "uniform_average", [0.5, 0.25, 3.0]]
    if name in ("r2_score", "explained_variance_score"):
        ways += ["variance_weighted"]
    for way in ways:
        for row_weights in (None, weights):
            options = {"multioutput": way, "sample_weight": row_weights}
            expected = getattr(sklearn.metrics, name)(y_true, y_pred, **options)
            found = getattr(fm, name)(y_true, y_pred, **options)
            assert type(found) is type(expected)
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("n", [40_000, 8192, 8193])
@every_call
def test_many_rows_agree_with_scikit_learn(name, call, n):
    # several blocks, and selection from near the quantile of a sample
    generator = np.random.default_rng(n)
    y_true = generator.gamma(2.0, size=n) + 0.1
    y_pred = y_true * generator.gamma(5.0, 0.2, size=n) + 0.05
    weights = generator.integers(0, 4, n) / 4
    theirs = getattr(sklearn.metrics, name)
    for options in [{}, {"sample_weight": weights}] if name in WEIGHTED else [{}]:
        expected = theirs(y_true, y_pred, **options_of(call), **options)
        assert call(y_true, y_pred, **options) == pytest.approx(expected, rel=1e-10)
        strided = [np.repeat(values, 2)[::2] for values in (y_true, y_pred)]
        assert call(*strided, **options) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("shape", [(3000, 7), (5, 9000)])
def test_many_columns(shape):
    generator = np.random.default_rng(0)
    y_true, y_pred = generator.random((2, *shape)) + 0.1
    for name in sorted(MULTIPLE):
        expected = [getattr(fm, name)(y, p) for y, p in list(zip(y_true.T, y_pred.T))[:7]]
        for order in "CF":
            arrays = np.asarray(y_true, order=order), np.asarray(y_pred, order=order)
            found = getattr(fm, name)(*arrays, multioutput="raw_values")
            assert found.shape == shape[1:]
            assert found[:7] == pytest.approx(expected, rel=1e-12)


@every_call
@given(data=st.data())
@settings(deadline=None, max_examples=15)
def test_laws_of_weights_and_order(name, call, data):
    y_true, y_pred, weights = data.draw(problems())
    order = np.random.default_rng(0).permutation(len(y_true))
    close = {"rel": 1e-9, "abs": 1e-12}
    plain = call(y_true, y_pred)
    assert call(y_true[order], y_pred[order]) == pytest.approx(plain, **close)
    if name not in WEIGHTED:
        return
    value = call(y_true, y_pred, sample_weight=weights)
    repeats = (4 * weights).astype(int)
    repeated = call(np.repeat(y_true, repeats), np.repeat(y_pred, repeats))
    assert repeated == pytest.approx(value, **close)
    kept = weights > 0
    without = call(y_true[kept], y_pred[kept], sample_weight=weights[kept])
    assert without == pytest.approx(value, **close)
    for scale in (2.0**-60, 0.3, 7, 1e12):
        scaled = call(y_true, y_pred, sample_weight=scale * weights)
        assert scaled == pytest.approx(value, **close)
    assert call(y_true, y_pred, sample_weight=np.full(len(y_true), 3)) == pytest.approx(
        plain, **close
    )


@pytest.mark.parametrize("dtype", ["?", "b", "B", "i", "l", "L", "e", "f", "d", "g", ">f8", ">i2"])
@every_call
def test_every_type_of_numbers(name, call, dtype):
    y_true, y_pred = np.array([1, 2, 7, 3, 1, 4]), np.array([1, 3, 5, 3, 2, 1])
    if dtype == "?":
        y_true, y_pred = y_true == 1, np.ones(6, bool)
        if name.startswith("mean_gamma") or options_of(call).get("power", 0) >= 2:
            pytest.skip("targets of 0 have no such deviance")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # False is a target of 0
        expected = call(y_true.astype(float), y_pred.astype(float))
        assert call(y_true.astype(dtype), y_pred.astype(dtype)) == pytest.approx(expected, 1e-12)
        assert call(y_true.astype(dtype), y_pred.astype(float)) == pytest.approx(expected, 1e-12)
        if name in WEIGHTED:
            weights = np.array([1, 1, 0, 1, 1, 1])
            expected = call(y_true.astype(float), y_pred, sample_weight=weights.astype(float))
            found = call(y_true.astype(dtype), y_pred, sample_weight=weights.astype(dtype))
            assert found == pytest.approx(expected, rel=1e-12)


def test_small_integers_do_not_wrap():
    a, b = np.array([3, 250, 16, 0], np.uint8), np.array([250, 3, 0, 16], np.uint8)
    assert fm.mean_squared_error(a, b) == (2 * 247**2 + 2 * 16**2) / 4
    assert fm.mean_absolute_error(a, b) == (2 * 247 + 2 * 16) / 4
    assert fm.max_error(a, b) == 247
    assert fm.median_absolute_error(a, b) == (16 + 247) / 2
    a, b = np.array([100, -100], np.int8), np.array([-100, 100], np.int8)
    assert fm.mean_squared_error(a, b) == 40_000
    assert fm.r2_score(a, b) == -3


def test_half_precision_does_not_overflow():
    y_true = np.array([1000, 60_000, 2000], np.float16)
    y_pred = np.array([2000, 100, 1000], np.float16)
    expected = fm.mean_squared_error(y_true.astype(float), y_pred.astype(float))
    assert expected > 1e9
    assert fm.mean_squared_error(y_true, y_pred) == expected


@pytest.mark.skipif(np.finfo(np.longdouble).nmant <= 52, reason="longdouble is float64 here")
def test_longdouble_keeps_its_digits():
    step = np.longdouble(2) ** -60
    y_true = 1 + step * np.arange(1, 6)
    y_pred = 1 + step * np.array([1, 3, 3, 5, 5])
    scale = float(step)
    expected = {
        "mean_absolute_error": 2 / 5 * scale,
        "mean_squared_error": 2 / 5 * scale**2,
        "root_mean_squared_error": math.sqrt(2 / 5) * scale,
        "median_absolute_error": 0.0,
        "max_error": scale,
        "mean_pinball_loss": scale / 5,
        "mean_absolute_percentage_error": 2 / 5 * scale,
        "r2_score": 1 - 2 / 10,
        "explained_variance_score": 1 - (2 / 5 - (2 / 5) ** 2) / 2,
        "d2_absolute_error_score": 1 - 2 / 6,
        "d2_tweedie_score": 1 - 2 / 10,
    }
    for name, value in expected.items():
        assert getattr(fm, name)(y_true, y_pred) == pytest.approx(value, rel=1e-6), name
        weighted = {} if name == "max_error" else {"sample_weight": np.full(5, 2.0)}
        assert getattr(fm, name)(y_true, y_pred, **weighted) == pytest.approx(value, rel=1e-6)


def test_rows_match_by_position():
    y_true = pd.Series([1.0, 2.0, 3.0, 4.0], index=[3, 2, 1, 0])
    y_pred = pd.Series([1.0, 2.0, 3.0, 5.0])
    assert fm.mean_squared_error(y_true, y_pred) == 0.25
    y_true.index = [7, 7, 8, 8]
    assert fm.mean_squared_error(y_true, y_pred) == 0.25


def test_columns_are_not_spread_out():
    y_true, y_pred = np.array([[1.0], [2.0], [3.0], [5.0]]), np.array([1.0, 2.0, 4.0, 5.0])
    for name, call in CALLS:
        expected = call(y_true.ravel(), y_pred)
        assert call(y_true, y_pred) == expected, name
        assert call(y_true.ravel(), y_pred[:, None]) == expected
        if name in WEIGHTED:
            assert call(y_true, y_pred, sample_weight=np.ones((4, 1))) == pytest.approx(expected)


@every_call
def test_containers(name, call):
    expected = call(HOUSEHOLDS.astype(float), FORECASTS.astype(float))
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    makers = [
        list,
        tuple,
        pd.Series,
        lambda values: pd.Series(values, dtype="Int64"),
        lambda values: pd.Series(values, dtype="Float64"),
        lambda values: pd.Series(values, dtype=object),
        lambda values: pd.DataFrame({"kwh": values}),
        polars.Series,
        pyarrow.array,
        np.ma.array,
    ]
    for make in makers:
        assert call(make(HOUSEHOLDS), make(FORECASTS)) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("layout", ["read-only", "strided", "reversed", "column", "memory map"])
@every_call
def test_layouts_give_the_same_and_inputs_stay_as_they_are(name, call, layout, tmp_path):
    arrays = [HOUSEHOLDS.astype(float), FORECASTS.astype(float), np.linspace(0.5, 2, 6)]
    plain = [array.copy() for array in arrays]
    if layout == "read-only":
        for array in arrays:
            array.setflags(write=False)
    elif layout == "strided":
        arrays = [np.repeat(array, 3)[::3] for array in arrays]
    elif layout == "reversed":
        arrays = [array[::-1].copy()[::-1] for array in arrays]
    elif layout == "column":
        arrays = [array[:, None] for array in arrays]
    else:
        for k, array in enumerate(arrays):
            np.save(tmp_path / f"{k}.npy", array)
        arrays = [np.load(tmp_path / f"{k}.npy", mmap_mode="r") for k in range(3)]
    assert call(*arrays[:2]) == call(*plain[:2])
    if name in WEIGHTED:
        expected = call(*plain[:2], sample_weight=plain[2])
        assert call(*arrays[:2], sample_weight=arrays[2]) == pytest.approx(expected, rel=1e-14)
    for array, copy in zip(arrays, plain):
        np.testing.assert_array_equal(array.ravel(), copy)


@every_call
def test_plain_inputs_stay_as_they_are(name, call):
    arrays = [HOUSEHOLDS.astype(float), FORECASTS.astype(float), np.linspace(0.5, 2, 6)]
    copies = [array.copy() for array in arrays]
    call(*arrays[:2], **({"sample_weight": arrays[2]} if name in WEIGHTED else {}))
    for array, copy in zip(arrays, copies):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "O"])
@every_call
def test_entries_that_are_not_finite_are_refused(name, call, dtype, value):
    whole, broken = np.array([2.0, 3, 4, 5], dtype), np.array([2.0, 3, value, 5], dtype)
    what = "contains NaN" if math.isnan(value) else "contains infinity|outside"
    with pytest.raises(ValueError, match=f"Input y_true {what}"):
        call(broken, whole)
    with pytest.raises(ValueError, match=f"Input y_pred {what}"):
        call(whole, broken)
    if name in WEIGHTED:
        with pytest.raises(ValueError, match=f"Input sample_weight {what}"):
            call(whole, whole, sample_weight=np.abs(broken))


@every_call
def test_masked_entries_are_refused(name, call):
    masked = np.ma.array([1.0, 3.0, 999.0], mask=[0, 0, 1])
    for arrays in ((masked, [1.0, 2.0, 3.0]), ([1.0, 2.0, 3.0], masked)):
        with pytest.raises(ValueError, match="1 masked entry, first at row 2"):
            call(*arrays)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([], []), "y_true has shape"),
        ((np.empty(0), np.empty(0)), "y_true has shape"),
        (([1.0, 2.0], [1.0]), r"inconsistent numbers of samples: \[2, 1\]"),
        (([1.0, 2.0], [[1.0, 2.0]]), "inconsistent numbers of samples"),
        (([["a"], ["b"]], [1.0, 2.0]), "y_true has dtype <U1: targets are numbers"),
        ((np.array([1, "b"], object), [1.0, 2.0]), "y_true holds text"),
        ((np.ones((2, 1, 1)), [1.0, 2.0]), "dim 3"),
        ((np.ones((2, 2)), np.ones((2, 3))), r"different number of output \(2!=3\)"),
        ((np.array(["2020-01-01"], "M8[D]"), [1.0]), "targets are numbers"),
        (([1j, 2.0], [1.0, 2.0]), "Complex data not supported"),
        ((3.0, [1.0]), "y_true must be an array-like"),
    ],
)
@every_call
def test_what_cannot_be_scored(name, call, arrays, message):
    with pytest.raises(ValueError, match=message):
        call(*arrays)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 2.0], r"inconsistent numbers of samples: \[3, 3, 2\]"),
        ([1.0, -1.0, 2.0], "1 negative entry, first at row 1"),
        (np.array([1.0, -1.0, 2.0]), "1 negative entry, first at row 1"),
        (np.zeros(3), "sample_weight is all zeros"),
        (np.ones((3, 2)), "Sample weights must be 1D"),
    ],
)
@pytest.mark.parametrize("name", sorted(WEIGHTED))
def test_bad_weights(name, weights, message):
    values = np.array([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=message):
        getattr(fm, name)(values, values, sample_weight=weights)


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ([1.0], "equally many custom weights \\(1\\) as outputs \\(2\\)"),
        ([[1.0, 2.0]], "equally many custom weights"),
        ([1.0, NAN], "multioutput contains NaN"),
        ([1.0, -1.0], "multioutput sums to 0"),
    ],
)
@pytest.mark.parametrize("name", sorted(MULTIPLE))
def test_bad_weights_of_outputs(name, way, message):
    values = np.array([[1.0, 2.0], [3.0, 5.0]])
    with pytest.raises(ValueError, match=message):
        getattr(fm, name)(values, values, multioutput=way)
    with pytest.raises(ValueError, match="useful only in multi-output cases"):
        getattr(fm, name)(values[:, 0], values[:, 0], multioutput=[1.0])


@pytest.mark.parametrize("name", sorted(MULTIPLE))
def test_ways_to_average_that_do_not_exist(name):
    for way in ("mean", 3, *([] if name == "r2_score" else [None])):
        with pytest.raises(InvalidParameterError, match=f"'multioutput' parameter of {name}"):
            getattr(fm, name)([1.0, 2.0], [1.0, 2.0], multioutput=way)
    if name not in ("r2_score", "explained_variance_score"):
        with pytest.raises(InvalidParameterError, match="variance_weighted"):
            getattr(fm, name)([1.0, 2.0], [1.0, 2.0], multioutput="variance_weighted")


def test_plain_arrays_do_not_load_scikit_learn():
    program = """
import sys
import numpy as np
import fastmetrics as fm
y = np.array([1.0, 2.0, 4.0])
for name in sys.argv[1:]:
    getattr(fm, name)(y, y + 0.5)
print("sklearn" in sys.modules)
"""
    command = [sys.executable, "-c", program, *OPTIONS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
