"""What runs a kernel that is checked: the PTX machine, or any other device."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gemmviz.machine.memory import Array

Index = tuple[int, int, int]


class TryError(Exception):
    """A try came to nothing; the message says what the compiler or the kernel did."""


class NotCompiledError(TryError):
    """A kernel does not compile: the message has file, line and the words of the compiler, or of gemmviz."""

    def __init__(self, message: str, *, is_of_compiler: bool) -> None:
        super().__init__(message)
        self.is_of_compiler = is_of_compiler

    @property
    def words(self) -> str:
        """The message, where it is the compiler's with NOT_COMPILED behind file and line."""
        place = re.match(r"[^\n]*?:\d+: ", str(self)) if self.is_of_compiler else None
        return f"{place[0]}{NOT_COMPILED}{str(self)[place.end() :]}" if place is not None else str(self)


NOT_COMPILED = "does not compile: "


class TooSlowError(TryError):
    """A kernel did not end in time, and may be right."""


class EndlessError(TryError):
    """A kernel never ends, as with a block that waits for another one."""


@dataclass(frozen=True, slots=True)
class BlockGeometry:
    """The block and the shared memory of a launch."""

    block: Index
    shared_bytes: int = 0


class ArrayLauncher(Protocol):
    """Runs one kernel with arrays on the host, which hold what it left in them afterwards."""

    def with_local(self, local: tuple[tuple[int, int], ...]) -> ArrayLauncher:
        """The launcher of the kernel with so many bytes of local memory by the numbers of its parameters.

        Raises:
            TryError: it does not compile.
        """
        ...

    def run(self, given: Sequence[int | float | Array], geometry: BlockGeometry, grid: Index, limit_s: float) -> None:
        """Run it once.

        Raises:
            TryError: it did something wrong, did not end in time, or cannot be launched so.
        """
        ...
