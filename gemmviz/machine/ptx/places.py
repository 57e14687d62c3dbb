"""Where in the kernel's file a PTX statement comes from, by `.loc`: the innermost place that lies in that file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:.*?inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?")
_Spot = tuple[int, int, int]
"""File, line, column."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line and column of the kernel's file, from 1; 0 where nothing is known."""

    line: int
    column: int


class Places:
    """Reads `.loc` lines in order; those of an inlined call name the call, and a call within a call the outer one."""

    def __init__(self, text: str, source_name: str) -> None:
        files = {int(match[1]): match[2] for match in _FILE.finditer(text)}
        self._own = {number for number, path in files.items() if _name(path) == source_name}
        self._calls: dict[_Spot, _Spot] = {}

    def of(self, loc: str, before: Place) -> Place:
        """The place a `.loc` line names; `before` where it names none: a line 0, or another file's without a call."""
        match = _LOC.match(loc)
        if match is None:
            return before
        file, line, column, *call = (int(word) for word in match.groups() if word is not None)
        spot = (file, line, column)
        if call:
            self._calls[spot] = (call[0], call[1], call[2])
        seen: set[_Spot] = set()
        found: _Spot | None = spot
        while found is not None and found not in seen:
            seen.add(found)
            if found[0] in self._own:
                return Place(found[1], found[2]) if found[1] else before
            found = self._calls.get(found) if found != spot or call else None
        return before


def _name(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
