"""``fastmetrics evaluate``, ``compare`` and ``demo``: several models, pipes, files."""

import io
import json
import re
import sys

import jsonschema
import numpy as np
import polars as pl
import pytest

import fastmetrics as fm
from fastmetrics.cli import main
from fastmetrics.report.plain_data import json_schema
from tests.report.problems import MODELS, NASTY, SCREENING, nasty_problem, screening

BOTH = ["--label", "malignant", "--score", MODELS[0], "--score", MODELS[1]]
QUICK = ["--method", "percentile", "--n-resamples", "200"]


@pytest.fixture
def command(capsys):
    """Run the command line; return exit code, standard output and standard error."""

    def run(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return stopped.value.code, printed.out, printed.err

    return run


@pytest.fixture
def piped(monkeypatch):
    """Put bytes on standard input."""

    def put(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def test_the_json_is_that_of_the_library(command):
    code, out, err = command("evaluate", SCREENING, *BOTH, *QUICK, "--threshold", 0.3, "--json")
    assert code == 0, err
    described = json.loads(out)
    jsonschema.validate(described, json_schema())
    y_true, scores = screening()
    report = fm.evaluate(
        y_true == 1, scores, threshold=0.3, method="percentile", n_resamples=200, rng=0
    )
    assert described.pop("seconds").keys() == {"read", "evaluate"}
    assert described == {**report.to_dict(), "title": "Evaluation of 2 models on screening.csv"}


def test_every_option_reaches_the_library(command, tmp_path):
    generator = np.random.default_rng(0)
    frame = pl.read_csv(SCREENING).with_columns(
        weight=pl.Series(generator.random(143) + 0.5),
        patient=pl.Series([f"p{k % 50}" for k in range(143)]),
        site=pl.Series(["a", "b"])[[k % 2 for k in range(143)]],
        year=pl.Series([2000 + k % 3 for k in range(143)]),
        fold=pl.Series([k % 5 for k in range(143)]),
    )
    file = tmp_path / "all.parquet"
    frame.write_parquet(file)
    options = [
        "--weight", "weight", "--groups", "patient", "--by", "site", "--by", "year",
        "--folds", "fold", "--metric", "roc_auc,f1", "--baseline", MODELS[1], "--margin", 0.05,
        "--threshold", f"{MODELS[0]}=0.1", "--threshold", f"{MODELS[1]}=0.2", "--cost-fp", 1,
        "--cost-fn", 20, "--level", 0.9, "--resampling", "poisson", "--seed", 3, "--title", "All",
    ]  # fmt: skip
    code, out, err = command("evaluate", file, *BOTH, *QUICK, *options, "--json")
    assert code == 0, err
    report = fm.evaluate(
        frame["malignant"].to_numpy() == 1,
        {name: frame[name].to_numpy() for name in MODELS},
        sample_weight=frame["weight"].to_numpy(),
        groups=frame["patient"].to_numpy(),
        by={"site": frame["site"].to_numpy(), "year": frame["year"].to_numpy()},
        folds=frame["fold"].to_numpy(),
        metrics=["roc_auc", "f1"],
        baseline=MODELS[1],
        margin=0.05,
        threshold={MODELS[0]: 0.1, MODELS[1]: 0.2},
        cost_fp=1,
        cost_fn=20,
        confidence_level=0.9,
        resampling="poisson",
        method="percentile",
        n_resamples=200,
        rng=3,
        title="All",
    )
    described = json.loads(out)
    del described["seconds"]
    assert described == report.to_dict()


def test_standard_input(command, piped):
    piped(SCREENING.read_bytes())
    code, out, err = command("evaluate", "-", *BOTH, *QUICK, "--metrics", "roc_auc")
    assert code == 0, err
    assert out.startswith("Evaluation of 2 models on standard input")
    assert "0.9874" in out
    piped(SCREENING.read_bytes().replace(b",", b";"))
    assert command("evaluate", "-", *BOTH, *QUICK, "--metrics", "roc_auc")[0] == 0
    piped(b"")
    code, _, err = command("evaluate", "-", *BOTH)
    assert code == 1
    assert "cannot read standard input: " in err
    piped(b"a,b\n1,2\n")
    assert "standard input has no column 'malignant'" in command("evaluate", "-", *BOTH)[2]


def test_markdown(command):
    code, out, err = command("evaluate", SCREENING, *BOTH, *QUICK, "--markdown")
    assert code == 0, err
    assert out.startswith("# Evaluation of 2 models on screening.csv\n")
    assert re.search(r"^\| roc_auc \| logistic_regression \| 0\.9874 ", out, re.M)


def test_files(command, tmp_path):
    page, tables, figures = tmp_path / "r.html", tmp_path / "t", tmp_path / "f"
    code, out, err = command(
        "evaluate", SCREENING, *BOTH, *QUICK, "--metrics", "roc_auc",
        "--html", page, "--csv", tables, "--figures", figures, "--format", "svg",
    )  # fmt: skip
    assert code == 0, err
    assert "Findings" in out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (tables / "metrics.csv").exists()
    assert (figures / "roc.svg").exists()
    assert f"report: {page}\n" in err
    assert re.search(r"^tables: \d+ files in ", err, re.M)
    assert re.search(r"^figures: \d+ files in ", err, re.M)


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_a_report_that_cannot_be_written_is_refused_before_anything_is_computed(
    command, monkeypatch, tmp_path, missing
):
    def computing(*_, **__):
        raise AssertionError("computed")

    monkeypatch.setattr(fm, "evaluate", computing)
    monkeypatch.setitem(sys.modules, missing, None)
    code, out, err = command("evaluate", SCREENING, *BOTH, "--html", tmp_path / "r.html")
    assert (code, out) == (1, "")
    assert err == (
        f"fastmetrics: HTML and figures need {missing}: pip install 'fastmetrics-engine[report]'\n"
    )


@pytest.fixture
def holes(tmp_path):
    """The screening file with two scores, a label and a slice missing."""
    frame = pl.read_csv(SCREENING, infer_schema_length=None).with_columns(
        site=pl.Series(["a", "b"])[[k % 2 for k in range(143)]]
    )
    rows = pl.int_range(pl.len())
    file = tmp_path / "holes.csv"
    frame.with_columns(
        pl.when(rows.is_in([3, 4])).then(None).otherwise(pl.col(MODELS[0])).alias(MODELS[0]),
        pl.when(rows == 7).then(None).otherwise(pl.col("diagnosis")).alias("diagnosis"),
        pl.when(rows == 9).then(None).otherwise(pl.col("site")).alias("site"),
    ).write_csv(file)
    return file


NAMED = ["--label", "diagnosis", "--pos-label", "malignant", *BOTH[2:], "--by", "site"]


def test_missing_entries_are_refused_or_dropped(command, holes):
    code, _, err = command("evaluate", holes, *NAMED, *QUICK)
    assert code == 1
    assert "has 2 missing values, first in data row 4: --missing drop leaves such rows out" in err
    code, out, err = command("evaluate", holes, *NAMED, *QUICK, "--missing", "drop", "--json")
    assert code == 0, err
    data = json.loads(out)["data"]
    assert (data["n_given"], data["n_dropped"], data["n_rows"]) == (143, 4, 139)
    assert data["missing"] == {
        "y_true": 1, "y_score['logistic_regression']": 2, "by['site']": 1
    }  # fmt: skip
    code, _, err = command("compare", holes, *NAMED, *QUICK, "--missing", "drop")
    assert code == 0
    assert "4 of 143 rows dropped: something is missing" in err


def test_progress_goes_to_standard_error(command):
    options = [*QUICK, "--metrics", "roc_auc", "--progress", "--json"]
    code, out, err = command("evaluate", SCREENING, *BOTH, *options)
    assert code == 0
    assert "replicate/s" in err
    json.loads(out)
    assert "replicate" not in command("evaluate", SCREENING, *BOTH, *options[:-2])[2]


def test_compare(command):
    code, out, err = command("compare", SCREENING, *BOTH, *QUICK)
    assert code == 0, err
    assert out.startswith("= The intervals of the differences in roc_auc and average_precision")
    assert re.search(r"^roc_auc +\+0\.0059 +-0\.00\d+ to 0\.0\d+ .* undecided", out, re.M)
    assert "143 rows, 53 positive · 200 multinomial resamples, seed 0" in out


def test_compare_as_json_and_markdown(command):
    options = [*BOTH, *QUICK, "--metrics", "brier_score", "--baseline", MODELS[1], "--seed", 2]
    code, out, _ = command("compare", SCREENING, *options, "--json")
    assert code == 0
    described = json.loads(out)
    y_true, scores = screening()
    expected = fm.compare(
        y_true, scores, "brier_score", baseline=MODELS[1], n_resamples=200, method="percentile",
        rng=2,
    )  # fmt: skip
    (row,) = described["differences"]
    assert (row["difference"], row["low"]) == (
        expected.estimate, expected.confidence_interval.low,
    )  # fmt: skip
    assert (described["seed"], described["n_dropped"]) == (2, 0)
    code, out, _ = command("compare", SCREENING, *options, "--markdown")
    assert out == f"{expected.to_markdown()}\n"


def test_compare_slices(command):
    options = [*BOTH, *QUICK, "--metrics", "roc_auc", "--by", "diagnosis"]
    code, out, _ = command("compare", SCREENING, *options)
    assert code == 0
    assert "logistic_regression - naive_bayes, diagnosis=benign" in out
    assert out.count("undefined") > 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (BOTH[:4], "give --score twice"),
        ([*BOTH, "--baseline", "nobody"], "baseline='nobody' is no model here"),
        ([*BOTH, "--json", "--markdown"], "--json and --markdown both print"),
        ([*BOTH, "--metrics", "rmsee"], "no metric is called 'rmsee'"),
    ],
)
def test_mistakes_of_compare(command, options, message):
    code, out, err = command("compare", SCREENING, *options)
    assert (code, out) == (1, "")
    assert message in err


