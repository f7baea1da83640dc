"""Rare positives: which metrics keep their value as the positives get rarer, and which mislead.

The scores are binormal, so the true AUC is known. First one model meets 50 %, 10 % and 1 %
positives beside a classifier that never flags anything. Then two models are ranked in opposite
orders by the area under the ROC curve and by the precision that an application would see.

    python examples/imbalance.py
"""

import numpy as np

import fastmetrics as fm

NEGATIVES = 20_000
POSITIVES = (20_000, 2_222, 202)
THRESHOLD = 1.0
METRICS = (
    "roc_auc",
    "average_precision",
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
    "f1",
    "matthews_corrcoef",
    "cohen_kappa",
)


def sample(n_positive: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw binormal scores, the positives two standard deviations above the negatives."""
    generator = np.random.default_rng(3)
    positive = 2 + generator.normal(size=n_positive)
    negative = generator.normal(size=NEGATIVES)
    return np.repeat([1, 0], [n_positive, NEGATIVES]), np.concatenate([positive, negative])


def print_prevalences() -> None:
    """Print every metric at three prevalences, and the accuracy of flagging nothing."""
    samples = [sample(n_positive) for n_positive in POSITIVES]
    counts = [fm.threshold_sweep(*rows).at(THRESHOLD) for rows in samples]
    results = [fm.bootstrap(*rows, METRICS, threshold=THRESHOLD, n_resamples=0) for rows in samples]
    print(f"True AUC {fm.simulation.Binormal(2).auc:.4f}; flagged from {THRESHOLD} on")
    print(f"{'positives':<20}" + "".join(f"{n:>9,}" for n in POSITIVES))
    print(f"{'prevalence':<20}" + "".join(f"{y_true.mean():>9.1%}" for y_true, _ in samples))
    for name in ("tp", "fp", "fn", "tn"):
        print(f"{name:<20}" + "".join(f"{getattr(count, name):>9,}" for count in counts))
    for name in METRICS:
        print(f"{name:<20}" + "".join(f"{result[name].estimate:>9.4f}" for result in results))
    print("flagging nothing")
    for name in ("accuracy_score", "matthews_corrcoef", "cohen_kappa_score"):
        metric = getattr(fm, name)
        values = [metric(y_true, np.zeros_like(y_true)) for y_true, _ in samples]
        print(f"  {name:<18}" + "".join(f"{value:>9.4f}" for value in values))


def print_expectations() -> None:
    """Print what the model is worth at each prevalence, by its law instead of a sample."""
    model = fm.simulation.Binormal(2)
    shares = [positives / (positives + NEGATIVES) for positives in POSITIVES]
    precision = [model.expected_precision(THRESHOLD, share) for share in shares]
    average = [model.average_precision(share) for share in shares]
    print("by the law of the scores")
    print(f"  {'precision':<18}" + "".join(f"{value:>9.4f}" for value in precision))
    print(f"  {'average precision':<18}" + "".join(f"{value:>9.4f}" for value in average))


def print_two_models() -> None:
    """Print two models that the ROC and the precision-recall curve rank in opposite orders."""
    generator = np.random.default_rng(5)
    negative = generator.normal(size=19_800)
    models = {
        "A": (2 + generator.normal(size=200), fm.simulation.Binormal(2)),
        "B": (2.6 + 2 * generator.normal(size=200), fm.simulation.Binormal(2.6, 2)),
    }
    y_true = np.repeat([0, 1], [19_800, 200])
    print("\n200 positives among 20,000  model A  model B")
    rows: dict[str, list[float]] = {
        "true AUC": [],
        "AUC": [],
        "average precision": [],
        "recall at 1 % FPR": [],
        "precision at 50 % recall": [],
    }
    for positive, truth in models.values():
        y_score = np.concatenate([negative, positive])
        values = (
            truth.auc,
            fm.roc_auc_score(y_true, y_score),
            fm.average_precision_score(y_true, y_score),
            fm.recall_at_false_positive_rate(y_true, y_score, max_fpr=0.01),
            fm.precision_at_recall(y_true, y_score, min_recall=0.5),
        )
        for row, value in zip(rows.values(), values):
            row.append(value)
    for name, values in rows.items():
        print(f"  {name:<25}" + "".join(f"{value:>9.4f}" for value in values))


if __name__ == "__main__":
    print_prevalences()
    print_expectations()
    print_two_models()
