"""Answers of people and clouds of points."""

import numpy as np
import pytest
from scipy import integrate, stats

from fastmetrics import simulation
from tests.chance import TOO_UNLIKELY, mean_is


def people(spread=1.2):
    return simulation.ClusteredAnswers(n_people=30, questions=20, mean=1, spread=spread)


def test_spread_of_the_accuracy_is_that_of_draws():
    model, generator = people(), np.random.default_rng(14)
    found = np.array([model.draw(generator).correct.mean() for _ in range(4_000)])
    variance = model.standard_deviation**2
    assert mean_is(found, model.accuracy, variance) > TOO_UNLIKELY
    squares = (found - model.accuracy) ** 2
    assert mean_is(squares, variance, squares.var()) > TOO_UNLIKELY
    assert model.standard_deviation > 2 * model.standard_deviation_of_rows


def test_accuracy_is_the_integral_over_people():
    expected, _ = integrate.quad(
        lambda z: stats.norm.pdf(z) / (1 + np.exp(-1 - 1.2 * z)), -12, 12, epsabs=1e-13
    )
    assert people().accuracy == pytest.approx(expected, abs=1e-12)


def test_people_of_one_ability_answer_independently():
    model = people(spread=0)
    assert model.accuracy == pytest.approx(1 / (1 + np.exp(-1)))
    assert model.standard_deviation == pytest.approx(model.standard_deviation_of_rows)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_people": 0}, "n_people=0: give a whole number of 1"),
        ({"questions": 1.5}, "questions=1.5: give a whole number of 1"),
        ({"mean": np.inf}, "mean=inf: give a finite number"),
        ({"spread": -1}, "spread=-1: give a number of 0 or more"),
    ],
)
def test_bad_numbers_of_people_are_named(change, message):
    options = {"n_people": 3, "questions": 2, "mean": 0, "spread": 1} | change
    with pytest.raises(ValueError, match=message):
        simulation.ClusteredAnswers(**options)


CENTRES = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]


def test_points_lie_around_their_centres():
    model = simulation.GaussianClasses(CENTRES, scale=0.5)
    y_true, points = model.draw([5_000, 0, 3_000], np.random.default_rng(15))
    assert np.bincount(y_true, minlength=3).tolist() == [5_000, 0, 3_000]
    for label in (0, 2):
        rest = (points[y_true == label] - CENTRES[label]) / 0.5
        assert stats.kstest(rest.ravel(), "norm").pvalue > TOO_UNLIKELY


def test_probabilities_of_classes_are_bayes_rule():
    model, shares = simulation.GaussianClasses(CENTRES, scale=1.5), np.array([0.7, 0.25, 0.05])
    points = np.random.default_rng(16).normal(size=(20, 2))
    density = [
        stats.multivariate_normal(centre, 1.5**2 * np.eye(2)).pdf(points) for centre in CENTRES
    ]
    joint = np.stack(density, axis=1) * shares
    expected = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.probability(points, shares), expected, rtol=1e-12)
    none = model.probability(points, [0.5, 0.5, 0.0])
    assert (none[:, 2] == 0).all()


def test_classes_on_a_line():
    model = simulation.GaussianClasses([0.0, 2.0])
    assert model.n_classes == 2
    assert model.draw([3, 4], np.random.default_rng(0)).points.shape == (7, 1)
    found = model.probability([1.0, 3.0], [0.5, 0.5])[:, 1]
    np.testing.assert_allclose(found, simulation.Binormal(2).probability([1.0, 3.0], 0.5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulation.GaussianClasses([[0.0]]), "centres of two classes or more"),
        (lambda: simulation.GaussianClasses([0.0, np.nan]), "centres of two classes or more"),
        (lambda: simulation.GaussianClasses([0, 1], scale=-1), "scale=-1: give a number above 0"),
        (
            lambda: simulation.GaussianClasses([0, 1]).draw([1], np.random.default_rng(0)),
            "class_sizes has 1 entries for 2 classes",
        ),
        (
            lambda: simulation.GaussianClasses([0, 1]).draw([1, -1], np.random.default_rng(0)),
            r"class_sizes\[1\]=-1: give a whole number",
        ),
        (
            lambda: simulation.GaussianClasses([0, 1]).probability([0.5], [0.5, 0.6]),
            "prevalence must hold 2 shares that sum to 1",
        ),
        (
            lambda: simulation.GaussianClasses(CENTRES).probability([0.5], [0.5, 0.5, 0]),
            r"points have shape \(1,\): give \(n, 2\)",
        ),
    ],
)
def test_bad_classes_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
