"""Runs scikit-learn's tests on fastmetrics; every exception stands here with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .substitution import reaches, replaced

# test, or test[parameters] -> why it cannot pass. An entry that passes after all is an error.
EXCEPTIONS: dict[str, str] = {
    "test_regression_metrics_at_limits": (
        "one row has no variance to explain: explained_variance_score is nan with a warning, as "
        "r2_score is, and not 1 for any prediction"
    ),
}


def pytest_configure(config: pytest.Config) -> None:
    """Know the marks of scikit-learn's tests."""
    config.addinivalue_line("markers", "thread_unsafe: scikit-learn's, not for parallel threads")


@pytest.fixture
def global_random_seed() -> int:
    """The seed that scikit-learn's own conftest hands out by default."""
    return 42


@pytest.fixture(autouse=True)
def functions_of_fastmetrics() -> Iterator[None]:
    """Replace what a test imports while it runs."""
    with replaced():
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that call nothing of ours, and mark the exceptions."""
    here = Path(__file__).parent
    kept, deselected = [], []
    for item in items:
        if here not in item.path.parents or not isinstance(item, pytest.Function):
            kept.append(item)
            continue
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if not reaches(item.function, parameters):
            deselected.append(item)
            continue
        # the tests look for the warnings they mean, and let others pass
        item.add_marker(pytest.mark.filterwarnings("ignore"), append=False)
        reason = EXCEPTIONS.get(item.name) or EXCEPTIONS.get(item.originalname)
        if reason:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
        kept.append(item)
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = kept
