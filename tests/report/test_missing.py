"""Rows in which something is missing: refused by name, or dropped for every model and counted."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fastmetrics as fm
from fastmetrics.errors import InputError
from fastmetrics.report.missing import drop_missing, missing_entries
from tests.report.problems import problem

NAT = np.datetime64("NaT")


@pytest.mark.parametrize(
    "column",
    [
        [1.0, None, 3.0],
        np.array([1.0, np.nan, 3.0]),
        np.array([1.0, np.nan, 3.0], np.float16),
        np.array(["a", None, "b"], object),
        np.array(["a", float("nan"), "b"], object),
        np.array([datetime.date(2020, 1, 1), NAT, datetime.date(2020, 1, 2)], "datetime64[D]"),
        np.ma.masked_array([1, 2, 3], [False, True, False]),
        np.ma.masked_array([1.0, np.nan, 3.0], False),
        pd.Series([1.0, None, 3.0]),
        pd.Series([1, pd.NA, 3], dtype="Int64"),
        pd.Series(["a", None, "b"]),
        pd.Series(pd.Categorical(["a", None, "b"])),
        pl.Series([1, None, 3]),
        pl.Series([1.0, float("nan"), 3.0]),
        pl.Series(["a", None, "b"]),
        pa.array([1, None, 3]),
        np.array([[1.0, 2.0], [np.nan, 2.0], [1.0, 2.0]]),
    ],
    ids=lambda column: f"{type(column).__module__}-{getattr(column, 'dtype', 'list')}",
)
def test_missing_entries_of_any_container(column):
    np.testing.assert_array_equal(missing_entries(column), [False, True, False])


def test_nothing_is_missing_in_text_and_integers():
    assert not missing_entries(np.array(["", "nan", "None"])).any()
    assert not missing_entries([0, 1]).any()


def test_a_row_is_dropped_from_every_column_and_counted():
    columns = {
        "y_true": [0, 1, None, 1],
        "y_score": {"a": [0.1, np.nan, 0.3, 0.4], "b": [1, 2, 3, 4]},
        "strata": "class",
        "groups": None,
        "by": pl.DataFrame({"site": ["x", "y", None, "z"]}),
    }
    kept, dropped = drop_missing(columns, "drop")
    assert (dropped.n_given, dropped.n_dropped) == (4, 2)
    assert dropped.by_column == {"y_true": 1, "y_score['a']": 1, "by['site']": 1}
    np.testing.assert_array_equal(kept["y_true"], [0, 1])
    assert kept["y_true"].dtype.kind == "i"
    np.testing.assert_array_equal(kept["y_score"]["b"], [1, 4])
    assert kept["by"]["site"].to_list() == ["x", "z"]
    assert (kept["strata"], kept["groups"]) == ("class", None)


def test_the_report_of_the_rest():
    y_true, scores = problem()
    holes = np.zeros((3, 300), bool)
    holes[0, 5] = holes[1, [5, 6]] = holes[2, 7] = True
    kept = ~holes.any(axis=0)
    report = fm.evaluate(
        np.where(holes[0], np.nan, y_true),
        {
            "model 0": np.where(holes[1], np.nan, scores["model 0"]),
            "model 1": np.where(holes[2], np.nan, scores["model 1"]),
        },
        missing="drop",
        groups=np.arange(300) % 50,
        folds=np.arange(300) % 3,
        n_resamples=100,
        method="percentile",
        rng=0,
    )
    rest = fm.evaluate(
        y_true[kept],
        {name: column[kept] for name, column in scores.items()},
        groups=(np.arange(300) % 50)[kept],
        folds=(np.arange(300) % 3)[kept],
        n_resamples=100,
        method="percentile",
        rng=0,
    )
    assert report.scores.to_dict() == rest.scores.to_dict()
    assert (report.data.n_rows, report.data.dropped.n_dropped) == (297, 3)
    (text,) = [f.text for f in report.findings if "dropped" in f.text]
    assert text.startswith("3 of 300 rows have something missing (1 in y_true, 2 in y_score")


def test_missing_entries_are_refused_by_name():
    y_true, scores = problem()
    scores["model 1"][[3, 8]] = np.nan
    with pytest.raises(InputError, match=r"y_score\['model 1'\] has 2 missing entries, first at"):
        fm.evaluate(y_true, scores)
    with pytest.raises(InputError, match=r"row 3: pass missing='drop'"):
        fm.evaluate(y_true, scores)


def test_nothing_left():
    with pytest.raises(InputError, match="leaves no row"):
        drop_missing({"y_true": [0, None], "y_score": [None, 1.0]}, "drop")


def test_splits_by_number_do_not_survive_dropped_rows():
    y_true, scores = problem()
    scores["model 0"][3] = np.nan
    folds = [(np.arange(150), np.arange(150, 300)), (np.arange(150, 300), np.arange(150))]
    with pytest.raises(InputError, match="pass the fold of each row"):
        fm.evaluate(y_true, scores, folds=folds, missing="drop")


def test_columns_of_different_lengths():
    with pytest.raises(InputError, match="y_true has 2 rows, y_score has 3 rows"):
        drop_missing({"y_true": [0, 1], "y_score": [None, 1.0, 2.0]}, "drop")
