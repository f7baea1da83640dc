"""Folds and intervals: what cross validation hides, and what an interval has to resample.

Twelve units in four folds, four ways to split 24 rows, folds that hold no positive row, intervals
of a proportion, thirty people with twenty answers each, and a check that a 95 % interval covers
the truth 95 times in a hundred.

    python examples/folds_and_intervals.py
"""

import warnings
from collections.abc import Iterator
from textwrap import indent, wrap

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, TimeSeriesSplit

import fastmetrics as fm
from worked_example import FAULTY, SCORES

METRICS = ("precision", "recall", "f1")
PEOPLE = fm.simulation.ClusteredAnswers(n_people=30, questions=20, mean=1, spread=1.2)


def print_folds_of_twelve() -> None:
    """Print the mean over folds beside the pooled value."""
    print("Twelve units in four plain folds")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plain = fm.fold_scores(FAULTY, SCORES, KFold(4), "recall")
    print("  positives per fold:", *plain.info.n_positive)
    print(indent("\n".join(wrap(f"the library warns: {caught[0].message}", 88)), "    "))

    splitter = StratifiedKFold(4)
    result = fm.fold_scores(FAULTY, SCORES, splitter, METRICS, undefined=0)
    print("\nTwelve units in four stratified folds")
    for k, (_, tested) in enumerate(splitter.split(SCORES, FAULTY)):
        units = ", ".join(str(row + 1) for row in tested)
        values = "".join(f"{result[name].per_fold[k]:>8.4f}" for name in METRICS)
        print(f"  units {units:<10}{values}")
    print(result)


def print_splitters() -> None:
    """Print how many of six positives each splitter puts into each of four test folds."""
    positive = np.tile([0, 0, 0, 1], 6)
    groups = np.repeat(np.arange(8), [5, 4, 4, 3, 3, 2, 2, 1])
    splitters = {
        "plain, shuffled": KFold(4, shuffle=True, random_state=166),
        "stratified": StratifiedKFold(4),
        "grouped": GroupKFold(4),
        "in time": TimeSeriesSplit(4),
    }
    print("\n24 rows, six positive, eight groups of unequal size")
    print(f"  {'':<17}rows tested   positives")
    for name, splitter in splitters.items():
        together = groups if name == "grouped" else None
        tests = [test for _, test in splitter.split(positive, positive, together)]
        rows = " ".join(str(len(test)) for test in tests)
        hits = " ".join(str(positive[test].sum()) for test in tests)
        print(f"  {name:<17}{rows:<14}{hits}")


def print_empty_folds() -> None:
    """Print how many of 2,000 folds test no positive row, plain and stratified."""
    labels = np.repeat([1, 0], [10, 190])
    empty = {
        splitter.__name__: sum(
            len(fm.folds_without_positives(labels, splitter(10, shuffle=True, random_state=seed)))
            for seed in range(200)
        )
        for splitter in (KFold, StratifiedKFold)
    }
    chance = np.prod([(180 - k) / (200 - k) for k in range(10)])
    print("\nTen positives among 200 rows, ten folds, 200 shuffles")
    for name, count in empty.items():
        print(f"  {name}: {count:,} of 2,000 folds test no positive")
    print(f"  expected of plain folds: {2000 * chance:.1f}")


def print_proportions() -> None:
    """Print two intervals of a proportion; Wald's leaves the unit interval, or has no width."""
    print("\n95 % intervals of a proportion")
    print("  right of n           Wald              Wilson")
    for right, n in ((8, 12), (11, 12), (12, 12), (53, 53), (800, 1200)):
        wald, wilson = fm.wald_interval(right, n), fm.wilson_interval(right, n)
        print(
            f"  {right:>5} of {n:<5}{wald.low:>8.4f} to {wald.high:.4f}"
            f"{wilson.low:>10.4f} to {wilson.high:.4f}"
        )


def drawn_rows(generator: np.random.Generator, blocks: np.ndarray) -> Iterator[np.ndarray]:
    """Draw 2,000 times as many blocks (blocks, rows) as there are, and yield their rows."""
    for _ in range(2000):
        drawn = generator.integers(0, len(blocks), len(blocks))
        yield blocks[drawn].ravel()


def print_people() -> None:
    """Print the interval of an accuracy when answers are resampled, and when people are."""
    correct, people = PEOPLE.draw(np.random.default_rng(0))
    rows = np.arange(len(correct))
    draws = {
        "answers": drawn_rows(np.random.default_rng(0), rows[:, None]),
        "people": drawn_rows(np.random.default_rng(0), rows.reshape(30, 20)),
    }
    results = {
        name: fm.bootstrap(None, correct, "mean", resamples=given, method="percentile")
        for name, given in draws.items()
    }
    results["groups=people"] = fm.bootstrap(
        None, correct, "mean", groups=people, method="percentile", rng=0
    )
    fresh = np.random.default_rng(2)
    spread = np.std([PEOPLE.draw(fresh).correct.mean() for _ in range(2000)], ddof=1)
    print(f"\nThirty people answer twenty questions, {correct.mean():.4f} of them rightly")
    for name, result in results.items():
        low, high = result.confidence_interval
        print(f"  {name:<14}{low:.4f} to {high:.4f}   SD {result.standard_error:.4f}")
    print(f"  SD over 2,000 fresh groups of people: {spread:.4f}")
    print(f"  SD by the law of the answers: {PEOPLE.standard_deviation:.4f}")


def print_coverage() -> None:
    """Print how often a 95 % percentile interval of the AUC holds the true value."""
    generator = np.random.default_rng(0)
    truth = fm.simulation.Binormal(1.5).auc
    labels = np.repeat([1, 0], [60, 140])
    intervals = []
    for _ in range(200):
        positive, negative = 1.5 + generator.normal(size=60), generator.normal(size=140)
        draws = (generator.integers(0, 200, 200) for _ in range(500))
        result = fm.bootstrap(
            labels, np.concatenate([positive, negative]), resamples=draws, method="percentile"
        )
        intervals.append(result.confidence_interval)
    low, high = np.transpose(intervals)
    covered = int(((low <= truth) & (truth <= high)).sum())
    error = np.sqrt(0.95 * 0.05 / 200)
    print(f"\n200 test sets of 60 positives among 200 rows, true AUC {truth:.4f}")
    print(f"  {covered} of 200 percentile intervals hold it, {covered / 200:.1%}")
    print(f"  chance of 200 sets: ± {error:.1%}; mean width {np.mean(high - low):.4f}")


if __name__ == "__main__":
    print_folds_of_twelve()
    print_splitters()
    print_empty_folds()
    print_proportions()
    print_people()
    print_coverage()
