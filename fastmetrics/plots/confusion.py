"""Confusion matrices as tables in colour.

Conventions
-----------
True classes are rows, predicted ones columns. The colour is the share of the true class, so that a
rare class shows; the number is what the matrix holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fastmetrics.engine.description import Floats
from fastmetrics.errors import InputError
from fastmetrics.plots._canvas import axes_for, inches
from fastmetrics.plots._text import number, shown
from fastmetrics.plots.style import INK, PALETTE, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NUMBERS = 25
_MOST_SHARES = 6
_NAME_WIDTH = 18


@styled
def plot_confusion_matrix(
    matrix: ArrayLike, *, labels: Sequence[Any] | None = None, ax: Axes | None = None
) -> Axes:
    r"""Draw a confusion matrix.

    Parameters
    ----------
    matrix : array-like of shape (K, K)
        Counts, sums of weights or shares, as from ``confusion_matrix``: true classes in rows.
    labels : sequence of length K, optional
        Names of the classes; 0 to K - 1 when left out.
    ax : matplotlib axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    InputError
        A matrix that is not square, or labels of another number.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    Numbers are written for up to 25 classes, and shares of the true class for up to 6.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> from matplotlib.figure import Figure
    >>> matrix = fm.confusion_matrix([0, 1, 0, 1], [0, 1, 1, 1])
    >>> ax = fm.plots.plot_confusion_matrix(matrix, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.texts]
    ['1\n50 %', '1\n50 %', '0\n0 %', '2\n100 %']
    """
    counts = np.asarray(matrix, np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.size == 0:
        raise InputError(f"matrix has shape {counts.shape}: give (K, K)")
    size = len(counts)
    names = list(range(size)) if labels is None else list(labels)
    if len(names) != size:
        raise InputError(f"labels has {len(names)} names: the matrix has {size} classes")
    side = min(max(2.6, 0.75 * size), 9.0)
    ax = axes_for(ax, side + 1.2, side + 0.9)
    ax.grid(False)
    shares = _shares(counts)
    ax.imshow(shares, cmap=_colours(), vmin=0.0, vmax=1.0, aspect="equal")
    _name_classes(ax, names)
    if size <= _MOST_NUMBERS:
        _write(ax, counts, shares)
    return ax


def _shares(counts: Floats) -> Floats:
    """Share of each true class (K, K); 0 for a class without rows."""
    totals = np.nansum(counts, axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    return np.where(np.isnan(shares), 0.0, shares)


def _colours() -> Any:
    """White to the first colour of the palette."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("fastmetrics", ["#FFFFFF", PALETTE[0]])


def _name_classes(ax: Axes, names: Sequence[Any]) -> None:
    """Names of the classes, slanted where they would meet; of many classes some."""
    every = max(1, len(names) // _MOST_NUMBERS)
    places = list(range(0, len(names), every))
    words = [shown(names[place], _NAME_WIDTH) for place in places]
    longest = max(len(line) for word in words for line in word.split("\n"))
    slanted = longest > 12 or longest * len(words) > 40
    turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    ax.set_xticks(places, words, usetex=False, **(turned if slanted else {}))
    ax.set_yticks(places, words, usetex=False)
    ax.tick_params(length=0)
    ax.set_xlabel("predicted")
    ax.set_ylabel("true")
    ax.spines[:].set_visible(False)


def _write(ax: Axes, counts: Floats, shares: Floats) -> None:
    """Write each number, in white on dark cells."""
    size = len(counts)
    longest = max(len(f"{count:,.0f}") for count in np.nan_to_num(counts).flat)
    # a digit is about 0.64 of the size of its font wide
    font_size = min(9.0, max(4.0, 0.85 * 72.0 * inches(ax)[0] / size / (0.64 * max(longest, 3))))
    for (row, column), count in np.ndenumerate(counts):
        share = shares[row, column]
        text = number(float(count)) if count != np.floor(count) else f"{count:,.0f}"
        # a normalised matrix holds the shares already
        if size <= _MOST_SHARES and np.isfinite(count) and counts.max() > 1.0:
            text += f"\n{100.0 * share:.0f} %"
        ax.text(
            column,
            row,
            text,
            ha="center",
            va="center",
            fontsize=font_size,
            color="white" if share > 0.55 else INK,
        )
