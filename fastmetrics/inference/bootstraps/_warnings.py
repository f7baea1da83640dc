"""What a bootstrap warns of, each thing once per call."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fastmetrics.errors import warn, warn_undefined
from fastmetrics.inference.entries import Entry, Key

WARNED_SHARE = 0.01
SHOWN_NAMES = 4


def warn_of_entries(entries: Mapping[Key, Entry], n_resamples: int) -> None:
    """Warn of undefined values, perfect separation and limits that need a word."""
    named = {_name(key): entry for key, entry in entries.items()}
    undefined = [name for name, entry in named.items() if np.isnan(entry.estimate)]
    if undefined:
        warn_undefined(f"{_list(undefined)} undefined on these data: nan, no interval")
    if not n_resamples:
        return
    counted = sorted(
        ((entry.n_undefined, name) for name, entry in named.items() if name not in undefined),
        reverse=True,
    )
    many = [item for item in counted if item[0] > WARNED_SHARE * n_resamples]
    if many:
        others = f"; {len(many) - 1} more have over 1 %" if len(many) > 1 else ""
        warn_undefined(
            f"{many[0][1]} is undefined in {many[0][0]:,} of {n_resamples:,} replicates, which "
            f"are left out{others}"
        )
    _warn_of_perfection(named)
    remarks: dict[str, list[str]] = {}
    for name, entry in named.items():
        for remark in entry.interval.remarks:
            remarks.setdefault(remark, []).append(name)
    for remark, names in remarks.items():
        warn(f"{_list(names)}: {remark}")


def _warn_of_perfection(named: Mapping[str, Entry]) -> None:
    perfect: dict[float, list[str]] = {}
    for name, entry in named.items():
        best = entry.rule.bounds[int(entry.greater_is_better)]
        if np.isfinite(best) and _is_always(entry, best):
            perfect.setdefault(best, []).append(name)
    for best, names in perfect.items():
        warn(
            f"{_list(names)}: every replicate is perfect, the interval has no width; "
            f"[{best:g}, {best:g}] is not certainty"
        )


def _name(key: Key) -> str:
    """Return the key of an entry as a reader would write it."""
    return " ".join(str(part) for part in key if part is not None)


def _list(names: list[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return ", ".join(names[:SHOWN_NAMES]) + more


def _is_always(entry: Entry, value: float) -> bool:
    """Whether the estimate and every defined replicate have this value, and there is one."""
    defined = entry.replicates[~np.isnan(entry.replicates)]
    return entry.estimate == value and defined.size > 0 and bool((defined == value).all())
