"""Published studies, digit for digit from the generators that they were made with."""

import numpy as np
import pytest

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.simulation._limits import Replicates, limits_of
from fastmetrics.simulation._paired import Pairing
from fastmetrics.simulation.interpolation import areas_of_both
from tests.label_problems import FULL, NEVER_RARE


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


@pytest.mark.parametrize(
    ("positives", "curves", "decisions", "silent_accuracy"),
    [
        (20_000, (0.9217, 0.9224), (0.8422, 0.8422, 0.8416, 0.8431, 0.8424, 0.6845, 0.6845), 0.5),
        (2_222, (0.9255, 0.6819), (0.8416, 0.8452, 0.3722, 0.8497, 0.5176, 0.4935, 0.4397), 0.9),
        (202, (0.9238, 0.3020), (0.8404, 0.8581, 0.0524, 0.8762, 0.0989, 0.1910, 0.0816), 0.99),
    ],
)
def test_imbalance_metrics(positives, curves, decisions, silent_accuracy):
    y_true, y_score = simulation.Binormal(2).draw(positives, 20_000, np.random.default_rng(3))
    names = (
        "roc_auc",
        "average_precision",
        "accuracy",
        "balanced_accuracy",
        "precision",
        "recall",
        "f1",
        "matthews_corrcoef",
        "cohen_kappa",
    )
    found = fm.bootstrap(y_true, y_score, names, threshold=1, n_resamples=0)
    assert [round(found[name].estimate, 4) for name in names] == [*curves, *decisions]
    silent = np.zeros_like(y_true)
    assert round(fm.accuracy_score(y_true, silent), 4) == silent_accuracy
    assert fm.matthews_corrcoef(y_true, silent) == fm.cohen_kappa_score(y_true, silent) == 0


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


def test_both_areas_of_a_study():
    y_true, y_score = simulation.Binormal(2.5).draw(20, 1_980, np.random.default_rng(3))
    found = areas_of_both(y_true.view(np.uint8), y_score, 2.0)
    assert found.round(6).tolist() == [[0.394197, 0.383030], [0.195157, 0.488755]]


def test_coverage_of_two_hundred_data_sets():
    model, generator = simulation.Binormal(1.5), np.random.default_rng(0)
    estimates, replicates = np.empty(200), np.empty((200, 500))
    for i in range(200):
        y_true, y_score = model.draw(60, 140, generator)
        draws = [generator.integers(0, 200, 200) for _ in range(500)]
        found = fm.bootstrap(y_true, y_score, resamples=draws, method="percentile")
        estimates[i], replicates[i] = found.estimate, found.bootstrap_distribution
    low, high = limits_of("percentile", 0.95, Replicates.of(estimates, replicates, (0, 1)))
    assert np.count_nonzero((low <= model.auc) & (model.auc <= high)) == 187
    assert round((high - low).mean(), 6) == 0.111711


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


def test_two_models_in_opposite_orders():
    models = {"A": simulation.Binormal(2), "B": simulation.Binormal(2.6, scale=2)}
    pairing = Pairing(models, (1.0, 0.0))
    y_true, scores = pairing.draw(200, 19_800, np.random.default_rng(5))
    metrics = [
        "roc_auc",
        "average_precision",
        fm.metric("recall_at_false_positive_rate", max_fpr=0.01),
        fm.metric("precision_at_recall", min_recall=0.5),
    ]
    found = [
        [
            round(entry.estimate, 4)
            for entry in fm.bootstrap(y_true, column, metrics, n_resamples=0).entries().values()
        ]
        for column in scores
    ]
    assert found == [[0.9239, 0.3093, 0.4, 0.1969], [0.8942, 0.4940, 0.525, 0.3788]]
    assert [round(model.auc, 4) for model in models.values()] == [0.9214, 0.8775]


def test_folds_without_positives():
    study = simulation.folds_study(10, 190, n_folds=10, seeds=range(200))
    assert (study["plain"]["empty"], study["stratified"]["empty"]) == (665, 0)
    assert round(study["plain"]["expected_share"] * 2_000, 1) == 679.5


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


@pytest.mark.parametrize(
    ("matrix", "figures"),
    [
        (FULL, (0.8725, 0.7211, 0.8667, 0.6822, 0.6613, 0.6586, 0.4100)),
        (NEVER_RARE, (0.8580, 0.5392, 0.8363, 0.5543, 0.6187, 0.6132, 0.0)),
    ],
    ids=["three classes", "rare class forbidden"],
)
def test_three_classes(matrix, figures):
    y_true, y_pred = (np.repeat(codes.ravel(), matrix.ravel()) for codes in np.indices((3, 3)))
    found = (
        fm.accuracy_score(y_true, y_pred),
        fm.f1_score(y_true, y_pred, average="macro", zero_division=0),
        fm.f1_score(y_true, y_pred, average="weighted", zero_division=0),
        fm.balanced_accuracy_score(y_true, y_pred),
        fm.matthews_corrcoef(y_true, y_pred),
        fm.cohen_kappa_score(y_true, y_pred),
        fm.recall_score(y_true, y_pred, average=None)[2],
    )
    assert tuple(round(value, 4) for value in found) == figures
