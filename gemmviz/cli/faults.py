"""How a command ends badly: the exit codes and the one line on standard error."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import NoReturn

from gemmviz.cli.terminal import print_error
from gemmviz.domain.files.leftovers import remove_own_leftovers

BAD_INPUT = 2
FAILED = 1
HAZARDS = 3
"""A recording was made, and has hazards: that of `trace`, or of a kernel that `adopt` proved to be a product. Or host
code launches a kernel that `adopt` proved in a way that was not proven.
"""
NOT_PROVEN = 4
"""A kernel file was looked at, and no kernel of it, or more than one, was proven to be a product, or one with doubts:
it is right, and not verified. Or a kernel could not be examined.
"""
READER_GONE = 141
"""Whoever read standard output has gone before all was written: 128 and SIGPIPE, which ends other programs there. The
output is cut off, so that the code says neither that all is well nor that something is wrong.
"""


class BadInputError(Exception):
    """Something a person gave that cannot be used; the message names the option, the value and what is right."""


class FailedError(Exception):
    """What was asked for was tried and came to nothing; the message names what failed and why."""


class StuckError(FailedError):
    """The same, and a kernel or a compiler keeps this process busy: it must be left by `leave_at_once`."""


def complain(message: str) -> None:
    """Print what went wrong to standard error: one line, and one for each further error of a compiler."""
    print_error(message)


def leave_at_once(code: int) -> NoReturn:
    """End the process without waiting for threads that a kernel keeps busy for ever."""
    import os

    remove_own_leftovers()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    os._exit(code)
