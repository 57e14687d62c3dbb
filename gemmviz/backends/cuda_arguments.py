"""The parameters of a launch as the bytes a kernel finds them in."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from gemmviz.backends.base import Argument, Boxes, Buffer, LaunchError
from gemmviz.compiler.ptx import Parameter
from gemmviz.domain.spec import TensorMap

Address = Callable[[Buffer], int]
"""Where a buffer lies on the device."""

Encode = Callable[[int, TensorMap], bytes]
"""A tensor map of the matrix at an address."""


def values_of(arguments: Sequence[Argument], address: Address, encode: Encode) -> list[bytes]:
    """Each argument by itself: 8 bytes of a pointer, 128 of a tensor map, 4 of a whole number."""
    return [_value(argument, address, encode) for argument in arguments]


def _value(argument: Argument, address: Address, encode: Encode) -> bytes:
    if isinstance(argument, int):
        return struct.pack("<i", argument)
    if isinstance(argument, Boxes):
        return encode(address(argument.buffer), argument.map)
    return struct.pack("<Q", address(argument))


def pack(values: Sequence[bytes], parameters: Sequence[Parameter], symbol: str) -> bytes:
    """The launch buffer: each value where its parameter lies, as the kernel's own PTX says.

    Raises:
        LaunchError: the kernel takes other parameters than it is given.
    """
    given = [len(value) for value in values]
    taken = [parameter.nbytes for parameter in parameters]
    if given != taken:
        raise LaunchError(
            f"{symbol} takes parameters of {_sizes(taken)} bytes and is given {_sizes(given)}: A, B, C (8 bytes each, "
            "128 where the header asks for a tensor map), and M, N, K (4 each)"
        )
    packed = bytearray()
    for value, parameter in zip(values, parameters, strict=True):
        packed += bytes(-len(packed) % parameter.alignment)
        packed += value
    return bytes(packed)


def _sizes(sizes: Sequence[int]) -> str:
    return ", ".join(map(str, sizes)) or "no"
