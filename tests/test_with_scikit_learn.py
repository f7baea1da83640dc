"""Our functions inside scikit-learn: scorers, searches, displays; frames in and out."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_validate

import fastmetrics as fm

DATA = make_classification(300, 6, weights=[0.7], random_state=0)
SCORERS = {
    "roc_auc": make_scorer(
        fm.roc_auc_score, response_method=("decision_function", "predict_proba")
    ),
    "average_precision": make_scorer(
        fm.average_precision_score, response_method=("decision_function", "predict_proba")
    ),
    "f1": make_scorer(fm.f1_score),
    "f1_macro": make_scorer(fm.f1_score, average="macro"),
    "matthews_corrcoef": make_scorer(fm.matthews_corrcoef),
    "neg_log_loss": make_scorer(
        fm.log_loss, greater_is_better=False, response_method="predict_proba"
    ),
    "neg_brier_score": make_scorer(
        fm.brier_score_loss, greater_is_better=False, response_method="predict_proba"
    ),
}


def test_scorers_give_scikit_learns_numbers():
    model = LogisticRegression()
    ours = cross_validate(model, *DATA, scoring=SCORERS, cv=4)
    theirs = cross_validate(model, *DATA, scoring={name: name for name in SCORERS}, cv=4)
    for name in SCORERS:
        np.testing.assert_allclose(ours[f"test_{name}"], theirs[f"test_{name}"], rtol=1e-12)


def test_a_metric_of_the_registry_is_a_scorer():
    scorer = make_scorer(fm.metric("ks"), response_method="decision_function")
    found = cross_validate(LogisticRegression(), *DATA, scoring=scorer, cv=3)["test_score"]
    assert np.all(found > 0)
    assert np.all(found <= 1)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_search_chooses_the_same(n_jobs):
    grid = {"C": [0.001, 0.1, 10.0]}
    found = [
        GridSearchCV(LogisticRegression(), grid, scoring=scoring, cv=3, n_jobs=n_jobs).fit(*DATA)
        for scoring in (SCORERS["roc_auc"], "roc_auc")
    ]
    assert found[0].best_params_ == found[1].best_params_
    assert found[0].best_score_ == pytest.approx(found[1].best_score_, rel=1e-12)


def test_results_feed_the_displays():
    pytest.importorskip("matplotlib").use("Agg")
    from sklearn.calibration import CalibrationDisplay
    from sklearn.metrics import PrecisionRecallDisplay, RocCurveDisplay

    x, y_true = DATA
    y_prob = LogisticRegression().fit(x, y_true).predict_proba(x)[:, 1]
    sweep = fm.threshold_sweep(y_true, y_prob)
    fpr, tpr, _ = fm.roc_curve(y_true, y_prob)
    roc = RocCurveDisplay(fpr=fpr, tpr=tpr, roc_auc=sweep.roc_auc()).plot()
    np.testing.assert_array_equal(roc.ax_.lines[0].get_ydata(), tpr)
    precision, recall, _ = fm.precision_recall_curve(y_true, y_prob)
    display = PrecisionRecallDisplay(
        precision=precision, recall=recall, average_precision=sweep.average_precision()
    ).plot()
    np.testing.assert_array_equal(display.ax_.lines[0].get_xdata(), recall)
    observed, predicted = fm.calibration_curve(y_true, y_prob, n_bins=5)
    calibration = CalibrationDisplay(observed, predicted, y_prob).plot()
    np.testing.assert_array_equal(calibration.ax_.lines[1].get_ydata(), observed)
    from matplotlib import pyplot

    pyplot.close("all")


def frames():
    """Makers of the frame libraries that are installed."""
    pandas, polars, arrow = (pytest.importorskip(n) for n in ("pandas", "polars", "pyarrow"))
    return {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": arrow.table}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_come_in_and_go_out(library):
    generator = np.random.default_rng(0)
    y_true = generator.integers(0, 2, 80)
    columns = {"first": generator.random(80), "second": generator.random(80)}
    frame = frames()[library]({"label": y_true, **columns})
    expected = fm.bootstrap(y_true, columns, n_resamples=500, rng=0)
    models = {name: frame[name] for name in columns}
    found = fm.bootstrap(frame["label"], models, n_resamples=500, rng=0)
    for name in columns:
        np.testing.assert_array_equal(
            found[name].bootstrap_distribution, expected[name].bootstrap_distribution
        )
    table = found.to_frame()
    assert type(table).__module__.startswith("polars" if library == "polars" else "pandas")
    assert list(table["model"]) == ["first", "second"]
