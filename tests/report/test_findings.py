"""What the numbers say in words: each sentence where it belongs, and not elsewhere."""

import re

import numpy as np
import pytest

import fastmetrics as fm
from tests.report.problems import problem, screening

# the data of some of these are meant to be odd
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def findings(*data, **options):
    report = fm.evaluate(*data, **{"n_resamples": 1000, "rng": 0, **options})
    return {finding.text: finding for finding in report.findings}


def says(found, start):
    """The texts that match the beginning of a sentence."""
    return [text for text in found if re.match(start, text)]


def test_143_rows_cannot_rank_two_models():
    found = findings(*screening(), metrics=["roc_auc", "average_precision"], method="percentile")
    text = (
        "The intervals of the differences in roc_auc and average_precision include zero: these "
        "143 rows cannot rank the two models."
    )
    assert found[text].kind == "result"
    one = findings(*screening(), metrics="roc_auc", method="percentile")
    assert says(one, "The interval of the difference in roc_auc includes zero: these 143 rows can")


def test_the_paired_difference_decides_where_separate_intervals_overlap():
    y_true, scores = screening()
    found = findings(y_true, scores, metrics="brier_score", method="percentile")
    (better,) = says(found, "logistic_regression is better than naive_bayes by brier_score")
    assert re.search(r"difference -0\.0388, -0\.07\d\d to -0\.00\d\d, p = 0\.0", better)
    (overlap,) = says(found, "The separate intervals of brier_score overlap all the same")
    assert found[overlap].kind == "note"


def test_differences_are_told_from_the_better_model():
    y_true, scores = screening()
    turned = dict(reversed(scores.items()))
    found = findings(y_true, turned, metrics="brier_score", method="percentile")
    assert says(found, r"logistic_regression is better .* \(difference -0\.0388")


def test_many_pairs_are_counted():
    found = findings(*problem(models=4), metrics="roc_auc")
    assert says(found, r"Of 6 pairs of models these are told apart, .*: roc_auc \d \(\d\)")


def test_holm_may_take_a_finding_back():
    y_true, scores = problem(models=3, seed=5)
    report = fm.evaluate(y_true, scores, n_resamples=1000, rng=0)
    alpha = 0.05
    undone = {
        row["metric"]
        for row in report.comparison.rows()
        if row["pvalue"] <= alpha < row["pvalue_adjusted"]
    }
    texts = [f.text for f in report.findings if "Holm's adjustment" in f.text]
    told = {name for name in report.scores.metrics if any(name in text for text in texts)}
    assert undone
    assert told == undone


def test_margins_are_judged():
    found = findings(*problem(2000), metrics="roc_auc", margin=0.1)
    assert says(found, "model 0 against model 1, by the margin given: not inferior in roc_auc")
    found = findings(*problem(), metrics="roc_auc", margin=(-0.001, 0.001))
    assert says(found, ".*by the margin given: equivalence not shown in roc_auc")


def test_two_rankings_may_disagree():
    y_true = np.r_[np.ones(4), np.zeros(6)].astype(int)
    top = [0.99, 0.98, 0.2, 0.1, 0.5, 0.6, 0.7, 0.3, 0.4, 0.45]
    middle = [0.6, 0.55, 0.52, 0.51, 0.9, 0.8, 0.1, 0.2, 0.3, 0.4]
    found = findings(y_true, {"top": top, "middle": middle})
    assert says(found, "roc_auc puts middle first, average_precision top")


def test_accuracy_below_the_majority_class():
    y_true, scores = problem(2000, prevalence=0.05)
    found = findings(y_true, scores["model 0"], threshold=0.3)
    (text,) = says(found, "Accuracy is below that of always answering the majority class: ")
    assert re.search(r"\d\d % against 9\d %", text)
    assert found[text].kind == "caution"
    assert not says(findings(*screening()), "Accuracy")


def test_accuracy_that_may_be_the_majority_class():
    y_true, scores = problem(200)
    found = findings(y_true, scores["model 0"])
    assert says(found, "The interval of accuracy includes 7. %")


def test_unbalanced_classes():
    y_true, scores = problem(3000, prevalence=0.02)
    found = findings(y_true, scores["model 0"])
    assert says(found, r"\d\.\d % of the rows are positive: accuracy and ROC AUC look good")
    turned = findings(1 - y_true, 1 - scores["model 0"])
    assert says(turned, r"9\d % of the rows are positive: precision, F1 and average precision")
    assert not says(findings(*screening()), ".*look good by themselves")


def test_few_positives():
    y_true, scores = problem(100, prevalence=0.1)
    found = findings(y_true, scores["model 0"])
    assert says(found, rf"Only {y_true.sum()} rows are positive: one row more or less moves")
    assert not says(findings(*screening()), "Only")


def test_one_class():
    found = findings(np.zeros(20, int), np.linspace(0, 1, 20), threshold=0.5)
    assert says(found, "No row is positive: metrics that compare the classes are undefined")
    assert says(
        found, "roc_auc, average_precision, recall and matthews_corrcoef cannot be computed"
    )


def test_chance_and_worse():
    generator = np.random.default_rng(0)
    y_true = np.arange(200) % 2
    found = findings(y_true, generator.random(200))
    assert says(found, "The interval of roc_auc includes 0.5: these rows cannot tell the scores")
    assert says(found, "The interval of average_precision reaches down to the prevalence, 0.5")
    y_true, scores = problem()
    found = findings(y_true, 1 - scores["model 0"])
    assert says(found, "The scores rank the wrong way round: roc_auc 0.2")


