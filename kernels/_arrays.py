"""A loop for what NumPy spells in one sign.

A slice assignment compiles Numba's error messages and shape checks into every kernel that uses
one: 2 s each. This compiles in milliseconds.
"""

from fastmetrics.kernels._jit import kernel


@kernel
def store(values, target):
    """Copy values (n,) to target (n,)."""
    for i in range(values.size):
        target[i] = values[i]
