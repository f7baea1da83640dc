"""The examples of the documentation: every one runs and prints what the page says."""

import re
import sys
from pathlib import Path

import pytest

from tests.docs import pages
from tests.docs.pages import PAGES, TOOLS

LANGUAGES = {"pycon", "console", "sh", "json", "text", "r"}
# what a reader runs once, in a shell of their own
SET_UP = re.compile(r"(python3? -m venv|\.venv/bin/pip install|\. \.venv|fastmetrics warmup)")


def outcomes(run, page):
    with TOOLS.working_folder():
        return list(run(page))


def report(outcome, page):
    return (
        f"docs/{page} line {outcome.line + 1}\n{outcome.source}"
        f"the page says\n{outcome.want}it prints\n{outcome.got}"
    )


@pytest.mark.parametrize("page", PAGES)
def test_the_python_examples_print_what_the_page_says(page):
    text = pages.read(page)
    found = outcomes(lambda text: TOOLS.run_python(text, page), text)
    wrong = [report(outcome, page) for outcome in found if not outcome.agrees]
    assert not wrong, "\n".join(wrong)
    assert len(found) == len(re.findall(r"^ *>>> ", text, re.M))


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in pages.read(page)])
def test_the_commands_print_what_the_page_says(page):
    text = pages.read(page)
    found = outcomes(TOOLS.run_console, text)
    wrong = [report(outcome, page) for outcome in found if not outcome.agrees]
    assert not wrong, "\n".join(wrong)
    assert len(found) == len(re.findall(r"^ *\$ ", text, re.M))


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_one_that_runs(page):
    for block in TOOLS.blocks_of(pages.read(page)):
        place = f"docs/{page} line {block.line + 1}"
        assert block.language in LANGUAGES, f"{place}: {block.language} is not run by any test"
        if block.language == "pycon":
            assert block.code.startswith(">>> "), place
        if block.language == "sh":
            assert all(SET_UP.match(line) for line in block.code.splitlines()), place


def test_the_fences_are_all_found():
    for page in PAGES:
        text = pages.read(page)
        assert 2 * len(TOOLS.blocks_of(text)) == len(re.findall(r"^ *```", text, re.M)), page


def test_an_example_that_lies_is_caught(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("# A\n\n```pycon\n>>> 1 + 1\n3\n>>> x = 5\n```\n\n```pycon\n>>> x\n5\n```\n")
    found = list(TOOLS.run_python(page.read_text(), "page"))
    assert [outcome.agrees for outcome in found] == [False, True, True]
    assert TOOLS.refresh(page) == 1
    assert ">>> 1 + 1\n2\n>>> x = 5\n```" in page.read_text()


def test_a_command_that_lies_is_caught(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one \\\n    two\none\n$ printf 'a\\nb\\n'\na\nb\n```\n")
    assert TOOLS.refresh(page) == 1
    assert page.read_text() == (
        "```console\n$ echo one \\\n    two\none two\n$ printf 'a\\nb\\n'\na\nb\n```\n"
    )


def test_commands_are_those_of_this_interpreter():
    assert Path(__file__).parents[2] == TOOLS.ROOT
    (outcome,) = TOOLS.run_console("```console\n$ head -2 `command -v fastmetrics`\n```\n")
    assert sys.executable in outcome.got
