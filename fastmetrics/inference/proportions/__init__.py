"""Intervals and tests from counts alone: no scores, no replicates."""
