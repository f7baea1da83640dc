"""The command line on real files: what it prints, and how it says no."""

import json
import math
import re
import subprocess
import sys
import warnings
from pathlib import Path

import polars as pl
import pytest

import fastmetrics
from fastmetrics.cli import main
from tests.processes import heed_interrupts

ROOT = Path(__file__).parents[2]
SCREENING = ROOT / "examples" / "data" / "screening.csv"
COLUMNS = ["--label", "malignant", "--score", "logistic_regression"]


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
def evaluate(command):
    """Evaluate the screening data and return the parsed JSON, by the names of its metrics."""

    def run(*arguments, file=SCREENING, columns=COLUMNS):
        code, out, err = command("evaluate", file, *columns, "--json", *arguments)
        assert code == 0, err
        return json.loads(out)

    return run


def without_time(parsed):
    """What does not depend on the machine and the name of the file."""
    return {key: value for key, value in parsed.items() if key not in ("seconds", "title")}


def test_the_table_of_the_screening_data(command):
    code, out, err = command("evaluate", SCREENING, *COLUMNS)
    assert code == 0, err
    assert out.startswith("Evaluation of logistic_regression on screening.csv\n")
    assert re.search(
        r"^roc_auc +0\.9874 +0\.9\d\d\d to (0\.9\d\d\d|1\.0000) +0\.00\d\d +0\.5", out, re.M
    )
    assert re.search(
        r"^average_precision +0\.9849 +0\.9\d\d\d to 0\.9\d\d\d +0\.0\d\d\d +0\.37", out, re.M
    )
    assert "95 % CI" in out
    assert "143 rows, 53 positive · 2,000 multinomial resamples, seed 0" in out
    assert re.search(r"^Monte-Carlo error of limits up to 0\.\d+ \(\w+\)$", out, re.M)
    assert re.search(r"read in \d+\.\d\d s, evaluated in \d+\.\d\d s", out)


def test_the_same_seed_gives_the_same_numbers(evaluate):
    first = without_time(evaluate("--seed", 5))
    assert without_time(evaluate("--seed", 5, "--n-jobs", 2)) == first
    assert without_time(evaluate("--seed", 6)) != first


def test_the_named_label_is_the_coded_one(evaluate):
    named = ["--label", "diagnosis", "--positive", "malignant", "--score", "logistic_regression"]
    assert without_time(evaluate(columns=named)) == without_time(evaluate())


@pytest.mark.parametrize("name", ["a.tsv", "a.parquet", "a.feather"])
def test_every_format_gives_the_same_numbers(evaluate, tmp_path, name):
    frame = pl.read_csv(SCREENING)
    if name == "a.tsv":
        frame.write_csv(tmp_path / name, separator="\t")
    elif name == "a.parquet":
        frame.write_parquet(tmp_path / name)
    else:
        frame.write_ipc(tmp_path / name)
    assert without_time(evaluate(file=tmp_path / name)) == without_time(evaluate())


def test_options_reach_the_library(evaluate):
    options = ["--n-resamples", 300, "--confidence-level", 0.9, "--method", "percentile"]
    parsed = evaluate(*options, "--threshold", 0.3, "--metrics", "f1,recall", "--strata", "class")
    frame = pl.read_csv(SCREENING)
    expected = fastmetrics.bootstrap(
        frame["malignant"].to_numpy(),
        frame["logistic_regression"].to_numpy(),
        metrics=["f1", "recall"],
        n_resamples=300,
        confidence_level=0.9,
        method="percentile",
        threshold=0.3,
        strata="class",
        rng=0,
    )
    text = json.dumps(parsed)
    for name in ("f1", "recall"):
        limits = expected[name].confidence_interval
        for value in (expected[name].estimate, limits.low, limits.high):
            assert json.dumps(float(value)) in text


def test_metrics_may_be_repeated(command):
    names = ["--metrics", "roc_auc", "--metrics", "accuracy,f1", "--n-resamples", 100]
    code, out, err = command("evaluate", SCREENING, *COLUMNS, *names)
    assert code == 0, err
    metrics = out[out.index("\nMetrics") : out.index("\nThresholds")]
    rows = re.findall(r"^(\w+) +0\.\d{4}", metrics, re.MULTILINE)
    assert rows == ["roc_auc", "accuracy", "f1"]


