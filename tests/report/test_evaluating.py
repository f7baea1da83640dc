"""``evaluate``: its numbers are those of the functions it calls, on one set of rows and draws."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import StratifiedKFold

import fastmetrics as fm
from fastmetrics.errors import InputError, LabelError
from fastmetrics.report.curves import FEWEST, affordable_resamples, affordable_searches
from fastmetrics.report.plain_data import plain_value
from tests.report.problems import MODELS, problem, screening


def evaluate(*data, **options):
    return fm.evaluate(*data, **{"n_resamples": 200, "rng": 0, "method": "percentile", **options})


def test_scores_are_those_of_the_bootstrap():
    y_true, scores = problem()
    groups = np.arange(300) % 60
    report = evaluate(y_true, scores, threshold=0.4, groups=groups)
    names = ["roc_auc", "average_precision", "brier_score", "log_loss"]
    names += ["f1", "precision", "recall", "accuracy", "matthews_corrcoef"]
    expected = fm.bootstrap(
        y_true, scores, names, threshold=0.4, groups=groups, n_resamples=200, rng=0,
        method="percentile",
    )  # fmt: skip
    assert plain_value(report.scores.to_dict()) == plain_value(expected.to_dict())
    assert plain_value(report.comparison.rows()) == plain_value(expected.compare().rows())


def test_the_costs_of_the_screening_run_come_out():
    y_true, scores = screening()
    thresholds = {"logistic_regression": 0.0520863, "naive_bayes": 1.83647e-7}
    report = evaluate(y_true, scores, threshold=thresholds, cost_fp=1, cost_fn=20)
    logistic, bayes = (report.thresholds.chosen[name] for name in MODELS)
    assert logistic.counts == (52, 14, 1, 76)
    assert bayes.counts == (51, 14, 2, 76)
    costs = {
        (point.model, point.rule): round(143 * point.mean_cost)
        for point in report.thresholds.points
    }
    assert costs["logistic_regression", "given"] == 34
    assert costs["logistic_regression", "Bayes, by the costs"] == 34
    assert costs["logistic_regression", "default"] == 82
    assert costs["naive_bayes", "given"] == 54
    assert costs["naive_bayes", "Bayes, by the costs"] == 144
    assert costs["naive_bayes", "default"] == 143
    assert not report.thresholds.searched
    found = report.calibration["logistic_regression"]
    assert found.brier_score == pytest.approx(report.scores[MODELS[0], "brier_score"].estimate)
    assert found.brier_score == pytest.approx(0.0320, abs=5e-5)


def test_the_same_seed_gives_the_same_report_for_any_number_of_threads():
    y_true, scores = problem()
    first = evaluate(y_true, scores, cost_fp=1, cost_fn=5).to_dict()
    assert evaluate(y_true, scores, cost_fp=1, cost_fn=5, n_jobs=2).to_dict() == first
    assert evaluate(y_true, scores, cost_fp=1, cost_fn=5, rng=1).to_dict() != first


def test_a_generator_seeds_all_parts_at_once():
    y_true, scores = problem()
    reports = [evaluate(y_true, scores, rng=np.random.default_rng(3)).to_dict() for _ in range(2)]
    assert reports[0] == reports[1]


def test_thresholds_are_those_of_the_sweep():
    y_true, scores = problem()
    report = evaluate(y_true, scores, cost_fp=1, cost_fn=4)
    for name, point in report.thresholds.chosen.items():
        sweep = fm.threshold_sweep(y_true, scores[name])
        best = sweep.best(cost_fp=1, cost_fn=4)
        assert point.threshold == best.threshold
        assert point.counts == sweep.at(best.threshold)
        assert point.mean_cost == pytest.approx(best.value / 300)
        assert point.mean_cost == pytest.approx(report.scores[name, "mean_cost"].estimate)
        assert point.rates["f1"] == pytest.approx(report.scores[name, "f1"].estimate)
        interval = fm.operating_point(
            y_true, scores[name], cost_fp=1, cost_fn=4, n_resamples=200, rng=0
        )
        assert plain_value(report.thresholds.intervals[name].to_dict()) == plain_value(
            interval.to_dict()
        )
    assert report.thresholds.searched


def test_a_threshold_may_be_searched_by_a_metric():
    y_true, scores = problem()
    report = evaluate(y_true, scores["model 0"], threshold="f1")
    best = fm.best_threshold(y_true, scores["model 0"], "f1")
    (point,) = report.thresholds.chosen.values()
    assert (point.threshold, point.rule) == (best.threshold, "best f1")
    assert report.scores["f1"].estimate == pytest.approx(best.value)
    assert report.thresholds.metric == "f1"


def test_given_thresholds_win_over_costs():
    y_true, scores = problem()
    report = evaluate(y_true, scores, threshold={"model 0": 0.4}, cost_fp=1, cost_fn=4)
    chosen = report.thresholds.chosen
    assert (chosen["model 0"].threshold, chosen["model 0"].rule) == (0.4, "given")
    assert chosen["model 1"].rule == "lowest cost"
    assert list(report.thresholds.intervals) == ["model 1"]


def test_costs_make_a_metric_of_their_own():
    y_true, scores = problem()
    report = evaluate(y_true, scores["model 0"], threshold=0.4, cost_fp=2, cost_fn=3)
    counts = fm.threshold_sweep(y_true, scores["model 0"]).at(0.4)
    expected = (2 * counts.fp + 3 * counts.fn) / 300
    assert report.scores["mean_cost"].estimate == pytest.approx(expected)
    low, high = report.scores["mean_cost"].confidence_interval
    assert 0 < low < expected < high


def test_calibration_is_that_of_the_functions():
    y_true, scores = problem()
    weights = np.random.default_rng(2).random(300)
    report = evaluate(y_true, scores, sample_weight=weights)
    for name, found in report.calibration.items():
        data = {"sample_weight": weights}
        terms = fm.brier_decomposition(y_true, scores[name], n_bins=10, **data)
        assert found.decomposition == terms
        assert found.brier_score == pytest.approx(fm.brier_score_loss(y_true, scores[name], **data))
        assert found.ece == pytest.approx(
            fm.expected_calibration_error(y_true, scores[name], n_bins=10, **data)
        )
        assert found.slope == pytest.approx(fm.calibration_slope(y_true, scores[name], **data))
        assert found.intercept == pytest.approx(
            fm.calibration_intercept(y_true, scores[name], **data)
        )
        assert sum(entry.n for entry in found.bins) == pytest.approx(weights.sum())
        assert all(np.isnan(entry.share_low) for entry in found.bins)


def test_the_interval_of_the_slope_covers_as_often_as_it_says():
    covered = 0
    for seed in range(200):
        generator = np.random.default_rng(seed)
        log_odds = generator.normal(-1, 1.5, 400)
        y_true = generator.random(400) < 1 / (1 + np.exp(-log_odds))
        report = fm.evaluate(y_true, 1 / (1 + np.exp(-log_odds)), n_resamples=0)
        found = report.calibration[None]
        covered += found.slope_low <= 1.0 <= found.slope_high
    # three standard errors of a share of 200 about 0.95
    assert 181 <= covered <= 199


def test_rows_of_a_cluster_count_together_in_the_error_of_the_slope():
    y_true, scores = problem()
    alone = fm.evaluate(y_true, scores["model 0"], n_resamples=0).calibration[None]
    fourfold = fm.evaluate(
        np.tile(y_true, 4),
        np.tile(scores["model 0"], 4),
        groups=np.tile(np.arange(300), 4),
        n_resamples=0,
    ).calibration[None]
    assert fourfold.slope == pytest.approx(alone.slope)
    assert fourfold.slope_high == pytest.approx(alone.slope_high)
    assert fourfold.z == pytest.approx(alone.z)


def test_folds_are_those_of_fold_scores():
    y_true, scores = problem()
    splitter = StratifiedKFold(5, shuffle=True, random_state=0)
    report = evaluate(y_true, scores, folds=splitter, threshold=0.4, metrics=["roc_auc", "f1"])
    for name, found in report.folds.items():
        expected = fm.fold_scores(y_true, scores[name], splitter, ["roc_auc", "f1"], threshold=0.4)
        assert plain_value(found.to_dict()) == plain_value(expected.to_dict())


def test_slices_share_the_draws():
    y_true, scores = problem()
    by = {"site": np.array(["a", "b", "c"])[np.arange(300) % 3]}
    report = evaluate(y_true, scores["model 0"], metrics="roc_auc", by=by)
    expected = fm.bootstrap(
        y_true, scores["model 0"], "roc_auc", by=by, n_resamples=200, rng=0, method="percentile"
    )
    assert plain_value(report.scores.to_dict()) == plain_value(expected.to_dict())
    assert [(part.name, part.n_rows) for part in report.data.slices] == [
        (f"site={name}", 100) for name in "abc"
    ]
    assert sum(part.n_positive for part in report.data.slices) == y_true.sum()


def test_curves_are_those_of_curve_band():
    y_true, scores = problem()
    report = evaluate(y_true, scores)
    assert list(report.curves) == ["roc", "precision_recall", "calibration", "net_benefit"]
    for name, band in report.curves.items():
        expected = fm.curve_band(y_true, scores, name, n_resamples=200, rng=0)
        assert plain_value(band.to_dict()) == plain_value(expected.to_dict())


def test_curves_take_fewer_replicates_of_very_many_rows():
    assert affordable_resamples(2000, 143, 2) == 2000
    assert affordable_resamples(2000, 100_000, 2) == 2000
    assert affordable_resamples(2000, 400_000, 2) == 500
    assert affordable_resamples(2000, 2_000_000, 2) == FEWEST
    assert affordable_resamples(100, 2_000_000, 2) == 100


def test_thresholds_are_searched_in_fewer_replicates_or_in_none():
    assert affordable_searches(2000, 143) == 2000
    assert affordable_searches(2000, 20_000) == 2000
    assert affordable_searches(2000, 100_000) == 400
    assert affordable_searches(2000, 200_000) == FEWEST
    assert affordable_searches(2000, 201_000) == 0
    assert affordable_searches(100, 200_000) == 100


def test_the_method_line_says_where_there_are_fewer_replicates(monkeypatch):
    monkeypatch.setattr("fastmetrics.report.curves.CURVE_BUDGET", 300 * 2 * 10)
    monkeypatch.setattr("fastmetrics.report.curves.SEARCH_BUDGET", 300 * 30)
    monkeypatch.setattr("fastmetrics.report.curves.FEWEST", 20)
    report = evaluate(*problem(), cost_fp=1, cost_fn=3)
    assert (report.method.curve_resamples, report.method.search_resamples) == (20, 30)
    assert "bands of curves: 20 resamples, for so many rows" in report.method.line
    assert "searched thresholds: 30 resamples, for so many rows" in report.method.line
    assert report.curves["roc"].info.n_resamples == 20
    monkeypatch.setattr("fastmetrics.report.curves.SEARCH_BUDGET", 300)
    report = evaluate(*problem(), cost_fp=1, cost_fn=3)
    assert not report.thresholds.intervals
    assert report.method.search_resamples == 0
    assert report.left_out == (
        "Intervals of searched thresholds are left out: of 300 rows they would take long, and be "
        "short.",
    )


def test_the_method_line():
    report = evaluate(*problem(), metrics=["roc_auc", "ece"], method=None)
    line = report.method.line
    assert line.startswith("300 rows, ")
    assert "200 multinomial resamples, seed 0" in line
    assert "95 % intervals: bca (roc_auc), basic (ece)" in line
    assert "undefined replicates: none" in line
    errors = [
        max(report.scores[name, "roc_auc"].monte_carlo_error) for name in report.scores.models
    ]
    assert report.method.monte_carlo_error["roc_auc"] == max(errors)
    assert line.endswith(f"fastmetrics {fm.__version__}")


def test_the_data_summary():
    y_true = [0, 0, 1, 1, 0]
    report = fm.evaluate(y_true, [0.2, 0.2, 0.9, 0.4, 0.9], n_resamples=0)
    assert (report.data.n_rows, report.data.n_positive, report.data.prevalence) == (5, 2, 0.4)
    (scores,) = report.data.scores
    assert (scores.n_distinct, scores.n_tied, scores.low, scores.high) == (3, 4, 0.2, 0.9)


def test_ties_are_counted_in_rows_whatever_the_weights():
    report = fm.evaluate([0, 1, 1], [0.2, 0.2, 0.9], sample_weight=[0.5, 1, 2], n_resamples=0)
    (scores,) = report.data.scores
    assert (scores.n_distinct, scores.n_tied) == (2, 2)
    assert report.data.prevalence == pytest.approx(3 / 3.5)
    assert report.data.effective_n == pytest.approx(3.5**2 / 5.25)


def test_scores_outside_0_1_leave_probabilities_out_with_a_sentence():
    y_true, scores = problem()
    scores = {"raw": 10 * scores["model 0"] - 5, "model": scores["model 1"]}
    report = evaluate(y_true, scores)
    assert report.scores.metrics == ("roc_auc", "average_precision")
    assert list(report.calibration) == ["model"]
    assert "Scores of raw lie outside [0, 1]" in report.left_out[0]
    assert "no default threshold: metrics of decisions are left out" in report.left_out[1]
    assert set(report.left_out) <= {finding.text for finding in report.findings}


def test_costs_give_raw_scores_a_threshold():
    y_true, scores = problem()
    report = evaluate(y_true, 10 * scores["model 0"] - 5, cost_fp=1, cost_fn=3)
    assert "f1" in report.scores.metrics
    assert "brier_score" not in report.scores.metrics
    assert len(report.left_out) == 1


def test_decisions_without_scores():
    y_true, scores = problem()
    said = (scores["model 0"] > 0.4).astype(int)
    report = evaluate(y_true, y_pred=said, cost_fp=1, cost_fn=2)
    (point,) = report.thresholds.points
    matrix = fm.confusion_matrix(y_true, said)
    assert point.counts == (matrix[1, 1], matrix[0, 1], matrix[1, 0], matrix[0, 0])
    assert np.isnan(point.threshold)
    assert report.scores["f1"].estimate == pytest.approx(fm.f1_score(y_true, said))
    assert not report.curves
    assert not report.calibration


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_class_only():
    report = evaluate([0, 0, 0], [0.2, 0.3, 0.1])
    assert np.isnan(report.scores["roc_auc"].estimate)
    assert report.scores["brier_score"].estimate == pytest.approx(0.14 / 3)
    assert not report.curves
    assert not report.calibration
    assert "With one class only" in report.left_out[0]


def test_values_and_several_classes_are_judged_by_the_metrics_that_are_named():
    generator = np.random.default_rng(0)
    y_true = generator.normal(size=50)
    values = {name: y_true + generator.normal(size=50) for name in "ab"}
    report = evaluate(y_true, values, metrics=["rmse", "mae"])
    assert report.scores["a", "mean_absolute_error"].estimate == pytest.approx(
        fm.mean_absolute_error(y_true, values["a"])
    )
    assert report.thresholds is None
    classes = np.array(list("xyz"))[generator.integers(0, 3, 60)]
    said = np.array(list("xyz"))[generator.integers(0, 3, 60)]
    report = evaluate(classes, y_pred=said, metrics="f1_macro")
    assert report.scores.estimate == pytest.approx(fm.f1_score(classes, said, average="macro"))
    assert report.data.n_positive is None


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_frames_give_what_arrays_give(library):
    y_true, scores = problem()
    given = evaluate(library.Series(y_true), library.DataFrame(scores))
    plain = evaluate(y_true, scores)
    assert given.to_dict() == plain.to_dict()


def test_text_labels_need_the_positive_one():
    y_true, scores = problem()
    named = np.where(y_true == 1, "sick", "well")
    report = evaluate(named, scores, pos_label="sick")
    assert plain_value(report.scores.to_dict()) == plain_value(
        evaluate(y_true, scores).scores.to_dict()
    )
    with pytest.raises(LabelError, match="pos_label='well'; or metrics="):
        evaluate(named, scores)


def test_estimates_only():
    report = evaluate(*problem(), n_resamples=0)
    assert report.comparison is None
    assert "ask for n_resamples=2000" in report.left_out[0]
    assert not report.curves
    assert "no resamples" in report.method.line


def test_studentized_intervals_are_not_compared():
    report = evaluate(*problem(), metrics="roc_auc", method="studentized")
    assert report.comparison is None
    assert "no standard error of a difference" in report.left_out[0]


def test_a_pickled_report_is_whole():
    report = evaluate(*problem(100))
    again = pickle.loads(pickle.dumps(report))
    assert again.to_dict() == report.to_dict()
    assert repr(again) == repr(report)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_fp": 1}, "pass both cost_fp= and cost_fn="),
        ({"cost_fp": 0, "cost_fn": 0}, "both 0"),
        ({"cost_fp": -1, "cost_fn": 1}, "cost_fp"),
        ({"missing": "ignore"}, "missing='ignore': give 'raise' or 'drop'"),
        ({"threshold": "magic"}, "no metric is called 'magic'"),
        ({"threshold": "roc_auc"}, "roc_auc"),
        ({"threshold": [0.5]}, "threshold="),
        ({"threshold": np.nan}, "threshold=nan"),
        ({"threshold": {"nobody": 0.5}}, "threshold names the model 'nobody'"),
        ({"baseline": "nobody"}, "baseline='nobody' is no model here"),
        ({"confidence_level": 95}, "confidence_level=95: give a fraction, 0.95"),
        ({"folds": "five"}, "folds"),
        ({"folds": [0, 1]}, "folds has 2 rows, the data 300"),
        ({"metrics": ["rmse"], "folds": np.zeros(300)}, "folds= is for problems of two classes"),
        ({"by": [1, 2]}, "by has 2 rows, the data 300"),
        ({"rng": -1}, "rng=-1"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises((ValueError, KeyError), match=message):
        evaluate(*problem(), **options)


def test_one_model_has_nothing_to_be_compared_with():
    y_true, scores = problem()
    with pytest.raises(InputError, match="compare models, and there is one"):
        evaluate(y_true, scores["model 0"], baseline="model 0")


def test_neither_scores_nor_decisions():
    with pytest.raises(ValueError, match="pass y_score, or y_pred"):
        fm.evaluate([0, 1])
