"""A printout of many metrics on one simulated problem, digit for digit."""

import math

import numpy as np

import fastmetrics as fm

PRINTED = """\
thresh    acc   prec    rec   spec     f1    mcc
  0.10  0.696  0.208  0.707  0.695  0.322  0.255
  0.25  0.877  0.360  0.265  0.946  0.305  0.243
  0.50  0.899  0.588  0.039  0.997  0.073  0.133

auc: posterior = 0.7646  sigmoid = 0.7646  theory = 0.7602
brier: calibrated = 0.0820  miscalibrated = 0.2752  predict-prevalence = 0.0916
regression: rmse = 0.2934  mae = 0.2367  r2 = 0.7892
"""
PREVALENCE = 0.1
AT_A_THRESHOLD = ("accuracy", "precision", "recall", "specificity", "f1", "mcc")


def density(values):
    return np.exp(-(values**2) / 2) / np.sqrt(2 * np.pi)


def test_every_line_of_the_printout_comes_out():
    generator = np.random.default_rng(1)
    n = 20_000
    y_true = (generator.uniform(size=n) < PREVALENCE).astype(int)
    positives, negatives = generator.normal(1, 1, n), generator.normal(0, 1, n)
    score = np.where(y_true == 1, positives, negatives)
    joint = PREVALENCE * density(score - 1)
    posterior = joint / (joint + (1 - PREVALENCE) * density(score))
    sigmoid = 1 / (1 + np.exp(-score))

    lines = ["thresh    acc   prec    rec   spec     f1    mcc"]
    for threshold in (0.10, 0.25, 0.50):
        values = [
            fm.metric(name, threshold=threshold)(y_true, posterior) for name in AT_A_THRESHOLD
        ]
        lines.append(f"{threshold:>6.2f}" + "".join(f"{value:>7.3f}" for value in values))
    theory = 0.5 * (1 + math.erf(0.5))
    lines.append(
        f"\nauc: posterior = {fm.roc_auc_score(y_true, posterior):.4f}  "
        f"sigmoid = {fm.rank_auc(y_true, sigmoid):.4f}  theory = {theory:.4f}"
    )
    constant = np.full(n, PREVALENCE)
    lines.append(
        f"brier: calibrated = {fm.brier_score_loss(y_true, posterior):.4f}  "
        f"miscalibrated = {fm.brier_score_loss(y_true, sigmoid):.4f}  "
        f"predict-prevalence = {fm.brier_score_loss(y_true, constant):.4f}"
    )
    x = generator.uniform(0, 1, 500)
    target, forecast = 2 * x + generator.normal(0, 0.3, 500), 2 * x
    lines.append(
        f"regression: rmse = {fm.root_mean_squared_error(target, forecast):.4f}  "
        f"mae = {fm.mean_absolute_error(target, forecast):.4f}  "
        f"r2 = {fm.r2_score(target, forecast):.4f}\n"
    )
    assert "\n".join(lines) == PRINTED
