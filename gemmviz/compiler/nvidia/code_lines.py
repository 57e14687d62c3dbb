"""Which line of the source each line of its PTX or SASS comes from."""

from __future__ import annotations

import re
from pathlib import PurePosixPath, PureWindowsPath

from gemmviz.compiler.source import SOURCE_NAME

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_LOC = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:.*\binlined_at\s+(\d+)\s+(\d+)\s+(\d+))?")
_PTX_INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?[a-z]")
_SASS_PLACE = re.compile(r'File "([^"]*)", line (\d+)(?: inlined at "([^"]*)", line (\d+))?')
_SASS_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/")
_SASS_PATH = re.compile(r'(//## File |inlined at )"([^"]*)"')
_LONGEST_CHAIN = 100

Place = tuple[str, str, str]
"""File number, line and column, as .loc writes them."""


def lines_of_ptx(ptx: str) -> tuple[int, ...]:
    """For each line of a PTX text the line of the source, from 1, that its instruction comes from; 0 for none.

    Code of a header counts as the line of the source that called it.
    """
    own = {number for number, path in _FILE.findall(ptx) if _name(path) == SOURCE_NAME}
    callers: dict[Place, Place] = {}
    found, now = [], 0
    for line in ptx.splitlines():
        match = _LOC.match(line)
        if match is not None:
            place: Place = (match[1], match[2], match[3])
            if match[4] is not None:
                callers[place] = (match[4], match[5], match[6])
            else:
                callers.pop(place, None)
            now = _own_line(place, own, callers)
        found.append(now if _PTX_INSTRUCTION.match(line) else 0)
    return tuple(found)


def lines_of_sass(sass: str) -> tuple[int, ...]:
    """The same for a disassembly by `nvdisasm -gi`."""
    found, now, is_in_places = [], 0, False
    for line in sass.splitlines():
        if line.lstrip().startswith("//##"):
            now = now if is_in_places and now else _line_of_place(line)
            is_in_places = True
        else:
            is_in_places = False
            now = 0 if line.lstrip().startswith(".section") else now
        found.append(now if _SASS_INSTRUCTION.match(line) else 0)
    return tuple(found)


def with_short_paths(sass: str, source_name: str) -> str:
    """A disassembly that names files without their folders, which are temporary ones, and the source by its own name.
    `lines_of_sass` wants it as it was before.
    """

    def named(match: re.Match[str]) -> str:
        name = _name(match[2])
        return f'{match[1]}"{source_name if name == SOURCE_NAME else name}"'

    return _SASS_PATH.sub(named, sass)


def _own_line(place: Place, own: set[str], callers: dict[Place, Place]) -> int:
    for _ in range(_LONGEST_CHAIN):
        if place[0] in own:
            return int(place[1])
        if place not in callers:
            return 0
        place = callers[place]
    return 0


def _line_of_place(line: str) -> int:
    match = _SASS_PLACE.search(line)
    if match is None:
        return 0
    if _name(match[1]) == SOURCE_NAME:
        return int(match[2])
    return int(match[4]) if match[3] is not None and _name(match[3]) == SOURCE_NAME else 0


def _name(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
