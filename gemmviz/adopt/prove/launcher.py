"""What runs a kernel that is checked: the PTX machine, or any other device."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gemmviz.adopt.reasons import FaultKind, Reason
from gemmviz.catalogue.kernel_reader import MACRO_NAME
from gemmviz.machine.memory import Array

Index = tuple[int, int, int]


class TryError(Exception):
    """A try came to nothing; the message says what the compiler or the kernel did (`said`), behind the `line` of the
    file, 0 for none. `kind` is what follows from it.
    """

    def __init__(self, said: str, kind: FaultKind = FaultKind.OTHER, line: int = 0) -> None:
        super().__init__(f"line {line}: {said}" if line else said)
        self.said, self.kind, self.line = said, kind, line

    @property
    def reason(self) -> Reason:
        """What the compiler or the kernel did, as a reason why nothing was proven."""
        return Reason(self.said, self.kind, line=self.line)


class NotCompiledError(TryError):
    """A kernel does not compile: the message has file, line and the words of the compiler, or of gemmviz."""

    def __init__(self, message: str, *, is_of_compiler: bool, lacks_file: bool = False) -> None:
        self.undefined: tuple[str, ...] = tuple(_UNDEFINED.findall(message))
        """The names that the compiler says are undefined."""
        self._is_asking = "#error" in message
        self._place, self._is_of_compiler = re.match(r"[^\n]*?:\d+: ", message), is_of_compiler
        if lacks_file:
            kind = FaultKind.MISSING_FILE
        elif _IS_UNDEFINED in message:
            kind = FaultKind.UNDEFINED
        else:
            kind = FaultKind.NOT_COMPILED if self._place is not None and is_of_compiler else FaultKind.OTHER
        super().__init__(message, kind)

    def unknown_names(self, text: str) -> tuple[str, ...]:
        """The macros that the compiler does not know of a file with this text, or that the file asks its compile line
        for where its own `#error` ends that.
        """
        asked = _ASKED.findall(text) if self._is_asking else []
        return tuple(one for one in dict.fromkeys((*self.undefined, *asked)) if MACRO_NAME.fullmatch(one))

    @property
    def reason(self) -> Reason:
        """The message, where it is the compiler's with the words that it does not compile behind file and line."""
        place, message = self._place, str(self)
        if place is None:
            return super().reason
        does_not = "does not compile: " if self._is_of_compiler else ""
        return Reason(f"{does_not}{message[place.end() :]}", self.kind, place=place[0])

    def line_in(self, name: str) -> int:
        """The line of a file of this name that the compiler names first, 0 for none."""
        found = (
            re.fullmatch(rf"(?:.*[\\/])?{re.escape(name)}:(\d+): ", self._place[0]) if self._place is not None else None
        )
        return int(found[1]) if found is not None else 0

    def reason_in(self, text: str) -> Reason:
        """The reason for a file with this text: where the compiler does not know a texture reference of it, that."""
        for name in self.undefined:
            if self._place is not None and re.search(_TEXTURE.format(name), text):
                words = f"does not compile: {name} is a texture reference, and CUDA has none since version 12"
                return Reason(f"{self._place[0]}{words}: read through a pointer instead, and look again")
        return self.reason


_TEXTURE = r"\b(?:texture|surface)\s*<[^;<>]*>[^;]*\b{}\b[^;]*;"
"""The declaration of a name as a texture or surface reference."""
_ASKED = re.compile(r"(?m)^[ \t]*#[ \t]*(?:ifndef[ \t]+|if[ \t]+!\s*defined[ \t(]+)(\w+)[^\n]*\n\s*#[ \t]*error\b")
"""A macro that the file asks its compile line for."""
_IS_UNDEFINED = "is undefined"
_UNDEFINED = re.compile(rf'identifier "(\w+)" {_IS_UNDEFINED}')
"""What compilers say of a name."""


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
