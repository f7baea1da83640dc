"""The generators are xoshiro256++, and integers below a bound are exactly uniform."""

import numpy as np
import pytest

from fastmetrics.kernels.random import LANES, WIDE, next_below, next_uniform, next_word, step_all
from tests.chance import TOO_UNLIKELY, chi_square, lane_states, uncorrelated, wide_states

MASK = 2**64 - 1


def rotated(word, by):
    return ((word << by) | (word >> (64 - by))) & MASK


def xoshiro(state):
    """The next word of a state [s0, s1, s2, s3], which moves on: the published algorithm."""
    word = (rotated((state[0] + state[3]) & MASK, 23) + state[0]) & MASK
    shifted = (state[1] << 17) & MASK
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotated(state[3], 45)
    return word


def test_the_slow_version_gives_the_published_words():
    state = [1, 2, 3, 4]
    published = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [xoshiro(state) for _ in published] == published


@pytest.mark.parametrize(("states", "width"), [(wide_states(1), WIDE), (lane_states(2), LANES)])
def test_all_generators_step_side_by_side(states, width):
    slow = [[int(word) for word in states[:, k]] for k in range(width)]
    words = np.empty(width, np.uint64)
    for _ in range(50):
        step_all(states, words)
        assert words.tolist() == [xoshiro(state) for state in slow]
    assert states.T.tolist() == slow


def test_one_lane_steps_alone():
    states = lane_states(3)
    before = states.copy()
    slow = [int(word) for word in states[:, 5]]
    drawn = [int(next_word(states, 5)) for _ in range(200)]
    assert drawn == [xoshiro(slow) for _ in range(200)]
    assert states[:, 5].tolist() == slow
    others = np.arange(LANES) != 5
    np.testing.assert_array_equal(states[:, others], before[:, others])


def test_uniforms_are_the_upper_53_bits():
    states = lane_states(4)
    slow = [int(word) for word in states[:, 0]]
    drawn = [next_uniform(states, 0) for _ in range(200)]
    assert drawn == [(xoshiro(slow) >> 11) / 2**53 for _ in range(200)]
    assert 0.0 <= min(drawn) < max(drawn) < 1.0


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 100])
def test_integers_below_a_bound_are_uniform(bound):
    states = lane_states(bound)
    drawn = np.array([next_below(states, k % LANES, bound) for k in range(20_000)])
    assert drawn.min() == 0
    assert drawn.max() == bound - 1
    if bound > 1:
        observed = np.bincount(drawn, minlength=bound)
        assert chi_square(observed, np.full(bound, 1 / bound)) > TOO_UNLIKELY


def test_integers_below_a_huge_bound_are_uniform():
    # a multiply without rejection would hit the multiples of three half of the time
    states = lane_states(5)
    drawn = np.array([next_below(states, 0, 3 * 2**30) for _ in range(20_000)])
    assert chi_square(np.bincount(drawn % 3), np.full(3, 1 / 3)) > TOO_UNLIKELY
    assert chi_square(np.bincount(drawn // 2**28), np.full(12, 1 / 12)) > TOO_UNLIKELY


def test_lanes_are_uncorrelated():
    states = lane_states(6)
    drawn = [[next_uniform(states, lane) for lane in range(LANES)] for _ in range(500)]
    assert uncorrelated(np.array(drawn)) > TOO_UNLIKELY
