"""scikit-learn's ranking tests."""

from .substitution import load

globals().update(load("sklearn.metrics.tests.test_ranking"))
