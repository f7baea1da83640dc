"""What a simulation's result shows."""

import json

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.errors import UnknownNameError


@pytest.fixture(scope="module")
def result():
    """Two metrics, one of them undefined in some data sets."""
    return simulation.simulate(
        simulation.Binormal(2),
        n_positive=3,
        n_negative=40,
        n_datasets=500,
        metrics={"area": "roc_auc", "cut": fm.metric("precision", threshold=2.5)},
        rng=5,
    )


def test_summaries_leave_out_what_is_undefined(result):
    area, cut = result["area"], result["cut"]
    defined = cut[~np.isnan(cut)]
    assert 0 < result.n_undefined[1] == 500 - defined.size < 250
    np.testing.assert_allclose(result.mean, [area.mean(), defined.mean()])
    np.testing.assert_allclose(result.standard_deviation, [area.std(ddof=1), defined.std(ddof=1)])
    error = defined.std(ddof=1) / np.sqrt(defined.size)
    assert result.monte_carlo_error[1] == pytest.approx(error)
    expected = [np.quantile(area, 0.9), np.quantile(defined, 0.9)]
    np.testing.assert_allclose(result.quantile(0.9), expected)
    assert result.quantile([0.1, 0.5, 0.9]).shape == (3, 2)
    np.testing.assert_array_equal(result.quantile([0.1, 0.9])[1], result.quantile(0.9))


def test_a_summary_has_a_row_per_metric(result):
    rows = result.summary()
    assert [row["metric"] for row in rows] == ["area", "cut"] == list(result.metrics)
    for k, row in enumerate(rows):
        assert row["mean"] == result.mean[k]
        assert [row["low"], row["median"], row["high"]] == [
            result.quantile(q)[k] for q in (0.025, 0.5, 0.975)
        ]
        assert row["n_undefined"] == result.n_undefined[k]
    frame = result.to_frame()
    assert frame.to_dict("records") == rows


def test_exports(result):
    exported = json.loads(json.dumps(result.to_dict()))
    assert exported["model"] == "Binormal(2)"
    assert exported["seed"] == 5
    assert (exported["n_positive"], exported["n_negative"], exported["n_datasets"]) == (3, 40, 500)
    assert exported["metrics"][0]["mean"] == result.mean[0]
    table = result.to_markdown(digits=3).splitlines()
    assert table[0] == "| metric | mean | SD | 2.5 % | median | 97.5 % | undefined |"
    assert table[2].startswith(f"| area | {result.mean[0]:.3f} | ")
    assert r"97.5 \%" in result.to_latex()


def test_what_is_printed(result):
    lines = repr(result).splitlines()
    assert lines[0].split() == [
        "metric",
        "mean",
        "SD",
        "2.5",
        "%",
        "median",
        "97.5",
        "%",
        "undefined",
    ]
    assert lines[1].split()[:2] == ["area", f"{result.mean[0]:.4f}"]
    assert len({len(line) for line in lines[:3]}) == 1
    error = result.monte_carlo_error.max()
    assert lines[3] == (
        "500 data sets of 3 positive and 40 negative rows · Binormal(2) · fast, seed 5 · "
        f"Monte-Carlo error of means up to {error:.4f}"
    )


def test_one_data_set_has_no_spread():
    result = simulation.simulate(simulation.Binormal(2), n_positive=3, n_negative=4, n_datasets=1)
    assert np.isnan(result.standard_deviation).all()
    assert "nan" in repr(result)
    assert len(result) == result.n_datasets == 1


def test_nothing_defined_at_all():
    result = simulation.simulate(
        simulation.Binormal(2), n_positive=0, n_negative=4, n_datasets=2, metrics="roc_auc", rng=0
    )
    assert np.isnan(result.mean).all()
    assert result.summary()[0]["n_undefined"] == 2
    assert "Monte-Carlo error of means up to 0.0000" in repr(result)


def test_unknown_names_and_quantiles(result):
    with pytest.raises(UnknownNameError, match=r"no metric 'ks' here \('area', 'cut'\)"):
        result["ks"]
    with pytest.raises(ValueError, match=r"q=95: quantiles lie between 0 and 1"):
        result.quantile(95)


def test_public_names():
    assert fm.simulation is simulation
    for name in simulation.__all__:
        assert getattr(fm.simulation, name).__name__ == name
        assert name in dir(fm.simulation)
    with pytest.raises(AttributeError, match="no attribute 'binomial_model'"):
        _ = fm.simulation.binomial_model
