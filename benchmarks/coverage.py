"""How often intervals hold the truth: ``python -m benchmarks.coverage`` writes docs/coverage.md.

Conventions
-----------
The studies take minutes and go to ``coverage.json``; the page is written from that file alone, with
``--page-only`` without running anything. Every sentence of the page that the numbers might refute
is checked against them before it is written.
"""

from __future__ import annotations

import argparse
import datetime
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import fastmetrics as fm
from benchmarks.lines import report_progress
from benchmarks.machine import this_machine
from benchmarks.timing import ROOT
from fastmetrics.tables import markdown_table

RESULTS = ROOT / "benchmarks" / "coverage.json"
PAGE = ROOT / "docs" / "coverage.md"
SEED = 0
SEPARATION = 1.5
SIZES = (50, 200, 1_000)
PREVALENCES = (0.5, 0.1)
RESAMPLED = ("percentile", "basic", "bca", "logit")
NAMES = {"bca": "BCa", "delong": "DeLong"}
METRICS = {
    "roc_auc": "AUC",
    "average_precision": "Average precision",
    "f1": "F1",
    "ece": "Expected calibration error",
}
LONG_METHODS = (*RESAMPLED, "normal", "delong")

Row = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the studies, or read their results, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-datasets", type=int, default=2_000)
    parser.add_argument("--n-resamples", type=int, default=2_000)
    parser.add_argument("--long", type=int, default=10_000, help="data sets of the one setting")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="rows of a data set")
    parser.add_argument("--n-jobs", type=int, default=-1)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--page-only", action="store_true", help="run nothing")
    options = parser.parse_args(arguments)
    if not options.page_only:
        found = run(options)
        options.results.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    results = json.loads(options.results.read_text(encoding="utf-8"))
    options.page.write_text(page(results), encoding="utf-8")
    return 0


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Run all studies."""
    start = time.perf_counter()
    rows = []
    for n in options.sizes:
        for prevalence in PREVALENCES:
            rows += list(run_setting(n, prevalence, options))
            report_progress(f"{n} rows, {prevalence:g}: {time.perf_counter() - start:,.0f} s")
    return {
        "day": datetime.date.today().isoformat(),
        "machine": this_machine().describe(),
        "n_datasets": options.n_datasets,
        "n_resamples": options.n_resamples,
        "seconds": time.perf_counter() - start,
        "rows": rows,
        "long": run_long(options),
    }


def run_setting(n: int, prevalence: float, options: argparse.Namespace) -> Iterator[Row]:
    """Coverage of all metrics at one size and prevalence."""
    model = fm.simulation.Binormal(SEPARATION)
    sizes = {"n_positive": round(n * prevalence), "n_negative": n - round(n * prevalence)}
    asked: list[tuple[Any, list[str], Sequence[str]]] = [
        (model, ["roc_auc", "average_precision", "f1"], (*RESAMPLED, "delong")),
        (model.calibrated(prevalence), ["ece"], RESAMPLED),
    ]
    for drawn, metrics, methods in asked:
        study = fm.simulation.coverage_study(
            drawn,
            **sizes,
            class_sizes="random",
            n_datasets=options.n_datasets,
            n_resamples=options.n_resamples,
            metrics=metrics,
            methods=methods,
            threshold=SEPARATION / 2,
            rng=SEED,
            n_jobs=options.n_jobs,
        )
        for row in study.rows():
            yield {"n": n, "prevalence": prevalence, **row}


def run_long(options: argparse.Namespace) -> dict[str, Any]:
    """200 rows, 60 of them positive, on very many data sets; and the time on one thread."""
    start = time.perf_counter()
    study = fm.simulation.coverage_study(
        fm.simulation.Binormal(SEPARATION),
        n_positive=60,
        n_negative=140,
        n_datasets=options.long,
        n_resamples=options.n_resamples,
        methods=LONG_METHODS,
        rng=SEED,
        n_jobs=1,
    )
    seconds = time.perf_counter() - start
    return {"n_datasets": options.long, "seconds": seconds, "rows": study.rows()}


def page(results: dict[str, Any]) -> str:
    """Return the page."""
    table = Results(results["rows"])
    sections = [INTRODUCTION.format(**results), long_section(results)]
    for metric, title in METRICS.items():
        sections.append(f"## {title}\n\n{table.coverage_table(metric)}")
        sections.append(table.width_table(metric))
        sections.append("\n".join(f"- {line}" for line in table.in_words(metric)))
        sections += checked(metric, table, results["n_datasets"])
    sections.append(ENDING.format(**results))
    return "\n\n".join(sections) + "\n"


class Results:
    """Rows of all studies, by metric, size, prevalence and method.

    Parameters
    ----------
    rows : of the studies
    """

    def __init__(self, rows: list[Row]) -> None:
        self.rows = {
            (row["metric"], row["n"], row["prevalence"], row["method"]): row for row in rows
        }
        self.sizes = sorted({row["n"] for row in rows})

    def methods(self, metric: str) -> list[str]:
        """Methods of a metric, in the order of the table."""
        return list(dict.fromkeys(key[3] for key in self.rows if key[0] == metric))

    def of(self, metric: str, method: str) -> list[Row]:
        """Rows of a metric by a method."""
        return [row for key, row in self.rows.items() if (key[0], key[3]) == (metric, method)]

    def _table(self, metric: str, cell: Callable[[Row], str]) -> str:
        """Return a table with a line per setting and a column per method."""
        methods = self.methods(metric)
        header = ["rows", "positive", *(NAMES.get(method, method) for method in methods)]
        lines = [
            [
                f"{n:,}",
                f"{100 * prevalence:g} %",
                *(cell(self.rows[metric, n, prevalence, method]) for method in methods),
            ]
            for n in self.sizes
            for prevalence in PREVALENCES
        ]
        return markdown_table(header, lines)

    def coverage_table(self, metric: str) -> str:
        """Coverage in per cent with its binomial error."""
        return f"Coverage in per cent:\n\n{self._table(metric, coverage_cell)}"

    def width_table(self, metric: str) -> str:
        """Mean width, and the misses on either side in per cent."""
        words = "Mean width, and in brackets the per cent that end too low and begin too high:"
        return f"{words}\n\n{self._table(metric, width_cell)}"

    def in_words(self, metric: str) -> Iterator[str]:
        """How each method did, those that stay closest to their promise first."""
        methods = sorted(self.methods(metric), key=lambda method: self.distance(metric, method))
        for method in methods:
            rows = self.of(metric, method)
            worst = min(rows, key=lambda row: row["coverage"])
            kept = sum(row["verdict"] == "as promised" for row in rows)
            seldom = sum(row["verdict"] == "too seldom" for row in rows)
            more = len(rows) - kept - seldom
            verdicts = [f"as promised in {kept} of {len(rows)} settings"]
            verdicts += [f"too seldom in {seldom}"] if seldom else []
            verdicts += [f"more often than promised in {more}"] if more else []
            yield (
                f"**{NAMES.get(method, method)}** holds the truth {', '.join(verdicts)}; at worst "
                f"in {100 * worst['coverage']:.1f} % ({worst['n']:,} rows, "
                f"{100 * worst['prevalence']:g} % positive). On average it is "
                f"{100 * self.distance(metric, method):.1f} points off."
            )

    def distance(self, metric: str, method: str) -> float:
        """Mean distance of the coverages from the promise."""
        return float(np.mean([abs(row["coverage"] - 0.95) for row in self.of(metric, method)]))

    def coverage(self, metric: str, method: str, n: int, prevalence: float) -> float:
        """A coverage."""
        found: float = self.rows[metric, n, prevalence, method]["coverage"]
        return found


def coverage_cell(row: Row) -> str:
    """Coverage with its error, bold where chance does not explain the distance."""
    share = f"{100 * row['coverage']:.1f}"
    shown = share if row["verdict"] == "as promised" else f"**{share}**"
    return f"{shown} ± {100 * row['coverage_error']:.1f}"


def width_cell(row: Row) -> str:
    """Width and misses."""
    low, high = 100 * row["too_low"], 100 * row["too_high"]
    return f"{row['mean_width']:.3f} ({low:.1f}, {high:.1f})"


def long_section(results: dict[str, Any]) -> str:
    """The section on one setting with very many data sets."""
    long = results["long"]
    header = ["method", "coverage", "too low", "too high", "mean width"]
    lines = [
        [
            NAMES.get(row["method"], row["method"]),
            f"{100 * row['coverage']:.2f} ± {100 * row['coverage_error']:.2f} %",
            f"{100 * row['too_low']:.2f} %",
            f"{100 * row['too_high']:.2f} %",
            f"{row['mean_width']:.4f}",
        ]
        for row in long["rows"]
    ]
    return LONG.format(
        table=markdown_table(header, lines),
        truth=long["rows"][0]["truth"],
        n_datasets=long["n_datasets"],
        n_resamples=results["n_resamples"],
        seconds=long["seconds"],
        per=1e3 * long["seconds"] / long["n_datasets"],
    )


INTRODUCTION = """# Coverage

