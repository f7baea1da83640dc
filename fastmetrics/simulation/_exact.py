"""Expectations under two laws of scores, and the curves that they trace.

Conventions
-----------
Ties count one half. Sums over the atoms of discrete laws are exact; two continuous laws are
integrated over the quantiles of one of them, to an absolute error of about 1e-11.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import warn
from fastmetrics.simulation._law import Law

Function = Callable[[Floats], Floats]
TOLERANCE = 1e-13
WARNED_ERROR = 1e-9
INTERVALS = 500
# integrals go down to a probability of 0.5 exp(-45), 1e-20, in panels that no peak can hide in
DEEPEST = 45.0
PANELS = np.arange(3.0, DEEPEST, 3.0)


def below(law: Law, x: Floats) -> Floats:
    """P(X < x) and half of P(X = x)."""
    return (law.cdf_below(x) + law.cdf(x)) / 2.0


def above(law: Law, x: Floats) -> Floats:
    """P(X > x) and half of P(X = x)."""
    return (law.sf_below(x) + law.sf(x)) / 2.0


def mean_over(law: Law, other: Law, function: Function) -> float:
    """Mean of a function of the scores of one law, which depends on the other law alone.

    Where the other law is discrete the function is constant between its atoms.
    """
    if law.atoms is not None:
        return float(law.atoms.masses @ function(law.atoms.values))
    if other.atoms is not None:
        values = other.atoms.values
        between = np.concatenate([[-np.inf], (values[:-1] + values[1:]) / 2.0, [np.inf]])
        masses = np.diff(np.concatenate([[0.0], law.cdf(values), [1.0]]))
        return float(masses @ function(between))
    ends = np.array(other.support())
    lower = _integrate(lambda q: function(law.ppf(q)), law.cdf(ends))
    return lower + _integrate(lambda q: function(law.isf(q)), law.sf(ends))


def _integrate(function: Function, breaks: Floats) -> float:
    """Integrate over probabilities from 0 to one half; the function may bend at the breaks.

    The variable is the logarithm, so that what happens far out in a tail is not stepped over.
    """
    from scipy.integrate import quad

    def integrand(depth: float) -> float:
        q = 0.5 * np.exp(-depth)
        return float(q * function(np.array([q]))[0])

    inside = -np.log(2.0 * breaks[(breaks > 0.0) & (breaks < 0.5)])
    value, error, *_ = quad(
        integrand,
        0.0,
        DEEPEST,
        epsabs=TOLERANCE,
        epsrel=TOLERANCE,
        limit=INTERVALS,
        points=np.unique(np.concatenate([PANELS, inside[inside < DEEPEST]])),
        full_output=1,
    )
    if error > WARNED_ERROR:
        warn(f"an integral over these laws of scores is only exact to {error:.1g}")
    return float(value)


def pair_probability(lower: Law, higher: Law) -> float:
    """Probability that a score of the higher law lies above one of the lower, ties one half."""
    if lower.discrete and not higher.discrete:
        return mean_over(lower, higher, lambda x: above(higher, x))
    return mean_over(higher, lower, lambda x: below(lower, x))


class PairMoments(NamedTuple):
    """Means over pairs of a positive and a negative, of an event and its mirror image alike.

    Parameters
    ----------
    mean : probability that the pair is in one order, ties one half
    ties : probability of a tie
    by_positive : mean square of the probability of that order given the positive
    by_negative : the same given the negative
    """

    mean: float
    ties: float
    by_positive: float
    by_negative: float

    def variance(self, n_positive: int, n_negative: int) -> float:
        """Variance of the share of pairs in that order, which is that of the AUC."""
        square = self.mean * self.mean
        single = self.mean - self.ties / 4.0 - square
        by_positive = (n_negative - 1) * (self.by_positive - square)
        by_negative = (n_positive - 1) * (self.by_negative - square)
        return max(single + by_positive + by_negative, 0.0) / (n_positive * n_negative)


def pair_moments(lower: Law, higher: Law, *, higher_is_positive: bool) -> PairMoments:
    """Moments of the event that the higher law's score lies above the lower law's."""
    by_higher = mean_over(higher, lower, lambda x: below(lower, x) ** 2)
    by_lower = mean_over(lower, higher, lambda x: above(higher, x) ** 2)
    ties = 0.0
    if lower.discrete and higher.discrete:
        ties = mean_over(higher, lower, lambda x: np.maximum(lower.cdf(x) - lower.cdf_below(x), 0))
    moments = (by_higher, by_lower) if higher_is_positive else (by_lower, by_higher)
    return PairMoments(pair_probability(lower, higher), ties, *moments)


def roc_points(negative: Law, positive: Law, false_positive_rate: Floats) -> Floats:
    """True positive rates at false positive rates; ties are split where a rate falls in one."""
    score = negative.isf(false_positive_rate)
    reached = _split(negative, positive, score, false_positive_rate)
    return np.where(false_positive_rate >= 1.0, 1.0, reached)


def false_positive_rates(negative: Law, positive: Law, recall: Floats) -> Floats:
    """Lowest false positive rates at recalls; ties are split where a recall falls in one."""
    # just short of the recall, so that a tie that reaches it exactly is the last one flagged
    score = positive.isf(np.nextafter(recall, 0.0))
    return np.where(recall > 0.0, _split(positive, negative, score, recall), 0.0)


def _split(law: Law, other: Law, score: Floats, rate: Floats) -> Floats:
    """Share of the other law that is flagged where rate of the first is, the last tie in part."""
    start, end = law.sf(score), law.sf_below(score)
    tie = end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(tie > 0.0, np.clip((rate - start) / tie, 0.0, 1.0), 1.0)
    low = other.sf(score)
    return low + share * (other.sf_below(score) - low)


def log_likelihood_ratio(negative: Law, positive: Law, x: Floats) -> Floats:
    """Logarithm of how much likelier a score is among the positives; nan where it cannot occur."""
    if negative.discrete == positive.discrete:
        with np.errstate(invalid="ignore"):
            return positive.log_density(x) - negative.log_density(x)
    # a single value has no probability where scores are continuous
    discrete, other, certain = (
        (negative, positive, -np.inf) if negative.discrete else (positive, negative, np.inf)
    )
    elsewhere = np.where(other.log_density(x) > -np.inf, -certain, np.nan)
    return np.where(discrete.log_density(x) > -np.inf, certain, elsewhere)


def precision_of(true_rate: Floats, false_rate: Floats, prevalence: float) -> Floats:
    """Precision by Bayes' rule; nan where nothing is flagged."""
    hits = prevalence * true_rate
    with np.errstate(invalid="ignore"):
        precision: Floats = hits / (hits + (1.0 - prevalence) * false_rate)
    return precision


