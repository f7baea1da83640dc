"""The cache notices every edit, nothing depends on it, and kernels run without the compiler."""

import gc
import json
import re
import shutil
import zipfile
from contextlib import contextmanager, suppress

import numba
import numpy as np
import pytest
from numba.core import event
from numba.core.errors import TypingError

from fastmetrics.kernels import _jit
from tests import processes
from tests.kernels import handful
from tests.processes import ROOT

AUC = """
import numpy as np
import fastmetrics as fm
print(fm.roc_auc_score(np.array([0, 1, 0, 1]), np.array([0.1, 0.5, 0.3, 0.2])))
"""
# a kernel that asks a helper in another file for a number, and how often its cache was used
DRAWN = """
import numpy as np
from fastmetrics.kernels.binomial import next_binomial
states = np.array([[2**63], [0], [0], [0]], np.uint64)  # the first uniform is just above 0.5
hits = next_binomial(states, 0, 7, 1, 2)
print(hits, sum(next_binomial.stats.cache_hits.values()))
"""


def copied(folder):
    """Put a copy of the package into a folder, as it is installed."""
    unwanted = shutil.ignore_patterns("__pycache__", "kernels")
    shutil.copytree(ROOT / "fastmetrics", folder / "fastmetrics", ignore=unwanted)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "kernels", folder / "fastmetrics" / "kernels", ignore=unwanted)
    return folder


def run(program, package, **variables):
    """Run a program with the package from a path; what it prints, and its warnings."""
    folder = package if package.is_dir() else package.parent
    return processes.run("-c", program, path=package, folder=folder, **variables)


def test_an_edit_of_a_helper_in_another_file_recompiles(tmp_path):
    package, cache = copied(tmp_path), tmp_path / "cache"
    printed = [run(DRAWN, package, NUMBA_CACHE_DIR=cache)[0] for _ in range(2)]
    assert printed == ["4 0", "4 1"]
    helper = package / "fastmetrics" / "kernels" / "random.py"
    source = helper.read_text()
    edited, edits = re.subn(r"(\* \(1\.0 / 9007199254740992\.0\))", r"\g<1> / 8.0", source)
    assert edits == 1
    helper.write_text(edited)
    printed = [run(DRAWN, package, NUMBA_CACHE_DIR=cache)[0] for _ in range(2)]
    assert printed == ["2 0", "2 1"]


