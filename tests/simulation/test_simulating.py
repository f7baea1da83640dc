"""The fast path has the law of the drawn one, and both have the law that theory gives."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics import simulation
from tests.chance import TOO_UNLIKELY, chi_square_of_law, mean_is
from tests.simulation.cases import MODELS

BINORMAL = simulation.Binormal(2)
CURVE = [
    "roc_auc",
    "average_precision",
    "ks",
    fm.metric("partial_auc", max_fpr=0.2),
    fm.metric("partial_auc", min_tpr=0.6, name="upper"),
    fm.metric("recall_at_false_positive_rate", max_fpr=0.1),
    fm.metric("precision_at_recall", min_recall=0.5),
]
SIZES = {0.5: (40, 40), 0.1: (20, 180), 0.01: (6, 594)}


def same_law(first, second):
    """P-value of two samples having one law."""
    return stats.ks_2samp(first, second).pvalue


def both_paths(model, *, n_positive, n_negative, n_datasets=2_000, **options):
    """The results of the fast path and of the drawn path, from different seeds."""
    sizes = {"n_positive": n_positive, "n_negative": n_negative, "n_datasets": n_datasets}
    fast = simulation.simulate(model, **sizes, method="fast", rng=1, **options)
    drawn = simulation.simulate(model, **sizes, method="drawn", rng=2, **options)
    assert (fast.method, drawn.method) == ("fast", "drawn")
    return fast, drawn


@pytest.mark.parametrize("prevalence", SIZES)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_both_paths_agree_in_distribution(model, prevalence):
    n_positive, n_negative = SIZES[prevalence]
    fast, drawn = both_paths(model, n_positive=n_positive, n_negative=n_negative)
    for name in fast.metrics:
        assert same_law(fast[name], drawn[name]) > TOO_UNLIKELY, name


@pytest.mark.parametrize("model", [BINORMAL, BINORMAL.rounded(0), BINORMAL.rounded(1)], ids=repr)
def test_both_paths_agree_on_the_points_of_the_curve(model):
    options = {"metrics": [*CURVE, "f1", "matthews_corrcoef", "f1_macro"], "threshold": 1.5}
    fast, drawn = both_paths(model, n_positive=15, n_negative=300, **options)
    for name in fast.metrics:
        assert same_law(fast[name], drawn[name]) > TOO_UNLIKELY, name


def test_both_paths_agree_on_several_metrics_at_once():
    fast, drawn = both_paths(BINORMAL, n_positive=20, n_negative=200, n_datasets=4_000)
    correlations = [np.corrcoef(result.values, rowvar=False)[0, 1] for result in (fast, drawn)]
    assert correlations[0] == pytest.approx(correlations[1], abs=0.04)


@pytest.mark.parametrize("method", ["fast", "drawn"])
@pytest.mark.parametrize("model", [BINORMAL, simulation.Binormal(1, scale=2)], ids=repr)
def test_mean_and_variance_of_the_area_are_exact(model, method):
    result = simulation.simulate(
        model, n_positive=20, n_negative=60, n_datasets=4_000, method=method, rng=3
    )
    areas = result["roc_auc"]
    variance = model.auc_variance(20, 60)
    assert mean_is(areas, model.auc, variance) > TOO_UNLIKELY
    squares = (areas - model.auc) ** 2
    assert mean_is(squares, variance, squares.var()) > TOO_UNLIKELY
    assert result.mean[0] == areas.mean()


def test_a_billion_negatives_leave_the_spread_of_the_positives():
    result = simulation.simulate(
        BINORMAL, n_positive=50, n_negative=10**9, n_datasets=2_000, metrics="roc_auc", rng=4
    )
    # with the negatives known exactly, an area is a mean of independent placements
    assert mean_is(result["roc_auc"], BINORMAL.auc, BINORMAL.auc_variance(50, 10**9)) > TOO_UNLIKELY
    ranks = stats.norm.cdf(2 + np.random.default_rng(5).normal(size=(2_000, 50))).mean(axis=1)
    assert same_law(result["roc_auc"], ranks) > TOO_UNLIKELY


def test_more_pairs_than_an_integer_counts():
    result = simulation.simulate(
        BINORMAL, n_positive=200, n_negative=2**50, n_datasets=200, metrics="roc_auc", rng=4
    )
    variance = BINORMAL.auc_variance(200, 2**50)
    assert mean_is(result["roc_auc"], BINORMAL.auc, variance) > TOO_UNLIKELY


@pytest.mark.parametrize("method", ["fast", "drawn"])
@pytest.mark.parametrize("model", [BINORMAL, BINORMAL.rounded(0)], ids=repr)
@pytest.mark.parametrize("beside", [[], ["roc_auc"]], ids=["alone", "beside a curve"])
def test_counts_at_thresholds_are_binomial(model, method, beside):
    cuts = (1.0, 0.0, 2.0)
    rates = [fm.metric("false_positive_rate", threshold=cut) for cut in cuts]
    result = simulation.simulate(
        model,
        n_positive=10,
        n_negative=50,
        n_datasets=4_000,
        metrics=[*beside, *rates, fm.metric("recall", threshold=1.0)],
        method=method,
        rng=6,
    )
    counts = {}
    for cut in cuts:
        found = (result[f"false_positive_rate[threshold={cut}]"] * 50).round().astype(int)
        law = stats.binom(50, model.rates(cut).false_positive_rate)
        assert chi_square_of_law(found, law) > TOO_UNLIKELY
        counts[cut] = found
    between = model.rates(0.0).false_positive_rate - model.rates(1.0).false_positive_rate
    law = stats.binom(50, between)
    assert chi_square_of_law(counts[0.0] - counts[1.0], law) > TOO_UNLIKELY
    hits = (result["recall"] * 10).round().astype(int)
    law = stats.binom(10, model.rates(1.0).true_positive_rate)
    assert chi_square_of_law(hits, law) > TOO_UNLIKELY


@dataclasses.dataclass(frozen=True)
class Fixed:
    """A model whose positives never change; it says nothing but what the fast path needs."""

    positives: tuple[float, ...]
    negative: object

    def draw_positives(self, n, generator):
        return np.array(self.positives)

    def draw(self, n_positive, n_negative, generator):
        raise AssertionError("the fast path draws no rows")


def test_a_model_of_ones_own_may_know_its_negatives():
    law = simulation.Binormal(0).negative
    result = simulation.simulate(
        Fixed((0.5, 0.5, -0.5), law),
        n_positive=3,
        n_negative=20,
        n_datasets=4_000,
        metrics="roc_auc",
        method="fast",
        rng=7,
    )
    # 2/3 of what lies below 0.5, and 1/3 of what lies below -0.5
    below = stats.norm.cdf([0.5, -0.5])
    assert mean_is(result["roc_auc"], below @ [2 / 3, 1 / 3], result.values.var()) > TOO_UNLIKELY


class Coin:
    """A model of one's own that only draws."""

    def draw(self, n_positive, n_negative, generator):
        labels = [True] * n_positive + [False] * n_negative
        return labels, generator.random(n_positive + n_negative).astype(np.float32)


