"""The page on coverage, from the numbers of ``coverage.json``.

Conventions
-----------
Every sentence that the numbers might refute is checked against them before it is written.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import fastmetrics as fm
from fastmetrics.tables import markdown_table

PROMISED = 0.95
NAMES = {"bca": "BCa", "delong": "DeLong"}
METRICS = {
    "roc_auc": "AUC",
    "average_precision": "Average precision",
    "f1": "F1",
    "ece": "Expected calibration error of calibrated probabilities",
    "ece_off": "Expected calibration error of probabilities that are off",
}
# fewer data sets are no judge of a sentence
ENOUGH_DATASETS = 1_000

Row = dict[str, Any]


def page(results: dict[str, Any]) -> str:
    """Return the page."""
    table = Results(results["rows"])
    sections = [INTRODUCTION.format(**results), long_section(results)]
    for metric, title in METRICS.items():
        sections.append(f"## {title}\n\n{table.coverage_table(metric)}")
        sections.append(table.width_table(metric))
        sections.append("\n".join(wrapped(f"- {line}", "  ") for line in table.in_words(metric)))
        sections += checked(metric, table, results["n_datasets"])
    sections += ["## What to take from it", *checked("all", table, results["n_datasets"])]
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
        self.settings = sorted(
            {(row["n"], row["prevalence"]) for row in rows}, key=lambda key: (key[0], -key[1])
        )

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
            for n, prevalence in self.settings
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
        return float(np.mean([abs(row["coverage"] - PROMISED) for row in self.of(metric, method)]))


def wrapped(text: str, indent: str = "") -> str:
    """Text in lines of the width of the other pages."""
    return textwrap.fill(text, 100, subsequent_indent=indent, break_on_hyphens=False)


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
expected calibration error (ECE) has ten bins of equal width, and is taken of probabilities that are
calibrated at the share of the positives, and of some that assume {assumed:g} % wherever they are.

Each coverage comes from {n_datasets:,} data sets; after ± stands its binomial standard error. Bold
are those that chance does not explain (at 99 %)."""

LONG = """## One setting at length

200 rows, 60 of them positive, true AUC {truth:.4f}; {n_datasets:,} data sets x {n_resamples:,}
resamples:

{table}

It took {seconds:.1f} s on one thread, {per:.2f} ms per data set."""

ENDING = """## How it was run

    python -m benchmarks.coverage

on {day}, in {seconds:,.0f} s, on {machine}.
The numbers are in `benchmarks/coverage.json`; the same seed gives the same ones on any number of
threads."""

Claim = tuple[Callable[[Results], bool], str]


def misses_high(metric: str, *methods: str) -> Callable[[Results], bool]:
    """Whether intervals begin above the truth more often than they end below it, everywhere."""
    return lambda table: all(
        row["too_high"] > row["too_low"] for method in methods for row in table.of(metric, method)
    )


def kept(metric: str, method: str, n: int) -> Callable[[Results], bool]:
    """Whether a method keeps its promise from a number of rows on."""
    return lambda table: all(
        row["verdict"] != "too seldom" for row in table.of(metric, method) if row["n"] >= n
    )


def within(metric: str, method: str, low: float, high: float) -> Callable[[Results], bool]:
    """Whether all coverages lie between two shares."""
    return lambda table: all(low <= row["coverage"] <= high for row in table.of(metric, method))


def worst(metric: str, method: str) -> Callable[[Results], bool]:
    """Whether a method covers least in every setting."""
    return lambda table: all(
        row["coverage"] <= table.rows[metric, row["n"], row["prevalence"], other]["coverage"]
        for row in table.of(metric, method)
        for other in table.methods(metric)
    )


def nothing_holds(metric: str, n: int, *prevalences: float) -> Callable[[Results], bool]:
    """Whether all methods miss too often at a number of rows."""
    return lambda table: all(
        table.rows[metric, n, prevalence, method]["verdict"] == "too seldom"
        for prevalence in prevalences
        for method in table.methods(metric)
    )


def closer(metric: str, method: str, *others: str) -> Callable[[Results], bool]:
    """Whether a method is no further from its promise than others, by a tenth of a point."""
    return lambda table: all(
        table.distance(metric, method) <= table.distance(metric, other) + 0.001 for other in others
    )


def reaches(metric: str, method: str, n: int, least: float) -> Callable[[Results], bool]:
    """Whether a method covers at least a share from a number of rows on."""
    return lambda table: all(
        row["coverage"] >= least for row in table.of(metric, method) if row["n"] >= n
    )


def too_high(metric: str) -> Callable[[Results], bool]:
    """Whether estimates are too high on average, most with the fewest positives."""

    def holds(table: Results) -> bool:
        rows = sorted(table.of(metric, "bca"), key=lambda row: row["n"] * row["prevalence"])
        excess = [row["mean_estimate"] - row["truth"] for row in rows]
        return min(excess) > 0.0 and excess[0] == max(excess)

    return holds


