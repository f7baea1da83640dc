"""Errors and warnings as lines that a user of the command line can act on."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class Mistake(Exception):
    """A mistake of the user, explained by one line."""


@contextmanager
def one_line_mistakes() -> Iterator[None]:
    """Turn the library's errors about its arguments into a `Mistake`."""
    try:
        yield
    except KeyError as error:
        raise Mistake(str(error.args[0] if error.args else error)) from error
    except ModuleNotFoundError as error:
        if "pip install" not in str(error):
            raise
        raise Mistake(str(error)) from error
    except (ValueError, TypeError, NotImplementedError, OSError) as error:
        raise Mistake(str(error)) from error


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show warnings as lines on standard error, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        for category in (UserWarning, RuntimeWarning):
            warnings.simplefilter("always", category)
        try:
            yield
        finally:
            for text in dict.fromkeys(" ".join(str(item.message).split()) for item in caught):
                sys.stderr.write(f"warning: {text}\n")
