"""Published studies, digit for digit from the generators that they were made with."""

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics import simulation


@pytest.mark.parametrize(
    ("positives", "counts"),
    [
        (20_000, (16827, 3173, 3138, 16862)),
        (2_222, (16815, 3185, 334, 1888)),
        (202, (16800, 3200, 25, 177)),
    ],
)
def test_imbalance(positives, counts):
    y_true, y_score = simulation.Binormal(2).draw(positives, 20_000, np.random.default_rng(3))
    assert tuple(fm.confusion_matrix(y_true, y_score >= 1).ravel()) == counts


def test_imbalance_precisions_by_the_formula():
    model = simulation.Binormal(2)
    found = [round(model.expected_precision(1.0, share), 4) for share in (0.5, 0.1, 0.01)]
    assert found == [0.8413, 0.3708, 0.0508]


def test_trapezoid_against_average_precision():
    y_true, y_score = simulation.Binormal(2.5).draw(20, 1_980, np.random.default_rng(3))
    precision, recall, _ = fm.precision_recall_curve(y_true, y_score)
    assert round(fm.average_precision_score(y_true, y_score), 6) == 0.394197
    assert round(fm.auc(recall, precision), 6) == 0.383030
    hard = (y_score >= 2).astype(float)
    precision, recall, _ = fm.precision_recall_curve(y_true, hard)
    assert round(fm.average_precision_score(y_true, hard), 6) == 0.195157
    assert round(fm.auc(recall, precision), 6) == 0.488755


def test_coverage_data_come_from_one_generator():
    generator, again = np.random.default_rng(0), np.random.default_rng(0)
    _, y_score = simulation.Binormal(1.5).draw(60, 140, generator)
    np.testing.assert_array_equal(y_score[:60], 1.5 + again.normal(size=60))
    np.testing.assert_array_equal(y_score[60:], again.normal(size=140))
    # the generator goes on where the data set ended
    assert generator.integers(0, 200) == again.integers(0, 200)


def test_two_models_with_shared_negatives():
    generator = np.random.default_rng(5)
    negatives = simulation.Binormal(2).draw(0, 19_800, generator)[1]
    first = simulation.Binormal(2).draw_positives(200, generator)
    second = simulation.Binormal(2.6, scale=2).draw_positives(200, generator)
    again = np.random.default_rng(5)
    np.testing.assert_array_equal(negatives, again.normal(size=19_800))
    np.testing.assert_array_equal(first, 2 + again.normal(size=200))
    np.testing.assert_array_equal(second, 2.6 + 2 * again.normal(size=200))


def test_people():
    model = simulation.ClusteredAnswers(n_people=30, questions=20, mean=1, spread=1.2)
    correct, people = model.draw(np.random.default_rng(0))
    assert round(correct.mean(), 6) == 0.651667
    rows, clusters = np.random.default_rng(0), np.random.default_rng(0)
    by_row = [correct[rows.integers(0, 600, 600)].mean() for _ in range(2_000)]
    by_person = correct.reshape(30, 20).mean(axis=1)
    by_cluster = [by_person[clusters.integers(0, 30, 30)].mean() for _ in range(2_000)]
    assert np.quantile(by_row, [0.025, 0.975]).round(4).tolist() == [0.6133, 0.6883]
    assert np.quantile(by_cluster, [0.025, 0.975]).round(4).tolist() == [0.5783, 0.7217]
    assert people.reshape(30, 20)[:, 0].tolist() == list(range(30))
    assert round(model.standard_deviation, 4) == 0.0421