def is_default(metric: str, method: str) -> Callable[[Results], bool]:
    """Whether a method is the metric's own."""
    return lambda table: fm.metric(metric).default_interval == method


def always_above(table: Results) -> bool:
    """Whether the mean estimate of the ECE of calibrated probabilities is far above the truth."""
    return all(row["mean_estimate"] > 0.01 > 0.001 > row["truth"] for row in table.of("ece", "bca"))


CLAIMS: dict[str, list[Claim]] = {
    "roc_auc": [
        (
            misses_high("roc_auc", "percentile", "basic"),
            "Percentile and basic intervals begin above the truth more often than they end below "
            "it: the AUC is skewed, more so near 1, and neither makes up for it.",
        ),
        (worst("roc_auc", "basic"), "Basic intervals mirror the skew, and are the worst of all."),
        (kept("roc_auc", "bca", 200), "BCa, logit and DeLong do well from 200 rows on."),
        (kept("roc_auc", "logit", 200), ""),
        (kept("roc_auc", "delong", 200), ""),
        (
            nothing_holds("roc_auc", 50, 0.1),
            "With five positives or so, no method holds what it promises.",
        ),
    ],
    "average_precision": [
        (
            worst("average_precision", "basic"),
            "Basic intervals are the worst in every setting, the more so the fewer positives "
            "there are.",
        ),
        (
            kept("average_precision", "bca", 1_000),
            "BCa intervals keep their promise with 1,000 rows, and are short of it by two points "
            "at most with 200.",
        ),
        (reaches("average_precision", "bca", 200, PROMISED - 0.02), ""),
        (
            too_high("average_precision"),
            "The fewer positives, the further the estimate itself lies above the truth on average.",
        ),
    ],
    "f1": [
        (kept("f1", "bca", 50), "BCa and logit intervals cover what they promise, or more."),
        (kept("f1", "logit", 50), ""),
        (
            kept("f1", "percentile", 200),
            "From 200 rows on, percentile intervals do as well.",
        ),
    ],
    "ece": [
        (
            always_above,
            "The truth is 0. An estimate is a mean of gaps without sign, always above 0, and the "
            "gaps of a replicate are larger still.",
        ),
        (
            within("ece", "percentile", 0.0, 0.01),
            "So percentile, BCa and logit intervals never hold the truth.",
        ),
        (within("ece", "bca", 0.0, 0.01), ""),
        (within("ece", "logit", 0.0, 0.01), ""),
        (
            within("ece", "basic", 0.3, 0.75),
            "Basic intervals, the default for this metric, subtract the bias of the replicates and "
            "are cut off at 0; they hold it in a third to two thirds of the data sets. No interval "
            "of an ECE that may be 0 is to be trusted: look at the reliability diagram.",
        ),
    ],
    "ece_off": [
        (
            nothing_holds("ece_off", 50, 0.5, 0.1),
            "With 50 rows the estimate is biased by chance gaps, and no method holds what it "
            "promises.",
        ),
        (kept("ece_off", "percentile", 1_000), "With 1,000 rows all do."),
        (kept("ece_off", "basic", 1_000), ""),
        (kept("ece_off", "bca", 1_000), ""),
        (kept("ece_off", "logit", 1_000), ""),
    ],
    "all": [
        (
            closer("roc_auc", "bca", "percentile", "basic"),
            "BCa, the default for AUC, average precision and F1, is nearer to its promise than the "
            "percentile and the basic interval, or as near.",
        ),
        (closer("average_precision", "bca", "percentile", "basic"), ""),
        (closer("f1", "bca", "percentile", "basic"), ""),
        (is_default("roc_auc", "bca"), ""),
        (is_default("average_precision", "bca"), ""),
        (is_default("f1", "bca"), ""),
        (is_default("ece", "basic"), ""),
        (
            nothing_holds("roc_auc", 50, 0.1),
            "It is the number of positives that counts, not that of the rows: with five, expect "
            "less than is promised, whatever the method. For an AUC alone, DeLong is as good and "
            "needs no resamples.",
        ),
        (closer("roc_auc", "delong", "bca", "percentile", "basic"), ""),
    ],
}


def checked(metric: str, table: Results, n_datasets: int) -> list[str]:
    """Return what is said of a metric, after a check that it is so.

    Raises
    ------
    ValueError
        The numbers refute a sentence; few data sets are no judge of it.
    """
    said = []
    for holds, sentence in CLAIMS.get(metric, []):
        if n_datasets >= ENOUGH_DATASETS and not holds(table):
            raise ValueError(f"{metric}: the numbers refute this sentence: {sentence}")
        said.append(sentence)
    return [wrapped(" ".join(filter(None, said)))] if said else []
