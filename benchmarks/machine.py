"""Where and with what a benchmark ran."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import fastmetrics as fm

PACKAGES = ("numpy", "numba", "scikit-learn", "scipy", "scors", "rapidstats", "polars", "polars-ds")


@dataclass(frozen=True)
class Machine:
    """A machine and the versions on it; results of equal ones stand in one table."""

    processor: str
    cores: int
    system: str
    versions: dict[str, str]

    def describe(self) -> str:
        """One paragraph for the table."""
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        return f"{self.processor}, {self.cores} cores, {self.system}; {versions}"


def this_machine() -> Machine:
    """Describe the machine and what is installed."""
    versions = {"Python": platform.python_version(), "fastmetrics": fm.__version__}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return Machine(_processor(), os.cpu_count() or 1, platform.system(), versions)


def _processor() -> str:
    """The processor's name, as Linux or Python knows it."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
