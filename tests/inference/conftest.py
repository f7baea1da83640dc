"""Results that several test files look at."""

import pytest

import fastmetrics as fm
from tests.inference.bootstrap_problems import SEVERAL, problem


@pytest.fixture(scope="session")
def single():
    return fm.bootstrap(*problem(), n_resamples=1500, rng=7)


@pytest.fixture(scope="session")
def several():
    return fm.bootstrap(*problem(), SEVERAL, n_resamples=1500, rng=7)
