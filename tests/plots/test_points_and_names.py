"""Few points look like many, and names come in lines that fit."""

import time

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import fastmetrics as fm
from fastmetrics.plots._bins import bin_edges
from fastmetrics.plots._text import amount, number, short_count, shown
from fastmetrics.plots._thinning import MOST_POINTS, kept_points

N = 2_000_000


@pytest.fixture(scope="module")
def many():
    generator = np.random.default_rng(0)
    labels = (generator.random(N) < 0.01).astype(np.int8)
    return labels, generator.normal(size=N) + 2 * labels


def picture(x, y):
    """The grey values of a line of black."""
    figure = Figure(figsize=(4, 4), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    axes.plot(x, y, color="black", linewidth=1.6)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., 0].astype(float)


def saw(n=60_000):
    generator = np.random.default_rng(1)
    x = np.linspace(0, 1, n)
    return x, generator.random(n) * np.exp(-5 * x)


def curves():
    x = np.linspace(0, 1, 60_000)
    steep = np.sqrt(x)
    return {
        "smooth": (x, steep),
        "backwards": (x[::-1], steep[::-1]),
        "corner": (np.r_[np.zeros(30_000), x], np.r_[x[:30_000], np.full(60_000, 0.5)]),
        "saw": saw(),
        "staircase": (x, np.floor(x * 13) / 13),
        "flat": (x, np.zeros(60_000)),
    }


@pytest.mark.parametrize("name", curves())
def test_few_points_draw_the_same_picture(name):
    x, y = curves()[name]
    kept = kept_points(x, y)
    assert kept.size <= 1.1 * MOST_POINTS
    assert (np.diff(kept) > 0).all()
    difference = np.abs(picture(x, y) - picture(x[kept], y[kept]))
    # a share of the ink, which anti-aliasing moves a little
    assert difference.sum() < 0.03 * (255 - picture(x, y)).sum()


def test_kept_points_hold_ends_and_extremes():
    x, y = saw()
    kept = kept_points(x, y)
    assert {0, x.size - 1, y.argmin(), y.argmax()} <= set(kept.tolist())


def test_short_curves_stay_whole():
    x = np.arange(MOST_POINTS, dtype=float)
    np.testing.assert_array_equal(kept_points(x, x), np.arange(MOST_POINTS))


def test_gaps_stay_gaps():
    x = np.linspace(0, 1, 50_000)
    y = x.copy()
    y[20_000:30_000] = np.nan
    drawn = y[kept_points(x, y)]
    holes = np.isnan(drawn)
    before, after = np.flatnonzero(holes)[[0, -1]] + np.array([-1, 1])
    assert (drawn[before], drawn[after]) == (y[19_999], y[30_000])
    assert holes.sum() == after - before - 1


def test_a_curve_without_values_is_drawn_as_nothing():
    x = np.linspace(0, 1, 50_000)
    assert np.isnan((x * np.nan)[kept_points(x, x * np.nan)]).all()


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "f1", "scores"])
def test_two_million_rows_become_a_small_drawing(kind, many, ax):
    import io

    fm.threshold_sweep(*many).plot(ax, kind=kind)
    assert all(len(line.get_xdata()) <= MOST_POINTS + 4 for line in ax.lines)
    file = io.StringIO()
    ax.figure.savefig(file, format="svg")
    assert len(file.getvalue()) < 300_000


def test_two_million_points_are_thinned_at_once():
    x = np.sort(np.random.default_rng(0).random(N))
    start = time.perf_counter()
    kept_points(x, x**2)
    # far above what it takes, far below what drawing all points would
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("roc_auc", "roc_auc"),
        ("$a$ + $b$", r"\$a\$ + \$b\$"),
        ("_hidden", "\u200b_hidden"),
        ("in\ntwo\tor\x003", "in two or\n3"),
        ("", "''"),
        (3, "3"),
        ("Ünï μ", "Ünï μ"),
        ("one two three four", "one two\nthree four"),
        ("a_long_name_here", "a_long_\nname_here"),
        ("unbreakable_xxxxxxxxxxxx", "unbreakabl\ne_xxxxxxxx\nxxxx"),
    ],
)
def test_names_fit_their_lines(name, lines):
    assert shown(name, 10) == lines


@pytest.mark.parametrize("width", [8, 14, 40])
def test_the_middle_of_an_endless_name_is_left_out(width):
    name = "first " + "and_so_on " * 500 + "last"
    lines = shown(name, width).split("\n")
    assert len(lines) <= 3
    assert max(map(len, lines)) <= width
    assert lines[0].startswith("first")
    assert lines[-1].endswith("last")
    assert "…" in "".join(lines)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.98742, "0.987"),
        (1.0, "1.000"),
        (-0.5, "−0.500"),
        (0.00001234, "1.23e−05"),
        (1234.56, "1,235"),
        (1060.0, "1,060"),
        (-2500.0, "−2,500"),
        (float("nan"), "undefined"),
        (float("inf"), "∞"),
        (-float("inf"), "−∞"),
    ],
)
def test_numbers_of_labels(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(32.0, "32"), (0.119, "0.119"), (1060.0, "1,060"), (0.0, "0")]
)
def test_costs_of_labels(value, text):
    assert amount(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (950, "950"), (1234, "1.2k"), (35_000, "35k"), (2e6, "2.0M"), (3.5, "3.5")],
)
def test_counts_of_bars(value, text):
    assert short_count(value) == text


@pytest.mark.parametrize(
    ("values", "most", "edges"),
    [
        ([0.0, 0.25, 1.0], 10, [-0.125, 0.125, 0.375, 0.625, 0.875, 1.125]),
        ([1.0, 2.0, 3.0, 4.0], 2, [0.5, 2.5, 4.5]),
        ([0.0, 0.1, 0.2345, 1.0], 2, [0.0, 0.5, 1.0]),
        ([2.0, 2.0], 5, [1.9, 2.1]),
        ([0.0], 5, [-0.5, 0.5]),
        ([np.nan, np.inf], 5, [-0.5, 0.5]),
    ],
)
def test_edges_follow_the_values(values, most, edges):
    np.testing.assert_allclose(bin_edges(np.array(values), most), edges)


def test_every_value_lies_in_a_bin():
    generator = np.random.default_rng(0)
    for n in (3, 17, 100, 1000):
        for values in (generator.normal(size=n), generator.binomial(n, 0.3, n) / n):
            edges = bin_edges(values, 30)
            assert len(edges) <= 31
            assert np.histogram(values, edges)[0].sum() == n