def test_a_model_of_ones_own_may_just_draw():
    result = simulation.simulate(Coin(), n_positive=5, n_negative=9, n_datasets=2_000, rng=8)
    assert result.method == "drawn"
    assert mean_is(result["roc_auc"], 0.5, 15 / (12 * 45)) > TOO_UNLIKELY


@pytest.mark.parametrize("n_jobs", [2, 3])
@pytest.mark.parametrize("method", ["fast", "drawn"])
def test_threads_change_nothing(method, n_jobs):
    options = {
        "n_positive": 10,
        "n_negative": 90,
        "n_datasets": 200,
        "metrics": [*CURVE, "f1"],
        "threshold": 1.0,
        "method": method,
        "rng": 9,
    }
    one = simulation.simulate(BINORMAL, **options)
    several = simulation.simulate(BINORMAL, **options, n_jobs=n_jobs)
    np.testing.assert_array_equal(one.values, several.values)


@pytest.mark.parametrize("method", ["fast", "drawn"])
@pytest.mark.parametrize("model", [BINORMAL, MODELS["beta"], MODELS["own scores"]], ids=repr)
def test_the_first_data_sets_of_a_longer_run_are_those_of_a_shorter_one(model, method):
    options = {"n_positive": 10, "n_negative": 90, "method": method, "rng": 10}
    long = simulation.simulate(model, n_datasets=150, **options)
    short = simulation.simulate(model, n_datasets=70, **options)
    np.testing.assert_array_equal(long.values[:70], short.values)
    assert np.unique(long.values[:, 1]).size > 140


def test_very_many_positives_take_narrow_blocks():
    options = {"n_positive": 150_000, "n_negative": 10**6, "rng": 11}
    few = simulation.simulate(BINORMAL, n_datasets=2, **options)
    more = simulation.simulate(BINORMAL, n_datasets=9, **options)
    np.testing.assert_array_equal(few.values, more.values[:2])
    spread = np.sqrt(BINORMAL.auc_variance(150_000, 10**6))
    assert (abs(more["roc_auc"] - BINORMAL.auc) < 5 * spread).all()


def test_seeds():
    def areas(rng):
        result = simulation.simulate(BINORMAL, n_positive=5, n_negative=9, n_datasets=5, rng=rng)
        return result["roc_auc"], result.seed

    seven, seed = areas(7)
    assert seed == 7
    np.testing.assert_array_equal(areas(7)[0], seven)
    np.testing.assert_array_equal(areas(np.random.SeedSequence(7))[0], seven)
    assert (areas(8)[0] != seven).any()
    fresh, entropy = areas(None)
    np.testing.assert_array_equal(areas(entropy)[0], fresh)
    generator = np.random.default_rng(1)
    assert (areas(generator)[0] != areas(generator)[0]).any()


