"""What the commands of the command line do: read, evaluate, print.

Conventions: the options are the Python names (`--seed` for `rng`); data rows count from 1.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import typer

import fastmetrics
from fastmetrics.cli import UNDEFINED, options
from fastmetrics.cli.columns import Names, read_arguments
from fastmetrics.cli.demonstration import screening_problem
from fastmetrics.cli.mistakes import Mistake, one_line_mistakes, one_line_warnings
from fastmetrics.cli.output import (
    check_outputs,
    is_undefined,
    print_comparison,
    print_json,
    say,
    write_files,
)
from fastmetrics.cli.simulation import EXAMPLE, simulate
from fastmetrics.report.missing import drop_missing

__all__ = ["Mistake", "application", "one_line_mistakes", "one_line_warnings"]

EVALUATE_EXAMPLES = """
Examples:

fastmetrics evaluate scores.csv --label sick --score model

fastmetrics evaluate scores.csv --label outcome --pos-label sick \\
  --score old --score new --cost-fp 1 --cost-fn 20 --html report.html

fastmetrics evaluate scores.parquet --label fraud --score model \\
  --groups customer --by country --missing drop --json > report.json

zcat scores.csv.gz | fastmetrics evaluate - --label sick --score model
"""
COMPARE_EXAMPLES = """
Examples:

fastmetrics compare scores.csv --label sick --score old --score new

fastmetrics compare scores.parquet --label sick --score a --score b --score c \\
  --baseline a --metrics roc_auc,brier_score --groups patient
"""
DEMO_EXAMPLES = """
Examples:

fastmetrics demo

