"""How often intervals hold the truth: ``python -m benchmarks.coverage`` writes docs/coverage.md.

Conventions
-----------
The studies take minutes and go to ``coverage.json``; the page is written from that file alone, with
``--page-only`` without running anything.
"""

from __future__ import annotations

import argparse
import datetime
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import fastmetrics as fm
from benchmarks.coverage_page import Row, page
from benchmarks.lines import report_progress
from benchmarks.machine import this_machine
from benchmarks.timing import ROOT

RESULTS = ROOT / "benchmarks" / "coverage.json"
PAGE = ROOT / "docs" / "coverage.md"
SEED = 0
SEPARATION = 1.5
SIZES = (50, 200, 1_000)
PREVALENCES = (0.5, 0.1)
RESAMPLED = ("percentile", "basic", "bca", "logit")
# the probabilities that are off assume this share of positives
ASSUMED = 0.25
LONG_METHODS = (*RESAMPLED, "normal", "delong")


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
        "machine": machine(),
        "assumed": 100 * ASSUMED,
        "n_datasets": options.n_datasets,
        "n_resamples": options.n_resamples,
        "seconds": time.perf_counter() - start,
        "rows": rows,
        "long": run_long(options),
    }


def machine() -> str:
    """Describe the machine and what the numbers depend on."""
    here = this_machine()
    versions = [f"{name} {here.versions[name]}" for name in ("Python", "numpy", "numba")]
    return f"{here.processor}, {here.cores} cores, with {', '.join(versions)}"


def run_setting(n: int, prevalence: float, options: argparse.Namespace) -> Iterator[Row]:
    """Coverage of all metrics at one size and prevalence."""
    model = fm.simulation.Binormal(SEPARATION)
    sizes = {"n_positive": round(n * prevalence), "n_negative": n - round(n * prevalence)}
    asked: list[tuple[Any, Any, Sequence[str]]] = [
        (model, ["roc_auc", "average_precision", "f1"], (*RESAMPLED, "delong")),
        (model.calibrated(prevalence), "ece", RESAMPLED),
        (model.calibrated(ASSUMED), fm.metric("ece", name="ece_off"), RESAMPLED),
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


if __name__ == "__main__":
    raise SystemExit(main())
