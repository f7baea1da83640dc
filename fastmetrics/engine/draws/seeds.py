"""Seeds: what an ``rng`` argument means, and the streams that come of it.

Conventions
-----------
Every stream is keyed by ``spawn_key = root.spawn_key + (tag, purpose, data set, block)``, so that
its numbers depend on the seed alone and neighbouring seeds are independent.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.kernels.random import LANES, WIDE

# "boot" in letters: keeps our streams apart from others spawned off the same root
STREAM_TAG = 0x626F6F74
TOTALS, DRAWS, UNPAIRED = 0, 1, 2

Generators = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]


def root_sequence(rng: Any) -> np.random.SeedSequence:
    """Return the seed sequence of an ``rng`` argument: None, int, SeedSequence or Generator."""
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(rng.integers(0, 2**32, size=4, dtype=np.uint32).tolist())
    if rng is None:
        return np.random.SeedSequence()
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool):
        if rng < 0:
            raise ValueError(f"rng={rng}: a seed is 0 or more")
        return np.random.SeedSequence(int(rng))
    raise TypeError(
        f"rng is a {type(rng).__name__}: give None, an int, a SeedSequence or a Generator"
    )


def read_seed(rng: Any) -> tuple[np.random.SeedSequence, Any]:
    """Return the root of the streams, and what a reader passes on as ``rng`` to get the same."""
    root = root_sequence(rng)
    return root, int(rng) if isinstance(rng, (int, np.integer)) else root


def stream(
    root: np.random.SeedSequence, purpose: int, data_set: int, block: int
) -> np.random.SeedSequence:
    """Return the seed of one block's stream for one purpose."""
    key = (*root.spawn_key, STREAM_TAG, purpose, data_set, block)
    return np.random.SeedSequence(root.entropy, spawn_key=key, pool_size=root.pool_size)


def lane_generators(seed: np.random.SeedSequence) -> Generators:
    """Return the states of 16 wide generators and of one generator per lane."""
    words = seed.generate_state(4 * (WIDE + LANES), np.uint64).astype(np.uint64, copy=False)
    wide, lanes = words[: 4 * WIDE], words[4 * WIDE :]
    return wide.reshape(4, WIDE).copy(), lanes.reshape(4, LANES).copy()
