"""Log loss and Brier score: known values, scikit-learn, awkward input."""

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import fastmetrics as fm
from fastmetrics.probability.losses import METRICS
from tests import reference_forecasts
from tests.forecast_data import FAULTY, SCORES, problems, screening, synthetic_scores

NAN, INF = float("nan"), float("inf")
LOSSES = ["log_loss", "brier_score_loss"]


def both(name):
    return getattr(fm, name), getattr(sklearn.metrics, name)


@st.composite
def class_problems(draw):
    """Classes that all occur, rows of probabilities that sum to one, and weights."""
    k = draw(st.integers(2, 4))
    n = draw(st.integers(k, 20))
    rows = draw(st.lists(st.integers(0, k - 1), min_size=n - k, max_size=n - k))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    y_prob = generator.dirichlet(np.full(k, 0.3), n)
    return np.array([*range(k), *rows]), y_prob, generator.random(n) + 0.1


def test_worked_example():
    assert fm.brier_score_loss(FAULTY, SCORES) == pytest.approx(0.196875, abs=1e-15)
    base_rate = np.full(12, 1 / 3)
    assert fm.brier_score_loss(FAULTY, base_rate) == pytest.approx(2 / 9, abs=1e-15)


def test_synthetic_scores():
    y_true, calibrated, sigmoid = synthetic_scores()
    forecasts = (calibrated, sigmoid, np.full(y_true.size, 0.1))
    scores = [f"{fm.brier_score_loss(y_true, p):.4f}" for p in forecasts]
    assert scores == ["0.0820", "0.2752", "0.0916"]


def test_screening():
    y_true, logistic_regression, naive_bayes = screening()
    assert f"{fm.brier_score_loss(y_true, logistic_regression):.4f}" == "0.0320"
    assert f"{fm.brier_score_loss(y_true, naive_bayes):.4f}" == "0.0708"


@pytest.mark.parametrize("name", LOSSES)
@given(problem=problems())
@settings(deadline=None, max_examples=60)
def test_agrees_with_scikit_learn(name, problem):
    ours, theirs = both(name)
    assert ours(*problem) == pytest.approx(theirs(*problem), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", LOSSES)
@given(problem=problems(weighted=True))
@settings(deadline=None, max_examples=60)
def test_weighted_values_agree_with_scikit_learn(name, problem):
    y_true, y_prob, weights = problem
    ours, theirs = both(name)
    value = ours(y_true, y_prob, sample_weight=weights)
    expected = theirs(y_true, y_prob, sample_weight=weights)
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("name", LOSSES)
@given(problem=class_problems())
@settings(deadline=None, max_examples=60)
def test_several_classes_agree_with_scikit_learn(name, problem):
    y_true, y_prob, weights = problem
    ours, theirs = both(name)
    labels = np.array(["ash", "birch", "cedar", "dogwood"])[y_true]
    for classes in (y_true, y_true.astype(np.uint8), y_true + 5, 3 * y_true - 2, labels):
        assert ours(classes, y_prob) == pytest.approx(theirs(classes, y_prob), rel=1e-12)
        value = ours(classes, y_prob, sample_weight=weights)
        expected = theirs(classes, y_prob, sample_weight=weights)
        assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@given(problem=problems(weighted=True))
@settings(deadline=None, max_examples=60)
def test_described_metrics_agree_with_the_reference(metric, problem):
    y_true, y_prob, weights = problem
    terms = metric.statistic.terms(y_true.astype(float), y_prob)
    assert terms.shape == (len(y_true), metric.statistic.size)
    draws = np.stack([weights, np.ones(len(y_true))])
    values = metric.formula(draws @ terms)
    expected = [reference_forecasts.value(metric, y_true, y_prob, draw) for draw in draws]
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n", [1, 16_384, 16_385, 40_000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_blocks_of_rows(n, dtype):
    generator = np.random.default_rng(n)
    y_prob = generator.random(n).astype(dtype)
    y_true = (generator.random(n) < y_prob).astype(int)
    weights = generator.random(n)
    for row_weights in (None, weights):
        value = fm.brier_score_loss(y_true, y_prob, sample_weight=row_weights)
        expected = np.average((y_prob.astype(float) - y_true) ** 2, weights=row_weights)
        assert value == pytest.approx(expected, rel=1e-13)
        told = np.where(y_true, y_prob.astype(float), 1 - y_prob.astype(float))
        expected = np.average(-np.log(told), weights=row_weights)
        value = fm.log_loss(y_true, y_prob, sample_weight=row_weights, labels=[0, 1])
        assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [7, 30_000])
