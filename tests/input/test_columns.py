"""Labels and label indicators from whatever the caller has."""

import numpy as np
import pytest
import sklearn.metrics
from scipy import sparse

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError
from fastmetrics.input.columns import UNIT, Columns, Indicators, plain_columns, read_targets

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

TRUE, PREDICTED = [1, 0, 1, 1, 0], [1, 0, 0, 1, 1]
CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "bools": lambda values: np.array(values, bool),
    "floats": lambda values: np.array(values, np.float16),
    "long doubles": lambda values: np.array(values, np.longdouble),
    "unsigned": lambda values: np.array(values, np.uint64),
    "other byte order": lambda values: np.array(values, ">i4"),
    "column": lambda values: np.array(values)[:, None],
    "strided": lambda values: np.repeat(values, 2)[::2],
    "read-only": lambda values: np.frombuffer(bytes(values), np.uint8),
    "nothing masked": np.ma.masked_array,
    "pandas": pandas.Series,
    "pandas with another index": lambda values: pandas.Series(values, index=[4, 4, 3, 1, 0]),
    "pandas nullable": lambda values: pandas.Series(values, dtype="Int64"),
    "pandas nullable floats": lambda values: pandas.Series(values, dtype="Float64"),
    "pandas nullable bools": lambda values: pandas.Series(values, dtype="boolean"),
    "pandas arrow": lambda values: pandas.Series(values, dtype="int64[pyarrow]"),
    "categorical": pandas.Categorical,
    "polars": polars.Series,
    "arrow": pyarrow.array,
    "arrow chunks": lambda values: pyarrow.chunked_array([values[:2], values[2:]]),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_containers_of_numbers(container):
    make = CONTAINERS[container]
    assert fm.accuracy_score(make(TRUE), PREDICTED) == 0.6
    assert fm.accuracy_score(TRUE, make(PREDICTED)) == 0.6
    assert fm.accuracy_score(make(TRUE), make(PREDICTED)) == 0.6
    assert fm.confusion_matrix(make(TRUE), make(PREDICTED)).tolist() == [[1, 1], [1, 2]]
    assert fm.f1_score(make(TRUE), PREDICTED) == 2 / 3


TEXT = ["b", "a", "b", "b", "a"]
TEXT_CONTAINERS = {
    "list": list,
    "wide text": lambda values: np.array(values, "U9"),
    "other byte order": lambda values: np.array(values, ">U3"),
    "objects": lambda values: np.array(values, object),
    "numpy strings": lambda values: np.array(values, np.dtypes.StringDType()),
    "pandas": pandas.Series,
    "pandas string": lambda values: pandas.Series(values, dtype="string"),
    "categorical": pandas.Categorical,
    "polars": polars.Series,
    "polars categorical": lambda values: polars.Series(values, dtype=polars.Categorical),
    "arrow": pyarrow.array,
    "arrow dictionary": lambda values: pyarrow.array(values).dictionary_encode(),
}


@pytest.mark.parametrize("container", TEXT_CONTAINERS)
def test_containers_of_text(container):
    make = TEXT_CONTAINERS[container]
    predicted = ["b", "a", "a", "b", "b"]
    for y_true, y_pred in ((make(TEXT), predicted), (TEXT, make(predicted))):
        assert fm.accuracy_score(y_true, y_pred) == 0.6
        assert fm.confusion_matrix(y_true, y_pred).tolist() == [[1, 1], [1, 2]]
        assert fm.f1_score(y_true, y_pred, pos_label="b") == 2 / 3


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "l", "U3"])
def test_plain_columns_are_not_copied(dtype):
    y_true, y_pred = np.array(TRUE, dtype), np.array(PREDICTED, dtype)
    columns = plain_columns(y_true, y_pred)
    assert columns.y_true.base is y_true or columns.y_true is y_true
    assert columns.y_pred.base is y_pred or columns.y_pred is y_pred


def test_other_columns_are_not_plain():
    y_true = np.array(TRUE)
    for other in (TRUE, y_true[:4], y_true[:, None], y_true.astype("i4"), y_true[::-1]):
        assert plain_columns(y_true, other) is None
    assert plain_columns(y_true[:0], y_true[:0]) is None


def test_a_column_vector_is_a_column():
    column = np.array(TRUE)[:, None]
    assert fm.accuracy_score(column, PREDICTED) == 0.6  # not all pairs of rows
    assert fm.hamming_loss(column, PREDICTED) == 0.4


def test_rows_match_by_position():
    y_true = pandas.Series(TRUE, index=[4, 3, 2, 1, 0])
    assert fm.accuracy_score(y_true, pandas.Series(PREDICTED)) == 0.6
    assert fm.accuracy_score(y_true.set_axis([7, 7, 8, 8, 8]), pandas.Series(PREDICTED)) == 0.6


