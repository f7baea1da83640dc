"""Arrays from whatever the caller has."""

import array
import decimal
import fractions
import math

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.arrays import check_lengths
from fastmetrics.input.validation import (
    encode_scores,
    plain_weights,
    require_finite,
    scores,
    weights,
)

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

LABELS = [1, 0, 1, 1, 0]
SCORES = [0.9, 0.2, 0.4, 0.7, 0.5]

CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "objects": lambda values: np.array(values, object),
    "array.array": lambda values: array.array("d", values),
    "column": lambda values: np.array(values)[:, None],
    "list of rows": lambda values: [[value] for value in values],
    "pandas": pandas.Series,
    "pandas with another index": lambda values: pandas.Series(values, index=[4, 4, 3, 1, 0]),
    "pandas nullable": lambda values: pandas.Series(values).convert_dtypes(),
    "pandas arrow": lambda values: pandas.Series(values).convert_dtypes(dtype_backend="pyarrow"),
    "pandas frame": lambda values: pandas.DataFrame({"x": values}),
    "categorical": pandas.Categorical,
    "categorical column": lambda values: pandas.Series(values).astype("category"),
    "polars": polars.Series,
    "polars frame": lambda values: polars.DataFrame({"x": values}),
    "polars chunks": lambda values: polars.concat(
        [polars.Series(values[:2]), polars.Series(values[2:])], rechunk=False
    ),
    "arrow": pyarrow.array,
    "arrow chunks": lambda values: pyarrow.chunked_array([values[:2], values[2:]]),
    "arrow dictionary": lambda values: pyarrow.array(values).dictionary_encode(),
    "nothing masked": np.ma.masked_array,
    "other byte order": lambda values: np.array(values).astype(
        np.array(values).dtype.str.replace("<", ">")
    ),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_containers_of_scores(container):
    values = scores(CONTAINERS[container](SCORES))
    assert values.tolist() == SCORES
    assert values.dtype.isnative


@pytest.mark.parametrize("container", [name for name in CONTAINERS if name != "array.array"])
def test_containers_of_labels(container):
    assert fm.threshold_sweep(CONTAINERS[container](LABELS), SCORES).roc_auc() == 5 / 6
    if container != "objects":  # scikit-learn takes numbers held as objects for unknown labels
        assert fm.roc_auc_score(CONTAINERS[container](LABELS), SCORES) == 5 / 6


TEXT = ["b", "a", "b", "b", "a"]
TEXT_CONTAINERS = {
    "list": TEXT,
    "numpy": np.array(TEXT),
    "objects": np.array(TEXT, object),
    "numpy strings": np.array(TEXT, np.dtypes.StringDType()),
    "pandas": pandas.Series(TEXT),
    "pandas string": pandas.Series(TEXT, dtype="string"),
    "categorical": pandas.Categorical(TEXT),
    "polars": polars.Series(TEXT),
    "polars categorical": polars.Series(TEXT, dtype=polars.Categorical),
    "polars enum": polars.Series(TEXT, dtype=polars.Enum(["a", "b"])),
    "arrow": pyarrow.array(TEXT),
    "arrow dictionary": pyarrow.array(TEXT).dictionary_encode(),
}


@pytest.mark.parametrize("container", TEXT_CONTAINERS)
def test_containers_of_text_labels(container):
    y_true = TEXT_CONTAINERS[container]
    assert fm.roc_auc_score(y_true, SCORES) == 5 / 6
    assert fm.threshold_sweep(y_true, SCORES, pos_label="b").roc_auc() == 5 / 6


BOOLS = [value == 1 for value in LABELS]


@pytest.mark.parametrize(
    "y_true",
    [
        BOOLS,
        np.array(BOOLS),
        pandas.Series(BOOLS, dtype="boolean"),
        polars.Series(BOOLS),
        pyarrow.array(BOOLS),
    ],
)
def test_bools(y_true):
    assert fm.roc_auc_score(y_true, SCORES) == fm.rank_auc(y_true, SCORES) == 5 / 6


