"""Results of cross validation: each metric per fold, as the mean over folds, and pooled.

Conventions
-----------
The mean over folds leaves folds out in which the metric is undefined, or counts them as the number
that the call named. Pooled is the metric of all tested rows as one problem.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError
from fastmetrics.tables import latex_table, markdown_table

SUMMARY_COLUMNS = ("metric", "mean", "pooled", "difference", "n_folds", "n_undefined")
FOLD_COLUMNS = ("fold", "metric", "value", "n_rows", "n_positive")
# relative: sums of the same terms in another order
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class FoldEntry:
    """One metric.

    Parameters
    ----------
    per_fold : (F,) value in each fold, nan where undefined
    pooled : value on all tested rows
    ranks : whether the metric compares rows with each other
    undefined : what an undefined fold counts in the mean, None to leave it out
    """

    per_fold: Floats
    pooled: float
    ranks: bool
    undefined: float | None

    @property
    def n_undefined(self) -> int:
        """Folds in which the metric is undefined."""
        return int(np.isnan(self.per_fold).sum())

    @property
    def mean(self) -> float:
        """Unweighted mean over folds; nan where none is left."""
        holes = np.isnan(self.per_fold)
        if self.undefined is not None:
            return float(np.where(holes, self.undefined, self.per_fold).mean())
        return math.nan if holes.all() else float(self.per_fold[~holes].mean())

    @property
    def difference(self) -> float:
        """Mean over folds less pooled."""
        return self.mean - self.pooled

    @property
    def differs(self) -> bool:
        """Whether the two routes differ by more than rounding; an undefined one does not."""
        return abs(self.difference) > _ROUNDING * max(1.0, abs(self.pooled))


@dataclass(frozen=True, eq=False)
class FoldInfo:
    """What a reader must know of the folds.

    Parameters
    ----------
    names : of the folds
    n_rows : (F,) rows that each fold tests
    n_positive : (F,) positive ones among them, None where there are no classes
    n_tested, n_outside : rows in some fold, and in none
    frame : library of the inputs, which ``to_frame`` answers in
    """

    names: tuple[Any, ...]
    n_rows: NDArray[np.int64]
    n_positive: NDArray[np.int64] | None
    n_tested: int
    n_outside: int
    frame: Literal["pandas", "polars"]

    def describe(self) -> str:
        """Return the rows and folds in a line."""
        text = f"{self.n_tested:,} rows in {len(self.names)} folds of {_span(self.n_rows)}"
        if self.n_positive is not None:
            text += f" · {_span(self.n_positive)} positive per fold"
        if self.n_outside:
            text += f" · {self.n_outside:,} rows in no fold, left out"
        return text


class FoldScores:
    """Metrics of a cross validation, keyed by metric.

    Parameters
    ----------
    entries : what was computed, by metric
    info : what a reader must know of the folds
    """

    def __init__(self, entries: dict[str, FoldEntry], info: FoldInfo) -> None:
        self._entries = entries
        self.info = info

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(self._entries)

    @property
    def folds(self) -> tuple[Any, ...]:
        """Names of the folds."""
        return self.info.names

    def __len__(self) -> int:
        """Return the number of metrics."""
        return len(self._entries)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the metrics."""
        return iter(self._entries)

    def __getitem__(self, metric: str) -> FoldScores:
        """Return the result of one metric."""
        if metric not in self._entries:
            listed = ", ".join(map(repr, self._entries))
            raise UnknownNameError(f"no metric {metric!r} here (metrics: {listed})")
        return FoldScores({metric: self._entries[metric]}, self.info)

    def _single(self, attribute: str) -> FoldEntry:
        if len(self._entries) != 1:
            first = next(iter(self._entries))
            raise AttributeError(
                f"{len(self)} metrics: take one, result[{first!r}].{attribute}, or .to_frame()"
            )
        return next(iter(self._entries.values()))

    @property
    def per_fold(self) -> Floats:
        """Value in each fold (F,), nan where undefined."""
        return self._single("per_fold").per_fold

    @property
    def mean(self) -> float:
        """Mean over folds."""
        return self._single("mean").mean

    @property
    def pooled(self) -> float:
        """Value on all tested rows as one problem."""
        return self._single("pooled").pooled

    @property
    def difference(self) -> float:
        """Mean over folds less pooled."""
        return self._single("difference").difference

    @property
    def n_undefined(self) -> int:
        """Folds in which the metric is undefined."""
        return self._single("n_undefined").n_undefined

    @property
    def message(self) -> str:
        """What to say where the mean over folds and the pooled value differ, else empty."""
        lines = []
        ratios = [name for name, e in self._entries.items() if e.differs and not e.ranks]
        ranks = [name for name, e in self._entries.items() if e.differs and e.ranks]
        if ratios:
            lines.append(
                f"{', '.join(ratios)}: mean over folds and pooled differ; a mean of ratios is no "
                "ratio of sums."
            )
        if ranks:
            lines.append(
                f"{', '.join(ranks)}: mean over folds and pooled differ; pooled also compares rows "
                "of different models."
            )
        return "\n".join(lines)

    def plot(self, ax: Any = None) -> Any:
        """Draw the folds, their mean and the pooled value of each metric; return the axes."""
        from fastmetrics.plots.folds import plot_fold_values

        return plot_fold_values(self._entries, self.folds, ax)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "metric": name,
                "mean": entry.mean,
                "pooled": entry.pooled,
                "difference": entry.difference,
                "n_folds": len(self.folds),
                "n_undefined": entry.n_undefined,
            }
            for name, entry in self._entries.items()
        ]

    def _fold_rows(self) -> list[dict[str, Any]]:
        positive = self.info.n_positive
        return [
            {
                "fold": fold,
                "metric": name,
                "value": float(entry.per_fold[k]),
                "n_rows": int(self.info.n_rows[k]),
                "n_positive": None if positive is None else int(positive[k]),
            }
            for name, entry in self._entries.items()
            for k, fold in enumerate(self.folds)
        ]

    def to_frame(self, *, per_fold: bool = False) -> Any:
        """Return one row per metric, or per metric and fold: polars if the inputs were."""
        rows = self._fold_rows() if per_fold else self._rows()
        columns = list(FOLD_COLUMNS if per_fold else SUMMARY_COLUMNS)
        if self.info.frame == "polars":
            import polars

            return polars.DataFrame(rows, schema=columns, infer_schema_length=None)
        import pandas

        return pandas.DataFrame(rows, columns=columns)

    def to_dict(self) -> dict[str, Any]:
        """Return everything in types that JSON knows."""
        return {
            "n_rows": self.info.n_tested,
            "n_outside": self.info.n_outside,
            "metrics": self._rows(),
            "folds": self._fold_rows(),
            "message": self.message,
        }

    def to_markdown(self, digits: int = 4) -> str:
        """Return a Markdown table with one row per metric."""
        return markdown_table(*self._table(digits))

    def to_latex(self, digits: int = 3) -> str:
        """Return a LaTeX tabular with one row per metric."""
        return latex_table(*self._table(digits))

    def _table(self, digits: int) -> tuple[list[str], list[list[str]]]:
        header = ["metric", "mean over folds", "pooled", "undefined"]
        cells = [
            [name, f"{e.mean:.{digits}f}", f"{e.pooled:.{digits}f}", self._undefined(e)]
            for name, e in self._entries.items()
        ]
        return header, cells

    def _undefined(self, entry: FoldEntry) -> str:
        """In how many folds a metric is undefined, and what becomes of them."""
        text = f"{entry.n_undefined} of {len(self.folds)} folds"
        if not entry.n_undefined:
            return text
        fate = "left out" if entry.undefined is None else f"counted as {entry.undefined:g}"
        return f"{text}, {fate}"

    def __repr__(self) -> str:
        """Return the metrics at a glance, a line on the folds, and what to be aware of."""
        header, cells = self._table(4)
        widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
        lines = [
            f"{name:<{widths[0]}}  {mean:>{widths[1]}}  {pooled:>{widths[2]}}  {rest}"
            for name, mean, pooled, rest in (header, *cells)
        ]
        lines.append(self.info.describe())
        return "\n".join([*lines, *filter(None, [self.message])])


def _span(counts: NDArray[np.int64]) -> str:
    """One number where all are equal, else from the smallest to the largest."""
    low, high = int(counts.min()), int(counts.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