def test_blocks_of_rows_of_several_classes(n):
    generator = np.random.default_rng(n)
    y_prob, y_true = generator.dirichlet(np.ones(5), n), np.arange(n) % 5
    told = y_prob[np.arange(n), y_true]
    assert fm.log_loss(y_true, y_prob) == pytest.approx(-np.log(told).mean(), rel=1e-12)
    errors = ((np.eye(5)[y_true] - y_prob) ** 2).sum(axis=1)
    assert fm.brier_score_loss(y_true, y_prob) == pytest.approx(errors.mean(), rel=1e-12)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("dtype", ["?", "b", "B", "i", "l", "e", "f", "d", "g", "O", ">f8", ">i2"])
def test_every_type_of_labels_and_probabilities(name, dtype):
    y_true = np.array([0, 1, 1, 0, 1, 0])
    ours, theirs = both(name)
    y_prob = np.array([0, 1, 1, 1, 0, 0])
    expected = theirs(y_true, y_prob.astype("d" if dtype in "Og" else dtype))
    # log loss of float16 and float32: their sums are rounded to the type
    assert ours(y_true.astype(dtype), y_prob.astype(dtype)) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("name", LOSSES)
def test_containers(name):
    y_true, y_prob = FAULTY, SCORES
    expected = getattr(fm, name)(y_true, y_prob)
    read_only = y_prob.copy()
    read_only.flags.writeable = False
    for probabilities in (
        y_prob.tolist(),
        y_prob[:, None],
        pd.Series(y_prob, index=range(12, 0, -1)),
        pd.Series(y_prob, dtype="Float64"),
        read_only,
        np.repeat(y_prob, 2)[::2],
        np.ma.masked_array(y_prob, mask=np.zeros(12)),
    ):
        assert getattr(fm, name)(y_true, probabilities) == pytest.approx(expected, rel=1e-15)
    for labels in (y_true.tolist(), y_true[:, None], pd.Series(y_true, dtype="Int64")):
        assert getattr(fm, name)(labels, y_prob) == pytest.approx(expected, rel=1e-15)


def test_two_columns_are_one_column():
    columns = np.column_stack([1 - SCORES, SCORES])
    for name in LOSSES:
        value = getattr(fm, name)(FAULTY, columns)
        assert value == pytest.approx(getattr(fm, name)(FAULTY, SCORES), rel=1e-13)


def test_label_indicators():
    y_true = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    y_prob = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
    for name in LOSSES:
        ours, theirs = both(name)
        assert ours(y_true, y_prob) == pytest.approx(theirs([0, 1, 2], y_prob), rel=1e-13)
    several = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    assert fm.log_loss(several, y_prob) == pytest.approx(0.8770297199886938, rel=1e-12)


@pytest.mark.parametrize(
    ("dtype", "expected"), [(np.float64, 12.014551129705717), (np.float32, 5.314128384292914)]
)
def test_certain_errors_cost_the_precision_of_the_type(dtype, expected):
    y_prob = np.array([0, 0, 1], dtype)
    assert fm.log_loss([1, 0, 1], y_prob) == pytest.approx(expected, rel=1e-6)
    assert fm.log_loss(np.array([1, 0, 1]), y_prob) == pytest.approx(expected, rel=1e-6)
    columns = np.column_stack([1 - y_prob, y_prob])
    assert fm.log_loss([1, 0, 1], columns) == pytest.approx(expected, rel=1e-6)


def test_half_precision_is_bounded_by_its_own():
    y_prob = np.array([0, 0, 1], np.float16)
    assert fm.log_loss([1, 0, 1], y_prob) == pytest.approx(
        (-np.log(2.0**-10) - 2 * np.log(1 - 2.0**-10)) / 3, rel=1e-12
    )


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("bad", [[-0.1, 0.2, 1], [0, 0.2, 1.2]])
def test_numbers_outside_zero_and_one_are_refused(name, bad):
    words = "less than 0" if bad[0] < 0 else "greater than 1"
    for y_true in ([1, 0, 1], np.array([1, 0, 1])):
        for y_prob in (bad, np.array(bad), np.column_stack([bad, bad])):
            with pytest.raises(ValueError, match=f"y_prob contains values {words}"):
                getattr(fm, name)(y_true, y_prob)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("bad", [NAN, INF, -INF])
def test_numbers_that_are_not_finite_are_refused(name, bad):
    for y_prob in ([0.1, bad, 0.3], np.array([0.1, bad, 0.3]), [[0.1, 0.9], [bad, 0.2], [0, 1]]):
        with pytest.raises(ValueError, match="y_proba contains (NaN|infinity)"):
            getattr(fm, name)(np.array([0, 1, 0]), y_prob)


