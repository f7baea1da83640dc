"""The area as a statement about pairs."""

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm
from fastmetrics.ranking import pairs

FUNCTIONS = [fm.rank_auc, fm.pairwise_auc, fm.gini_score]


def problem(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, 2, n)
    return y_true, (rng.normal(size=n) + y_true).round(1), rng.random(n) * rng.integers(0, 3, n)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("pairs_at_once", [1, 150, 2**20])
def test_all_ways_to_the_area_agree(weighted, pairs_at_once, monkeypatch):
    monkeypatch.setattr(pairs, "_PAIRS_AT_ONCE", pairs_at_once)
    y_true, y_score, weights = problem()
    weights = weights if weighted else None
    area = fm.roc_auc_score(y_true, y_score, sample_weight=weights)
    assert fm.rank_auc(y_true, y_score, sample_weight=weights) == pytest.approx(area, rel=1e-13)
    assert fm.pairwise_auc(y_true, y_score, sample_weight=weights) == pytest.approx(area, rel=1e-13)
    gini = fm.gini_score(y_true, y_score, sample_weight=weights)
    assert gini == pytest.approx(2 * area - 1, rel=1e-12)


def test_area_is_the_rank_sum():
    scipy_stats = pytest.importorskip("scipy.stats")
    y_true, y_score, _ = problem()
    positives = int(y_true.sum())
    rank_sum = scipy_stats.rankdata(y_score)[y_true == 1].sum()
    expected = (rank_sum - positives * (positives + 1) / 2) / (positives * (200 - positives))
    assert fm.rank_auc(y_true, y_score) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_weights_equal_repetition(function):
    y_true, y_score, _ = problem(30)
    counts = np.arange(30) % 4
    expected = function(np.repeat(y_true, counts), np.repeat(y_score, counts))
    assert function(y_true, y_score, sample_weight=counts) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_text_labels_need_the_positive_one(function):
    y_true, y_score, _ = problem()
    names = np.array(["benign", "malignant"])[y_true]
    with pytest.raises(ValueError, match="name the positive one, pos_label='malignant'"):
        function(names, y_score)
    assert function(names, y_score, pos_label="malignant") == function(y_true, y_score)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("y_true", "weights"), [([1, 1, 1], None), ([0, 0, 0], None), ([0, 1, 0], [1, 0, 1])]
)
def test_one_class_is_undefined(function, y_true, weights):
    with pytest.warns(UndefinedMetricWarning, match="Only one class"):
        assert np.isnan(function(y_true, [1, 2, 3], sample_weight=weights))
