"""Folds without positives: their law is that of scikit-learn's splitters."""

import itertools

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation.folds import fold_sizes
from tests.chance import TOO_UNLIKELY, chi_square


def test_drawn_shuffles_have_the_law_of_the_splitter():
    drawn = simulation.folds_study(4, 25, n_folds=4, n_shuffles=200_000, rng=1)
    split = simulation.folds_study(4, 25, n_folds=4, seeds=range(1_000))
    shares = np.bincount(drawn.empty_folds["plain"], minlength=4) / 200_000
    observed = np.bincount(split.empty_folds["plain"], minlength=4)
    assert chi_square(observed, shares) > TOO_UNLIKELY


@pytest.mark.parametrize(("positives", "negatives", "folds"), [(1, 5, 2), (3, 4, 3), (2, 5, 4)])
def test_expected_share_is_that_of_all_placements(positives, negatives, folds):
    n = positives + negatives
    sizes = fold_sizes(n, folds)
    fold_of_row = np.repeat(np.arange(folds), sizes)
    empty = [
        folds - np.unique(fold_of_row[list(rows)]).size
        for rows in itertools.combinations(range(n), positives)
    ]
    study = simulation.folds_study(positives, negatives, n_folds=folds, n_shuffles=20_000, rng=2)
    row = study["plain"]
    assert row["expected_share"] == pytest.approx(np.mean(empty) / folds)
    spread = np.std(empty) / np.sqrt(20_000)
    assert abs(row["share"] * folds - np.mean(empty)) <= 4 * spread
    assert row["shuffles_with_empty"] == pytest.approx(np.mean(np.array(empty) > 0), abs=0.02)


@pytest.mark.parametrize("n", [10, 11, 23])
def test_folds_have_the_sizes_of_the_splitter(n):
    from sklearn.model_selection import KFold

    expected = [len(test) for _, test in KFold(4).split(np.zeros(n))]
    assert fold_sizes(n, 4).tolist() == expected


def test_stratified_folds_are_empty_only_where_positives_run_out():
    assert simulation.folds_study(10, 190, rng=1)["stratified"]["empty"] == 0
    few = simulation.folds_study(3, 190, n_shuffles=7, rng=1)["stratified"]
    assert (few["empty"], few["expected_share"], few["shuffles_with_empty"]) == (49, 0.7, 1.0)


def test_an_empty_fold_is_one_where_recall_is_undefined():
    from sklearn.model_selection import KFold

    y_true = np.repeat([1, 0], [10, 190])
    folds = KFold(10, shuffle=True, random_state=3)
    with pytest.warns(UserWarning, match="of 10 folds test no positive row"):
        scores = fm.fold_scores(y_true, np.ones(200), folds, "recall")
    study = simulation.folds_study(10, 190, seeds=[3])
    assert np.isnan(scores.per_fold).sum() == study["plain"]["empty"] > 0


def test_a_million_shuffles_agree_with_the_formula():
    row = simulation.folds_study(n_shuffles=1_000_000, rng=4)["plain"]
    assert row["n_folds"] == 10_000_000
    assert stats.binomtest(row["empty"], 10_000_000, row["expected_share"]).pvalue > TOO_UNLIKELY


def test_what_is_said():
    study = simulation.folds_study(seeds=range(20))
    assert "of 200 plain folds test no positive row" in study.conclusion
    assert study.conclusion.endswith("Of the stratified folds none does.")
    assert study.seed is None
    assert "seed" not in repr(study)
    none = simulation.folds_study(50, 50, n_folds=2, n_shuffles=5, rng=0)
    assert none.conclusion == "None of 10 plain folds is without a positive row."
    assert "5 shuffles of 50 positive and 50 negative rows, 2 folds, seed 0" in repr(none)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_positive": 0}, "n_positive=0: give a whole number of 1"),
        ({"n_negative": 0}, "n_negative=0: give a whole number of 1"),
        ({"n_folds": 1}, "n_folds=1: give a whole number of 2"),
        ({"n_folds": 201}, "n_folds=201: there are 200 rows to test"),
        ({"n_shuffles": 0}, "n_shuffles=0: give a whole number of 1"),
        ({"seeds": []}, "seeds is empty"),
        ({"seeds": [1], "rng": 1}, "seeds are those of the splitters: leave rng out"),
        ({"seeds": [1], "n_positive": 5}, "n_folds=10: scikit-learn stratifies no more folds"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        simulation.folds_study(**options)


def test_rows_that_are_not_there():
    with pytest.raises(UnknownNameError, match="no splitter 'grouped' here"):
        simulation.folds_study(n_shuffles=1)["grouped"]
