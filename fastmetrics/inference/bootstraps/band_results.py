"""Bands around curves: what ``curve_band`` returns.

Conventions
-----------
Bands lie above the points of a grid. Pointwise limits are percentiles of the replicates at each
point; a simultaneous band holds the whole curve at once, with the stated confidence.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from fastmetrics.engine.description import Floats
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.entries import RunInfo

Curve = Literal["roc", "precision_recall", "calibration", "net_benefit"]
CURVES: tuple[Curve, ...] = ("roc", "precision_recall", "calibration", "net_benefit")


@dataclass(frozen=True)
class Band:
    """The band of one model.

    Parameters
    ----------
    grid, estimate, low, high : (g,) nan where the curve is undefined
    n_undefined : (g,) replicates left out at each point
    """

    grid: Floats
    estimate: Floats
    low: Floats
    high: Floats
    n_undefined: Floats


@dataclass(frozen=True)
class CurveBand:
    """Bands of one model or several, on the same draws.

    Parameters
    ----------
    curve : "roc", "precision_recall", "calibration" or "net_benefit"
    kind : "pointwise" or "simultaneous"
    bands : by model; None names the only one
    info : what a reader must know of the run
    prevalence : share of the positives' weight
    references : curves to compare with, (g,) each: treat all, treat none
    """

    curve: Curve
    kind: Literal["pointwise", "simultaneous"]
    bands: dict[str | None, Band]
    info: RunInfo
    prevalence: float
    references: dict[str, Floats] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models; empty where there is one without a name."""
        return tuple(name for name in self.bands if name is not None)

    def __getitem__(self, model: str) -> CurveBand:
        """Return the band of a model."""
        if model not in self.bands:
            raise UnknownNameError(
                f"no model {model!r} here: {', '.join(map(repr, self.models)) or 'it has no name'}"
            )
        return dataclasses.replace(self, bands={model: self.bands[model]})

    def _single(self, attribute: str) -> Band:
        if len(self.bands) != 1:
            raise AttributeError(
                f"{len(self.bands)} models: take one, band[{self.models[0]!r}].{attribute}"
            )
        return next(iter(self.bands.values()))

    @property
    def confidence_level(self) -> float:
        """As a fraction."""
        return self.info.confidence_level

    @property
    def grid(self) -> Floats:
        """Points (g,) of the grid."""
        return self._single("grid").grid

    @property
    def estimate(self) -> Floats:
        """The curve (g,) on the data."""
        return self._single("estimate").estimate

    @property
    def low(self) -> Floats:
        """Lower limits (g,)."""
        return self._single("low").low

    @property
    def high(self) -> Floats:
        """Upper limits (g,)."""
        return self._single("high").high

    def plot(self, ax: Any = None) -> Any:
        """Draw the curves with their bands; return the axes."""
        from fastmetrics.plots.bands import plot_bands

        return plot_bands(self, ax)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per model and grid point."""
        return [
            {"model": name, "x": x, "estimate": y, "low": low, "high": high}
            for name, band in self.bands.items()
            for x, y, low, high in zip(
                *(values.tolist() for values in (band.grid, band.estimate, band.low, band.high))
            )
        ]

    def to_frame(self) -> Any:
        """Return a frame with a row per model and grid point."""
        if self.info.frame == "polars":
            import polars

            return polars.DataFrame(self.rows(), infer_schema_length=None)
        import pandas

        return pandas.DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return the bands in types that JSON knows."""
        return {
            "curve": self.curve,
            "kind": self.kind,
            "confidence_level": self.confidence_level,
            "points": self.rows(),
            "references": {name: values.tolist() for name, values in self.references.items()},
        }

    def __repr__(self) -> str:
        """Return what was computed, and a line on the run."""
        points = len(next(iter(self.bands.values())).grid)
        width = [_mean_width(band) for band in self.bands.values()]
        names = [name or self.curve for name in self.bands]
        lines = [
            f"{name}  {self.kind} {100 * self.confidence_level:g} % band of {self.curve} at "
            f"{points} points, mean width {size:.4f}"
            for name, size in zip(names, width)
        ]
        return "\n".join([*lines, self.info.describe()])


def _mean_width(band: Band) -> float:
    """Mean distance of the limits over the points that have them; nan where none has."""
    widths = (band.high - band.low)[~np.isnan(band.high - band.low)]
    return float(widths.mean()) if widths.size else float("nan")
