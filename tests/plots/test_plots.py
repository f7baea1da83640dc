"""What holds for every plot: axes in, axes out, nothing global, names as they are."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import matplotlib
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes

import fastmetrics as fm
from tests.plots.drawings import CALLS, FIVE, NASTY, svg_of, y_prob, y_true

ALL = [
    pytest.param(call, id=f"{name}-{k}")
    for name, calls in CALLS.items()
    for k, call in enumerate(calls)
]


def test_every_public_plot_is_looked_at_here():
    assert set(fm.plots.__all__) - {"plot_style", "off_screen"} == CALLS.keys()


@pytest.mark.parametrize("draw", ALL)
def test_a_plot_draws_on_the_axes_that_it_is_given(draw, ax):
    assert draw(ax) is ax
    assert pyplot.get_fignums() == []
    shown = [ax, *ax.child_axes]
    assert any(a.lines or a.patches or a.texts or a.images or a.collections for a in shown)
    ElementTree.fromstring(svg_of(ax))


@pytest.mark.parametrize("draw", ALL)
def test_a_plot_without_axes_makes_one_figure_of_pyplot(draw):
    ax = draw(None)
    assert isinstance(ax, Axes)
    assert [pyplot.figure(number) for number in pyplot.get_fignums()] == [ax.figure]
    ax.figure.canvas.draw()


@pytest.mark.parametrize("draw", ALL)
def test_off_screen_pyplot_knows_of_nothing(draw):
    with fm.plots.off_screen():
        ax = draw(None)
    assert pyplot.get_fignums() == []
    assert svg_of(ax).startswith("<?xml")


def test_off_screen_ends_with_its_block():
    with pytest.raises(ZeroDivisionError), fm.plots.off_screen():
        raise ZeroDivisionError
    fm.plots.plot_roc(y_true, y_prob)
    assert len(pyplot.get_fignums()) == 1


@pytest.mark.parametrize("draw", ALL)
def test_whatever_the_user_has_set_a_plot_comes_out(draw, ax):
    # LaTeX would need names in its own language, and is not installed here
    with matplotlib.rc_context({"text.usetex": True, "axes.grid": False, "font.size": 31}):
        draw(ax)
        texts = [text for a in (ax, *ax.child_axes) for text in a.texts]
        legend = ax.get_legend()
        texts += legend.get_texts() if legend else []
        assert not any(text.get_usetex() for text in texts)
        assert not ax.xaxis.label.get_usetex()


@pytest.mark.parametrize("wrong", ["roc", matplotlib.figure.Figure(), [1, 2]])
def test_what_is_no_axes_is_refused(wrong):
    with pytest.raises(TypeError, match=r"ax is \w+: pass one axes"):
        fm.plots.plot_roc(y_true, y_prob, ax=wrong)


@pytest.mark.parametrize("draw", ALL)
def test_without_matplotlib_the_message_says_what_to_install(draw, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'fastmetrics-engine\[report\]'"):
        draw(None)


def test_the_package_does_not_load_matplotlib():
    program = "import sys, fastmetrics as fm; fm.plots.plot_roc; print('matplotlib' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "False\n", found.stderr


def test_the_style_ends_with_its_block():
    before = dict(matplotlib.rcParams)
    with fm.plots.plot_style():
        assert dict(matplotlib.rcParams) != before
    assert dict(matplotlib.rcParams) == before
    with pytest.raises(ZeroDivisionError), fm.plots.plot_style():
        raise ZeroDivisionError
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("name", list(NASTY))
def test_names_come_out_as_they_are(name, ax):
    svg = svg_of(fm.plots.plot_roc(y_true, {name: FIVE[name]}, ax=ax))
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    drawn = "".join("".join(text.itertext()) for text in texts).replace("\u200b", "")
    assert name.replace(" ", "") in drawn.replace(" ", "")
    assert "<script>" not in svg


def test_five_models_differ_in_colour_and_in_line_style(ax):
    fm.plots.plot_roc(y_true, FIVE, ax=ax)
    curves = ax.lines[1:]
    assert len({line.get_color() for line in curves}) == 5
    assert len({str(line._dash_pattern) for line in curves}) == 5


def test_thirty_models_are_told_apart():
    from fastmetrics.plots.style import cue

    looks = {(cue(k).colour, str(cue(k).line_style)) for k in range(35)}
    assert len(looks) == 35


def test_a_second_call_goes_on_with_the_next_colour(ax):
    fm.threshold_sweep(y_true, y_prob).plot(ax, label="first")
    fm.threshold_sweep(y_true, y_prob**2).plot(ax, label="second")
    fm.plots.plot_roc(y_true, {"third": y_prob, "fourth": y_prob}, ax=ax)
    curves = [line for line in ax.lines if line.get_label() != "chance"]
    assert len({line.get_color() for line in curves}) == 4
    assert [text.get_text().split()[0] for text in ax.get_legend().get_texts()] == [
        "chance",
        "first",
        "second",
        "third",
        "fourth",
    ]


def test_a_long_legend_lies_below_and_the_figure_grows():
    short = fm.plots.plot_roc(y_true, {"a": y_prob})
    long = fm.plots.plot_roc(y_true, FIVE)
    assert long.figure.get_figheight() > short.figure.get_figheight() + 1.0
    for ax, outside in ((short, False), (long, True)):
        ax.figure.canvas.draw()
        legend, frame = ax.get_legend().get_window_extent(), ax.get_window_extent()
        assert (legend.y1 < frame.y0) == outside
        page = ax.figure.bbox
        assert legend.x0 >= page.x0
        assert legend.x1 <= page.x1
        assert legend.y0 >= page.y0