def test_the_method_is_chosen_by_what_metrics_read():
    def method(model, metrics):
        result = simulation.simulate(
            model, n_positive=5, n_negative=9, n_datasets=3, metrics=metrics, rng=0, threshold=0.5
        )
        return result.method

    assert method(BINORMAL, ["roc_auc", "f1_macro", "ks"]) == "fast"
    assert method(BINORMAL, ["roc_auc", fm.metric("precision_at_k", k=3)]) == "drawn"
    assert method(BINORMAL.calibrated(0.3), ["roc_auc"]) == "drawn"
    assert method(MODELS["beta"], ["roc_auc", "brier_score"]) == "drawn"


def test_row_metrics_are_those_of_the_rows():
    model = BINORMAL.calibrated(0.25)
    names = ["brier_score", "log_loss", "ece", "roc_auc", "f1"]
    result = simulation.simulate(
        model, n_positive=10, n_negative=30, n_datasets=4, metrics=names, rng=12
    )
    for i, values in enumerate(result.values):
        y_true, y_prob = result.data_set(i)
        expected = [
            fm.brier_score_loss(y_true, y_prob),
            fm.log_loss(y_true, y_prob),
            fm.expected_calibration_error(y_true, y_prob),
            fm.roc_auc_score(y_true, y_prob),
            fm.f1_score(y_true, y_prob >= 0.5),
        ]
        np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_thresholds_of_probabilities_are_one_half_unless_given():
    sizes = {"n_positive": 5, "n_negative": 9, "n_datasets": 20, "rng": 0}
    default = simulation.simulate(MODELS["beta"], metrics="f1", **sizes)
    half = simulation.simulate(MODELS["beta"], metrics="f1", threshold=0.5, **sizes)
    own = simulation.simulate(MODELS["beta"], metrics=fm.metric("f1", threshold=0.5), **sizes)
    np.testing.assert_array_equal(default.values, half.values)
    np.testing.assert_array_equal(default.values, own.values)


class Broken:
    """Draws what it is told."""

    def __init__(self, labels, scores):
        self.drawn = labels, scores

    def draw(self, n_positive, n_negative, generator):
        return self.drawn

    def __repr__(self):
        return "Broken()"


@pytest.mark.parametrize(
    ("model", "options", "error", "message"),
    [
        (3, {}, TypeError, r"model is 3: it has no draw\(n_positive, n_negative, generator\)"),
        (BINORMAL, {"n_positive": -1}, ValueError, "n_positive=-1: give a whole number of 0"),
        (BINORMAL, {"n_negative": 10**18}, ValueError, "or more, below 9,007,199,254,740,992"),
        (BINORMAL, {"n_negative": 2.0}, ValueError, "n_negative=2.0: give a whole number of 0"),
        (BINORMAL, {"n_negative": 2**53}, ValueError, "n_negative=9007199254740992: give a whole"),
        (BINORMAL, {"n_positive": 0, "n_negative": 0}, ValueError, "a data set needs rows"),
        (BINORMAL, {"n_datasets": 0}, ValueError, "n_datasets=0: give a whole number of 1"),
        (BINORMAL, {"method": "slow"}, ValueError, "method='slow': give one of auto, fast, drawn"),
        (BINORMAL, {"metrics": []}, ValueError, "metrics is empty"),
        (BINORMAL, {"threshold": np.nan}, ValueError, "threshold=nan: give a number"),
        (BINORMAL, {"rng": -1}, ValueError, "rng=-1: a seed is 0 or more"),
        (BINORMAL, {"n_jobs": 0}, ValueError, "n_jobs=0"),
        (
            BINORMAL,
            {"metrics": "f1"},
            ValueError,
            r"scores of Binormal\(2\) reach beyond \[0, 1\], so f1 has no default cut: pass thresh",
        ),
        (Coin(), {"metrics": "f1"}, ValueError, "so f1 has no default cut"),
        (
            BINORMAL,
            {"metrics": "brier_score"},
            ValueError,
            r"brier_score reads probabilities, and the scores of Binormal\(2\) are none: simulate",
        ),
        (BINORMAL, {"metrics": "ndcg"}, ValueError, "ndcg reads lists of scores"),
        (BINORMAL, {"metrics": "r2"}, ValueError, "r2 reads predicted values"),
        (
            MODELS["beta"],
            {"metrics": ["roc_auc", "log_loss"], "method": "fast"},
            ValueError,
            "method='fast' never has the rows that log_loss reads",
        ),
        (Coin(), {"method": "fast"}, ValueError, "needs a model that knows the law of its negativ"),
        (Broken([1, 0], [0.5]), {}, ValueError, r"Broken\(\) drew labels of shape \(2,\) and scor"),
        (Broken([1, 2], [0.5, 1]), {}, ValueError, r"Broken\(\) drew labels other than 0 and 1"),
        (Broken([1, 0], [0.5, np.nan]), {}, ValueError, r"Broken\(\) drew scores that are not fin"),
        (
            Fixed((np.inf, 0.0), BINORMAL.negative),
            {"n_positive": 2},
            ValueError,
            "drew scores that are not finite",
        ),
    ],
)
def test_bad_options_are_named(model, options, error, message):
    options = {"n_positive": 3, "n_negative": 5, "n_datasets": 2, **options}
    with pytest.raises(error, match=message):
        simulation.simulate(model, **options)
