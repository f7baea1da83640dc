"""Whether two answers are the same; asserted before anything is timed.

Conventions
-----------
Deterministic numbers agree to 1e-12. Bootstrap engines are fed the same draws where they take
draws, and then agree to 1e-12 too; drawn replicates agree in mean and standard deviation within
five Monte-Carlo errors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks import own
from benchmarks.data import THRESHOLD, Problem, index_draws

Answer = NDArray[np.float64]

TOLERANCE = 1e-12
ERRORS = 5.0
ENOUGH_FOR_DEVIATIONS = 10


def same_numbers(problem: object, ours: Answer, theirs: Answer) -> None:
    """The same numbers, to 1e-12."""
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=TOLERANCE)


def same_digits(problem: object, ours: Answer, theirs: Answer) -> None:
    """The same numbers, to 1e-12 of each."""
    np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE, atol=0)


def same_float32(problem: object, ours: Answer, theirs: Answer) -> None:
    """The same numbers but for what float32 rounds."""
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-6)


def identical(problem: object, ours: Answer, theirs: Answer) -> None:
    """The same bits."""
    np.testing.assert_array_equal(ours, theirs)


def same_on_rows(problem: Problem, ours: Answer, theirs: Answer) -> None:
    """Replicate by replicate the same where ours are fed the rival's draws of rows."""
    fed = own.replicates_given(problem, own.RANKING, index_draws(problem.n, len(theirs)))
    same_numbers(problem, fed, theirs)


def same_on_sorted_rows(problem: Problem, ours: Answer, theirs: Answer) -> None:
    """The same for a rival that draws places in the order of the scores; and the same law."""
    draws = (problem.order[places] for places in index_draws(problem.n, len(theirs)))
    same_numbers(problem, own.replicates_given(problem, own.RANKING, draws), theirs)
    same_law(problem, ours, theirs)


def same_law(problem: Problem, ours: Answer, theirs: Answer) -> None:
    """Replicates of one law: means and standard deviations within Monte-Carlo error."""
    _same_moments(ours, theirs.mean(axis=0), theirs.std(axis=0, ddof=1), len(theirs))


def same_moments(problem: Problem, ours: Answer, theirs: Answer, n_resamples: int) -> None:
    """The same estimates, and replicates of one law, from (k, 3) estimate, mean and deviation."""
    estimates, means, deviations = theirs.T
    every_row_once = [np.arange(problem.n)]
    fed = own.replicates_given(problem, own.RANKING, every_row_once)[0]
    same_numbers(problem, fed, estimates)
    _same_moments(ours, means, deviations, n_resamples)


def _same_moments(ours: Answer, means: Answer, deviations: Answer, count: int) -> None:
    """Compare the moments of our replicates with those of ``count`` others."""
    deviation = ours.std(axis=0, ddof=1)
    error = deviation * np.sqrt(1 / len(ours) + 1 / count)
    off = np.abs(ours.mean(axis=0) - means) / error
    assert (off < ERRORS).all(), f"means are {off} Monte-Carlo errors apart"
    if count >= ENOUGH_FOR_DEVIATIONS:
        # the logarithm of a sample deviation has a standard error of about 1 / sqrt(2 (B - 1))
        spread = np.sqrt(0.5 / (len(ours) - 1) + 0.5 / (count - 1))
        off = np.abs(np.log(deviation / deviations)) / spread
        assert (off < ERRORS).all(), f"deviations are {off} Monte-Carlo errors apart"


def same_decisions(problem: Problem, ours: Answer, theirs: Answer) -> None:
    """F1, MCC and kappa of scikit-learn on ready predictions, as estimates and on draws."""
    from sklearn.metrics import cohen_kappa_score, f1_score, matthews_corrcoef

    def reference(labels: NDArray[np.int64], predicted: NDArray[np.int64]) -> tuple[float, ...]:
        return (
            f1_score(labels, predicted),
            matthews_corrcoef(labels, predicted),
            cohen_kappa_score(labels, predicted),
        )

    draws = [np.arange(problem.n), *index_draws(problem.n, 2)]
    expected = np.array([reference(problem.labels[d], problem.flagged[d]) for d in draws])
    metrics = own.DECISIONS
    same_numbers(problem, own.replicates_given(problem, metrics, draws), expected)
    flagged = problem.scores >= THRESHOLD
    hits = np.array([[(flagged & (problem.labels == label)).sum() for label in (0, 1)]])
    np.testing.assert_array_equal(theirs.reshape(2, 2)[:, 1], hits[0])
