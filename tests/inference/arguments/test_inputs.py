"""Inputs of many kinds, unchanged, and tiny samples."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastmetrics as fm
from tests.inference.bootstrap_problems import problem
from tests.processes import run


def test_inputs_of_many_kinds_give_the_same():
    labels, scores = problem()
    weights = 1.0 + np.arange(120) % 3
    names = np.array(["benign", "malignant"])[labels]
    options = {"metrics": ["roc_auc", "f1"], "n_resamples": 200, "rng": 0, "method": "percentile"}
    expected = fm.bootstrap(labels, scores, sample_weight=weights, **options)
    frame = pd.DataFrame({"y": labels, "s": scores, "w": weights}, index=np.arange(120)[::-1])
    read_only = [array.copy() for array in (labels, scores, weights)]
    for array in read_only:
        array.flags.writeable = False
    wide = np.column_stack([scores, scores])
    for y_true, y_score, weight, pos_label in (
        (labels.tolist(), scores.tolist(), weights.tolist(), None),
        (labels.astype(bool), scores, weights.astype(int), None),
        (2 * labels - 1, scores[:, None], weights, None),
        (frame["y"], frame["s"], frame["w"], None),
        (pd.Series(names, dtype="category"), frame["s"], frame["w"], "malignant"),
        (pl.Series(names), pl.Series(scores), pl.Series(weights), "malignant"),
        (names, scores, weights, "malignant"),
        (names.tolist(), wide[:, 0], weights, "malignant"),
        (1 - labels, scores.astype(">f8"), weights, 0),
        (*read_only, None),
    ):
        result = fm.bootstrap(y_true, y_score, sample_weight=weight, pos_label=pos_label, **options)
        for key in expected:
            assert result[key].estimate == expected[key].estimate
            np.testing.assert_array_equal(
                result[key].bootstrap_distribution, expected[key].bootstrap_distribution
            )


def test_a_call_on_plain_arrays_loads_no_heavy_library():
    program = """
import sys
import numpy as np
import fastmetrics as fm
y_true, y_score = np.arange(50) % 3 == 0, np.sin(np.arange(50))
print(fm.bootstrap(y_true, y_score, ["roc_auc", "ks"], n_resamples=1000, rng=0))
heavy = ["sklearn", "scipy.stats", "pandas", "polars", "matplotlib", "dask", "joblib", "tqdm"]
print([name for name in heavy if name in sys.modules])
"""
    printed, _ = run("-c", program)
    assert printed.splitlines()[-1] == "[]"


def test_inputs_are_unchanged():
    labels, scores = problem()
    weights = np.arange(120) % 4 / 2
    draws = [np.arange(120)]
    counts = [np.ones(120, np.int64)]
    given_arrays = [labels, scores, weights, *draws, *counts]
    before = [array.copy() for array in given_arrays]
    options = {"metrics": ["roc_auc", "f1", "ks"], "sample_weight": weights, "method": "percentile"}
    fm.bootstrap(labels, scores, rng=0, n_resamples=100, **options)
    fm.bootstrap(labels, scores, resamples=draws, **options)
    fm.bootstrap(labels, scores, counts=counts, **options)
    for array, expected in zip(given_arrays, before, strict=True):
        np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("group", [1, 100, 300])
def test_weighted_replicates_of_a_perfect_ranking_never_exceed_one(group):
    labels = np.repeat([1, 0], 3 * group)
    scores = np.repeat(np.arange(6.0)[::-1], group)
    weights = np.random.default_rng(0).random(labels.size)
    for method in ("percentile", "normal"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = fm.bootstrap(
                labels,
                scores,
                ["roc_auc", "average_precision", "gini"],
                sample_weight=weights,
                method=method,
                n_resamples=300,
                rng=0,
            )
        for key in result:
            assert np.nanmax(result[key].bootstrap_distribution) <= 1.0
            np.testing.assert_allclose(
                result[key].bootstrap_distribution[~np.isnan(result[key].bootstrap_distribution)],
                1.0,
                rtol=1e-12,
            )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny_samples_work(n):
    labels, scores = np.arange(n) % 2, np.linspace(0.2, 0.8, n)
    result = fm.bootstrap(labels, scores, ["roc_auc", "accuracy"], n_resamples=100, rng=0)
    values = result["accuracy"].bootstrap_distribution
    assert np.isfinite(values).all()
    assert np.isfinite(result["accuracy"].confidence_interval).all()
    assert set((n * values).round(9)) <= set(range(n + 1))


@pytest.mark.parametrize("scale", [2.0**-900, 1e-160, 1e160, 2.0**900])
def test_weights_of_any_scale_give_the_same(scale):
    labels, scores = problem()
    weights = np.random.default_rng(1).integers(1, 5, labels.size).astype(float)
    options = {"method": "percentile", "n_resamples": 50, "rng": 0}
    plain = fm.bootstrap(labels, scores, "roc_auc", sample_weight=weights, **options)
    scaled = fm.bootstrap(labels, scores, "roc_auc", sample_weight=weights * scale, **options)
    np.testing.assert_allclose(
        scaled.bootstrap_distribution, plain.bootstrap_distribution, rtol=1e-12
    )


def test_counts_beyond_exact_numbers_are_refused():
    labels, scores = problem()
    with pytest.raises(ValueError, match=r"counts\[0\] sum to 2\*\*53 or more"):
        fm.bootstrap(labels, scores, counts=[np.full(labels.size, 2**60)])
