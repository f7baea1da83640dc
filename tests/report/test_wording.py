"""Numbers and names in sentences, and names that are safe wherever they go."""

import math

import numpy as np
import pytest

from fastmetrics.report import wording
from fastmetrics.report.names import escape_markdown, file_name, printable, spreadsheet_text
from tests.report.problems import NASTY


def test_small_standard_errors_show_their_digits():
    assert wording.decimals(0.008) == 4
    assert wording.decimals(0.00012) == 5
    assert wording.decimals(2.5e-7) == 8
    assert wording.decimals(0.0) == wording.decimals(math.nan) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (wording.value_text(0.98741), "0.9874"),
        (wording.value_text(-1e-9, signed=True), "+0.0000"),
        (wording.value_text(math.nan), "undefined"),
        (wording.value_text(math.inf), "infinite"),
        (wording.value_text(1234567.8), "1,234,568"),
        (wording.interval_text(0.1, 0.25, 2), "0.10 to 0.25"),
        (wording.interval_text(math.nan, 0.25), "undefined"),
        (wording.count_text(1200.0), "1,200"),
        (wording.count_text(12.25), "12.2"),
        (wording.percent(0.3706), "37 %"),
        (wording.percent(0.019), "1.9 %"),
        (wording.percent(0.0003), "0.030 %"),
        (wording.percent(0.9999), "99.990 %"),
        (wording.percent(1.0), "100 %"),
        (wording.percent(0.0), "0.0 %"),
        (wording.two_percents(0.9487, 0.95), ("94.9 %", "95.0 %")),
        (wording.p_text(0.0123), "0.012"),
        (wording.p_text(0.00000123), "1e-06"),
        (wording.threshold_text(math.inf), "above all scores"),
        (wording.threshold_text(math.nan), "none"),
        (wording.plural(1, "row is", "rows are"), "1 row is"),
        (wording.plural(1200, "row"), "1,200 rows"),
        (wording.listed("abc"), "a, b and c"),
        (wording.listed("abcde"), "a, b, c, d and e"),
        (wording.listed("abcdef"), "a, b, c, d and 2 more"),
        (wording.joined(["a"]), "a"),
        (wording.joined([]), ""),
    ],
)
def test_texts(text, expected):
    assert text == expected


def test_a_threshold_that_is_typed_in_again_flags_its_own_row():
    generator = np.random.default_rng(0)
    for value in generator.normal(size=200) * 10.0 ** generator.integers(-8, 8, 200):
        text = wording.threshold_text(float(value))
        assert float(text) <= value
        assert float(text) == pytest.approx(value, rel=2e-5)


def test_names_are_printable_in_one_line():
    for name in NASTY:
        shown = printable(name)
        assert all(sign.isprintable() or sign == "\u200d" for sign in shown)
        assert shown.strip()
    assert printable("a\tb\nc") == "a b c"
    assert printable("\x1b[31m") == "\\x1b[31m"
    assert printable("\u202egpj.exe") == "\\u202egpj.exe"
    assert printable("👩\u200d🔬") == "👩\u200d🔬"
    assert printable("") == "''"
    assert printable("\ud800").encode() == b"\\ud800"
    assert printable(3) == "3"


def test_file_names_stay_in_their_folder():
    taken = set()
    for name in [*NASTY, "..", ".", "", "/etc/passwd", "C:\\x", "é", "x" * 300, "CON", "🦀"]:
        found = file_name(name, taken)
        assert found not in taken
        assert len(found) <= 60
        assert set(found) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")
        taken.add(found)
    assert file_name("Logistic Regression") == "logistic-regression"
    assert file_name("é") == "e"
    assert file_name("a b", {"a-b", "a-b-2"}) == "a-b-3"


def test_markdown_shows_names_as_they_are():
    assert escape_markdown("a|b") == "a\\|b"
    assert escape_markdown("<b>&") == "&lt;b&gt;&amp;"
    assert escape_markdown("$x$ `y` *z* [u](v)") == "\\$x\\$ \\`y\\` \\*z\\* \\[u\\](v)"
    assert escape_markdown("average_precision") == "average_precision"
    assert escape_markdown("_x_") == "\\_x\\_"
    assert escape_markdown("a\\") == "a\\\\"
    assert escape_markdown("a\nb") == "a b"


def test_no_text_is_a_formula():
    for text in ("=1+1", "+1", "-1", "@x", "\tx"):
        assert spreadsheet_text(text) == f"'{text}"
    assert spreadsheet_text("model") == "model"
