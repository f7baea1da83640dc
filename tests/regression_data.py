"""Data that the tests of targets and predictions share."""

import functools

import numpy as np
from hypothesis import strategies as st

import fastmetrics as fm

# kWh a day of six households, and a model's forecasts
HOUSEHOLDS = np.array([12, 20, 15, 30, 8, 25])
FORECASTS = np.array([14, 18, 15, 24, 11, 27])

# every function of targets and predictions with scikit-learn's name, and options worth trying
OPTIONS = {
    "mean_squared_error": [{}],
    "root_mean_squared_error": [{}],
    "mean_squared_log_error": [{}],
    "root_mean_squared_log_error": [{}],
    "mean_absolute_error": [{}],
    "median_absolute_error": [{}],
    "max_error": [{}],
    "mean_absolute_percentage_error": [{}],
    "mean_pinball_loss": [{}, {"alpha": 0.2}, {"alpha": 1}],
    "r2_score": [{}, {"force_finite": False}],
    "explained_variance_score": [{}, {"force_finite": False}],
    "d2_absolute_error_score": [{}],
    "d2_pinball_score": [{}, {"alpha": 0.2}, {"alpha": 0}],
    "mean_poisson_deviance": [{}],
    "mean_gamma_deviance": [{}],
    "mean_tweedie_deviance": [{}, {"power": 1.5}, {"power": 3}, {"power": -0.5}],
    "d2_tweedie_score": [{}, {"power": 1}, {"power": 1.5}, {"power": 2}, {"power": -1}],
}
CALLS = [
    (name, functools.partial(getattr(fm, name), **options))
    for name, choices in OPTIONS.items()
    for options in choices
]
MULTIPLE = {name for name in OPTIONS if "deviance" not in name} - {"max_error", "d2_tweedie_score"}
WEIGHTED = set(OPTIONS) - {"max_error"}


def options_of(call):
    """What a call of ``CALLS`` sets, for the function of the same name elsewhere."""
    return call.keywords


@st.composite
def problems(draw, outputs=None, distinct=True):
    """Targets and predictions above 0 with ties, and weights with zeros; sums of them are exact.

    Targets are not all equal where ``distinct``; several outputs make them (n, outputs).
    """
    n = draw(st.integers(2, 30))
    shape = n if outputs is None else (n, outputs)
    size = n * (outputs or 1)
    eighths = st.lists(st.integers(1, 60), min_size=size, max_size=size)
    y_true = (np.array(draw(eighths)) / 8).reshape(shape)
    y_pred = (np.array(draw(eighths)) / 8).reshape(shape)
    quarters = draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))
    weights = np.array(quarters) / 4
    weights[:2] = 1.0
    if distinct:
        y_true[0] = y_true[1] + 1.0
    return y_true, y_pred, weights
