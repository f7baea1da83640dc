"""Labels for the tests of what is computed from them: drawn ones, and worked examples.

``agree`` runs a function of ours and scikit-learn's and compares numbers, warnings and refusals.
"""

import warnings

import numpy as np
import sklearn.metrics
from hypothesis import strategies as st

import fastmetrics as fm

# twelve units of an inspection line, flagged from 0.5 on: tp 3, fp 3, fn 1, tn 5
FAULTY = np.array([1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0])
FLAGGED = np.array([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
# seventy parts graded good, rework or scrap
GRADES = np.array([[46, 3, 1], [5, 9, 1], [1, 2, 2]])
# 2,000 rows of three classes: a full model, and one that never predicts the rare class
FULL = np.array([[1431, 60, 9], [122, 273, 5], [13, 46, 41]])
NEVER_RARE = np.array([[1433, 67, 0], [117, 283, 0], [24, 76, 0]])


def columns_of(matrix, names=None):
    """Labels (n,) of both columns that have a confusion matrix."""
    size = len(matrix)
    y_true, y_pred = np.repeat(np.indices((size, size)).reshape(2, -1), matrix.ravel(), axis=1)
    return (y_true, y_pred) if names is None else (names[y_true], names[y_pred])


NAMES = {
    "integers": np.array([0, 1, 2, 3, 4]),
    "offset": np.array([-7, 1, 3, 90, 700]),
    "bytes": np.array([0, 1, 2, 200, 255], np.uint8),
    "floats": np.array([0.0, 1.0, 2.0, 3.0, 1e6]),
    "text": np.array(["ash", "beech", "oak", "pine", "willow"]),
    "objects": np.array(["ash", "beech", "oak", "pine", "willow"], object),
    "bools": np.array([False, True]),
}


@st.composite
def problems(draw, fewest=1, most=5):
    """Two columns of labels, weights or None, and the labels they are drawn from."""
    kind = draw(st.sampled_from(sorted(NAMES)))
    names = NAMES[kind][: draw(st.integers(fewest, most))]
    n = draw(st.integers(1, 25))
    rows = st.lists(st.integers(0, len(names) - 1), min_size=n, max_size=n)
    y_true, y_pred = names[draw(rows)], names[draw(rows)]
    weights = draw(
        st.one_of(
            st.none(),
            st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any),
            # sixteenths add up without rounding, so that nothing depends on the order
            st.lists(st.integers(0, 90).map(lambda w: w / 16), min_size=n, max_size=n).filter(any),
        )
    )
    return y_true, y_pred, weights, names


@st.composite
def chosen_labels(draw, names):
    """None, or some of the names and perhaps one that never occurs, in any order."""
    spare = "zebra" if isinstance(names[0], str) else 1234
    listed = draw(st.permutations([*names.tolist(), spare]))
    return draw(st.one_of(st.none(), st.just(listed[: draw(st.integers(1, len(listed)))])))


def outcome(function, *args, **options):
    """What a call returns and warns of, or that it refuses."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **options)
        except ValueError:
            value = ValueError
    # scikit-learn repeats warnings; in two of them a word stands twice and a blank is missing
    said = {
        (
            warning.category.__name__,
            str(warning.message).replace("the the", "the").replace(".`cohen", ". `cohen"),
        )
        for warning in caught
    }
    return value, said


def same(ours, theirs):
    """Whether two results are equal to rounding."""
    if isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in theirs)
    if isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if theirs is None or theirs is ValueError or isinstance(theirs, str):
        return ours is theirs or ours == theirs
    # types are left alone: scikit-learn's counts are floats where no row is right
    return np.shape(ours) == np.shape(theirs) and np.allclose(
        ours, theirs, rtol=1e-12, atol=1e-13, equal_nan=True
    )


def agree(name, *args, **options):
    """Assert that ours and scikit-learn's say the same."""
    before = [np.array(arg) for arg in args]
    ours = outcome(getattr(fm, name), *args, **options)
    theirs = outcome(getattr(sklearn.metrics, name), *args, **options)
    assert same(ours[0], theirs[0]), f"{name}: {ours[0]!r} is not {theirs[0]!r}"
    assert ours[1] == theirs[1]
    for arg, copy in zip(args, before):
        assert np.array_equal(arg, copy), "an input was modified"