fastmetrics demo --html report.html
"""

application = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
application.command(epilog=EXAMPLE)(simulate)


@application.callback(invoke_without_command=True)
def root(context: typer.Context, version: options.Version = False) -> None:
    """Metrics of scoring models, with bootstrap intervals.

    Exit codes: 0 success, 1 a mistake, 2 a metric is undefined.
    """
    if version:
        typer.echo(f"fastmetrics {fastmetrics.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@application.command()
def warmup() -> None:
    """Compile everything now, so that no later call waits for the compiler."""
    started = time.perf_counter()
    fastmetrics.warmup()
    typer.echo(f"compiled in {time.perf_counter() - started:.1f} s")


@application.command(epilog=EVALUATE_EXAMPLES)
def evaluate(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.Positive = None,
    groups: options.Groups = None,
    strata: options.Strata = None,
    weight: options.Weight = None,
    by: options.By = None,
    folds: options.Folds = None,
    missing: options.MissingRows = options.Missing.RAISE,
    metrics: options.Metrics = None,
    baseline: options.Baseline = None,
    margin: options.Margin = None,
    threshold: options.Threshold = None,
    cost_fp: options.CostFp = None,
    cost_fn: options.CostFn = None,
    method: options.Method = None,
    n_resamples: options.NResamples = 2000,
    confidence_level: options.ConfidenceLevel = 0.95,
    resampling: options.Law = options.Resampling.MULTINOMIAL,
    seed: options.Seed = 0,
    n_jobs: options.NJobs = -1,
    progress: options.Progress = None,
    title: options.Title = None,
    as_json: options.AsJson = False,
    as_markdown: options.AsMarkdown = False,
    html: options.Html = None,
    csv: options.Csv = None,
    figures: options.Figures = None,
    figure_format: options.FigureFormat = options.Format.PNG,
) -> None:
    """Evaluate one model or several, and say what the numbers mean."""
    started = time.perf_counter()
    names = Names(label, score, pos_label, weight, groups, strata, tuple(by or ()), folds)
    with one_line_mistakes(), one_line_warnings():
        check_outputs(html, figures, csv)
        data = read_arguments(file, names, missing=missing is options.Missing.DROP)
        read = time.perf_counter()
        report = fastmetrics.evaluate(
            **data,
            metrics=None if metrics is None else options.metric_names(metrics),
            baseline=baseline,
            margin=margin,
            threshold=options.thresholds(threshold, score),
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            missing=missing.value,
            method=method,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            resampling=resampling.value,
            rng=seed,
            n_jobs=n_jobs,
            progress=options.shows_progress(progress),
            title=title or _title(file, score),
        )
        seconds = {"read": read - started, "evaluate": time.perf_counter() - read}
        write_files(report, html, csv, figures, figure_format.value)
        _print(report, seconds, as_json=as_json, as_markdown=as_markdown)
    if is_undefined(report):
        raise typer.Exit(UNDEFINED)


def _title(file: Path, scores: list[str]) -> str:
    """Return the heading of a report on a file."""
    what = scores[0] if len(scores) == 1 else f"{len(scores)} models"
    return f"Evaluation of {what} on {'standard input' if str(file) == '-' else file.name}"


def _print(report: Any, seconds: dict[str, float], *, as_json: bool, as_markdown: bool) -> None:
    """Print a report in the way that was asked for."""
    if as_json and as_markdown:
        raise ValueError("--json and --markdown both print: give one of them")
    if as_json:
        print_json({**report.to_dict(), "seconds": seconds})
    elif as_markdown:
        typer.echo(report.to_markdown(), nl=False)
    else:
        report.show()
        typer.echo(f"read in {seconds['read']:.2f} s, evaluated in {seconds['evaluate']:.2f} s")


@application.command(epilog=COMPARE_EXAMPLES)
def compare(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.Positive = None,
    groups: options.Groups = None,
    strata: options.Strata = None,
    weight: options.Weight = None,
    by: options.By = None,
    missing: options.MissingRows = options.Missing.RAISE,
    metrics: options.Metrics = None,
    baseline: options.Baseline = None,
    margin: options.Margin = None,
    threshold: options.Threshold = None,
    method: options.Method = None,
    n_resamples: options.NResamples = 2000,
    confidence_level: options.ConfidenceLevel = 0.95,
    resampling: options.Law = options.Resampling.MULTINOMIAL,
    seed: options.Seed = 0,
    n_jobs: options.NJobs = -1,
    progress: options.Progress = None,
    as_json: options.AsJson = False,
    as_markdown: options.AsMarkdown = False,
) -> None:
    """Compare models on the same draws of the same rows."""
    names = Names(label, score, pos_label, weight, groups, strata, tuple(by or ()))
    with one_line_mistakes(), one_line_warnings():
        if len(score) < 2:
            raise ValueError("comparing takes two models or more: give --score twice")
        if as_json and as_markdown:
            raise ValueError("--json and --markdown both print: give one of them")
        data = read_arguments(file, names, missing=missing is options.Missing.DROP)
        kept, dropped = drop_missing(data, missing.value)
        del kept["folds"]
        if dropped.n_dropped:
            say(f"{dropped.n_dropped:,} of {dropped.n_given:,} rows dropped: something is missing")
        comparison = fastmetrics.compare(
            **kept,
            metrics=options.metric_names(metrics or ["roc_auc,average_precision"]),
            baseline=baseline,
            margin=margin,
            threshold=options.thresholds(threshold, score),
            method=method,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            resampling=resampling.value,
            rng=seed,
            n_jobs=n_jobs,
            progress=options.shows_progress(progress),
        )
        if as_json:
            print_json({**comparison.to_dict(), "seed": seed, "n_dropped": dropped.n_dropped})
        elif as_markdown:
            typer.echo(comparison.to_markdown())
        else:
            print_comparison(comparison)
    if any(math.isnan(row["difference"]) for row in comparison.rows() if row["slice"] is None):
        raise typer.Exit(UNDEFINED)


@application.command(epilog=DEMO_EXAMPLES)
def demo(
    html: options.Html = None,
    figures: options.Figures = None,
    n_jobs: options.NJobs = -1,
) -> None:
    """Evaluate two models of the breast-cancer data that come with scikit-learn.

    A test set is held back, thresholds are chosen on out-of-fold probabilities of the rest.
    """
    with one_line_mistakes(), one_line_warnings():
        check_outputs(html, figures, None)
        report = fastmetrics.evaluate(
            **screening_problem(),
            rng=0,
            n_jobs=n_jobs,
            title="Screening for malignant tumours: two models on a held-back test set",
        )
        write_files(report, html, None, figures, "png")
        report.show()
