"""Several models, decisions beside scores, class columns: what a bootstrap reads as what."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fastmetrics as fm
from tests import reference
from tests.engine.reading_problems import data
from tests.inference.bootstrap_problems import problem

N = 80
NAMES = np.array(["ash", "beech", "oak"])


def draws(n=N, size=7):
    generator = np.random.default_rng(2)
    return [np.bincount(generator.integers(0, n, n), minlength=n) for _ in range(size)]


def given(*data, counts=None, **options):
    counts = draws() if counts is None else counts
    return fm.bootstrap(*data, **{"method": "percentile", "counts": counts, **options})


def assert_same(found, wanted, rtol=1e-13):
    assert found.estimate == pytest.approx(wanted.estimate, rel=rtol, abs=1e-15)
    np.testing.assert_allclose(
        found.bootstrap_distribution, wanted.bootstrap_distribution, rtol=rtol, atol=1e-15
    )


def three():
    labels, first = problem(N)
    generator = np.random.default_rng(9)
    second = (first + generator.normal(0, 0.2, N)).clip(0, 1)
    return labels, {"m1": first, "m2": second, "m3": 1 - first}


METRICS = ["roc_auc", "average_precision", "f1", "brier_score", "ks", "ece"]


@pytest.mark.parametrize(
    "frame",
    [
        dict,
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda models: pd.DataFrame(models, index=range(N, 0, -1)),
    ],
    ids=["mapping", "pandas", "polars", "pyarrow", "pandas with an index"],
)
def test_every_model_has_the_replicates_of_a_call_of_its_own(frame):
    labels, models = three()
    if frame is pd.DataFrame or frame is dict or frame in (pl.DataFrame, pa.table):
        columns = frame(models)
    else:
        columns = frame({name: list(scores) for name, scores in models.items()})
    result = given(labels, columns, METRICS)
    assert result.models == ("m1", "m2", "m3")
    assert result.keys() == [(model, metric) for model in models for metric in METRICS]
    for name, scores in models.items():
        alone = given(labels, scores, METRICS)
        for metric in METRICS:
            assert_same(result[name, metric], alone[metric])
            assert_same(result[metric, name], alone[metric])


def test_models_of_integers_and_of_floats_may_stand_together():
    labels, scores = problem(N)
    rounded = (scores * 4).astype(int)
    models = {
        "float": scores,
        "half": scores.astype(np.float16),
        "int": rounded,
        3: scores.tolist(),
    }
    result = given(labels, models, "roc_auc")
    assert result.models == ("float", "half", "int", "3")
    assert_same(result["int"], given(labels, rounded.astype(float), "roc_auc"))
    assert_same(result["3"], result["float"])


def test_one_threshold_for_each_model():
    labels, models = three()
    cuts = {"m1": 0.3, "m2": 0.7}
    result = given(labels, models, ["f1", "roc_auc"], threshold=cuts)
    for name, scores in models.items():
        cut = cuts.get(name, 0.5)
        expected = reference.OF_COUNTS["f1"](*reference.counts(labels, scores, cut))
        assert result[name, "f1"].estimate == pytest.approx(expected, abs=1e-12)
        alone = given(labels, scores, ["f1", "roc_auc"], threshold=cut)
        assert_same(result[name, "f1"], alone["f1"])
    # the names of columns need not be text
    numbered = dict(enumerate(models.values()))
    again = given(labels, numbered, "f1", threshold={0: 0.3, 1: 0.7})
    assert_same(again["0"], result["m1", "f1"])
    fixed = given(labels, models, fm.metric("f1", threshold=0.2), threshold=cuts)
    assert_same(fixed["m1"], given(labels, models["m1"], "f1", threshold=0.2))


def test_decisions_beside_scores_serve_the_metrics_of_decisions():
    labels, scores = problem(N)
    decisions = (scores > 0.3).astype(int)
    metrics = ["roc_auc", "f1", "brier_score", "f1_macro", "ece", "accuracy"]
    result = given(labels, scores, metrics, y_pred=decisions)
    from_scores = given(labels, scores, metrics)
    decided = given(labels, None, ["f1", "f1_macro", "accuracy"], y_pred=decisions)
    for name in metrics:
        wanted = decided if name in decided.metrics else from_scores
        assert_same(result[name], wanted[name])
    models = {"a": scores, "b": scores[::-1]}
    several = given(labels, models, metrics, y_pred={"b": decisions[::-1], "a": decisions})
    for name in metrics:
        assert_same(several["a", name], result[name])


@pytest.mark.parametrize("positive", ["oak", None])
def test_decisions_of_models_may_be_text(positive):
    labels, models = three()
    words = np.array(["ash", "oak"])
    said = {name: words[(scores > 0.4).astype(int)] for name, scores in models.items()}
    numbers = {name: (scores > 0.4).astype(int) for name, scores in models.items()}
    metrics = ["f1", "recall"] if positive else ["accuracy", "f1_macro"]
    found = given(words[labels], None, metrics, y_pred=said, pos_label=positive)
    wanted = given(labels, None, metrics, y_pred=numbers)
    for key in wanted:
        assert_same(found[key], wanted[key])


@pytest.mark.filterwarnings("ignore:.*undefined in")
@pytest.mark.parametrize(
    "metric", ["f1_macro", "accuracy", "balanced_accuracy", "cohen_kappa_linear"]
)
def test_averages_of_two_classes_are_those_of_the_decisions(metric):
    labels, scores = problem(N)
    few = [*draws(), np.eye(N, dtype=int)[3], 5 * (labels == 0)]
    result = given(labels, scores, ["roc_auc", metric], counts=few)
    value = fm.metric(metric)
    for drawn, count in zip(result[metric].bootstrap_distribution, few, strict=True):
        rows = np.repeat(np.arange(N), count)
        said = (scores[rows] >= 0.5).astype(int)
        truth = labels[rows]
        expected = value(truth, said) if metric != "balanced_accuracy" else None
        if expected is None:
            expected = reference.OF_COUNTS[metric](*reference.counts(truth, said, 0.5))
        assert drawn == pytest.approx(expected, abs=1e-12, nan_ok=True)


CLASSES = ["accuracy", "f1_macro", "matthews_corrcoef", "cohen_kappa", "balanced_accuracy"]
OF_COLUMNS = ["log_loss", "brier_score", "roc_auc_ovr", "top_k_accuracy"]


@pytest.mark.parametrize("labels", [np.arange(3), NAMES, np.array([-1, 4, 9])], ids=repr)
def test_class_columns_serve_probabilities_and_the_largest_decides(labels):
    codes, columns = data("columns", N)
    truth = labels[codes]
    result = given(truth, columns, [*CLASSES, *OF_COLUMNS])
    decided = given(truth, None, CLASSES, y_pred=labels[np.argmax(columns, axis=1)])
    for name in CLASSES:
        assert_same(result[name], decided[name])
    for name in OF_COLUMNS:
        assert result[name].estimate == pytest.approx(fm.metric(name)(truth, columns))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_named_by_the_labels_may_stand_in_any_order(library):
    codes, columns = data("columns", N)
    truth = NAMES[codes]
    plain = given(truth, columns, [*CLASSES, *OF_COLUMNS])
    frame = library({NAMES[place]: columns[:, place] for place in (2, 0, 1)})
    result = given(truth, frame, [*CLASSES, *OF_COLUMNS])
    assert result.models == ()
    for name in plain.metrics:
        assert_same(result[name], plain[name])
    named = given(truth, {"only": frame, "other": columns}, [*CLASSES, *OF_COLUMNS])
    for name in plain.metrics:
        assert_same(named["only", name], plain[name])
        assert_same(named["other", name], plain[name])


def test_a_class_that_only_another_model_knows_is_none():
    codes, said = data("classes", N)
    truth, first = NAMES[codes], NAMES[said].astype("U9")
    second = first.copy()
    second[:3] = "willow"
    result = given(truth, None, [*CLASSES, "jaccard_macro"], y_pred={"a": first, "b": second})
    for name, decided in (("a", first), ("b", second)):
        alone = given(truth, None, [*CLASSES, "jaccard_macro"], y_pred=decided)
        for metric in alone.metrics:
            assert np.isfinite(result[name, metric].estimate)
            assert_same(result[name, metric], alone[metric])


def test_predictions_may_hold_a_class_that_never_occurs():
    codes, said = data("classes", N)
    truth = codes % 2
    value = fm.metric("f1_macro")(truth, said)
    assert given(truth, None, "f1_macro", y_pred=said).estimate == pytest.approx(value)
    with pytest.raises(ValueError, match="y_pred holds 2, which y_true does not"):
        given(truth, None, ["f1", "f1_macro"], y_pred=said)


def test_two_columns_of_two_classes_are_those_of_the_positive_one():
    labels, scores = problem(N)
    both = np.stack([1 - scores, scores], axis=1)
    plain = given(labels, scores, METRICS)
    words = np.array(["benign", "malignant"])[labels]
    for truth, columns, positive in (
        (labels, both, None),
        (labels.astype(bool), both, None),
        (words, both, "malignant"),
        (words, pd.DataFrame({"malignant": scores, "benign": 1 - scores}), "malignant"),
        (words, pl.DataFrame({"malignant": scores, "benign": 1 - scores}), "malignant"),
        (words, both[:, ::-1], "benign"),
        (labels, {"m": both}, None),
    ):
        result = given(truth, columns, METRICS, pos_label=positive)
        for name in METRICS:
            if positive != "benign":
                assert_same(result[name], plain[name])
    flipped = given(words, both, "roc_auc", pos_label="benign")
    assert flipped.estimate == pytest.approx(plain["roc_auc"].estimate)


def test_a_class_of_several_may_be_the_positive_one():
    codes, columns = data("columns", N)
    for positive in range(3):
        result = given(codes, columns, ["roc_auc", "f1", "brier_score"], pos_label=positive)
        wanted = given((codes == positive).astype(int), columns[:, positive], list(result.metrics))
        for name in wanted.metrics:
            assert_same(result[name], wanted[name])


def test_a_number_of_several_models_shows_the_way_out():
    labels, models = three()
    result = fm.bootstrap(labels, models, ["roc_auc", "ks"], n_resamples=0)
    message = (
        "6 entries (3 models x 2 metrics): take one, result['m1', 'roc_auc'].estimate, or "
        ".to_frame()"
    )
    with pytest.raises(AttributeError, match=re.escape(message)):
        _ = result.estimate
    assert result["m1", "roc_auc"].estimate == result["roc_auc"]["m1"].estimate
    assert len(result["m1"]) == 2
    assert len(result["ks"]) == 3
    with pytest.raises(KeyError, match="models: 'm1', 'm2', 'm3'; metrics: 'roc_auc', 'ks'"):
        result["m4"]
    with pytest.raises(KeyError, match="no entry"):
        result["m1", "m2"]


def test_a_mean_needs_no_truth():
    values = np.random.default_rng(0).normal(size=N)
    result = given(None, {"a": values, "b": values**2}, ["mean"])
    for name, column in (("a", values), ("b", values**2)):
        wanted = [np.average(column, weights=count) for count in draws()]
        np.testing.assert_allclose(result[name].bootstrap_distribution, wanted, rtol=1e-12)
    beside = given(problem(N)[0], problem(N)[1], ["roc_auc", "mean"])
    assert beside["mean"].estimate == pytest.approx(problem(N)[1].mean())


def test_frames_of_results_are_those_of_the_inputs():
    labels, scores = problem(N)
    for columns, library in (
        ({"a": pl.Series(scores)}, pl.DataFrame),
        (pl.DataFrame({"a": scores}), pl.DataFrame),
        ({"a": pd.Series(scores)}, pd.DataFrame),
        ({"a": scores}, pd.DataFrame),
    ):
        result = fm.bootstrap(labels, columns, n_resamples=0)
        assert isinstance(result.to_frame(), library)