<!-- written by `python -m benchmarks.coverage`: edit that program -->

A 95 % interval should hold the truth in 95 of 100 data sets. Where the truth is known, that can be
counted: data sets are drawn from a model, each is bootstrapped, and the intervals are compared with
the true value. [`coverage_study`][fastmetrics.simulation.coverage_study] does it for any model,
metric and method; the tables below are made with it.

Scores are binormal, the classes 1.5 standard deviations apart. Every data set has the stated number
of rows, and as many positives as chance gives it at the stated share. Rows are resampled
{n_resamples:,} times, without strata. F1 flags from the point halfway between the classes on. The
expected calibration error is that of calibrated probabilities, in ten bins of equal width.

Each coverage comes from {n_datasets:,} data sets; after ± stands its binomial standard error. Bold
are those that chance does not explain (at 99 %)."""

LONG = """## One setting at length

200 rows, 60 of them positive, true AUC {truth:.4f}; {n_datasets:,} data sets x {n_resamples:,}
resamples:

{table}

It took {seconds:.1f} s on one thread, {per:.2f} ms per data set."""

ENDING = """## How it was run

    python -m benchmarks.coverage

on {day}, in {seconds:,.0f} s: {machine}. The numbers are in
`benchmarks/coverage.json`; the same seed gives the same ones on any number of threads."""

Claim = tuple[Callable[[Results], bool], str]
CLAIMS: dict[str, list[Claim]] = {}


def checked(metric: str, table: Results, n_datasets: int) -> list[str]:
    """Return what is said of a metric, after a check that it is so.

    Raises
    ------
    ValueError
        The numbers refute a sentence; few data sets are no judge of it.
    """
    said = []
    for holds, sentence in CLAIMS.get(metric, []):
        if n_datasets >= 1_000 and not holds(table):
            raise ValueError(f"{metric}: the numbers refute this sentence: {sentence}")
        said.append(sentence)
    return [" ".join(said)] if said else []


if __name__ == "__main__":
    raise SystemExit(main())
