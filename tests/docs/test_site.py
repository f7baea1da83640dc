"""The documentation site: it builds without a warning and knows every public name."""

import re
import subprocess
import sys

import pytest

import fastmetrics
from tests import processes
from tests.docs import pages
from tests.docs.pages import DOCS, PAGES, ROOT

LONGEST = 400


def documented():
    """Every name that a reference page takes from its docstring, with repetitions."""
    texts = [pages.read(page) for page in PAGES if page.startswith("reference/")]
    return [name for text in texts for name in re.findall(r"^::: fastmetrics\.(\S+)$", text, re.M)]


def public():
    """Every public name; a module stands for its own."""
    modules = {"batch": ("roc_auc_score", "average_precision_score")}
    for module in ("plots", "simulation"):
        modules[module] = getattr(fastmetrics, module).__all__
    for name in fastmetrics.__all__:
        yield from (f"{name}.{part}" for part in modules[name]) if name in modules else (name,)


def test_the_reference_has_every_public_name_once():
    shown, expected = documented(), set(public())
    assert not expected - set(shown), "add these to a page of docs/reference"
    assert not set(shown) - expected, "no such public name"
    assert len(shown) == len(set(shown)), "a name stands on two pages"


def test_batch_has_no_other_functions():
    import inspect

    functions = inspect.getmembers(fastmetrics.batch, inspect.isfunction)
    ours = {
        name
        for name, value in functions
        if value.__module__ == "fastmetrics.batch" and not name.startswith("_")
    }
    assert ours == {"roc_auc_score", "average_precision_score"}


@pytest.mark.parametrize("page", PAGES)
def test_pages_stay_short(page):
    assert pages.read(page).count("\n") < LONGEST


def test_the_install_command_is_that_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "python3 -m venv .venv" in readme
    assert "python3 -m venv .venv\n.venv/bin/pip install " in pages.read("getting-started.md")


def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: pip install -e '.[docs]'")
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed")
    arguments = ["build", "--strict", "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=ROOT,
        env=processes.environment(NO_MKDOCS_2_WARNING=1),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert built.returncode == 0, built.stdout
    assert "WARNING" not in built.stdout
    for page in PAGES:
        folder = tmp_path / "site" / page.removesuffix("index.md").removesuffix(".md")
        html = (folder / "index.html").read_text(encoding="utf-8")
        assert "<!-- insert" not in html, page
    reference = (tmp_path / "site/reference/bootstrap/index.html").read_text(encoding="utf-8")
    assert 'id="fastmetrics.bootstrap"' in reference
    assert "DEFAULT_RESAMPLES" not in reference
    assert not (tmp_path / "site" / "tools").exists()
    guide = (tmp_path / "site/choosing-a-metric/index.html").read_text(encoding="utf-8")
    assert "/reference/lists/#fastmetrics.ndcg_score" in guide, "names in the text are linked"
    assert (tmp_path / "site/roc.svg").exists(), "figures are drawn by the examples"


def test_the_site_asks_no_other_host(tmp_path):
    """Fonts, scripts and styles come with the site."""
    configured = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "font: false" in configured
    for path in DOCS.glob("**/*.svg"):
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in text, path
