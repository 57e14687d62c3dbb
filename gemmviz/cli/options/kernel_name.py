"""The names of kernels, which commands take as arguments or behind --kernel."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.cli.faults import BadInputError
from gemmviz.cli.options.option_numbers import shown


def one_name(argument: str | None, option: str | None) -> str | None:
    """The name that was given, None where none was.

    Raises:
        BadInputError: it was given twice.
    """
    if argument is not None and option is not None:
        raise BadInputError(f"{shown(argument)} and --kernel {shown(option)}: give the name of one kernel, and once")
    return argument if argument is not None else option


def several_names(arguments: Sequence[str], option: str | None) -> str | None:
    """The names that were given, with commas between them, None where none was.

    Raises:
        BadInputError: they were given in both ways.
    """
    if arguments and option is not None:
        given = ",".join(arguments)
        raise BadInputError(f"{shown(given)} and --kernel {shown(option)}: give the names of kernels in one way")
    return ",".join(arguments) or option
