"""Where logarithms and powers of targets and predictions exist.

Conventions: entries that are not finite are named first, then those outside.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmetrics.errors import InputError
from fastmetrics.input.targets import Targets
from fastmetrics.kernels.deviances import lowest_pair


class Domain(NamedTuple):
    """Predictions above a bound, and targets above it, from it on, or anywhere."""

    message: str  # {power} is filled in
    bound: float
    targets: str  # "above", "from", "any"

    def holds(self, lowest_target: float, lowest_prediction: float) -> bool:
        """Whether arrays with these smallest entries lie inside."""
        if not lowest_prediction > self.bound:
            return False
        if self.targets == "from":
            return lowest_target >= self.bound
        return self.targets == "any" or lowest_target > self.bound

    def require(self, targets: Targets, power: float = 0) -> None:
        """Refuse what lies outside."""
        if targets.ready:
            lowest = lowest_pair(targets.y_true.ravel(), targets.y_pred.ravel())
        else:
            lowest = (targets.y_true.min(), targets.y_pred.min())
        if not self.holds(*lowest):
            self.refuse(targets, power)

    def refuse(self, targets: Targets, power: float = 0) -> None:
        """Refuse what is not finite or lies outside, wherever it is."""
        targets.require_finite()
        self.require_rows(targets.y_true, targets.y_pred, power)

    def require_rows(self, y_true: NDArray[Any], y_pred: NDArray[Any], power: float = 0) -> None:
        """Refuse entries of arrays (n,) or (k, n) that lie outside, and say where the first is."""
        outside = [(y_pred <= self.bound, "y_pred")]
        if self.targets != "any":
            below = y_true < self.bound if self.targets == "from" else y_true <= self.bound
            outside.insert(0, (below, "y_true"))
        for mask, name in outside:
            if mask.any():
                row = int(np.argmax(np.atleast_2d(mask).any(axis=0)))
                raise InputError(
                    f"{self.message.format(power=power)} {name} has {mask.sum():,} outside, first "
                    f"at row {row}"
                )
