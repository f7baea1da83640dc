"""scikit-learn's classification tests."""

from .substitution import load

globals().update(load("sklearn.metrics.tests.test_classification"))
