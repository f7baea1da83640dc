"""Models of scores: the exact truth about a classifier, and as many data sets of it as one likes.

Conventions
-----------
A model is two laws, of the scores of the negatives and of the positives. A row is flagged when its
score reaches the threshold; ties count one half. Data sets list the positives first, and are drawn
from a NumPy generator in that order. Functions of arrays return arrays of their shape, and a float
for a single number.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.description import Floats
from fastmetrics.simulation import _exact, _options
from fastmetrics.simulation.laws import law_of

if TYPE_CHECKING:
    from fastmetrics.simulation.derived import CalibratedModel, RoundedModel

Labels = npt.NDArray[np.int8]


class Rates(NamedTuple):
    """Expected rates at a threshold."""

    true_positive_rate: Any
    false_positive_rate: Any


class ScoreModel:
    """Scores from two laws, one of the negatives and one of the positives.

    Parameters
    ----------
    negative, positive : frozen distributions of ``scipy.stats``
        Continuous or discrete, as ``scipy.stats.beta(2, 5)``.

    Raises
    ------
    TypeError
        Something else than a frozen distribution.

    Notes
    -----
    Sums over discrete laws are exact. Two continuous laws are integrated numerically, to an
    absolute error of about 1e-11 where their densities are smooth between the ends.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from scipy import stats
    >>> model = fm.simulation.ScoreModel(stats.beta(2, 5), stats.beta(5, 2))
    >>> round(model.auc, 6)
    0.959957
    >>> model.rates(0.5)
    Rates(true_positive_rate=0.890625, false_positive_rate=0.109375)
    """

    def __init__(self, negative: Any, positive: Any) -> None:
        self.negative = law_of(negative, "negative")
        self.positive = law_of(positive, "positive")

    def __repr__(self) -> str:
        return f"ScoreModel({self.negative!r}, {self.positive!r})"

    def draw(
        self, n_positive: int, n_negative: int, generator: np.random.Generator
    ) -> tuple[Labels, Floats]:
        """Draw one data set.

        Parameters
        ----------
        n_positive, n_negative : rows of each class
        generator : drawn from, positives first

        Returns
        -------
        y_true : int8 array of shape (n,)
            Ones, then zeros.
        y_score : float64 array of shape (n,)

        Examples
        --------
        >>> import numpy as np
        >>> import fastmetrics as fm
        >>> y_true, y_score = fm.simulation.Binormal(2).draw(1, 2, np.random.default_rng(3))
        >>> y_true, y_score.round(4)
        (array([1, 0, 0], dtype=int8), array([ 4.0409, -2.5557,  0.4181]))
        """
        n_positive = _options.whole(n_positive, "n_positive", 0)
        n_negative = _options.whole(n_negative, "n_negative", 0)
        positives = self.draw_positives(n_positive, generator)
        return labels_of(n_positive, n_negative), np.concatenate(
            [positives, self.negative.draw(n_negative, generator)]
        )

    def draw_positives(self, n: int, generator: np.random.Generator) -> Floats:
        """Scores (n,) of positives, the first numbers of a data set."""
        return self.positive.draw(n, generator)

    def negative_cdf(self, x: npt.ArrayLike) -> Any:
        """Share of the negatives that score at most x."""
        return _options.plain(self.negative.cdf(_options.numbers(x, "x")))

    def negative_cdf_below(self, x: npt.ArrayLike) -> Any:
        """Share of the negatives that score less than x."""
        return _options.plain(self.negative.cdf_below(_options.numbers(x, "x")))

    def support(self) -> tuple[float, float]:
        """Lowest and highest score of either class."""
        lows, highs = zip(self.negative.support(), self.positive.support())
        return min(lows), max(highs)

    @cached_property
    def auc(self) -> float:
        """Probability that a positive scores above a negative, ties one half."""
        return _exact.pair_probability(self.negative, self.positive)

    @cached_property
    def _pair_moments(self) -> _exact.PairMoments:
        """Moments of the rarer order of a pair, which keeps the digits of a small variance."""
        laws = (self.negative, self.positive)
        if self.auc <= 0.5:
            return _exact.pair_moments(*laws, higher_is_positive=True)
        return _exact.pair_moments(*laws[::-1], higher_is_positive=False)

    def auc_variance(self, n_positive: int, n_negative: int) -> float:
        """Variance of the AUC of data sets with so many rows of each class.

        Parameters
        ----------
        n_positive, n_negative : rows of each class, 1 or more

        Returns
        -------
        float
            Exact for ``Binormal`` and discrete scores; for other continuous ones by quadrature, to
            an absolute error of about 1e-11.

        References
        ----------
        Noether 1967, Elements of Nonparametric Statistics. Bamber 1975,
        doi:10.1016/0022-2496(75)90001-2.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> model = fm.simulation.Binormal(1.5)
        >>> round(model.auc, 4), round(model.auc_variance(60, 140) ** 0.5, 4)
        (0.8556, 0.0285)
        """
        n_positive = _options.whole(n_positive, "n_positive", 1)
        n_negative = _options.whole(n_negative, "n_negative", 1)
        return self._pair_moments.variance(n_positive, n_negative)

    def rates(self, threshold: npt.ArrayLike) -> Rates:
        """Share of each class that reaches a threshold.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> rates = fm.simulation.Binormal(2).rates(1)
        >>> round(rates.true_positive_rate, 4), round(rates.false_positive_rate, 4)
        (0.8413, 0.1587)
        """
        cut = _options.numbers(threshold, "threshold")
        return Rates(
            _options.plain(self.positive.sf_below(cut)), _options.plain(self.negative.sf_below(cut))
        )

    def expected_precision(self, threshold: npt.ArrayLike, prevalence: float) -> Any:
        """Share of positives among what reaches a threshold, by Bayes' rule.

        Parameters
        ----------
        threshold : number or array
        prevalence : share of positives among all rows, between 0 and 1

        Returns
        -------
        float or ndarray
            Of an endless data set; nan where nothing reaches the threshold.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> model = fm.simulation.Binormal(2)
        >>> [round(model.expected_precision(1, share), 4) for share in (0.5, 0.1, 0.01)]
        [0.8413, 0.3708, 0.0508]
        """
        true_rate, false_rate = map(np.asarray, self.rates(threshold))
        share = _options.prevalence(prevalence)
        return _options.plain(_exact.precision_of(true_rate, false_rate, share))

    def roc_curve(self, false_positive_rate: npt.ArrayLike) -> Any:
        """True positive rate at false positive rates.

        Parameters
        ----------
        false_positive_rate : number or array, from 0 to 1
            Where it falls within a tie, the tie is split: the curve is straight there.

        Returns
        -------
        float or ndarray

        Examples
        --------
        >>> import fastmetrics as fm
        >>> round(fm.simulation.Binormal(2).roc_curve(0.01), 4)
        0.3721
        """
        rate = _options.rates(false_positive_rate, "false_positive_rate")
        return _options.plain(_exact.roc_points(self.negative, self.positive, rate))

    def precision_recall_curve(self, recall: npt.ArrayLike, prevalence: float) -> Any:
        """Precision at recalls.

        Parameters
        ----------
        recall : number or array, from 0 to 1
            Where it falls within a tie, the tie is split; where several thresholds have it, the
            best of them counts.
        prevalence : share of positives among all rows, between 0 and 1

        Returns
        -------
        float or ndarray
            Of an endless data set; nan where nothing is flagged.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> model = fm.simulation.Binormal(2)
        >>> round(model.precision_recall_curve(0.5, prevalence=0.01), 4)
        0.1817
        """
        share = _options.prevalence(prevalence)
        true_rate = _options.rates(recall, "recall")
        false_rate = _exact.false_positive_rates(self.negative, self.positive, true_rate)
        return _options.plain(_exact.precision_of(true_rate, false_rate, share))

    def average_precision(self, prevalence: float) -> float:
        """Average precision of an endless data set.

        Parameters
        ----------
        prevalence : share of positives among all rows, between 0 and 1

        Returns
        -------
        float
            The mean precision at the scores of the positives. Data sets with few positives have a
            greater mean: ``simulate`` shows it.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> round(fm.simulation.Binormal(2).average_precision(prevalence=0.01), 4)
        0.269
        """
        share = _options.prevalence(prevalence)
        return _exact.precision_area(self.negative, self.positive, share)

    def probability(self, scores: npt.ArrayLike, prevalence: float) -> Any:
        """Calibrated probability of the positive class, given the score.

        Parameters
        ----------
        scores : number or array
        prevalence : share of positives among all rows, between 0 and 1

        Returns
        -------
        float or ndarray
            By the ratio of the likelihoods; nan where no class has such a score.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> model = fm.simulation.Binormal(2)
        >>> model.probability(1.0, prevalence=0.5), round(model.probability(2.0, 0.01), 4)
        (0.5, 0.0695)
        """
        from scipy.special import expit

        share = _options.prevalence(prevalence)
        score = _options.numbers(scores, "scores")
        ratio = _exact.log_likelihood_ratio(self.negative, self.positive, score)
        return _options.plain(expit(np.log(share / (1.0 - share)) + ratio))

    def rounded(self, decimals: int) -> RoundedModel:
        """Return the model whose scores are rounded to decimals, so that they tie.

        Examples
        --------
        >>> import fastmetrics as fm
        >>> model = fm.simulation.Binormal(2)
        >>> round(model.auc, 6), round(model.rounded(0).auc, 6)
        (0.92135, 0.90449)
        """
        from fastmetrics.simulation.derived import RoundedModel

        return RoundedModel(self, decimals)

    def calibrated(self, prevalence: float) -> CalibratedModel:
        """Return the model whose scores are calibrated probabilities at a prevalence."""
        from fastmetrics.simulation.derived import CalibratedModel

        return CalibratedModel(self, prevalence)


def labels_of(n_positive: int, n_negative: int) -> Labels:
    """Labels (n,), positives first."""
    labels = np.zeros(n_positive + n_negative, np.int8)
    labels[:n_positive] = 1
    return labels
