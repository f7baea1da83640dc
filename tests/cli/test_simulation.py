"""``fastmetrics simulate``."""

import json
import sys

import pytest

import fastmetrics as fm
from fastmetrics.cli import MISTAKE
from fastmetrics.cli.running import run

# the words of the manual, with fewer data sets
LINE = "simulate --separation 2 --prevalence 0.5 0.1 0.01 0.001 --n-negative 20000 --n-datasets 10"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_line_of_the_manual_prints_the_table_and_writes_the_figure(folder, capsys):
    assert run(LINE.split()) == 0
    out, err = capsys.readouterr()
    study = fm.simulation.prevalence_study(
        fm.simulation.Binormal(2),
        prevalence=[0.5, 0.1, 0.01, 0.001],
        n_negative=20_000,
        n_datasets=10,
        threshold=1.0,
        rng=0,
    )
    assert out == f"{study!r}\n"
    assert err == "figure: prevalence_study.png\n"
    assert (folder / "prevalence_study.png").read_bytes()[:4] == b"\x89PNG"


def test_prevalences_may_be_given_in_any_way(capsys):
    printed = []
    for words in (
        "--prevalence 0.5 0.1",
        "--prevalence 0.5 --prevalence 0.1",
        "--prevalence=0.5 0.1",
        "0.5 0.1",
    ):
        options = "--n-negative 200 --n-datasets 3 --no-figure"
        assert run(f"simulate {options} {words}".split()) == 0
        printed.append(capsys.readouterr().out)
    assert len(set(printed)) == 1
    assert printed[0].startswith("prevalence")


def test_options_reach_the_study(folder, capsys):
    line = (
        "simulate --json --figure drawn.svg --scale 2 --separation 1.5 --metrics roc_auc,f1 "
        "--metrics recall --threshold 0.5 --seed 3 --n-jobs 2 --n-negative 100 --n-datasets 3 0.2"
    )
    assert run(line.split()) == 0
    out, err = capsys.readouterr()
    printed = json.loads(out)
    assert printed["model"] == "Binormal(1.5, scale=2)"
    assert (printed["seed"], printed["n_datasets"], printed["n_negative"]) == (3, 3, 100)
    assert [row["metric"] for row in printed["rows"]] == ["roc_auc", "f1", "recall"]
    study = fm.simulation.prevalence_study(
        fm.simulation.Binormal(1.5, 2),
        prevalence=0.2,
        metrics=["roc_auc", "f1", "recall"],
        threshold=0.5,
        n_negative=100,
        n_datasets=3,
        rng=3,
    )
    assert [row["mean"] for row in printed["rows"]] == [row["mean"] for row in study.rows()]
    assert "drawn.svg" in err
    assert "<svg" in (folder / "drawn.svg").read_text()


def test_markdown(capsys):
    line = "simulate --markdown --no-figure --n-negative 50 --n-datasets 2 --metrics roc_auc 0.2"
    assert run(line.split()) == 0
    header, _, row = capsys.readouterr().out.splitlines()
    assert header == "| prevalence | metric | mean | SD | expected | silent |"
    assert row.startswith("| 20 % | roc_auc | ")


def test_what_is_undefined_is_null(capsys):
    line = "simulate --json --no-figure --n-negative 50 --n-datasets 2 --metrics precision 0.2"
    assert run(line.split()) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["silent"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--prevalence 5", "prevalence=5.0: give a fraction between 0 and 1, 0.05"),
        ("--prevalence 0.5 roc_auc", "PREVALENCE"),
        ("--prevalence 0.0001 --n-negative 100", "leaves no positive row beside 100 negative"),
        ("--json --markdown", "--json and --markdown both print: give one of them"),
        ("--metrics no_such", "no metric is called 'no_such'"),
        ("--metrics ,", "--metrics names no metric"),
        ("--scale 0", "scale=0.0: give a number above 0"),
        ("--n-datasets 0", "n_datasets=0: give a whole number of 1 or more"),
        ("--n-datasets 2 --figure nowhere/plot.png", "nowhere"),
        ("--n-datasets 2 --figure plot.txt", "txt"),
    ],
)
def test_mistakes_are_one_line(words, message, capsys):
    assert run(["simulate", "--n-negative", "200", *words.split()]) == MISTAKE
    err = capsys.readouterr().err
    assert message in err
    assert err.startswith("fastmetrics: ")
    assert err.count("\n") == 1


def test_without_matplotlib_there_is_a_table_and_a_word(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run(["simulate", "--n-negative", "200", "--n-datasets", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("prevalence")
    assert err == "no figure: it needs matplotlib, pip install 'fastmetrics-engine[report]'\n"
