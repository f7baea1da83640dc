"""One set of scores, read at three thresholds and on two scales.

Accuracy rises as recall vanishes; the AUC is the same on both scales, the Brier score is not; and a
regression ends the page. 20,000 rows, a tenth of them positive, scores a standard deviation apart.

    python examples/thresholds_and_calibration.py
"""

import numpy as np

import fastmetrics as fm

PREVALENCE = 0.1
HEADINGS = {
    "acc": "accuracy",
    "prec": "precision",
    "rec": "recall",
    "spec": "specificity",
    "f1": "f1",
    "mcc": "matthews_corrcoef",
}


def print_thresholds(y_true: np.ndarray, probability: np.ndarray) -> None:
    """Print the metrics of decisions at three thresholds."""
    print("thresh" + "".join(f"{heading:>7}" for heading in HEADINGS))
    for threshold in (0.10, 0.25, 0.50):
        metrics = [fm.metric(name, threshold=threshold) for name in HEADINGS.values()]
        values = "".join(f"{metric(y_true, probability):>7.3f}" for metric in metrics)
        print(f"{threshold:>6.2f}{values}")


def print_scales(y_true: np.ndarray, posterior: np.ndarray, sigmoid: np.ndarray) -> None:
    """Print what the ranking is worth, and what the probabilities are worth."""
    print(
        f"\nauc: posterior = {fm.roc_auc_score(y_true, posterior):.4f}  "
        f"sigmoid = {fm.roc_auc_score(y_true, sigmoid):.4f}  "
        f"theory = {fm.simulation.Binormal(1).auc:.4f}"
    )
    constant = np.full(len(y_true), PREVALENCE)
    print(
        f"brier: calibrated = {fm.brier_score_loss(y_true, posterior):.4f}  "
        f"miscalibrated = {fm.brier_score_loss(y_true, sigmoid):.4f}  "
        f"predict-prevalence = {fm.brier_score_loss(y_true, constant):.4f}"
    )


def print_regression(generator: np.random.Generator) -> None:
    """Print three errors of the true conditional mean, which noise alone keeps from 0."""
    mean = 2 * generator.uniform(0, 1, 500)
    target = mean + generator.normal(0, 0.3, 500)
    print(
        f"regression: rmse = {fm.root_mean_squared_error(target, mean):.4f}  "
        f"mae = {fm.mean_absolute_error(target, mean):.4f}  r2 = {fm.r2_score(target, mean):.4f}"
    )


def main() -> None:
    """Draw the scores and print the page."""
    generator = np.random.default_rng(1)
    y_true = (generator.uniform(size=20_000) < PREVALENCE).astype(int)
    positive, negative = generator.normal(1, 1, 20_000), generator.normal(0, 1, 20_000)
    score = np.where(y_true == 1, positive, negative)
    posterior = fm.simulation.Binormal(1).probability(score, PREVALENCE)
    print_thresholds(y_true, posterior)
    print_scales(y_true, posterior, 1 / (1 + np.exp(-score)))
    print_regression(generator)


if __name__ == "__main__":
    main()
