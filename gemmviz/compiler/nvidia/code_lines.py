"""At which line of the source each line of its PTX or SASS is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import NamedTuple

from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.kernels.inlined_code import InlinedCalls, LocDirective, Spot, bodies_of, files_of, location_of

_PTX_INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?[a-z]")
_SASS_PLACE = re.compile(r'File "([^"]*)", line (\d+)(?: inlined at "([^"]*)", line (\d+))?')
_SASS_SECTION = re.compile(r"^\s*\.section\s+\.text\.(?P<symbol>[^\s,]+)")
_ENTRY = re.compile(r"\.entry\s+([\w$.]+)")
_SASS_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/")
_SASS_PATH = re.compile(r'(//## File |inlined at )"([^"]*)"')
_LONGEST_CHAIN = 100


class CodeLine(NamedTuple):
    """At which line of the source an instruction is shown, from 1, 0 for none; and of inlined code of which line of
    which file it is, "cuda_fp16.h:5122", else "".
    """

    line: int
    inlined: str = ""


_NOWHERE = CodeLine(0)


def lines_of_ptx(ptx: str) -> tuple[int, ...]:
    """For each line of a PTX text the line of the source, from 1, at which its instruction is shown; 0 for none."""
    return tuple(one.line for one in places_of_ptx(ptx))


def lines_of_sass(sass: str, ptx: str) -> tuple[int, ...]:
    """The same for a disassembly by `nvdisasm -gi` of what was made of a PTX text."""
    return tuple(one.line for one in places_of_sass(sass, ptx))


def places_of_ptx(ptx: str) -> tuple[CodeLine, ...]:
    """For each line of a PTX text where its instruction is shown.

    Code of a header counts as the line of the source that called it, code of a function that several lines of the
    source call as the line that called that.
    """
    own = _own_files(ptx)
    bodies = list(bodies_of(ptx, own))
    head = ptx[: bodies[0][0]] if bodies else ptx
    found = [_NOWHERE] * len(head.splitlines())
    files = files_of(ptx)
    for _, text, inlined in bodies:
        found += _places_of_body(text, inlined, own, files)
    return tuple(found)


def _places_of_body(text: str, inlined: InlinedCalls, own: frozenset[str], files: Mapping[str, str]) -> list[CodeLine]:
    callers: dict[Spot, Spot] = {}
    found, now = [], _NOWHERE
    for line in text.splitlines():
        location = location_of(line)
        if location is not None:
            callers.pop(location.spot, None)
            within = ""
            if location.call is not None:
                callers[location.spot] = location.call
                within = f"{_name(files.get(location.spot[0], ''))}:{location.spot[1]}"
            now = CodeLine(_own_line(location, own, callers, inlined), within)
        found.append(now if _PTX_INSTRUCTION.match(line) else _NOWHERE)
    return found


def places_of_sass(sass: str, ptx: str) -> tuple[CodeLine, ...]:
    """The same for a disassembly of what was made of a PTX text."""
    kernels = _inlined_by_kernel(ptx)
    here = none = InlinedCalls((), frozenset())
    found, now, is_in_places = [], _NOWHERE, False
    for line in sass.splitlines():
        if line.lstrip().startswith("//##"):
            if not is_in_places:
                now = _place_of(line, here)
            elif not now.line:
                now = CodeLine(_place_of(line, here).line, now.inlined)
            is_in_places = True
        else:
            is_in_places = False
            if line.lstrip().startswith(".section"):
                section = _SASS_SECTION.match(line)
                now, here = _NOWHERE, kernels.get(section["symbol"], none) if section is not None else none
        found.append(now if _SASS_INSTRUCTION.match(line) else _NOWHERE)
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


def _own_line(location: LocDirective, own: frozenset[str], callers: dict[Spot, Spot], inlined: InlinedCalls) -> int:
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


def _place_of(line: str, inlined: InlinedCalls) -> CodeLine:
    match = _SASS_PLACE.search(line)
    if match is None:
        return _NOWHERE
    name, number = _name(match[1]), int(match[2])
    within = f"{name}:{number}" if match[3] is not None else ""
    is_called_here = match[3] is not None and _name(match[3]) == SOURCE_NAME
    if name == SOURCE_NAME and not (is_called_here and inlined.is_shared(number)):
        return CodeLine(number, within)
    return CodeLine(int(match[4]) if is_called_here else 0, within)


def _name(path: str) -> str:
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
