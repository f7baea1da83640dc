"""Bootstrap a million scores: exact intervals of two models, and their paired difference.

A fraud score on a million transactions, one in fifty a fraud, beside a challenger that gains where
the first is sure. 2,000 exact resamples of every metric, no subsample, all processor cores.

    python examples/million_scores.py
"""

import time

import numpy as np

import fastmetrics as fm

ROWS = 1_000_000
METRICS = {
    "AUC": "roc_auc",
    "average precision": "average_precision",
    "recall at 1 % FPR": fm.metric("recall_at_false_positive_rate", max_fpr=0.01),
    "F1 at 2.5": fm.metric("f1", threshold=2.5),
}


def draw_scores() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Draw the labels and both models' scores; the models share much of their noise."""
    generator = np.random.default_rng(0)
    fraud = generator.random(ROWS) < 0.02
    shared, own, other = generator.normal(size=(3, ROWS))
    today = 1.8 * fraud + 0.8 * shared + 0.6 * own
    challenger = 2.0 * fraud + 0.8 * shared + (0.6 + 0.6 * fraud) * other
    return fraud, {"today": today, "challenger": challenger}


def main() -> None:
    """Resample one model, then both on the same draws."""
    fraud, scores = draw_scores()
    start = time.perf_counter()
    result = fm.bootstrap(fraud, scores["today"], METRICS, rng=0, n_jobs=-1)
    seconds = time.perf_counter() - start
    print(f"One model, {ROWS:,} rows")
    print(result)

    start = time.perf_counter()
    comparison = fm.compare(
        fraud,
        scores,
        ["roc_auc", "average_precision"],
        baseline="today",
        n_resamples=500,
        rng=0,
        n_jobs=-1,
    )
    pair_seconds = time.perf_counter() - start
    print("\nTwo models on the same draws")
    print(comparison)
    print(f"\n{seconds:.1f} s, then {pair_seconds:.1f} s, compilation included")


if __name__ == "__main__":
    main()