def test_compare_exits_with_2_where_a_difference_is_undefined(command, tmp_path):
    file = tmp_path / "healthy.csv"
    pl.read_csv(SCREENING).filter(pl.col("malignant") == 0).write_csv(file)
    code, out, _ = command("compare", file, *BOTH, *QUICK)
    assert code == 2
    assert "undefined" in out


def test_the_demo(command, tmp_path):
    code, out, err = command("demo", "--html", tmp_path / "demo.html")
    assert code == 0, err
    assert "143 rows, 53 positive" in out
    assert re.search(r"^roc_auc +logistic_regression +0\.98", out, re.M)
    assert "chosen: given" in out
    assert "were chosen on the same rows" not in out
    assert "<svg" in (tmp_path / "demo.html").read_text(encoding="utf-8")


def test_nasty_columns_harm_nothing(command, tmp_path):
    y_true, scores, _ = nasty_problem()
    # a blank name is no column name that a shell would pass on
    columns = {name: scores[name] for name in NASTY[:8]}
    file = tmp_path / "nasty.parquet"
    pl.DataFrame({"y": y_true, **columns}).write_parquet(file)
    named = [word for name in columns for word in ("--score", name)]
    folder = tmp_path / "out"
    folder.mkdir()
    code, out, err = command(
        "evaluate", file, "--label", "y", *named, *QUICK, "--metrics", "roc_auc", "--title",
        NASTY[0], "--html", folder / "r.html", "--figures", folder / "f", "--csv", folder / "c",
    )  # fmt: skip
    assert code == 0, err
    assert "\x1b" not in out + err
    assert "<script" not in (folder / "r.html").read_text(encoding="utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"nasty.parquet", "out"}
    assert {path.name for path in folder.iterdir()} == {"r.html", "f", "c"}
