"""What the commands of the command line do: read, evaluate, print.

Conventions: the options are the Python names (`--seed` for `rng`); data rows count from 1.
"""

from __future__ import annotations

import json
import math
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, cast

import numpy as np
import typer
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.table import Table
from typer import Argument, Option

import fastmetrics
from fastmetrics.cli.files import number_array, positive_array, read_columns

DEFAULT_METRICS = "roc_auc,average_precision"
SUCCESS = 0
MISTAKE = 2
INTERRUPTED = 130
# click, or the copy of it inside typer, is the only place where this class has a public name
WordingError: type[Exception] = typer.BadParameter.__mro__[2]

File = Annotated[Path, Argument(help="CSV, TSV, Parquet or Arrow (Feather) file")]
Label = Annotated[str, Option(help="column of the labels")]
Score = Annotated[str, Option(help="column of the scores, higher for the positive class")]
Positive = Annotated[str | None, Option(help="the label that counts as positive")]
Metrics = Annotated[
    list[str] | None,
    Option(help="names joined by commas; may be given repeatedly", show_default=DEFAULT_METRICS),
]
Method = Annotated[str | None, Option(help="bca, percentile, basic, normal or logit")]
NResamples = Annotated[int, Option(help="bootstrap replicates; 0 for estimates only")]
ConfidenceLevel = Annotated[float, Option(help="as a fraction")]
Threshold = Annotated[float | None, Option(help="flag a row when its score reaches this")]
Strata = Annotated[str | None, Option(help="'class' keeps the numbers of both classes fixed")]
Weight = Annotated[str | None, Option(help="column of sample weights")]
Seed = Annotated[int, Option(min=0, help="the same seed gives the same replicates")]
NJobs = Annotated[int, Option(help="threads, -1 for all cores")]
AsJson = Annotated[bool, Option("--json", help="print one JSON object instead of a table")]
Version = Annotated[bool, Option("--version", help="print the version")]

application = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class Data(NamedTuple):
    """The columns of one call, as the library takes them."""

    y_true: NDArray[np.bool_]
    y_score: NDArray[Any]
    sample_weight: NDArray[Any] | None


class Mistake(Exception):
    """A mistake of the user, explained by one line."""


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; a mistake is one line on standard error."""
    if threading.current_thread() is threading.main_thread():
        # importing polars replaces Python's handler by one that does not wake a waiting thread
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
    try:
        command = typer.main.get_command(application)
        code = command.main(arguments, prog_name="fastmetrics", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Mistake as mistake:
        message = str(mistake)
    except WordingError as error:
        message = cast(Any, error).format_message()
    else:
        return code if isinstance(code, int) else SUCCESS
    sys.stderr.write(f"fastmetrics: {' '.join(message.split())}\n")
    return MISTAKE


@application.callback(invoke_without_command=True)
def root(context: typer.Context, version: Version = False) -> None:
    """Metrics and bootstrap intervals of scoring models."""
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


@application.command()
def evaluate(
    file: File,
    label: Label,
    score: Score,
    positive: Positive = None,
    metrics: Metrics = None,
    method: Method = None,
    n_resamples: NResamples = 2000,
    confidence_level: ConfidenceLevel = 0.95,
    threshold: Threshold = None,
    strata: Strata = None,
    weight: Weight = None,
    seed: Seed = 0,
    n_jobs: NJobs = -1,
    as_json: AsJson = False,
) -> None:
    """Metrics of one score column, each with its bootstrap interval."""
    started = time.perf_counter()
    with one_line_mistakes(), one_line_warnings():
        data = read_data(file, label, score, weight, positive)
        read = time.perf_counter()
        result = fastmetrics.bootstrap(
            data.y_true,
            data.y_score,
            metrics=metric_names(metrics or [DEFAULT_METRICS]),
            method=method,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            threshold=threshold,
            sample_weight=data.sample_weight,
            strata=checked_strata(strata),
            rng=seed,
            n_jobs=n_jobs,
            progress=sys.stderr.isatty(),
        )
        described = result.to_dict()
        described["seconds"] = {"read": read - started, "evaluate": time.perf_counter() - read}
    if as_json:
        print_json(described)
    else:
        print_table(described)


@contextmanager
def one_line_mistakes() -> Iterator[None]:
    """Turn the library's errors about its arguments into a `Mistake`."""
    try:
        yield
    except KeyError as error:
        raise Mistake(str(error.args[0] if error.args else error)) from error
    except (ValueError, TypeError, NotImplementedError, OSError) as error:
        raise Mistake(str(error)) from error


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show warnings as lines on standard error, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (UserWarning, RuntimeWarning):
            warnings.simplefilter("always", category)
        try:
            yield
        finally:
            for text in dict.fromkeys(" ".join(str(item.message).split()) for item in caught):
                sys.stderr.write(f"warning: {text}\n")


