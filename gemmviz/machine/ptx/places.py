"""Where in the kernel's file a PTX statement comes from, by `.loc`: the innermost place that lies in that file, and
where in the headers that the file includes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:.*?inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?")
_IN_NO_FOLDER = ("gemmviz_", "__nv_")
"""Names of headers that are handed to the compiler as texts begin so."""
_Spot = tuple[int, int, int]
"""File, line, column."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line and column of the kernel's file, from 1; 0 where nothing is known.

    `header` is where in the files beside it that it includes: "tile.cuh:4", or, of a function that another one in a
    header calls, "tile.cuh:4, called in load.cuh:9"; "" for code of the kernel's own file.
    """

    line: int
    column: int
    header: str = ""

    def called_at(self, call: Place) -> Place:
        """The place of a header's code as one of the call that leads there."""
        return Place(call.line, call.column, chain_of((self.header, call.header)))


def chain_of(headers: Iterable[str]) -> str:
    """Places in headers, the innermost first, in words."""
    return ", called in ".join(filter(None, headers))


class Places:
    """Reads `.loc` lines in order; those of an inlined call name the call, and a call within a call the outer one."""

    def __init__(self, text: str, source_name: str) -> None:
        files = {int(match[1]): match[2] for match in _FILE.finditer(text)}
        self._own = {number for number, path in files.items() if _name(path) == source_name}
        self._headers = {
            number: path.removeprefix("./")
            for number, path in files.items()
            if number not in self._own and _is_beside(path)
        }
        self._calls: dict[_Spot, _Spot] = {}

    def of(self, loc: str, before: Place) -> Place:
        """The place a `.loc` line names; that of `before` where it names none: a line 0, or another file's without a
        call.
        """
        match = _LOC.match(loc)
        if match is None:
            return before
        file, line, column, *call = (int(word) for word in match.groups() if word is not None)
        spot = (file, line, column)
        if call:
            self._calls[spot] = (call[0], call[1], call[2])
        seen: dict[_Spot, None] = {}
        found: _Spot | None = spot
        while found is not None and found not in seen:
            if found[0] in self._own:
                return Place(found[1], found[2], self._chain(seen)) if found[1] else before
            seen[found] = None
            found = self._calls.get(found) if found != spot or call else None
        return Place(before.line, before.column, self._chain(seen) or before.header)

    def _chain(self, spots: Iterable[_Spot]) -> str:
        return chain_of(f"{self._headers[file]}:{line}" for file, line, _ in spots if line and file in self._headers)


def _is_beside(path: str) -> bool:
    """Whether a file lies in the kernel's folder. The compiler's have whole paths, or lie in no folder at all."""
    is_whole = PurePosixPath(path).is_absolute() or PureWindowsPath(path).drive
    return not is_whole and not _name(path).startswith(_IN_NO_FOLDER)


def _name(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
