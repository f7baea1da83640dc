"""The layers of the project: imports go down only, and kernels know nothing of the interface."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# From the bottom to the top.
LAYERS = [
    {"kernels"},
    {"errors", "tables"},
    {"input"},
    {"engine"},
    {"ranking", "classification", "probability", "regression", "decisions"},
    {"registry"},
    {"batch", "inference"},
    {"simulation"},
    {"plots"},
    {"report"},
    {"cli", "compilation", "__init__"},
]
# A metric may be named in a call, and a result draws itself: the call, not the import, looks up.
UPWARD = {("ranking", "registry"), ("decisions", "registry")}
UPWARD |= {
    (unit, "plots") for unit in ("ranking", "decisions", "probability", "inference", "simulation")
}
HEIGHT = {unit: height for height, layer in enumerate(LAYERS) for unit in layer}
KERNEL_LIBRARIES = {"fastmetrics.kernels", "numpy", "numba", *sys.stdlib_module_names}


def module_of(path):
    """The dotted name that a file is imported by."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[0] == "kernels":
        parts.insert(0, "fastmetrics")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# glob's ** does not follow fastmetrics/kernels, which is a link
KERNELS = sorted((ROOT / "kernels").glob("**/*.py"))
INTERFACE = sorted(
    path
    for path in (ROOT / "fastmetrics").glob("**/*.py*")
    if path.suffix in (".py", ".pyi") and "kernels" not in path.relative_to(ROOT).parts
)


def run_on_import(node):
    """Every node that runs when the module is imported: no bodies of functions, no types."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from run_on_import(child)


def imports_of(path, nodes=ast.walk):
    """Every dotted name that a file imports, at its top or inside a function, with the line."""
    module = module_of(path)
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for node in nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [node.module] if node.module else []
            if node.level:
                base = package.split(".")[: package.count(".") + 2 - node.level] + base
            yield from ((".".join([*base, name.name]), node.lineno) for name in node.names)


def unit_of(dotted):
    """The file or folder of the package that a dotted name belongs to."""
    parts = dotted.split(".")
    names = {path.stem for path in (ROOT / "fastmetrics").iterdir()}
    return parts[1] if len(parts) > 1 and parts[1] in names else "__init__"


def is_ours(dotted):
    return dotted.split(".")[0] == "fastmetrics"


def test_every_module_has_a_layer():
    units = {unit_of(module_of(path)) for path in INTERFACE}
    assert units <= HEIGHT.keys(), f"place {units - HEIGHT.keys()} in LAYERS"


@pytest.mark.parametrize("path", KERNELS + INTERFACE, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down_only(path):
    importer = unit_of(module_of(path))
    upward = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for name, line in imports_of(path)
        if is_ours(name)
        and HEIGHT[unit_of(name)] > HEIGHT[importer]
        and (importer, unit_of(name)) not in UPWARD
    ]
    assert not upward, "\n".join(upward)


@pytest.mark.parametrize("path", INTERFACE, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_looked_up_waits_for_the_call(path):
    importer = unit_of(module_of(path))
    early = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for name, line in imports_of(path, run_on_import)
        if path.suffix == ".py" and is_ours(name) and (importer, unit_of(name)) in UPWARD
    ]
    assert not early, "\n".join(early)


@pytest.mark.parametrize("path", INTERFACE, ids=lambda path: str(path.relative_to(ROOT)))
def test_matplotlib_waits_for_the_first_plot(path):
    early = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for name, line in imports_of(path, run_on_import)
        if name.partition(".")[0] == "matplotlib"
    ]
    assert not early, "\n".join(early)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_kernels_import_numpy_and_numba_only(path):
    foreign = [
        f"{path.name}:{line} imports {name}"
        for name, line in imports_of(path)
        if not any(f"{name}.".startswith(f"{library}.") for library in KERNEL_LIBRARIES)
    ]
    assert not foreign, "\n".join(foreign)


@pytest.mark.parametrize("path", KERNELS + INTERFACE, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_one_decorator_compiles(path):
    if path == ROOT / "kernels" / "_jit.py":
        return
    compilers = {"numba.njit", "numba.jit", "numba.vectorize", "numba.guvectorize"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    used = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= {name for name, _ in imports_of(path)}
    assert not used & compilers


def test_imports_are_resolved(tmp_path, monkeypatch):
    package = tmp_path / "fastmetrics"
    package.mkdir()
    for name in ("bootstrap", "metric"):
        (package / f"{name}.py").touch()
    source = package / "metric.py"
    source.write_text(
        "import numpy as np\nimport fastmetrics.bootstrap\nfrom fastmetrics import bootstrap\n"
        "from . import bootstrap\nfrom .bootstrap import bootstrap\nfrom fastmetrics import other\n"
    )
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    units = [unit_of(name) for name, _ in imports_of(source) if is_ours(name)]
    assert units == ["bootstrap"] * 4 + ["__init__"]


def test_imports_that_wait_are_told_from_others(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "fastmetrics").mkdir()
    source = tmp_path / "fastmetrics" / "metric.py"
    source.write_text(
        "import top\nif TYPE_CHECKING:\n    import types_only\nif other:\n    import early\n"
        "class A:\n    import inner\n    def f(self):\n        import late\n"
    )
    assert [name for name, _ in imports_of(source, run_on_import)] == ["top", "early", "inner"]
