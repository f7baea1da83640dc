"""The options of the commands, which are the Python names (`--seed` for `rng`)."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

DATA, JUDGED, DRAWS, OUTPUT = "Data", "Evaluation", "Intervals", "Output"


class Missing(StrEnum):
    """What to do about rows in which something is missing."""

    RAISE = "raise"
    DROP = "drop"


class Resampling(StrEnum):
    """Law of the draws."""

    MULTINOMIAL = "multinomial"
    POISSON = "poisson"
    BAYESIAN = "bayesian"


class Format(StrEnum):
    """Of figures."""

    PNG = "png"
    SVG = "svg"


File = Annotated[
    Path, Argument(help="CSV, TSV, Parquet or Arrow (Feather) file; - reads CSV from stdin")
]
Label = Annotated[str, Option(help="column of the labels", rich_help_panel=DATA)]
Scores = Annotated[
    list[str],
    Option(
        "--score",
        help="column of the scores, higher for the positive class; repeat it for more models",
        rich_help_panel=DATA,
    ),
]
Positive = Annotated[
    str | None,
    Option(
        "--pos-label", "--positive", help="the label that counts as positive", rich_help_panel=DATA
    ),
]
Groups = Annotated[str | None, Option(help="column of clusters, drawn whole", rich_help_panel=DATA)]
Strata = Annotated[
    str | None,
    Option(help="'class', or a column: every stratum keeps its size", rich_help_panel=DATA),
]
Weight = Annotated[str | None, Option(help="column of sample weights", rich_help_panel=DATA)]
By = Annotated[
    list[str] | None, Option(help="column of slices; may be repeated", rich_help_panel=DATA)
]
Folds = Annotated[
    str | None, Option(help="column with the fold that tested the row", rich_help_panel=DATA)
]
MissingRows = Annotated[
    Missing,
    Option(
        "--missing",
        help="drop leaves rows with missing entries out of all models",
        rich_help_panel=DATA,
    ),
]
Metrics = Annotated[
    list[str] | None,
    Option(
        "--metrics",
        "--metric",
        help="names joined by commas; may be repeated; by default all that apply",
        show_default=False,
        rich_help_panel=JUDGED,
    ),
]
Baseline = Annotated[
    str | None, Option(help="the model that all others are compared with", rich_help_panel=JUDGED)
]
Margin = Annotated[
    float | None, Option(help="the largest loss that does not matter", rich_help_panel=JUDGED)
]
Threshold = Annotated[
    list[str] | None,
    Option(
        help="flag a row when its score reaches this number; MODEL=NUMBER for one of several "
        "models; or a metric, as f1, to search the best one",
        rich_help_panel=JUDGED,
    ),
]
CostFp = Annotated[float | None, Option(help="cost of a false alarm", rich_help_panel=JUDGED)]
CostFn = Annotated[float | None, Option(help="cost of a miss", rich_help_panel=JUDGED)]
Method = Annotated[
    str | None,
    Option(
        help="bca, percentile, basic, normal, logit or studentized; by default the metric's own",
        rich_help_panel=DRAWS,
    ),
]
NResamples = Annotated[
    int, Option(help="bootstrap replicates; 0 for estimates only", rich_help_panel=DRAWS)
]
ConfidenceLevel = Annotated[
    float, Option("--confidence-level", "--level", help="as a fraction", rich_help_panel=DRAWS)
]
Law = Annotated[Resampling, Option("--resampling", rich_help_panel=DRAWS)]
Seed = Annotated[
    int, Option(min=0, help="the same seed gives the same replicates", rich_help_panel=DRAWS)
]
NJobs = Annotated[int, Option(help="threads, -1 for all cores", rich_help_panel=DRAWS)]
Progress = Annotated[
    bool | None,
    Option(
        "--progress/--no-progress",
        help="progress bars on standard error; by default where it is a terminal",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Title = Annotated[str | None, Option(help="heading of the report", rich_help_panel=OUTPUT)]
AsJson = Annotated[
    bool, Option("--json", help="print one JSON object instead of tables", rich_help_panel=OUTPUT)
]
AsMarkdown = Annotated[
    bool, Option("--markdown", help="print Markdown instead of tables", rich_help_panel=OUTPUT)
]
Html = Annotated[
    Path | None, Option(help="write the report with its figures here", rich_help_panel=OUTPUT)
]
Csv = Annotated[
    Path | None, Option(help="write the tables into this folder", rich_help_panel=OUTPUT)
]
Figures = Annotated[
    Path | None, Option(help="draw the figures into this folder", rich_help_panel=OUTPUT)
]
FigureFormat = Annotated[
    Format, Option("--format", help="of the figures in the folder", rich_help_panel=OUTPUT)
]
Version = Annotated[bool, Option("--version", help="print the version")]


def metric_names(options: list[str]) -> list[str]:
    """Split the values of --metrics at their commas."""
    names = [name.strip() for option in options for name in option.split(",") if name.strip()]
    if not names:
        raise ValueError("--metrics names no metric: give one, --metrics roc_auc,average_precision")
    return names


def thresholds(options: list[str] | None, models: list[str]) -> Any:
    """Return --threshold as `evaluate` takes it: a number, a metric, or numbers by model."""
    if not options:
        return None
    by_model: dict[str, float] = {}
    for option in options:
        model, sign, number = option.rpartition("=")
        if sign and model in models:
            by_model[model] = _number(number)
        elif len(options) > 1:
            raise ValueError(f"--threshold {option}: give several as MODEL=NUMBER")
        else:
            return _number_or_name(option)
    return by_model if len(models) > 1 else next(iter(by_model.values()))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--threshold {text}: give a number") from None


def _number_or_name(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def shows_progress(progress: bool | None) -> bool:
    """Whether progress bars are wanted."""
    return sys.stderr.isatty() if progress is None else progress
