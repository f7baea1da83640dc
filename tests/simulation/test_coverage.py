"""Coverage studies: the intervals are those of the bootstrap, and what is counted is right."""

import json
import warnings

import numpy as np
import pytest
from scipy import stats

import fastmetrics as fm
from fastmetrics import simulation
from fastmetrics.engine.draws.designs import Design
from fastmetrics.errors import UnknownNameError
from fastmetrics.simulation._asked import read_asked
from fastmetrics.simulation._replicates import SortedSource, TileSource
from tests.chance import TOO_UNLIKELY
from tests.simulation.test_simulating import Coin

MODEL = simulation.Binormal(1.5)
CALIBRATED = MODEL.calibrated(0.3)
SIZES = {"n_positive": 24, "n_negative": 56}
ALL = ["percentile", "basic", "normal", "logit", "bca", "studentized", "delong"]


def study(model=MODEL, **options):
    return simulation.coverage_study(
        model, **{**SIZES, "n_datasets": 40, "n_resamples": 200, "rng": 1, **options}
    )


@pytest.mark.parametrize("strata", [None, "class"])
@pytest.mark.parametrize("method", ALL)
def test_intervals_are_those_of_the_bootstrap_on_the_same_data(method, strata):
    metrics = ["roc_auc"] if method == "delong" else ["roc_auc", "average_precision", "f1"]
    size = 500 if method == "studentized" else 4_000
    found = study(
        metrics=metrics,
        methods=method,
        threshold=0.75,
        n_datasets=3,
        n_resamples=size,
        strata=strata,
    )
    for i in range(3):
        y_true, y_score = found.data_set(i)
        if method == "delong":
            expected = fm.delong_interval(y_true, y_score)
        else:
            expected = fm.bootstrap(
                y_true,
                y_score,
                metrics,
                threshold=0.75,
                n_resamples=size,
                method=method,
                strata=strata,
                rng=2,
            )
        for metric in metrics:
            entry = expected[metric]
            assert found.estimates(metric)[i] == pytest.approx(entry.estimate)
            error = 0.0 if method == "delong" else np.array(entry.monte_carlo_error)
            moved = np.abs(found.limits(metric, method)[i] - entry.confidence_interval)
            assert (moved < 5 * np.sqrt(2) * error + 1e-10).all()


def drawn(source, y_true, y_score):
    labels = y_true.astype(np.uint8)
    return source.draw(labels, y_score, 0, np.random.default_rng(3))


@pytest.mark.parametrize("by_class", [False, True])
def test_replicates_have_the_law_of_the_bootstrap(by_class):
    y_true, y_score = CALIBRATED.draw(24, 56, np.random.default_rng(4))
    y_score = y_score.round(2)
    names = ["roc_auc", "average_precision", "ks", "f1", "f1_macro", "brier_score", "ece"]
    asked = read_asked(CALIBRATED, names, None)
    design = Design(by_class=by_class)
    root = np.random.SeedSequence(5)
    along = SortedSource(asked[:-1], design, 3_000, accelerated=True)
    whole = TileSource(asked, design, 3_000, True, False, root)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the replicates of ece lie above its estimate
        expected = fm.bootstrap(
            y_true,
            y_score,
            names,
            n_resamples=3_000,
            strata="class" if by_class else None,
            method="bca",
            rng=6,
        )
    for source in (along, whole):
        found = drawn(source, y_true, y_score)
        for k, metric in enumerate(source.metrics):
            entry = expected[metric.name]
            pvalue = stats.ks_2samp(found.values[k], entry.bootstrap_distribution).pvalue
            assert pvalue > TOO_UNLIKELY, metric.name
            assert found.estimates[k] == pytest.approx(entry.estimate)
            assert found.accelerations[k] == pytest.approx(entry.acceleration, rel=1e-9)


