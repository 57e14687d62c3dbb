"""At which line of the source each line of its PTX or SASS is shown."""

from __future__ import annotations

import re
from pathlib import PurePosixPath, PureWindowsPath

from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.kernels.inlined_code import InlinedCalls, Location, Spot, bodies_of, files_of, location_of

_PTX_INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?[a-z]")
_SASS_PLACE = re.compile(r'File "([^"]*)", line (\d+)(?: inlined at "([^"]*)", line (\d+))?')
_SASS_SECTION = re.compile(r"^\s*\.section\s+\.text\.(?P<symbol>[^\s,]+)")
_ENTRY = re.compile(r"\.entry\s+([\w$.]+)")
_SASS_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/")
_SASS_PATH = re.compile(r'(//## File |inlined at )"([^"]*)"')
_LONGEST_CHAIN = 100


def lines_of_ptx(ptx: str) -> tuple[int, ...]:
    """For each line of a PTX text the line of the source, from 1, at which its instruction is shown; 0 for none.

    Code of a header counts as the line of the source that called it, code of a function that several lines of the
    source call as the line that called that.
    """
    own = _own_files(ptx)
    bodies = list(bodies_of(ptx, own))
    head = ptx[: bodies[0][0]] if bodies else ptx
    found = [0] * len(head.splitlines())
    for _, text, inlined in bodies:
        found += _lines_of_body(text, inlined, own)
    return tuple(found)


def _lines_of_body(text: str, inlined: InlinedCalls, own: frozenset[str]) -> list[int]:
    callers: dict[Spot, Spot] = {}
    found, now = [], 0
    for line in text.splitlines():
        location = location_of(line)
        if location is not None:
            callers.pop(location.spot, None)
            if location.call is not None:
                callers[location.spot] = location.call
            now = _own_line(location, own, callers, inlined)
        found.append(now if _PTX_INSTRUCTION.match(line) else 0)
    return found


def lines_of_sass(sass: str, ptx: str) -> tuple[int, ...]:
    """The same for a disassembly by `nvdisasm -gi` of what was made of a PTX text."""
    inlined = _inlined_by_kernel(ptx)
    here = none = InlinedCalls((), frozenset())
    found, now, is_in_places = [], 0, False
    for line in sass.splitlines():
        if line.lstrip().startswith("//##"):
            now = now if is_in_places and now else _line_of_place(line, here)
            is_in_places = True
        else:
            is_in_places = False
            if line.lstrip().startswith(".section"):
                section = _SASS_SECTION.match(line)
                now, here = 0, inlined.get(section["symbol"], none) if section is not None else none
        found.append(now if _SASS_INSTRUCTION.match(line) else 0)
    return tuple(found)


def _inlined_by_kernel(ptx: str) -> dict[str, InlinedCalls]:
    heads = ((_ENTRY.search(text), inlined) for _, text, inlined in bodies_of(ptx, _own_files(ptx)))
    return {head[1]: inlined for head, inlined in heads if head is not None}


def _own_files(ptx: str) -> frozenset[str]:
    return frozenset(number for number, path in files_of(ptx).items() if _name(path) == SOURCE_NAME)


def with_short_paths(sass: str, source_name: str) -> str:
    """A disassembly that names files without their folders, which are temporary ones, and the source by its own name.
    `lines_of_sass` wants it as it was before.
    """

    def named(match: re.Match[str]) -> str:
        name = _name(match[2])
        return f'{match[1]}"{source_name if name == SOURCE_NAME else name}"'

    return _SASS_PATH.sub(named, sass)


def _own_line(location: Location, own: frozenset[str], callers: dict[Spot, Spot], inlined: InlinedCalls) -> int:
    spot, call = location.spot, location.call
    if call is not None and call[0] in own and call[1] and spot[0] in own and inlined.is_shared(spot[1]):
        return call[1]
    for _ in range(_LONGEST_CHAIN):
        if spot[0] in own:
            return spot[1]
        if spot not in callers:
            return 0
        spot = callers[spot]
    return 0


def _line_of_place(line: str, inlined: InlinedCalls) -> int:
    match = _SASS_PLACE.search(line)
    if match is None:
        return 0
    is_called_here = match[3] is not None and _name(match[3]) == SOURCE_NAME
    if _name(match[1]) == SOURCE_NAME:
        return int(match[4] if is_called_here and inlined.is_shared(int(match[2])) else match[2])
    return int(match[4]) if is_called_here else 0


def _name(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
