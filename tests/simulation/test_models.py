"""Models know the truth: closed forms against quadrature, quadrature against draws."""

import numpy as np
import pytest
from scipy import integrate, stats

import fastmetrics as fm
from fastmetrics import simulation
from tests.chance import TOO_UNLIKELY, mean_is
from tests.simulation.cases import MODELS, OWN_SCORES

ALL = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
SCALES = [(0.5, 1.0), (1.5, 2.0), (3.0, 0.5), (6.0, 0.3), (6.0, 3.0), (0.0, 5.0), (-2.0, 1.0)]
BINORMAL = pytest.mark.parametrize(("separation", "scale"), SCALES)


def twins(separation, scale):
    """The binormal model in closed form, and the same by quadrature."""
    general = simulation.ScoreModel(stats.norm(0, 1), stats.norm(separation, scale))
    return simulation.Binormal(separation, scale), general


@BINORMAL
def test_binormal_closed_forms_agree_with_quadrature(separation, scale):
    closed, general = twins(separation, scale)
    assert closed.auc == pytest.approx(general.auc, abs=1e-14)
    for sizes in ((60, 140), (1, 1), (5, 100_000)):
        expected = general.auc_variance(*sizes)
        assert closed.auc_variance(*sizes) == pytest.approx(expected, rel=1e-9)
    rates = np.linspace(0, 1, 21)
    np.testing.assert_allclose(closed.roc_curve(rates), general.roc_curve(rates), atol=1e-13)
    expected = stats.norm.cdf((separation + stats.norm.ppf(rates)) / scale)
    np.testing.assert_allclose(closed.roc_curve(rates), expected, atol=1e-13)


@BINORMAL
def test_binormal_area_is_that_under_its_curve(separation, scale):
    model = simulation.Binormal(separation, scale)
    area, _ = integrate.quad(model.roc_curve, 0, 1, limit=200, points=[1e-8, 1e-4, 1e-2])
    assert area == pytest.approx(model.auc, abs=1e-6)
    assert model.auc == pytest.approx(stats.norm.cdf(separation / np.hypot(1, scale)), rel=1e-14)


def test_binormal_variance_is_that_of_its_two_kinds_of_pairs():
    model = simulation.Binormal(1.0, scale=2.0)
    # both pairs right: two differences with a common row are bivariate normal
    difference = 1.0 / np.sqrt(5.0)
    shared_positive = stats.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]])
    shared_negative = stats.multivariate_normal([0, 0], [[1, 0.2], [0.2, 1]])
    both = [law.cdf([difference, difference]) for law in (shared_positive, shared_negative)]
    area = stats.norm.cdf(difference)
    expected = area - area**2 + 6 * (both[0] - area**2) + 3 * (both[1] - area**2)
    assert model.auc_variance(4, 7) == pytest.approx(expected / 28, rel=1e-6)


def test_a_tiny_variance_keeps_its_digits():
    closed, general = twins(6.0, 0.3)
    assert closed.auc_variance(60, 140) == pytest.approx(7.5663379e-12, rel=1e-6)
    assert general.auc_variance(60, 140) == pytest.approx(7.5663379e-12, rel=1e-6)


@ALL
def test_area_and_variance_are_those_of_draws(model):
    generator = np.random.default_rng(6)
    areas = np.array([fm.roc_auc_score(*model.draw(12, 25, generator)) for _ in range(3_000)])
    variance = model.auc_variance(12, 25)
    assert mean_is(areas, model.auc, variance) > TOO_UNLIKELY
    squares = (areas - model.auc) ** 2
    assert mean_is(squares, variance, squares.var()) > TOO_UNLIKELY


@ALL
def test_rates_and_precision_are_those_of_draws(model):
    n = 40_000
    y_true, y_score = model.draw(n, n, np.random.default_rng(7))
    for threshold in np.quantile(y_score, [0.3, 0.8]):
        rates = model.rates(threshold)
        flagged = y_score >= threshold
        for label, rate in ((1, rates.true_positive_rate), (0, rates.false_positive_rate)):
            hits = int(flagged[y_true == label].sum())
            assert stats.binomtest(hits, n, min(rate, 1.0)).pvalue > TOO_UNLIKELY
        share = (
            rates.true_positive_rate
            * 0.2
            / (rates.true_positive_rate * 0.2 + rates.false_positive_rate * 0.8)
        )
        assert model.expected_precision(threshold, prevalence=0.2) == pytest.approx(share)


