"""Cells of simulated data sets: the law of the counts, and where they are put."""

import numpy as np
import pytest
from scipy import stats

from fastmetrics.kernels.simulation import draw_cells, next_share
from tests.chance import TOO_UNLIKELY, chi_square, chi_square_of_law, lane_states

SHARES = [
    # n, hit, miss
    (50, 0.3, 0.7),
    (50, 0.07, 0.03),
    (10**9, 2e-9, 1.0),
    (10**9, 0.5, 1e-9),
    (10**9, 3e-14, 9e-14),
    (200, 1e-300, 3e-300),
]


@pytest.mark.parametrize(("n", "hit", "miss"), SHARES)
def test_a_share_is_binomial(n, hit, miss):
    states = lane_states(7)
    draws = np.array([next_share(states, k % 64, n, hit, miss) for k in range(20_000)])
    # scipy takes one probability: that of the rarer side keeps its digits
    rare = draws if hit <= miss else n - draws
    law = stats.binom(n, min(hit, miss) / (hit + miss))
    assert chi_square_of_law(rare, law) > TOO_UNLIKELY


def test_a_share_of_nothing_and_a_share_of_all():
    states = lane_states(8)
    before = states.copy()
    assert next_share(states, 0, 0, 0.5, 0.5) == 0
    assert next_share(states, 0, 9, 0.0, 0.5) == 0
    assert next_share(states, 0, 9, -1e-18, 0.5) == 0
    assert next_share(states, 0, 9, 0.5, 0.0) == 9
    np.testing.assert_array_equal(states, before)


def bounds_of(scores, *, ties):
    """Bounds (2, A, L, P) of whole scores under a normal law; rounded where scores tie."""
    if not ties:
        return np.stack([[stats.norm.cdf(scores)], [stats.norm.sf(scores)]])
    edges = [scores + 0.5, scores - 0.5]
    return np.stack([[stats.norm.cdf(edge) for edge in edges], [stats.norm.sf(e) for e in edges]])


def drawn(scores, thresholds, negatives, *, ties, seed=9):
    """Weights and flagged negatives of scores (L, P) and thresholds (T,), each descending."""
    scores = np.asarray(scores, float)
    lanes, size = scores.shape
    bounds = bounds_of(scores, ties=ties)
    edges = np.array(thresholds, float) - (0.5 if ties else 0.0)
    cuts = np.stack([stats.norm.cdf(edges), stats.norm.sf(edges)])
    places = np.array([[int((row >= cut).sum()) for cut in thresholds] for row in scores])
    places = places.reshape(lanes, len(thresholds))
    weights = np.full(((3 if ties else 2) * size + 1, lanes), -1)
    flagged = np.full((len(thresholds), lanes), -1)
    words = np.random.SeedSequence(seed).generate_state(4 * lanes, np.uint64)
    states = words.reshape(lanes, 4).T.copy()
    draw_cells((scores, bounds, places), cuts, negatives, states, weights, flagged)
    return weights, flagged


def test_cells_between_positives_are_multinomial():
    scores, lanes = [1.0, 0.0, -2.0], 4_000
    weights, _ = drawn([scores] * lanes, [], 30, ties=False)
    assert (weights[1::2] == 1).all()
    gaps = weights[0::2]
    assert (gaps.sum(axis=0) == 30).all()
    masses = -np.diff(np.concatenate([[1.0], stats.norm.cdf(scores), [0.0]]))
    for gap, mass in zip(gaps, masses):
        assert chi_square_of_law(gap, stats.binom(30, mass)) > TOO_UNLIKELY
    # given two cells, what is left is binomial again: their counts are drawn together
    both = gaps[0] + gaps[1]
    chosen = both == 15
    law = stats.binom(15, masses[0] / (masses[0] + masses[1]))
    assert chi_square_of_law(gaps[0, chosen], law, cells=8) > TOO_UNLIKELY


def test_cells_with_ties_are_multinomial():
    lanes = 4_000
    weights, flagged = drawn([[2, 0, 0, -1]] * lanes, [1, 0], 40, ties=True)
    # the first of equal positives stands for both, and nothing lies between them
    assert weights[1::3, 0].tolist() == [1, 2, 0, 1]
    assert not weights[[6, 8]].any()
    cells = weights[[0, 2, 3, 5, 9, 11, 12]]
    assert (cells.sum(axis=0) == 40).all()
    edges = [2.5, 1.5, 0.5, -0.5, -0.5, -1.5]
    masses = -np.diff(np.concatenate([[1.0], stats.norm.cdf(edges), [0.0]]))
    assert chi_square(cells.sum(axis=1), masses) > TOO_UNLIKELY
    for k in (0, 1, 3, 5):
        assert chi_square_of_law(cells[k], stats.binom(40, masses[k])) > TOO_UNLIKELY
    # a threshold of 1 cuts the gap between 2 and 0; one of 0 lies below what ties with 0
    assert (flagged[1] == cells[:4].sum(axis=0)).all()
    assert (flagged[0] >= cells[:2].sum(axis=0)).all()
    assert chi_square_of_law(flagged[0], stats.binom(40, stats.norm.sf(0.5))) > TOO_UNLIKELY


def test_thresholds_cut_cells_without_changing_their_law():
    lanes = 4_000
    weights, flagged = drawn([[1.0, -1.0]] * lanes, [2.0, 0.5, 0.0, -3.0], 25, ties=False)
    for row, cut in zip(flagged, [2.0, 0.5, 0.0, -3.0]):
        assert chi_square_of_law(row, stats.binom(25, stats.norm.sf(cut))) > TOO_UNLIKELY
    gaps = weights[0::2]
    assert (gaps.sum(axis=0) == 25).all()
    assert (flagged[0] <= gaps[0]).all()
    assert (flagged[1] >= gaps[0]).all()
    assert (flagged[2] <= gaps[0] + gaps[1]).all()
    between = stats.norm.cdf(1.0) - stats.norm.cdf(-1.0)
    assert chi_square_of_law(gaps[1], stats.binom(25, between)) > TOO_UNLIKELY


def test_thresholds_alone():
    weights, flagged = drawn(np.empty((64, 0)), [0.0], 1_000, ties=False)
    assert weights.tolist() == [[1_000] * 64]
    assert ((flagged > 400) & (flagged < 600)).all()


def test_a_lane_does_not_depend_on_the_others():
    scores = -np.sort(-np.random.default_rng(1).normal(size=(8, 30)), axis=1)
    together, _ = drawn(scores, [], 10**6, ties=False)
    alone, _ = drawn(scores[:1], [], 10**6, ties=False)
    np.testing.assert_array_equal(together[:, :1], alone)


def test_far_tails_are_drawn_at_their_own_scale():
    # 1e12 negatives, of whom 1 in 1e12 is expected above 7.03 and 2 in 1e13 below -7.26
    weights, _ = drawn([[7.0344869, -7.2]] * 2_000, [], 10**12, ties=False)
    assert chi_square_of_law(weights[0], stats.poisson(1.0), cells=5) > TOO_UNLIKELY
    expected = 1e12 * stats.norm.cdf(-7.2)
    assert chi_square_of_law(weights[4], stats.poisson(expected), cells=5) > TOO_UNLIKELY
