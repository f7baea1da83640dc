"""From the words of a command line to an exit code."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Any, cast

import typer

from fastmetrics.cli import INTERRUPTED, MISTAKE, SUCCESS
from fastmetrics.cli.commands import application
from fastmetrics.cli.mistakes import Mistake

# click, or the copy of it inside typer, is the only place where this class has a public name
WordingError: type[Exception] = typer.BadParameter.__mro__[2]


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; a mistake is one line on standard error."""
    if threading.current_thread() is threading.main_thread():
        # importing polars replaces Python's handler by one that does not wake a waiting thread
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # a name that the terminal cannot show is no reason to stop
            stream.reconfigure(errors="replace")
    try:
        command = typer.main.get_command(application)
        code = command.main(arguments, prog_name="fastmetrics", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Mistake as mistake:
        message = str(mistake)
    except WordingError as error:
        message = cast(Any, error).format_message()
    else:
        return code if isinstance(code, int) else SUCCESS
    sys.stderr.write(f"fastmetrics: {' '.join(message.split())}\n")
    return MISTAKE
