"""At which line of a kernel's file inlined code is shown.

The code of a function that several lines call is shown at the line that calls it, since only that tells its calls
apart; the code of a function that one line calls is shown at its own lines, which are finer. A call within such a
function is shown there: a compiler says the outer one only once and repeats the inner one for each of its copies, so
that which of several outer lines a copy belongs to is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.MULTILINE)
_FUNCTION = re.compile(r"^[ \t]*(?:\.(?:visible|weak|extern)\s+)*\.(?:entry|func)\b", re.MULTILINE)
_LOC = re.compile(
    r"\s*\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:[^\n]*?\bfunction_name\s+([\w$+]+))?"
    r"(?:[^\n]*?\binlined_at\s+(\d+)\s+(\d+)\s+(\d+))?"
)
_LOCS = re.compile(rf"^{_LOC.pattern}", re.MULTILINE)
HELPER = "helper in line "
"""Before the line of a function that several lines call."""
_HELPER_LINE = re.compile(rf"(?:{HELPER}|called in line )(\d+)$")

Spot = tuple[str, int, int]
"""The number of a file in the PTX, and a line and column of it."""


@dataclass(frozen=True, slots=True)
class LocDirective:
    """What a `.loc` line says: the place of the code, where it is inlined, if it is, and the label of the name of the
    function that it comes from then.
    """

    spot: Spot
    function: str = ""
    call: Spot | None = None


def files_of(ptx: str) -> dict[str, str]:
    """The paths of a PTX text's files by their numbers."""
    return dict(_FILE.findall(ptx))


def location_of(loc: str) -> LocDirective | None:
    """What a line says that is a `.loc`; None of any other line."""
    match = _LOC.match(loc)
    return _directive(match) if match is not None else None


def _directive(match: re.Match[str]) -> LocDirective:
    file, line, column, function, *call = match.groups()
    spot = (file, int(line), int(column))
    return LocDirective(spot, function or "", (call[0], int(call[1]), int(call[2])) if call[0] is not None else None)


class InlinedCalls:
    """The lines that call the functions inlined in one body of PTX; `own` are the numbers of the kernel's file."""

    def __init__(self, locations: Iterable[LocDirective], own: frozenset[str]) -> None:
        callers: dict[str, set[tuple[str, int]]] = {}
        self._functions: dict[int, set[str]] = {}
        for one in locations:
            file, line, _ = one.spot
            if one.call is not None and file in own and line:
                callers.setdefault(one.function or str(line), set()).add(one.call[:2])
                self._functions.setdefault(line, set()).add(one.function or str(line))
        self._callers = callers

    def is_shared(self, line: int) -> bool:
        """Whether several lines call the function that a line of the kernel's file belongs to.

        Instances of a template are one function: they have their lines in common.
        """
        functions = self._functions.get(line, ())
        return len(set[tuple[str, int]]().union(*(self._callers[one] for one in functions))) > 1


def bodies_of(ptx: str, own: frozenset[str]) -> Iterator[tuple[int, str, InlinedCalls]]:
    """The text of each function of a PTX text, with where it begins and what is inlined in it, in order."""
    starts = [match.start() for match in _FUNCTION.finditer(ptx)]
    for start, end in pairwise([*starts, len(ptx)]):
        text = ptx[start:end]
        yield start, text, InlinedCalls(map(_directive, _LOCS.finditer(text)), own)


def in_helper(header: str, line: int) -> str:
    """Where code stands in a function that several lines call: "helper in line 8", or, of a header's code that a line
    of it calls, "tile.cuh:4, called in line 8".
    """
    return f"{header}, called in line {line}" if header else f"{HELPER}{line}"


def helper_line(place: str) -> int:
    """The line of the kernel's file that a place within a call names; 0 where it names a header's only."""
    match = _HELPER_LINE.search(place)
    return int(match[1]) if match is not None else 0