MISSING = {
    "none among text": ["u", "v", None],
    "nan": [1.0, float("nan"), 0.0],
    "infinity": [1.0, float("inf"), 0.0],
    "na": pandas.Series([1, None, 0], dtype="Int64"),
    "arrow null": pyarrow.array([1, None, 0]),
    "polars null": polars.Series([1, None, 0]),
    "masked": np.ma.masked_array([1, 0, 1], mask=[0, 0, 1]),
    "masked text": np.ma.masked_array(["u", "v", "v"], mask=[0, 0, 1]),
}


@pytest.mark.parametrize("function", [fm.accuracy_score, fm.confusion_matrix, fm.hamming_loss])
@pytest.mark.parametrize("kind", MISSING)
def test_missing_labels_are_refused(kind, function):
    other = ["u", "v", "v"] if "text" in kind else [1, 1, 0]
    with pytest.raises(InputError, match=r"y_true (has|contains)|Input y_true"):
        function(MISSING[kind], other)
    with pytest.raises(InputError, match=r"y_pred (has|contains)|Input y_pred"):
        function(other, MISSING[kind])


@pytest.mark.parametrize("name", ["accuracy_score", "f1_score", "confusion_matrix", "hamming_loss"])
def test_text_is_never_equal_to_numbers(name):
    for y_true, y_pred in ((["1", "2", "2"], [1, 2, 2]), ([1, 2, 2], ["1", "2", "2"])):
        with pytest.raises(LabelError, match="Mix of label input types"):
            getattr(fm, name)(y_true, y_pred)
    with pytest.raises(LabelError, match="y_true mixes int and str"):
        getattr(fm, name)(np.array(["1", 2, "2"], object), ["1", "2", "2"])


def test_objects_of_more_types_than_text():
    text = np.array(["1", "2", "2"], object)
    taken = np.array([np.str_("1"), "2", np.str_("2")], object)
    assert fm.accuracy_score(taken, text) == 1.0
    assert fm.confusion_matrix(text, taken).tolist() == [[1, 0], [0, 2]]
    for other, kinds in ((b"2", "bytes and str"), (2, "int and str"), (2.0, "float and str")):
        mixed = np.array(["1", "2", other], object)
        with pytest.raises(LabelError, match=f"y_pred mixes {kinds}"):
            fm.confusion_matrix(text, mixed)
        with pytest.raises(LabelError, match=f"y_true mixes {kinds}"):
            fm.accuracy_score(mixed, text)
    for missing in (None, float("nan"), pandas.NA):
        with pytest.raises(InputError, match="Input y_pred contains NaN: y_pred has 1 missing"):
            fm.accuracy_score(text, np.array(["1", "2", missing], object))


REFUSED = [
    ([0.5, 1.0, 0.2], [0, 1, 0], "mix of continuous and binary"),
    ([0.5, 1.0, 0.2], [0.5, 1.0, 0.2], "continuous is not supported"),
    (np.array([1, 0, 1], object), [1, 0, 1], "mix of unknown and binary"),
    (np.array([1, 0, 1], object), np.array([1, 0, 1], object), "unknown is not supported"),
    ([[1, 0], [0, 1], [1, 1]], [1, 0, 1], "mix of multilabel-indicator and binary"),
    ([0, 1, 2], [[1, 0], [0, 1], [1, 1]], "mix of multiclass and multilabel-indicator"),
    ([[1, 2], [0, 1], [1, 1]], [[1, 2], [0, 1], [1, 1]], "multiclass-multioutput is not"),
    ([[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0]], "different numbers of labels: 2 and 3"),
    ([0, 1], [0, 1, 1], "inconsistent numbers of samples"),
    (sparse.csr_array(np.eye(3)), np.eye(2, 3), "inconsistent numbers of samples"),
    ([], [], "Found empty input array"),
    (np.empty((0, 2), int), np.empty((0, 2), int), "Found empty input array"),
    (np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), "is not supported"),
]


@pytest.mark.parametrize(("y_true", "y_pred", "message"), REFUSED)
def test_what_is_no_label_is_refused(y_true, y_pred, message):
    for name in ("accuracy_score", "multilabel_confusion_matrix"):
        with pytest.raises(ValueError, match=message):
            getattr(fm, name)(y_true, y_pred)
        with pytest.raises(ValueError):  # noqa: PT011
            getattr(sklearn.metrics, name)(y_true, y_pred)


def test_bytes_are_refused():
    with pytest.raises(TypeError, match="bytes is not supported"):
        fm.accuracy_score([b"a", b"b"], [b"a", b"b"])


def test_a_sparse_column_is_refused():
    column = sparse.csr_matrix([[1], [0], [1]])
    with pytest.raises(TypeError, match="Sparse input is only supported"):
        fm.accuracy_score(column, column)
    with pytest.raises(ValueError, match="mix of binary and multilabel-indicator"):
        fm.accuracy_score(column, np.eye(3))


