"""The errors and warnings that fastmetrics raises, and the two it borrows from scikit-learn.

::

    ValueError
        InputError              data that cannot be scored; the message names the argument
            LabelError          the positive class is not named, or does not occur
        InvalidParameterError   scikit-learn's own (also a TypeError): an option it does not know
    KeyError
        UnknownNameError        no metric, model or slice of this name; the message lists the names
    UserWarning
        UndefinedMetricWarning  scikit-learn's own: the value is 0/0 and comes back as nan

Conventions: a message says what was found and the call that works. scikit-learn's classes are
loaded when one of them is needed, never on import.
"""

from __future__ import annotations

import sys
import warnings

_PACKAGE = "fastmetrics."


class InputError(ValueError):
    """Data that cannot be scored."""


class LabelError(InputError):
    """Labels whose positive class cannot be told."""


class UnknownNameError(KeyError):
    """A name that is not there."""

    def __str__(self) -> str:
        # KeyError would print the quoted repr of the message
        return str(self.args[0]) if self.args else ""


def invalid_parameter(message: str) -> ValueError:
    """scikit-learn's InvalidParameterError, to be raised."""
    from sklearn.utils._param_validation import InvalidParameterError

    error: ValueError = InvalidParameterError(message)
    return error


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, pointing at the line outside this package that made the call."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def warn_undefined(message: str) -> None:
    """Warn of an undefined value, with scikit-learn's class."""
    from sklearn.exceptions import UndefinedMetricWarning

    warn(message, UndefinedMetricWarning)
