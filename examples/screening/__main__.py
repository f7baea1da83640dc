"""Evaluate three screening models: metrics, thresholds, costs, intervals, differences.

Two classifiers and a calibrated copy of one are judged as a model review would: a test set is put
away, every choice is made out of fold on the rest, and the test set is scored once.

    python examples/screening
    python examples/screening --cost-fn 50 --seed 3
    python examples/screening --figures figures
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from sklearn.model_selection import StratifiedKFold

import fastmetrics as fm
from evaluation import (
    METRICS,
    Costs,
    Probabilities,
    compare_models,
    out_of_fold,
    refitted,
    summarise,
    test_costs,
)
from figures import save_figures
from models import Split, build_models, split_tumours


def print_out_of_fold(split: Split, probabilities: Probabilities, folds: StratifiedKFold) -> None:
    """Print every metric of every model on the development set.

    A pooled AUC also compares rows of different folds, and counts rows half that tie at 0 or 1.
    """
    summaries = [summarise(split.malignant, p) for p in probabilities.values()]
    print("\nDevelopment set, out of fold; decisions at 0.5")
    print(f"  {'':<20}" + "".join(f"{name:>21}" for name in probabilities))
    for metric in METRICS:
        values = "".join(f"{summary[metric]:>21.4f}" for summary in summaries)
        print(f"  {metric:<20}{values}")
    per_fold = [fm.fold_scores(split.malignant, p, folds) for p in probabilities.values()]
    print(f"  {'roc_auc, mean fold':<20}" + "".join(f"{s.mean:>21.4f}" for s in per_fold))
    saturated = [((p == 0) | (p == 1)).sum() for p in probabilities.values()]
    print(f"  {'exactly 0 or 1':<20}" + "".join(f"{count:>21}" for count in saturated))


def print_thresholds(
    split: Split, found: Probabilities, tested: Probabilities, costs: Costs
) -> None:
    """Print the thresholds of every model and what they cost on the test set."""
    print(f"\nA false alarm costs {costs.cost_fp:g}, a missed tumour {costs.cost_fn:g}")
    for name, probability in found.items():
        best = fm.best_threshold(split.malignant, probability, **costs._asdict())
        print(f"  {name}: cheapest out of fold at {best.threshold:.6g}, for {best.value:g}")
        for row in test_costs(split.test_malignant, tested[name], best.threshold, costs):
            print(
                f"    {row.name:<8}{row.threshold:>12.6g}   test cost {row.cost:>4g}: "
                f"{row.missed} missed, {row.false_alarms} false alarms"
            )


def print_test(comparison: fm.ComparisonResult, resamples: int) -> None:
    """Print the test metrics with intervals, and the differences on the same draws."""
    scores = comparison.scores
    print(f"\nTest set, 95 % percentile intervals of {resamples:,} resamples")
    for model in scores.models:
        for metric in scores.metrics:
            entry = scores[model, metric]
            low, high = entry.confidence_interval
            print(f"  {model:<21}{metric:<19}{entry.estimate:.4f}   {low:.6f} to {high:.6f}")
    print("\nDifferences from naive Bayes, on the same draws")
    for row in comparison.rows():
        print(
            f"  {row['model']:<21}{row['metric']:<19}{row['difference']:+.6f}   "
            f"{row['low']:+.6f} to {row['high']:+.6f}   {row['verdict']}"
        )


def number(convert: Callable[[str], float], lowest: float) -> Callable[[str], float]:
    """Return a reader of numbers of at least `lowest`."""

    def read(text: str) -> float:
        value = convert(text)
        if not lowest <= value < float("inf"):
            raise argparse.ArgumentTypeError(f"{text}: give a number of {lowest:g} or more")
        return value

    read.__name__ = convert.__name__  # what argparse calls text that is no number
    return read


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python examples/screening",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--seed", type=number(int, 0), default=0, help="of the splits and the resamples")
    add("--folds", type=number(int, 2), default=5, help="of the development set")
    add("--penalty", type=number(float, 1e-6), default=1.0, help="of the logistic regression")
    add("--cost-fp", type=number(float, 0), default=1.0, help="of a false alarm")
    add("--cost-fn", type=number(float, 0), default=20.0, help="of a missed tumour")
    add("--resamples", type=number(int, 100), default=2000, help="of the test set")
    add("--figures", type=Path, metavar="FOLDER", help="where to save figures, if anywhere")
    options = parser.parse_args()
    if options.cost_fp + options.cost_fn == 0:
        parser.error("both costs are 0: every threshold costs the same")
    if options.figures is not None and find_spec("matplotlib") is None:
        parser.error("--figures needs matplotlib: pip install 'fastmetrics-engine[report]'")
    return options


def main() -> None:
    """Run the study."""
    options = read_options()
    costs = Costs(options.cost_fp, options.cost_fn)
    split = split_tumours(options.seed)
    folds = StratifiedKFold(options.folds, shuffle=True, random_state=options.seed + 1)
    models = build_models(options.penalty, inner_seed=options.seed + 2)

    found = out_of_fold(models, split.features, split.malignant, folds)
    tested = refitted(models, split.features, split.malignant, split.test_features)
    comparison = compare_models(split.test_malignant, tested, options.resamples, options.seed)

    for name, labels in (("Development", split.malignant), ("Test", split.test_malignant)):
        print(f"{name} set: {len(labels)} tumours, {labels.sum()} malignant")
    print_out_of_fold(split, found, folds)
    print_thresholds(split, found, tested, costs)
    print_test(comparison, options.resamples)
    if options.figures is not None:
        files = save_figures(options.figures, split.malignant, found, costs._asdict(), comparison)
        print("\nSaved", *(str(file) for file in files))


if __name__ == "__main__":
    main()
