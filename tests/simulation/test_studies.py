"""What all studies share: tables for people and for programs, words, and a plot."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

from fastmetrics import simulation

BINORMAL = simulation.Binormal(1.5)
Y_TRUE, Y_SCORE = BINORMAL.draw(60, 140, np.random.default_rng(0))
STUDIES = {
    "prevalence": simulation.prevalence_study(
        BINORMAL, threshold=1, n_negative=500, n_datasets=20, rng=0
    ),
    "coverage": simulation.coverage_study(
        BINORMAL,
        n_positive=20,
        n_negative=30,
        n_datasets=20,
        n_resamples=50,
        metrics=["roc_auc", "average_precision"],
        methods=["percentile", "delong"],
        rng=0,
    ),
    "ranking": simulation.ranking_study(
        {"A": BINORMAL, "B": simulation.Binormal(2.6, scale=2)},
        prevalence=0.1,
        n_negative=180,
        n_datasets=20,
        rng=0,
    ),
    "folds": simulation.folds_study(rng=0),
    "interpolation": simulation.interpolation_study(
        BINORMAL, n_negative=200, threshold=1, n_datasets=20, rng=0
    ),
    "clusters": simulation.cluster_study(
        simulation.ClusteredAnswers(8, 5, 1, 1.2), n_datasets=20, n_resamples=50, rng=0
    ),
    "rare class": simulation.rare_class_study(
        simulation.GaussianClasses([[0, 0], [2, 0], [1, 2]]),
        class_sizes=[150, 40, 10],
        n_datasets=20,
        rng=0,
    ),
    "half-width": simulation.sample_size(
        BINORMAL, "average_precision", half_width=0.1, prevalence=0.3, n_datasets=100, rng=0
    ),
    "power": simulation.sample_size(
        BINORMAL, difference=0.08, power=0.7, prevalence=0.5, n_datasets=100, rng=0
    ),
    "shift": simulation.prevalence_shift(
        Y_TRUE, Y_SCORE, [0.5, 0.1], threshold=1, n_resamples=300, method="percentile", rng=0
    ),
}
EVERY = pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES.keys())


@EVERY
def test_frames_have_the_rows(study):
    frame = study.to_frame()
    assert list(frame.columns) == list(study.columns)
    np.testing.assert_equal(frame.to_dict("records"), study.rows())
    assert all(tuple(row) == study.columns for row in study.rows())


@EVERY
def test_dicts_are_json(study):
    exported = json.loads(json.dumps(study.to_dict()))
    assert exported["seed"] == study.seed
    assert exported["conclusion"] == study.conclusion
    np.testing.assert_equal(exported["rows"], json.loads(json.dumps(study.rows())))


@EVERY
def test_tables_have_a_line_per_row(study):
    markdown = study.to_markdown(digits=3).splitlines()
    assert len(markdown) == len(study.rows()) + 2
    assert len({line.count(" | ") for line in markdown}) == 1
    assert study.to_latex().startswith(r"\begin{tabular}")
    assert "nan" not in study.to_markdown()


@EVERY
def test_print_ends_with_the_conclusion(study):
    said = " ".join(repr(study).splitlines())
    assert said.endswith(study.conclusion)
    assert len(study.conclusion) > 40
    assert study.conclusion.endswith((".", ")."))
    table = repr(study).splitlines()
    assert max(map(len, table)) < 180


@EVERY
def test_rows_are_copies(study):
    study.rows()[0].clear()
    assert tuple(study.rows()[0]) == study.columns


@EVERY
def test_studies_draw_themselves(study):
    ax = Figure(layout="constrained").subplots()
    assert study.plot(ax) is ax
    assert any(a.lines or a.collections or a.patches for a in (ax, *ax.child_axes))
    ax.figure.canvas.draw()


@pytest.mark.parametrize(
    "make",
    [
        lambda rng: simulation.prevalence_study(
            BINORMAL, threshold=1, n_negative=100, prevalence=0.1, n_datasets=5, rng=rng
        ),
        lambda rng: simulation.coverage_study(
            BINORMAL, n_positive=9, n_negative=9, n_datasets=5, n_resamples=20, rng=rng
        ),
        lambda rng: simulation.ranking_study(
            {"A": BINORMAL, "B": BINORMAL}, prevalence=0.5, n_negative=20, n_datasets=5, rng=rng
        ),
        lambda rng: simulation.folds_study(rng=rng),
        lambda rng: simulation.interpolation_study(
            BINORMAL, n_negative=30, threshold=1, n_datasets=5, rng=rng
        ),
        lambda rng: simulation.cluster_study(
            simulation.ClusteredAnswers(8, 5, 1, 1.2), n_datasets=5, n_resamples=20, rng=rng
        ),
        lambda rng: simulation.rare_class_study(
            simulation.GaussianClasses([0, 1, 2]), class_sizes=[9, 9, 5], n_datasets=5, rng=rng
        ),
    ],
)
def test_seeds(make):
    assert make(7).seed == 7
    np.testing.assert_equal(make(7).rows(), make(np.random.SeedSequence(7)).rows())
    assert json.dumps(make(8).rows()) != json.dumps(make(7).rows())
    fresh = make(None)
    np.testing.assert_equal(make(fresh.seed).rows(), fresh.rows())
    assert "seed" in repr(fresh)
