"""How every option of every command reads a number: one spelling, in ASCII digits, with nothing around it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from gemmviz.cli.faults import BadInputError
from gemmviz.domain.visible_text import has_control_characters

MOST_DIGITS = 20
LEAST_S = 0.001
"""The shortest time that an option in seconds can ask for: nothing is started and waited for in less."""
MOST_LIMIT_S = 86400.0
_WHOLE = re.compile(r"-?[0-9]+")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LONGEST_SHOWN = 60


def shown(text: str) -> str:
    """What a person typed, to stand in a message: on one line, control characters escaped, the middle left out."""
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return plain if len(plain) <= _LONGEST_SHOWN else f"{plain[:20]}…{plain[-8:]} ({len(text)} characters)"


def whole_number(option: str, text: str) -> int:
    """The whole number of an option.

    Raises:
        BadInputError: the text is none; it names the option, the text and what is right.
    """
    if _WHOLE.fullmatch(text) is None:
        raise BadInputError(f"{option} {shown(text)!r}: not a whole number; use the digits 0 to 9, for instance 25")
    check_digits(option, [text])
    return int(text)


def check_digits(option: str, parts: Sequence[str]) -> None:
    """See that the whole numbers among some texts are not too long to be read.

    Raises:
        BadInputError: one is; it names the option, the number and how many digits it may have.
    """
    for part in parts:
        digits = len(part.lstrip("-"))
        if _WHOLE.fullmatch(part) is not None and digits > MOST_DIGITS:
            raise BadInputError(f"{option} {shown(part)}: the number has {digits} digits; give at most {MOST_DIGITS}")


def number(option: str, text: str) -> float:
    """The number of an option, with or without a fraction.

    Raises:
        BadInputError: the text is none, or is not finite.
    """
    if _NUMBER.fullmatch(text) is None:
        raise BadInputError(f"{option} {shown(text)!r}: not a number; use the digits 0 to 9, for instance 2.5")
    value = float(text)
    if not math.isfinite(value):
        raise BadInputError(f"{option} {shown(text)}: the number is too large")
    return value


def whole_numbers(text: str, separator: str) -> list[int] | None:
    """The whole numbers of a list such as `3,1`; None where one of them is none."""
    parts = text.split(separator)
    if all(_WHOLE.fullmatch(part) is not None and len(part) <= MOST_DIGITS for part in parts):
        return [int(part) for part in parts]
    return None


def seconds(option: str, value: float, most: float, least: float = LEAST_S) -> float:
    """A time in seconds.

    Raises:
        BadInputError: it is out of range.
    """
    if not least <= value <= most:
        raise BadInputError(f"{option} {value:.15g}: give a time from {least:g} to {most:g} seconds")
    return value


def whole_number_of(option: str) -> Callable[[str | int], int]:
    """The parser of an option that takes a whole number; its default is handed through."""
    return lambda given: whole_number(option, given) if isinstance(given, str) else given


def number_of(option: str) -> Callable[[str | float], float]:
    """The parser of an option that takes a number; its default is handed through."""
    return lambda given: number(option, given) if isinstance(given, str) else given


def path_of(option: str) -> Callable[[str | Path], Path]:
    """The parser of an option that names a file or a folder: no control characters, which no report could show."""

    def read(given: str | Path) -> Path:
        if has_control_characters(str(given)):
            raise BadInputError(
                f"{option} {shown(str(given))!r}: the name has a line break or another control character; rename it"
            )
        if not str(given):
            raise BadInputError(f"{option} '': the name is empty; give a file name")
        return Path(given)

    return read
