"""Random words: xoshiro256++ (Blackman & Vigna 2021, doi:10.1145/3460772), many streams at once.

A *wide* state ``(4, 16)`` makes 16 words a step, viewed as 64 lanes of uint16. A *lane* state
``(4, 64)`` is one generator per lane, so that the draws of one lane never depend on another.
"""

import numpy as np
from numba import uint64

from fastmetrics.kernels._jit import inlined, kernel

WIDE = 16
LANES = 64


@inlined
def step_all(s0, s1, s2, s3, words):
    """Advance generators side by side: states (k,) each, words (k,) out."""
    for i in range(words.size):
        total = s0[i] + s3[i]
        words[i] = ((total << uint64(23)) | (total >> uint64(41))) + s0[i]
        shifted = s1[i] << uint64(17)
        third = s2[i] ^ s0[i]
        fourth = s3[i] ^ s1[i]
        s1[i] = s1[i] ^ third
        s0[i] = s0[i] ^ fourth
        s2[i] = third ^ shifted
        s3[i] = (fourth << uint64(45)) | (fourth >> uint64(19))


@kernel
def next_word(state, lane):
    """One uint64 of a lane's generator; state (4, lanes) is advanced."""
    s0 = state[0, lane]
    s1 = state[1, lane]
    s2 = state[2, lane]
    s3 = state[3, lane]
    total = s0 + s3
    word = ((total << uint64(23)) | (total >> uint64(41))) + s0
    shifted = s1 << uint64(17)
    s2 ^= s0
    s3 ^= s1
    state[1, lane] = s1 ^ s2
    state[0, lane] = s0 ^ s3
    state[2, lane] = s2 ^ shifted
    state[3, lane] = (s3 << uint64(45)) | (s3 >> uint64(19))
    return word


@kernel
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
