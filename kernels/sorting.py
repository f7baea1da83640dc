"""Order-preserving integer keys of floats, and a radix sort of them.

A key rises where the score falls, so sorted keys list the scores from the highest down. Equal
scores have equal keys; -0.0 and 0.0 are one score.
"""

import numpy as np
from numba import uint64

from fastmetrics.kernels._arrays import store
from fastmetrics.kernels._jit import inlined, kernel

INSERTION_ROWS = 64
INSERTION_MOVES_PER_ROW = 8


@inlined
def descending_key(bits, top):
    """Key of a float's bits; top has only the sign bit of the float's width set."""
    if bits == top:
        return bits ^ (top | (top - uint64(1)))
    negative = bits >= top
    return bits if negative else bits ^ (top - uint64(1))


@kernel
def keys_of(bits, keys):
    """Bits (n,) uint64 or uint32 of the scores to keys (n,); False where one is not finite."""
    width = uint64(8 * bits.itemsize)
    top = uint64(1) << (width - uint64(1))
    infinity = uint64(0x7FF0000000000000) if width == 64 else uint64(0x7F800000)
    finite = True
    for i in range(bits.size):
        word = uint64(bits[i])
        finite &= (word & (top - uint64(1))) < infinity
        keys[i] = descending_key(word, top)
    return finite


@kernel
def scores_of(keys, bits):
    """The inverse of ``keys_of``: keys (n,) to the bits (n,) of the scores."""
    top = uint64(1) << uint64(8 * keys.itemsize - 1)
    for i in range(keys.size):
        key = uint64(keys[i])
        bits[i] = key if key >= top else key ^ (top - uint64(1))


@kernel
def _insertion(keys, payload, budget):
    """Sort nearly sorted keys in place; returns the moves used, above budget when given up."""
    moves = 0
    carry = payload.size > 0
    for i in range(1, keys.size):
        key = keys[i]
        j = i - 1
        if keys[j] <= key:
            continue
        row = payload[i] if carry else payload.dtype.type(0)
        while j >= 0 and keys[j] > key:
            keys[j + 1] = keys[j]
            if carry:
                payload[j + 1] = payload[j]
            j -= 1
        keys[j + 1] = key
        if carry:
            payload[j + 1] = row
        moves += i - j
        if moves > budget:
            break
    return moves


@kernel
def _scatter(keys, payload, out, payload_out, shift):
    """One stable pass over a byte of the keys; False (nothing moved) when all share it."""
    starts = np.zeros(256, np.int64)
    for i in range(keys.size):
        starts[(uint64(keys[i]) >> shift) & uint64(255)] += 1
    if starts[(uint64(keys[0]) >> shift) & uint64(255)] == keys.size:
        return False
    before = 0
    for digit in range(256):
        count = starts[digit]
        starts[digit] = before
        before += count
    if payload.size > 0:
        for i in range(keys.size):
            digit = (uint64(keys[i]) >> shift) & uint64(255)
            place = starts[digit]
            out[place] = keys[i]
            payload_out[place] = payload[i]
            starts[digit] = place + 1
    else:
        for i in range(keys.size):
            digit = (uint64(keys[i]) >> shift) & uint64(255)
            place = starts[digit]
            out[place] = keys[i]
            starts[digit] = place + 1
    return True


@kernel
def _radix(keys, payload, scratch, payload_scratch, n_bytes):
    """Sort by the upper n_bytes; True when the result lies in the scratch arrays."""
    swapped = False
    for byte in range(keys.itemsize - n_bytes, keys.itemsize):
        shift = uint64(8 * byte)
        if swapped:
            moved = _scatter(scratch, payload_scratch, keys, payload, shift)
        else:
            moved = _scatter(keys, payload, scratch, payload_scratch, shift)
        swapped ^= moved
    return swapped


@kernel
def sort_keys(keys, payload, scratch, payload_scratch):
    """Sort keys (n,) and, unless empty, payload (n,) with them.

    Scratch arrays are of the same lengths. Returns True when the result lies in them.
    """
    n = keys.size
    if n <= INSERTION_ROWS:
        _insertion(keys, payload, n * n)
        return False
    # numbers that are no literals, each of which would be a compilation of its own
    all_bytes = np.int64(keys.itemsize)
    upper_half = np.int64(4)
    if keys.itemsize == 4:
        return _radix(keys, payload, scratch, payload_scratch, all_bytes)
    # the upper half decides nearly always; equal halves are put right by insertion
    swapped = _radix(keys, payload, scratch, payload_scratch, upper_half)
    budget = INSERTION_MOVES_PER_ROW * n
    if swapped:
        moves = _insertion(scratch, payload_scratch, budget)
        if moves > budget:
            return not _radix(scratch, payload_scratch, keys, payload, all_bytes)
    else:
        moves = _insertion(keys, payload, budget)
        if moves > budget:
            return _radix(keys, payload, scratch, payload_scratch, all_bytes)
    return swapped


@kernel
def argsort_descending(bits, keys, order):
    """Bits (n,) of scores to sorted keys (n,) and the rows (n,) from the highest score down.

    Returns False where a score is not finite; equal scores keep the order of their rows.
    """
    n = bits.size
    finite = keys_of(bits, keys)
    for i in range(n):
        order[i] = i
    if not finite:
        return False
    scratch = np.empty_like(keys)
    order_scratch = np.empty_like(order)
    if sort_keys(keys, order, scratch, order_scratch):
        store(scratch, keys)
        store(order_scratch, order)
    return True
