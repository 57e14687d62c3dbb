"""What variables hold, in words: numbers, places in arrays, and what is not known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gemmviz.domain.recordings.access import MappedArray
from gemmviz.domain.recordings.variables import Scalar
from gemmviz.trace.frames.thread_variables import HeldValue

DIGITS = 9
"""Of float32, so that each has a text of its own."""
NOT_ASSIGNED = "—"
"""In place of an element that nothing was assigned to yet."""
_OF_FLOAT64 = 17


def value_words(held: HeldValue, arrays: Sequence[MappedArray], digits: int = DIGITS) -> str:
    """What a variable holds: "1.25", "&A[3][0]", of an array "{1, 2}", or why that is not known."""
    variable = held.variable
    if variable.why_not:
        return f"not shown: {variable.why_not}"
    words = scalar_words(held, arrays, digits)
    return _nested(words, variable.shape)


def scalar_words(held: HeldValue, arrays: Sequence[MappedArray], digits: int = DIGITS) -> list[str]:
    """Each scalar of a variable in words, in row-major order."""
    scalar, nbytes = held.variable.scalar, held.variable.nbytes
    most = digits if nbytes < 8 or digits < DIGITS else _OF_FLOAT64
    found = []
    for number, is_assigned in zip(held.numbers.tolist(), held.is_assigned.tolist(), strict=True):
        if not is_assigned:
            found.append(NOT_ASSIGNED)
        elif scalar is Scalar.POINTER:
            found.append(pointer_words(int(number), arrays))
        elif scalar is Scalar.BOOLEAN:
            found.append("true" if number else "false")
        elif scalar in (Scalar.SIGNED, Scalar.UNSIGNED):
            found.append(str(number))
        else:
            found.append(_float_words(float(number), most, nbytes))
    return found


def pointer_words(address: int, arrays: Sequence[MappedArray]) -> str:
    """Where a virtual address lies: "&A[3][0]", "&C[8] + 2 bytes"."""
    for array in arrays:
        if array.nbytes and array.base <= address <= array.base + array.nbytes:
            element, rest = divmod(address - array.base, array.element_bytes)
            # Behind the last element points into no column.
            is_last = element == array.rows * array.columns
            row, column = divmod(element if is_last else array.number_at(element), array.columns)
            at = f"[{column}]" if array.rows == 1 else f"[{row}][{column}]"
            return f"&{array.name}{at}" + (f" + {rest} bytes" if rest else "")
    return "outside the arrays"


def _float_words(number: float, digits: int, nbytes: int) -> str:
    if digits >= DIGITS and nbytes == 4 and np.isfinite(number):
        return str(np.float32(number)).removesuffix(".0")  # as few digits as tell it from all others
    return f"{number:.{digits}g}"


def _nested(words: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return words[0]
    if len(shape) == 1:
        return "{" + ", ".join(words) + "}"
    size = len(words) // shape[0]
    return "{" + ", ".join(_nested(words[at : at + size], shape[1:]) for at in range(0, len(words), size)) + "}"
