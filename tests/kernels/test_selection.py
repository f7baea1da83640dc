"""Rows between two values, against the obvious selection."""

import numpy as np
import pytest

from fastmetrics.kernels.selection import keep_between


def kept_between(values, weights, low, high, room):
    kept, kept_weights = np.full((2, room), -1.0)
    count, below, total = keep_between(values, weights, low, high, kept, kept_weights)
    here = min(count, room - 1)
    return kept[:here].tolist(), kept_weights[:here].tolist(), (count, below, total)


@pytest.mark.parametrize("equal", [True, False])
def test_keep_between(equal):
    generator = np.random.default_rng(0)
    values = generator.integers(-5, 6, 500) / 2
    weights = np.ones(1) if equal else generator.integers(0, 3, 500) / 4
    spelled_out = np.broadcast_to(weights, 500)
    inside = (values >= -1) & (values <= 0.5) & (spelled_out > 0)
    below = spelled_out[values < -1].sum()
    found = kept_between(values, weights, -1.0, 0.5, 501)
    expected = values[inside].tolist(), spelled_out[inside].tolist()
    assert found == (*expected, (inside.sum(), below, spelled_out.sum()))


def test_what_finds_no_room_is_counted():
    values = np.arange(10.0)
    kept, _, (count, *_) = kept_between(values, np.ones(1), 2.0, 8.0, 4)
    assert kept == [2.0, 3.0, 4.0]
    assert count == 7


def test_nan_is_not_kept():
    found = kept_between(np.array([np.nan, 1.0]), np.ones(1), 0.0, 2.0, 3)
    assert found[0] == [1.0]
