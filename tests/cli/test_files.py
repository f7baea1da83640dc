"""Reading labels, scores and weights from files."""

import gzip

import numpy as np
import polars as pl
import pytest

from fastmetrics.cli.files import number_array, positive_array, read_columns

FRAME = pl.DataFrame({"label": [1, 0, 1], "score": [0.5, 0.25, 3.0], "other": ["a", "b", "c"]})


def write(folder, name):
    file = folder / name
    if name.endswith(".gz"):
        with gzip.open(file, "wb") as stream:
            FRAME.write_csv(stream)
    elif name.endswith((".csv", ".tsv")):
        FRAME.write_csv(file, separator="\t" if name.endswith(".tsv") else ",")
    elif name.endswith(".arrows"):
        FRAME.write_ipc_stream(file)
    elif name.endswith(".parquet"):
        FRAME.write_parquet(file)
    else:
        FRAME.write_ipc(file)
    return file


def read_text(folder, text, positive=None):
    file = folder / "text.csv"
    file.write_text(text, encoding="utf-8")
    frame = read_columns(file, ["label"], ["score"])
    return positive_array(frame["label"], positive), number_array(frame["score"])


@pytest.mark.parametrize(
    "name",
    [
        "a.csv",
        "A.CSV",
        "a.tsv",
        "a.csv.gz",
        "a.parquet",
        "a.feather",
        "a.arrow",
        "a.arrows",
        "[a]*.csv",
        "[a].parquet",
        "[a].feather",
    ],
)
def test_every_format_gives_the_same_columns(tmp_path, name):
    if name == "A.CSV":
        file = write(tmp_path, "a.csv").rename(tmp_path / name)
    else:
        file = write(tmp_path, name)
    frame = read_columns(file, ["label"], ["score"])
    assert frame.columns == ["label", "score"]
    np.testing.assert_array_equal(positive_array(frame["label"], None), [True, False, True])
    scores = number_array(frame["score"])
    assert scores.dtype == np.float64
    np.testing.assert_array_equal(scores, [0.5, 0.25, 3.0])


def test_an_arrow_stream_under_the_ending_arrow(tmp_path):
    file = write(tmp_path, "a.arrows").rename(tmp_path / "a.arrow")
    assert read_columns(file, ["label"], ["score"]).height == 3


def test_a_folder_of_parquet_files_is_one_table(tmp_path):
    folder = tmp_path / "parts.parquet"
    folder.mkdir()
    write(folder, "part-0.parquet")
    write(folder, "part-1.parquet")
    assert read_columns(folder, ["label"], ["score"]).height == 6


def test_semicolons_spaces_and_windows_lines_are_read(tmp_path):
    labels, scores = read_text(tmp_path, "label;score\r\n1; 0.5\r\n0; 1e-3\r\n")
    np.testing.assert_array_equal(labels, [True, False])
    np.testing.assert_array_equal(scores, [0.5, 1e-3])