@pytest.mark.parametrize("name", LOSSES)
def test_what_lies_under_a_mask_is_not_read(name):
    y_prob = np.ma.masked_array([0.9, 0.1, 0.0, 0.5], mask=[0, 0, 1, 0])
    with pytest.raises(ValueError, match="y_proba has 1 masked entry, first at row 2"):
        getattr(fm, name)([1, 0, 1, 0], y_prob)


@pytest.mark.parametrize("name", LOSSES)
def test_rows_that_do_not_sum_to_one_are_used_as_they_are(name):
    y_prob = [[0.5, 0.3], [0.4, 0.6]]
    with pytest.warns(UserWarning, match="do not sum to one.* Row 0 sums to 0.8") as caught:
        value = getattr(fm, name)([0, 1], y_prob)
    assert caught[0].filename == __file__
    assert value == pytest.approx({"log_loss": 0.601986402162968}.get(name, 0.165))


def test_rows_sum_to_one_within_the_precision_of_their_type():
    y_prob = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.33, 0.33, 0.34]], np.float32)
    fm.log_loss([2, 1, 0], y_prob)
    fm.log_loss([2, 1, 0], y_prob.astype(np.float16))
    with pytest.warns(UserWarning, match="do not sum to one"):
        fm.log_loss([2, 1, 0], y_prob.astype(np.float64) * 1.00001)


@pytest.mark.parametrize("name", LOSSES)
def test_columns_are_in_sorted_order_whatever_labels_says(name):
    y_true, y_prob = ["wolf", "bear"], [[0.9, 0.1], [0.2, 0.8]]
    expected = getattr(fm, name)(y_true, y_prob, labels=["bear", "wolf"])
    with pytest.warns(UserWarning, match=r"Pass the ordered labels=\['bear', 'wolf'\]"):
        value = getattr(fm, name)(y_true, y_prob, labels=["wolf", "bear"])
    assert value == expected
    if name == "log_loss":
        assert value == pytest.approx(1.9560115027140728, abs=1e-12)


@pytest.mark.parametrize("name", LOSSES)
def test_labels_that_do_not_fit(name):
    function, y_prob = getattr(fm, name), [[0.5, 0.5], [0.2, 0.8]]
    for labels, message in (
        ([0, 2], r"y_true contains values \{1\} not belonging to the passed labels \[0, 2\]"),
        ([1], "needs to contain at least two labels|not belonging"),
        ([0, 1, 1], "labels names a class twice"),
        ([0, 1, 2], "number of classes in labels is different"),
        (["0", "1"], "not belonging"),
    ):
        with pytest.raises(ValueError, match=message):
            function([0, 1], y_prob, labels=labels)
    with pytest.raises(ValueError, match="contain different number of classes: 3 vs 2"):
        function([0, 1, 2], [[0.5, 0.5]] * 3)
    with pytest.raises(ValueError, match="contains only one label"):
        function([1, 1], y_prob)
    assert function([1, 1], y_prob, labels=[0, 1]) >= 0


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize(
    "y_true", [[0.5, 1.2], [[1, 2], [3, 1]], ["a", None], [NAN, 1.0], [], [[[1]], [[0]]]]
)
def test_what_is_no_label_is_refused(name, y_true):
    with pytest.raises(ValueError, match=r"."):
        getattr(fm, name)(y_true, [0.3, 0.6])


