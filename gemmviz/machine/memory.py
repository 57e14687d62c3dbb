"""Memory that kernels read and write by full addresses: arrays that lie apart, each aligned as cudaMalloc aligns."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.machine.faults import OutsideAccess

ALIGNMENT = 256
"""Bytes; cudaMalloc gives at least this, and which sectors a request touches depends on it."""
GAP = 4096
"""Bytes around an array that belong to it and to which no kernel may write."""
OUTSIDE = "outside every array"
"""What is said of an access farther away than that."""
VARIABLE_GAP = 1024
"""Bytes behind each variable of a module that belong to nobody."""


class Array:
    """Memory of the machine. `bytes` is a view of it; `name` is what messages call it."""

    def __init__(self, nbytes: int, name: str = "") -> None:
        self.name, self.nbytes = name, nbytes
        # Pages of its own lie above the addresses of shared memory, where a heap may not.
        self._whole = np.frombuffer(mmap.mmap(-1, nbytes + 2 * GAP + ALIGNMENT), np.uint8)
        begin = GAP + -(self._whole.ctypes.data + GAP) % ALIGNMENT
        self.bytes: NDArray[np.uint8] = self._whole[begin : begin + nbytes]
        self.address: int = int(self._whole.ctypes.data) + begin

    def view(self, kind: Any) -> NDArray[Any]:
        """The memory as an array of another type."""
        return self.bytes.view(kind)


def aligned(nbytes: int) -> NDArray[np.uint8]:
    """Bytes that begin at a multiple of 64."""
    whole = np.zeros(nbytes + 64, np.uint8)
    begin = -whole.ctypes.data % 64
    return whole[begin : begin + nbytes]


def distance(array: Array, address: int) -> int:
    """How many bytes an address lies outside an array."""
    return max(array.address - address, address - array.address - array.nbytes, 0)


def outside_words(
    array: Array, address: int, access_bytes: int, element_bytes: int, among: int = 1
) -> tuple[str, OutsideAccess]:
    """Where an access outside every array lies, by one of them: that of the pointer that it was made with, or the
    nearest `among` several. What lies farther away than arrays are kept apart is said to lie outside every array.
    """
    is_far, is_before = distance(array, address) > GAP, address < array.address
    name = f"{array.name or 'an array'}{', the nearest array' if among > 1 else ''}"
    words = beyond(name, (array.address, array.nbytes), address, access_bytes, element_bytes)
    if is_far:
        return f"{OUTSIDE}, {words}", OutsideAccess.FAR if is_before else OutsideAccess.FAR_PAST_END
    return words, OutsideAccess.NEAR if is_before else OutsideAccess.PAST_END


def beyond(name: str, bounds: tuple[int, int], address: int, access_bytes: int, element_bytes: int) -> str:
    """How far an access of so many bytes lies outside an array of these bounds (where it begins and its bytes), in
    bytes and in elements: "4 bytes (1 element) past the end of a, which has 16 elements".
    """
    begin, nbytes = bounds
    is_before = address < begin
    far = begin - address if is_before else address + access_bytes - begin - nbytes
    elements = -(-far // element_bytes)
    far_elements = f" ({elements} element{'s'[: elements != 1]})" if element_bytes > 1 else ""
    whole = nbytes // element_bytes if element_bytes > 1 and nbytes % element_bytes == 0 else 0
    count, unit = (whole, "element") if whole else (nbytes, "byte")
    where = f"{'before the start' if is_before else 'past the end'} of {name}"
    return f"{far} byte{'s'[: far != 1]}{far_elements} {where}, which has {count} {unit}{'s'[: count != 1]}"
