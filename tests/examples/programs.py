"""Running the programs of examples/ in this process, and comparing what they print."""

import contextlib
import functools
import io
import re
import runpy
import sys
from pathlib import Path
from unittest import mock

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "examples"
NUMBER = re.compile(r"[+-]?\d[\d,]*\.?\d*(?:e[+-]\d+)?")


@contextlib.contextmanager
def beside(folder):
    """Put the modules of a folder first, as when Python runs a program there; keep none of them."""
    before = set(sys.modules)
    with mock.patch.object(sys, "path", [str(folder), *sys.path]):
        try:
            yield
        finally:
            for name in set(sys.modules) - before:
                if is_example(sys.modules[name]):
                    del sys.modules[name]


@functools.cache
def printed(program, *arguments):
    """What a program prints."""
    path = EXAMPLES / program
    output = io.StringIO()
    with (
        beside(path if path.is_dir() else path.parent),
        mock.patch.object(sys, "argv", [str(path), *arguments]),
        contextlib.redirect_stdout(output),
    ):
        runpy.run_path(str(path), run_name="__main__")
    return output.getvalue()


def is_example(module):
    file = getattr(module, "__file__", None)
    folders = list(getattr(module, "__path__", ()))  # a folder of modules has no file
    return any(EXAMPLES in Path(place).parents for place in [file, *folders] if place)


def numbers_in(text):
    """The numbers of a text, and the text with its numbers and spaces taken out."""
    values = [float(number.replace(",", "")) for number in NUMBER.findall(text)]
    return np.array(values), "".join(NUMBER.sub("#", text).split())


def assert_alike(text, expected, *, rtol=0.0, atol=0.0):
    """Equal words, and numbers equal but for what chance may move them by."""
    (values, words), (known, known_words) = numbers_in(text), numbers_in(expected)
    assert words == known_words
    np.testing.assert_allclose(values, known, rtol=rtol, atol=atol)
