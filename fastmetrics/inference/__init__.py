"""Intervals, tests and folds: what the numbers would do on other data."""
