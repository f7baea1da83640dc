"""The wheel and the source archive hold what they should, and work away from the repository."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import fastmetrics

ROOT = Path(__file__).parent.parent
COPIED = ["fastmetrics", "kernels", "tests", "examples", "pyproject.toml", "MANIFEST.in"]
COPIED += ["README.md", "CHANGELOG.md", "LICENSE"]
REPORT_FILES = ["schema.json", "templates/report.html.j2", "templates/style.css"]
SOURCES = sorted(path.name for path in (ROOT / "kernels").glob("*.py"))


def run(*arguments, folder, **environment):
    """Run Python on arguments in a folder and return what it prints."""
    finished = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout
    return finished.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The source archive, and the wheel that is built from it."""
    source = tmp_path_factory.mktemp("source")
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=unwanted)
        else:
            shutil.copy(ROOT / name, source / name)
    output = tmp_path_factory.mktemp("dist")
    run("-m", "build", "--no-isolation", "--outdir", output, folder=source)
    return {path.suffix: path for path in output.iterdir()}


@pytest.fixture(scope="module")
def installed(archives, tmp_path_factory):
    """A folder that holds the installed wheel and nothing else."""
    target = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-index", "--quiet", "--target", target]
    run("-m", "pip", "install", *options, archives[".whl"], folder=target)
    return target


def test_the_version_is_said_once_more_and_agrees():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert fastmetrics.__version__ == project["version"]


def test_the_wheel_holds_the_package_and_the_kernels_once(archives):
    assert archives[".whl"].name == "fastmetrics_engine-0.1.0-py3-none-any.whl"
    names = zipfile.ZipFile(archives[".whl"]).namelist()
    assert len(names) == len(set(names))
    assert {name.partition("/")[0] for name in names} == {
        "fastmetrics",
        "fastmetrics_engine-0.1.0.dist-info",
    }
    kernels = [name for name in names if name.startswith("fastmetrics/kernels/")]
    assert sorted(kernels) == [f"fastmetrics/kernels/{name}" for name in SOURCES]
    assert "fastmetrics/py.typed" in names
    assert "fastmetrics/cli/__init__.py" in names
    report = {name for name in names if name.startswith("fastmetrics/report/")}
    assert {f"fastmetrics/report/{name}" for name in REPORT_FILES} <= report


def test_the_wheel_holds_every_module_of_the_tree(archives):
    names = zipfile.ZipFile(archives[".whl"]).namelist()
    paths = (ROOT / "fastmetrics").glob("**/*.py")
    modules = {path.relative_to(ROOT).as_posix() for path in paths}
    # glob's ** does not follow fastmetrics/kernels, which is a link
    modules |= {f"fastmetrics/kernels/{name}" for name in SOURCES}
    assert {name for name in names if name.endswith(".py")} == modules


def test_the_source_archive_holds_the_sources_without_the_tests(archives):
    with tarfile.open(archives[".gz"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"kernels/{name}" for name in SOURCES} <= names
    assert {"pyproject.toml", "LICENSE", "README.md", "fastmetrics/py.typed"} <= names
    assert not [name for name in names if name.startswith(("tests", "fastmetrics/kernels"))]


def test_the_wheel_works_from_another_folder(installed, tmp_path):
    program = (
        "import fastmetrics as fm, fastmetrics.kernels as kernels\n"
        "print(fm.__file__, kernels.__file__, sep='\\n')\n"
        "print(fm.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))\n"
    )
    lines = run("-c", program, folder=tmp_path, PYTHONPATH=str(installed)).splitlines()
    package = installed / "fastmetrics"
    assert [Path(line) for line in lines[:2]] == [
        package / "__init__.py",
        package / "kernels" / "__init__.py",
    ]
    assert lines[2] == "0.75"


def test_the_wheel_brings_the_command(installed, tmp_path):
    command = "import sys; from fastmetrics.cli import main; main(sys.argv[1:])"
    printed = run("-c", command, "--version", folder=tmp_path, PYTHONPATH=str(installed))
    assert printed == "fastmetrics 0.1.0\n"
    (entry_points,) = installed.glob("*.dist-info/entry_points.txt")
    assert "fastmetrics = fastmetrics.cli:main" in entry_points.read_text()