@pytest.mark.parametrize("name", LOSSES)
def test_unequal_lengths(name):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        getattr(fm, name)([0, 1], [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        getattr(fm, name)(FAULTY, SCORES, sample_weight=[1, 2])


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("weights", [[1, -1, 1], [1, NAN, 1], [0, 0, 0]])
def test_bad_weights_are_refused(name, weights):
    with pytest.raises(ValueError, match="sample_weight"):
        getattr(fm, name)(np.array([0, 1, 1]), np.array([0.1, 0.2, 0.3]), sample_weight=weights)


@pytest.mark.parametrize("name", LOSSES)
def test_a_row_without_weight_is_not_there(name):
    weights = np.array([1.0, 2, 0, 1, 3, 1, 0, 2, 1, 1, 1, 1])
    kept = weights > 0
    value = getattr(fm, name)(FAULTY, SCORES, sample_weight=weights)
    expected = getattr(fm, name)(FAULTY[kept], SCORES[kept], sample_weight=weights[kept])
    assert value == pytest.approx(expected, rel=1e-14)
    repeated = np.repeat(np.arange(12), weights.astype(int))
    expected = getattr(fm, name)(FAULTY[repeated], SCORES[repeated])
    assert value == pytest.approx(expected, rel=1e-14)


def test_sum_instead_of_mean():
    assert fm.log_loss(FAULTY, SCORES, normalize=False) == pytest.approx(
        12 * fm.log_loss(FAULTY, SCORES), rel=1e-15
    )
    with pytest.raises(ValueError, match="'normalize' parameter of log_loss must be a bool"):
        fm.log_loss(FAULTY, SCORES, normalize="yes")


def test_the_former_name():
    with pytest.warns(FutureWarning, match="`y_pred` was renamed to `y_proba`"):
        assert fm.log_loss(FAULTY, y_pred=SCORES) == fm.log_loss(FAULTY, SCORES)
    with pytest.raises(ValueError, match="Cannot use both"):
        fm.log_loss(FAULTY, SCORES, y_pred=SCORES)
    with pytest.raises(ValueError, match="y_proba is missing"):
        fm.log_loss(FAULTY)


@pytest.mark.parametrize(
    ("y_true", "pos_label", "expected"),
    [
        ([1, 1, 1], None, 0.04666666666666667),
        ([0, 0, 0], None, 0.6466666666666666),
        ([-1, -1, -1], None, 0.6466666666666666),
        ([2, 2, 2], None, 0.04666666666666667),
        ([True, True, True], None, 0.04666666666666667),
        (["calm"] * 3, "storm", 0.6466666666666666),
        (["storm"] * 3, "storm", 0.04666666666666667),
    ],
)
def test_positive_class_of_a_single_class(y_true, pos_label, expected):
    value = fm.brier_score_loss(y_true, [0.9, 0.8, 0.7], pos_label=pos_label)
    assert value == pytest.approx(expected, abs=1e-15)


def test_positive_class_of_two():
    y_prob = [0.1, 0.8, 0.3]
    value = fm.brier_score_loss([1, 2, 1], y_prob)
    assert value == pytest.approx(0.14 / 3, abs=1e-15)
    assert fm.brier_score_loss([-1, 1, -1], y_prob) == value
    weather = np.array(["calm", "storm", "calm"])
    assert fm.brier_score_loss(weather, y_prob, pos_label="storm") == value
    assert fm.brier_score_loss(weather, y_prob, pos_label="calm") == pytest.approx(
        (0.81 + 0.64 + 0.49) / 3, abs=1e-15
    )
    assert fm.brier_score_loss([0, 1, 0], y_prob, pos_label=0) == pytest.approx(
        (0.81 + 0.64 + 0.49) / 3, abs=1e-15
    )
    with pytest.raises(ValueError, match="pos_label is not specified"):
        fm.brier_score_loss(weather, y_prob)


@pytest.mark.parametrize("pos_label", [7, "storm", 1.5])
def test_a_positive_class_that_does_not_occur_is_refused(pos_label):
    with pytest.raises(ValueError, match="does not occur in y_true, which holds 0 and 1"):
        fm.brier_score_loss([0, 1, 0], [0.1, 0.8, 0.3], pos_label=pos_label)


def test_three_classes_are_not_halved_unless_asked():
    y_true = [0, 1, 2]
    y_prob = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]
    assert fm.brier_score_loss(y_true, y_prob) == pytest.approx(0.24666666666666667, abs=1e-15)
    value = fm.brier_score_loss(y_true, y_prob, scale_by_half=True)
    assert value == pytest.approx(0.24666666666666667 / 2, abs=1e-15)
    value = fm.brier_score_loss(FAULTY, SCORES, scale_by_half=False)
    assert value == pytest.approx(2 * 0.196875, abs=1e-15)
    with pytest.raises(ValueError, match="'scale_by_half' parameter"):
        fm.brier_score_loss(FAULTY, SCORES, scale_by_half="no")
    with pytest.raises(ValueError, match="inferred from y_true is multiclass"):
        fm.brier_score_loss(y_true, [0.1, 0.2, 0.3])


def test_tiny_losses_keep_their_digits():
    y_prob = np.array([1e-12, 1 - 1e-12])
    assert fm.brier_score_loss(np.array([0, 1]), y_prob) == pytest.approx(1e-24, rel=1e-3)
    assert fm.log_loss(np.array([0, 1]), y_prob) == pytest.approx(1e-12, rel=1e-3)


@pytest.mark.parametrize("name", LOSSES)
def test_inputs_are_unchanged(name):
    columns = np.column_stack([1 - SCORES, SCORES])
    arrays = [FAULTY.copy(), SCORES.copy(), columns.copy(), np.arange(1.0, 13)]
    before = [array.tobytes() for array in arrays]
    y_true, y_prob, y_columns, weights = arrays
    getattr(fm, name)(y_true, y_prob, sample_weight=weights)
    getattr(fm, name)(y_true, y_columns, sample_weight=weights)
    getattr(fm, name)(y_true, y_prob.astype(np.float32))
    assert [array.tobytes() for array in arrays] == before
