"""Programs in processes of their own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def heed_interrupts():
    """Undo that a shell starts its background jobs, and all that they start, deaf to SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def environment(path=ROOT, **variables):
    """The environment of a program that finds the package in a path, and nothing of this one."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTHON", "XDG_"))
    }
    given = {name: str(value) for name, value in variables.items()}
    return {**inherited, "PYTHONPATH": str(path), **given}


def run(*arguments, path=ROOT, folder=ROOT, timeout=120, **variables):
    """Run Python on arguments; what it prints, and what it says on the error stream."""
    finished = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(path, **variables),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip(), finished.stderr
