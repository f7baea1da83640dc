"""One sort, many answers."""

import copy

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
INF = float("inf")


@pytest.fixture
def sweep():
    return fm.threshold_sweep(FAULTY, SCORES)


def test_worked_example_table(sweep):
    assert sweep.thresholds.tolist() == [0.95, 0.85, 0.8, 0.7, 0.65, 0.55, 0.4, 0.3, 0.2, 0.15, 0.1]
    assert sweep.tp.tolist() == [1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4]
    assert sweep.fp.tolist() == [0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8]
    assert sweep.fn.tolist() == [3, 3, 2, 2, 1, 1, 0, 0, 0, 0, 0]
    assert sweep.tn.tolist() == [8, 7, 7, 6, 6, 5, 4, 3, 2, 1, 0]
    assert sweep.tp.dtype == np.int64


def test_worked_example_areas(sweep):
    assert sweep.roc_auc() == 0.796875
    assert sweep.average_precision() == pytest.approx(83 / 120, abs=1e-15)


def test_worked_example_costs(sweep):
    costs = [INF, *sweep.thresholds], [40, *(sweep.fp + 10 * sweep.fn)]
    assert costs[1] == [40, 30, 31, 21, 22, 12, 13, 4, 5, 6, 7, 8]
    assert sweep.best(cost_fp=1, cost_fn=10) == (0.4, 4)


def test_worked_example_at_a_threshold(sweep):
    counts = sweep.at(0.5)
    assert counts == (3, 3, 1, 5)
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (3, 3, 1, 5)
    # the same matrix from 0.55 down to just above 0.40
    assert sweep.at(0.55) == sweep.at(np.nextafter(0.4, 1)) == counts
    assert sweep.at(0.4) == (4, 4, 0, 4)
    assert sweep.at(0.96) == sweep.at(INF) == (0, 0, 4, 8)
    assert sweep.at(0) == sweep.at(-INF) == (4, 8, 0, 0)


def test_at_compares_as_numpy_does():
    y_score = np.array([0.7, 0.1, 0.3], np.float32)
    sweep = fm.threshold_sweep([1, 0, 1], y_score)
    for threshold in (0.7, np.float64(0.7), np.float32(0.7), 0.3, 1):
        flagged = y_score >= threshold
        counts = sweep.at(threshold)
        assert (counts.tp, counts.fp) == (flagged[[0, 2]].sum(), flagged[1])


@pytest.mark.parametrize("threshold", ["0.5", None, [0.5], np.array(0.5), 1j])
def test_a_threshold_is_one_number(sweep, threshold):
    with pytest.raises(ValueError, match="threshold=.*: give one number"):
        sweep.at(threshold)


def test_a_threshold_is_a_number(sweep):
    with pytest.raises(ValueError, match="threshold is nan"):
        sweep.at(float("nan"))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_thresholds_beyond_the_type_of_the_scores(dtype):
    sweep = fm.threshold_sweep([1, 0, 1], np.array([0.7, 0.1, 0.3], dtype))
    assert sweep.at(1e300) == (0, 0, 2, 1)
    assert sweep.at(-1e300) == (2, 1, 0, 0)


@pytest.mark.parametrize("max_fpr", [0.1, 0.375, 0.9, 1])
def test_partial_area_is_that_of_the_drop_in(sweep, max_fpr):
    expected = fm.roc_auc_score(FAULTY, SCORES, max_fpr=max_fpr)
    assert sweep.roc_auc(max_fpr=max_fpr) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("min_tpr", [0, 0.3, 0.75, 0.9])
def test_area_from_a_recall_by_hand(sweep, min_tpr):
    # the strip above min_tpr: one minus fpr, averaged over tpr
    fpr, tpr, _ = sweep.roc_curve(drop_intermediate=False)
    grid = np.linspace(min_tpr, 1, 400_001)
    height = 1 - np.interp(grid, tpr + 1e-9 * np.arange(len(tpr)), fpr)
    width = 1 - min_tpr
    chance = width**2 / 2
    expected = 0.5 * (1 + (height.mean() * width - chance) / (width - chance))
    assert sweep.roc_auc(min_tpr=min_tpr) == pytest.approx(expected, abs=1e-4)


