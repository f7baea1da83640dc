"""A progress bar over replicates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class progress_bar:
    """A tqdm bar over replicates, or nothing; hands out what advances it."""

    def __init__(self, total: int, shown: bool) -> None:
        self._bar = None
        if shown:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=total, unit="replicate", leave=False)

    def __enter__(self) -> Callable[[int], Any] | None:
        return None if self._bar is None else self._bar.update

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.close()
