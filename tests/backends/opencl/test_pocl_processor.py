"""PoCL compiles on processors that its LLVM does not know, and nothing else in its device is touched."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import pytest

from gemmviz.backends.opencl.pocl_processor import (
    UNKNOWN,
    help_pocl,
    name_the_processor,
    older_processor,
    processor_flags,
    readable_memory,
)

AVX2 = {"avx2", "fma", "bmi1", "bmi2", "f16c", "movbe"}
AVX512 = AVX2 | {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}


class Structure:
    """Memory with pointers to strings in it, and numbers, as a device has them."""

    def __init__(self, words: Sequence[bytes | int]) -> None:
        self.strings = [ctypes.create_string_buffer(word, 32) for word in words if isinstance(word, bytes)]
        strings = iter(self.strings)
        self.values = (ctypes.c_uint64 * 300)(
            *(ctypes.addressof(next(strings)) if isinstance(word, bytes) else word for word in words)
        )
        self.address = ctypes.addressof(self.values)

    @property
    def readable(self) -> list[tuple[int, int]]:
        parts: list[ctypes.Array[Any]] = [self.values, *self.strings]
        return [(ctypes.addressof(part), ctypes.addressof(part) + ctypes.sizeof(part)) for part in parts]

    def text(self, place: int) -> bytes:
        return ctypes.string_at(self.values[place])


def test_that_only_the_unknown_processor_behind_the_platform_gets_a_name() -> None:
    device = Structure([7, b"generic", b"pthread", 2**64 - 1, b"x86_64-unknown-linux-gnu", b"generic", b"generic"])
    before = list(device.values)
    assert name_the_processor(device.address, b"haswell", device.readable)
    assert [place for place in range(300) if device.values[place] != before[place]] == [5]
    assert device.text(5) == b"haswell"


@pytest.mark.parametrize(
    "words",
    [
        [b"x86_64-unknown-linux-gnu", b"skylake-avx512"],
        [b"generic", b"x86_64-unknown-linux-gnu"],
        [b"x86_64-unknown-linux-gnu", b"generic", b"x86_64-unknown-linux-gnu", b"generic"],
        [0, 1, 2**64 - 1],
    ],
)
def test_that_a_device_that_is_known_or_looks_otherwise_is_left_alone(words: list[bytes | int]) -> None:
    device = Structure(words)
    before = list(device.values)
    assert not name_the_processor(device.address, b"haswell", device.readable)
    assert list(device.values) == before


def test_that_nothing_is_read_outside_of_what_can_be_read() -> None:
    device = Structure([b"x86_64-unknown-linux-gnu", b"generic"])
    assert not name_the_processor(device.address, b"haswell", [])
    assert not name_the_processor(device.address, b"haswell", device.readable[:1])


def test_that_the_older_processor_has_only_instructions_that_are_there() -> None:
    assert older_processor(AVX512 | {"sse4_2"}) == b"skylake-avx512"
    assert older_processor(AVX512 - {"avx512vl"}) == b"haswell"
    assert older_processor(AVX2 - {"fma"}) == older_processor(set()) == b"x86-64"


def test_that_the_systems_own_words_are_read() -> None:
    flags = "processor : 0\nvendor_id : A\nflags\t\t: fpu avx2\n\nprocessor : 1\nflags : sse\n"
    assert processor_flags(flags) == {"fpu", "avx2"}
    assert processor_flags("Features : asimd") == set()
    maps = "1000-2000 r-xp 0 0:0 0 /a b\n2000-3000 ---p 0 0:0 0\n3000-4000 rw-p 0 0:0 0 [heap]\n"
    assert readable_memory(maps) == [(0x1000, 0x2000), (0x3000, 0x4000)]


def test_that_another_pocl_is_left_alone() -> None:
    device = Structure([b"x86_64-unknown-linux-gnu", UNKNOWN])
    help_pocl(device.address, "OpenCL 3.0 PoCL 5.0+debian  Linux, LLVM 16.0.6")
    assert device.text(1) == UNKNOWN
    help_pocl(device.address, "OpenCL 3.0 PoCL 3.0-rc2  Linux, Release, RELOC, LLVM 14.0.6, SLEEF")
    assert device.text(1) != UNKNOWN


def test_that_a_device_is_looked_at_once() -> None:
    device = Structure([b"x86_64-unknown-linux-gnu", UNKNOWN, b"x86_64-unknown-linux-gnu"])
    help_pocl(device.address, "OpenCL 3.0 PoCL 3.0 Linux, LLVM 14.0.6")
    assert device.text(1) != UNKNOWN
    device.values[1] = device.values[0]
    device.values[3] = ctypes.addressof(device.strings[1])
    help_pocl(device.address, "OpenCL 3.0 PoCL 3.0 Linux, LLVM 14.0.6")
    assert device.text(3) == UNKNOWN
