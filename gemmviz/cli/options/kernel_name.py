"""The name of one kernel, which commands take as an argument or behind --kernel."""

from __future__ import annotations

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
