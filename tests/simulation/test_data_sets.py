"""A data set on request is the one whose metrics were computed."""

import pickle

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics import simulation
from tests.chance import TOO_UNLIKELY
from tests.simulation.cases import MODELS
from tests.simulation.test_simulating import CURVE, Coin

CUTS = (1.0, 0.3, 2.0)
AT_CUTS = [fm.metric("precision", threshold=cut, name=f"at {cut}") for cut in CUTS]
# sums of many strips, which the rows of other metrics may cut: equal but for rounding
ROUNDED = ("partial_auc", "upper")
METRICS = [*CURVE, *AT_CUTS, "f1_macro"]


def values_of(metrics, y_true, y_score):
    return [metric(y_true, y_score) for metric in metrics]


@pytest.mark.parametrize("method", ["fast", "drawn"])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_a_data_set_has_exactly_the_metrics_of_the_simulation(model, method):
    result = simulation.simulate(
        model,
        n_positive=12,
        n_negative=150,
        n_datasets=70,
        metrics=METRICS,
        method=method,
        threshold=1.0,
        rng=21,
    )
    plain = [fm.metric(m) if isinstance(m, str) else m for m in METRICS if m != METRICS[-1]]
    for i in (0, 1, 63, 64, 69):
        y_true, y_score = result.data_set(i)
        assert y_true.tolist() == [1] * 12 + [0] * 150
        found = values_of(plain, y_true, y_score)
        np.testing.assert_allclose(result.values[i, :-1], found, rtol=1e-14)
        exact = [k for k, name in enumerate(result.metrics[:-1]) if not name.startswith(ROUNDED)]
        np.testing.assert_array_equal(result.values[i, exact], np.array(found)[exact])
        macro = fm.f1_score(y_true, y_score >= 1.0, average="macro")
        assert result.values[i, -1] == pytest.approx(macro, rel=1e-15)


@pytest.mark.parametrize("model", [MODELS["binormal"], MODELS["rounded"]], ids=repr)
def test_a_data_set_of_counts_has_exactly_the_counts(model):
    result = simulation.simulate(
        model, n_positive=12, n_negative=150, n_datasets=5, metrics=AT_CUTS, rng=22
    )
    assert result.method == "fast"
    for i in range(5):
        np.testing.assert_array_equal(result.values[i], values_of(AT_CUTS, *result.data_set(i)))


def test_negatives_of_a_data_set_have_their_law():
    model = MODELS["binormal"]
    result = simulation.simulate(
        model, n_positive=20, n_negative=500, n_datasets=40, metrics=METRICS, threshold=1, rng=23
    )
    negatives = np.array([result.data_set(i)[1][20:] for i in range(40)])
    assert stats.kstest(negatives.ravel(), "norm").pvalue > TOO_UNLIKELY
    # in no order: the first half is as high as the second
    assert stats.ks_2samp(negatives[:, :250].ravel(), negatives[:, 250:].ravel()).pvalue > 1e-4
    assert stats.kstest(negatives.max(axis=1), lambda x: stats.norm.cdf(x) ** 500).pvalue > 1e-4


@pytest.mark.parametrize("name", ["counts", "rounded", "own scores"])
def test_negatives_that_tie_are_values_that_occur(name):
    model = MODELS[name]
    result = simulation.simulate(model, n_positive=20, n_negative=4_000, n_datasets=1, rng=24)
    values, masses = model.negative.atoms
    drawn = result.data_set(0)[1][20:]
    assert np.isin(drawn, values).all()
    shares = np.searchsorted(np.sort(drawn), values, side="right") / drawn.size
    assert abs(shares - np.cumsum(masses)).max() < 0.04


def test_both_paths_draw_the_same_positives():
    sizes = {"n_positive": 9, "n_negative": 30, "n_datasets": 3, "rng": 25}
    fast = simulation.simulate(MODELS["beta"], method="fast", **sizes)
    drawn = simulation.simulate(MODELS["beta"], method="drawn", **sizes)
    np.testing.assert_array_equal(fast.data_set(2)[1][:9], drawn.data_set(2)[1][:9])


def test_a_data_set_is_the_same_each_time_and_after_a_pickle():
    result = simulation.simulate(
        MODELS["beta"], n_positive=9, n_negative=30, n_datasets=3, rng=26, method="fast"
    )
    again = pickle.loads(pickle.dumps(result))
    for i in (2, -1, np.int64(2)):
        for first, second in zip(result.data_set(2), again.data_set(i)):
            np.testing.assert_array_equal(first, second)


def test_a_drawn_data_set_of_ones_own_model():
    result = simulation.simulate(Coin(), n_positive=2, n_negative=3, n_datasets=3, rng=27)
    y_true, y_score = result.data_set(1)
    assert y_true.tolist() == [1, 1, 0, 0, 0]
    assert y_score.dtype == np.float64


def test_no_negatives_and_no_positives():
    for sizes in ((0, 8), (8, 0)):
        for method in ("fast", "drawn"):
            result = simulation.simulate(
                MODELS["binormal"],
                n_positive=sizes[0],
                n_negative=sizes[1],
                n_datasets=3,
                metrics=["roc_auc", "accuracy"],
                threshold=1.0,
                method=method,
                rng=28,
            )
            assert result.n_undefined.tolist() == [3, 0]
            y_true, y_score = result.data_set(0)
            assert np.bincount(y_true, minlength=2).tolist() == [sizes[1], sizes[0]]
            assert result.values[0, 1] == np.mean((y_score >= 1.0) == (y_true == 1))


def test_data_sets_that_do_not_exist_or_are_too_large():
    result = simulation.simulate(
        MODELS["binormal"], n_positive=5, n_negative=10**7, n_datasets=3, rng=29
    )
    with pytest.raises(
        ValueError, match="data set 1 has 10,000,005 rows: .* data sets of up to 10,000,000"
    ):
        result.data_set(1)
    with pytest.raises(IndexError, match="i=3: there are data sets 0 to 2"):
        result.data_set(3)
    with pytest.raises(TypeError, match="i='1': give the number of a data set"):
        result.data_set("1")
