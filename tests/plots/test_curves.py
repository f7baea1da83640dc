"""Curves of raw arrays: the lines hold the numbers of the functions that compute them."""

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastmetrics as fm
from tests.plots.drawings import problem, y_prob, y_true


def line_named(ax, start):
    (line,) = [line for line in ax.lines if str(line.get_label()).startswith(start)]
    return line


def test_roc_is_the_curve_and_its_area(ax):
    fm.plots.plot_roc(y_true, y_prob, ax=ax)
    fpr, tpr, _ = fm.roc_curve(y_true, y_prob)
    np.testing.assert_array_equal(line_named(ax, "AUC").get_xydata(), np.c_[fpr, tpr])
    assert line_named(ax, "AUC").get_label() == f"AUC {fm.roc_auc_score(y_true, y_prob):.3f}"
    assert line_named(ax, "chance").get_xydata().tolist() == [[0, 0], [1, 1]]


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_models_come_as_a_mapping_or_a_frame(frame, ax):
    fm.plots.plot_roc(y_true, frame({"a": y_prob, "b": 1 - y_prob}), ax=ax)
    areas = [fm.roc_auc_score(y_true, y_prob), fm.roc_auc_score(y_true, 1 - y_prob)]
    expected = ["chance", *(f"{name} (AUC {area:.3f})" for name, area in zip("ab", areas))]
    assert [line.get_label() for line in ax.lines] == expected


def test_no_models_are_an_error():
    with pytest.raises(fm.errors.InputError, match="y_score is empty"):
        fm.plots.plot_roc(y_true, {})


def test_the_area_under_the_steps_of_precision_is_the_average_precision(ax):
    fm.plots.plot_precision_recall(y_true, y_prob, ax=ax)
    line = line_named(ax, "average precision")
    assert line.get_drawstyle() == "steps-post"
    recall, precision = line.get_xdata(), line.get_ydata()
    area = float(-np.diff(recall) @ precision[:-1])
    assert area == pytest.approx(fm.average_precision_score(y_true, y_prob), rel=1e-12)
    assert line_named(ax, "prevalence").get_ydata()[0] == y_true.mean()


def test_weights_move_the_baseline_and_the_curve(ax):
    weights = np.where(y_true == 1, 3.0, 1.0)
    fm.plots.plot_precision_recall(y_true, y_prob, sample_weight=weights, ax=ax)
    assert line_named(ax, "prevalence").get_ydata()[0] == np.average(y_true, weights=weights)
    expected = fm.average_precision_score(y_true, y_prob, sample_weight=weights)
    assert line_named(ax, "average precision").get_label().endswith(f"{expected:.3f}")


@pytest.mark.filterwarnings("ignore:Only one class", "ignore:No positive")
@pytest.mark.parametrize("plot", [fm.plots.plot_roc, fm.plots.plot_precision_recall])
def test_one_class_has_no_area(plot, ax):
    plot([0, 0, 0], [0.1, 0.2, 0.3], ax=ax)
    assert ax.get_legend().get_texts()[1].get_text().endswith("undefined")


def test_reliability_points_intervals_and_counts(ax):
    fm.plots.plot_reliability(y_true, y_prob, n_bins=8, confidence_level=0.9, ax=ax)
    curve = fm.reliability_curve(y_true, y_prob, n_bins=8)
    held = curve.counts > 0
    points = line_named(ax, "90 % interval").get_xydata()
    np.testing.assert_array_equal(points, np.c_[curve.mean_prediction, curve.observed_share][held])
    positives = np.rint(curve.observed_share[held] * curve.counts[held])
    limits = fm.wilson_interval(positives, curve.counts[held], confidence_level=0.9)
    (bars,) = ax.collections
    drawn = np.array([segment[:, 1] for segment in bars.get_segments()])
    np.testing.assert_allclose(drawn, np.transpose(limits), rtol=1e-12)
    (foot,) = ax.child_axes
    assert [bar.get_height() for bar in foot.patches] == curve.counts.tolist()
    lefts = [bar.get_x() for bar in foot.patches]
    np.testing.assert_allclose(lefts, curve.edges[:-1])
    assert foot.get_xlim() == ax.get_xlim()


def test_weighted_counts_have_no_wilson_interval(ax):
    fm.plots.plot_reliability(y_true, y_prob, sample_weight=np.full(len(y_true), 0.5), ax=ax)
    assert not ax.collections
    assert sum(bar.get_height() for bar in ax.child_axes[0].patches) == len(y_true) / 2


def test_small_probabilities_fill_the_picture(ax):
    rare, small = problem(20_000, 0.01)
    fm.plots.plot_reliability(rare, small / 20, strategy="quantile", n_bins=4, ax=ax)
    segments = np.concatenate(ax.collections[0].get_segments())
    for low, high in (ax.get_xlim(), ax.get_ylim()):
        assert low < 0 < segments.max() < high < 0.2
    assert min(ax.get_yticks()) == 0


