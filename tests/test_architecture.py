"""The layers of the project: imports go down only, and kernels know nothing of the interface."""

import ast
import sys
from pathlib import Path

import pytest

import fastmetrics

ROOT = Path(__file__).parent.parent
# Of each folder, from the bottom to the top.
LAYERS = {
    "fastmetrics": [
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
    ],
    "fastmetrics.engine": [
        {"__init__"},
        {"description"},
        {"statistics", "functions"},
        {"sweeps"},
        {"inputs"},
        {"evaluation"},
        {"draws"},
        {"readings"},
        {"jackknife"},
        {"plans"},
    ],
    "fastmetrics.inference": [
        {"__init__"},
        {"intervals"},
        {"pvalues", "entries", "_normal_limits"},
        {"arguments", "proportions"},
        {"bootstraps", "folds"},
        {"comparisons"},
        {"delong"},
    ],
}
HEIGHT = {
    package: {unit: height for height, layer in enumerate(layers) for unit in layer}
    for package, layers in LAYERS.items()
}
# A metric may be named in a call, and evaluated by one; a result draws itself, and compares its
# models: the call, not the import, looks up.
UPWARD = {
    "fastmetrics": {("ranking", "registry"), ("decisions", "registry")},
    "fastmetrics.engine": {("description", "evaluation")},
    "fastmetrics.inference": {("bootstraps", "comparisons")},
}
UPWARD["fastmetrics"] |= {
    (unit, "plots") for unit in ("ranking", "decisions", "probability", "inference", "simulation")
}
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


def is_ours(dotted, package="fastmetrics"):
    return f"{dotted}.".startswith(f"{package}.")


def unit_of(dotted, package="fastmetrics"):
    """The file or folder of a package that a dotted name within it belongs to."""
    name = dotted.removeprefix(package).lstrip(".").partition(".")[0]
    names = {path.stem for path in (ROOT / package.replace(".", "/")).iterdir()}
    return name if name in names else "__init__"


def crossings(path, nodes=ast.walk):
    """Every import from one unit of a package to another: package, both units, where, and what."""
    module = module_of(path)
    for name, line in imports_of(path, nodes):
        for package in LAYERS:
            if is_ours(module, package) and is_ours(name, package):
                units = unit_of(module, package), unit_of(name, package)
                if units[0] != units[1]:
                    yield package, units, f"{path.relative_to(ROOT)}:{line} imports {name}"


@pytest.mark.parametrize("package", LAYERS)
def test_every_module_has_a_layer(package):
    modules = [module_of(path) for path in KERNELS + INTERFACE]
    units = {unit_of(module, package) for module in modules if is_ours(module, package)}
    assert units == HEIGHT[package].keys()


def test_no_module_bears_the_name_of_what_is_public_elsewhere():
    modules = {module_of(path) for path in KERNELS + INTERFACE}
    public = {name for name in fastmetrics.__all__ if f"fastmetrics.{name}" not in modules}
    assert not {module for module in modules if module.rpartition(".")[2] in public}


@pytest.mark.parametrize("path", KERNELS + INTERFACE, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down_only(path):
    upward = [
        what
        for package, units, what in crossings(path)
        if HEIGHT[package][units[1]] > HEIGHT[package][units[0]] and units not in UPWARD[package]
    ]
    assert not upward, "\n".join(upward)


@pytest.mark.parametrize("path", INTERFACE, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_looked_up_waits_for_the_call(path):
    early = [
        what
        for package, units, what in crossings(path, run_on_import)
        if path.suffix == ".py" and units in UPWARD[package]
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