def test_the_digest_covers_all_kernel_files(tmp_path, monkeypatch):
    here = _jit._digest()
    for path in (ROOT / "kernels").glob("*.py"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(_jit, "__file__", str(tmp_path / "_jit.py"))
    digests = {_jit._digest()}
    assert digests == {here}
    for path in sorted(tmp_path.glob("*.py")):
        if path.name == "__init__.py":
            continue  # no kernel lives there
        source = path.read_text()
        path.write_text(source + "\n")
        digests.add(_jit._digest())
        path.write_text(source)
    assert len(digests) == len(list(tmp_path.glob("*.py")))


def block_caches(package):
    """Put ordinary files where Python and Numba would make their cache folders."""
    for folder in (package / "fastmetrics", package / "fastmetrics" / "kernels"):
        (folder / "__pycache__").write_text("")


def test_a_package_in_a_read_only_place_works(tmp_path):
    package = copied(tmp_path)
    block_caches(package)
    printed, warned = run(AUC, package, HOME="/dev/null", XDG_CACHE_HOME="/dev/null")
    assert printed == "0.75"
    assert warned.count("set NUMBA_CACHE_DIR to a writable folder") == 1


def test_a_cache_folder_that_cannot_be_made_is_done_without(tmp_path):
    printed, warned = run(AUC, copied(tmp_path), NUMBA_CACHE_DIR="/dev/null/x")
    assert printed == "0.75"
    assert warned.count("set NUMBA_CACHE_DIR to a writable folder") <= 1


@pytest.mark.parametrize("home", ["writable", "/dev/null"])
def test_a_zip_archive_works(tmp_path, home):
    package = copied(tmp_path / "package")
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in package.rglob("*.py"):
            file.write(path, path.relative_to(package))
    shutil.rmtree(package)
    home = str(tmp_path) if home == "writable" else home
    printed, _ = run(AUC, archive, HOME=home, XDG_CACHE_HOME=home)
    assert printed == "0.75"


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A copy of the package, and a cache that it has filled."""
    package, cache = copied(tmp_path_factory.mktemp("package")), tmp_path_factory.mktemp("cache")
    run(DRAWN, package, NUMBA_CACHE_DIR=cache)
    return package, cache


@pytest.mark.parametrize(
    ("suffix", "content"),
    [("nbc", b""), ("nbc", None), ("nbi", b""), ("nbi", b"no pickle")],
    ids=["empty code", "half of the code", "empty index", "garbage index"],
)
def test_a_corrupt_cache_file_is_a_miss(tmp_path, warm, suffix, content):
    package, cache = warm[0], tmp_path / "cache"
    shutil.copytree(warm[1], cache)
    files = sorted(cache.rglob(f"*.{suffix}"))
    assert files
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert run(DRAWN, package, NUMBA_CACHE_DIR=cache)[0].startswith("4 ")
    # and the next process finds a whole cache again
    assert run(DRAWN, package, NUMBA_CACHE_DIR=cache)[0] == "4 1"


@pytest.fixture
def without_cache(monkeypatch):
    """Every kernel compiles, whatever a process before has left."""
    monkeypatch.setattr(_jit._KernelCache, "load_overload", lambda *_: None)


@contextmanager
def collection(enabled):
    """Garbage collection on or off."""
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        yield
    finally:
        (gc.enable if before else gc.disable)()


def noting(compile_, seen):
    """A function that compiles, and notes whether garbage is collected meanwhile."""

    class Noted(event.Listener):
        def on_start(self, event):
            seen.append(gc.isenabled())

        def on_end(self, event):
            pass

    with event.install_listener("numba:compile", Noted()), suppress(TypingError):
        compile_()
    seen.append(gc.isenabled())


@pytest.mark.parametrize("enabled", [True, False], ids=["collecting", "not collecting"])
@pytest.mark.usefixtures("without_cache")
def test_nothing_is_collected_while_a_kernel_compiles(enabled):
    @_jit.kernel
    def inner(x):
        return x + 1

    @_jit.kernel
    def outer(x):
        return inner(x)

    seen = []
    with collection(enabled):
        noting(lambda: outer(1), seen)
    assert seen == [False, False, enabled]


@pytest.mark.usefixtures("without_cache")
def test_a_kernel_that_does_not_compile_leaves_collection_on():
    @_jit.kernel
    def wrong(x):
        return x.no_such_thing

    seen = []
    with collection(True):
        noting(lambda: wrong(1), seen)
    assert seen == [False, True]


def test_functions_of_others_compile_as_they_did():
    seen = []
    with collection(True):
        noting(lambda: numba.njit(lambda x: x + 1)(1), seen)
    assert seen == [True, True]


def same_but_for_rounding(value, other):
    """Whether nested lists of numbers agree: integers exactly, floats to 1e-12."""
    if isinstance(value, list):
        return len(value) == len(other) and all(map(same_but_for_rounding, value, other))
    if isinstance(value, int):
        return value == other
    return value == pytest.approx(other, rel=1e-12, nan_ok=True)


def test_kernels_give_the_same_without_the_compiler():
    printed, _ = processes.run("-W", "error", "-m", "tests.kernels.handful", NUMBA_DISABLE_JIT="1")
    interpreted, compiled = json.loads(printed), handful.results()
    assert interpreted.keys() == compiled.keys()
    different = [
        name
        for name in compiled
        if not same_but_for_rounding(json.loads(json.dumps(compiled[name])), interpreted[name])
    ]
    assert not different


def test_a_kernel_takes_read_only_and_strided_arrays():
    from fastmetrics.kernels.sorting import keys_of

    bits = np.arange(20, dtype=np.float64).view(np.uint64)
    expected, keys = np.empty(10, np.uint64), np.empty(10, np.uint64)
    keys_of(bits[::2].copy(), expected)
    bits.flags.writeable = False
    keys_of(bits[::2], keys)
    np.testing.assert_array_equal(keys, expected)