def precision_area(negative: Law, positive: Law, prevalence: float) -> float:
    """Mean precision over the positives of an endless data set."""
    if positive.atoms is not None:
        values, masses = positive.atoms
        false_rate = negative.sf_below(values)
        return float(masses @ precision_of(positive.sf_below(values), false_rate, prevalence))
    if negative.atoms is not None:
        return _precision_area_between(negative.atoms.values, negative, positive, prevalence)

    def precision(recall: Floats, score: Floats) -> Floats:
        return precision_of(recall, negative.sf_below(score), prevalence)

    ends = np.array(negative.support())
    rare = _integrate(lambda q: precision(q, positive.isf(q)), positive.sf(ends))
    return rare + _integrate(lambda q: precision(1.0 - q, positive.ppf(q)), positive.cdf(ends))


def _precision_area_between(
    values: Floats, negative: Law, positive: Law, prevalence: float
) -> float:
    """Area where the false positive rate is constant between the values of the negatives."""
    recall = np.concatenate([[1.0], positive.sf(values), [0.0]])
    false = (1.0 - prevalence) * np.concatenate([negative.sf_below(values), [0.0]])
    flagged_low, flagged_high = prevalence * recall[1:] + false, prevalence * recall[:-1] + false
    with np.errstate(divide="ignore", invalid="ignore"):
        lost = false / prevalence * np.log(flagged_high / flagged_low)
    return float((recall[:-1] - recall[1:] - np.where(false > 0.0, lost, 0.0)).sum())
