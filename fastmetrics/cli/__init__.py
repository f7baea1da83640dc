"""The command line: evaluate, compare, simulate, demo, warmup.

Conventions: results go to standard output, everything else to standard error. Exit code 0 is
success, 1 a mistake that one line on standard error explains, 2 a result in which a metric is
undefined, 130 an interrupt by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

SUCCESS = 0
MISTAKE = 1
UNDEFINED = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit the process.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after the program's name; those of this process by default.

    Raises
    ------
    SystemExit
        Always, with the exit code.

    Examples
    --------
    >>> main(["--version"])
    Traceback (most recent call last):
        ...
    SystemExit: 0
    """
    try:
        from fastmetrics.cli.running import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("polars", "rich", "typer"):
            raise
        sys.stderr.write(
            f"fastmetrics: the command line needs {error.name}: "
            "pip install 'fastmetrics-engine[cli]'\n"
        )
        sys.exit(MISTAKE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))
