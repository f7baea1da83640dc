"""A hundred positives among ever more negatives: what happens to each metric, up to a billion rows.

Where the law of the scores is known, the negatives need not be drawn: it is enough to count how
many fall between the positives. A thousand data sets of each size, exact in law. The AUC stays; AP
falls, and with it what it says of the model: among a billion it is the luck of the top few.

    python examples/billions_of_negatives.py
"""

import time

import fastmetrics as fm

POSITIVES = 100
NEGATIVES = (100, 10_000, 1_000_000, 100_000_000, 1_000_000_000)
DATA_SETS = 1_000
THRESHOLD = 3.0
MODEL = fm.simulation.Binormal(2.5)
METRICS = {
    "AUC": "roc_auc",
    "AP": "average_precision",
    "recall": fm.metric("recall_at_false_positive_rate", max_fpr=1e-4),
    "precision": "precision",
}


def main() -> None:
    """Simulate every size and print mean and spread of each metric over the data sets."""
    print(f"{MODEL}, true AUC {MODEL.auc:.4f}; {POSITIVES} positives in each data set")
    print("recall at a false positive rate of 1 in 10,000, precision from 3.0 on")
    heading = "".join(f"{name:>14}   " for name in METRICS)
    print(f"{'negatives':>13}{heading}  AP by law")
    start = time.perf_counter()
    for negatives in NEGATIVES:
        result = fm.simulation.simulate(
            MODEL,
            n_positive=POSITIVES,
            n_negative=negatives,
            n_datasets=DATA_SETS,
            metrics=METRICS,
            threshold=THRESHOLD,
            rng=0,
            n_jobs=-1,
        )
        values = "".join(
            f"{mean:>9.3g} ±{spread:<7.2g}"
            for mean, spread in zip(result.mean, result.standard_deviation)
        )
        expected = MODEL.average_precision(POSITIVES / (POSITIVES + negatives))
        print(f"{negatives:>13,}{values}{expected:>12.3g}")
    seconds = time.perf_counter() - start
    print(f"{len(NEGATIVES) * DATA_SETS:,} data sets in {seconds:.1f} s, compilation included")


if __name__ == "__main__":
    main()
