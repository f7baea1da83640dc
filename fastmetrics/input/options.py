"""Checks of options, with scikit-learn's error class and its way of putting it.

Conventions: every check names the function and the option, and passes good values in silence.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from fastmetrics.errors import InputError, invalid_parameter, warn


def _bad(caller: str, option: str, must_be: str, value: object) -> ValueError:
    return invalid_parameter(
        f"The {option!r} parameter of {caller} must be {must_be}. Got {value!r} instead."
    )


def check_choice(caller: str, option: str, value: object, choices: tuple[str | None, ...]) -> None:
    """One of a few words, or None where it is a choice."""
    if not (value is None or isinstance(value, str)) or value not in choices:
        listed = ", ".join(repr(choice) for choice in choices)
        raise _bad(caller, option, f"one of {listed}", value)


def check_flag(caller: str, option: str, value: object) -> None:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise _bad(caller, option, "a bool", value)


def check_pos_label(caller: str, value: object, none: bool = True) -> None:
    """A number, a string or a bool; None where the class may be left open."""
    if value is None and none:
        return
    if not isinstance(value, Real | str | np.bool_):
        raise _bad(caller, "pos_label", "a float, a str or a bool" + ", or None" * none, value)


def check_share(caller: str, option: str, value: Any, *, lowest: bool, highest: bool) -> float:
    """A number between 0 and 1; ``lowest`` and ``highest`` say whether the ends belong."""
    # a test for the abstract class costs as much as a kernel on a hundred rows
    if type(value) is float or isinstance(value, Real):
        share = float(value)
        if math.isfinite(share) and (0 < share < 1 or (lowest and share == 0)):
            return share
        if highest and share == 1:
            return share
    ends = f"{'[' if lowest else '('}0, 1{']' if highest else ')'}"
    raise _bad(caller, option, f"a float in the range {ends}", value)


def check_positional(caller: str, extra: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Take options that were passed by position, with scikit-learn's FutureWarning."""
    if len(extra) > len(options):
        raise TypeError(
            f"{caller} takes at most {2 + len(options)} positional arguments, "
            f"{2 + len(extra)} were given"
        )
    given = dict(zip(options, extra))
    shown = ", ".join(f"{name}={value}" for name, value in given.items())
    warn(
        f"Pass {shown} as keyword args. From version 1.11 of scikit-learn on, {caller} takes "
        "them by keyword only",
        FutureWarning,
    )
    options.update(given)


def check_cost(name: str, value: Any) -> float:
    """A finite cost, zero or more."""
    cost = float(value) if isinstance(value, Real) else math.nan
    if not (math.isfinite(cost) and cost >= 0):
        raise InputError(f"{name}={value!r}: give a finite cost of 0 or more")
    return cost


def is_number(value: object) -> bool:
    """Whether a value is a real number and no bool."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
