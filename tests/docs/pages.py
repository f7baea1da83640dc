"""The pages of the documentation, and the tools that run their examples."""

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.glob("**/*.md"))


def read(page):
    """The text of a page."""
    return (DOCS / page).read_text(encoding="utf-8")


def load(name):
    """A module of docs/tools, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


TOOLS = load("page_examples")
