"""Areas under the ROC and precision-recall curves: known values, scikit-learn, awkward input."""

import itertools
import subprocess
import sys
import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

import fastmetrics as fm

# twelve units of an inspection line: score, and whether the unit is faulty; two share 0.40
SCORES = np.array([0.95, 0.85, 0.80, 0.70, 0.65, 0.55, 0.40, 0.40, 0.30, 0.20, 0.15, 0.10])
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])

NAN, INF = float("nan"), float("inf")


def area_by_pairs(y_true, y_score):
    pairs = itertools.product(
        [s for y, s in zip(y_true, y_score) if y], [s for y, s in zip(y_true, y_score) if not y]
    )
    points = [1.0 if p > q else 0.5 if p == q else 0.0 for p, q in pairs]
    return sum(points) / len(points)


@st.composite
def problems(draw, weighted=False):
    """Labels with both classes and scores with ties, both plain arrays; weights if asked for."""
    n = draw(st.integers(2, 40))
    y_true = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    scores = draw(st.lists(st.integers(-6, 6), min_size=n, max_size=n))
    y_score = np.array(scores) / draw(st.sampled_from([1, 4, 1e10]))
    if not weighted:
        return y_true, y_score
    weights = draw(st.lists(st.floats(0.01, 100), min_size=n, max_size=n))
    return y_true, y_score, np.array(weights)


def test_worked_example_area_three_ways():
    fpr, tpr, _ = fm.roc_curve(FAULTY, SCORES)
    assert fm.auc(fpr, tpr) == pytest.approx(0.796875, abs=1e-15)
    assert fm.pairwise_auc(FAULTY, SCORES) == 25.5 / 32
    assert fm.roc_auc_score(FAULTY, SCORES) == 0.796875
    assert fm.rank_auc(FAULTY, SCORES) == (35.5 - 4 * 5 / 2) / (4 * 8)


def test_worked_example_average_precision():
    assert fm.average_precision_score(FAULTY, SCORES) == pytest.approx(83 / 120, abs=1e-15)


@given(problems())
@settings(deadline=None, max_examples=60)
def test_area_is_the_share_of_pairs(problem):
    assert fm.roc_auc_score(*problem) == pytest.approx(area_by_pairs(*problem), abs=1e-15)


@given(problems())
@settings(deadline=None, max_examples=60)
def test_agrees_with_scikit_learn(problem):
    for name in ("roc_auc_score", "average_precision_score"):
        expected = getattr(sklearn.metrics, name)(*problem)
        assert getattr(fm, name)(*problem) == pytest.approx(expected, rel=1e-12)


@given(problems(weighted=True))
@settings(deadline=None, max_examples=60)
def test_weighted_values_agree_with_scikit_learn(problem):
    y_true, y_score, weights = problem
    for name in ("roc_auc_score", "average_precision_score"):
        expected = getattr(sklearn.metrics, name)(y_true, y_score, sample_weight=weights)
        value = getattr(fm, name)(y_true, y_score, sample_weight=weights)
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert 0 <= value <= 1


@given(problems(), st.floats(0.01, 1))
@settings(deadline=None, max_examples=60)
def test_partial_area_agrees_with_scikit_learn(problem, max_fpr):
    expected = sklearn.metrics.roc_auc_score(*problem, max_fpr=max_fpr)
    assert fm.roc_auc_score(*problem, max_fpr=max_fpr) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("dtype", ["?", "b", "B", "i", "l", "L", "e", "f", "d", "g", ">f8", ">i2"])
def test_every_type_of_labels_and_scores(dtype):
    y_true = np.array([0, 1, 1, 0, 1, 0])
    y_score = np.array([0, 1, 1, 1, 0, 0])
    for name in ("roc_auc_score", "average_precision_score"):
        expected = getattr(sklearn.metrics, name)(y_true, y_score)
        assert getattr(fm, name)(y_true.astype(dtype), y_score.astype(dtype)) == pytest.approx(
            expected, rel=1e-15
        )