def read_data(file: Path, label: str, score: str, weight: str | None, positive: str | None) -> Data:
    """Read the columns of one call."""
    numbers = [score] if weight is None else [score, weight]
    if label in numbers or weight == score:
        raise ValueError("--label, --score and --weight name the same column")
    frame = read_columns(file, [label], numbers)
    return Data(
        positive_array(frame[label], positive),
        number_array(frame[score]),
        None if weight is None else number_array(frame[weight]),
    )


def metric_names(options: list[str]) -> list[str]:
    """Split the values of --metrics at their commas."""
    names = [name.strip() for option in options for name in option.split(",") if name.strip()]
    if not names:
        raise ValueError(f"--metrics names no metric: give one, --metrics {DEFAULT_METRICS}")
    return names


def checked_strata(strata: str | None) -> Literal["class"] | None:
    """Return --strata, which knows one word."""
    if strata not in (None, "class"):
        raise ValueError(f"--strata {strata}: the only strata here are --strata class")
    return None if strata is None else "class"


def print_table(described: dict[str, Any]) -> None:
    """Print one row per metric, and below it what the numbers rest on."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("metric", no_wrap=True)
    table.add_column("estimate", justify="right", no_wrap=True)
    resampled = described["n_resamples"] > 0
    if resampled:
        level = f"{100 * described['confidence_level']:g} % CI"
        for heading in (level, "SE", "undefined"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("method", no_wrap=True)
    for entry in described["entries"]:
        table.add_row(*cells(entry)[: len(table.columns)])
    console = Console(highlight=False, markup=False)
    # a line that wraps can be read, a number that is cut cannot
    console.width = max(console.width, Console(width=1000).measure(table).maximum)
    console.print(table)
    for line in footer(described):
        console.print(line, soft_wrap=True)


def cells(entry: dict[str, Any]) -> list[str]:
    """Return what the table shows of one metric."""
    show = f"{{:.{decimals(entry['standard_error'])}f}}".format
    return [
        entry["metric"],
        show(entry["estimate"]),
        f"{show(entry['low'])} to {show(entry['high'])}",
        show(entry["standard_error"]),
        f"{entry['n_undefined']:,}",
        entry["method"],
    ]


def decimals(standard_error: float) -> int:
    """Return how many decimals show two digits of the standard error, four at least."""
    if not (math.isfinite(standard_error) and standard_error > 0):
        return 4
    return min(max(4, 1 - math.floor(math.log10(standard_error))), 12)


def footer(described: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that say what the numbers rest on."""
    size = f"{described['n_rows']:,} rows, {described['n_positive']:,} positive"
    if described["n_resamples"] > 0:
        law = described["resampling"] + (" by class" if described["strata"] else "")
        yield f"{size}, {described['n_resamples']:,} {law} resamples, seed {described['seed']}"
        errors = [
            f"{entry['metric']} {' and '.join(f'{x:.1g}' for x in entry['monte_carlo_error'])}"
            for entry in described["entries"]
        ]
        yield f"Monte-Carlo error of the limits: {', '.join(errors)}"
    else:
        yield f"{size}, no resamples"
    seconds = described["seconds"]
    yield f"read in {seconds['read']:.2f} s, evaluated in {seconds['evaluate']:.2f} s"


def print_json(described: dict[str, Any]) -> None:
    """Print everything as one JSON object; what is undefined is null."""
    typer.echo(json.dumps(plain(described), indent=2, allow_nan=False, ensure_ascii=False))


def plain(value: Any) -> Any:
    """Return a value in the types that JSON has."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
