"""What a compiler made of a kernel, for people to read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MachineCode:
    """PTX and SASS of a kernel for an architecture ("sm_90"); `build` says how it was made and what it takes.

    `sass` is "" where no disassembler was found.
    """

    kernel: str
    target: str
    build: str
    ptx: str
    sass: str
