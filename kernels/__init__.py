"""Compiled loops over arrays. They know arrays and scalars, nothing of the public interface.

Conventions
-----------
Rows are sorted by descending score, so that a row is flagged when its score reaches the
threshold. ``marks`` describe the sorted rows (see ``cells``). The last axis of a tile of weights
is the lane: 64 replicates travel side by side. Sums are int64 or float64; a 32-bit partial sum
never leaves a block.
"""
