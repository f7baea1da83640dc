"""Results of comparing models: keyed by model, baseline, metric and slice.

Conventions
-----------
An axis with one entry may be left out of a key. A swapped pair is the mirrored difference.
Intervals are not adjusted for the number of pairs; the adjusted p-values are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference._normal_limits import distance
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.comparisons.differences import Difference, PairKey
from fastmetrics.inference.entries import RunInfo, plain_name
from fastmetrics.inference.intervals import ConfidenceInterval
from fastmetrics.tables import latex_table, markdown_table, shortened

COLUMNS = (
    "model",
    "baseline",
    "metric",
    "slice",
    "difference",
    "low",
    "high",
    "standard_error",
    "pvalue",
    "pvalue_adjusted",
    "win_share",
    "margin_pvalue",
    "method",
    "verdict",
)


class ComparisonResult:
    """Differences of pairs of models, with intervals and p-values.

    Parameters
    ----------
    differences : by model, baseline, metric and slice (None for all rows)
    info : what a reader must know of the run
    scores : the result that was compared, or None
    adjustment : name of the adjustment for several pairs
    statistic : Wald statistic of all differences together, nan where there is none
    covariance : covariance matrix of the models' estimates, in the order of ``scores.models``, or
        None where there are replicates instead
    degrees_of_freedom : of the Wald statistic
    """

    def __init__(
        self,
        differences: dict[PairKey, Difference],
        info: RunInfo,
        scores: BootstrapResult | None = None,
        *,
        adjustment: str = "holm",
        statistic: float = float("nan"),
        covariance: Floats | None = None,
        degrees_of_freedom: int = 0,
    ) -> None:
        self._differences = differences
        self.info = info
        self.scores = scores
        self.adjustment = adjustment
        self.covariance = covariance
        self.degrees_of_freedom = degrees_of_freedom
        self._wald = statistic

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models, baselines included."""
        return tuple(dict.fromkeys(name for key in self._differences for name in key[:2]))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(dict.fromkeys(key[2] for key in self._differences))

    @property
    def slices(self) -> tuple[Any, ...]:
        """Names of the slices; the overall entry has none."""
        return tuple(dict.fromkeys(key[3] for key in self._differences if key[3] is not None))

    def __len__(self) -> int:
        """Return the number of differences."""
        return len(self._differences)

    def keys(self) -> list[tuple[Any, ...]]:
        """Return the key of every difference, without what is None."""
        return [tuple(part for part in key if part is not None) for key in self._differences]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Iterate over the keys."""
        return iter(self.keys())

    def __getitem__(self, key: Any) -> ComparisonResult:
        """Return the differences of a pair, a metric, a slice, or of several of these.

        A key of ``keys()`` leads to its difference alone: without a slice, to that of all rows.
        """
        parts = key if isinstance(key, tuple) else (key,)
        pair = [part for part in parts if part in self.models]
        chosen = self._of_pair(pair) if pair else dict(self._differences)
        named = []
        for part in parts:
            if part in pair:
                continue
            axis = 2 if part in self.metrics else 3 if part in self.slices else None
            if axis is None:
                raise self._unknown(key)
            named.append(axis)
            chosen = {name: value for name, value in chosen.items() if name[axis] == part}
        whole = {name: value for name, value in chosen.items() if name[3] is None}
        if whole and len(pair) == 2 and named == [2]:
            chosen = whole
        if not chosen:
            raise self._unknown(key)
        return self._part(chosen)

    def _of_pair(self, pair: list[str]) -> dict[PairKey, Difference]:
        """Return the differences of a model, or of a model and a baseline, mirrored if swapped."""
        if len(pair) == 1:
            return {key: value for key, value in self._differences.items() if pair[0] in key[:2]}
        model, baseline = pair[:2]
        found = {}
        for key, value in self._differences.items():
            if key[:2] == (model, baseline):
                found[key] = value
            elif key[:2] == (baseline, model):
                found[(model, baseline, *key[2:])] = value.mirrored()
        return found

    def _part(self, chosen: dict[PairKey, Difference]) -> ComparisonResult:
        return ComparisonResult(
            chosen,
            self.info,
            self.scores,
            adjustment=self.adjustment,
            statistic=self._wald,
            covariance=self.covariance,
            degrees_of_freedom=self.degrees_of_freedom,
        )

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
        return UnknownNameError(f"no difference {key!r} here ({listed})")

    def _single(self, attribute: str) -> Difference:
        if len(self._differences) != 1:
            key = ", ".join(map(repr, self.keys()[0]))
            raise AttributeError(
                f"{len(self)} differences: take one, comparison[{key}].{attribute}, or .to_frame()"
            )
        return next(iter(self._differences.values()))

    @property
    def estimate(self) -> float:
        """Model less baseline on the data."""
        return self._single("estimate").estimate

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """Limits ``low`` and ``high``, not adjusted for the number of pairs."""
        return self._single("confidence_interval").limits

    @property
    def standard_error(self) -> float:
        """Standard error of the difference."""
        return self._single("standard_error").standard_error

    @property
    def pvalue(self) -> float:
        """P-value that inverts the interval."""
        return self._single("pvalue").pvalue

    @property
    def pvalue_adjusted(self) -> float:
        """P-value adjusted for the number of pairs of this metric and slice."""
        return self._single("pvalue_adjusted").pvalue_adjusted

    @property
    def margin_pvalue(self) -> float:
        """P-value of the margin; nan where none was given."""
        return self._single("margin_pvalue").margin_pvalue

    @property
    def win_share(self) -> float:
        """Share of the replicates in which the model is better, a bootstrap frequency."""
        return self._single("win_share").win_share

    @property
    def bootstrap_distribution(self) -> Floats:
        """Replicates (B,) of the difference, nan where it is undefined."""
        return self._single("bootstrap_distribution").replicates

    @property
    def method(self) -> str:
        """Interval method that was used."""
        return self._single("method").method

    @property
    def statistic(self) -> float:
        """Standard errors between a single difference and 0, else the Wald statistic of them all.

        nan where there are replicates instead of standard errors.
        """
        if self.covariance is None or len(self) > 1:
            return self._wald
        single = self._single("statistic")
        return distance(single.estimate, single.standard_error, 0.0)

    @property
    def joint_pvalue(self) -> float:
        """P-value of the Wald statistic: whether any two of the models differ."""
        from scipy.special import chdtrc

        if self.degrees_of_freedom == 0:
            return 1.0 if self._wald == 0.0 else float("nan")
        return float(chdtrc(self.degrees_of_freedom, self._wald))

    @property
    def verdict(self) -> str:
        """The finding in a word."""
        return self._single("verdict").verdict(self.info.confidence_level)

    def plot(self, ax: Any = None) -> Any:
        """Draw the replicates of one difference, or the intervals of several; return the axes."""
        from fastmetrics.plots.results import plot_pairs

        return plot_pairs(self._differences, self.info.confidence_level, ax)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per difference, by column name."""
        return [
            dict(
                zip(
                    COLUMNS,
                    (
                        *key,
                        value.estimate,
                        *value.limits,
                        value.standard_error,
                        value.pvalue,
                        value.pvalue_adjusted,
                        value.win_share,
                        value.margin_pvalue,
                        value.method,
                        value.verdict(self.info.confidence_level),
                    ),
                )
            )
            for key, value in self._differences.items()
        ]

    def to_frame(self) -> Any:
        """Return a frame with one row per difference: polars if the inputs were, else pandas."""
        if self.info.frame == "polars":
            import polars

            return polars.DataFrame(self.rows(), schema=list(COLUMNS), infer_schema_length=None)
        import pandas

        return pandas.DataFrame(self.rows(), columns=list(COLUMNS))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the replicates, in types that JSON knows."""
        return {
            "n_rows": self.info.n_rows,
            "n_resamples": self.info.n_resamples,
            "confidence_level": self.info.confidence_level,
            "adjustment": self.adjustment,
            "statistic": self.statistic,
            "differences": [{**row, "slice": plain_name(row["slice"])} for row in self.rows()],
        }

    def to_markdown(self, digits: int = 4) -> str:
        """Return a Markdown table with one row per difference."""
        return markdown_table(*self._table(digits))

    def to_latex(self, digits: int = 3) -> str:
        """Return a LaTeX tabular with one row per difference."""
        return latex_table(*self._table(digits))

    def _table(self, digits: int) -> tuple[list[str], list[list[str]]]:
        """Header and cells, without the axes that are not there."""
        axes = ["model", "baseline", "metric"] + (["slice"] if self.slices else [])
        if len(self.models) == 2:
            axes.remove("baseline")
        pairs = len({key[:2] for key in self._differences})
        values = self._differences.values()
        several = self.adjustment != "none" and (
            pairs > 1 or any(value.pvalue_adjusted > value.pvalue for value in values)
        )
        rows = self.rows()
        counted = not all(math.isnan(row["win_share"]) for row in rows)
        level = f"{100 * self.info.confidence_level:g} % CI"
        header = [*axes, "difference", level, "p", *(["p adjusted"] if several else [])]
        header += [*(["ahead in"] if counted else []), ""]
        cells = []
        for row in rows:
            line = [str("all" if row[name] is None else row[name]) for name in axes]
            line += [
                f"{row['difference']:+.{digits}f}",
                f"{row['low']:.{digits}f} to {row['high']:.{digits}f}",
                f"{row['pvalue']:.2g}",
            ]
            line += [f"{row['pvalue_adjusted']:.2g}"] if several else []
            line += [f"{100 * row['win_share']:.0f} %"] if counted else []
            cells.append([*line, row["verdict"]])
        return header, cells

    def __repr__(self) -> str:
        """Return the differences at a glance and a line on the run."""
        header, cells = self._table(4)
        widths = [max(len(line[k]) for line in (header, *cells)) for k in range(len(header))]
        text = {k for k, name in enumerate(header) if name in ("model", "baseline", "metric", "")}
        rows = [
            "  ".join(
                part.ljust(width) if k in text else part.rjust(width)
                for k, (part, width) in enumerate(zip(line, widths))
            ).rstrip()
            for line in (header, *cells)
        ]
        lines = [rows[0], *shortened(rows[1:], "differences"), self.info.describe()]
        if self.covariance is not None and len(self.covariance) > 2:
            lines.append(
                f"All models alike: Wald chi-squared {self._wald:.4g}, degrees of freedom "
                f"{self.degrees_of_freedom}, p {self.joint_pvalue:.2g}"
            )
        if "p adjusted" in header:
            lines.append(f"p adjusted by {self.adjustment}; intervals are not adjusted.")
        return "\n".join(lines)
