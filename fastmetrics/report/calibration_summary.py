"""How far the probabilities of each model can be taken at their word.

Conventions
-----------
Bins are ten of equal width, closed on the right. The decomposition of the Brier score uses the same
bins. Means are over rows, or their weights. Standard errors are those of a sandwich, with sums over
clusters where there are any, for probabilities may be wrong and rows of a cluster alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.sweeps.units import Labels
from fastmetrics.inference.proportions.binomial import wilson_interval
from fastmetrics.probability.calibration import (
    expected_calibration_error,
    maximum_calibration_error,
)
from fastmetrics.probability.calibration_line import log_odds
from fastmetrics.probability.decomposition import BrierDecomposition, brier_decomposition
from fastmetrics.probability.recalibration import fit_logistic, separates
from fastmetrics.probability.reliability import reliability_curve
from fastmetrics.registry import metric
from fastmetrics.report.sample import Model, Name, Sample

N_BINS = 10


@dataclass(frozen=True)
class CalibrationBin:
    """Rows whose probabilities lie close together.

    Parameters
    ----------
    low, high : edges
    n : rows, or their weight
    mean_probability, observed_share : nan in an empty bin
    share_low, share_high : Wilson's interval of the share; nan with weights, and in an empty bin
    """

    low: float
    high: float
    n: float
    mean_probability: float
    observed_share: float
    share_low: float
    share_high: float


@dataclass(frozen=True)
class Calibration:
    """Calibration of one model.

    Parameters
    ----------
    model : name, None where there is one without a name
    mean_probability, prevalence : what the model expects, and what happened
    brier_score : on these rows
    decomposition : of the Brier score, in bins
    skill : share by which the Brier score lies below that of always saying the prevalence
    ece, mce : expected and largest calibration error
    slope, intercept : of the calibration line; 1 and 0 are calibrated, nan where undefined
    slope_low, slope_high : confidence limits of the slope, from its robust standard error
    z : mean of outcome less probability, in its standard errors
    bins : the reliability diagram in numbers
    """

    model: Name
    mean_probability: float
    prevalence: float
    brier_score: float
    decomposition: BrierDecomposition
    skill: float
    ece: float
    mce: float
    slope: float
    slope_low: float
    slope_high: float
    intercept: float
    z: float
    bins: tuple[CalibrationBin, ...]


def summarize_calibration(sample: Sample, confidence_level: float) -> dict[Name, Calibration]:
    """Return the calibration of every model whose scores are probabilities.

    Empty where one class is all there is.
    """
    if not sample.has_both_classes:
        return {}
    return {model.name: _calibration(sample, model, confidence_level) for model in sample.probable}


def _calibration(sample: Sample, model: Model, level: float) -> Calibration:
    """Describe one model."""
    labels, weights = sample.truth, sample.weights
    probabilities = model.values.astype(np.float64, copy=False)
    terms = brier_decomposition(labels, probabilities, n_bins=N_BINS, sample_weight=weights)
    score = terms.brier_score
    with np.errstate(divide="ignore", invalid="ignore"):
        skill = float(1.0 - np.float64(score) / terms.uncertainty)
    slope, error = _slope(sample, probabilities)
    reach = NormalDist().inv_cdf((1.0 + level) / 2.0) * error
    return Calibration(
        model.name,
        float(np.average(probabilities, weights=weights)),
        float(np.average(labels.astype(np.float64), weights=weights)),
        score,
        terms,
        skill,
        expected_calibration_error(labels, probabilities, n_bins=N_BINS, sample_weight=weights),
        maximum_calibration_error(labels, probabilities, n_bins=N_BINS, sample_weight=weights),
        slope,
        slope - reach,
        slope + reach,
        # as a metric it is nan in silence where there is one class
        metric("calibration_intercept")(labels, probabilities, weights),
        _distance(sample, probabilities),
        _bins(sample, probabilities, level),
    )


def _slope(sample: Sample, probabilities: Floats) -> tuple[float, float]:
    """Calibration slope and its standard error; nan where the line is undefined."""
    labels, x, own = sample.truth, log_odds(probabilities), _row_weights(sample)
    if separates(x, labels):
        return math.nan, math.nan
    centre, spread = float(x.mean()), float(x.std())
    design = np.stack([np.ones(x.size), (x - centre) / spread])  # (2, n)
    line, fitted = _fit(design, labels, own)
    information = (design * (own * fitted * (1.0 - fitted))) @ design.T
    scores = np.stack([_by_cluster(sample, row * own * (labels - fitted)) for row in design])
    bread = np.linalg.pinv(information)
    variance = bread @ (scores @ scores.T) @ bread
    return float(line[1] / spread), float(np.sqrt(variance[1, 1]) / spread)


def _fit(design: Floats, labels: Labels, own: Floats) -> tuple[Floats, Floats]:
    """Coefficients (2,) of a logistic regression, and the probabilities (n,) that it gives.

    The roots of the likelihood's slope: loading scikit-learn for two coefficients would take a
    fifth of the time of a whole report.
    """
    from scipy.optimize import root
    from scipy.special import expit

    def slope(line: Floats) -> Floats:
        found: Floats = design @ (own * (labels - expit(line @ design)))
        return found

    def curvature(line: Floats) -> Floats:
        fitted = expit(line @ design)
        found: Floats = -(design * (own * fitted * (1.0 - fitted))) @ design.T
        return found

    found = root(slope, np.zeros(2), jac=curvature)
    line = np.asarray(found.x)
    if not found.success:
        steep, intercept = fit_logistic(design[1], labels, own)
        line = np.array([intercept, steep])
    return line, np.asarray(expit(line @ design))


def _distance(sample: Sample, probabilities: Floats) -> float:
    """Sum of outcome less probability, in its standard errors."""
    residuals = _by_cluster(sample, _row_weights(sample) * (sample.truth - probabilities))
    spread = float(np.sqrt(residuals @ residuals))
    return float(residuals.sum()) / spread if spread > 0.0 else math.nan


def _row_weights(sample: Sample) -> Floats:
    return np.ones(sample.n) if sample.weights is None else sample.weights


def _by_cluster(sample: Sample, values: Floats) -> Floats:
    """Sums of values (n,) over the clusters that are drawn whole; as they are without any."""
    codes = sample.clusters
    if codes is None:
        return values
    return np.bincount(codes, values).astype(np.float64, copy=False)


def _bins(sample: Sample, probabilities: Floats, level: float) -> tuple[CalibrationBin, ...]:
    """Return the bins, empty ones included."""
    curve = reliability_curve(
        sample.truth, probabilities, n_bins=N_BINS, sample_weight=sample.weights
    )
    low = high = np.full(N_BINS, np.nan)
    held = curve.counts > 0
    if sample.weights is None:
        low, high = low.copy(), high.copy()
        positives = np.rint(curve.observed_share[held] * curve.counts[held])
        limits = wilson_interval(positives, curve.counts[held], confidence_level=level)
        low[held], high[held] = limits.low, limits.high
    columns = (
        curve.edges[:-1], curve.edges[1:], curve.counts, curve.mean_prediction,
        curve.observed_share, low, high,
    )  # fmt: skip
    return tuple(
        CalibrationBin(*row) for row in zip(*(column.tolist() for column in columns), strict=True)
    )