HOLES = {
    "list": [1, 0, None, 1, 0],
    "float": np.array([1, 0, np.nan, 1, 0]),
    "objects": np.array([1, 0, None, 1, 0], object),
    "nan among objects": np.array([1, 0, float("nan"), 1, 0], object),
    "pandas Int64": pandas.Series([1, 0, None, 1, 0], dtype="Int64"),
    "pandas Float64": pandas.Series([1, 0, None, 1, 0], dtype="Float64"),
    "pandas boolean": pandas.Series([True, False, None, True, False], dtype="boolean"),
    "pandas arrow": pandas.Series([1, 0, None, 1, 0], dtype="int64[pyarrow]"),
    "polars": polars.Series([1, 0, None, 1, 0]),
    "polars bool": polars.Series([True, False, None, True, False]),
    "arrow": pyarrow.array([1, 0, None, 1, 0]),
    "arrow chunks": pyarrow.chunked_array([[1, 0], [None, 1, 0]]),
    "masked": np.ma.masked_array([1, 0, 1, 1, 0], [0, 0, 1, 0, 0]),
}


@pytest.mark.parametrize("container", HOLES)
def test_missing_entries_are_refused_by_name(container):
    hole = HOLES[container]
    found = "has 1 (NaN|missing entry|masked entry), first at row 2"
    for call in (fm.roc_auc_score, fm.rank_auc, fm.roc_curve):
        with pytest.raises(ValueError, match=f"y_true {found}"):
            call(hole, SCORES)
        with pytest.raises(ValueError, match=f"y_score {found}"):
            call(LABELS, hole)
        with pytest.raises(ValueError, match=f"sample_weight {found}"):
            call(LABELS, SCORES, sample_weight=hole)


def test_missing_text_labels():
    for y_true in (
        ["a", None, "b"],
        pandas.Series(["a", None, "b"]),
        polars.Series(["a", None, "b"]),
    ):
        with pytest.raises(ValueError, match="y_true has 1 missing entry, first at row 1"):
            fm.roc_auc_score(y_true, [1, 2, 3])


@pytest.mark.parametrize("missing", [math.nan, np.float64("nan"), None], ids=repr)
@pytest.mark.parametrize("container", [list, tuple, lambda entries: [[e] for e in entries]])
def test_a_missing_label_is_no_label(container, missing):
    # NumPy makes the label 'nan' of it
    labels = container(["no", "yes", missing, "yes"])
    with pytest.raises(InputError, match="y_true has 1 missing entry, first at row 2"):
        fm.accuracy_score(labels, ["no", "yes", "no", "yes"])
    with pytest.raises(InputError, match="y_true has 1 missing entry, first at row 2"):
        fm.average_precision_score(labels, [0.1, 0.4, 0.3, 0.8], pos_label="yes")
    with pytest.raises(InputError, match="y_true has 1 missing entry, first at row 2"):
        fm.bootstrap(labels, [0.1, 0.4, 0.3, 0.8], pos_label="yes", n_resamples=0)


def test_lists_of_text_and_numbers_have_labels_of_two_types():
    # NumPy makes 1 and "1" the same
    with pytest.raises(LabelError, match="y_true mixes int and str"):
        fm.confusion_matrix(["1", 1, "2"], ["1", "1", "2"])
    with pytest.raises(InputError, match=r"y_score holds text \('0.2' at row 1\)"):
        fm.roc_auc_score([0, 1, 0], [0.1, "0.2", 0.3])


def test_text_among_numbers():
    with pytest.raises(ValueError, match="y_true mixes int and str"):
        fm.roc_auc_score(np.array(["1", 2, 2], object), [1, 2, 3])


def test_message_counts_what_is_missing():
    values = np.zeros(5000)
    values[88:1291] = np.nan
    with pytest.raises(InputError) as caught:
        scores(values, name="y_score['m2']")
    assert "y_score['m2'] has 1,203 NaN, first at row 88" in str(caught.value)