@ALL
def test_average_precision_is_that_of_very_many_draws(model):
    y_true, y_score = model.draw(20_000, 80_000, np.random.default_rng(8))
    found = fm.average_precision_score(y_true, y_score)
    assert model.average_precision(prevalence=0.2) == pytest.approx(found, abs=0.01)


@ALL
def test_curves_pass_through_the_rates_at_thresholds(model):
    thresholds = np.unique(model.draw(15, 15, np.random.default_rng(9))[1])
    true_rate, false_rate = model.rates(thresholds)
    both = (true_rate > 0) & (true_rate < 1) & (false_rate > 0) & (false_rate < 1)
    assert both.any()
    thresholds, true_rate, false_rate = thresholds[both], true_rate[both], false_rate[both]
    # where a curve is upright, rounding decides between its ends: stand just beside
    beside = 1e-12 if model.negative.discrete or model.positive.discrete else 0.0
    recall = model.roc_curve(false_rate + beside)
    precision = model.precision_recall_curve(true_rate - beside, prevalence=0.1)
    expected = model.expected_precision(thresholds, prevalence=0.1)
    assert (recall >= true_rate - 1e-9).all()
    assert (precision >= expected - 1e-9).all()
    if not beside:
        np.testing.assert_allclose(recall, true_rate, atol=1e-9)
        np.testing.assert_allclose(precision, expected, atol=1e-9)
    rates = np.linspace(0, 1, 101)
    assert (np.diff(model.roc_curve(rates)) >= -1e-15).all()
    assert model.roc_curve(1.0) == 1.0


@pytest.mark.parametrize("name", ["binormal", "beta", "counts", "rounded", "own scores"])
def test_the_best_precision_at_a_recall_is_that_of_a_threshold(name):
    model = MODELS[name]
    cuts = model.positive.atoms.values if model.positive.discrete else np.linspace(0.1, 0.9, 9)
    recall, _ = model.rates(cuts)
    found = model.precision_recall_curve(recall, prevalence=0.3)
    np.testing.assert_allclose(found, model.expected_precision(cuts, prevalence=0.3), rtol=1e-9)


@ALL
def test_probabilities_are_calibrated(model):
    prevalence = 0.3
    y_true, y_score = model.draw(9_000, 21_000, np.random.default_rng(10))
    probability = model.probability(y_score, prevalence)
    assert ((probability >= 0) & (probability <= 1)).all()
    for low, high in ((0.0, 0.2), (0.2, 0.5), (0.5, 1.0)):
        chosen = (probability >= low) & (probability <= high)
        expected, hits = probability[chosen].sum(), y_true[chosen].sum()
        spread = np.sqrt((probability[chosen] * (1 - probability[chosen])).sum())
        assert abs(hits - expected) < 4.5 * spread + 1e-9


def test_binormal_probabilities_are_logistic():
    model, x = simulation.Binormal(2), np.array([-1.0, 0.0, 1.0, 2.5])
    log_odds = np.log(0.01 / 0.99) + 2 * x - 2
    np.testing.assert_allclose(model.probability(x, 0.01), 1 / (1 + np.exp(-log_odds)))


def test_own_scores_are_described_as_they_are():
    negative, positive = OWN_SCORES
    y_true = np.repeat([0, 1], [negative.size, positive.size])
    y_score = np.concatenate(OWN_SCORES)
    model = simulation.EmpiricalModel.fit(y_true, y_score)
    share = positive.size / y_true.size
    assert model.auc == pytest.approx(fm.roc_auc_score(y_true, y_score), abs=1e-14)
    expected = fm.average_precision_score(y_true, y_score)
    assert model.average_precision(share) == pytest.approx(expected, abs=1e-14)
    for cut in (-0.5, 0.3, 0.35, 2.0):
        precision = fm.precision_score(y_true, y_score >= cut)
        assert model.expected_precision(cut, share) == pytest.approx(precision, abs=1e-14)
    false_rate, true_rate, _ = fm.roc_curve(y_true, y_score, drop_intermediate=False)
    grid = np.linspace(0.013, 0.987, 50)
    np.testing.assert_allclose(model.roc_curve(grid), np.interp(grid, false_rate, true_rate))


