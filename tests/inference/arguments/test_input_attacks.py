"""Inputs of every type and layout give the same numbers; anything small or odd gives sane ones."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from tests.law_problems import FITTED, METRICS, families, measured, problems

N = 64
GENERATOR = np.random.default_rng(0)
LABELS = GENERATOR.permutation(np.arange(N) % 3 == 0).astype(int)
EIGHTHS = GENERATOR.integers(0, 9, N) / 8
WEIGHTS = GENERATOR.integers(1, 5, N)
ASKED = ["roc_auc", "f1", "brier_score", "ks", "ece"]
OF_VALUES = ["mean_squared_error", "r2", "median_absolute_error", "mean"]
OPTIONS = {"n_resamples": 70, "rng": 0, "method": "percentile"}


class Subclass(np.ndarray):
    pass


def memory_map(array, folder):
    mapped = np.memmap(folder / "column", dtype=array.dtype, mode="w+", shape=array.shape)
    mapped[:] = array
    mapped.flush()
    return np.memmap(folder / "column", dtype=array.dtype, mode="r", shape=array.shape)


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


NUMBERS = {
    **{
        dtype: lambda a, dtype=dtype: a.astype(dtype)
        for dtype in ("f2", "f4", "f8", "g", ">f8", ">f4", "<f8", "O")
    },
    "list": lambda a: a.tolist(),
    "tuple": lambda a: tuple(a.tolist()),
    "strided": lambda a: np.repeat(a, 3)[::3],
    "reversed": lambda a: a[::-1].copy()[::-1],
    "a column of a table": lambda a: np.stack([a, a + 1], axis=1)[:, 0],
    "(n, 1)": lambda a: a[:, None],
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), a.dtype, offset=1),
    "read-only": read_only,
    "masked, nothing hidden": lambda a: np.ma.array(a, mask=False),
    "subclass": lambda a: a.view(Subclass),
    "pandas": lambda a: pd.Series(a, index=np.arange(N)[::-1]),
    "pandas Float64": lambda a: pd.Series(a, dtype="Float64"),
    "pandas Float32": lambda a: pd.array(a, dtype="Float32"),
    "pandas on Arrow": lambda a: pd.Series(a, dtype="double[pyarrow]"),
    "pandas categories": lambda a: pd.Series(pd.Categorical(a)),
    "polars": lambda a: pl.Series(a),
    "polars Float32": lambda a: pl.Series(a, dtype=pl.Float32),
    "pyarrow": lambda a: pa.array(a),
    "pyarrow chunks": lambda a: pa.chunked_array([a[:10], a[10:]]),
}
WHOLE = {
    **{
        dtype: lambda a, dtype=dtype: a.astype(dtype)
        for dtype in ("?", "i1", "u1", "i2", "u2", "i4", ">i4", "u4", "i8", "u8", ">u8", "f2", "O")
    },
    "Python bools": lambda a: [bool(v) for v in a],
    "bool objects": lambda a: a.astype(bool).astype(object),
    "list": lambda a: a.tolist(),
    "Int64": lambda a: pd.Series(a, dtype="Int64"),
    "boolean": lambda a: pd.Series(a, dtype="boolean"),
    "on Arrow": lambda a: pd.Series(a, dtype="int64[pyarrow]"),
    "categories": pd.Categorical,
    "polars": pl.Series,
    "polars bools": lambda a: pl.Series(a.astype(bool)),
    "pyarrow": pa.array,
    "pyarrow bools": lambda a: pa.array(a.astype(bool)),
    "strided": lambda a: np.repeat(a, 2)[::2],
    "read-only": read_only,
}


def assert_same(found, wanted):
    assert found.keys() == wanted.keys()
    for key in wanted:
        assert found[key].estimate == pytest.approx(wanted[key].estimate, rel=1e-12)
        np.testing.assert_allclose(
            found[key].bootstrap_distribution,
            wanted[key].bootstrap_distribution,
            rtol=1e-12,
            atol=1e-15,
        )


def call(metrics=ASKED, **changed):
    data = {"y_true": LABELS, "y_score": EIGHTHS, "sample_weight": WEIGHTS, **changed}
    return fm.bootstrap(metrics=metrics, **data, **OPTIONS)


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_any_type_and_layout(kind):
    make = NUMBERS[kind]
    assert_same(call(y_score=make(EIGHTHS)), call())
    assert_same(call(sample_weight=make(WEIGHTS.astype(float))), call())
    truth = EIGHTHS[::-1].copy()
    plain = {"metrics": OF_VALUES, "y_true": truth}
    assert_same(call(**{**plain, "y_true": make(truth)}), call(**plain))
    assert_same(call(**plain, y_score=make(EIGHTHS)), call(**plain))


@pytest.mark.parametrize("kind", WHOLE)
def test_labels_of_any_type_and_layout(kind):
    make = WHOLE[kind]
    assert_same(call(y_true=make(LABELS)), call())
    decisions = (EIGHTHS > 0.5).astype(int)
    asked = {"metrics": ["f1", "matthews_corrcoef", "f1_macro"], "y_score": None}
    wanted = call(**asked, y_pred=decisions)
    assert_same(call(**asked, y_pred=make(decisions)), wanted)
    assert_same(call(**asked, y_pred=make(decisions), y_true=make(LABELS)), wanted)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", ">i4", "u8", "i8", "?", "O"])
def test_whole_numbers_are_scores_and_weights(dtype):
    steps = (EIGHTHS * 8).astype(int)
    if dtype == "?":
        steps = (steps > 3).astype(int)
    asked = {"metrics": ["roc_auc", "average_precision", fm.metric("recall", threshold=3)]}
    assert_same(
        call(**asked, y_score=steps.astype(dtype)), call(**asked, y_score=steps.astype(float))
    )
    assert_same(call(sample_weight=steps.astype(dtype)), call(sample_weight=steps.astype(float)))


def test_labels_of_one_and_minus_one():
    for labels in (
        2 * LABELS - 1,
        (2.0 * LABELS - 1).astype(np.float16),
        pl.Series(2 * LABELS - 1),
    ):
        assert_same(call(y_true=labels), call())


def test_memory_maps_are_read_in_place(tmp_path):
    mapped = memory_map(EIGHTHS, tmp_path)
    assert_same(call(y_score=mapped), call())
    assert_same(
        call(y_score={"a": mapped, "b": mapped}), call(y_score={"a": EIGHTHS, "b": EIGHTHS})
    )
    assert not mapped.flags.writeable


def test_inputs_are_never_modified():
    columns = [LABELS, EIGHTHS, WEIGHTS, np.arange(N) % 5]
    before = [column.copy() for column in columns]
    for options in ({}, {"groups": columns[3]}, {"strata": columns[3]}, {"by": columns[3]}):
        for scores in (EIGHTHS, {"a": EIGHTHS, "b": EIGHTHS}):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call(y_score=scores, **options)
    for column, old in zip(columns, before):
        np.testing.assert_array_equal(column, old)


DESIGNS = st.sampled_from(
    ["rows", "groups", "strata", "groups in strata", "class", "poisson", "bayesian", "slices"]
)
METHODS = st.sampled_from([None, "percentile", "basic", "normal", "logit", "bca"])
SCALES = st.sampled_from([None, 1.0, 1e300, 1e-300])


def design_options(design, n, generator):
    codes = generator.integers(0, max(1, n // 2), n)
    return {
        "rows": {},
        "groups": {"groups": codes},
        "strata": {"strata": codes},
        "groups in strata": {"groups": codes, "strata": codes % 2},
        "class": {"strata": "class"},
        "poisson": {"resampling": "poisson"},
        "bayesian": {"resampling": "bayesian"},
        "slices": {"by": codes},
    }[design]


def is_sane(entry, bounds):
    """An interval wherever there is an estimate and a defined replicate; all within the bounds."""
    defined = entry.replicates[~np.isnan(entry.replicates)]
    low, high = entry.interval.limits
    if np.isnan(entry.estimate) or not defined.size:
        assert np.isnan([low, high]).all()
        return
    assert low <= high
    assert bounds[0] - 1e-9 <= defined.min()
    assert defined.max() <= bounds[1] + 1e-9
    if entry.interval.method not in ("normal",):
        assert bounds[0] - 1e-9 <= low
        assert high <= bounds[1] + 1e-9


CASES = [
    pytest.param(metric, family, id=f"{metric.label}-{family}")
    for metric in METRICS
    for family in families(metric)
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("metric", "family"), CASES)
def test_any_small_problem_in_any_design(metric, family):
    @settings(derandomize=True, max_examples=5, deadline=None, database=None)
    @given(problems(family), DESIGNS, METHODS, SCALES)
    def holds(problem, design, method, scale):
        generator = np.random.default_rng(problem.seed)
        options = {"method": method, "n_resamples": 30, "rng": 0}
        options.update(design_options(design, problem.n, generator))
        if design == "class" and family in ("values", "lists"):
            del options["strata"]
        weights = None
        if scale is not None and problem.weights.any():
            weights = problem.weights * scale
        truth, predicted = problem.truth, problem.predicted
        named = {"y_pred": predicted} if family == "classes" else {"y_score": predicted}
        if family == "columns":
            named = {"y_score": {"m": pd.DataFrame(predicted, columns=range(3))}}
            if len(set(truth.tolist())) < 2:
                return  # a frame of one label is a frame of models
        result = fm.bootstrap(truth, metrics=metric, sample_weight=weights, **named, **options)
        for entry in result.entries().values():
            is_sane(entry, metric.bounds)
        repr(result)
        value = measured(
            family, metric, truth, predicted, None if weights is None else problem.weights
        )
        found = next(iter(result.entries().values())).estimate
        digits = 1e-5 if metric.name in FITTED else 1e-9
        assert found == pytest.approx(value, rel=digits, abs=digits, nan_ok=True)

    holds()


def test_weights_of_zero_are_absent_rows():
    weights = WEIGHTS * (np.arange(N) % 4 > 0)
    kept = weights > 0
    result = call(sample_weight=weights)
    shorter = fm.bootstrap(
        LABELS[kept], EIGHTHS[kept], ASKED, sample_weight=weights[kept], n_resamples=0
    )
    for name in ASKED:
        assert result[name].estimate == pytest.approx(shorter[name].estimate, rel=1e-12)


def test_one_weight_outweighs_all_others():
    weights = np.where(np.arange(N) == 5, 1e150, 1e-150)
    result = call(sample_weight=weights, metrics=["accuracy", "brier_score", "mean"])
    alone = LABELS[5] == (EIGHTHS[5] >= 0.5)
    assert result["accuracy"].estimate == pytest.approx(float(alone), abs=1e-290)
    assert result["mean"].estimate == pytest.approx(EIGHTHS[5])
    assert np.isfinite(result["mean"].confidence_interval).all()


BAD = {
    "complex": ({"y_score": EIGHTHS + 1j}, "Complex data not supported"),
    "text": ({"y_score": EIGHTHS.astype(str)}, "y_score"),
    "dates": ({"y_score": np.datetime64("2020") + np.arange(N)}, "y_score has dtype"),
    "hidden": ({"y_score": np.ma.array(EIGHTHS, mask=LABELS)}, "y_score has .* masked entries"),
    "nullable": ({"y_score": pd.array([None, *EIGHTHS[1:]], "Float64")}, "y_score"),
    "polars null": ({"y_score": pl.Series([None, *EIGHTHS[1:]])}, "y_score has 1 NaN|y_score"),
    "a set": ({"y_score": set(EIGHTHS.tolist())}, "y_score must be an array-like"),
    "a generator": ({"y_score": (v for v in EIGHTHS)}, "y_score must be an array-like"),
    "a number": ({"y_score": 0.5}, "y_score must be an array-like"),
    "a string": ({"y_score": "score"}, "y_score must be an array-like, it is the string 'score'"),
    "three axes": ({"y_score": EIGHTHS.reshape(N, 1, 1)}, "y_score"),
    "nothing": ({"y_score": []}, "y_score"),
    "no rows": ({"y_true": [], "y_score": [], "sample_weight": None}, "empty input array"),
    "infinite": ({"y_score": np.where(EIGHTHS > 0.5, np.inf, 0).astype(np.float16)}, "y_score"),
    "weights that cancel": ({"sample_weight": WEIGHTS - 2}, "sample_weight has .* negative"),
    "infinite weights": ({"sample_weight": np.full(N, np.inf)}, "sample_weight has 64 infinite"),
    "a weight of text": ({"sample_weight": ["1"] * N}, "sample_weight"),
    "labels of three kinds": ({"y_true": np.arange(N) % 3}, "y_true"),
    "continuous labels": ({"y_true": EIGHTHS}, "y_true|continuous"),
    "a missing label": ({"y_true": [None, *LABELS[1:].tolist()]}, "y_true"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_data_is_refused_by_name(what):
    changed, message = BAD[what]
    with pytest.raises(ValueError, match=message):
        call(**changed)


OF_BINARY = [metric for metric in METRICS if "binary" in families(metric)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("label", [0, 1])
def test_one_class_under_fractional_weights_is_undefined_or_known(label):
    # a share of 1 that is rounded to a little less is no second class
    weights = np.random.default_rng(9).random(N)
    metrics = {f"metric {k}": metric for k, metric in enumerate(OF_BINARY)}
    data = {"y_true": np.full(N, label), "y_score": EIGHTHS}
    result = fm.bootstrap(**data, metrics=metrics, sample_weight=weights, **OPTIONS)
    plain = fm.bootstrap(**data, metrics=metrics, **OPTIONS)
    for name in metrics:
        assert np.isnan(result[name].estimate) == np.isnan(plain[name].estimate), metrics[name].name
