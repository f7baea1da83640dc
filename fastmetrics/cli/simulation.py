"""The command ``fastmetrics simulate``: metrics of a binormal model over prevalences.

Conventions: one ``--prevalence`` may be followed by several numbers, as the words that are left
over are prevalences, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

import fastmetrics
from fastmetrics.cli import options
from fastmetrics.cli.mistakes import one_line_mistakes, one_line_warnings
from fastmetrics.cli.output import print_json, say

FIGURE = Path("prevalence_study.png")
DEFAULT_PREVALENCE = (0.5, 0.1, 0.01)
MODEL, DATA_SETS = "Model", "Data sets"
EXAMPLE = """
Examples:

fastmetrics simulate --separation 2 --prevalence 0.5 0.1 0.01 0.001 \\
  --n-negative 20000 --n-datasets 1000

fastmetrics simulate --scale 2 --threshold 3 --prevalence 0.0001 \\
  --n-negative 1000000000 --metrics roc_auc,average_precision,precision
"""

More = Annotated[
    list[float] | None,
    Argument(help="more prevalences", metavar="PREVALENCE", show_default=False),
]
Separation = Annotated[
    float, Option(help="mean score of the positives; negatives have 0", rich_help_panel=MODEL)
]
Scale = Annotated[
    float,
    Option(help="standard deviation of the positives; negatives have 1", rich_help_panel=MODEL),
]
Prevalence = Annotated[
    list[float] | None,
    Option(
        help="shares of positives, as fractions",
        show_default="0.5 0.1 0.01",
        rich_help_panel=DATA_SETS,
    ),
]
NNegative = Annotated[
    int, Option(help="negative rows of every data set", rich_help_panel=DATA_SETS)
]
NDatasets = Annotated[int, Option(help="data sets per prevalence", rich_help_panel=DATA_SETS)]
Seed = Annotated[
    int, Option(min=0, help="the same seed gives the same data sets", rich_help_panel=DATA_SETS)
]
NJobs = Annotated[int, Option(help="threads, -1 for all cores", rich_help_panel=DATA_SETS)]
Threshold = Annotated[
    float | None,
    Option(
        help="flag a row when its score reaches this",
        show_default="half the separation",
        rich_help_panel=options.JUDGED,
    ),
]
Figure = Annotated[
    Path, Option(help="draw it here: .png, .svg or .pdf", rich_help_panel=options.OUTPUT)
]
NoFigure = Annotated[
    bool, Option("--no-figure", help="draw nothing", rich_help_panel=options.OUTPUT)
]


def simulate(
    more: More = None,
    separation: Separation = 2.0,
    scale: Scale = 1.0,
    prevalence: Prevalence = None,
    n_negative: NNegative = 20_000,
    n_datasets: NDatasets = 1_000,
    seed: Seed = 0,
    n_jobs: NJobs = -1,
    metrics: options.Metrics = None,
    threshold: Threshold = None,
    figure: Figure = FIGURE,
    no_figure: NoFigure = False,
    as_json: options.AsJson = False,
    as_markdown: options.AsMarkdown = False,
) -> None:
    """Compute metrics of a model whose truth is known, its positives common and rare."""
    with one_line_mistakes(), one_line_warnings():
        if as_json and as_markdown:
            raise ValueError("--json and --markdown both print: give one of them")
        chosen = {} if metrics is None else {"metrics": options.metric_names(metrics)}
        study = fastmetrics.simulation.prevalence_study(
            fastmetrics.simulation.Binormal(separation, scale),
            prevalence=[*(prevalence or []), *(more or [])] or DEFAULT_PREVALENCE,
            n_negative=n_negative,
            n_datasets=n_datasets,
            threshold=separation / 2.0 if threshold is None else threshold,
            rng=seed,
            n_jobs=n_jobs,
            **chosen,
        )
        if as_json:
            print_json(study.to_dict())
        else:
            typer.echo(study.to_markdown() if as_markdown else repr(study))
        if not no_figure:
            _draw(study, figure)


def _draw(study: Any, file: Path) -> None:
    """Write the figure; without matplotlib, say so and leave it out."""
    try:
        from matplotlib.figure import Figure as FigureClass
    except ModuleNotFoundError:
        say("no figure: it needs matplotlib, pip install 'fastmetrics-engine[report]'")
        return
    drawn = FigureClass(figsize=(7.0, 5.0), layout="constrained")
    study.plot(drawn.subplots())
    drawn.savefig(file, dpi=150)
    say(f"figure: {file}")
