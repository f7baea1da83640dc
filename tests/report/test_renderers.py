"""The report as text, in a terminal, as Markdown, as HTML, in files."""

import csv
import html.parser
import io
import json
import re
import sys

import jsonschema
import pytest

import fastmetrics as fm
from fastmetrics.report.document import Table
from fastmetrics.report.drawings import drawings_of, drawn
from fastmetrics.report.plain_data import SCHEMA_VERSION, json_schema, plain_value
from fastmetrics.report.plain_text import table_lines
from fastmetrics.report.sections import sections_of
from fastmetrics.report.terminal import make_console, print_table
from tests.report.problems import MODELS, NASTY, problem

SECTIONS = [
    "findings", "data", "metrics", "comparison", "thresholds", "calibration", "curves", "slices",
    "folds", "method",
]  # fmt: skip


def shown(report, monkeypatch, width=None):
    """What ``show`` prints on a stream that is no terminal."""
    if width:
        monkeypatch.setenv("COLUMNS", str(width))
    else:
        monkeypatch.delenv("COLUMNS", raising=False)
    stream = io.StringIO()
    report.show(stream)
    return stream.getvalue()


VOID = {"meta", "img", "br", "hr", "link", "input"}


class Page(html.parser.HTMLParser):
    """The elements, their attributes and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.words, self.open = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        assert not [name for name in found if name.startswith("on")]
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        for name in ("src", "href", "xlink:href", "action", "data"):
            self.links += [found[name]] if name in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.words.append(data)


def test_the_sections(report):
    assert [section.key for section in sections_of(report)] == SECTIONS
    tables = [table for section in sections_of(report) for table in section.tables]
    assert len({table.key for table in tables}) == len(tables)
    for table in tables:
        assert all(len(row) == len(table.header) for row in table.rows)


def test_printed_it_is_the_report_as_text(report):
    text = repr(report)
    assert text.startswith("Evaluation of 2 models on 143 rows\n====")
    assert re.search(r"^roc_auc +logistic_regression +0\.9874 +0\.\d+ to 0\.\d+", text, re.M)
    assert re.search(r"^ +naive_bayes +0\.9816", text, re.M)
    assert re.search(r"^brier_score +-0\.0388 +-0\.0\d+ to -0\.00\d+ .* better$", text, re.M)
    assert "! The thresholds were chosen on the same rows" in text
    assert re.search(r"^positive +52 +1 +53$", text, re.M)
    assert report.method.lines()[1] in text
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_the_terminal_shows_what_the_text_does(report, monkeypatch):
    text = shown(report, monkeypatch)
    for section in sections_of(report):
        for table in section.tables:
            # a slice has more metrics than a line has room for
            if not table.detail and table.key != "slices":
                assert all(cell.strip() in text for row in table.rows for cell in row)
    for metric in report.scores.metrics[:3]:
        assert metric in text[text.index("Slices\n") :]
    assert "Left out for want of width: mean_cost" in text
    assert "\x1b" not in text


def test_a_narrow_terminal_loses_columns_and_no_digits(report, monkeypatch):
    text = shown(report, monkeypatch, width=80)
    assert "Left out for want of width: better" in text
    assert "0.9874" in text
    metric_table = text[text.index("Metrics\n") : text.index("Left out")]
    assert max(map(len, metric_table.splitlines())) <= 80


def test_a_terminal_narrower_than_a_table_still_shows_every_digit(report, monkeypatch):
    text = shown(report, monkeypatch, width=30)
    for number in ("0.9874", "0.9816", "0.0320", "0.2238"):
        assert number in text


def test_without_rich_it_is_plain_text(report, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    assert shown(report, monkeypatch) == f"{report!r}\n"


def test_show_prints_to_standard_output(report, capsys):
    report.show()
    assert "Findings" in capsys.readouterr().out


def test_long_tables_are_cut_and_say_so():
    table = Table("t", "T", ("a", "b"), tuple((str(k), "1") for k in range(70)), note="Note.")
    lines = list(table_lines(table))
    assert len(lines) == 1 + 60 + 1
    assert lines[-1] == "10 more rows are in the JSON and CSV. Note."


def test_a_table_without_a_column():
    table = Table("t", "T", ("a", "b", "c"), (("1", "2", "3"),), text_columns=2, optional=("b",))
    found = table.without("b")
    assert (found.header, found.rows, found.text_columns) == (("a", "c"), (("1", "3"),), 1)
    assert found.optional == ()


def test_a_word_longer_than_the_terminal_is_folded():
    stream = io.StringIO()
    console = make_console(stream)
    console.width = 40
    print_table(console, Table("t", "T", ("name", "n"), (("x" * 60, "1.25"),)))
    assert stream.getvalue().count("x") == 60
    assert "1.25" in stream.getvalue()


def test_markdown(report):
    text = report.to_markdown()
    assert text.startswith("# Evaluation of 2 models on 143 rows\n")
    assert [line[3:].lower() for line in text.splitlines() if line.startswith("## ")] == [
        key for key in SECTIONS if key != "curves"
    ]
    assert re.search(r"^\| roc_auc \| logistic_regression \| 0\.9874 \|", text, re.M)
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1


def test_markdown_of_nasty_names(nasty):
    text = nasty.to_markdown()
    assert "<script" not in text
    assert "\x1b" not in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1


def test_the_page_holds_everything(pages, report):
    found = Page(pages["report"])
    text = " ".join(" ".join(found.words).split())
    for section in sections_of(report):
        assert section.key in found.ids
        for table in section.tables:
            for row in table.rows:
                assert all(" ".join(cell.split()) in text for cell in row)
    for finding in report.findings:
        assert finding.text in text
    assert [f"figure-{drawing.key}" for drawing in drawings_of(report)] == [
        name for name in found.ids if name.startswith("figure-")
    ]
    assert found.tags.count("svg") == len(drawings_of(report))


@pytest.mark.parametrize("which", ["report", "nasty"])
def test_the_page_is_sound_and_loads_nothing(which, pages):
    found = Page(pages[which])
    assert not found.open
    assert len(set(found.ids)) == len(found.ids)
    assert set(found.links) <= {f"#{name}" for name in found.ids} | {
        link for link in found.links if link.startswith("data:image/png")
    }
    assert not {"script", "link", "iframe", "object", "embed", "form"} & set(found.tags)


def test_names_cannot_become_markup(pages):
    page = pages["nasty"]
    found = Page(page)
    assert "<script" not in page
    # a confusion matrix is an image within its figure; no name made another
    assert "img" not in found.tags
    text = " ".join(" ".join(found.words).split())
    for name in NASTY[:6]:
        assert name in text
    assert "<!--" not in page[20:]
    assert "\x1b" not in page


def test_the_page_is_written_and_the_same_again(report, pages, tmp_path):
    file = tmp_path / "report.html"
    assert report.to_html(file) == pages["report"]
    assert file.read_text(encoding="utf-8") == pages["report"]


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_without_the_extra_the_page_says_what_to_install(report, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModuleNotFoundError, match=f"{missing}: pip install 'fastmetrics-engine"):
        report.to_html()


@pytest.mark.parametrize("which", ["report", "nasty"])
def test_the_json_follows_its_schema(which, request):
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    described = json.loads(request.getfixturevalue(which).to_json())
    jsonschema.validate(described, schema)
    assert described["schema_version"] == SCHEMA_VERSION


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "options",
    [
        {"n_resamples": 0},
        {"y_pred": [0, 1, 1, 0, 1, 0], "y_score": None},
        {"y_score": [5, 1, 7, 3, 2, 9]},
        {"y_true": [0] * 6},
        {"metrics": "mean", "y_true": None},
        {"rng": None, "sample_weight": [1, 2, 3, 4, 5, 6], "resampling": "bayesian"},
        {"by": [1, 1, 1, 2, 2, 2], "strata": "class", "folds": [True, False] * 3},
        {"cost_fp": 100, "cost_fn": 1, "y_score": [0.9, 0.1, 0.2, 0.8, 0.3, 0.7]},
        {"metrics": ["rmse"], "y_true": [1.5, 2, 3, 4, 5, 6], "y_score": {"a": range(6)}},
    ],
)
def test_the_schema_holds_for_every_kind_of_report(options):
    data = {"y_true": [0, 1, 0, 1, 0, 1], "y_score": [0.1, 0.6, 0.3, 0.8, 0.55, 0.4]}
    report = fm.evaluate(**{**data, "n_resamples": 50, "rng": 0, **options})
    jsonschema.validate(report.to_dict(), json_schema())


def test_the_schema_refuses_what_it_does_not_know(report):
    described = report.to_dict()
    described["metrics"][0]["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError, match="surprise"):
        jsonschema.validate(described, json_schema())


def test_the_json_rounds_nothing(report):
    described = json.loads(report.to_json(indent=None))
    for row in described["metrics"]:
        key = [part for part in (row["model"], row["metric"], row["slice"]) if part is not None]
        if row["slice"] is None:
            assert row["estimate"] == report.scores.entries()[(*key, None)].estimate
    assert described["models"] == list(MODELS)
    assert described["method"]["seed"] == 0


def test_json_has_only_what_json_has():
    value = {"a": 0.5, 1: (2, float("nan")), "b": [True, float("-inf")], "c": None, "d": "text"}
    expected = {"a": 0.5, "1": [2, None], "b": [True, "-infinity"], "c": None, "d": "text"}
    assert plain_value(value) == expected


def test_tables_as_csv(report, tmp_path):
    files = {file.stem: file for file in report.to_csv(tmp_path / "new" / "folder")}
    assert set(files) == {
        "data", "scores", "metrics", "comparison", "thresholds", "threshold_intervals",
        "calibration", "calibration_bins", "curves", "slices", "folds", "fold_means", "findings",
        "method",
    }  # fmt: skip
    tables = {}
    for name, file in files.items():
        with file.open(newline="", encoding="utf-8") as stream:
            tables[name] = list(csv.DictReader(stream))
    described = report.to_dict()
    assert len(tables["metrics"]) == len(described["metrics"]) == 2 * 10 * 4
    first = tables["metrics"][0]
    assert float(first["estimate"]) == described["metrics"][0]["estimate"]
    assert first["greater_is_better"] == "true"
    assert first["slice"] == ""
    assert len(tables["curves"]) == sum(len(curve["points"]) for curve in described["curves"])
    assert [row["text"] for row in tables["findings"]] == [f.text for f in report.findings]


def test_csv_of_nasty_names_holds_no_formula(nasty, tmp_path):
    for file in nasty.to_csv(tmp_path):
        with file.open(newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                for cell in row.values():
                    number = re.fullmatch(r"-?[\d.e+-]+", cell)
                    assert number or not cell.startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("format", ["png", "svg"])
def test_figures_stay_in_their_folder(nasty, tmp_path, format):
    folder = tmp_path / "figures"
    files = nasty.figures(folder, format)
    assert len(set(files)) == len(files) == len(drawings_of(nasty))
    assert sorted(tmp_path.rglob("*.*")) == sorted(files)
    beginnings = {"png": b"\x89PNG", "svg": b"<?xml"}
    assert all(file.read_bytes().startswith(beginnings[format]) for file in files)


def test_figures_leave_nothing_open(report):
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    for drawing in drawings_of(report)[:3]:
        with drawn(drawing):
            assert pyplot.get_fignums() != before
    assert pyplot.get_fignums() == before


def test_an_unknown_format_of_figures(report, tmp_path):
    with pytest.raises(ValueError, match="format='bmp': give 'png' or 'svg'"):
        report.figures(tmp_path, "bmp")


@pytest.mark.parametrize("models", [1, 5])
def test_every_figure_is_drawn_for_any_number_of_models(models, tmp_path):
    y_true, scores = problem(80, models)
    report = fm.evaluate(
        y_true,
        scores,
        metrics=["roc_auc", "f1"],
        cost_fp=1,
        cost_fn=3,
        n_resamples=400,
        method="percentile",
        rng=0,
    )
    files = report.figures(tmp_path)
    names = {file.stem for file in files}
    assert {"metrics", "costs", "thresholds", "reliability", "roc", "precision_recall"} <= names
    assert sum(name.startswith("confusion") for name in names) == models
    assert ("differences" in names) == (models > 1)