def test_text_numbers_round_trip_exactly(tmp_path):
    values = np.random.default_rng(0).random(1000) * 10.0 ** np.arange(-500, 500).clip(-300, 300)
    rows = "".join(f"{i % 2},{value!r}\n" for i, value in enumerate(values.tolist()))
    np.testing.assert_array_equal(read_text(tmp_path, "label,score\n" + rows)[1], values)


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int16, pl.UInt64])
def test_numbers_keep_their_type(dtype):
    array = number_array(pl.Series("score", [1, 2, 3], dtype=dtype))
    assert array.dtype == pl.Series([1], dtype=dtype).to_numpy().dtype
    np.testing.assert_array_equal(array, [1, 2, 3])


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("score", [True, False, True]),
        pl.Series("score", ["1", " 0 ", "1.0"]),
        pl.Series("score", ["1", "0", "1"], dtype=pl.Categorical),
        pl.Series("score", [1, 0, 1], dtype=pl.Decimal(10, 2)),
    ],
    ids=["bool", "text", "categorical", "decimal"],
)
def test_what_can_be_a_number_becomes_one(column):
    np.testing.assert_array_equal(number_array(column), [1.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("values", "positive", "expected"),
    [
        ([True, False], None, [True, False]),
        ([0, 1], None, [False, True]),
        ([-1, 1], None, [False, True]),
        ([1.0, 0.0], None, [True, False]),
        (["1", "0"], None, [True, False]),
        (["True", "false"], None, [True, False]),
        (["1", "1.0", "0"], None, [True, True, False]),
        ([0, 1], "0", [True, False]),
        ([1, 2], "2.0", [False, True]),
        ([True, False], "false", [False, True]),
        (["yes", "no"], "yes", [True, False]),
        ([" yes", "no", "yes "], "yes", [True, False, True]),
        (["nan", "inf"], "inf", [False, True]),
    ],
)
def test_positive_labels(values, positive, expected):
    np.testing.assert_array_equal(positive_array(pl.Series("label", values), positive), expected)


def test_categorical_labels():
    column = pl.Series("label", ["a", "b", "a"], dtype=pl.Categorical)
    np.testing.assert_array_equal(positive_array(column, "b"), [False, True, False])


@pytest.mark.parametrize(
    ("text", "positive", "message"),
    [
        ("label,score\n", None, "text.csv has no rows"),
        ("", None, "cannot read .*text.csv: empty CSV"),
        (
            "label,score\n1,2\n0,n. v.\n0,5\n",
            None,
            "column 'score' holds text in 1 of 3 rows, first 'n. v.' in data row 2",
        ),
        (
            "label,score\n1,2\n0,NA\n0,\n1,nan\n",
            None,
            "column 'score' has 3 missing values, first in data row 2",
        ),
        ("label,score\n1,2\n,3\n", None, "'label' has 1 missing value, first in data row 2"),
        ("label,score\nno,2\nno,3\n", "yes", "'label' holds 'no' in all 2 rows: rows of two"),
        ("label,score\n1,1\n2,2\n3,3\n", None, "3 different values .'1', '2' and '3'.: labels"),
        (
            "label,score\nno,2\nno,1\nyes,3\n",
            None,
            "'label' holds 'no' and 'yes': name the positive one, --pos-label yes",
        ),
        ("label,score\nno,2\nyes,3\n", "Yes", "'no' and 'yes', not 'Yes'; did you mean 'yes'"),
        ("Label,score\n1,2\n0,3\n", None, "no column 'label'; it has Label, score; did you mean"),
        ("label,scores\n1,2\n0,3\n", None, "no column 'score'.*did you mean 'scores'"),
        ("label,score\n1,2,3,4\n", None, "cannot read .*text.csv: "),
    ],
)
def test_messages(tmp_path, text, positive, message):
    with pytest.raises(ValueError, match=message):
        read_text(tmp_path, text, positive)


def test_a_missing_file_names_the_nearest(tmp_path):
    write(tmp_path, "scores.csv")
    with pytest.raises(FileNotFoundError, match="did you mean 'scores.csv'"):
        read_columns(tmp_path / "score.csv", ["label"], ["score"])
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_columns(tmp_path / "nowhere" / "score.csv", ["label"], ["score"])


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.csv"])
def test_a_file_that_is_something_else_cannot_be_read(tmp_path, name):
    (tmp_path / name).write_bytes(b"label,score\n\xff\xfe,1\n")
    with pytest.raises(ValueError, match=f"cannot read .*{name}"):
        read_columns(tmp_path / name, ["label"], ["score"])


def test_an_unknown_ending_lists_the_formats(tmp_path):
    (tmp_path / "a.xlsx").touch()
    with pytest.raises(ValueError, match=r"a.xlsx is not known: give a .csv, .tsv, .parquet"):
        read_columns(tmp_path / "a.xlsx", ["label"], ["score"])


def test_dates_and_lists_are_neither_numbers_nor_labels():
    nested = pl.Series("score", [[1], [2]])
    with pytest.raises(ValueError, match=r"holds List\(Int64\), not numbers"):
        number_array(nested)
    with pytest.raises(ValueError, match=r"holds List\(Int64\), not labels"):
        positive_array(nested, "1")
