"""Numbers and names as sentences and tables say them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_FLOOR, Context

from fastmetrics.report.names import printable

UNDEFINED = "undefined"
_FEWEST, _MOST = 4, 12
_LISTED = 4
_SIX_DIGITS = Context(prec=6, rounding=ROUND_FLOOR)


def decimals(standard_error: float) -> int:
    """Return how many decimals show two digits of the standard error, four at least."""
    if not (math.isfinite(standard_error) and standard_error > 0):
        return _FEWEST
    return min(max(_FEWEST, 1 - math.floor(math.log10(standard_error))), _MOST)


def value_text(value: float, digits: int = _FEWEST, *, signed: bool = False) -> str:
    """Return a value with so many decimals; large ones with fewer, and thousands apart."""
    if math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    if abs(value) >= 10_000:
        digits = 0
    # -0.0000 would look like a finding
    value = value if round(value, digits) else 0.0
    return f"{value:+,.{digits}f}" if signed else f"{value:,.{digits}f}"


def interval_text(low: float, high: float, digits: int = _FEWEST) -> str:
    """Return the limits of an interval."""
    if math.isnan(low) or math.isnan(high):
        return UNDEFINED
    return f"{value_text(low, digits)} to {value_text(high, digits)}"


def count_text(value: float) -> str:
    """Return a number of rows, or a sum of weights."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def percent(share: float) -> str:
    """Return a share in percent, with two digits where it is small."""
    if math.isnan(share):
        return UNDEFINED
    scaled = 100.0 * share
    if 0.0 < scaled < 1.0 or 99.0 < scaled < 100.0:
        near = min(scaled, 100.0 - scaled)
        return f"{scaled:.{min(1 - math.floor(math.log10(near)), 8)}f} %"
    return f"{scaled:.1f} %" if scaled < 10.0 else f"{scaled:.0f} %"


def two_percents(share: float, other: float) -> tuple[str, str]:
    """Return two shares in percent, with as many digits as tell them apart."""
    for digits in range(4):
        texts = f"{100.0 * share:.{digits}f} %", f"{100.0 * other:.{digits}f} %"
        if texts[0] != texts[1]:
            break
    return texts


def share_text(share: float) -> str:
    """Return a share of replicates in whole percent."""
    return UNDEFINED if math.isnan(share) else f"{100.0 * share:.0f} %"


def p_text(pvalue: float) -> str:
    """Return a p-value."""
    if math.isnan(pvalue):
        return UNDEFINED
    return f"{pvalue:.2g}" if pvalue >= 0.001 else f"{pvalue:.1g}"


def threshold_text(threshold: float) -> str:
    """Return a threshold in six digits, never above it: its own row stays flagged."""
    if math.isnan(threshold):
        return "none"
    if math.isinf(threshold):
        return "above all scores" if threshold > 0 else "below all scores"
    return f"{float(_SIX_DIGITS.create_decimal_from_float(threshold)):.6g}"


def listed(names: Iterable[object], most: int = _LISTED) -> str:
    """Return names as a sentence lists them; of many, the first and how many more."""
    shown = [printable(name) for name in names]
    if len(shown) > most + 1:
        return f"{', '.join(shown[:most])} and {len(shown) - most} more"
    return joined(shown)


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Return parts with commas and a word before the last."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
