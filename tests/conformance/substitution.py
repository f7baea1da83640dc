"""Puts the functions of fastmetrics in place of scikit-learn's, and loads its tests that way.

A function is replaced wherever both libraries have one of its name: in ``sklearn.metrics``, in
every module below it that has a copy, and in ``sklearn.calibration``. A test module imported
meanwhile holds ours in its globals, its lists, dictionaries and partials, and in the parameters of
its tests. During each test the names stay replaced, for imports inside it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import types
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pytest
import sklearn.calibration
import sklearn.metrics

import fastmetrics as fm

_OFFERED = {name: getattr(sklearn.metrics, name) for name in sklearn.metrics.__all__}
_OFFERED["calibration_curve"] = sklearn.calibration.calibration_curve
REPLACED = {name: getattr(fm, name) for name in sorted(set(fm.__all__) & set(_OFFERED))}
_ORIGINALS = {name: _OFFERED[name] for name in REPLACED}


@contextlib.contextmanager
def replaced() -> Iterator[None]:
    """Within the block, scikit-learn's modules of metrics offer our functions under its names."""
    places = [
        (module, name)
        for module_name, module in list(sys.modules.items())
        if module_name.split(".tests")[0].startswith(("sklearn.metrics", "sklearn.calibration"))
        and ".tests" not in module_name
        for name in REPLACED
        if getattr(module, name, None) is _ORIGINALS[name]
    ]
    for module, name in places:
        setattr(module, name, REPLACED[name])
    try:
        yield
    finally:
        for module, name in places:
            setattr(module, name, _ORIGINALS[name])


def load(module_name: str) -> dict[str, Any]:
    """The tests of a module of scikit-learn, by their names.

    The module is imported afresh and forgotten again, so that
    nobody else meets it with our functions inside.
    """
    known = sys.modules.pop(module_name, None)
    with replaced():
        module = importlib.import_module(module_name)
    del sys.modules[module_name]
    if known is not None:
        sys.modules[module_name] = known
    tests = {name: value for name, value in vars(module).items() if name.startswith("test_")}
    for test in tests.values():
        test.pytestmark = [_with_listed_values(mark) for mark in getattr(test, "pytestmark", [])]
    return tests


def _with_listed_values(mark: pytest.Mark) -> pytest.Mark:
    """A parametrize mark whose values are no iterator, which pytest 9 warns of."""
    if mark.name != "parametrize" or isinstance(mark.args[1], Collection):
        return mark
    names, values, *rest = mark.args
    return pytest.mark.parametrize(names, list(values), *rest, **mark.kwargs).mark


def reaches(test: Any, parameters: Mapping[str, Any]) -> bool:
    """Whether a test can call a function of ours, by itself, a helper or a parameter.

    Searches what the test names, and what those things name in turn. Where a parameter is the name
    of a metric in a table, tables are searched under that name only.
    """
    ours = {id(function) for function in REPLACED.values()}
    tables = [item for item in test.__globals__.values() if isinstance(item, dict)]
    known = {key for table in tables for key, value in table.items() if callable(value)}
    names = {value for value in parameters.values() if isinstance(value, str)} & known
    queue = [test, *parameters.values()]
    seen: set[int] = set()
    while queue:
        item = queue.pop()
        if id(item) in ours:
            return True
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, functools.partial):
            queue.append(item.func)
        elif isinstance(item, list | tuple | set | frozenset):
            queue.extend(item)
        elif isinstance(item, dict):
            queue.extend(item[key] for key in (names.intersection(item) if names else item))
        elif isinstance(item, types.FunctionType) and _is_in_tests(item):
            queue.extend(item.__globals__.get(name) for name in _names(item.__code__))
            queue.extend(cell.cell_contents for cell in item.__closure__ or ())
    return False


def _is_in_tests(function: types.FunctionType) -> bool:
    return ".tests." in (function.__module__ or "")


def _names(code: types.CodeType) -> set[str]:
    """Names used by a function and by the functions inside it."""
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))
