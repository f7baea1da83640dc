"""Recalibration: a map from scores to probabilities that mean what they say.

Conventions
-----------
The logistic regression is unregularised and scikit-learn's (newton-cholesky), on scores brought to
mean 0 and deviation 1. Labels are bools, {0, 1} or {-1, 1}, others with ``pos_label``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.input.labels import binary_labels
from fastmetrics.input.options import check_flag
from fastmetrics.input.validation import aligned_weights, in_range
from fastmetrics.input.validation import scores as read_scores


class PlattScaling:
    """Logistic map from scores to calibrated probabilities.

    The probability of a positive row of score s is ``1 / (1 + exp(-(slope s + intercept)))``.

    Parameters
    ----------
    smoothing : bool, default=False
        Fit to Platt's smoothed targets, ``(P + 1) / (P + 2)`` for the P positives and
        ``1 / (N + 2)`` for the N negatives, instead of 1 and 0. It keeps the slope finite where the
        scores separate the classes.

    Attributes
    ----------
    slope : float
        Change of the log-odds per unit of the score, after ``fit``.
    intercept : float
        Log-odds at score 0, after ``fit``.

    Notes
    -----
    Scores may be anything on which the log-odds are nearly linear: margins, or log-odds of
    probabilities, but not probabilities themselves. Fit on rows that the model was not trained on.
    Ranking metrics do not change where the slope is positive. Cost: a few passes and an array of
    the size of the scores, twice with ``smoothing``.

    References
    ----------
    Platt (1999), in Advances in Large Margin Classifiers, MIT Press. Lin, Lin & Weng (2007),
    doi:10.1007/s10994-007-5018-6.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> platt = fm.PlattScaling().fit([-2, -1, 0, 1, 2], [0, 0, 1, 0, 1])
    >>> platt.predict([-1, 1]).round(4)
    array([0.1528, 0.6148])
    """

    slope: float
    intercept: float

    def __init__(self, *, smoothing: bool = False) -> None:
        check_flag("PlattScaling", "smoothing", smoothing)
        self.smoothing = smoothing

    def fit(
        self,
        scores: ArrayLike,
        y_true: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
    ) -> PlattScaling:
        """Fit slope and intercept by maximum likelihood.

        Parameters
        ----------
        scores : array-like of shape (n,)
            Finite numbers.
        y_true : array-like of shape (n,)
            Labels: bools, {0, 1} or {-1, 1}; others with ``pos_label``.
        sample_weight : array-like of shape (n,), optional
            Weights of 0 or more.
        pos_label : int, float, bool or str, optional
            The label of the positive class.

        Returns
        -------
        PlattScaling
            Itself.

        Raises
        ------
        InputError
            All scores are equal; or, without ``smoothing``, one class does not occur or a score
            separates the two, so that no finite slope is best.
        """
        values = _checked_scores(scores)
        labels = binary_labels(y_true, pos_label)
        weights = aligned_weights(sample_weight, scores=values, y_true=labels)
        if weights is not None:
            kept = weights > 0
            values, labels, weights = values[kept], labels[kept], weights[kept]
        if values.min() == values.max():
            raise InputError(f"all scores are {values[0]:.6g}: there is no slope to fit")
        if self.smoothing:
            self.slope, self.intercept = _fit_smoothed(values, labels, weights)
            return self
        if separates(values, labels):
            raise InputError(
                "the scores separate the classes, or one class does not occur: no finite slope is "
                "best. Take PlattScaling(smoothing=True), or more rows"
            )
        self.slope, self.intercept = fit_logistic(values, labels, weights)
        return self

    def predict(self, scores: ArrayLike) -> Floats:
        """Probabilities of the positive class.

        Parameters
        ----------
        scores : array-like of shape (n,)
            Finite numbers, on the scale of those that were fitted.

        Returns
        -------
        ndarray of shape (n,)
            In [0, 1].

        Raises
        ------
        InputError
            Scores that are not finite, or nothing was fitted yet.
        """
        from scipy.special import expit

        if not hasattr(self, "slope"):
            raise InputError("PlattScaling is not fitted: call fit(scores, y_true) first")
        probabilities: Floats = expit(self.slope * _checked_scores(scores) + self.intercept)
        return probabilities


def _checked_scores(scores: ArrayLike) -> Floats:
    """Scores (n,) of any type to float64."""
    return read_scores(scores, name="scores").astype(np.float64, copy=False)


def separates(values: Floats, labels: NDArray[np.uint8]) -> bool:
    """Whether a threshold divides the classes, in either direction, ties at it allowed."""
    positives, negatives = values[labels == 1], values[labels == 0]
    if not (positives.size and negatives.size):
        return True
    return bool(negatives.max() <= positives.min() or positives.max() <= negatives.min())


def fit_logistic(
    values: Floats, labels: NDArray[np.uint8], weights: Floats | None
) -> tuple[float, float]:
    """Slope and intercept of the log-odds on values (n,), by maximum likelihood."""
    from sklearn.linear_model import LogisticRegression

    # brought to one scale, so that the precision of the fit does not depend on the scores'; by a
    # power of two first, so that the squares of their deviations are numbers
    exponent = int(np.frexp(np.abs(values).max())[1])
    scaled = np.ldexp(values, -exponent)
    centre, spread = scaled.mean(), scaled.std()
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12)
    model.fit(((scaled - centre) / spread)[:, None], labels, sample_weight=in_range(weights))
    slope = float(model.coef_[0, 0] / spread)
    return float(np.ldexp(slope, -exponent)), float(model.intercept_[0] - slope * centre)


def _fit_smoothed(
    values: Floats, labels: NDArray[np.uint8], weights: Floats | None
) -> tuple[float, float]:
    """Slope and intercept for Platt's targets: every row as a positive and a negative, in parts."""
    whole = np.ones(len(values)) if weights is None else weights
    positives, negatives = whole[labels == 1].sum(), whole[labels == 0].sum()
    targets = np.where(labels == 1, (positives + 1.0) / (positives + 2.0), 1.0 / (negatives + 2.0))
    both = np.repeat(np.array([1, 0], np.uint8), len(values))
    parts = np.concatenate([whole * targets, whole * (1.0 - targets)])
    return fit_logistic(np.concatenate([values, values]), both, parts)
