"""The parameters of a launch as the bytes a kernel finds them in."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from gemmviz.backends.base import Argument, Boxes, Buffer, LaunchError, Local
from gemmviz.compiler.ptx.kernels import PtxParameter
from gemmviz.domain.kernels.parameter_types import BFLOAT16, FLOAT, INT, Kind, ParameterType, Signature
from gemmviz.domain.spec import TensorMap

Address = Callable[[Buffer], int]
"""Where a buffer lies on the device."""

Encode = Callable[[int, TensorMap], bytes]
"""A tensor map of the matrix at an address."""


def values_of(
    arguments: Sequence[Argument], address: Address, encode: Encode, signature: Signature | None = None
) -> list[bytes]:
    """Each argument by itself: 8 bytes of a pointer, 128 of a tensor map, of a number as many as its type in the
    kernel's signature has. Without a signature a whole number has 4 and is an `int`, another is a `float`. Local memory
    is an array of the compiled kernel, and its pointer null.
    """
    types = signature if signature is not None and len(signature) == len(arguments) else (None,) * len(arguments)
    return [_value(one, address, encode, kind) for one, kind in zip(arguments, types, strict=True)]


def _value(argument: Argument, address: Address, encode: Encode, kind: ParameterType | None) -> bytes:
    if argument is None:
        return bytes(8)
    if isinstance(argument, int | float):
        return number_bytes(argument, kind)
    if isinstance(argument, Local):
        return bytes(8)
    if isinstance(argument, Boxes):
        return encode(address(argument.buffer), argument.map)
    return struct.pack("<Q", address(argument))


def number_bytes(value: float, kind: ParameterType | None) -> bytes:
    """A number as a parameter of a type holds it; where the type is not known, an `int` or a `float`."""
    scalar = kind.scalar if kind is not None else INT if isinstance(value, int) else FLOAT
    if scalar.kind is Kind.FLOATING and scalar.words == BFLOAT16.words:
        return struct.pack("<f", value)[2:]  # the number is one that bfloat16 holds
    if scalar.kind is Kind.FLOATING:
        return struct.pack({2: "<e", 4: "<f", 8: "<d"}[scalar.nbytes], value)
    return (int(value) & (1 << 8 * scalar.nbytes) - 1).to_bytes(scalar.nbytes, "little")


def sized(values: Sequence[bytes], parameters: Sequence[PtxParameter], symbol: str) -> list[bytes]:
    """The values, if they have the sizes that the kernel's own PTX says.

    Raises:
        LaunchError: the kernel takes other parameters than it is given.
    """
    given = [len(value) for value in values]
    taken = [parameter.nbytes for parameter in parameters]
    if given != taken:
        raise LaunchError(
            f"{symbol} takes parameters of {_sizes(taken)} bytes and is given {_sizes(given)}: a kernel takes A, B, C "
            "(8 bytes each, 128 where the header asks for a tensor map), and M, N, K (4 each), unless its description "
            "says otherwise in 'args'"
        )
    return list(values)


def pack(values: Sequence[bytes], parameters: Sequence[PtxParameter], symbol: str) -> bytes:
    """The launch buffer: each value where its parameter lies, as the kernel's own PTX says.

    Raises:
        LaunchError: as `sized`.
    """
    packed = bytearray()
    for value, parameter in zip(sized(values, parameters, symbol), parameters, strict=True):
        packed += bytes(-len(packed) % parameter.alignment)
        packed += value
    return bytes(packed)


def _sizes(sizes: Sequence[int]) -> str:
    return ", ".join(map(str, sizes)) or "no"
