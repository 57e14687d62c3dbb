"""Where a kernel is at fault, read from the words of a compiler or of the PTX machine. No Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_PLACE = re.compile(r"(?P<line>\d+)(?::(?P<column>\d+))?: (?:fatal )?(?:error: )?(?P<words>.+)")

_NAMED = re.compile(r"(?:^|: )line (?P<line>\d+): (?P<words>.+)")
"""How the PTX machine names a line."""

_FOLDER = re.compile(r"^[^:]*[/\\]([^/\\:]+:\d+)")


@dataclass(frozen=True, slots=True)
class CompileFault:
    """A line from 1, a column from 1 or 0 where the compiler names none, and what is wrong there.

    `is_running`: the kernel compiles, and failed in that line while it ran.
    """

    line: int
    column: int
    words: str
    is_running: bool = False

    @property
    def sentence(self) -> str:
        """Where and what, to be read above the source."""
        return f"Line {self.line}{'' if self.is_running else ' does not compile'}: {self.words}"


def without_folder(reason: str) -> str:
    """A reason that begins with `folder/file:line`, without the folder, which would push the words out of sight."""
    return _FOLDER.sub(r"\1", reason)


def compile_fault(reason: str, path: Path) -> CompileFault | None:
    """The first place in the file at `path` that a reason names as `path:line:column: words`; None for none."""
    return next(iter(compile_faults(reason, path)), None)


def compile_faults(reason: str, path: Path) -> tuple[CompileFault, ...]:
    """All places in the file at `path` that a reason names, in its order."""
    found = []
    for line in reason.splitlines():
        _, is_named, rest = line.partition(f"{path}:")
        if not is_named:
            _, is_named, rest = line.partition(f"{path.name}:")
        place = _PLACE.match(rest) if is_named else None
        if place is not None:
            found.append(CompileFault(int(place["line"]), int(place["column"] or 0), place["words"].strip()))
    return tuple(dict.fromkeys(found))


def fault_while_running(reason: str) -> CompileFault | None:
    """The line that the PTX machine names in a reason as `line 41: words`; None for none."""
    place = _NAMED.search(reason)
    if place is None:
        return None
    return CompileFault(int(place["line"]), 0, place["words"].strip(), is_running=True)
