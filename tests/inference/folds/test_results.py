"""Results of a cross validation: access, tables, exports, pickles."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import StratifiedKFold

import fastmetrics as fm

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
METRICS = ["precision", "recall", "f1"]


@pytest.fixture
def result():
    return fm.fold_scores(FAULTY, SCORES, StratifiedKFold(4), METRICS, undefined=0)


def test_access(result):
    assert result.metrics == tuple(result) == tuple(METRICS)
    assert len(result) == 3
    assert result["f1"].metrics == ("f1",)
    with pytest.raises(KeyError, match="no metric 'mcc' here .*'precision', 'recall', 'f1'"):
        result["mcc"]
    with pytest.raises(AttributeError, match=r"3 metrics: take one, result\['precision'\].mean"):
        _ = result.mean


@pytest.mark.parametrize("library", [pd, pl])
def test_frames(library):
    scores = library.Series(SCORES)
    result = fm.fold_scores(FAULTY, scores, StratifiedKFold(4), METRICS)
    frame = result.to_frame()
    assert isinstance(frame, library.DataFrame)
    assert list(frame.columns) == [
        "metric", "mean", "pooled", "difference", "n_folds", "n_undefined",
    ]  # fmt: skip
    assert list(frame["metric"]) == METRICS
    assert list(frame["n_undefined"]) == [1, 0, 0]
    frame = result.to_frame(per_fold=True)
    assert list(frame.columns) == ["fold", "metric", "value", "n_rows", "n_positive"]
    assert len(frame) == 12
    np.testing.assert_array_equal(frame["value"][4:8], [1, 1, 1, 0])


def test_dict(result):
    found = json.loads(json.dumps(result.to_dict()))
    assert [row["metric"] for row in found["metrics"]] == METRICS
    assert found["n_rows"] == 12
    assert len(found["folds"]) == 12
    assert found["message"] == result.message


def test_tables(result):
    lines = result.to_markdown().splitlines()
    assert lines[0] == "| metric | mean over folds | pooled | undefined |"
    assert lines[2] == "| precision | 0.4583 | 0.5000 | 1 of 4 folds, counted as 0 |"
    assert r"recall & 0.750 & 0.750 & 0 of 4 folds \\" in result.to_latex()


def test_pickles(result):
    assert repr(pickle.loads(pickle.dumps(result))) == repr(result)


def test_nothing_defined():
    with pytest.warns(UserWarning, match="2 of 2 folds test no positive row"):
        result = fm.fold_scores([0, 0, 0, 0], [1, 2, 3, 4], [0, 0, 1, 1])
    assert np.isnan(result.mean)
    assert np.isnan(result.pooled)
    assert result.message == ""