def test_one_limit_at_a_time(sweep):
    with pytest.raises(ValueError, match="pass one of them"):
        sweep.roc_auc(max_fpr=0.1, min_tpr=0.9)
    with pytest.raises(ValueError, match="'min_tpr' parameter"):
        sweep.roc_auc(min_tpr=1)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(-5, 5), st.floats(0.1, 9)), max_size=40),
    st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_agrees_with_the_functions(rows, weighted):
    labels, scores, weights = zip((True, 1, 1.0), (False, 2, 1.0), *rows)
    weights = weights if weighted else None
    sweep = fm.threshold_sweep(labels, scores, sample_weight=weights)
    data = {"y_true": labels, "y_score": scores, "sample_weight": weights}
    assert sweep.roc_auc() == pytest.approx(fm.roc_auc_score(**data), rel=1e-12)
    assert sweep.average_precision() == fm.average_precision_score(**data)
    for name in ("roc_curve", "precision_recall_curve"):
        for drop in (False, True):
            ours = getattr(sweep, name)(drop_intermediate=drop)
            for mine, expected in zip(ours, getattr(fm, name)(**data, drop_intermediate=drop)):
                np.testing.assert_array_equal(mine, expected)


@pytest.mark.parametrize(
    ("name", "function", "options"),
    [
        ("f1", sklearn.metrics.f1_score, {}),
        ("accuracy", sklearn.metrics.accuracy_score, {}),
        ("matthews_corrcoef", sklearn.metrics.matthews_corrcoef, {}),
        ("recall", sklearn.metrics.recall_score, {}),
    ],
)
def test_metric_at_every_threshold(sweep, name, function, options):
    expected = [function(FAULTY, t <= SCORES, **options) for t in sweep.thresholds[:-1]]
    np.testing.assert_allclose(sweep.metric(name)[:-1], expected)
    best = sweep.best(name)
    assert best.value == pytest.approx(max(expected))
    assert best.threshold == sweep.thresholds[int(np.argmax(expected))]


def test_metric_itself_instead_of_its_name(sweep):
    np.testing.assert_array_equal(sweep.metric(fm.metric("f1")), sweep.metric("f1"))


def test_metrics_of_all_scores_have_no_threshold(sweep):
    with pytest.raises(ValueError, match="roc_auc is no metric of one threshold"):
        sweep.metric("roc_auc")


def test_flagging_nothing_can_be_best():
    sweep = fm.threshold_sweep([0, 0, 0, 1], [4, 3, 2, 1])
    assert sweep.best(cost_fp=1, cost_fn=1) == (INF, 1)
    assert sweep.best("accuracy") == (INF, 0.75)


def test_of_equal_costs_the_highest_threshold():
    assert fm.threshold_sweep([1, 0, 1], [3, 2, 1]).best(cost_fp=1, cost_fn=1) == (3, 1)


def test_undefined_throughout():
    sweep = fm.threshold_sweep([0, 0], [1, 2])
    with pytest.warns(UndefinedMetricWarning, match="undefined at every threshold"):
        assert np.isnan(sweep.best("recall")).all()


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"cost_fp": 1},
        {"cost_fn": 1},
        {"metric": "f1", "cost_fp": 1, "cost_fn": 1},
        {"metric": "f1", "cost_fn": 1},
        {"cost_fp": -1, "cost_fn": 1},
        {"cost_fp": 1, "cost_fn": float("nan")},
    ],
)
def test_best_needs_one_aim(sweep, arguments):
    with pytest.raises(ValueError, match=r"pass a metric|give a finite cost"):
        sweep.best(**arguments)


def test_one_class():
    sweep = fm.threshold_sweep([0, 0, 0], [1, 2, 2])
    assert sweep.fp.tolist() == [2, 3]
    for value in (sweep.roc_auc, sweep.average_precision):
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(value())
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(sweep.roc_curve()[1]).all()
    with pytest.warns(UndefinedMetricWarning):
        assert sweep.precision_recall_curve()[1].tolist() == [1, 1, 0]


def test_rows_of_weight_zero_are_not_there():
    sweep = fm.threshold_sweep([1, 0, 1], [3, 2, 1], sample_weight=[0, 0.5, 2])
    assert sweep.thresholds.tolist() == [2, 1]
    assert sweep.tp.tolist() == [0, 2]
    assert sweep.fp.tolist() == [0.5, 0.5]


def test_a_sweep_cannot_be_changed(sweep):
    with pytest.raises(ValueError, match="read-only"):
        sweep.tp[0] = 7
    with pytest.raises(AttributeError):
        sweep.tp = sweep.fp


def test_print_and_copy(sweep):
    assert repr(sweep) == "ThresholdSweep(11 thresholds, 4 positive, 8 negative)"
    assert copy.deepcopy(sweep).roc_auc() == sweep.roc_auc()


def test_inputs_stay_as_they_are():
    y_true, y_score = FAULTY.copy(), SCORES.copy()
    fm.threshold_sweep(y_true, y_score)
    assert y_true.flags.writeable
    assert y_score.flags.writeable
    np.testing.assert_array_equal(y_true, FAULTY)
    np.testing.assert_array_equal(y_score, SCORES)
