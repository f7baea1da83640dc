"""Ways to give folds, and what is refused."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import (
    KFold,
    PredefinedSplit,
    RepeatedKFold,
    StratifiedGroupKFold,
    TimeSeriesSplit,
)

import fastmetrics as fm

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
BLOCKS = np.repeat(np.arange(4), 3)


@pytest.mark.parametrize(
    "folds",
    [
        BLOCKS,
        BLOCKS.tolist(),
        np.array(["a", "b", "c", "d"])[BLOCKS],
        BLOCKS / 2,
        pd.Series(BLOCKS, index=range(12, 0, -1)),
        pd.Categorical.from_codes(BLOCKS, ["a", "b", "c", "d"]),
        pl.Series(BLOCKS),
        BLOCKS[:, None],
        list(KFold(4).split(SCORES)),
        [[train.tolist(), test.tolist()] for train, test in KFold(4).split(SCORES)],
        [(k != BLOCKS, k == BLOCKS) for k in range(4)],
        KFold(4),
        PredefinedSplit(BLOCKS),
    ],
)
@pytest.mark.filterwarnings("ignore:1 of 4 folds")
def test_ways_to_give_folds(folds):
    expected = fm.fold_scores(FAULTY, SCORES, KFold(4).split(SCORES), "accuracy")
    result = fm.fold_scores(FAULTY, SCORES, folds, "accuracy")
    np.testing.assert_array_equal(result.per_fold, expected.per_fold)
    assert result.pooled == expected.pooled
    assert len(result.folds) == 4


def test_names_of_folds():
    result = fm.fold_scores([0, 1, 0, 1], [1, 2, 3, 4], ["b", "a", "a", "b"])
    assert result.folds == ("a", "b")
    result = fm.fold_scores([0, 1, 0, 1], [1, 2, 3, 4], [7, 3, 3, 7])
    assert result.folds == (3, 7)


def test_groups_go_to_the_splitter():
    groups = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    by_splitter = fm.fold_scores(FAULTY, SCORES, StratifiedGroupKFold(2), "accuracy", groups=groups)
    pairs = StratifiedGroupKFold(2).split(SCORES, FAULTY, groups)
    assert (
        by_splitter.per_fold.tolist()
        == fm.fold_scores(FAULTY, SCORES, pairs, "accuracy").per_fold.tolist()
    )
    with pytest.raises(ValueError, match="groups are for splitters"):
        fm.fold_scores(FAULTY, SCORES, BLOCKS, groups=groups)


def test_rows_in_no_fold_are_left_out():
    labels = [0, 1, 0, 1, 0, 1]
    result = fm.fold_scores(labels, [0, 1, 2, 3, 4, 5], TimeSeriesSplit(2), "roc_auc")
    assert (result.info.n_tested, result.info.n_outside) == (4, 2)
    assert result.pooled == fm.roc_auc_score(labels[2:], [2, 3, 4, 5])
    assert "2 rows in no fold, left out" in repr(result)


def test_rows_in_several_folds_count_once_in_the_pooled_value():
    splitter = RepeatedKFold(n_splits=2, n_repeats=3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = fm.fold_scores(FAULTY, SCORES, splitter, "roc_auc")
    assert len(result.per_fold) == 6
    assert result.pooled == fm.roc_auc_score(FAULTY, SCORES)


@pytest.mark.parametrize(
    ("folds", "message"),
    [
        (4, "give the fold of each row"),
        ("kfold", "give the fold of each row"),
        ([0, 1], "folds has 2 rows, the data 12"),
        ([], "minimum of 1 sample"),
        (iter([]), "folds is empty"),
        ([*range(11), np.nan], "folds contains NaN"),
        (np.array([*range(11), None]), "folds contains NaN"),
        ([([0], [1, 12])], "fold 0 holds no row numbers from 0 to 11"),
        ([([0], [-1])], "fold 0 holds no row numbers"),
        ([([0], [0.5])], "fold 0 holds no row numbers"),
        ([([0, 1], [1, 2])], "fold 0 trains on 1 of the rows that it tests, first row 1"),
        ([([0], [1, 1])], "fold 0 holds a row twice"),
        ([([0], [])], "fold 0 tests no row"),
        (iter([[0, 1, 2]]), "entry 0 is no"),
        (np.zeros((12, 2)), "1d array"),
    ],
)
def test_bad_folds(folds, message):
    with pytest.raises(ValueError, match=message):
        fm.fold_scores(FAULTY, SCORES, folds)
