"""Twelve units of an inspection line: every metric of a scoring model on data that fit on a page.

Four of the units are faulty, the positive class. One call after the other shows what a threshold
decides, what the ranking is worth, what the errors cost, whether the scores are probabilities, and
how little twelve units say.

    python examples/worked_example.py
"""

import numpy as np

import fastmetrics as fm

SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
THRESHOLD = 0.5
COSTS = {"cost_fp": 1, "cost_fn": 10}


def print_decisions() -> None:
    """Print the counts at one threshold and the metrics that read nothing else."""
    counts = fm.threshold_sweep(FAULTY, SCORES).at(THRESHOLD)
    print(f"Flagged from {THRESHOLD} on")
    print(f"  TP {counts.tp}, FP {counts.fp}, FN {counts.fn}, TN {counts.tn}")
    for name in (
        "accuracy",
        "precision",
        "recall",
        "specificity",
        "false_positive_rate",
        "negative_predictive_value",
        "f1",
        "f2",
        "f0.5",
        "balanced_accuracy",
        "matthews_corrcoef",
        "cohen_kappa",
    ):
        value = fm.metric(name, threshold=THRESHOLD)(FAULTY, SCORES)
        print(f"  {name:<26}{value:.4f}")


def print_thresholds() -> None:
    """Print the counts at every threshold; the two units at 0.40 enter together."""
    sweep = fm.threshold_sweep(FAULTY, SCORES)
    recall, fall_out = sweep.metric("recall"), sweep.metric("false_positive_rate")
    precision = sweep.metric("precision")
    print("\nEvery threshold")
    print("  threshold  TP  FP  FN  TN  recall     FPR  precision")
    for k, threshold in enumerate(sweep.thresholds):
        counts = "".join(f"{column[k]:>4}" for column in (sweep.tp, sweep.fp, sweep.fn, sweep.tn))
        rates = f"{recall[k]:>8.2f}{fall_out[k]:>8.3f}{precision[k]:>11.4f}"
        print(f"  {threshold:>9.2f}{counts}{rates}")


def print_ranking() -> None:
    """Print the area under the ROC curve by three definitions, and average precision."""
    false_alarm_rate, recall, _ = fm.roc_curve(FAULTY, SCORES)
    prevalence = FAULTY.mean()
    print("\nRanking")
    print(f"  AUC by trapezoids         {fm.auc(false_alarm_rate, recall):.6f}")
    print(f"  AUC by pairs              {fm.pairwise_auc(FAULTY, SCORES):.6f}")
    print(f"  AUC by ranks              {fm.rank_auc(FAULTY, SCORES):.6f}")
    print(f"  average precision         {fm.average_precision_score(FAULTY, SCORES):.4f}")
    print(f"  prevalence, its baseline  {prevalence:.4f}")


def print_costs() -> None:
    """Print what every threshold costs, and the two ways to choose one."""
    curve = fm.cost_curve(FAULTY, SCORES, **COSTS)
    best = fm.best_threshold(FAULTY, SCORES, **COSTS)
    bayes = fm.bayes_threshold(**COSTS)
    sweep = fm.threshold_sweep(FAULTY, SCORES)
    at_half, at_bayes = (sweep.at(threshold) for threshold in (THRESHOLD, bayes))
    print("\nA false alarm costs 1, a missed faulty unit 10")
    print("  from infinity down:", *curve.costs.astype(int))
    print(f"  cheapest threshold {best.threshold:.2f}, for {best.value:.0f}")
    print(f"  the default {THRESHOLD} costs {at_half.fp + 10 * at_half.fn}")
    print(f"  calculated from the costs {bayes:.4f}, for {at_bayes.fp + 10 * at_bayes.fn}")
    print(f"  slope of equal cost {fm.iso_cost_slope(1, 10, FAULTY.mean()):.1f}")


def print_calibration() -> None:
    """Print the Brier score with its parts, and two bins of a reliability diagram."""
    brier = fm.brier_score_loss(FAULTY, SCORES)
    parts = fm.brier_decomposition(FAULTY, SCORES)
    curve = fm.reliability_curve(FAULTY, SCORES, n_bins=2)
    error = fm.expected_calibration_error(FAULTY, SCORES, n_bins=2)
    print("\nScores read as probabilities")
    print(f"  Brier score {brier:.6f}, of the base rate {parts.uncertainty:.4f}")
    print(
        f"  reliability {parts.reliability:.4f} - resolution {parts.resolution:.4f} "
        f"+ uncertainty {parts.uncertainty:.4f}"
    )
    print("  units  mean score  share faulty     gap")
    for count, mean, share in zip(curve.counts, curve.mean_prediction, curve.observed_share):
        print(f"  {count:>5}{mean:>12.4f}{share:>14.4f}{abs(mean - share):>8.4f}")
    print(f"  expected calibration error {error:.4f}")


def print_intervals() -> None:
    """Print how much twelve units say: eight right decisions of twelve, and the ranking."""
    generator = np.random.default_rng(0)
    draws = [generator.integers(0, 12, 12) for _ in range(2000)]
    result = fm.bootstrap(
        FAULTY, SCORES, ["accuracy", "roc_auc"], resamples=draws, method="percentile"
    )
    intervals = {
        "Wald": fm.wald_interval(8, 12),
        "Wilson": fm.wilson_interval(8, 12),
        "bootstrap": result["accuracy"].confidence_interval,
    }
    print("\n95 % intervals of the accuracy")
    for name, (low, high) in intervals.items():
        print(f"  {name:<10}{low:.4f} to {high:.4f}")
    area = result["roc_auc"]
    low, high = area.confidence_interval
    expected = 2000 * (8 / 12) ** 12
    print(f"95 % interval of the AUC: {low:.4f} to {high:.4f}")
    print(f"  {area.n_undefined} of 2,000 resamples hold no faulty unit ({expected:.1f} expected)")


if __name__ == "__main__":
    print_decisions()
    print_thresholds()
    print_ranking()
    print_costs()
    print_calibration()
    print_intervals()
