"""Platt scaling: the fit, smoothed targets, and the screening study's figures."""

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.calibration import _sigmoid_calibration
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fastmetrics as fm
from tests.forecast_data import FAULTY, SCORES


def problem(n=300):
    generator = np.random.default_rng(0)
    scores = generator.normal(size=n)
    return scores, (generator.random(n) < expit(2 * scores - 1)).astype(int), generator.random(n)


def score_equations(scores, labels, weights, platt):
    """Gradient of the likelihood, which the best line makes 0."""
    left = weights * (labels - platt.predict(scores))
    return left.sum(), left @ scores


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_the_fit_is_the_best_on_any_scale(scale, shift):
    scores, labels, weights = problem()
    for row_weights in (None, weights):
        moved = scale * (scores + shift)
        platt = fm.PlattScaling().fit(moved, labels, sample_weight=row_weights)
        used = np.ones(300) if row_weights is None else row_weights
        level, tilt = score_equations(moved, labels, used, platt)
        assert abs(level) < 1e-6
        assert abs(tilt - scale * shift * level) < 1e-6 * scale


def test_the_fit_is_that_of_logistic_regression():
    scores, labels, weights = problem()
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12)
    model.fit(scores[:, None], labels, sample_weight=weights)
    platt = fm.PlattScaling().fit(scores, labels, sample_weight=weights)
    assert platt.slope == pytest.approx(model.coef_[0, 0], rel=1e-9)
    assert platt.intercept == pytest.approx(model.intercept_[0], rel=1e-9)
    new = np.linspace(-3, 3, 7)
    expected = model.predict_proba(new[:, None])[:, 1]
    np.testing.assert_allclose(platt.predict(new), expected, rtol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_smoothed_targets_are_those_of_scikit_learn(weighted):
    scores, labels, weights = problem()
    row_weights = weights if weighted else None
    a, b = _sigmoid_calibration(scores, labels, row_weights)
    platt = fm.PlattScaling(smoothing=True).fit(scores, labels, sample_weight=row_weights)
    assert platt.slope == pytest.approx(-a, rel=1e-4)
    assert platt.intercept == pytest.approx(-b, rel=1e-4)


def test_weights_are_repetitions():
    scores, labels, _ = problem(60)
    counts = np.arange(60) % 4
    repeated = np.repeat(np.arange(60), counts)
    for smoothing in (False, True):
        platt = fm.PlattScaling(smoothing=smoothing).fit(scores, labels, sample_weight=counts)
        again = fm.PlattScaling(smoothing=smoothing).fit(scores[repeated], labels[repeated])
        assert platt.slope == pytest.approx(again.slope, rel=1e-7)
        assert platt.intercept == pytest.approx(again.intercept, rel=1e-7)


def test_separated_classes_need_smoothing():
    for labels in ([0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1]):
        with pytest.raises(ValueError, match="no finite slope is best"):
            fm.PlattScaling().fit([1, 2, 3, 4], labels)
        platt = fm.PlattScaling(smoothing=True).fit([1, 2, 3, 4], labels)
        assert np.isfinite([platt.slope, platt.intercept]).all()
    with pytest.raises(ValueError, match="no finite slope is best"):
        fm.PlattScaling().fit([1, 2, 2, 3], [0, 0, 1, 1])  # a tie between them does not help
    for smoothing in (False, True):
        with pytest.raises(ValueError, match="all scores are 5"):
            fm.PlattScaling(smoothing=smoothing).fit([5, 5, 5], [0, 1, 0])


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="not fitted"):
        fm.PlattScaling().predict([1, 2])
    with pytest.raises(ValueError, match="scores contains NaN"):
        fm.PlattScaling().fit([1, np.nan], [0, 1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fm.PlattScaling().fit([1, 2, 3], [0, 1])
    with pytest.raises(ValueError, match="name the positive one"):
        fm.PlattScaling().fit([1, 2, 3], ["a", "b", "a"])
    with pytest.raises(ValueError, match="'smoothing' parameter"):
        fm.PlattScaling(smoothing="yes")


def test_ranking_and_inputs_are_unchanged():
    scores, labels = logit(SCORES), FAULTY.copy()
    before = scores.tolist()
    platt = fm.PlattScaling().fit(scores, labels)
    assert fm.roc_auc_score(labels, platt.predict(scores)) == fm.roc_auc_score(labels, scores)
    assert scores.tolist() == before
    weather = np.where(FAULTY, "storm", "calm")
    assert fm.PlattScaling().fit(scores, weather, pos_label="storm").slope == platt.slope


def log_odds(model, features):
    joint = model.predict_joint_log_proba(features)
    return joint[:, 1] - joint[:, 0]


def platt_scaled(features, target, new):
    """Naive Bayes, recalibrated on scores of inner folds."""
    scores = np.empty(len(target))
    inner = StratifiedKFold(3, shuffle=True, random_state=2)
    for train, held_out in inner.split(features, target):
        model = GaussianNB().fit(features[train], target[train])
        scores[held_out] = log_odds(model, features[held_out])
    platt = fm.PlattScaling().fit(scores, target)
    return platt.predict(log_odds(GaussianNB().fit(features, target), new))


def naive_bayes(features, target, new):
    return expit(log_odds(GaussianNB().fit(features, target), new))


@pytest.mark.parametrize(
    ("model", "out_of_fold", "on_test"),
    [
        (naive_bayes, ["0.9886", "0.9779", "0.0534", "0.0549"], ["0.9816", "0.0708"]),
        (platt_scaled, ["0.9902", "0.9846", "0.0406", "0.0431"], ["0.9816", "0.0555"]),
    ],
)
def test_screening_study(model, out_of_fold, on_test):
    features, benign = load_breast_cancer(return_X_y=True)
    target = 1 - benign
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    development, test = next(folds.split(features, target))
    x, y = features[development], target[development]
    y_prob = np.empty(len(y))
    for train, held_out in StratifiedKFold(5, shuffle=True, random_state=1).split(x, y):
        y_prob[held_out] = model(x[train], y[train], x[held_out])
    values = [
        function(y, y_prob)
        for function in (
            fm.roc_auc_score,
            fm.average_precision_score,
            fm.brier_score_loss,
            fm.expected_calibration_error,
        )
    ]
    assert [f"{value:.4f}" for value in values] == out_of_fold
    y_prob = model(x, y, features[test])
    values = [fm.roc_auc_score(target[test], y_prob), fm.brier_score_loss(target[test], y_prob)]
    assert [f"{value:.4f}" for value in values] == on_test


@pytest.mark.parametrize("scale", [1e-250, 1e250])
def test_scores_and_weights_whose_squares_are_no_numbers(scale):
    scores, labels, weights = problem()
    plain = fm.PlattScaling().fit(scores, labels, sample_weight=weights)
    scaled = fm.PlattScaling().fit(scale * scores, labels, sample_weight=weights)
    np.testing.assert_allclose(scaled.predict(scale * scores), plain.predict(scores), rtol=1e-9)
    weighted = fm.PlattScaling().fit(scores, labels, sample_weight=scale * weights)
    np.testing.assert_allclose(weighted.predict(scores), plain.predict(scores), rtol=1e-9)
