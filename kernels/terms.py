"""Row terms x a tile of weights: weighted sums of terms, and weight per code.

In tile t, row r takes its weights from ``weights[t, slots[r]]``; the lane is the last axis. Weights
may be uint8, int64 or float64; sums are float64, exact for counts up to 2**53.
"""

from fastmetrics.kernels._jit import kernel


@kernel
def sum_terms(weights, slots, terms, sums):
    """Weights (T, items, lanes) times terms (rows, k), added to sums (T, k, lanes)."""
    for t in range(weights.shape[0]):
        for row in range(slots.size):
            w = weights[t, slots[row]]
            for column in range(terms.shape[1]):
                term = terms[row, column]
                total = sums[t, column]
                for j in range(total.size):
                    total[j] += w[j] * term


@kernel
def sum_codes(weights, slots, codes, amounts, sums):
    """Weights (T, items, lanes) times amounts (rows,), added to sums (T, codes, lanes) by code."""
    for t in range(weights.shape[0]):
        for row in range(slots.size):
            w = weights[t, slots[row]]
            amount = amounts[row]
            total = sums[t, codes[row]]
            for j in range(total.size):
                total[j] += w[j] * amount
