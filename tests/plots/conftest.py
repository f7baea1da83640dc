"""Plots are drawn off the screen, and no test leaves a figure or a setting behind."""

import matplotlib
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure


@pytest.fixture(autouse=True)
def tidy(monkeypatch):
    """Agg, and a check that settings and figures of pyplot are as they were."""
    pyplot.switch_backend("Agg")
    before = dict(matplotlib.rcParams)
    yield
    pyplot.close("all")
    assert dict(matplotlib.rcParams) == before


@pytest.fixture
def ax():
    return Figure(layout="constrained").subplots()