def test_large_data_merge_where_they_can():
    y_true, y_score = MODEL.draw(30, 20_000, np.random.default_rng(7))
    asked = read_asked(MODEL, "roc_auc", None)
    found = drawn(SortedSource(asked, Design(), 1_000, False), y_true, y_score)
    expected = fm.bootstrap(y_true, y_score, "roc_auc", n_resamples=1_000, rng=8)
    pvalue = stats.ks_2samp(found.values[0], expected.bootstrap_distribution).pvalue
    assert pvalue > TOO_UNLIKELY


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_threads_change_nothing(n_jobs):
    options = {"metrics": ["roc_auc", "brier_score", "ece"], "methods": ["percentile", "bca"]}
    one, several = study(CALIBRATED, **options), study(CALIBRATED, n_jobs=n_jobs, **options)
    for metric, method in [("roc_auc", "bca"), ("ece", "percentile"), ("brier_score", "bca")]:
        np.testing.assert_array_equal(one.limits(metric, method), several.limits(metric, method))


def test_the_first_data_sets_of_a_longer_study_are_those_of_a_shorter_one():
    long, short = study(n_datasets=70), study(n_datasets=9)
    for method in ("percentile", "bca"):
        limits = long.limits("roc_auc", method)
        np.testing.assert_array_equal(limits[:9], short.limits("roc_auc", method))
    for first, second in zip(long.data_set(8), short.data_set(8)):
        np.testing.assert_array_equal(first, second)


def test_data_sets_are_those_of_a_simulation():
    simulated = simulation.simulate(MODEL, **SIZES, n_datasets=40, metrics="roc_auc", rng=1)
    drawn_rows = simulation.simulate(
        MODEL, **SIZES, n_datasets=40, metrics="roc_auc", rng=1, method="drawn"
    )
    np.testing.assert_array_equal(study().estimates("roc_auc"), drawn_rows["roc_auc"])
    assert (simulated["roc_auc"] != drawn_rows["roc_auc"]).any()


def test_a_row_counts_what_the_limits_say():
    found = study(n_datasets=300, n_resamples=100, methods=["percentile", "basic"])
    for method in ("percentile", "basic"):
        row = found["roc_auc", method]
        low, high = found.limits("roc_auc", method).T
        assert row["truth"] == pytest.approx(MODEL.auc)
        assert row["coverage"] == pytest.approx(((low <= MODEL.auc) & (MODEL.auc <= high)).mean())
        assert row["too_low"] == (high < MODEL.auc).mean()
        assert row["too_high"] == (low > MODEL.auc).mean()
        assert row["coverage"] + row["too_low"] + row["too_high"] == pytest.approx(1)
        share = row["coverage"]
        assert row["coverage_error"] == pytest.approx(np.sqrt(share * (1 - share) / 300))
        assert row["mean_width"] == pytest.approx((high - low).mean())
        assert (row["n_datasets"], row["n_undefined"]) == (300, 0)
    assert [(row["metric"], row["method"]) for row in found.rows()] == [
        ("roc_auc", "percentile"),
        ("roc_auc", "basic"),
    ]


def test_data_sets_without_positives_are_counted_apart():
    found = study(n_positive=2, n_negative=18, n_datasets=400, class_sizes="random")
    empty = [found.data_set(i)[0].sum() in (0, 20) for i in range(400)]
    row = found["roc_auc", "percentile"]
    assert 20 < sum(empty) == row["n_undefined"] < 100
    assert row["n_datasets"] == 400 - sum(empty)
    # 400 draws of 20 rows at a prevalence of 10 %
    positives = np.array([found.data_set(i)[0].sum() for i in range(400)])
    assert stats.binomtest(int(positives.sum()), 8_000, 0.1).pvalue > TOO_UNLIKELY
    assert "random" in json.dumps(found.to_dict())
    assert "20 rows, 10 % positive" in repr(found)


def test_random_class_sizes_go_with_plain_resampling_and_fixed_ones_with_strata():
    precision = {"metrics": "precision", "threshold": 0.75, "methods": "percentile"}
    sizes = {"n_positive": 60, "n_negative": 140, "n_datasets": 1_000, "n_resamples": 300}
    coverage = {
        (strata, class_sizes): study(
            strata=strata, class_sizes=class_sizes, **precision, **sizes, n_jobs=2
        )["precision", "percentile"]["coverage"]
        for strata in (None, "class")
        for class_sizes in ("fixed", "random")
    }
    assert coverage[None, "random"] == pytest.approx(0.945, abs=0.02)
    assert coverage["class", "fixed"] == pytest.approx(0.945, abs=0.02)
    assert coverage[None, "fixed"] > coverage["class", "fixed"] + 0.01
    assert coverage["class", "random"] < coverage[None, "random"] - 0.01


