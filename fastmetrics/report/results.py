"""What `evaluate` returns: the parts of a report, and the ways to write it down."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fastmetrics.inference.bootstraps.band_results import CurveBand
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.comparisons.results import ComparisonResult
from fastmetrics.inference.folds.results import FoldScores
from fastmetrics.report.calibration_summary import Calibration
from fastmetrics.report.curves import Draws, bands_of
from fastmetrics.report.data_summary import DataSummary
from fastmetrics.report.finding import Finding
from fastmetrics.report.findings import find
from fastmetrics.report.method_line import Method
from fastmetrics.report.sample import Name, Sample
from fastmetrics.report.thresholds import Thresholds

if TYPE_CHECKING:
    from typing import TextIO


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationReport:
    """An evaluation of one model or several, and what it says.

    Attributes
    ----------
    title : str
        Heading of the report.
    data : DataSummary
        Rows, prevalence, ties, rows that were dropped, slices.
    scores : BootstrapResult
        Every metric with its interval, keyed by model, metric and slice.
    comparison : ComparisonResult or None
        Paired differences of the models, on the draws of ``scores``.
    thresholds : Thresholds or None
        The threshold of each model with its confusion counts, and others beside it.
    calibration : dict
        By model, None where it has no name: Brier score and its terms, ECE, line, bins.
    folds : dict
        By model: FoldScores, per fold, mean over folds, pooled.
    method : Method
        How the intervals came about; ``method.line`` says it.
    left_out : tuple of str
        What could not be computed, and why.

    See Also
    --------
    evaluate : Makes one.
    """

    title: str
    data: DataSummary
    scores: BootstrapResult
    comparison: ComparisonResult | None
    thresholds: Thresholds | None
    calibration: dict[Name, Calibration]
    folds: dict[Name, FoldScores]
    method: Method
    left_out: tuple[str, ...]
    sample: Sample = field(repr=False)
    draws: Draws = field(repr=False)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What the numbers say, in sentences: results, then cautions, then notes."""
        return find(self)

    @cached_property
    def curves(self) -> dict[str, CurveBand]:
        """Curves with pointwise bands, drawn when they are first asked for.

        "roc" and "precision_recall", of probabilities "calibration" and "net_benefit" too.
        """
        return bands_of(self.sample, self.draws)

    def __repr__(self) -> str:
        """Return the whole report as plain text."""
        from fastmetrics.report.plain_text import plain_text

        return plain_text(self)

    def show(self, file: TextIO | None = None) -> None:
        """Print the report: in colours where rich is installed, else as plain text.

        Parameters
        ----------
        file : text stream, optional
            Standard output when left out.
        """
        from fastmetrics.report.terminal import show

        show(self, file)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the report as one HTML page with its figures inside, and write it to a file.

        The page loads nothing from elsewhere, reads well on a phone and in dark mode, and prints.

        Parameters
        ----------
        path : str or Path, optional
            File to write, over what is there.

        Returns
        -------
        str
            The page.

        Raises
        ------
        ModuleNotFoundError
            jinja2 or matplotlib is not installed.
        """
        from fastmetrics.report.page import html_page

        page = html_page(self)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def to_markdown(self) -> str:
        """Return the report as Markdown, without figures."""
        from fastmetrics.report.markdown import markdown_text

        return markdown_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but replicates, in types that JSON knows; undefined is None.

        `fastmetrics/report/schema.json` describes it.
        """
        from fastmetrics.report.plain_data import as_dict

        return as_dict(self)

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return what `to_dict` returns as JSON.

        Parameters
        ----------
        indent : int or None
            Spaces per level; None for one line.
        """
        import json

        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)

    def to_csv(self, folder: str | Path) -> list[Path]:
        """Write the tables as CSV files.

        Parameters
        ----------
        folder : str or Path
            Where they go; made where it is not there.

        Returns
        -------
        list of Path
            The files.

        Notes
        -----
        Text that a spreadsheet would take for a formula begins with an apostrophe.
        """
        from fastmetrics.report.csv_files import write_csv

        return write_csv(self, Path(folder))

    def figures(self, folder: str | Path, format: Literal["png", "svg"] = "png") -> list[Path]:
        """Draw every figure into a file of its own.

        Parameters
        ----------
        folder : str or Path
            Where they go; made where it is not there.
        format : {"png", "svg"}
            Of the files.

        Returns
        -------
        list of Path
            The files.

        Raises
        ------
        ModuleNotFoundError
            matplotlib is not installed.
        """
        from fastmetrics.report.figure_files import write_figures

        return write_figures(self, Path(folder), format)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle with the data, which the figures need, and without their sorts."""
        return {**self.__dict__, "sample": replace(self.sample, _sweeps={})}
