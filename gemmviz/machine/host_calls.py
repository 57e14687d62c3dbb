"""What a kernel asks of the host: printf and failed assertions."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?(?:v(?P<vector>2|3|4|8|16))?"
    r"(?P<length>hh|hl|h|ll|l|j|z|t|L)?(?P<kind>[diouxXeEfFgGaAcspn%])"
)


def print_words(text: str, argument: Callable[[int], int], string: Callable[[int], str]) -> str:
    """What printf prints. `argument` gives the 64 bits at an offset of the arguments, `string` a text's characters.

    CUDA widens float to double and passes every argument aligned to its size: CUDA C++ Programming Guide, "Formatted
    Output". The components of OpenCL's vectors ("%v4hlf") are arguments of their own: OpenCL C 3.0, section 6.15.14.
    """
    made: list[str] = []
    offset, end = 0, 0

    def take(nbytes: int) -> int:
        nonlocal offset
        offset = -(-offset // nbytes) * nbytes
        value = argument(offset)
        offset += nbytes
        return value & (1 << 8 * nbytes) - 1

    def value(form: str, kind: str, *, is_long: bool) -> str:
        """The next argument in words."""
        if kind in "eEfFgGaA":
            number = struct.unpack("<d", struct.pack("<Q", take(8)))[0]
            return str(number.hex() if kind in "aA" else (form + kind) % number)
        if kind == "s":
            return (form + "s") % string(take(8))
        if kind == "c":
            return (form + "s") % chr(take(4) & 0xFF)
        if kind == "p":
            return (form + "s") % hex(take(8))
        nbytes = 8 if is_long else 4
        number = take(nbytes)
        return _whole(form, kind, _signed(number, nbytes) if kind in "di" else number)

    for match in _DIRECTIVE.finditer(text):
        made.append(text[end : match.start()])
        end = match.end()
        kind = match["kind"]
        if kind == "%":
            made.append("%")
            continue
        width = str(_signed(take(4), 4)) if match["width"] == "*" else match["width"]
        precision = str(_signed(take(4), 4)) if match["precision"] == "*" else match["precision"]
        form = "%" + match["flags"] + width + ("" if precision is None else "." + precision)
        is_long = match["length"] in {"l", "ll", "j", "z", "t"} or kind == "p"
        count = int(match["vector"] or 1)
        made.append(",".join(value(form, kind, is_long=is_long) for _ in range(count)))
    return "".join([*made, text[end:]])


_FORM = re.compile(r"%(?P<flags>[-+ #0]*)(?P<width>-?\d*)(?P<precision>\.-?\d*)?")


def _whole(form: str, kind: str, number: int) -> str:
    """A whole number as C prints it, which differs from Python's % in three ways: a zero before octal digits (010, not
    0o10), no 0x before 0, and no zeros that fill the width where there is a precision.
    """
    parts = _FORM.fullmatch(form)
    assert parts is not None
    flags, width, precision = parts["flags"], parts["width"], parts["precision"] or ""
    if precision:
        flags = flags.replace("0", "")
    if "#" in flags and kind == "o" and number:
        least = len(f"{number:o}") + 1
        begins_with_fill = "0" in flags and "-" not in flags and least <= int(width or 0)
        precision = precision if begins_with_fill else f".{max(least, int(precision[1:] or 0))}"
    if kind == "o" or not number:
        flags = flags.replace("#", "")
    return (f"%{flags}{width}{precision}" + {"i": "d", "u": "d"}.get(kind, kind)) % number


def _signed(value: int, nbytes: int) -> int:
    return value - (1 << 8 * nbytes) if value >> 8 * nbytes - 1 else value


def assertion_words(message: str, function: str, place: str) -> str:
    """What a failed assertion says; `place` is file and line where it is another one than that of the fault."""
    return f"the assertion {message} failed in {function}" + (f" ({place})" if place else "")
