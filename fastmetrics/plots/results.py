"""What ``result.plot()`` draws: one entry by its replicates, several by their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastmetrics.plots.distributions import plot_difference, plot_distribution
from fastmetrics.plots.forests import plot_differences, plot_estimates

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fastmetrics.inference.comparisons.differences import Difference, PairKey
    from fastmetrics.inference.entries import Entry, Key


def plot_entries(entries: Mapping[Key, Entry], level: float, ax: Axes | None) -> Axes:
    """Draw the entries of a bootstrap: a histogram of one, else a forest plot.

    Parameters
    ----------
    entries : by model, metric and slice
    level : confidence level
    ax : where to draw, or None for a new figure
    """
    if len(entries) == 1:
        ((model, metric, part), entry), *_ = entries.items()
        if entry.replicates.size:
            low, high = entry.interval.limits
            return plot_distribution(
                entry.replicates,
                estimate=entry.estimate,
                low=low,
                high=high,
                confidence_level=level,
                method=entry.interval.method,
                name=metric,
                title=_title(model, part),
                ax=ax,
            )
    rows = [
        {
            "model": model,
            "metric": metric,
            "slice": part,
            "estimate": entry.estimate,
            "low": entry.interval.limits.low,
            "high": entry.interval.limits.high,
        }
        for (model, metric, part), entry in entries.items()
    ]
    given = any(row["low"] == row["low"] for row in rows)
    return plot_estimates(rows, confidence_level=level if given else None, ax=ax)


def plot_pairs(differences: Mapping[PairKey, Difference], level: float, ax: Axes | None) -> Axes:
    """Draw the differences of a comparison: a histogram of one, else a forest plot.

    Parameters
    ----------
    differences : by model, baseline, metric and slice
    level : confidence level
    ax : where to draw, or None for a new figure
    """
    if len(differences) == 1:
        ((model, baseline, metric, part), found), *_ = differences.items()
        if found.replicates.size:
            return plot_difference(
                found.replicates,
                estimate=found.estimate,
                low=found.limits.low,
                high=found.limits.high,
                confidence_level=level,
                method=found.method,
                margins=_margins(found),
                name=f"difference in {metric}",
                title=_title(f"{model} − {baseline}", part),
                ax=ax,
            )
    rows = [
        {
            "model": model,
            "baseline": baseline,
            "metric": metric,
            "slice": part,
            "difference": found.estimate,
            "low": found.limits.low,
            "high": found.limits.high,
        }
        for (model, baseline, metric, part), found in differences.items()
    ]
    return plot_differences(
        rows,
        confidence_level=level,
        greater_is_better={key[2]: found.greater_is_better for key, found in differences.items()},
        margins={key[2]: _margins(found) for key, found in differences.items()},
        ax=ax,
    )


def _title(*parts: Any) -> str:
    return " · ".join(str(part) for part in parts if part is not None)


def _margins(found: Difference) -> tuple[float, ...]:
    """Where the margins of a difference lie on its axis."""
    if found.margin is None:
        return ()
    if isinstance(found.margin, tuple):
        return found.margin
    return (-found.margin if found.greater_is_better else found.margin,)
