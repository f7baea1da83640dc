"""What the estimates and their intervals say."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from fastmetrics.inference.bootstraps.results import BootstrapResult
from fastmetrics.inference.entries import Entry, Key
from fastmetrics.report.data_summary import DataSummary, majority_share
from fastmetrics.report.finding import Finding
from fastmetrics.report.method_line import Method
from fastmetrics.report.names import printable
from fastmetrics.report.wording import (
    decimals,
    interval_text,
    joined,
    listed,
    percent,
    plural,
    two_percents,
    value_text,
)

UNDEFINED_SHARE = 0.01
# chance moves a limit by more than this share of the standard error
ROUGH = 0.3
FEW_RESAMPLES = 1000

# metric, model or None, on all rows
Overall = dict[str, dict[str | None, Entry]]


def overall_entries(scores: BootstrapResult) -> Overall:
    """Return the entries of all rows by metric and model."""
    found: Overall = {}
    for (model, name, part), entry in scores.entries().items():
        if part is None:
            found.setdefault(name, {})[model] = entry
    return found


def score_findings(scores: BootstrapResult, data: DataSummary, method: Method) -> Iterator[Finding]:
    """Yield what is to be said of estimates and intervals."""
    overall = overall_entries(scores)
    yield from _undefined(scores.entries())
    yield from _chance(overall)
    yield from _rare_class(overall, data)
    yield from _accuracy(overall, data)
    yield from _bounds(overall)
    yield from _replicates(scores, overall, method)
    yield from _slices(scores)


def of_model(model: str | None) -> str:
    """Return " of x" where models have names."""
    return "" if model is None else f" of {printable(model)}"


def of_models(models: list[str | None]) -> str:
    """Return " of x and y" where models have names."""
    named = [model for model in models if model is not None]
    return f" of {listed(named)}" if named else ""


def _with_interval(entry: Entry) -> str:
    digits = decimals(entry.standard_error)
    limits = entry.interval.limits
    return f"{value_text(entry.estimate, digits)} ({interval_text(*limits, digits)})"


def _undefined(entries: dict[Key, Entry]) -> Iterator[Finding]:
    whole = [key for key, entry in entries.items() if math.isnan(entry.estimate)]
    overall = [f"{key[1]}{of_model(key[0])}" for key in whole if key[2] is None]
    if overall:
        yield Finding(
            "caution", "metrics", f"{listed(overall)} cannot be computed on these rows: 0/0."
        )
    parts = dict.fromkeys(key[2] for key in whole if key[2] is not None)
    if parts:
        names = dict.fromkeys(key[1] for key in whole if key[2] is not None)
        yield Finding(
            "caution",
            "slices",
            f"In {plural(len(parts), 'slice')} ({listed(parts)}) {listed(names)} cannot be "
            "computed: 0/0.",
        )


def _chance(overall: Overall) -> Iterator[Finding]:
    entries = overall.get("roc_auc", {})
    reversed_ = {m: entry for m, entry in entries.items() if entry.interval.limits.high < 0.5}
    unclear = [
        model
        for model, entry in entries.items()
        if entry.interval.limits.low <= 0.5 <= entry.interval.limits.high
    ]
    for model, entry in reversed_.items():
        text = (
            f"The scores{of_model(model)} rank the wrong way round: roc_auc "
            f"{_with_interval(entry)}. Is the positive class the right one?"
        )
        yield Finding("caution", "metrics", text)
    if unclear:
        text = (
            f"The interval of roc_auc{of_models(unclear)} includes 0.5: these rows cannot tell the "
            "scores from chance."
        )
        yield Finding("caution", "metrics", text)


def _rare_class(overall: Overall, data: DataSummary) -> Iterator[Finding]:
    prevalence = math.nan if data.prevalence is None else data.prevalence
    low = [
        model
        for model, entry in overall.get("average_precision", {}).items()
        if entry.interval.limits.low <= prevalence < 1.0
    ]
    if low:
        text = (
            f"The interval of average_precision{of_models(low)} reaches down to the prevalence, "
            f"{prevalence:.2g}: no better than random flags, as far as these rows tell."
        )
        yield Finding("caution", "metrics", text)


def _accuracy(overall: Overall, data: DataSummary) -> Iterator[Finding]:
    if not data.rarer:
        return
    majority = majority_share(data)
    entries = overall.get("accuracy", {})
    below = {model: entry for model, entry in entries.items() if entry.estimate < majority}
    if below:
        pairs = {model: two_percents(entry.estimate, majority) for model, entry in below.items()}
        own = joined([own for own, _ in pairs.values()])
        text = (
            f"Accuracy{of_models(list(below))} is below that of always answering the majority "
            f"class: {own} against {max((other for _, other in pairs.values()), key=len)}."
        )
        yield Finding("caution", "metrics", text)
    unclear = [
        model
        for model, entry in entries.items()
        if model not in below and entry.interval.limits.low <= majority
    ]
    if unclear:
        text = (
            f"The interval of accuracy{of_models(unclear)} includes {percent(majority)}, what "
            "always answering the majority class reaches."
        )
        yield Finding("caution", "metrics", text)


def _bounds(overall: Overall) -> Iterator[Finding]:
    """Yield what to say of intervals that end at the best value there is."""
    perfect, touching = [], []
    for name, entries in overall.items():
        for model, entry in entries.items():
            best = entry.rule.bounds[int(entry.greater_is_better)]
            low, high = entry.interval.limits
            if low == high == entry.estimate == best:
                perfect.append(f"{name}{of_model(model)}")
            elif math.isfinite(best) and best == (high if entry.greater_is_better else low):
                touching.append(f"{name}{of_model(model)}")
    if perfect:
        text = (
            f"{listed(perfect)}: every replicate is perfect and the interval has no width. That is "
            "no certainty: resampling cannot show errors that no row made."
        )
        yield Finding("caution", "metrics", text)
    if touching:
        ends = "intervals of {} end" if len(touching) > 1 else "interval of {} ends"
        text = (
            f"The {ends.format(listed(touching))} at the best possible value: so few errors say "
            "little of how rare they are."
        )
        yield Finding("note", "metrics", text)


def _replicates(scores: BootstrapResult, overall: Overall, method: Method) -> Iterator[Finding]:
    size = scores.info.n_resamples
    if not size:
        return
    many = {key: n for key, n in method.n_undefined.items() if n > UNDEFINED_SHARE * size}
    many = {key: n for key, n in many.items() if n < size}
    if many:
        worst = max(many, key=lambda key: many[key])
        name = " ".join(printable(part) for part in worst if part is not None)
        others = f", and {len(many) - 1} more in over 1 %" if len(many) > 1 else ""
        text = (
            f"{name} is undefined in {percent(many[worst] / size)} of the replicates{others}: they "
            "were left out, and the interval is that of the others."
        )
        yield Finding("caution", "method", text)
    yield from _remarks(overall)
    rough = [
        name
        for name, entries in overall.items()
        if method.monte_carlo_error.get(name, 0.0)
        > ROUGH * max(_or_zero(entry.standard_error) for entry in entries.values())
        > 0.0
    ]
    if rough or size < FEW_RESAMPLES:
        of_which = f" of {listed(rough)}" if rough else ""
        text = (
            f"{size:,} replicates leave the limits{of_which} rough: another seed would move them "
            f"visibly. Ask for more, n_resamples={max(2000, 4 * size)}."
        )
        yield Finding("note", "method", text)


def _remarks(overall: Overall) -> Iterator[Finding]:
    """Yield what the interval methods say of single intervals."""
    remarks: dict[str, list[str]] = {}
    for name, entries in overall.items():
        for model, entry in entries.items():
            for remark in entry.interval.remarks:
                remarks.setdefault(remark, []).append(f"{name}{of_model(model)}")
    for remark, names in remarks.items():
        yield Finding("note", "method", f"Interval of {listed(names)}: {remark}.")


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def _slices(scores: BootstrapResult) -> Iterator[Finding]:
    """Yield the slices that differ from all rows in the first metric, on the joint replicates."""
    entries, parts = scores.entries(), scores.slices
    if not parts or not scores.info.n_resamples:
        return
    name = scores.metrics[0]
    models = scores.models or (None,)
    tail = (1.0 - scores.info.confidence_level) / (2 * len(parts) * len(models))
    for model in models:
        found: dict[str, list[str]] = {"below": [], "above": []}
        whole = entries[model, name, None]
        for part in parts:
            entry = entries[model, name, part]
            side = _side(entry, whole, tail)
            if side:
                found[side].append(f"{printable(part)} {_with_interval(entry)}")
        for side, texts in found.items():
            if texts:
                text = (
                    f"{name}{of_model(model)} lies {side} that of all rows, "
                    f"{_with_interval(whole)}, in {joined(texts[:6])}."
                )
                yield Finding("result", "slices", text)


def _side(entry: Entry, whole: Entry, tail: float) -> Any:
    """Whether a slice lies below or above the whole in all but so many replicates."""
    differences = entry.replicates - whole.replicates
    differences = differences[~np.isnan(differences)]
    if differences.size < FEW_RESAMPLES // 2:
        return None
    low, high = np.quantile(differences, [tail, 1.0 - tail])
    return "below" if high < 0.0 else "above" if low > 0.0 else None
