"""The examples of the pages: found, run, and their output written anew.

``python docs/tools/page_examples.py docs/comparing.md`` runs the examples of pages in order, in one
namespace per page, and writes the output of those whose output is another one now. Look at the
changes before you keep them.

Conventions
-----------
A ``pycon`` block holds prompts and what they print, as a doctest; ``...`` in an output stands for
any text. A ``console`` block holds commands after ``$`` and what they print. All run in a folder
that has ``examples/`` in it and nothing else.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import traceback
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<code>.*?)^(?P=indent)```$", re.M | re.S
)
# a command, over several lines where they end in a backslash, and what it prints
COMMAND = re.compile(r"^\$ (?:.*\\\n)*.*\n(?P<want>(?:(?!\$ ).*\n)*)", re.M)
MAIN = "import sys; from fastmetrics.cli import main; main(sys.argv[1:])"


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Parameters
    ----------
    language : the word after the fence
    code : what is inside, without the indentation of the fence
    line : number of the first line of the code, from 0
    indent : the indentation
    """

    language: str
    code: str
    line: int
    indent: str


@dataclass(frozen=True)
class Outcome:
    """What an example printed.

    Parameters
    ----------
    source : the code or the command
    want, got : what the page says, and what came
    line : number of its first line in the page, from 0
    indent : of its block
    failed : whether it ended with an error that the page does not show
    """

    source: str
    want: str
    got: str
    line: int
    indent: str
    failed: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the page tells the truth."""
        return doctest.OutputChecker().check_output(self.want, self.got, FLAGS)

    @property
    def output_lines(self) -> slice:
        """Where the output stands in the page."""
        first = self.line + self.source.count("\n")
        return slice(first, first + self.want.count("\n"))


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a page."""
    return [
        Block(
            found["language"],
            textwrap.dedent(found["code"]),
            text.count("\n", 0, found.start("code")),
            found["indent"],
        )
        for found in FENCE.finditer(text)
    ]


def run_python(text: str, name: str) -> Iterator[Outcome]:
    """Run the prompts of a page in order, in one namespace."""
    parser, names = doctest.DocTestParser(), {"__name__": "__main__"}
    for block in blocks_of(text):
        if block.language == "pycon":
            for example in parser.get_examples(block.code, name):
                runner = _Recorder(optionflags=FLAGS)
                test = doctest.DocTest([example], names, name, name, block.line, block.code)
                runner.run(test, clear_globs=False)
                names = test.globs
                line = block.line + example.lineno
                yield Outcome(
                    example.source, example.want, runner.got, line, block.indent, runner.failed
                )


class _Recorder(doctest.DocTestRunner):
    """Keeps what an example printed, or the error that it ended with."""

    got = ""
    failed = False

    def report_start(self, out, test, example):  # type: ignore[no-untyped-def]
        self.got = ""

    def report_success(self, out, test, example, got):  # type: ignore[no-untyped-def]
        self.got = got

    report_failure = report_success

    def report_unexpected_exception(self, out, test, example, exc_info):  # type: ignore[no-untyped-def]
        self.failed = True
        self.got = "".join(traceback.format_exception_only(exc_info[1]))


def run_console(text: str) -> Iterator[Outcome]:
    """Run the commands of a page in order, in the present folder."""
    for block in blocks_of(text):
        if block.language == "console":
            for found in re.finditer(
                r"^\$ (?:.*\\\n)*.*\n(?P<want>(?:(?!\$ ).*\n)*)", block.code, re.M
            ):
                source = found[0][: found.start("want") - found.start()]
                got = _run_command(source.removeprefix("$ "))
                line = block.line + block.code.count("\n", 0, found.start())
                yield Outcome(source, found["want"], got, line, block.indent)


def _run_command(command: str) -> str:
    """Run a command in a shell that knows ``fastmetrics``; what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "fastmetrics"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{MAIN}" "$@"\n')
        program.chmod(0o755)
        paths = {
            "PATH": os.pathsep.join([folder, os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "100",
        }
        finished = subprocess.run(
            command,
            shell=True,
            env={**os.environ, **paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    return re.sub(r" +$", "", finished.stdout, flags=re.M)


@contextmanager
def working_folder() -> Iterator[Path]:
    """Change into a new folder that has the examples in it."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("examples").symlink_to(ROOT / "examples")
        yield Path(folder)


def refresh(page: Path) -> int:
    """Write the outputs of a page that changed; how many there are."""
    text = page.read_text(encoding="utf-8")
    with working_folder():
        outcomes = [*run_python(text, page.name), *run_console(text)]
    changed = [outcome for outcome in outcomes if not outcome.agrees]
    lines = text.splitlines(keepends=True)
    for outcome in sorted(changed, key=lambda outcome: -outcome.line):
        lines[outcome.output_lines] = textwrap.indent(outcome.got, outcome.indent).splitlines(True)
    page.write_text("".join(lines), encoding="utf-8")
    return len(changed)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        sys.stdout.write(f"{argument}: {refresh(Path(argument).absolute())} outputs written\n")
