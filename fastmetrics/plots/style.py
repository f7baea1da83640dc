"""One look for all plots: colours that colour-blind readers tell apart, and a second cue each.

Conventions
-----------
matplotlib is loaded when something is drawn, never on import. Nothing global changes: settings hold
inside ``plot_style`` only. A series has a colour, a line style, a marker and a hatch, so that it is
told from the others in print without colours.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe & Ito (2008) without the yellow, which is too light for a line on white
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINE_STYLES: tuple[Any, ...] = ("-", (0, (6, 1.6)), (0, (1.2, 1.2)), "-.", (0, (8, 1.5, 1, 1.5)))
MARKERS = ("o", "s", "D", "^", "v", "P", "X")
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx")
INK, MUTED, GRID = "#222222", "#6B6B6B", "#E4E4E4"

# of scripts that DejaVu Sans does not hold; those that are installed are asked in turn
_FALLBACK_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Noto Sans JP",
    "Noto Sans KR",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "WenQuanYi Micro Hei",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Emoji",
    "Segoe UI Symbol",
    "Arial Unicode MS",
)

# whether new figures are kept from pyplot
OFF_SCREEN: ContextVar[bool] = ContextVar("OFF_SCREEN", default=False)

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Cue(NamedTuple):
    """How one series looks."""

    colour: str
    line_style: Any
    marker: str
    hatch: str


def cue(k: int) -> Cue:
    """Return the look of the series k, from 0; 35 of them differ in colour and line style."""
    turn = k + k // len(PALETTE)
    return Cue(
        PALETTE[k % len(PALETTE)],
        LINE_STYLES[turn % len(LINE_STYLES)],
        MARKERS[turn % len(MARKERS)],
        HATCHES[turn % len(HATCHES)],
    )


def first_free_cue(ax: Axes) -> int:
    """Return the number of the first look that no line of the axes has.

    So a second call on the same axes goes on where the first one ended.
    """
    used = {line.get_color() for line in ax.lines if line.get_color() in PALETTE}
    return min((k for k in range(len(PALETTE)) if PALETTE[k] not in used), default=len(used))


def require_matplotlib() -> None:
    """Raise an error that says what to install where matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise ModuleNotFoundError(
            "plots need matplotlib: pip install 'fastmetrics-engine[report]'", name="matplotlib"
        ) from None


@contextmanager
def plot_style() -> Iterator[None]:
    """Draw in the style of fastmetrics inside a ``with`` block; matplotlib's settings come back.

    Raises
    ------
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    matplotlib's settings belong to the process: draw in one thread at a time.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> import matplotlib
    >>> before = matplotlib.rcParams["axes.grid"]
    >>> with fm.plots.plot_style():
    ...     matplotlib.rcParams["axes.grid"]
    True
    >>> matplotlib.rcParams["axes.grid"] == before
    True
    """
    require_matplotlib()
    import matplotlib

    with matplotlib.rc_context(_settings()):
        yield


@contextmanager
def off_screen() -> Iterator[None]:
    """Keep the figures that plots make inside a ``with`` block away from pyplot.

    They are not shown by a notebook or a window, need no backend, and go when their axes go: for
    programs that write files.

    Examples
    --------
    >>> import fastmetrics as fm
    >>> with fm.plots.off_screen():
    ...     ax = fm.plots.plot_roc([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8])
    >>> ax.figure.canvas.manager is None
    True
    """
    token = OFF_SCREEN.set(True)
    try:
        yield
    finally:
        OFF_SCREEN.reset(token)


def styled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Draw in this style whatever the function draws."""

    @functools.wraps(function)
    def draw(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with plot_style():
            return function(*args, **kwargs)

    return draw


def _settings() -> dict[Any, Any]:
    """Return matplotlib's settings inside ``plot_style``."""
    from cycler import cycler

    return {
        "axes.axisbelow": True,
        "axes.edgecolor": MUTED,
        "axes.grid": True,
        "axes.labelcolor": INK,
        "axes.labelsize": 9,
        "axes.prop_cycle": cycler(color=PALETTE),
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 10,
        "axes.unicode_minus": True,
        "font.family": ["DejaVu Sans", *_installed_fallbacks()],
        "font.size": 9,
        "grid.color": GRID,
        "grid.linewidth": 0.7,
        "hatch.linewidth": 0.6,
        "legend.fontsize": 8,
        "legend.frameon": True,
        "legend.framealpha": 0.85,
        "legend.edgecolor": "none",
        "lines.linewidth": 1.6,
        "text.color": INK,
        # names of models are no LaTeX
        "text.usetex": False,
        "xtick.color": MUTED,
        "xtick.labelcolor": INK,
        "xtick.labelsize": 8,
        "ytick.color": MUTED,
        "ytick.labelcolor": INK,
        "ytick.labelsize": 8,
    }


@functools.cache
def _installed_fallbacks() -> tuple[str, ...]:
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return tuple(name for name in _FALLBACK_FONTS if name in installed)
