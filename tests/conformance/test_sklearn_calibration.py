"""scikit-learn's tests of the calibration curve; the rest of its file is about classifiers."""

import pytest
from sklearn.datasets import load_iris

from .substitution import load

globals().update(
    {
        name: test
        for name, test in load("sklearn.tests.test_calibration").items()
        if "calibration_curve" in test.__code__.co_names
    }
)


@pytest.fixture
def pyplot():
    """matplotlib, where it is installed."""
    module = pytest.importorskip("matplotlib.pyplot")
    module.switch_backend("agg")
    yield module
    module.close("all")


@pytest.fixture(scope="module")
def iris_data_binary():
    """Two of the three species."""
    X, y = load_iris(return_X_y=True)
    return X[y < 2], y[y < 2]
