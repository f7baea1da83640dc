"""The columns of a file as the library takes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastmetrics.cli.files import key_array, label_array, number_array, read_columns


@dataclass(frozen=True)
class Names:
    """Which column is what.

    Parameters
    ----------
    label, scores, positive, weight, groups, strata, by, folds : as the options name them
    """

    label: str
    scores: list[str]
    positive: str | None = None
    weight: str | None = None
    groups: str | None = None
    strata: str | None = None
    by: tuple[str, ...] = ()
    folds: str | None = None

    @property
    def numbers(self) -> list[str]:
        """Columns of numbers."""
        return [*self.scores, *([] if self.weight is None else [self.weight])]

    @property
    def keys(self) -> list[str]:
        """Columns of anything."""
        strata = None if self.strata == "class" else self.strata
        named = (self.groups, strata, self.folds)
        return [*(name for name in named if name is not None), *self.by]


def read_arguments(file: Path, names: Names, *, missing: bool) -> dict[str, Any]:
    """Read the data arguments of `evaluate`, by name; those that were not asked for are None.

    Parameters
    ----------
    file : see `read_columns`
    names : which column is what
    missing : whether entries may be missing: as nan among numbers, else as None
    """
    numbers = names.numbers
    if names.label in numbers or len(set(numbers)) < len(numbers):
        raise ValueError("--label, --score and --weight name the same column")
    frame = read_columns(file, [names.label, *names.keys], numbers)

    def keys(name: str | None) -> Any:
        return None if name is None else key_array(frame[name], missing=missing)

    scores = {name: number_array(frame[name], missing=missing) for name in names.scores}
    return {
        "y_true": label_array(frame[names.label], names.positive, missing=missing),
        "y_score": scores if len(scores) > 1 else next(iter(scores.values())),
        "sample_weight": None
        if names.weight is None
        else number_array(frame[names.weight], missing=missing),
        "groups": keys(names.groups),
        "strata": "class" if names.strata == "class" else keys(names.strata),
        "by": {name: keys(name) for name in names.by} or None,
        "folds": keys(names.folds),
    }
