"""Reports that several test files look at."""

import warnings

import pytest

import fastmetrics as fm
from tests.report.problems import NASTY, nasty_problem, screening


@pytest.fixture(scope="session")
def report():
    """Both models of the screening data, with everything that a report can have."""
    y_true, scores = screening()
    with warnings.catch_warnings():
        # of naive Bayes, which misses nobody at its threshold
        warnings.filterwarnings("ignore", message=".*every replicate is perfect")
        return fm.evaluate(
            y_true,
            scores,
            cost_fp=1,
            cost_fn=20,
            by={"third": [k % 3 for k in range(143)]},
            folds=[k % 5 for k in range(143)],
            method="percentile",
            n_resamples=500,
            rng=0,
        )


@pytest.fixture(scope="session")
def nasty():
    """Models and slices with names that do harm."""
    y_true, scores, slices = nasty_problem()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return fm.evaluate(
            y_true,
            scores,
            metrics=["roc_auc", "f1"],
            cost_fp=1,
            cost_fn=5,
            by=slices,
            n_resamples=100,
            rng=0,
            title=NASTY[0],
        )


@pytest.fixture(scope="session")
def pages(report, nasty):
    """Both reports as HTML."""
    return {"report": report.to_html(), "nasty": nasty.to_html()}
