"""Tests of hypotheses for the tests: p-values of what a sampler should do."""

import numpy as np
from scipy import stats

from fastmetrics.kernels.random import LANES, WIDE

# a right sampler fails a test with this probability; seeds are fixed, so it never does by chance
TOO_UNLIKELY = 1e-4


def lane_states(seed):
    """States (4, 64) of one generator per lane."""
    words = np.random.SeedSequence(seed).generate_state(4 * LANES, np.uint64)
    return words.reshape(4, LANES).copy()


def wide_states(seed):
    """States (4, 16) of the wide generators."""
    words = np.random.SeedSequence([seed, 1]).generate_state(4 * WIDE, np.uint64)
    return words.reshape(4, WIDE).copy()


def chi_square(observed, probabilities):
    """P-value of observed counts (k,) under probabilities (k,) that sum to one.

    Neighbouring cells are pooled until each is expected at least five times.
    """
    observed = np.asarray(observed, float)
    expected = np.asarray(probabilities, float) * observed.sum()
    assert abs(np.sum(probabilities) - 1.0) < 1e-9
    pooled = []
    for seen, awaited in zip(observed, expected):
        if pooled and (pooled[-1][1] < 5.0 or awaited < 5.0):
            pooled[-1] = (pooled[-1][0] + seen, pooled[-1][1] + awaited)
        else:
            pooled.append((seen, awaited))
    if len(pooled) > 1 and pooled[-1][1] < 5.0:
        seen, awaited = pooled.pop()
        pooled[-1] = (pooled[-1][0] + seen, pooled[-1][1] + awaited)
    assert len(pooled) > 1, "nothing left to compare"
    seen, awaited = np.array(pooled).T
    return stats.chi2.sf(((seen - awaited) ** 2 / awaited).sum(), len(pooled) - 1)


def chi_square_of_law(draws, law, cells=40):
    """P-value of draws under a discrete law of scipy, in cells of about equal probability."""
    edges = np.unique(law.ppf(np.arange(1, cells) / cells))
    probabilities = np.diff(np.concatenate([[0.0], law.cdf(edges), [1.0]]))
    # cell k holds what lies above edge k - 1 and not above edge k
    observed = np.bincount(np.searchsorted(edges, draws, side="left"), minlength=edges.size + 1)
    return chi_square(observed, probabilities)


def uncorrelated(columns):
    """P-value of the correlations between columns (rows, k), all pairs at once."""
    correlations = np.corrcoef(columns, rowvar=False)
    k = correlations.shape[0]
    size = len(columns)
    pairs = correlations[np.triu_indices(k, 1)]
    return stats.chi2.sf((pairs**2).sum() * size, pairs.size)


def mean_is(values, mean, variance):
    """P-value of the mean of independent values of known mean and variance."""
    z = (np.mean(values) - mean) / np.sqrt(variance / np.size(values))
    return 2 * stats.norm.sf(abs(z))