def test_a_second_reliability_curve_shares_the_counts(ax):
    fm.reliability_curve(y_true, y_prob).plot(ax, label="a")
    assert fm.reliability_curve(y_true, y_prob**2).plot(ax, label="b") is ax
    (foot,) = ax.child_axes
    assert len(foot.patches) == 20
    assert foot.get_ylim()[1] >= max(bar.get_height() for bar in foot.patches)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["calibrated", "a", "b"]


@pytest.mark.parametrize("normalize", [None, "rows", "worst"])
def test_costs_and_the_lowest_one(normalize, ax):
    options = {"cost_fp": 1, "cost_fn": 5, "normalize": normalize}
    fm.plots.plot_cost_curve(y_true, y_prob, **options, ax=ax)
    curve = fm.cost_curve(y_true, y_prob, **options)
    nothing, line, mark = ax.lines
    assert line.get_drawstyle() == "steps-pre"
    np.testing.assert_array_equal(line.get_xdata(), curve.thresholds[:0:-1])
    np.testing.assert_array_equal(line.get_ydata(), curve.costs[:0:-1])
    assert nothing.get_ydata()[0] == curve.costs[0]
    ((threshold, cost),) = mark.get_xydata()
    assert cost == curve.costs.min()
    assert threshold == fm.best_threshold(y_true, y_prob, cost_fp=1, cost_fn=5).threshold


def test_where_flagging_nothing_is_cheapest_nothing_is_marked(ax):
    fm.plots.plot_cost_curve([1, 0], [0.1, 0.9], cost_fp=9, cost_fn=1, ax=ax)
    assert len(ax.lines) == 2
    assert ax.get_legend().get_texts()[1].get_text() == "lowest 1 flagging nothing"


def test_metrics_at_every_threshold_and_the_best(ax):
    fm.plots.plot_metric_against_threshold(y_true, y_prob, ["f1", "hamming_loss"], ax=ax)
    sweep = fm.threshold_sweep(y_true, y_prob)
    for mark, line, name in zip(ax.lines[::2], ax.lines[1::2], ["f1", "hamming_loss"]):
        np.testing.assert_array_equal(line.get_xdata(), sweep.thresholds[::-1])
        np.testing.assert_array_equal(line.get_ydata(), sweep.metric(name)[::-1])
        best = sweep.best(name)
        assert mark.get_xydata().tolist() == [[best.threshold, best.value]]
        assert line.get_label() == f"{name}: best {best.value:.3f} at {best.threshold:.3f}"


def test_an_undefined_metric_is_said_to_be(ax):
    fm.plots.plot_metric_against_threshold([0, 0], [0.1, 0.2], "recall", ax=ax)
    assert ax.lines[-1].get_label() == "recall: undefined"


def test_a_metric_of_all_scores_has_no_threshold(ax):
    with pytest.raises(fm.errors.InputError, match="no metric of one threshold"):
        fm.plots.plot_metric_against_threshold(y_true, y_prob, "roc_auc", ax=ax)


def test_each_class_of_scores_adds_up_to_one(ax):
    fm.plots.plot_score_histograms(y_true, y_prob, bins=13, threshold=0.4, ax=ax)
    for patch, label in zip(ax.patches, (0, 1)):
        values, edges, _ = patch.get_data()
        counts, _ = np.histogram(y_prob[y_true == label], edges)
        np.testing.assert_allclose(values, counts / (y_true == label).sum(), rtol=1e-12)
        assert values.sum() == pytest.approx(1.0)
        assert len(values) == 13
    assert line_named(ax, "threshold").get_xdata()[0] == 0.4


def test_rounded_scores_do_not_make_a_comb(ax):
    scores = np.arange(0, 101) / 100
    fm.plots.plot_score_histograms(np.arange(101) % 2, scores, ax=ax)
    values, edges, _ = ax.patches[0].get_data()
    held = [np.sum((scores >= low) & (scores < high)) for low, high in pairwise(edges)]
    assert len(set(held[:-1])) == 1
    assert len(values) <= 40


@pytest.mark.parametrize("bins", [0, -1, 2.5])
def test_bins_are_whole(bins):
    with pytest.raises(fm.errors.InputError, match="bins="):
        fm.plots.plot_score_histograms(y_true, y_prob, bins=bins)


def test_net_benefit_with_both_policies(ax):
    fm.plots.plot_net_benefit(y_true, y_prob, ax=ax)
    points = np.linspace(0.01, 0.99, 99)
    for line, strategy in zip(ax.lines, ("treat_all", "treat_none", "model")):
        expected = fm.net_benefit(y_true, y_prob, threshold=points, strategy=strategy)
        np.testing.assert_array_equal(line.get_ydata(), expected)
        np.testing.assert_array_equal(line.get_xdata(), points)
    low, high = ax.get_ylim()
    assert -0.5 < low < 0 < y_true.mean() < high
