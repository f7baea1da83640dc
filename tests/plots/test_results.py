"""``result.plot()``: every result draws its own numbers, on given axes or new ones."""

import numpy as np
import pytest
from matplotlib import pyplot

import fastmetrics as fm
from tests.plots.drawings import y_prob, y_true
from tests.plots.test_tables import intervals_of, points_of

TWO = {"first": y_prob, "second": np.clip(y_prob + np.sin(np.arange(len(y_prob))) / 5, 0, 1)}
METRICS = ["roc_auc", "brier_score"]
PART = np.where(np.arange(len(y_true)) % 2, "odd", "even")


@pytest.fixture(scope="module")
def result():
    return fm.bootstrap(y_true, TWO, METRICS, n_resamples=400, method="percentile", rng=0)


@pytest.fixture(scope="module")
def comparison(result):
    return result.compare(baseline="second", margin={"roc_auc": 0.01, "brier_score": (-0.1, 0.1)})


def limits(part):
    return list(part.confidence_interval)


def test_one_entry_is_its_distribution(result, ax):
    entry = result["first", "roc_auc"]
    assert entry.plot(ax) is ax
    counts, edges, _ = ax.patches[0].get_data()
    np.testing.assert_array_equal(counts, np.histogram(entry.bootstrap_distribution, edges)[0])
    drawn = [line.get_xdata()[0] for line in ax.lines]
    assert drawn == [*limits(entry), entry.estimate]
    assert (ax.get_xlabel(), ax.get_title(loc="left")) == ("roc_auc", "first")
    assert "percentile" in ax.get_legend().get_texts()[0].get_text()


def test_several_entries_are_a_forest(result, ax):
    result.plot(ax)
    assert len(ax.child_axes) == 2
    for panel, metric in zip(ax.child_axes, METRICS):
        entries = [result[model, metric] for model in TWO]
        assert points_of(panel) == [entry.estimate for entry in entries]
        assert intervals_of(panel) == [limits(entry) for entry in entries]
        assert panel.get_xlabel() == f"{metric} (95 % CI)"


def test_slices_are_lines_and_models_colours(ax):
    sliced = fm.bootstrap(
        y_true, TWO, "roc_auc", by=PART, n_resamples=200, method="percentile", rng=0
    )
    sliced.plot(ax)
    keys = [(part, model) for part in (None, *sliced.slices) for model in TWO]
    entries = sliced.entries()
    expected = [entries[model, "roc_auc", part].estimate for part, model in keys]
    assert points_of(ax) == expected
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(TWO)


def test_estimates_alone_are_points(ax):
    found = fm.bootstrap(y_true, y_prob, "roc_auc", n_resamples=0)
    found.plot(ax)
    assert points_of(ax) == [found.estimate]
    assert (len(ax.collections), ax.get_xlabel()) == (0, "roc_auc")


def test_one_difference_is_its_distribution(comparison, ax):
    pair = comparison["first", "second", "roc_auc"]
    pair.plot(ax)
    counts, edges, _ = ax.patches[0].get_data()
    np.testing.assert_array_equal(counts, np.histogram(pair.bootstrap_distribution, edges)[0])
    assert [line.get_xdata()[0] for line in ax.lines] == [*limits(pair), pair.estimate, 0.0, -0.01]
    assert ax.get_title(loc="left") == "first − second"


def test_several_differences_are_a_forest(comparison, ax):
    comparison.plot(ax)
    for panel, metric, side in zip(ax.child_axes, METRICS, ("right", "left")):
        pair = comparison["first", "second", metric]
        assert intervals_of(panel) == [limits(pair)]
        assert panel.lines[0].get_xdata()[0] == pair.estimate
        assert f"{side} is better" in panel.get_xlabel().replace("\n", " ")
    margins = [line.get_xdata()[0] for line in ax.child_axes[1].lines[-2:]]
    assert margins == [-0.1, 0.1]


def test_results_without_replicates_are_forests(ax):
    found = fm.delong_test(y_true, TWO)
    found.plot(ax)
    assert intervals_of(ax) == [limits(found)]
    areas = fm.delong_interval(y_true, y_prob)
    assert intervals_of(areas.plot()) == [limits(areas)]


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
@pytest.mark.parametrize("curve", ["roc", "precision_recall", "net_benefit"])
def test_bands_are_drawn_around_their_curves(curve, kind, ax):
    band = fm.curve_band(y_true, TWO, curve, kind=kind, n_resamples=100, rng=0)
    assert band.plot(ax) is ax
    for k, name in enumerate(TWO):
        (line,) = [line for line in ax.lines if line.get_label() == name]
        np.testing.assert_array_equal(line.get_xdata(), band[name].grid)
        np.testing.assert_array_equal(line.get_ydata(), band[name].estimate)
        corners = {tuple(corner) for corner in ax.collections[k].get_paths()[0].vertices.tolist()}
        for limit in (band[name].low, band[name].high):
            assert corners >= set(zip(band[name].grid.tolist(), limit.tolist()))
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[-1] == f"95 % band, {kind}"
    references = {"roc": ["chance"], "precision_recall": [f"prevalence {y_true.mean():.3f}"]}
    assert texts[:-1] == [*references.get(curve, band.references), *TWO]