INDICATORS = {
    "lists": lambda flags: flags.tolist(),
    "bools": lambda flags: flags.astype(bool),
    "floats": lambda flags: flags.astype(float),
    "csr": sparse.csr_matrix,
    "csc array": sparse.csc_array,
    "lists of lists": sparse.lil_matrix,
    "bool csr": lambda flags: sparse.csr_array(flags.astype(bool)),
    "frame": pandas.DataFrame,
}


@pytest.mark.parametrize("second", INDICATORS)
@pytest.mark.parametrize("first", INDICATORS)
def test_containers_of_indicators(first, second):
    y_true = np.array([[0, 1, 1], [1, 0, 1]])
    y_pred = np.array([[0, 0, 1], [1, 0, 1]])
    targets = INDICATORS[first](y_true), INDICATORS[second](y_pred)
    found, _ = read_targets(*targets, None)
    assert isinstance(found, Indicators)
    assert fm.accuracy_score(*targets) == 0.5
    assert fm.hamming_loss(*targets) == 1 / 6
    assert fm.jaccard_score(*targets, average="samples") == 0.75


LAYOUTS = {
    "by columns": np.asfortranarray,
    "strided": lambda flags: np.repeat(flags, 2, axis=0)[::2],
    "backwards": lambda flags: flags[::-1][::-1],
    "read-only": lambda flags: np.frombuffer(flags.tobytes(), flags.dtype).reshape(flags.shape),
    "other byte order": lambda flags: flags.astype(flags.dtype.newbyteorder(">")),
}


@pytest.mark.parametrize("dtype", ["?", "b", "L", "e", "g"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_indicators(layout, dtype):
    y_true, y_pred = np.random.default_rng(0).integers(0, 2, (2, 30, 4))
    weights = np.arange(30) / 8
    plain = y_true.astype(bool), y_pred.astype(bool)
    handed_in = [LAYOUTS[layout](flags.astype(dtype)) for flags in (y_true, y_pred)]
    found, _ = read_targets(*handed_in, None)
    assert isinstance(found, Indicators)
    for flags, expected in zip(found, plain):
        assert flags.dtype == bool
        assert flags.flags.carray
        assert (flags == expected).all()
    for options in ({}, {"labels": [3, 0]}, {"samplewise": True}, {"sample_weight": weights}):
        counts = fm.multilabel_confusion_matrix(*handed_in, **options)
        expected = sklearn.metrics.multilabel_confusion_matrix(y_true, y_pred, **options)
        assert counts.dtype == expected.dtype
        assert (counts == expected).all()


def test_zeros_that_are_stored_are_zeros():
    stored = sparse.csr_array((np.array([1, 0, 1]), ([0, 0, 1], [0, 1, 1])), shape=(2, 2))
    counts = fm.multilabel_confusion_matrix(stored, np.eye(2, dtype=int))
    assert counts.tolist() == [[[1, 0], [0, 1]]] * 2


@pytest.mark.parametrize("values", [[[-1, 1], [1, -1]], [[1, 2], [2, 1]], [[0, 2], [2, 0]]])
def test_indicators_other_than_0_and_1_are_refused(values):
    for function in (fm.accuracy_score, fm.hamming_loss, fm.multilabel_confusion_matrix):
        with pytest.raises(LabelError, match="label indicators are 0 and 1, y_true holds"):
            function(np.array(values), np.eye(2))
    with pytest.raises(LabelError, match="label indicators are 0 and 1, y_pred holds 2"):
        fm.accuracy_score(np.eye(2), sparse.csr_array([[0, 2], [2, 0]]))


def test_labels_in_either_column():
    for y_true, y_pred in (([0, 1], [0.0, 1.0]), ([False, True], [0, 1]), (["a"], np.array(["b"]))):
        columns, weights = read_targets(y_true, y_pred, None)
        assert isinstance(columns, Columns)
        assert weights is UNIT
        assert columns.y_true.dtype.kind == columns.y_pred.dtype.kind


def test_weights_keep_integers():
    kinds = {"?": np.int64, "B": np.int64, "L": np.int64, "f": np.float64, "O": np.float64}
    for dtype, kept in kinds.items():
        _, weights = read_targets(TRUE, PREDICTED, np.ones(5, dtype))
        assert weights.dtype == kept


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2, 3, 4], "inconsistent numbers of samples"),
        (np.ones((5, 2)), "Sample weights must be 1D array or scalar"),
        ([1, 1, -1, 1, 1], "sample_weight has 1 negative entry, first at row 2"),
        ([1, 1, float("nan"), 1, 1], "sample_weight has 1 NaN"),
        ([0, 0, 0, 0, 0], "at least one non-zero number"),
        (["a"] * 5, "weights are numbers"),
    ],
)
def test_weights_that_are_none(weights, message):
    with pytest.raises(InputError, match=message):
        fm.accuracy_score(TRUE, PREDICTED, sample_weight=weights)