def test_perfect_separation_is_no_certainty():
    y_true = np.arange(40) % 2
    found = findings(y_true, y_true * 0.8 + 0.1)
    assert says(found, "roc_auc, average_precision.*every replicate is perfect and the interval")


def test_intervals_that_end_at_a_bound():
    y_true, scores = screening()
    found = findings(y_true, scores, metrics="recall", threshold=0.05, method="percentile")
    assert says(found, "The interval of recall of logistic_regression ends at the best possible")


def test_ties_and_constants():
    y_true, scores = problem()
    found = findings(y_true, scores["model 0"].round(1))
    assert says(found, r"The model gives 300 rows \d+ different scores\. Equal scores count half")
    found = findings(y_true, np.full(300, 0.3))
    assert says(found, "The model gives every row the same score")
    assert says(found, "The threshold flags no row")


def test_clusters_and_weights():
    y_true, scores = problem()
    found = findings(y_true, scores["model 0"], groups=np.arange(300) % 10)
    assert says(found, "Only 10 groups were drawn: intervals from so few clusters are too short")
    weights = np.where(np.arange(300) < 30, 100.0, 1.0)
    found = findings(y_true, scores["model 0"], sample_weight=weights)
    assert says(found, "The weights are uneven: 300 rows tell as much as 3. of equal weight")


def test_a_threshold_that_was_searched_here():
    y_true, scores = problem()
    found = findings(y_true, scores, cost_fp=1, cost_fn=5)
    assert says(found, "The thresholds were chosen on the same rows that judge them")
    assert says(found, r"Chosen anew in every replicate, the threshold lies between .* \(model 0\)")
    assert says(findings(y_true, scores["model 0"], threshold="f1"), "The threshold was chosen on")
    assert not says(findings(y_true, scores, threshold=0.3), ".*chosen on the same rows")


def test_a_default_is_no_decision():
    y_true, scores = problem()
    assert says(findings(y_true, scores), "The threshold 0.5 is a default, not a decision")
    assert not says(findings(y_true, scores, threshold=0.5), "The threshold 0.5 is a default")


def test_the_bayes_threshold_of_probabilities_that_are_off():
    found = findings(*screening(), cost_fp=1, cost_fn=20)
    (text,) = says(found, "At the threshold that the costs alone call for, 0.047619")
    assert "1.0070 of naive_bayes" in text


def test_probabilities_too_high_too_extreme_and_worse_than_none():
    generator = np.random.default_rng(0)
    log_odds = generator.normal(-1, 1.5, 2000)
    y_true = generator.random(2000) < 1 / (1 + np.exp(-log_odds))

    def probabilities(slope, shift=0.0):
        return 1 / (1 + np.exp(-(slope * log_odds + shift)))

    calm = findings(y_true, probabilities(1))
    assert not says(calm, "The probabilities") + says(calm, "The Brier")
    assert says(findings(y_true, probabilities(1, 1)), "The probabilities are too high on average")
    assert says(findings(y_true, probabilities(1, -1)), "The probabilities are too low on average")
    assert says(findings(y_true, probabilities(3)), "The probabilities are too extreme")
    assert says(findings(y_true, probabilities(0.5)), "The probabilities are too timid")
    assert says(findings(y_true, probabilities(-1)), "The Brier score is worse than that of always")


def test_undefined_replicates_and_rough_limits():
    y_true = (np.arange(30) < 2).astype(int)
    found = findings(y_true, np.arange(30) % 7 / 7, metrics="roc_auc", n_resamples=100)
    (text,) = says(found, r"roc_auc is undefined in \d+ % of the replicates: they were left out")
    assert found[text].topic == "method"
    assert says(found, r"100 replicates leave the limits.* rough: .*n_resamples=2000\.")


def test_slices_that_differ_from_all_rows():
    y_true, scores = problem(3000)
    site = np.array(["bad", "good", "fine"])[np.arange(3000) % 3]
    mixed = np.where(site == "bad", np.random.default_rng(0).random(3000), scores["model 0"])
    found = findings(y_true, mixed, by={"site": site}, metrics="roc_auc")
    (text,) = says(found, r"roc_auc lies below that of all rows, 0\.\d+ \(.*\), in site=bad 0\.")
    assert found[text].kind == "result"
    found = findings(y_true, scores["model 0"], by={"site": site}, metrics="roc_auc")
    assert not says(found, "roc_auc lies")


def test_slices_that_are_small_or_lack_a_class():
    y_true, scores = problem()
    part = np.where(y_true == 1, "sick", "mixed")
    part[y_true == 1] = np.where(np.arange(y_true.sum()) < 20, "mixed", "sick")
    found = findings(y_true, scores["model 0"], by=part, metrics="roc_auc")
    assert says(found, r"1 slice has fewer than 10 rows of a class \(sick\)")
    assert says(found, r"In 1 slice \(sick\) roc_auc cannot be computed")


def test_folds():
    y_true, scores = problem()
    folds = np.arange(300) % 5
    found = findings(y_true, scores["model 0"], folds=folds)
    assert says(found, "Mean over folds and pooled value differ, most in")
    y_true = (np.arange(300) < 40).astype(int)
    found = findings(y_true, scores["model 0"], folds=np.arange(300) // 60, metrics="roc_auc")
    assert says(found, "roc_auc is undefined in 4 of 5 folds, which the mean leaves out")


def test_results_come_first_then_cautions_then_notes(report):
    kinds = [finding.kind for finding in report.findings]
    assert kinds == sorted(kinds, key=["result", "caution", "note"].index)
    assert len(set(report.findings)) == len(report.findings)