def test_a_band_of_bins_stands_on_the_bins(ax):
    band = fm.curve_band(y_true, y_prob, "calibration", n_resamples=100, rng=0)
    band.plot(ax)
    held = ~np.isnan(band.estimate)
    np.testing.assert_array_equal(ax.lines[1].get_xydata(), np.c_[band.grid, band.estimate][held])
    drawn = np.array([segment[:, 1] for segment in ax.collections[0].get_segments()])
    np.testing.assert_array_equal(drawn, np.c_[band.low, band.high][held])


def test_references_of_net_benefit_come_from_the_band(ax):
    band = fm.curve_band(y_true, y_prob, "net_benefit", n_resamples=50, rng=0)
    band.plot(ax)
    for line, values in zip(ax.lines, band.references.values()):
        np.testing.assert_array_equal(line.get_ydata(), values)


def test_a_sweep_draws_what_it_is_asked_for():
    sweep = fm.threshold_sweep(y_true, y_prob)
    assert sweep.plot().get_xlabel() == "false positive rate"
    assert sweep.plot(kind="precision_recall").get_ylabel() == "precision"
    assert len(sweep.plot(kind="scores").patches) == 2
    lines = sweep.plot(kind=["f1", fm.metric("recall")], label="m").lines
    np.testing.assert_array_equal(lines[3].get_ydata(), sweep.metric("recall")[::-1])
    assert lines[3].get_label().startswith("m · recall: best")
    with pytest.raises(ValueError, match="no metric is called 'lift curve'"):
        sweep.plot(kind="lift curve")


def test_counts_are_a_confusion_matrix(ax):
    counts = fm.threshold_sweep(y_true, y_prob).at(0.5)
    counts.plot(ax)
    numbers = [int(text.get_text().split("\n")[0]) for text in ax.texts]
    assert numbers == fm.confusion_matrix(y_true, y_prob >= 0.5).ravel().tolist()


def test_folds_draw_every_metric(ax):
    folds = np.arange(len(y_true)) % 4
    found = fm.fold_scores(y_true, y_prob, folds, metrics=["roc_auc", "f1"])
    found.plot(ax)
    for panel, metric in zip(ax.child_axes, ("roc_auc", "f1")):
        points, mean, pooled = panel.lines
        np.testing.assert_array_equal(points.get_ydata(), found[metric].per_fold)
        assert mean.get_ydata()[0] == found[metric].mean
        assert pooled.get_ydata()[0] == found[metric].pooled
        assert panel.get_ylabel() == metric


def test_simulations_draw_every_metric(ax):
    binormal = fm.simulation.Binormal(1.5)
    found = fm.simulation.simulate(
        binormal,
        n_positive=20,
        n_negative=50,
        n_datasets=80,
        metrics=["roc_auc", "ks"],
        rng=0,
    )
    found.plot(ax)
    for panel, metric, mean in zip(ax.child_axes, found.metrics, found.mean):
        counts, edges, _ = panel.patches[0].get_data()
        np.testing.assert_array_equal(counts, np.histogram(found[metric], edges)[0])
        assert panel.lines[0].get_xdata()[0] == pytest.approx(mean)


def test_the_brier_score_is_a_waterfall(ax):
    terms = fm.brier_decomposition(y_true, y_prob, n_bins=10)
    terms.plot(ax, title="m")
    widths = [bar.get_width() for bar in ax.patches]
    within = terms.within_bin_variance - terms.within_bin_covariance
    expected = [terms.uncertainty, -terms.resolution, terms.reliability, within, terms.brier_score]
    np.testing.assert_allclose(widths, expected, rtol=1e-12)
    starts = [bar.get_x() for bar in ax.patches]
    ends = np.cumsum(widths[:-1])
    np.testing.assert_allclose(starts, [0, *ends[:-1], 0], atol=1e-15)
    assert ends[-1] == pytest.approx(fm.brier_score_loss(y_true, y_prob))


def test_curves_of_costs_and_of_reliability_take_a_label(ax):
    fm.cost_curve(y_true, y_prob, cost_fp=1, cost_fn=5).plot(ax, label="m")
    assert ax.lines[1].get_label().startswith("m: lowest")
    reliability = fm.reliability_curve(y_true, y_prob).plot(label="m", confidence_level=0.5)
    assert reliability.lines[-1].get_label() == "m"
    assert len(pyplot.get_fignums()) == 1
