"""Folds without positives: how often a plain split leaves a metric of the positives undefined.

Conventions
-----------
A plain split shuffles the rows and cuts them into folds of equal size, as scikit-learn's ``KFold``
does; a stratified one deals out each class, as ``StratifiedKFold``. A fold is empty when it tests
no positive row: recall, AUC and average precision are undefined there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from fastmetrics.engine.draws.seeds import read_seed
from fastmetrics.errors import UnknownNameError
from fastmetrics.inference.folds.cross_validation import folds_without_positives
from fastmetrics.simulation import _options
from fastmetrics.simulation._study import Study, Table, percent, shown

Counts = npt.NDArray[np.int64]
PLAIN, STRATIFIED = "plain", "stratified"


class FoldStudy(Study):
    """Empty folds over shuffles; a row for the plain and for the stratified split.

    Parameters
    ----------
    n_positive, n_negative, n_folds : what was split
    empty : splitter to the number of empty folds in each shuffle, (shuffles,)
    seed : what reproduces it as ``rng``
    """

    columns = (
        "splitter",
        "n_folds",
        "empty",
        "share",
        "expected_share",
        "shuffles_with_empty",
    )

    def __init__(
        self,
        n_positive: int,
        n_negative: int,
        n_folds: int,
        empty: dict[str, Counts],
        seed: Any,
    ) -> None:
        super().__init__(
            {
                "n_positive": n_positive,
                "n_negative": n_negative,
                "n_folds": n_folds,
                "n_shuffles": empty[PLAIN].size,
            },
            seed,
        )
        self.empty_folds = empty

    @property
    def expected(self) -> dict[str, float]:
        """Probability that a fold is empty, by splitter."""
        settings = self.settings
        positives, folds = settings["n_positive"], settings["n_folds"]
        sizes = fold_sizes(positives + settings["n_negative"], folds)
        plain = float(np.mean([_probability_of_none(sizes.sum(), positives, k) for k in sizes]))
        return {PLAIN: plain, STRATIFIED: max(folds - positives, 0) / folds}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per splitter.

        ``n_folds`` counts the folds of all shuffles, ``empty`` those that test no positive row,
        ``expected_share`` is their probability, ``shuffles_with_empty`` the share of the shuffles
        with such a fold.
        """
        found = []
        for splitter, empty in self.empty_folds.items():
            total = empty.size * self.settings["n_folds"]
            found.append(
                {
                    "splitter": splitter,
                    "n_folds": total,
                    "empty": int(empty.sum()),
                    "share": float(empty.sum()) / total,
                    "expected_share": self.expected[splitter],
                    "shuffles_with_empty": float((empty > 0).mean()),
                }
            )
        return found

    def __getitem__(self, splitter: str) -> dict[str, Any]:
        """Return the row of "plain" or of "stratified"."""
        for row in self.rows():
            if row["splitter"] == splitter:
                return row
        raise UnknownNameError(f"no splitter {splitter!r} here ({PLAIN!r}, {STRATIFIED!r})")

    @property
    def conclusion(self) -> str:
        """How often recall is undefined, and what helps."""
        plain, stratified = self[PLAIN], self[STRATIFIED]
        said = (
            f"{plain['empty']:,} of {plain['n_folds']:,} plain folds test no positive row, "
            f"{percent(round(plain['share'], 4))} where "
            f"{percent(round(plain['expected_share'], 4))} are expected: recall is undefined there."
        )
        if not plain["empty"]:
            said = f"None of {plain['n_folds']:,} plain folds is without a positive row."
        elif not stratified["empty"]:
            said += " Of the stratified folds none does."
        return said

    def plot(self, ax: Any = None) -> Any:
        """Draw how many folds are empty in a shuffle; return the axes."""
        from fastmetrics.plots.simulations import plot_simulation

        names = [f"empty folds of a {name} split" for name in self.empty_folds]
        return plot_simulation(np.stack(list(self.empty_folds.values()), axis=1), names, ax=ax)

    def _table(self, digits: int) -> Table:
        header = ["splitter", "folds", "empty", "share", "expected", "shuffles with one"]
        cells = [
            [
                row["splitter"],
                f"{row['n_folds']:,}",
                f"{row['empty']:,}",
                shown(row["share"], digits),
                shown(row["expected_share"], digits),
                shown(row["shuffles_with_empty"], digits),
            ]
            for row in self.rows()
        ]
        return header, cells

    def _run(self) -> str:
        settings = self.settings
        return (
            f"{settings['n_shuffles']:,} shuffles of {settings['n_positive']:,} positive and "
            f"{settings['n_negative']:,} negative rows, {settings['n_folds']} folds"
        )