def test_a_score_that_only_one_class_can_have_is_certain():
    discrete_negatives, discrete_positives = (
        MODELS["discrete negatives"],
        MODELS["discrete positives"],
    )
    assert discrete_negatives.probability([2.0, 2.5], 0.3).tolist() == [0.0, 1.0]
    assert discrete_positives.probability([2.0, 2.5], 0.3).tolist() == [1.0, 0.0]
    assert np.isnan(MODELS["counts"].probability(2.5, 0.3))


def test_own_scores_are_drawn_from_their_own_class():
    model = simulation.EmpiricalModel.fit(["a", "b", "b"], [0.5, 0.25, 0.75], pos_label="b")
    y_true, y_score = model.draw(100, 100, np.random.default_rng(11))
    assert set(y_score[y_true == 1]) == {0.25, 0.75}
    assert set(y_score[y_true == 0]) == {0.5}


def test_rounded_scores_are_the_scores_rounded():
    model = simulation.Binormal(2)
    _, scores = model.draw(30, 50, np.random.default_rng(12))
    _, rounded = model.rounded(1).draw(30, 50, np.random.default_rng(12))
    np.testing.assert_array_equal(rounded, scores.round(1))
    assert model.rounded(9).rates(1.0).true_positive_rate == pytest.approx(
        model.rates(1.0).true_positive_rate, abs=1e-8
    )


def test_calibrated_scores_are_the_probabilities_of_the_same_scores():
    model = simulation.Binormal(1.5, scale=2.0)
    y_true, scores = model.draw(30, 50, np.random.default_rng(13))
    again, probability = model.calibrated(0.2).draw(30, 50, np.random.default_rng(13))
    np.testing.assert_array_equal(again, y_true)
    np.testing.assert_array_equal(probability, model.probability(scores, 0.2))


def test_a_model_can_be_made_for_an_area():
    for auc, scale in ((0.9, 1.0), (0.55, 3.0), (0.2, 0.5)):
        assert simulation.Binormal.with_auc(auc, scale).auc == pytest.approx(auc, abs=1e-14)


def test_numbers_come_back_as_floats_and_arrays_as_arrays():
    model = simulation.Binormal(2)
    assert type(model.roc_curve(0.1)) is float
    assert type(model.negative_cdf(0.0)) is float
    assert model.negative_cdf([0.0, 1.0]).shape == (2,)
    assert model.rounded(0).negative_cdf_below(0.0) == pytest.approx(stats.norm.cdf(-0.5))
    assert model.precision_recall_curve([[0.1, 0.2]], 0.5).shape == (1, 2)
    assert np.isnan(model.precision_recall_curve(0.0, 0.5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulation.Binormal(np.nan), "separation=nan: give a finite number"),
        (lambda: simulation.Binormal(1, scale=0), "scale=0: give a number above 0"),
        (lambda: simulation.Binormal("2"), "separation='2': give a finite number"),
        (lambda: simulation.Binormal.with_auc(1.0), "auc=1.0: give a number between 0 and 1"),
        (lambda: MODELS["beta"].roc_curve([0.1, 1.5]), "false_positive_rate holds 1.5"),
        (lambda: MODELS["beta"].roc_curve(np.nan), "false_positive_rate holds nan"),
        (lambda: MODELS["beta"].precision_recall_curve(-1, 0.1), "recall holds -1"),
        (lambda: MODELS["beta"].expected_precision(1, 5), "prevalence=5: give a fraction .*, 0.05"),
        (lambda: MODELS["beta"].average_precision(0), "prevalence=0: give a fraction"),
        (lambda: MODELS["beta"].rates(np.nan), "threshold holds NaN"),
        (lambda: MODELS["beta"].auc_variance(0, 5), "n_positive=0: give a whole number of 1"),
        (lambda: MODELS["beta"].draw(2.0, 5, None), "n_positive=2.0: give a whole number of 0"),
        (lambda: MODELS["beta"].rounded(-1), "decimals=-1: give a whole number of 0"),
        (lambda: MODELS["beta"].rounded(16), "decimals=16: a float has no more than 15"),
        (lambda: MODELS["beta"].calibrated(1), "prevalence=1: give a fraction"),
        (lambda: simulation.EmpiricalModel([], [1.0]), "negative_scores must be a vector"),
        (lambda: simulation.EmpiricalModel([1.0], [np.inf]), "positive_scores must be a vector"),
        (lambda: simulation.EmpiricalModel.fit([1, 1], [0.1, 0.2]), "y_true holds one class only"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
