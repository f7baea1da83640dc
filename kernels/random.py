"""Random words: xoshiro256++ (Blackman & Vigna 2021, doi:10.1145/3460772), many streams at once.

A *wide* state ``(4, 16)`` makes 16 words a step, viewed as 64 lanes of uint16. A *lane* state
``(4, 64)`` is one generator per lane, so that the draws of one lane never depend on another.
"""

import numpy as np
from numba import uint64

from fastmetrics.kernels._jit import inlined, kernel

WIDE = 16
LANES = 64


@kernel
def next_word(states, k):
    """One uint64 of generator k, whose state in states (4, generators) is advanced."""
    s0 = states[0, k]
    s1 = states[1, k]
    s2 = states[2, k]
    s3 = states[3, k]
    total = s0 + s3
    word = ((total << uint64(23)) | (total >> uint64(41))) + s0
    shifted = s1 << uint64(17)
    s2 ^= s0
    s3 ^= s1
    states[1, k] = s1 ^ s2
    states[0, k] = s0 ^ s3
    states[2, k] = s2 ^ shifted
    states[3, k] = (s3 << uint64(45)) | (s3 >> uint64(19))
    return word


@inlined
def step_all(states, words):
    """One word of every generator to words (k,); states (4, k) are advanced side by side."""
    for k in range(words.size):
        words[k] = next_word(states, k)


@inlined
def next_uniform(state, lane):
    """A float64 in [0, 1) with 53 random bits."""
    return np.float64(next_word(state, lane) >> uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def next_below(state, lane, bound):
    """A uniform integer in [0, bound), bound < 2**32; exact by rejection (Lemire 2019)."""
    low_bits = uint64(0xFFFFFFFF)
    limit = uint64(bound)
    product = (next_word(state, lane) >> uint64(32)) * limit
    if (product & low_bits) < limit:
        unfair = (uint64(1) << uint64(32)) % limit
        while (product & low_bits) < unfair:
            product = (next_word(state, lane) >> uint64(32)) * limit
    return np.int64(product >> uint64(32))
