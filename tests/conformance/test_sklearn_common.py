"""scikit-learn's tests of what all metrics have in common."""

from .substitution import load

globals().update(load("sklearn.metrics.tests.test_common"))
