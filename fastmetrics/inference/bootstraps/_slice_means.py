"""Unweighted means over slices on joint replicates: macro means over tasks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from fastmetrics.engine.jackknife.delete_one import DeleteOne
from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.entries import Entry, Key, Source
from fastmetrics.inference.intervals import rounding_of, with_ties


def mean_over_slices(result: BootstrapResult) -> BootstrapResult:
    """Return the mean over the slices of every model and metric."""
    if not result.slices:
        raise ValueError("there are no slices: pass by= to the bootstrap")
    if result.info.slice_columns > 1:
        raise ValueError(
            f"by= held {result.info.slice_columns} columns, so that every row lies in several "
            "slices: take the mean of a bootstrap by one of them"
        )
    if any(entry.rule.method == "studentized" for entry in result.entries().values()):
        raise ValueError("method='studentized' has no standard error of a mean over slices")
    entries: dict[Key, Entry] = {}
    sources: dict[Key, Callable[[], DeleteOne]] = {}
    for model, metric in dict.fromkeys(key[:2] for key in result.entries()):
        keys: list[Key] = [(model, metric, part) for part in result.slices]
        found = result.delete_one_of(keys)
        parts = [result.entries()[key] for key in keys]
        leave_out = None if found is None else _mean_of(found)
        key = (model, metric, None)
        entries[key] = _mean_entry(parts, leave_out)
        if leave_out is not None:
            sources[key] = leave_out
    source = Source(None, sources) if sources else None
    return BootstrapResult(entries, result.info, source)


def _mean_entry(parts: list[Entry], leave_out: Callable[[], DeleteOne] | None) -> Entry:
    estimate = float(np.mean([part.estimate for part in parts]))
    replicates = np.mean([part.replicates for part in parts], axis=0)
    replicates = with_ties(replicates, estimate, rounding_of(replicates))
    rule = dataclasses.replace(parts[0].rule, estimate=estimate, acceleration=float("nan"))
    if rule.method == "bca" and not np.isnan(estimate):
        if leave_out is None:
            raise ValueError(
                "BCa means over slices need the data, and an unpickled result has none: take the "
                "mean before pickling, or ask for method='percentile'"
            )
        rule = dataclasses.replace(rule, acceleration=leave_out().acceleration())
    return Entry(
        estimate, replicates, rule, rule.apply(replicates), None, parts[0].greater_is_better
    )


def _mean_of(sources: list[Callable[[], DeleteOne]]) -> Callable[[], DeleteOne]:
    """Return what makes the delete-one values of a mean."""

    def mean() -> DeleteOne:
        found = [source() for source in sources]
        values = np.mean([one.values for one in found], axis=0)
        return dataclasses.replace(found[0], values=values, exact=all(o.exact for o in found))

    return mean