def folds_study(
    n_positive: int = 10,
    n_negative: int = 190,
    *,
    n_folds: int = 10,
    n_shuffles: int = 200,
    seeds: Iterable[int] | None = None,
    rng: Any = None,
) -> FoldStudy:
    """Count the folds of a cross validation that test no positive row.

    Parameters
    ----------
    n_positive, n_negative : int
        Rows of each class, 1 or more.
    n_folds : int
        Folds, 2 or more, at most the number of rows.
    n_shuffles : int
        Shuffles; a million take a second.
    seeds : iterable of int, optional
        Split with scikit-learn's ``KFold`` and ``StratifiedKFold``, once with each
        ``random_state``, instead of by the law of such splits.
    rng : None, int, SeedSequence or Generator
        Seed of the shuffles.

    Returns
    -------
    FoldStudy
        Empty folds of the plain and of the stratified split, and their probability.

    Raises
    ------
    ValueError
        Numbers out of range, or seeds together with ``rng``.

    Notes
    -----
    The positives of the folds of a shuffle are multivariate hypergeometric, so no row is shuffled.

    References
    ----------
    Forman & Scholz 2010, doi:10.1145/1882471.1882479.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> study = fm.simulation.folds_study(10, 190, n_shuffles=100_000, rng=0)
    >>> round(study["plain"]["expected_share"], 4), study["stratified"]["empty"]
    (0.3398, 0)
    >>> bool(abs(study["plain"]["share"] - study["plain"]["expected_share"]) < 0.002)
    True
    """
    positives = _options.whole(n_positive, "n_positive", 1)
    negatives = _options.whole(n_negative, "n_negative", 1)
    folds = _options.whole(n_folds, "n_folds", 2)
    if folds > positives + negatives:
        raise ValueError(f"n_folds={folds}: there are {positives + negatives} rows to test")
    if seeds is not None:
        if rng is not None:
            raise ValueError("seeds are those of the splitters: leave rng out")
        empty = _split(positives, negatives, folds, list(seeds))
        return FoldStudy(positives, negatives, folds, empty, None)
    size = _options.whole(n_shuffles, "n_shuffles", 1)
    root, seed = read_seed(rng)
    empty = _drawn(positives, negatives, folds, size, np.random.default_rng(root))
    return FoldStudy(positives, negatives, folds, empty, seed)


def fold_sizes(n: int, n_folds: int) -> Counts:
    """Rows (n_folds,) of each fold: equal, but for one row."""
    return np.array([n // n_folds + (k < n % n_folds) for k in range(n_folds)], np.int64)


def _probability_of_none(n: int, positives: int, size: int) -> float:
    """Probability that none of size rows out of n is one of the positives."""
    if size > n - positives:
        return 0.0
    chances = [(n - positives - k) / (n - k) for k in range(size)]
    return math.prod(chances)


def _drawn(
    positives: int, negatives: int, folds: int, size: int, generator: np.random.Generator
) -> dict[str, Counts]:
    """Empty folds (size,) of both splitters by their law."""
    sizes = fold_sizes(positives + negatives, folds)
    counts = generator.multivariate_hypergeometric(sizes, positives, size, method="marginals")
    return {
        PLAIN: np.count_nonzero(counts == 0, axis=1),
        STRATIFIED: np.full(size, max(folds - positives, 0)),
    }


def _split(positives: int, negatives: int, folds: int, seeds: list[int]) -> dict[str, Counts]:
    """Empty folds (seeds,) of both splitters by scikit-learn."""
    from sklearn.model_selection import KFold, StratifiedKFold

    if not seeds:
        raise ValueError("seeds is empty: give one random_state per shuffle")
    if positives < folds:
        raise ValueError(
            f"n_folds={folds}: scikit-learn stratifies no more folds than the {positives} positive "
            "rows; leave seeds out"
        )
    labels = np.repeat([1, 0], [positives, negatives])
    return {
        name: np.array(
            [
                len(folds_without_positives(labels, splitter(folds, shuffle=True, random_state=s)))
                for s in seeds
            ]
        )
        for name, splitter in ((PLAIN, KFold), (STRATIFIED, StratifiedKFold))
    }