def test_verdicts_tell_a_method_that_misses():
    # calibrated probabilities: every estimate lies above the truth, resampling adds to it
    found = study(
        CALIBRATED, metrics="ece", methods=["percentile", "basic"], n_datasets=200, n_resamples=100
    )
    percentile, basic = found.rows()
    assert percentile["truth"] < 1e-4
    assert percentile["mean_estimate"] > 0.05
    assert (percentile["coverage"], percentile["verdict"]) == (0.0, "too seldom")
    assert percentile["too_high"] == 1.0
    assert basic["coverage"] > 0.5
    assert "percentile (0.0 %) and basic (" in found.conclusion


def test_a_sound_method_keeps_its_promise():
    found = study(
        n_positive=60,
        n_negative=140,
        n_datasets=1_000,
        n_resamples=500,
        methods=["percentile", "bca", "logit", "delong"],
        n_jobs=2,
    )
    for row in found.rows():
        assert row["verdict"] == "as promised"
        assert row["coverage"] == pytest.approx(0.95, abs=0.02)
    assert "roc_auc: percentile, bca, logit and delong as promised." in found.conclusion


def test_delong_is_left_out_where_it_does_not_apply():
    found = study(metrics=["roc_auc", "average_precision"], methods=["percentile", "delong"])
    assert [(row["metric"], row["method"]) for row in found.rows()] == [
        ("roc_auc", "percentile"),
        ("roc_auc", "delong"),
        ("average_precision", "percentile"),
    ]
    alone = study(methods="delong")
    np.testing.assert_array_equal(
        alone.limits("roc_auc", "delong"), found.limits("roc_auc", "delong")
    )
    with pytest.raises(UnknownNameError, match=r"no row \('average_precision', 'delong'\) here"):
        found.limits("average_precision", "delong")


def test_ones_own_model_and_function():
    def spread(y_true, y_score, sample_weight):
        mean = np.average(y_score, weights=sample_weight)
        return np.average((y_score - mean) ** 2, weights=sample_weight)

    found = study(Coin(), metrics={"spread": spread}, methods=["percentile", "bca"], n_datasets=5)
    assert found["spread", "bca"]["truth"] == pytest.approx(1 / 12, abs=1e-3)
    assert found["spread", "bca"]["truth_error"] > 0
    y_score = found.data_set(3)[1]
    assert found.estimates("spread")[3] == pytest.approx(y_score.var())


def wilson(y_true, y_score):
    hits = y_score[y_true == 1] >= 0.75
    interval = fm.wilson_interval(int(hits.sum()), hits.size)
    return interval.low, interval.high


def test_intervals_by_a_function():
    options = {"metrics": "recall", "threshold": 0.75, "n_datasets": 300, "strata": "class"}
    found = study(methods=[wilson, "percentile"], **options)
    assert found.methods == ("wilson", "percentile")
    for i in (0, 299):
        np.testing.assert_array_equal(
            found.limits("recall", "wilson")[i], wilson(*found.data_set(i))
        )
    # the percentile interval of a share has fewer values than its promise needs
    assert found["recall", "wilson"]["verdict"] == "as promised"
    assert found["recall", "wilson"]["coverage"] > found["recall", "percentile"]["coverage"]
    alone = study(methods={"score": wilson}, **options)
    np.testing.assert_array_equal(alone.limits("recall", "score"), found.limits("recall", "wilson"))
    np.testing.assert_array_equal(alone.estimates("recall"), found.estimates("recall"))


def test_f1_has_an_interval_without_replicates():
    def formula(y_true, y_score):
        interval = fm.f1_interval(y_true, y_score >= 0.75)
        return interval.low, interval.high

    found = study(
        metrics="f1_macro",
        threshold=0.75,
        methods={"formula": formula},
        n_positive=60,
        n_negative=140,
        n_datasets=500,
        class_sizes="random",
    )
    assert found["f1_macro", "formula"]["coverage"] == pytest.approx(0.95, abs=0.03)