def test_row_order_does_not_matter():
    # ties much longer than the short runs that insertion sorts keep in order
    y_true = np.repeat([1, 0, 1, 0], [9, 12, 5, 20])
    y_score = np.repeat([0.7, 0.7, 0.2, 0.2], [9, 12, 5, 20])
    expected = area_by_pairs(y_true, y_score)
    precision = sklearn.metrics.average_precision_score(y_true, y_score)
    rng = np.random.default_rng(0)
    for order in (slice(None), slice(None, None, -1), *(rng.permutation(46) for _ in range(5))):
        assert fm.roc_auc_score(y_true[order], y_score[order]) == expected
        value = fm.average_precision_score(y_true[order], y_score[order])
        assert value == pytest.approx(precision, rel=1e-15)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "i8"])
def test_more_than_2_to_the_31_pairs(dtype):
    y_true = np.tile(np.array([0, 1, 1, 0, 1], dtype), 20_000)
    y_score = np.tile([0.3, 0.3, 0.9, 0.5, 0.1], 20_000)
    assert fm.roc_auc_score(y_true, y_score) == area_by_pairs(y_true[:5], y_score[:5])


def test_products_of_weights_beyond_32_bits():
    weights = np.array([40_000, 90_000, 60_000, 70_000], np.int32)
    value = fm.roc_auc_score([0, 1, 0, 1], [1, 2, 3, 3], sample_weight=weights)
    pairs = 90_000 * 40_000 + 70_000 * 40_000 + 0.5 * 70_000 * 60_000
    assert value == pytest.approx(pairs / (160_000 * 100_000), rel=1e-15)


def test_float32_weights_are_added_in_float64():
    weights = np.array([2.0**24, 1, 1, 1, 1, 1], np.float32)
    value = fm.roc_auc_score([0, 1, 0, 0, 0, 1], [6, 5, 4, 3, 2, 1], sample_weight=weights)
    assert value == pytest.approx(3 / (2 * (2**24 + 3)), rel=1e-12)


def test_counts_of_float32_scores_stay_exact():
    negatives = 2**24 + 3  # float32 cannot hold this count
    y_true = np.zeros(negatives + 2, np.uint8)
    y_score = np.full(negatives + 2, 0.5, np.float32)
    y_true[:2] = 1
    y_score[:2] = 0.75, 0.5
    assert fm.roc_auc_score(y_true, y_score) == 0.75
    _, fps, _, tps, _ = fm.confusion_matrix_at_thresholds(y_true, y_score)
    assert (fps[-1], tps[-1]) == (negatives, 2)


def test_tiny_differences_are_no_ties():
    y_true = [0, 1, 0, 1, 1]
    y_score = np.array([2e-10, 2.1e-10, 1.9e-10, 1.95e-10, 0.0])
    assert fm.roc_auc_score(y_true, y_score) == area_by_pairs(y_true, y_score)
    assert len(fm.roc_curve(y_true, y_score, drop_intermediate=False)[2]) == 6


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_scores_are_not_squashed(dtype):
    y_true = np.array([1, 0, 1, 1, 0])
    y_score = np.array([50.5, 51.5, 52.5, 53.5, 50.0], dtype)
    assert fm.roc_auc_score(y_true, y_score) == 5 / 6
    assert fm.roc_auc_score(1 - y_true, -y_score) == 5 / 6
    assert fm.average_precision_score(y_true, y_score) == pytest.approx((1 + 1 + 3 / 4) / 3)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_signed_zeros_are_a_tie(dtype):
    y_score = np.array([0.0, -0.0, -0.0, 0.5], dtype)
    assert fm.roc_auc_score([1, 0, 0, 1], y_score) == 0.75
    fpr, tpr, thresholds = fm.roc_curve([1, 0, 0, 1], y_score, drop_intermediate=False)
    assert fpr.tolist() == [0, 0, 1]
    assert tpr.tolist() == [0, 0.5, 1]
    assert thresholds.tolist() == [INF, 0.5, 0]


