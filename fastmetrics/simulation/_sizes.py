"""Sizes tried out: how wide an interval is, or how often a difference is seen.

Conventions
-----------
All sizes are tried with the same seed, so that their positives are the same as far as they go, and
chance moves neighbouring sizes alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from fastmetrics.engine.description import Floats, Metric
from fastmetrics.simulation._asked import Evaluation
from fastmetrics.simulation._nested import is_area
from fastmetrics.simulation._paired import Pairing
from fastmetrics.simulation._search import Trial
from fastmetrics.simulation._task import Task
from fastmetrics.simulation._truth import true_value
from fastmetrics.simulation.rankings import paired_values
from fastmetrics.simulation.score_model import ScoreModel
from fastmetrics.simulation.simulating import simulate

_NORMAL = NormalDist()


def split_rows(n: int, prevalence: float) -> tuple[int, int]:
    """Positives and negatives of n rows, one of each at least."""
    positives = min(max(round(n * prevalence), 1), max(n - 1, 1))
    return positives, max(n - positives, 1)


@dataclass(frozen=True)
class SpreadTrials:
    """Half-widths of intervals.

    Parameters
    ----------
    model, metric : what is estimated
    prevalence : share of positives
    level : confidence level
    wanted : half-width
    n_datasets : data sets per size
    root : seed
    n_jobs : threads
    """

    model: Any
    metric: Metric
    prevalence: float
    level: float
    wanted: float
    n_datasets: int
    root: np.random.SeedSequence
    n_jobs: int

    @cached_property
    def z(self) -> float:
        """Half-width in standard errors."""
        return _NORMAL.inv_cdf((1.0 + self.level) / 2.0)

    @cached_property
    def value(self) -> float:
        """True value of the metric."""
        return true_value(self.model, self.metric, self.prevalence, self.root).value

    @property
    def exact(self) -> bool:
        """Whether standard errors have a closed form."""
        return is_area(self.metric) and isinstance(self.model, ScoreModel)

    def run(self, size: int) -> Trial:
        """Half-width at a number of rows."""
        n_positive, n_negative = split_rows(size, self.prevalence)
        if self.exact:
            error, doubt = math.sqrt(self.model.auc_variance(n_positive, n_negative)), 0.0
        else:
            result = simulate(
                self.model,
                n_positive=n_positive,
                n_negative=n_negative,
                n_datasets=self.n_datasets,
                metrics=self.metric,
                rng=self.root,
                n_jobs=self.n_jobs,
            )
            error, doubt = spread_of(result.values[:, 0])
        width = self.z * error
        if math.isnan(width):
            return Trial(size, width, width, math.inf, 0.0)
        return Trial(size, width, width * doubt, width / self.wanted, doubt)

    def wanted_in_words(self) -> str:
        """What is planned for."""
        level = f"{100.0 * self.level:g} %"
        return f"a {level} interval of {self.metric.name} of half-width {self.wanted:g}"


@dataclass(frozen=True)
class DifferenceTrials:
    """Power to see a difference.

    Parameters
    ----------
    models, metrics : the two
    prevalence : share of positives
    level : confidence level
    wanted : power
    correlation : of the scores among negatives, and among positives
    n_datasets : data sets per size
    root : seed
    n_jobs : threads
    """

    models: tuple[Any, Any]
    metrics: tuple[Metric, Metric]
    prevalence: float
    level: float
    wanted: float
    correlation: tuple[float, float]
    n_datasets: int
    root: np.random.SeedSequence
    n_jobs: int

    @cached_property
    def z(self) -> float:
        """Standard errors beyond which the test sees a difference."""
        return _NORMAL.inv_cdf((1.0 + self.level) / 2.0)

    @cached_property
    def z_power(self) -> float:
        """Standard errors that the power adds."""
        return _NORMAL.inv_cdf(self.wanted)

    @cached_property
    def values(self) -> tuple[float, float]:
        """True values of both models."""
        first, second = (
            true_value(model, metric, self.prevalence, self.root).value
            for model, metric in zip(self.models, self.metrics)
        )
        return first, second

    @property
    def difference(self) -> float:
        """True difference, second less first."""
        found = self.values[1] - self.values[0]
        if not found:
            raise ValueError(f"both models have {self.metrics[0].name} {self.values[0]:.4g}")
        return found

    def run(self, size: int) -> Trial:
        """Power at a number of rows."""
        n_positive, n_negative = split_rows(size, self.prevalence)
        named = {"first": self.models[0], "second": self.models[1]}
        task = Task(
            Pairing(named, self.correlation), n_positive, n_negative, self.metrics[:1], self.root
        )
        evaluations = [Evaluation((metric,)) for metric in self.metrics]
        values = paired_values(task, evaluations, self.n_datasets, self.n_jobs)
        differences = values[:, 1, 0] - values[:, 0, 0]
        differences = differences[~np.isnan(differences)] * math.copysign(1.0, self.difference)
        error, _ = spread_of(differences)
        if math.isnan(error):
            return Trial(size, 0.0, 0.0, math.inf, 0.0)
        count = differences.size
        seen = float((differences > self.z * error).mean())
        # one data set more on either side: a share of 0 or 1 is not certain
        safe = (seen * count + 0.5) / (count + 1.0)
        distance = self.z + _NORMAL.inv_cdf(safe)
        binomial = math.sqrt(safe * (1.0 - safe) / count)
        moved = binomial / _NORMAL.pdf(_NORMAL.inv_cdf(safe))
        if distance <= 0.0:
            return Trial(size, seen, binomial, math.inf, 0.0)
        shortfall = (self.z + self.z_power) / distance
        return Trial(size, seen, binomial, shortfall, moved / distance)

    def wanted_in_words(self) -> str:
        """What is planned for."""
        return (
            f"a power of {self.wanted:g} to see a difference in {self.metrics[0].name} of "
            f"{self.difference:.4g}"
        )


def spread_of(values: Floats) -> tuple[float, float]:
    """Standard deviation of values (D,), undefined ones left out, and its relative error."""
    defined = values[~np.isnan(values)]
    if defined.size < 2:
        return math.nan, math.nan
    error = float(defined.std(ddof=1))
    if not error:
        return error, 0.0
    kurtosis = float((((defined - defined.mean()) / error) ** 4).mean())
    return error, math.sqrt(max(kurtosis - 1.0, 0.0) / (4.0 * defined.size))
