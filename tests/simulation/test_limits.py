"""Limits of many data sets at once are those that the bootstrap gives each of them."""

import warnings

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics.inference.intervals import METHODS, IntervalRule
from fastmetrics.simulation._limits import Replicates, area_limits, limits_of

GENERATOR = np.random.default_rng(1)
SIZE = 333


def rows():
    """Estimates and replicates of every kind that a bootstrap may give."""
    plain = 0.8 + 0.1 * GENERATOR.normal(size=SIZE)
    holes = np.where(GENERATOR.random(SIZE) < 0.3, np.nan, plain)
    ties = plain.round(1)
    return {
        "plain": (0.81, plain),
        "skewed": (0.7, 1 - GENERATOR.exponential(0.1, SIZE)),
        "undefined replicates": (0.8, holes),
        "ties with the estimate": (0.8, ties),
        "estimate on a bound": (1.0, np.minimum(plain + 0.1, 1.0)),
        "estimate on the lower bound": (0.0, np.maximum(plain - 0.8, 0.0)),
        "all on one side": (0.1, plain),
        "one value": (0.5, np.full(SIZE, 0.5)),
        "one value on a bound": (1.0, np.full(SIZE, 1.0)),
        "one replicate": (0.5, np.where(np.arange(SIZE) == 4, 0.6, np.nan)),
        "two replicates": (0.5, np.where(np.arange(SIZE) < 2, plain, np.nan)),
        "nothing defined": (0.5, np.full(SIZE, np.nan)),
        "undefined estimate": (np.nan, plain),
    }


ROWS = rows()
ACCELERATIONS = np.linspace(-0.3, 0.4, len(ROWS))
ACCELERATIONS[3] = np.nan


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0), (0.0, np.inf)])
@pytest.mark.parametrize("method", METHODS)
def test_limits_are_those_of_the_rules(method, bounds, level):
    estimates = np.array([estimate for estimate, _ in ROWS.values()])
    found = Replicates.of(estimates, np.array([values for _, values in ROWS.values()]), bounds)
    low, high = limits_of(method, level, found, ACCELERATIONS)
    for k, (name, (estimate, values)) in enumerate(ROWS.items()):
        rule = IntervalRule(method, level, "two-sided", estimate, bounds, ACCELERATIONS[k])
        with warnings.catch_warnings(), np.errstate(invalid="ignore"):
            warnings.simplefilter("ignore")
            expected = rule.apply(values).limits
        np.testing.assert_allclose([low[k], high[k]], expected, rtol=1e-10, err_msg=name)


@pytest.mark.parametrize("order", ["usual", "perfect", "reversed"])
def test_area_limits_are_those_of_delong(order):
    y_true = np.repeat([1, 0], [7, 12])
    y_score = {
        "usual": y_true + GENERATOR.normal(size=19),
        "perfect": y_true.astype(float),
        "reversed": -y_true.astype(float),
    }[order]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = fm.delong_interval(y_true, y_score, confidence_level=0.9)
    areas, errors = np.array([expected.estimate]), np.array([expected.standard_error])
    found = area_limits(np.array([0.05, 0.95]), areas, errors)
    np.testing.assert_allclose(np.ravel(found), expected.confidence_interval, rtol=1e-10)
