"""What a kernel asks of the host: printf and failed assertions."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?(?:v(?P<vector>2|3|4|8|16))?"
    r"(?P<length>hh|hl|h|ll|l|j|z|t|L)?(?P<kind>[diouxXeEfFgGaAcspn%])"
)


_NARROW = {"hh": 1, "h": 2}
"""Bytes of a whole number by its length in the directive, where an argument has more."""


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

    def value(form: str, kind: str, narrow: int, *, is_long: bool) -> str:
        """The next argument in words, a whole number cut to `narrow` bytes."""
        if kind in "eEfFgGaA":
            number = struct.unpack("<d", struct.pack("<Q", take(8)))[0]
            return (form + "s") % _in_hexadecimal(number, kind) if kind in "aA" else (form + kind) % number
        if kind == "s":
            return (form + "s") % string(take(8))
        if kind == "c":
            return (form + "s") % chr(take(4) & 0xFF)
        if kind == "p":
            return (form + "s") % hex(take(8))
        nbytes = 8 if is_long else 4
        number = take(nbytes)
        nbytes = min(nbytes, narrow)
        number &= (1 << 8 * nbytes) - 1
        return _whole_number(_signed(number, nbytes) if kind in "di" else number, kind, form)

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
        made.append(",".join(value(form, kind, _NARROW.get(match["length"], 8), is_long=is_long) for _ in range(count)))
    return "".join([*made, text[end:]])


def _in_hexadecimal(number: float, kind: str) -> str:
    """A floating-point number as C writes it with "%a": no zeros behind the last digit."""
    words = re.sub(r"\.?0*(?=p)", "", number.hex())
    return words.upper() if kind == "A" else words


def _whole_number(number: int, kind: str, form: str) -> str:
    """A whole number as C writes it: C17, 7.21.6.1. Python differs from it in octal numbers, and where a precision or
    the number is 0.
    """
    sizes = form.lstrip("%-+ #0")
    flags, (width, point, precision) = form.removesuffix(sizes), sizes.partition(".")
    has_precision = bool(point) and not precision.startswith("-")
    digits = format(abs(number), kind if kind in "oxX" else "d").zfill(int(precision or 0) if has_precision else 0)
    if has_precision and number == 0 and not int(precision or 0):
        digits = ""
    sign = "-" if number < 0 else next((one for one in "+ " if one in flags and kind in "di"), "")
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = f"0{digits}"
    if "#" in flags and kind in "xX" and number:
        sign = f"0{kind}"
    room = int(width or 0)
    if "-" in flags:
        return (sign + digits).ljust(room)
    if "0" in flags and not has_precision:
        return sign + digits.zfill(room - len(sign))
    return (sign + digits).rjust(room)


def _signed(value: int, nbytes: int) -> int:
    return value - (1 << 8 * nbytes) if value >> 8 * nbytes - 1 else value


def trap_words(operands: Iterable[str]) -> str:
    """Why a kernel with these operands ended itself: the barrier of a whole grid asks the environment registers whether
    the launch is cooperative, and traps where it is not.
    """
    words = "the kernel ended itself by a trap"
    if any(one.startswith("%envreg") for one in operands):
        words += ", as sync() of cooperative_groups' whole grid does unless the launch is cooperative; gemmviz's is not"
    return words


def assertion_words(message: str, function: str, place: str) -> str:
    """What a failed assertion says; `place` is file and line where it is another one than that of the fault."""
    return f"the assertion {message} failed in {function}" + (f" ({place})" if place else "")
