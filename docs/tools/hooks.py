"""What mkdocs does to the pages: it fills in what is generated.

Conventions
-----------
``<!-- insert: NAME -->`` on a line of its own stands for a file of the repository, for a section of
one (``README.md#Good to know``, or ``#*`` for all below the title), for a drawing of
``docs/figures``, or for one of ``GENERATED``. The figures and HTML files that the examples of a
page write are made when the site is built.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from page_examples import ROOT, run_python, working_folder

INSERT = re.compile(r"^<!-- insert: (?P<name>.+?) -->$", re.M)
NAME = re.compile(r"(?<![\[`\w])`(?P<prefix>fm\.)?(?P<name>[A-Za-z][\w.]*)`(?![\]`])")
RELATIVE_LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:|#)[^)]*\)")
WRITES = re.compile(r"\.(savefig|to_html)\(\"")
DRAWINGS = ROOT / "docs" / "figures"
# options that a metric cannot do without, for the table
REQUIRED: dict[str, dict[str, Any]] = {
    "lift_at_k": {"k": 0.1},
    "mean_absolute_scaled_error": {"y_train": [1.0, 2.0]},
    "net_benefit": {"threshold": 0.5},
    "partial_auc": {"max_fpr": 0.1},
    "precision_at_k": {"k": 0.1},
    "precision_at_recall": {"min_recall": 0.5},
    "recall_at_false_positive_rate": {"max_fpr": 0.1},
    "recall_at_k": {"k": 0.1},
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in what a page inserts, and link the public names that it mentions."""
    return INSERT.sub(lambda found: inserted(found["name"]), linked(markdown))


def linked(markdown: str) -> str:
    """Link inline code that is a public name, ``fm.bootstrap`` or a name with an underscore."""
    known = {name.removeprefix("fastmetrics."): name for name in reference_names()}
    known |= {name.rpartition(".")[2]: name for name in known.values() if "simulation" in name}

    def link(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in known or not (found["prefix"] or "_" in name):
            return found[0]
        return f"[{found[0]}][{known[name]}]"

    lines, fenced = [], False
    for line in markdown.splitlines(keepends=True):
        fenced ^= line.lstrip().startswith("```")
        lines.append(line if fenced or line.startswith("#") else NAME.sub(link, line))
    return "".join(lines)


@functools.cache
def reference_names() -> tuple[str, ...]:
    """Return every name that a page of the reference shows."""
    pages = sorted((ROOT / "docs" / "reference").glob("*.md"))
    return tuple(
        name
        for page in pages
        for name in re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.M)
    )


def inserted(name: str) -> str:
    """Return what a name stands for."""
    if name in GENERATED:
        return GENERATED[name]()
    if name.endswith(".svg"):
        return f'<figure class="drawing">{drawing(name)}</figure>'
    path, _, heading = name.partition("#")
    # what is linked from a file of the repository is no page of the site
    text = RELATIVE_LINK.sub(r"\1", (ROOT / path).read_text(encoding="utf-8"))
    if heading == "*":
        return text.partition("\n")[2]
    return section(text, heading) if heading else text