@pytest.mark.parametrize("bad", [[NAN, 1, 2, 3], [0, 1, 2, NAN], [NAN] * 4, [0, INF, 1, -INF]])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "O"])
@pytest.mark.parametrize(
    "function",
    [
        fm.roc_auc_score,
        fm.average_precision_score,
        fm.roc_curve,
        fm.precision_recall_curve,
        fm.threshold_sweep,
        fm.ks_statistic,
    ],
)
def test_scores_that_are_not_finite_are_refused(function, dtype, bad):
    with pytest.raises(ValueError, match="y_score contains (NaN|infinity)"):
        function(np.array([0, 1, 0, 1]), np.array(bad, dtype))


@pytest.mark.parametrize(
    "labels", [(0, 1), (-1, 1), (-1, 0), (1, 2), (False, True), (0.0, 1.0), ("a", "b"), (3, 9)]
)
def test_the_greater_label_is_positive_for_the_area(labels):
    y_true = np.array(labels)[FAULTY]
    assert fm.roc_auc_score(y_true, SCORES) == 0.796875
    assert fm.roc_auc_score(y_true.tolist(), SCORES) == 0.796875


def test_average_precision_takes_one_as_positive():
    y_true = np.array([1, 2])[FAULTY]
    expected = fm.average_precision_score(1 - FAULTY, SCORES)
    assert fm.average_precision_score(y_true, SCORES) == expected
    assert fm.average_precision_score(y_true, SCORES, pos_label=2) == pytest.approx(83 / 120)


@pytest.mark.parametrize("dtype", [str, object])
def test_text_labels(dtype):
    y_true = np.where(FAULTY, "faulty", "fine").astype(dtype)
    assert fm.roc_auc_score(y_true, SCORES) == pytest.approx(1 - 0.796875)  # "fine" > "faulty"
    value = fm.average_precision_score(y_true, SCORES, pos_label="faulty")
    assert value == pytest.approx(83 / 120)
    with pytest.raises(ValueError, match="pos_label=1 is not a valid label"):
        fm.average_precision_score(y_true, SCORES)


@pytest.mark.parametrize("y_true", [[0, 0, 0, 0], [1, 1, 1, 1]])
def test_one_class(y_true):
    with pytest.warns(UndefinedMetricWarning, match="Only one class is present"):
        assert np.isnan(fm.roc_auc_score(y_true, [0.3, 0.1, 0.1, 0.8]))
    if y_true[0]:
        assert fm.average_precision_score(y_true, [0.3, 0.1, 0.1, 0.8]) == 1
        return
    with pytest.warns(UserWarning, match="No positive class found"):
        value = fm.average_precision_score(y_true, [0.3, 0.1, 0.1, 0.8])
    assert str(value) == "0.0"


def test_a_warning_points_at_the_caller():
    with pytest.warns(UndefinedMetricWarning) as caught:
        fm.roc_auc_score([1, 1], [0.1, 0.2])
    assert caught[0].filename == __file__


@pytest.mark.parametrize("function", [fm.roc_auc_score, fm.average_precision_score])
def test_empty_input_is_refused(function):
    with pytest.raises(ValueError, match="y_true has shape"):
        function([], [])


@pytest.mark.parametrize("function", [fm.roc_auc_score, fm.average_precision_score])
def test_rows_of_weight_zero_are_not_there(function):
    y_true, y_score = np.array([1, 0, 1, 0, 1, 0]), np.array([0.9, 0.8, 0.6, 0.4, 0.1, 0.05])
    weights = np.array([0, 1, 2, 1.5, 0, 0])
    kept = weights > 0
    expected = function(y_true[kept], y_score[kept], sample_weight=weights[kept])
    assert function(y_true, y_score, sample_weight=weights) == expected


@given(st.lists(st.floats(0.001, 1000), min_size=8, max_size=8))
@settings(deadline=None, max_examples=60)
def test_perfect_and_reversed_rankings_are_exact_for_any_weights(weights):
    y_true, y_score = np.array([0, 0, 0, 1, 1, 1, 1, 1]), np.arange(8.0)
    assert fm.roc_auc_score(y_true, y_score, sample_weight=weights) == 1
    assert fm.average_precision_score(y_true, y_score, sample_weight=weights) == 1
    assert fm.roc_auc_score(y_true, -y_score, sample_weight=weights) == 0


