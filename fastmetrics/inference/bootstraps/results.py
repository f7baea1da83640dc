"""Results of a bootstrap: keyed by model, metric and slice; printed, exported, pickled.

Conventions
-----------
An axis with one entry may be left out of a key. Attributes of a single number exist where there is
one entry. Replicates lie on the last axis and are nan where the metric is undefined.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.entries import Entry, Key, RunInfo, Source, plain_name, plain_seed
from fastmetrics.inference.intervals import ConfidenceInterval
from fastmetrics.input.options import is_number
from fastmetrics.tables import latex_table, markdown_table, shortened

if TYPE_CHECKING:
    from fastmetrics.inference.comparisons.results import ComparisonResult

COLUMNS = (
    "model",
    "metric",
    "slice",
    "estimate",
    "low",
    "high",
    "standard_error",
    "bias",
    "method",
    "n_undefined",
)


class BootstrapResult:
    """Estimates with their replicates and intervals.

    Parameters
    ----------
    entries : what was computed, by (model or None, metric, slice or None)
    info : what a reader must know of the run
    source : what can still be asked of the data, or None
    """

    def __init__(
        self,
        entries: dict[Key, Entry],
        info: RunInfo,
        source: Source | None = None,
    ) -> None:
        self._entries = entries
        self._source = source
        self.info = info

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models; empty where there is one without a name."""
        return tuple(dict.fromkeys(key[0] for key in self._entries if key[0] is not None))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(dict.fromkeys(key[1] for key in self._entries))

    @property
    def slices(self) -> tuple[Any, ...]:
        """Names of the slices; the overall entry has none."""
        return tuple(dict.fromkeys(key[2] for key in self._entries if key[2] is not None))

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the keys."""
        return iter(self.keys())

    def keys(self) -> list[tuple[Any, ...]]:
        """Return the key of every entry, without what is None."""
        return [tuple(part for part in key if part is not None) for key in self._entries]

    def __getitem__(self, key: Any) -> BootstrapResult:
        """Return the entries of a model, a metric, a slice, or of several of these.

        A key of ``keys()`` leads to its entry alone: without a slice, to that of all rows.
        """
        parts = key if isinstance(key, tuple) else (key,)
        axes = [self._axis_of(part) for part in parts]
        chosen = dict(self._entries)
        for part, axis in zip(parts, axes):
            chosen = {entry: value for entry, value in chosen.items() if entry[axis] == part}
        whole = {entry: value for entry, value in chosen.items() if entry[2] is None}
        if whole and set(axes) == ({0, 1} if self.models else {1}):
            chosen = whole
        if not chosen:
            raise self._unknown(key)
        return self._part(chosen)

    def _part(self, chosen: dict[Key, Entry]) -> BootstrapResult:
        source = None if self._source is None else dataclasses.replace(self._source, more=None)
        return BootstrapResult(chosen, self.info, source)

    def _axis_of(self, part: Any) -> int:
        for axis, names in enumerate((self.models, self.metrics, self.slices)):
            if part in names:
                return axis
        raise self._unknown(part)

    def _unknown(self, key: Any) -> UnknownNameError:
        listed = "; ".join(
            f"{what}: {', '.join(map(repr, names))}"
            for what, names in (
                ("models", self.models),
                ("metrics", self.metrics),
                ("slices", self.slices),
            )
            if names
        )
        return UnknownNameError(f"no entry {key!r} here ({listed})")

    def _single(self, attribute: str) -> Entry:
        if len(self._entries) != 1:
            first = self.keys()[0]
            key = ", ".join(map(repr, first))
            sizes = [
                f"{len(names)} {what}"
                for what, names in (
                    ("models", self.models),
                    ("metrics", self.metrics),
                    ("slices", self.slices),
                )
                if len(names) > 1
            ]
            raise AttributeError(
                f"{len(self)} entries ({' x '.join(sizes)}): take one, "
                f"result[{key}].{attribute}, or .to_frame()"
            )
        return next(iter(self._entries.values()))

    @property
    def estimate(self) -> float:
        """Value on the data."""
        return self._single("estimate").estimate

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """Limits ``low`` and ``high``."""
        return self._single("confidence_interval").interval.limits

    @property
    def standard_error(self) -> float:
        """Standard deviation of the defined replicates; of DeLong, the root of the variance."""
        return self._single("standard_error").standard_error

    @property
    def bias(self) -> float:
        """Mean of the defined replicates less the estimate."""
        return self._single("bias").bias

    @property
    def bootstrap_distribution(self) -> Floats:
        """Replicates (B,), nan where the metric is undefined."""
        return self._single("bootstrap_distribution").replicates

    @property
    def n_undefined(self) -> int:
        """Replicates in which the metric is undefined."""
        return self._single("n_undefined").n_undefined

    @property
    def method(self) -> str:
        """Interval method that was used."""
        return self._single("method").interval.method

    @property
    def acceleration(self) -> float:
        """Acceleration of a BCa interval, else nan."""
        return self._single("acceleration").interval.acceleration

    @property
    def z0(self) -> float:
        """Bias correction of a BCa interval, else nan."""
        return self._single("z0").interval.z0

    @property
    def monte_carlo_error(self) -> tuple[float, float]:
        """Standard deviation of both limits over resamples of the replicates."""
        return self._single("monte_carlo_error").monte_carlo_error

    @property
    def seed(self) -> Any:
        """What reproduces the draws as ``rng``; None for draws from outside."""
        return self.info.seed

    def extend(self, n: int) -> BootstrapResult:
        """Return a result with n more replicates; those that are there stay the same.

        Raises
        ------
        ValueError
            The result came from a pickle or from draws from outside.
        """
        if self._source is None or self._source.more is None:
            raise ValueError(
                "this result has no data to draw from (it was given its draws, unpickled, or is "
                "a part of another): call bootstrap again with a larger n_resamples"
            )
        if not is_number(n) or n < 1 or n % 1 != 0:
            raise ValueError(f"n={n!r}: give how many replicates to add")
        more: BootstrapResult = self._source.more(int(n))
        return more

    def __copy__(self) -> BootstrapResult:
        """Copy with the data, unlike a pickle."""
        return BootstrapResult(self._entries, self.info, self._source)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the data."""
        return {"_entries": self._entries, "info": self.info, "_source": None}

    def entries(self) -> dict[Key, Entry]:
        """Return every entry by model, metric and slice."""
        return dict(self._entries)

    def delete_one_of(self, keys: Iterable[Key]) -> list[Callable[[], DeleteOne]] | None:
        """Return what makes the delete-one values of entries; None where the data are gone."""
        if self._source is None:
            return None
        return [self._source.delete_one[key] for key in keys]

    def compare(
        self, baseline: Any = None, margin: Any = None, adjust: str = "holm"
    ) -> ComparisonResult:
        """Compare the models on these replicates; nothing is drawn again.

        Parameters
        ----------
        baseline : str, optional
            The model that all others are compared with; None compares all pairs.
        margin : float, pair of floats, or mapping of metrics to these, optional
            The largest loss that does not matter, for a test of non-inferiority; a lower and an
            upper margin of the difference, for a test of equivalence.
        adjust : {"holm", "none"}
            Adjustment of the p-values, over the pairs of one metric and slice.

        Returns
        -------
        ComparisonResult
            Differences, model less baseline, with intervals of the method of this result.
        """
        from fastmetrics.inference.comparisons._pairs import compare_models

        return compare_models(self, baseline, margin, adjust)

    def plot(self, ax: Any = None) -> Any:
        """Draw the replicates of one entry, or the intervals of several; return the axes."""
        from fastmetrics.plots.results import plot_entries

        return plot_entries(self._entries, self.info.confidence_level, ax)

    def mean(self, axis: Literal["slice"]) -> BootstrapResult:
        """Return the unweighted mean over the slices, on the joint replicates.

        Slices in which a metric is undefined on the data make the mean undefined.
        """
        from fastmetrics.inference.bootstraps._slice_means import mean_over_slices

        if axis != "slice":
            raise ValueError(f"axis={axis!r}: means are taken over 'slice'")
        return mean_over_slices(self)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "model": model,
                "metric": metric,
                "slice": part,
                "estimate": entry.estimate,
                "low": entry.interval.limits.low,
                "high": entry.interval.limits.high,
                "standard_error": entry.standard_error,
                "bias": entry.bias,
                "method": entry.interval.method,
                "n_undefined": entry.n_undefined,
            }
            for (model, metric, part), entry in self._entries.items()
        ]

    def to_frame(self) -> Any:
        """Return a frame with one row per entry: polars if the inputs were, else pandas."""
        rows = self._rows()
        if self.info.frame == "polars":
            import polars

            return polars.DataFrame(rows, schema=list(COLUMNS), infer_schema_length=None)
        import pandas

        return pandas.DataFrame(rows, columns=list(COLUMNS))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the replicates, in types that JSON knows."""
        return {
            "n_rows": self.info.n_rows,
            "n_positive": self.info.n_positive,
            "n_resamples": self.info.n_resamples,
            "resampling": self.info.resampling,
            "strata": "class" if self.info.by_class else None,
            "seed": plain_seed(self.info.seed),
            "confidence_level": self.info.confidence_level,
            "entries": [
                {
                    **row,
                    "slice": plain_name(row["slice"]),
                    "monte_carlo_error": list(entry.monte_carlo_error),
                }
                for row, entry in zip(self._rows(), self._entries.values(), strict=True)
            ],
        }

    def to_markdown(self, digits: int = 4) -> str:
        """Return a Markdown table with one row per entry."""
        return markdown_table(*self._table(digits))

    def to_latex(self, digits: int = 3) -> str:
        """Return a LaTeX tabular with one row per entry."""
        return latex_table(*self._table(digits))

    def _table(self, digits: int) -> tuple[list[str], list[list[str]]]:
        """Header and cells of a table, without the axes that are not there."""
        axes = [
            name
            for name, names in (
                ("model", self.models),
                ("metric", self.metrics),
                ("slice", self.slices),
            )
            if names
        ]
        level = f"{100 * self.info.confidence_level:g} % CI"
        header = [*axes, "estimate", level, "SE", "method"]
        cells = [
            [
                *(str(row[name] if row[name] is not None else "all") for name in axes),
                f"{row['estimate']:.{digits}f}",
                f"{row['low']:.{digits}f} to {row['high']:.{digits}f}",
                f"{row['standard_error']:.{digits}f}",
                row["method"],
            ]
            for row in self._rows()
        ]
        return header, cells

    def __repr__(self) -> str:
        """Return the entries at a glance and a line on the run."""
        names = [" ".join(str(part) for part in key if part is not None) for key in self._entries]
        width = max(map(len, names))
        rows = [
            f"{name:<{width}}  {self._describe(entry)}"
            for name, entry in zip(names, self._entries.values(), strict=True)
        ]
        lines = [*shortened(rows, "entries"), self._footer()]
        if len(self.models) > 1:
            same = "draws" if self.info.resampling != "delong" else "rows"
            lines.append(f"Same {same} for all models. Overlap is no test: use .compare().")
        return "\n".join(lines)

    def _describe(self, entry: Entry) -> str:
        if not self.info.has_intervals:
            return f"{entry.estimate:.4f}"
        low, high = entry.interval.limits
        level = f"{100 * self.info.confidence_level:g} % CI"
        return (
            f"{entry.estimate:.4f}   {level} {low:.4f} to {high:.4f} ({entry.interval.shown})"
            f"   SE {entry.standard_error:.4f}"
        )

    def _footer(self) -> str:
        if not self.info.n_resamples:
            return self.info.describe()
        entries = self._entries.values()
        undefined = max(entry.n_undefined for entry in entries)
        errors = np.array([entry.monte_carlo_error for entry in entries])
        several = len(errors) > 1
        low, high = np.fmax.reduce(errors)
        return (
            f"{self.info.describe()} · {'up to ' if several and undefined else ''}{undefined:,} "
            f"undefined · "
            f"Monte-Carlo error of limits {'up to ' if several else ''}{low:.4f}, {high:.4f}"
        )
