"""What C holds when a launch begins: zeros where a kernel's header asks for them, else a NaN that no arithmetic makes.

By the NaN elements are found that a kernel never wrote.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.terms import Element, InitialC

POISON_BITS = 0x7FC0DEAD
"""A quiet float32 NaN. Processors make 0x7FC00000, 0xFFC00000 or 0x7FFFFFFF, so a computed NaN differs."""
_POISON: dict[Element, np.unsignedinteger[Any]] = {
    Element.FLOAT32: np.uint32(POISON_BITS),
    Element.HALF: np.uint16(0x7EAD),
    Element.BFLOAT16: np.uint16(0x7FED),
    Element.DOUBLE: np.uint64(0x7FF8DEADDEADDEAD),
}
"""The same of each type."""
_DTYPES = {Element.HALF: np.float16, Element.BFLOAT16: np.uint16, Element.DOUBLE: np.float64}


def initial_c(shape: tuple[int, ...], begins: InitialC, element: Element = Element.FLOAT32) -> NDArray[Any]:
    """A C of that shape as it is before a launch that finds zeros, or nothing that means anything."""
    c: NDArray[Any] = np.zeros(shape, _DTYPES.get(element, np.float32))
    if begins is InitialC.UNDEFINED:
        poison(c, element)
    return c


def poison(array: NDArray[Any], element: Element = Element.FLOAT32) -> None:
    """Overwrite every element of a contiguous array with the poison.

    Raises:
        ValueError: the array holds something else than such elements, or is not contiguous.
    """
    _bits(array, element)[...] = _POISON[element]


def count_poison(array: NDArray[Any], element: Element = Element.FLOAT32) -> int:
    """How many elements of a contiguous array still hold the poison.

    An element that was read and added to (C += A·B without a start value) may keep it as well.

    Raises:
        ValueError: as `poison`.
    """
    return int(np.count_nonzero(_bits(array, element) == _POISON[element]))


def _bits(array: NDArray[Any], element: Element) -> NDArray[Any]:
    if array.dtype != _DTYPES.get(element, np.float32) or not array.flags.c_contiguous:
        raise ValueError(f"an array of {array.dtype} cannot be poisoned: give contiguous {element}")
    return array.view(_POISON[element].dtype)