def test_message_of_infinite_scores():
    with pytest.raises(InputError, match="y_score has 2 infinite entries, first at row 1"):
        scores([0, np.inf, -np.inf])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("score", "it is the string 'score': pass the column itself"),
        (None, "must be an array-like"),
        (3.5, "must be an array-like"),
        (np.float64(3.5), "must be an array-like"),
        ({1, 2}, "must be an array-like"),
        ({"a": [1, 2]}, "must be an array-like"),
        ([], r"y_score has shape \(0,\)"),
        (np.zeros((3, 2)), r"should be a 1d array, got an array of shape \(3, 2\)"),
        ([[1, 2], [3]], "y_score cannot be made an array"),
        (["0.5", "0.7"], "y_score has dtype <U3"),
        (np.array([0.5, "0.7"], object), r"y_score holds text \('0.7' at row 1\)"),
        (np.array([0.5, [1]], object), "no number"),
        (np.array([1j, 2]), "Complex data not supported"),
        (np.array(["2020", "2021"], "M8[Y]"), r"dtype datetime64\[Y\]"),
    ],
)
def test_what_scores_are_not(values, message):
    with pytest.raises(ValueError, match=message):
        scores(values)


def test_sparse_matrices_are_refused():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match=r"pass y_score.toarray\(\)"):
        scores(sparse.csr_array([[1.0], [2.0]]))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_plain_scores_are_not_copied(dtype):
    values = np.arange(4, dtype=dtype)
    assert scores(values) is values


def test_read_only_scores_are_not_copied():
    # numba types read-only arrays apart, so the mark goes and the memory stays
    values = np.arange(4.0)
    values.setflags(write=False)
    seen = scores(values)
    assert np.shares_memory(seen, values)
    assert seen.flags.carray
    assert not values.flags.writeable


def test_strided_scores_become_contiguous():
    seen = scores(np.arange(8.0)[::2])
    assert seen.tolist() == [0, 2, 4, 6]
    assert seen.flags.c_contiguous


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "g"])
def test_other_types_are_widened_exactly(dtype):
    values = np.array([0, 1, 1, 0], dtype)
    seen = scores(values)
    assert seen.dtype in (np.float64, np.float32)
    assert seen.tolist() == [0, 1, 1, 0]


def test_float16_does_not_overflow():
    values = np.array([60000, 65504, -65504, 2**-24], np.float16)
    assert scores(values).tolist() == [60000, 65504, -65504, 2**-24]


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**60 + 1, 2**60, 2**60 + 2], np.int64),
        np.array([2**63 + 1, 2**63, 2**63 + 2], np.uint64),
        np.array([-(2**60), -(2**60) - 1, 0], np.int64),
        np.array([2**70 + 1, 2**70, 2**70 + 2], object),
        np.array([decimal.Decimal("0.1"), decimal.Decimal("0.1") - decimal.Decimal("1e-25"), 1]),
        np.array([fractions.Fraction(1, 3), fractions.Fraction(10**30 - 1, 3 * 10**30), 1]),
    ],
)
def test_scores_that_float64_cannot_tell_apart_become_ranks(values):
    assert scores(values).tolist() == [1, 0, 2]
    assert encode_scores(values, "y_score").restore(np.array([2.0, 0])).tolist() == [
        values[2],
        values[1],
    ]
    assert fm.roc_auc_score([1, 0, 1], values) == 1


@pytest.mark.skipif(np.finfo(np.longdouble).nmant == 52, reason="longdouble is float64 here")
def test_longdouble_scores_keep_their_order():
    values = np.longdouble(1) + np.array([0, 1], np.longdouble) * np.longdouble(2) ** -60
    assert fm.roc_auc_score([0, 1], values) == 1
    assert fm.roc_auc_score([1, 0], values) == 0
    huge = np.array([1, 2, 3], np.longdouble) * np.longdouble(10) ** 400
    assert fm.roc_auc_score([0, 1, 1], huge) == 1
    _, _, thresholds = fm.precision_recall_curve([0, 1, 1], huge)
    assert thresholds.tolist() == huge.tolist()


