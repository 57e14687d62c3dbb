"""Helps PoCL 3.0 on processors that are younger than the LLVM in it, which calls them "generic".

Its front end refuses that name, so nothing would compile; there is no option or variable for another one. The name lies
in PoCL's own description of the device, behind the name of the platform ("x86_64-unknown-linux-gnu"), and is replaced
there by that of an older processor that has the same vector instructions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

UNKNOWN = b"generic"
_TRIPLE = b"x86_64-"
_LONGEST_STRUCTURE = 2048
_POINTER = 8

_AVX2 = {"avx2", "fma", "bmi1", "bmi2", "f16c", "movbe"}
_AVX512 = _AVX2 | {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}

_kept: list[ctypes.Array[ctypes.c_char]] = []
"""The names that PoCL's structures point to."""

_looked_at: set[tuple[int, str]] = set()
"""Devices by address and version: what `help_pocl` found stays, and to read memory again takes milliseconds."""

Ranges = Sequence[tuple[int, int]]
"""Begin and end of memory that can be read."""


def name_the_processor(device_address: int, processor: bytes, readable: Ranges) -> bool:
    """Give PoCL's device at an address another processor's name, if it has none that its compiler takes.

    False, with nothing changed, where the device knows its processor or does not look as expected.
    """
    places = [
        place + _POINTER
        for place in range(device_address, device_address + _LONGEST_STRUCTURE, _POINTER)
        if _text_behind(place, readable).startswith(_TRIPLE) and _text_behind(place + _POINTER, readable) == UNKNOWN
    ]
    if len(places) != 1:
        return False
    _kept.append(ctypes.create_string_buffer(processor))
    ctypes.c_uint64.from_address(places[0]).value = ctypes.addressof(_kept[-1])
    return True


def older_processor(flags: set[str]) -> bytes:
    """A processor that LLVM 14 knows, with no vector instruction that is not among `flags` (those of /proc/cpuinfo)."""
    if flags >= _AVX512:
        return b"skylake-avx512"
    return b"haswell" if flags >= _AVX2 else b"x86-64"


def processor_flags(cpuinfo: str) -> set[str]:
    """The instruction sets that /proc/cpuinfo names for its first processor."""
    line = next((line for line in cpuinfo.splitlines() if line.startswith("flags")), "")
    return set(line.partition(":")[2].split())


def readable_memory(maps: str) -> list[tuple[int, int]]:
    """The readable ranges in a text of /proc/self/maps."""
    found = []
    for line in maps.splitlines():
        extent, rights = line.split()[:2]
        if rights.startswith("r"):
            begin, end = (int(edge, 16) for edge in extent.split("-"))
            found.append((begin, end))
    return found


def help_pocl(device_address: int, platform_version: str) -> None:
    """See that a device of the PoCL that pip installs compiles on this processor, once; others are left alone."""
    if "PoCL 3.0" not in platform_version or "LLVM 14" not in platform_version:
        return
    if (device_address, platform_version) in _looked_at:
        return
    _looked_at.add((device_address, platform_version))
    try:
        maps, cpuinfo = (Path(f"/proc/{name}").read_text(encoding="ascii") for name in ("self/maps", "cpuinfo"))
    except (OSError, ValueError):
        return
    name_the_processor(device_address, older_processor(processor_flags(cpuinfo)), readable_memory(maps))


def _text_behind(place: int, readable: Ranges) -> bytes:
    """The string that the pointer at `place` points to, its first 31 bytes at most; empty where none can be read."""
    if _room(place, readable) < _POINTER:
        return b""
    address = ctypes.c_uint64.from_address(place).value
    return ctypes.string_at(address, min(_room(address, readable), 31)).partition(b"\0")[0]


def _room(address: int, readable: Ranges) -> int:
    """Bytes from an address on that can be read."""
    return next((end - address for begin, end in readable if begin <= address < end), 0)
