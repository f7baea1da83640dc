"""scikit-learn's regression tests."""

from .substitution import load

globals().update(load("sklearn.metrics.tests.test_regression"))