@given(problems(weighted=True))
@settings(deadline=None, max_examples=60)
def test_reversed_scores_give_the_rest(problem):
    y_true, y_score, weights = problem
    forwards = fm.roc_auc_score(y_true, y_score, sample_weight=weights)
    backwards = fm.roc_auc_score(y_true, -y_score, sample_weight=weights)
    assert forwards + backwards == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("max_fpr", "area"), [(0.25, 1 / 32), (0.5, 1 / 8), (0.75, 3 / 8)])
def test_partial_area_by_hand(max_fpr, area):
    # the curve: along tpr = fpr up to (1/2, 1/2), straight up to (1/2, 1), then to (1, 1)
    chance = max_fpr**2 / 2
    expected = 0.5 * (1 + (area - chance) / (max_fpr - chance))
    value = fm.roc_auc_score([1, 0, 1, 0], [2, 2, 1, 0], max_fpr=max_fpr)
    assert value == pytest.approx(expected, abs=1e-15)


def test_partial_area_of_scores_without_information():
    assert fm.roc_auc_score([0, 1, 0, 1], [5, 5, 5, 5], max_fpr=0.3) == pytest.approx(0.5)


@pytest.mark.parametrize("max_fpr", [0, -0.1, 1.1, NAN, "0.1"])
def test_bad_max_fpr(max_fpr):
    with pytest.raises(ValueError, match="'max_fpr' parameter of roc_auc_score"):
        fm.roc_auc_score([0, 1], [0, 1], max_fpr=max_fpr)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"average": "median"}, "'average' parameter"),
        ({"multi_class": "all"}, "'multi_class' parameter"),
        ({"average": 3}, "'average' parameter"),
    ],
)
def test_options_that_do_not_exist(options, message):
    from sklearn.utils._param_validation import InvalidParameterError

    with pytest.raises(InvalidParameterError, match=message):
        fm.roc_auc_score([0, 1], [0, 1], **options)


@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score", "threshold_sweep"])
@pytest.mark.parametrize("layout", ["read-only", "strided", "reversed", "column", "memory map"])
def test_layouts_give_the_same_and_inputs_stay_as_they_are(name, layout, tmp_path):
    function = getattr(fm, name)
    weights = np.linspace(0, 2, 12)
    arrays = [FAULTY.copy(), SCORES.copy(), weights.copy()]
    if layout == "read-only":
        for array in arrays:
            array.setflags(write=False)
    elif layout == "strided":
        arrays = [np.repeat(array, 3)[::3] for array in arrays]
    elif layout == "reversed":
        arrays = [array[::-1].copy()[::-1] for array in arrays]
    elif layout == "column":
        arrays = [array[:, None] for array in arrays]
    else:
        for k, array in enumerate(arrays):
            np.save(tmp_path / f"{k}.npy", array)
        arrays = [np.load(tmp_path / f"{k}.npy", mmap_mode="r") for k in range(3)]
    before = [array.copy() for array in arrays]
    for count in (None, arrays[2]):
        expected = function(FAULTY, SCORES, sample_weight=None if count is None else weights)
        value = function(*arrays[:2], sample_weight=count)
        if name == "threshold_sweep":
            value, expected = value.tp.tolist(), expected.tp.tolist()
        assert value == expected
    for array, copy in zip(arrays, before):
        np.testing.assert_array_equal(array, copy)


def test_plain_arrays_do_not_load_scikit_learn():
    program = """
import sys
import numpy as np
import fastmetrics as fm
y_true, y_score = np.array([0, 1, 0, 1]), np.array([0.1, 0.4, 0.6, 0.8])
for function in (fm.roc_auc_score, fm.average_precision_score, fm.roc_curve, fm.threshold_sweep):
    function(y_true, y_score)
    function(y_true.tolist(), y_score.tolist(), sample_weight=[1, 2, 3, 4])
loaded = {name for name in sys.modules if name.startswith(("sklearn", "scipy.sparse", "pandas"))}
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_no_warning_on_ordinary_data():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fm.roc_auc_score(FAULTY.tolist(), SCORES.tolist(), average="weighted")
        fm.average_precision_score(FAULTY * 1.0, SCORES, sample_weight=np.ones(12))