def test_equal_weights_change_nothing(evaluate, tmp_path):
    frame = pl.read_csv(SCREENING).with_columns(weight=pl.lit(2.5))
    frame.write_parquet(tmp_path / "weighted.parquet")
    plain = json.dumps(evaluate("--n-resamples", 0, "--metrics", "roc_auc"))
    weighted = evaluate(
        "--n-resamples", 0, "--metrics", "roc_auc", "--weight", "weight",
        file=tmp_path / "weighted.parquet",
    )  # fmt: skip
    (expected,) = re.findall(r'"estimate": (0\.\d+)', plain)
    (estimate,) = re.findall(r'"estimate": (0\.\d+)', json.dumps(weighted))
    assert math.isclose(float(estimate), float(expected), abs_tol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv", *COLUMNS], "there is no file nowhere.csv"),
        ([SCREENING, "--label", "malignant"], "Missing option '--score'"),
        ([SCREENING, "--label", "malign", "--score", "naive_bayes"], "did you mean 'malignant'?"),
        ([SCREENING, "--label", "diagnosis", "--score", "naive_bayes"], "--pos-label malignant"),
        ([SCREENING, "--label", "row", "--score", "naive_bayes"], "143 different values"),
        ([SCREENING, "--label", "malignant", "--score", "diagnosis"], "first 'malignant' in data"),
        ([SCREENING, "--label", "row", "--score", "row"], "name the same column"),
        ([ROOT / "LICENSE", *COLUMNS], "LICENSE is not known: give a .csv"),
        ([SCREENING, *COLUMNS, "--positive", "benign"], "'1' and '0', not 'benign'"),
        ([SCREENING, *COLUMNS, "--metrics", "roc_acu"], "roc_acu"),
        ([SCREENING, *COLUMNS, "--metrics", ","], "--metrics names no metric"),
        ([SCREENING, *COLUMNS, "--method", "magic"], "magic"),
        ([SCREENING, *COLUMNS, "--strata", "site"], "no column 'site'"),
        ([SCREENING, *COLUMNS, *COLUMNS[2:]], "name the same column"),
        ([SCREENING, *COLUMNS, "--threshold", "a=0.3"], "no metric is called 'a=0.3'"),
        ([SCREENING, *COLUMNS, "--threshold", "1", "--threshold", "2"], "give several as MODEL="),
        (
            [SCREENING, *COLUMNS, "--threshold", "logistic_regression=x"],
            "--threshold x: give a number",
        ),
        ([SCREENING, *COLUMNS, "--cost-fp", "1"], "cost_fn"),
        ([SCREENING, *COLUMNS, "--baseline", "naive_bayes"], "there is one"),
        ([SCREENING, *COLUMNS, "--missing", "ignore"], "Invalid value for '--missing'"),
        ([SCREENING, *COLUMNS, "--json", "--markdown"], "--json and --markdown both print"),
        ([SCREENING, *COLUMNS, "--html", "nowhere/a.html"], "there is no folder"),
        ([SCREENING, *COLUMNS, "--html", str(ROOT)], "is a folder"),
        ([SCREENING, *COLUMNS, "--csv", str(SCREENING)], "is a file: give a folder"),
        ([SCREENING, *COLUMNS, "--figures", str(SCREENING)], "is a file: give a folder"),
        ([SCREENING, *COLUMNS, "--confidence-level", "95"], "confidence_level=95"),
        ([SCREENING, *COLUMNS, "--n-resamples", "many"], "Invalid value for '--n-resamples'"),
        ([SCREENING, *COLUMNS, "--n-resamples", "-1"], "n_resamples"),
        ([SCREENING, *COLUMNS, "--seed", "-1"], "Invalid value for '--seed'"),
        ([SCREENING, *COLUMNS, "--n-jobs", "0"], "n_jobs"),
        ([SCREENING, *COLUMNS, "--seeed", "1"], "No such option: --seeed"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_1(command, arguments, message):
    code, out, err = command("evaluate", *arguments)
    assert code == 1
    assert out == ""
    assert err.startswith("fastmetrics: ")
    assert err.count("\n") == 1
    assert message in err


def test_one_class_only_exits_with_2(command, tmp_path):
    file = tmp_path / "healthy.csv"
    pl.read_csv(SCREENING).filter(pl.col("malignant") == 0).write_csv(file)
    code, out, err = command("evaluate", file, *COLUMNS)
    assert code == 2
    assert re.search(r"^roc_auc +undefined", out, re.M)
    assert re.search(r"^brier_score +0\.0141", out, re.M)
    assert "! No row is positive" in out
    assert "warning: roc_auc, average_precision" in err
    named = ["--label", "diagnosis", "--pos-label", "malignant", *COLUMNS[2:]]
    code, _, err = command("evaluate", file, *named)
    assert code == 1
    assert err == (
        "fastmetrics: column 'diagnosis' holds 'benign' in all 90 rows: "
        "rows of two classes are needed\n"
    )


def test_negative_weights_are_a_mistake(command, tmp_path):
    file = tmp_path / "weighted.parquet"
    pl.read_csv(SCREENING).with_columns(weight=pl.lit(-1.0)).write_parquet(file)
    code, _, err = command("evaluate", file, *COLUMNS, "--weight", "weight")
    assert code == 1
    assert "sample_weight" in err
    assert err.count("\n") == 1


def test_an_interrupt_exits_with_130(command, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(fastmetrics, "evaluate", interrupted)
    assert command("evaluate", SCREENING, *COLUMNS) == (130, "", "")


INTERRUPTED_RUN = """
import os, signal, sys, threading
from fastmetrics.cli import main
threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT)).start()
main(sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_real_interrupt_stops_a_long_run(n_jobs):
    options = ["--n-resamples", "5_000_000", "--metrics", "roc_auc", "--n-jobs", str(n_jobs)]
    stopped = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_RUN, "evaluate", str(SCREENING), *COLUMNS, *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=heed_interrupts,
    )
    assert (stopped.returncode, stopped.stdout, stopped.stderr) == (130, "", "")


def test_warnings_are_lines_on_standard_error(command, monkeypatch):
    evaluate = fastmetrics.evaluate

    def warning(*data, **options):
        for _ in range(2):
            warnings.warn("two\nlines", UserWarning, stacklevel=1)
        warnings.warn("for developers", DeprecationWarning, stacklevel=1)
        return evaluate(*data, **options)

    monkeypatch.setattr(fastmetrics, "evaluate", warning)
    code, out, err = command("evaluate", SCREENING, *COLUMNS)
    assert code == 0
    assert "0.9874" in out
    assert err == "warning: two lines\n"


def test_an_error_of_our_own_is_not_hidden(command, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(fastmetrics, "evaluate", broken)
    with pytest.raises(ZeroDivisionError):
        main(["evaluate", str(SCREENING), *COLUMNS])


@pytest.mark.parametrize("missing", ["typer", "polars"])
def test_without_the_extra_the_command_says_what_to_install(command, monkeypatch, missing):
    for name in list(sys.modules):
        if name.partition(".")[0] == missing or name.startswith("fastmetrics.cli."):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert command("evaluate", SCREENING, *COLUMNS) == (
        1,
        "",
        f"fastmetrics: the command line needs {missing}: pip install 'fastmetrics-engine[cli]'\n",
    )


def test_without_rich_the_report_is_plain_text(command, monkeypatch):
    for name in ("rich", "rich.console"):
        monkeypatch.setitem(sys.modules, name, None)
    options = ["--metrics", "roc_auc", "--n-resamples", 100, "--method", "percentile"]
    code, out, _ = command("evaluate", SCREENING, *COLUMNS, *options)
    assert code == 0
    assert "\nFINDINGS\n" in out
    code, out, _ = command("compare", SCREENING, *COLUMNS, "--score", "naive_bayes", *options)
    assert code == 0
    assert re.search(r"roc_auc +\+0\.0059", out)


def test_warmup_says_how_long_it_took(command, monkeypatch):
    monkeypatch.setattr(fastmetrics, "warmup", lambda: None)
    code, out, _ = command("warmup")
    assert code == 0
    assert re.fullmatch(r"compiled in \d+\.\d s\n", out)


def test_version_and_help(command):
    code, out, _ = command("--version")
    assert code == 0
    assert out == f"fastmetrics {fastmetrics.__version__}\n"
    for arguments in ([], ["--help"]):
        code, out, _ = command(*arguments)
        assert code == 0
        for name in ("evaluate", "compare", "simulate", "demo", "warmup"):
            assert name in out


@pytest.mark.parametrize("name", ["evaluate", "compare", "demo"])
def test_help_shows_examples(command, name):
    code, out, _ = command(name, "--help")
    assert code == 0
    assert "Examples:" in out
    assert re.search(rf"^ fastmetrics {name}", out, re.M)
