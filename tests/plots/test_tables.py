"""Plots of tables and vectors: what is drawn are their numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastmetrics as fm

ROWS = [
    {"model": "a", "metric": "auc", "slice": None, "estimate": 0.9, "low": 0.8, "high": 0.95},
    {"model": "b", "metric": "auc", "slice": None, "estimate": 0.7, "low": 0.5, "high": 0.8},
    {"model": "a", "metric": "auc", "slice": "x", "estimate": 0.6, "low": 0.4, "high": 0.7},
    {"model": "b", "metric": "auc", "slice": "x", "estimate": 0.5, "low": 0.3, "high": 0.6},
]


def points_of(ax):
    """Estimates that are drawn, from top to bottom."""
    marks = [line for line in ax.lines if line.get_marker() not in ("|", "<", ">", "None")]
    places = sorted((line.get_ydata()[0], line.get_xdata()[0]) for line in marks)
    return [float(value) for _, value in places]


def intervals_of(ax):
    """Intervals that are drawn, from top to bottom."""
    segments = [part.get_segments()[0] for part in ax.collections]
    ordered = sorted(segments, key=lambda segment: segment[0, 1])
    return [segment[:, 0].tolist() for segment in ordered]


def ends_of(ax, shade):
    """Where a shade begins and ends, in units of the data."""
    corners = ax.transData.inverted().transform(shade.get_extents())
    return corners[:, 0].tolist()


@pytest.mark.parametrize("frame", [list, pd.DataFrame, pl.DataFrame])
def test_estimates_of_models(frame, ax):
    fm.plots.plot_estimates(frame(ROWS[:2]), confidence_level=0.9, ax=ax)
    assert points_of(ax) == [0.9, 0.7]
    assert intervals_of(ax) == [[0.8, 0.95], [0.5, 0.8]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_xlabel() == "auc (90 % CI)"
    assert ax.get_legend() is None


def test_estimates_of_slices_have_their_models_in_the_legend(ax):
    fm.plots.plot_estimates(ROWS, ax=ax)
    assert points_of(ax) == [0.9, 0.7, 0.6, 0.5]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["all rows", "x"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]


def test_metrics_have_panels_of_their_own(ax):
    rows = [{**row, "metric": metric} for metric in ("auc", "f1") for row in ROWS[:2]]
    assert fm.plots.plot_estimates(rows, ax=ax) is ax
    assert [panel.get_xlabel() for panel in ax.child_axes] == ["auc", "f1"]
    assert [points_of(panel) for panel in ax.child_axes] == [[0.9, 0.7]] * 2
    names = [[label.get_text() for label in panel.get_yticklabels()] for panel in ax.child_axes]
    assert names == [["a", "b"], ["", ""]]


def test_an_undefined_estimate_says_so(ax):
    fm.plots.plot_estimates([{**ROWS[0], "estimate": np.nan}, ROWS[1]], ax=ax)
    assert [text.get_text() for text in ax.texts] == ["undefined"]
    assert points_of(ax) == [0.7]


def test_an_open_interval_ends_in_an_arrow(ax):
    fm.plots.plot_estimates([{**ROWS[0], "high": np.inf}, {**ROWS[1], "low": -np.inf}], ax=ax)
    left, right = ax.get_xlim()
    assert intervals_of(ax) == [[0.8, right], [left, 0.8]]
    arrows = {line.get_marker(): line.get_xdata()[0] for line in ax.lines}
    assert (arrows[">"], arrows["<"]) == (right, left)
    assert np.isfinite([left, right]).all()


def test_an_estimate_without_interval_is_a_point(ax):
    fm.plots.plot_estimates([{"metric": "auc", "estimate": 0.9}], ax=ax)
    assert (points_of(ax), ax.collections[:]) == ([0.9], [])


def difference(model, baseline, **changes):
    values = {"metric": "auc", "difference": 0.1, "low": 0.05, "high": 0.2}
    return {"model": model, "baseline": baseline, **values, **changes}


def test_differences_show_zero_and_the_margins(ax):
    rows = [difference("a", "b"), difference("a", "c", difference=0.3, low=0.25, high=0.4)]
    fm.plots.plot_differences(
        rows, greater_is_better={"auc": True}, margins={"auc": (-0.5,)}, ax=ax
    )
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a − b", "a − c"]
    assert intervals_of(ax) == [[0.05, 0.2], [0.25, 0.4]]
    low, high = ax.get_xlim()
    assert low < -0.5 < 0.4 < high
    lines = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2]
    assert [data[0] for data in lines] == [0.0, -0.5]
    assert "right is better" in ax.get_xlabel()


def test_long_names_of_a_pair_both_keep_their_ends(ax):
    names = [f"a_model_with_a_name_that_takes_very_many_characters_{k}" for k in range(2)]
    fm.plots.plot_differences([difference(*names)], ax=ax)
    (label,) = [label.get_text() for label in ax.get_yticklabels()]
    model, _, baseline = label.partition("−")
    assert model.rstrip().endswith("_0")
    assert baseline.endswith("_1")


@pytest.mark.parametrize(
    ("plot", "rows", "message"),
    [
        (fm.plots.plot_estimates, [], "rows is empty"),
        (fm.plots.plot_estimates, [{"metric": "auc"}], "rows lacks 'estimate': it has 'metric'"),
        (fm.plots.plot_differences, {"metric": ["auc"]}, "rows lacks 'model', 'baseline'"),
        (fm.plots.plot_coverage, {"metric": ["a"], "method": []}, "different lengths"),
        (
            fm.plots.plot_prevalence_study,
            [{"prevalence": 0.0, "metric": "f1", "mean": 0.5}],
            "prevalences above 0",
        ),
    ],
)
def test_wrong_tables_are_refused(plot, rows, message):
    with pytest.raises(fm.errors.InputError, match=message):
        plot(rows)


def test_a_distribution_its_estimate_and_its_interval(ax):
    values = np.append(np.random.default_rng(0).normal(size=500), [np.nan] * 3)
    fm.plots.plot_distribution(
        values, estimate=0.1, low=-1.5, high=1.7, confidence_level=0.9, method="bca", ax=ax
    )
    counts, edges, _ = ax.patches[0].get_data()
    np.testing.assert_array_equal(counts, np.histogram(values[:500], edges)[0])
    assert counts.sum() == 500
    assert ax.get_ylabel() == "replicates (3 undefined)"
    assert [line.get_xdata()[0] for line in ax.lines] == [-1.5, 1.7, 0.1]
    np.testing.assert_allclose(ends_of(ax, ax.patches[1]), [-1.5, 1.7])
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["90 % interval −1.500 to 1.700 (bca)", "estimate 0.100"]


def test_shares_of_few_rows_lie_in_the_middle_of_their_bars(ax):
    values = np.random.default_rng(0).binomial(20, 0.7, 1000) / 20
    fm.plots.plot_distribution(values, estimate=0.7, ax=ax)
    counts, edges, _ = ax.patches[0].get_data()
    distinct, expected = np.unique(values, return_counts=True)
    middles = (edges[1:] + edges[:-1]) / 2
    np.testing.assert_allclose(middles[counts > 0], distinct)
    np.testing.assert_array_equal(counts[counts > 0], expected)


def test_a_matrix_of_replicates_is_refused():
    with pytest.raises(fm.errors.InputError, match=r"replicates has shape \(2, 2\)"):
        fm.plots.plot_distribution(np.zeros((2, 2)), estimate=0.0)


def test_a_confusion_matrix_in_numbers_and_colours(ax):
    fm.plots.plot_confusion_matrix([[90, 10], [3, 1]], labels=["no", "yes"], ax=ax)
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["90\n90 %", "10\n10 %", "3\n75 %", "1\n25 %"]
    np.testing.assert_allclose(ax.images[0].get_array(), [[0.9, 0.1], [0.75, 0.25]])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["no", "yes"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "true")


def test_a_normalized_matrix_has_its_own_numbers_only(ax):
    fm.plots.plot_confusion_matrix([[0.9, 0.1], [0.75, 0.25]], ax=ax)
    assert [text.get_text() for text in ax.texts] == ["0.900", "0.100", "0.750", "0.250"]


@pytest.mark.parametrize("matrix", [[1, 2], [[1, 2, 3], [4, 5, 6]], np.empty((0, 0))])
def test_what_is_no_square_matrix_is_refused(matrix):
    with pytest.raises(fm.errors.InputError, match="matrix has shape"):
        fm.plots.plot_confusion_matrix(matrix)


def test_labels_match_the_matrix():
    with pytest.raises(fm.errors.InputError, match="labels has 1 names"):
        fm.plots.plot_confusion_matrix([[1, 2], [3, 4]], labels=["a"])


def test_folds_and_their_two_summaries(ax):
    fm.plots.plot_folds([0.7, np.nan, 0.9], mean=0.6, pooled=0.75, folds=["x", "y", "z"], ax=ax)
    points, mean, pooled, holes = ax.lines
    assert points.get_xydata().tolist() == [[0.0, 0.7], [2.0, 0.9]]
    assert (mean.get_ydata()[0], pooled.get_ydata()[0]) == (0.6, 0.75)
    assert holes.get_xdata().tolist() == [1.0]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"per_fold": []}, "per_fold has shape"), ({"per_fold": [1], "folds": []}, "folds has 0")],
)
def test_folds_match_their_names(options, message):
    with pytest.raises(fm.errors.InputError, match=message):
        fm.plots.plot_folds(**options)


def test_simulated_metrics_have_panels(ax):
    values = np.random.default_rng(0).normal(size=(300, 2))
    values[:5, 1] = np.nan
    fm.plots.plot_simulation(values, ["a", "b"], ax=ax)
    for panel, column in zip(ax.child_axes, values.T):
        defined = column[~np.isnan(column)]
        assert panel.patches[0].get_data().values.sum() == defined.size
        assert panel.lines[0].get_xdata()[0] == pytest.approx(defined.mean())
        low, high = np.quantile(defined, [0.025, 0.975])
        np.testing.assert_allclose(ends_of(panel, panel.patches[1]), [low, high])
    assert ax.child_axes[1].get_ylabel() == "data sets (5 undefined)"


def test_names_of_simulated_metrics_match_the_columns():
    with pytest.raises(fm.errors.InputError, match=r"\(3, 2\) for 1 metrics"):
        fm.plots.plot_simulation(np.zeros((3, 2)), ["a"])


def test_a_prevalence_study_with_bands_and_the_silent_classifier(ax):
    rows = {
        "prevalence": [0.5, 0.01, 0.1],
        "metric": ["accuracy"] * 3,
        "mean": [0.8, 0.82, 0.81],
        "low": [0.7, 0.72, 0.71],
        "high": [0.9, 0.92, 0.91],
        "silent": [0.5, 0.99, 0.9],
    }
    fm.plots.plot_prevalence_study(rows, ax=ax)
    model, silent = ax.lines
    assert model.get_xydata().tolist() == [[0.01, 0.82], [0.1, 0.81], [0.5, 0.8]]
    assert silent.get_ydata().tolist() == [0.99, 0.9, 0.5]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["accuracy", "never positive"]
    (shade,) = ax.collections
    assert {0.72, 0.92} <= set(shade.get_paths()[0].vertices[:, 1])
    assert ax.get_xscale() == "log"
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels == ["50 %", "10 %", "1 %"]


def test_crowded_prevalences_are_labelled_where_there_is_room(ax):
    shares = np.geomspace(0.001, 0.5, 60)
    rows = [{"prevalence": share, "metric": "f1", "mean": 0.5} for share in shares]
    fm.plots.plot_prevalence_study(rows, ax=ax)
    ticks = np.sort(ax.get_xticks())
    assert np.diff(np.log10(ticks)).min() > 0.2
    assert len(ax.lines[0].get_xdata()) == 60


def test_coverage_with_its_own_interval(ax):
    rows = [
        {"metric": "auc", "method": "bca", "coverage": 0.94, "n_datasets": 1000},
        {"metric": "auc", "method": "basic", "coverage": 0.9, "low": 0.88, "high": 0.92},
        {"metric": "ap", "method": "basic", "coverage": 0.91},
    ]
    fm.plots.plot_coverage(rows, confidence_level=0.9, ax=ax)
    assert ax.lines[0].get_xdata()[0] == 0.9
    assert [line.get_xdata()[0] for line in ax.lines[1:]] == [0.94, 0.9, 0.91]
    expected = fm.wilson_interval(940, 1000)
    np.testing.assert_allclose(intervals_of(ax), [expected, (0.88, 0.92)])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["bca", "basic"]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["promised: 90 %", "auc", "ap"]


def test_a_curve_with_a_band(ax):
    fm.plots.plot_curve_band([0, 1, 2], [1, np.nan, 3], [0, 1, 2], [2, 3, 4], label="x", ax=ax)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [1, np.nan, 3])
    assert ax.lines[0].get_label() == "x"
    vertices = ax.collections[0].get_paths()[0].vertices
    assert {(0, 0), (2, 2), (0, 2), (2, 4)} <= {tuple(vertex) for vertex in vertices.tolist()}