def test_what_is_printed():
    found = study(metrics=["roc_auc", "ks"], methods=["percentile", "delong"])
    lines = repr(found).splitlines()
    assert lines[0].split() == [
        *("metric", "method", "coverage", "±", "width", "too", "low", "too", "high", "undefined")
    ]
    assert lines[1].startswith("roc_auc")
    assert lines[4].startswith(f"true roc_auc {MODEL.auc:.4f}, ks 0.5467 ± ")
    assert lines[5] == (
        "40 data sets of 24 positive and 56 negative rows x 200 resamples · Binormal(1.5), seed 1"
    )
    assert lines[6].startswith("How often 95 % intervals hold the truth: roc_auc: ")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": 3}, TypeError, "model is 3: it has no draw"),
        ({"n_positive": 0}, ValueError, "n_positive=0: give a whole number of 1"),
        ({"n_negative": 0}, ValueError, "n_negative=0: give a whole number of 1"),
        ({"n_datasets": 0}, ValueError, "n_datasets=0: give a whole number of 1"),
        ({"n_resamples": 0}, ValueError, "n_resamples=0: give a whole number of 1"),
        ({"methods": []}, ValueError, "methods is empty"),
        ({"methods": "wald"}, ValueError, "methods='wald': give one of percentile, basic, "),
        ({"methods": ["bca", "BCa"]}, ValueError, "methods holds 'bca' twice"),
        ({"methods": {"bca": wilson}}, ValueError, "a function called 'bca', which is a method"),
        (
            {"methods": wilson, "metrics": ["roc_auc", "ks"]},
            ValueError,
            "wilson makes intervals of one metric: ask for one metric at a time",
        ),
        ({"methods": [3]}, ValueError, "methods=3: give one of percentile"),
        ({"confidence_level": 95}, ValueError, "confidence_level=95: give a fraction, 0.95"),
        ({"strata": "y"}, ValueError, "strata='y': simulated rows have 'class' only"),
        ({"class_sizes": "any"}, ValueError, "class_sizes='any': give one of fixed, random"),
        ({"metrics": "f1"}, ValueError, "has no default cut: pass threshold="),
        ({"metrics": "ks", "methods": "delong"}, ValueError, "'delong', which is of roc_auc only"),
        (
            {"metrics": ["roc_auc", "ks"], "methods": "delong"},
            ValueError,
            "ks has no interval by 'delong': name another method",
        ),
        (
            {"metrics": fm.metric("precision_at_k", k=5)},
            ValueError,
            r"precision_at_k has no value on an endless data set of Binormal\(1.5\)",
        ),
        ({"rng": -1}, ValueError, "rng=-1: a seed is 0 or more"),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        study(**options)


def test_what_is_not_there():
    found = study(n_datasets=2)
    with pytest.raises(UnknownNameError, match=r"no row \('ks', 'bca'\) here"):
        found["ks", "bca"]
    with pytest.raises(UnknownNameError, match=r"no metric 'ks' here \(roc_auc\)"):
        found.estimates("ks")
    with pytest.raises(IndexError, match="i=2: there are data sets 0 to 1"):
        found.data_set(2)


@pytest.mark.slow
def test_the_published_setting_with_ten_thousand_data_sets():
    found = study(
        n_positive=60,
        n_negative=140,
        n_datasets=10_000,
        n_resamples=2_000,
        methods=["percentile", "bca", "delong"],
        rng=0,
        n_jobs=-1,
    )
    row = found["roc_auc", "percentile"]
    # 200 data sets with 500 replicates each covered 187 times, with a mean width of 0.1117
    assert abs(187 / 200 - row["coverage"]) < 4 * np.sqrt(row["coverage"] * 0.05 / 200)
    assert row["mean_width"] == pytest.approx(0.1117, abs=0.002)
    assert row["coverage_error"] < 0.0025
    assert row["coverage"] == pytest.approx(0.945, abs=0.01)
    # it misses the truth above more often than below, which BCa repairs
    assert row["too_high"] > 2 * row["too_low"]
    bca = found["roc_auc", "bca"]
    assert bca["too_high"] < 1.5 * bca["too_low"]
    assert bca["coverage"] == pytest.approx(0.95, abs=0.01)


def test_methods_have_to_be_named():
    sizes = {"n_positive": 5, "n_negative": 5, "n_datasets": 2, "n_resamples": 5}
    with pytest.raises(ValueError, match="methods=None: give one of percentile, basic"):
        fm.simulation.coverage_study(fm.simulation.Binormal(1.0), methods=None, **sizes)