def test_ranks_only_where_something_would_be_lost():
    assert scores(np.array([2**53, 5])).tolist() == [2**53, 5]
    assert scores(np.array([0.5, 0.25], np.longdouble)).tolist() == [0.5, 0.25]
    assert scores([decimal.Decimal("0.5"), 0.25]).tolist() == [0.5, 0.25]


@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "f2", "f4", "f8", "g", "O", ">f4"])
def test_weights_become_float64(dtype):
    seen = weights(np.array([1, 0, 1], dtype), 3)
    assert seen.dtype == np.float64
    assert seen.tolist() == [1, 0, 1]


def test_no_weights():
    assert weights(None, 3) is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, -2, -3], "sample_weight has 2 negative entries, first at row 1"),
        ([1, np.nan, 1], "Input sample_weight contains NaN: sample_weight has 1 NaN"),
        ([1, np.inf, 1], "Input sample_weight contains infinity"),
        ([0, 0, 0], "at least one non-zero number: sample_weight is all zeros"),
        (
            [1, 2],
            r"inconsistent numbers of samples: \[3, 2\]: sample_weight has 2 rows, the data 3",
        ),
        (np.ones((3, 2)), "must be 1D array or scalar"),
        (["1", "2", "3"], "weights are numbers"),
        (np.ones(3, complex), "Complex data not supported"),
        (2.0, "must be an array-like"),
        ([], "inconsistent"),
    ],
)
def test_what_weights_are_not(values, message):
    with pytest.raises(ValueError, match=message):
        weights(values, 3)


def test_weights_whose_sums_are_no_number():
    # each of them is finite, the sum is not
    with pytest.raises(InputError, match=r"sample_weight reaches 1e\+308: sums of 3 such"):
        fm.accuracy_score([0, 1, 1], [0, 1, 0], sample_weight=[1e308] * 3)


def test_the_smallest_weights():
    smallest = np.full(4, 5e-324)
    assert fm.roc_auc_score([0, 1, 0, 1], [0.1, 0.5, 0.3, 0.2], sample_weight=smallest) == 0.75
    precision = fm.average_precision_score([0, 1, 0, 1], [1, 4, 3, 2], sample_weight=smallest)
    assert precision == pytest.approx(5 / 6)
    assert fm.brier_score_loss([0, 1], [0.5, 0.5], sample_weight=smallest[:2]) == 0.25


def test_lengths():
    assert check_lengths(y_true=np.zeros(3), y_score=np.zeros(3), sample_weight=None) == 3
    with pytest.raises(
        ValueError, match=r"samples: \[3, 1000\]: y_true has 3 rows, y_score has 1,000"
    ):
        check_lengths(y_true=np.zeros(3), y_score=np.zeros(1000))


def test_lengths_are_checked_before_weights_are_read():
    with pytest.raises(ValueError, match=r"samples: \[3, 3, 2\]"):
        fm.roc_auc_score([0, 1, 1], [1, 2, 3], sample_weight=[1, 2])


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?"])
def test_plain_weights_come_with_their_total_and_the_lowest(dtype):
    given = np.array([1, 0, 1, 1], dtype)[::-1]
    values, total, lowest = plain_weights(given, 4)
    np.testing.assert_array_equal(values, weights(given, 4))
    assert values.dtype == np.float64
    assert (total, lowest) == (3.0, 0.0)


@pytest.mark.parametrize("bad", [[np.nan, 1], [np.inf, 1], [-1, 2], [0, 0], [1e308, 1e308], [1]])
def test_weights_that_need_a_closer_look(bad):
    assert plain_weights(np.array(bad, float), 2) is None
    assert plain_weights(bad, 2) is None


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_sum_beyond_float64_is_no_infinity(order):
    require_finite(np.full((2, 3), 1e308, order=order), "y_true")
