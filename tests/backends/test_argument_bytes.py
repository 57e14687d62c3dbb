"""The bytes that a kernel finds its parameters in, for the PTX machine and for a GPU alike."""

from __future__ import annotations

import struct
from operator import attrgetter

import numpy as np
import pytest
from usual_calls import usual_call

from gemmviz.backends.argument_bytes import pack, sized, values_of
from gemmviz.backends.base import LaunchError, Local
from gemmviz.backends.launch_arguments import launch_arguments
from gemmviz.compiler.ptx.kernels import PtxParameter
from gemmviz.domain.kernels import parameter_types as types
from gemmviz.domain.kernels.call import LocalArgument, MatrixArgument, NullArgument
from gemmviz.domain.kernels.parameter_types import ParameterType
from gemmviz.domain.shape import Shape


class FakeBuffer:
    """A buffer at an address, which is told its name."""

    def __init__(self, address: int) -> None:
        self.address, self.name, self.nbytes = address, "", 4

    def release(self) -> None:
        raise AssertionError


def bytes_of(arguments: list, signature: tuple[ParameterType, ...] | None = None) -> list[bytes]:
    return values_of(arguments, attrgetter("address"), lambda *_: b"\7" * 128, signature)


def test_that_without_a_signature_numbers_are_int_and_float() -> None:
    assert bytes_of([FakeBuffer(0x1234), 7, -1, 1.5, None]) == [
        (0x1234).to_bytes(8, "little"),
        b"\7\0\0\0",
        b"\xff\xff\xff\xff",
        struct.pack("<f", 1.5),
        bytes(8),
    ]


@pytest.mark.parametrize(
    ("value", "scalar", "wanted"),
    [
        (-2, types.LONG_LONG, struct.pack("<q", -2)),
        (7, types.UNSIGNED_LONG, struct.pack("<Q", 7)),
        (1, types.BOOL, b"\1"),
        (300, types.SHORT, struct.pack("<h", 300)),
        (0.1, types.DOUBLE, struct.pack("<d", 0.1)),
        (0.5, types.HALF, np.float16(0.5).tobytes()),
        (1.5, types.BFLOAT16, b"\xc0\x3f"),
        (2.0, types.FLOAT, struct.pack("<f", 2.0)),
    ],
)
def test_that_a_number_has_the_bytes_of_its_type(value: float, scalar: types.ScalarType, wanted: bytes) -> None:
    assert bytes_of([value], (ParameterType(scalar),)) == [wanted]


def test_that_values_lie_where_the_parameters_do() -> None:
    parameters = (PtxParameter(1, 1), PtxParameter(8, 8), PtxParameter(2, 2), PtxParameter(4, 4))
    assert pack([b"a", b"b" * 8, b"cc", b"dddd"], parameters, "k") == b"a" + bytes(7) + b"b" * 8 + b"cc\0\0dddd"
    with pytest.raises(LaunchError, match=r"k takes parameters of 1, 8, 2, 4 bytes and is given 1, 8.*'args'"):
        sized([b"a", b"b" * 8], parameters, "k")


def test_that_the_pointer_to_local_memory_is_null_since_it_is_an_array_of_the_kernel() -> None:
    assert bytes_of([Local(64)]) == [bytes(8)]


def test_that_buffers_are_given_in_the_order_of_the_call() -> None:
    buffers = {name: FakeBuffer(at) for at, name in enumerate("ABC", 1)}
    call = usual_call(Shape(2, 3, 4))
    given = launch_arguments(call, buffers)
    assert given == (buffers["A"], buffers["B"], buffers["C"], 2, 3, 4)
    assert [buffer.name for buffer in buffers.values()] == ["A", "B", "C"]
    from dataclasses import replace

    other = replace(call, arguments=(MatrixArgument("C"), NullArgument(), LocalArgument(8), *call.arguments[3:]))
    assert launch_arguments(other, buffers) == (buffers["C"], None, Local(8), 2, 3, 4)