def section(text: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if found is None:
        raise ValueError(f"there is no section {heading!r}")
    return found[1].strip()


def drawing(name: str) -> str:
    """Return a drawing as HTML, without blank lines, which would end it."""
    lines = (DRAWINGS / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line.strip() and not line.startswith("<?xml"))


def registry_table() -> str:
    """Return the table of all metrics of the registry."""
    import fastmetrics as fm

    lines = [
        "| metric | reads | from | to | better | interval | needs |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name in fm.metric_names():
        needed = REQUIRED.get(name, {})
        metric = fm.metric(name, **needed)
        cells = [
            f"`{name}`",
            metric.input,
            *(f"{bound:g}".replace("inf", "∞").replace("-", "−") for bound in metric.bounds),
            "higher" if metric.greater_is_better else "lower",
            metric.default_interval,
            ", ".join(f"`{option}`" for option in needed),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def alias_table() -> str:
    """Return the table of the aliases of the registry."""
    from fastmetrics.registry import ALIASES

    lines = [f"| `{alias}` | `{name}` |" for alias, name in sorted(ALIASES.items())]
    return "\n".join(["| alias | metric |", "| --- | --- |", *lines])


def drop_in_names() -> str:
    """Return the functions that scikit-learn has under the same name."""
    import sklearn.calibration
    import sklearn.metrics

    import fastmetrics as fm

    theirs = {*dir(sklearn.metrics), *dir(sklearn.calibration)}
    return ", ".join(f"[`{name}`][fastmetrics.{name}]" for name in fm.__all__ if name in theirs)


def name_table() -> str:
    """Return every name of the reference, page by page, with the first line of its docstring."""
    lines = []
    for page in sorted((ROOT / "docs" / "reference").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        names = re.findall(r"^::: (\S+)$", text, re.M)
        if names:
            title = text.partition("\n")[0].removeprefix("# ")
            lines += [f"\n## [{title}]({page.name})\n", "| name | |", "| --- | --- |"]
            lines += [f"| [`{_short(name)}`][{name}] | {summary(name)} |" for name in names]
    return "\n".join(lines)


def _short(name: str) -> str:
    return name.replace("fastmetrics.", "fm.", 1)


def summary(name: str) -> str:
    """Return the first line of the docstring of a name."""
    import fastmetrics

    value = functools.reduce(getattr, name.split(".")[1:], fastmetrics)
    return (inspect.getdoc(value) or "").partition("\n")[0].replace("|", "\\|")


def option_tables() -> str:
    """Return the options of every command of the command line."""
    import typer

    from fastmetrics.cli.commands import application

    lines = []
    commands: dict[str, Any] = getattr(typer.main.get_command(application), "commands", {})
    for name, command in sorted(commands.items()):
        shown = [one for one in command.params if one.name != "help"]
        if shown:
            lines += [f"\n### fastmetrics {name}\n", "| option | |", "| --- | --- |"]
            lines += [f"| `{', '.join(one.opts)}` | {_described(one)} |" for one in shown]
    return "\n".join(lines)


def _described(option: Any) -> str:
    """Return the help of an option, and its default where it has one that says something."""
    text = (option.help or "").replace("|", "\\|")
    default = option.default
    if getattr(option, "is_flag", False) or default is None or callable(default) or default == []:
        return text
    value = getattr(default, "value", default)
    return f"{text}; `{value}` by default" if text else f"`{value}` by default"


def benchmark_tables() -> str:
    """Return the tables that the benchmarks wrote, their titles as headings."""
    text = inserted("benchmarks/results.md#*")
    return re.sub(r"^\*\*(.+)\*\*$", r"## \1", text, flags=re.M)


GENERATED: dict[str, Callable[[], str]] = {
    "aliases": alias_table,
    "benchmarks": benchmark_tables,
    "drop-in": drop_in_names,
    "names": name_table,
    "options": option_tables,
    "registry": registry_table,
}


def on_files(files: Files, config: Any) -> Files:
    """Add the figures and HTML files that the examples of pages write."""
    for page in files.documentation_pages():
        if WRITES.search(page.content_string):
            for name, content in written_files(page.content_string, page.src_uri).items():
                uri = str(Path(page.src_uri).parent / name)
                files.append(File.generated(config, uri, content=content))
    return files


def written_files(text: str, name: str) -> dict[str, bytes]:
    """Run the examples of a page; the files for the site that they wrote, by name."""
    import matplotlib

    matplotlib.use("svg")
    with working_folder() as folder:
        for outcome in run_python(text, name):
            if outcome.failed:
                raise ValueError(f"{name} line {outcome.line + 1}: {outcome.got}")
        found = [path for path in folder.iterdir() if path.suffix in (".svg", ".html")]
        return {path.name: path.read_bytes() for path in found}
